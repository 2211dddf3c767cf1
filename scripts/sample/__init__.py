"""The grammar of the bundled sample, and how it is written."""
