"""Run the tests of exactness in chaos mode if the environment requests it.

WNPARSE_CHAOS_SEED=1 pytest tests/decoding draws every internal choice of the searches; the core must be built with
WNPARSE_DEBUG=1 or WNPARSE_CHAOS=1.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from wnparse._core.settings import set_chaos

SEED = int(os.environ.get("WNPARSE_CHAOS_SEED", "0"))
# The others compare searches with each other, to the last bit, or look at how they went.
EXACT = ("test_certificates", "test_contract", "test_differential", "test_kbest", "test_parts", "test_rules")


@pytest.fixture(autouse=True)
def _chaos(request: pytest.FixtureRequest) -> Iterator[None]:
    set_chaos(SEED if request.path.stem in EXACT else 0)
    yield
    set_chaos(0)
