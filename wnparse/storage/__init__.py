"""Files, arrays and JSON on disk."""
