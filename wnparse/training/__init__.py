"""Learning a parser from a treebank."""
