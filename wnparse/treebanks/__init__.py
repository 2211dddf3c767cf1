"""Sentences in CoNLL-U: reading, writing, choosing, describing."""
