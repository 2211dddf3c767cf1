"""Phrases that have a plainer equivalent do not occur in help, messages, docstrings, comments and pages."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.commands import render_help
from support.documentation import NOTEBOOKS, notebook_cells
from support.places import ROOT
from wnparse.cli.main import COMMANDS

_PER = (
    "word|sentence|line|epoch|token|second|core|worker|thread|treebank|label|arc|iteration|node|file|page|tree|head|"
    "fold|seed|task|rule|update|pass|call|batch"
)
_COUNTED = (
    "words|lines?|trees?|heads|bytes|sentences|tags|sequences|microseconds|milliseconds|seconds?|threads|numbers?|JSON|"
    "tasks|features|arcs|parts|labels|weights|bits|multiplications|files?|rows?|columns?|MB|KB|GB|ms|µs"
)
# What is wrong, and what to write instead.
PHRASES = {
    rf"\b(?:{_COUNTED}) an? (?:{_PER})\b(?! (?:of|that|with|in|has|is|and|or|may|can|at))": "X per Y",
    r"(?<!there )(?<!There )\b(?:is|are) no (?!longer|more|less|fewer|better|worse|larger)": "is not a ...",
    r"\bknows? no\b": "does not support",
    r"\b(?:told|tells?)\b": "report, print, describe, return, pass",
    r"\bbeside\b": "next to, compared with, in addition to",
    r"\b(?:held|holds?|keeps?|kept) (?:every tree |trees )?to\b": "must satisfy, constrained by",
    r"\b(?:gives?|gave|given|giving) (?:something )?up\b": "relaxes",
    r"\bask(?:s|ed|ing)? for\b": "requested, requires",
    r"\b(?:by itself|by themselves|by (?:its|their) names?)\b": "automatically, by extension",
    r"\bchances?\b": "probability, occurrence, opportunity; rng",
    r"\b(?:slip of the pen|kin|somebody|mends?|mended)\b": "typo, related, someone, fix",
    r"\bcrossing[- ]prices?\b": "crossing penalty",
    r"\bAs of train\b|(?<![\w,;:] )\bThe same\.": "repeat the text",
    r"\bfor want of\b|\bin the mind of\b|\bwas(?: not)? wanted\b": "(say it plainly)",
    r"\bsay(?:s)? nothing of\b|\bhas no use for\b": "does not use",
}
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
PATTERNS = {re.compile(pattern): better for pattern, better in PHRASES.items()}


def problems(text: str) -> list[str]:
    """Return the phrases of a text that have a plainer equivalent."""
    joined = " ".join(text.split())
    return [
        f"{match[0]!r} in {joined[max(0, match.start() - 30) : match.end() + 20]!r}: write {better}"
        for pattern, better in PATTERNS.items()
        for match in pattern.finditer(joined)
    ]


def prose(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the strings with spaces (messages, docstrings, help) and the comments of a Python file, with lines."""
    source = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.JoinedStr):
            parts = [str(part.value) if isinstance(part, ast.Constant) else "X" for part in node.values]
            yield node.lineno, "".join(parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.lineno, node.value
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_help_is_plain(command: str) -> None:
    assert not problems(render_help(command))


@pytest.mark.parametrize(
    "path", sorted((ROOT / "wnparse").rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT))
)
def test_modules_are_plain(path: Path) -> None:
    assert not [f"{path.name}:{line}: {problem}" for line, text in prose(path) for problem in problems(text)]


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: str(page.relative_to(ROOT)))
def test_pages_are_plain(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert not problems(re.sub(r"^ *```.*?^ *```$|<!-- generated.*?<!-- end -->", "", text, flags=re.S | re.M))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_notebooks_are_plain(path: Path) -> None:
    assert not problems("\n".join(notebook_cells(path, "markdown")))


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("one JSON line a sentence", 1),
        ("one line per sentence; a line of a sentence", 0),
        ("'x' is no block degree", 1),
        ("there is no tree; it is no longer used", 0),
        ("What trees are held to, told beside the chance of a mended one", 5),
        ("constraints are relaxed", 0),
    ],
)
def test_phrases_are_found(text: str, count: int) -> None:
    assert len(problems(text)) == count
