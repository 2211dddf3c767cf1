"""The trees of several parsers combined by votes."""
