"""Decoding of scores into the best valid tree, and marginals."""
