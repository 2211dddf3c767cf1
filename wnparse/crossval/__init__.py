"""Cross-validation, and annotation errors found with it."""
