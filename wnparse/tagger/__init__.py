"""Tags and lemmas: a tagger, and how it is learned."""
