"""The crossing penalty: the cost of each pair of arcs that cross, in addition to all rules.

Scores of arcs and of parts of two or three arcs hardly ever see that two arcs cross. A model learns the penalty
(`wnparse.training.crossing_penalty`); a parser applies it as a soft rule (`wnparse.rules.ruleset`), whose
multipliers are capped at the penalty (cext/decoders/relaxation/rule_prices.hpp), so that trees are proved optimal
with it.
"""

from __future__ import annotations

import functools
import math

import numpy as np

from wnparse.rules.patterns import LARGEST_PENALTY
from wnparse.rules.ruleset import Rules

NAME = "crossing-penalty"


def as_penalty(value: object) -> float:
    """Check that an option is a penalty: a number from 0 to a million."""
    try:
        price = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        price = math.nan
    if isinstance(value, (bool, np.bool_, str)) or not 0 <= price <= LARGEST_PENALTY:
        raise ValueError(f"crossing_penalty={value!r}: a number from 0 to {LARGEST_PENALTY:,.0f} is needed")
    return price


def with_crossing_penalty(rules: Rules | None, price: float) -> Rules | None:
    """Add the crossing penalty to rules; with a price of 0, return them as they are."""
    if price == 0:
        return rules
    if rules is None:
        return _soft_rule(price)
    priced: dict[float, Rules] = rules.__dict__.setdefault("_priced", {})
    if price not in priced:
        # The same object is returned again, because it caches the compiled rules.
        priced.clear()
        priced[price] = Rules(rules.name, (*rules, *_soft_rule(price)))
    return priced[price]


@functools.lru_cache(maxsize=16)
def _soft_rule(price: float) -> Rules:
    """Return the soft rule; it counts each pair of arcs twice."""
    rule = {
        "name": NAME,
        "reason": "Arcs that cross cost what the model has learned.",
        "dependents": {"relation": "*"},
        "no-crossing": "any",
        "penalty": price / 2,
    }
    return Rules.from_json({"name": NAME, "rules": [rule]})
