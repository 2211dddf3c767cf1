"""The papers' tables and figures on treebanks of one's own; ``scripts/reproduce.py`` is the door."""
