"""Reports that people read: tables, charts and pages of what `evaluation` and `stats` count."""
