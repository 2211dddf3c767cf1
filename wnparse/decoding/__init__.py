"""From scores to the best valid tree: decoders by name, and marginals."""
