"""docs/theory/how-it-works.md: names are in the files it gives for them, folders in the order of the rules."""

from __future__ import annotations

import re

from support.places import ROOT

PAGE = (ROOT / "docs" / "theory/how-it-works.md").read_text(encoding="utf-8")
FOLDERS = re.findall(r"^\| `([\w/]+)` \|", PAGE, re.M)


def test_names_in_code_exist() -> None:
    """Classes and functions are in the file that the page gives in brackets after them."""
    pairs = re.findall(r"`(\w+)`\s\(`([\w./]+\.\w+)`\)", PAGE)
    assert len(pairs) > 5
    for name, path in pairs:
        assert re.search(rf"\b{name}\b", (ROOT / path).read_text(encoding="utf-8")), f"{name} in {path}"


def test_lists_the_folders_in_the_order_of_the_rules() -> None:
    """CONTRIBUTING.md lists them for the test of includes; folders of the scorer are one here."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^ *```folders\n(.*?)^ *```$", text, re.M | re.S)
    assert list(dict.fromkeys(re.sub(r"^scorer/.*", "scorer", name) for name in block.split())) == FOLDERS
