"""Shared code of tests: slow references, strategies, small treebanks and models, readers of pictures, a browser.

Tests import from here and never from one another.
"""

import pkgutil

import pytest

# Checks in here tell what differs, like those of tests.
pytest.register_assert_rewrite(*(f"{__name__}.{module.name}" for module in pkgutil.iter_modules(__path__)))
