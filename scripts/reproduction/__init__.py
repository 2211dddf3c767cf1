"""The papers' tables and figures on treebanks of your own; run `./scripts/reproduce`."""
