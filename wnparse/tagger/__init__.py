"""Tags and lemmas: a tagger and its training."""
