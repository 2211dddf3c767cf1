"""The grammar of the bundled sample: lexicon, words, phrases, clauses, sentences."""
