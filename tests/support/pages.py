"""Requirements on every page: tags closed, nothing loaded from elsewhere, no handlers in attributes."""

from __future__ import annotations

import re
from html.parser import HTMLParser


class Checker(HTMLParser):
    """Collects tags and what might load something, and checks that tags are closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in ("meta", "link", "img", "br", "wbr"):
            self.open.append(tag)
        for name, value in attributes:
            assert not name.startswith("on"), f"{name} in <{tag}>"
            if name in ("src", "href", "srcset", "data", "action") and not (value or "").startswith("#"):
                self.loads.append(f"{tag} {name}={value}")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def checked(page: str) -> Checker:
    checker = Checker()
    checker.feed(page)
    assert not checker.open
    assert not checker.loads
    assert not re.search(r"@import|url\((?!#)", page)  # a place in the page itself loads nothing
    return checker
