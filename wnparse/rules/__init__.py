"""Rules on labelled trees: the language that they are written in, its compiler, and which trees break them."""

from wnparse.rules.ruleset import BUNDLED, Rules, as_rules

__all__ = ["BUNDLED", "Rules", "as_rules"]
