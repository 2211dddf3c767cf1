"""Reading a rule file: TOML, and the line of each key, which the reader of the standard library does not return.

To find keys, the text is searched once more with strings and comments blanked, so that a key in a reason is not
taken for one of a rule.
"""

from __future__ import annotations

import importlib
import re
import sys
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
LONGEST_REASON = 200  # characters of a message of the reader of TOML


class RuleText:
    """The text of a rule file, which finds the lines of its keys.

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
        """Decode the bytes of a file; RulesError if they are not UTF-8, or too many."""
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
        """Return the tables of the file; RulesError if it is not TOML."""
        try:
            tables: dict[str, Any] = tomllib.loads(self.text)
        except RecursionError:
            raise RulesError(
                "lists or tables are nested too deeply; expected rules as in docs/guide/rules.md", self.path
            ) from None
        except ValueError as error:  # not TOML, or a number of thousands of digits
            message = str(error)
            place = _PLACE.search(message)
            line = int(place[1]) if place and place[1] else self.text.count("\n") + 1
            what = shorten(" ".join(_PLACE.sub("", message).split()), LONGEST_REASON)
            raise RulesError(
                f'not TOML: {what}; expected lines such as at-most = 1 or relation = ["nsubj", "csubj"]',
                self.path,
                line,
            ) from None
        return tables

    def error(self, message: str, *place: str | int) -> RulesError:
        """Make an error at a key; the place has the names and numbers that lead to it, the outermost first."""
        return RulesError(message, self.path, self._line_of(place))

    def check_table(self, value: object, *place: str | int) -> dict[str, Any]:
        """Return a value if it is a table: keys with values."""
        if not isinstance(value, dict):
            name = place[-1] if isinstance(place[-1], str) else "a rule"
            raise self.error(
                f'{name} is {shown(value)}; expected a table such as {{ relation = "nsubj" }}', *place
            )
        return value

    def _line_of(self, place: tuple[str | int, ...]) -> int:
        """Return the line of a key, or of the innermost key around it that is in the text; from 1."""
        position, end, rest = self._section(place)
        for key in rest:
            if isinstance(key, str):
                match = re.compile(rf"(?<![\w-]){re.escape(key)}[ \t]*[=.\]]").search(self._blanked, position, end)
                position = match.start() if match else position
        return self.text.count("\n", 0, position) + 1

    def _section(self, place: tuple[str | int, ...]) -> tuple[int, int, tuple[str | int, ...]]:
        """Return where the section of a place begins and ends, and the rest of the place."""
        headers = [
            (match.start(), re.sub(r"[ \t]", "", match[1]).split(".")) for match in _HEADER.finditer(self._blanked)
        ]
        if len(place) > 1 and isinstance(place[1], int):  # one of several tables of a name: [[rule]]
            tables = [start for start, names in headers if names == [place[0]]]
            if place[1] >= len(tables):
                return 0, len(self.text), place
            begin = tables[place[1]]
            # Headers such as [rule.dependents] are within the table of [[rule]].
            after = [
                start for start, names in headers if start > begin and (len(names) == 1 or names[0] != place[0])
            ]
            return begin, min(after, default=len(self.text)), place[2:]
        first = min((start for start, _ in headers), default=len(self.text))
        if len(place) == 1:  # a key of the whole file is before the first table, or is a table
            named = [start for start, names in headers if names[0] == place[0]]
            return (named[0], len(self.text), ()) if named else (0, first, place)
        return 0, len(self.text), place


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])
