"""The grammar of the invented language: lexicon, words, phrases, clauses, sentences, files."""
