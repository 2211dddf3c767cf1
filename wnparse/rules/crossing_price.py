"""The price of crossing arcs: what a tree pays for each pair of its arcs that cross, beside all rules.

Arcs score one by one, and parts in twos and threes: hardly any of them see that two arcs cross. A model learns
what a crossing costs (`wnparse.training.crossing_price`); a parser pays it as a soft rule
(`wnparse.rules.ruleset`), whose multipliers are capped at the penalty (cext/decoders/relaxation/rule_prices.hpp),
so that the tree is proved best with it.
"""

from __future__ import annotations

import functools
import math

import numpy as np

from wnparse.rules.patterns import LARGEST_PENALTY
from wnparse.rules.ruleset import Rules

NAME = "crossing-price"


def as_price(value: object) -> float:
    """Check that an option is a price: a number from 0 to a million."""
    try:
        price = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        price = math.nan
    if isinstance(value, (bool, np.bool_, str)) or not 0 <= price <= LARGEST_PENALTY:
        raise ValueError(f"crossing_price={value!r}: a number from 0 to {LARGEST_PENALTY:,.0f} is needed")
    return price


def with_price(rules: Rules | None, price: float) -> Rules | None:
    """Rules and the price of a crossing; the rules as they are without one."""
    if price == 0:
        return rules
    if rules is None:
        return _alone(price)
    known: dict[float, Rules] = rules.__dict__.setdefault("_priced", {})
    if price not in known:
        # Compiling takes milliseconds, and belongs to the rules: the same ones are found again.
        known.clear()
        known[price] = Rules(rules.name, (*rules, *_alone(price)))
    return known[price]


@functools.lru_cache(maxsize=16)
def _alone(price: float) -> Rules:
    """The soft rule; it sees each pair from both of its arcs."""
    rule = {
        "name": NAME,
        "reason": "Arcs that cross cost what the model has learned.",
        "dependents": {"relation": "*"},
        "no-crossing": "any",
        "penalty": price / 2,
    }
    return Rules.from_json({"name": NAME, "rules": [rule]})
