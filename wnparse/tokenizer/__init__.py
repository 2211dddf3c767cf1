"""From text to sentences, tokens and words: a tokenizer and its training."""
