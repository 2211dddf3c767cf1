"""Tables of the documentation that follow from code."""
