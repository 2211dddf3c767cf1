"""The grammars of the bundled samples: an invented language, and English."""
