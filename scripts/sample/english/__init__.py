"""The grammar of the English sample: lexicon, words, phrases, clauses, sentences, documents, files."""
