"""From a sentence to its tree: models and what they do."""
