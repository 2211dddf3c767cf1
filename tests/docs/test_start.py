"""Everything that the pages of docs/start show is run."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.documentation import pages_with_examples, run_page


@pytest.mark.parametrize("page", pages_with_examples("start"))
def test_examples_run(page: Path, tmp_path: Path) -> None:
    run_page(page, tmp_path)
