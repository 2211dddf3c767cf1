"""Scores of system trees against gold ones."""
