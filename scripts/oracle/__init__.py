"""The oracle: `ilp` against `bnb`, and both against the definitions."""
