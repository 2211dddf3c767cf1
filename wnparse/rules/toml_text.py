"""Reading a rule file: TOML, and the line of each key, which the reader of the standard library does not tell.

The text is gone through once more for that, with what stands in strings and comments blanked, so that a key in a
reason is not taken for one of a rule.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Mapping
from typing import Any

from wnparse.errors import RulesError
from wnparse.wording import shorten, shown

tomllib: Any = importlib.import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")

MOST_BYTES = 1 << 20
_QUOTED = re.compile(
    r'"""(?:\\.|[^\\])*?(?:"""|\Z)'
    r"|'''.*?(?:'''|\Z)"
    r'|"(?:\\.|[^"\\\n])*"?'
    r"|'[^'\n]*'?"
    r"|#[^\n]*",
    re.DOTALL,
)
# No two parts of these match the same characters, so that a long line takes linear time.
_HEADER = re.compile(r"^[ \t]*\[+([^\[\]\n]*)\]", re.MULTILINE)
_PLACE = re.compile(r"\(at (?:line (\d+), column \d+|end of document)\)$")
LONGEST_REASON = 200  # characters of what the reader of TOML says


class RuleText:
    """The text of a rule file, which knows where its keys stand.

    Parameters
    ----------
    text : str
        TOML.
    path : str
        What messages call the file.
    """

    def __init__(self, text: str, path: str) -> None:
        self.text = text
        self.path = path
        self._blanked = _QUOTED.sub(_blank, text)

    @classmethod
    def of(cls, data: bytes, path: str) -> RuleText:
        """Decode the bytes of a file; RulesError if they are no text, or too many to be rules."""
        if len(data) > MOST_BYTES:
            raise RulesError(f"a rule file of {len(data)} bytes; expected at most {MOST_BYTES}", path)
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise RulesError(
                f"byte 0x{data[error.start]:02x} is not UTF-8; expected a text file in UTF-8",
                path,
                data.count(b"\n", 0, error.start) + 1,
            ) from None
        return cls(text.replace("\r\n", "\n"), path)

    def parse(self) -> dict[str, Any]:
        """The tables of the file; RulesError if it is not TOML."""
        try:
            tables: dict[str, Any] = tomllib.loads(self.text)
        except RecursionError:
            raise RulesError(
                "lists or tables are nested too deeply; expected rules as in docs/rules.md", self.path
            ) from None
        except ValueError as error:  # what is no TOML, and numbers of thousands of digits
            told = str(error)
            place = _PLACE.search(told)
            line = int(place[1]) if place and place[1] else self.text.count("\n") + 1
            what = shorten(" ".join(_PLACE.sub("", told).split()), LONGEST_REASON)
            raise RulesError(
                f'not TOML: {what}; expected lines such as at-most = 1 or relation = ["nsubj", "csubj"]',
                self.path,
                line,
            ) from None
        return tables

    def error(self, message: str, *place: str | int) -> RulesError:
        """An error at a key: the names and numbers that lead to it, from the outermost inwards."""
        return RulesError(message, self.path, self.line_of(*place))

    def line_of(self, *place: str | int) -> int:
        """The line of a key, or of the innermost one around it that is found; from 1."""
        begin, end, rest = self._section(place)
        position = begin
        for key in rest:
            if isinstance(key, str):
                found = re.compile(rf"(?<![\w-]){re.escape(key)}[ \t]*[=.\]]").search(self._blanked, position, end)
                position = found.start() if found else position
        return self.text.count("\n", 0, position) + 1

    def _section(self, place: tuple[str | int, ...]) -> tuple[int, int, tuple[str | int, ...]]:
        """Where the part of a file begins and ends that a place lies in, and what of the place is left."""
        headers = [
            (match.start(), re.sub(r"[ \t]", "", match[1]).split(".")) for match in _HEADER.finditer(self._blanked)
        ]
        if len(place) > 1 and isinstance(place[1], int):  # one of several tables of a name: [[rule]]
            ours = [start for start, names in headers if names == [place[0]]]
            if place[1] < len(ours):
                begin = ours[place[1]]
                after = [start for start, names in headers if start > begin and not _inside(names, place[0])]
                return begin, min(after, default=len(self.text)), place[2:]
            return 0, len(self.text), place
        first = min((start for start, _ in headers), default=len(self.text))
        if len(place) == 1:  # a key of the whole file stands before the first table, or is one
            named = [start for start, names in headers if names[0] == place[0]]
            return (named[0], len(self.text), ()) if named else (0, first, place)
        return 0, len(self.text), place


def _inside(names: list[str], table: object) -> bool:
    """Whether a header is that of a table within one of these: [rule.dependents] within [[rule]]."""
    return len(names) > 1 and names[0] == table


def _blank(match: re.Match[str]) -> str:
    """What stands in quotes or behind # as blanks, line by line; its length stays."""
    return re.sub(r"[^\n]", " ", match[0])


def check_table(value: object, text: RuleText, *place: str | int) -> Mapping[str, Any]:
    """See that a value is a table: keys with values."""
    if not isinstance(value, dict):
        name = place[-1] if isinstance(place[-1], str) else "a rule"
        raise text.error(f'{name} is {shown(value)}; expected a table such as {{ relation = "nsubj" }}', *place)
    return value
