"""Trees in TeX: what is drawn, hostile text, and documents that TeX compiles where it is installed."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from support.places import ROOT
from support.treebanks import sentence
from wnparse.drawing.picture import Picture
from wnparse.drawing.tex import escape_tex, tex_document
from wnparse.treebanks.pictures import picture
from wnparse.treebanks.reader import read

HOSTILE = ["\\input{x}", "#$%&_{}~^", "[a]|b", '<"q">', "\\", "a\x07b", "|[x]|"]
GAP = sentence("one two three four", [3, 0, 2, 1], "obl root obj acl")
OTHER = sentence("one two three four", [2, 0, 2, 1], "obl root obj acl")


def arcs(document: str) -> list[tuple[str, ...]]:
    """Style, head and modifier of each arc."""
    edges = re.findall(r"\\depedge\[(?:wn (\w+), )?edge height=\d+pt\]\{(\d+)\}\{(\d+)\}", document)
    roots = re.findall(r"\\deproot\[(?:wn (\w+), )?edge height=\d+pt\]\{(\d+)\}", document)
    return sorted([*edges, *((style, "0", word) for style, word in roots)], key=lambda arc: (int(arc[2]), arc))


def test_draws_arcs_and_underlines_yields() -> None:
    document = tex_document([picture(GAP)])
    assert arcs(document) == [
        ("crossing", "3", "1"),
        ("crossing", "0", "2"),
        ("", "2", "3"),
        ("crossing", "1", "4"),
    ]
    assert document.count("[wn block]") == 4  # words 1 and 4, and the tree below word 3: 1, 3 and 4
    assert document.startswith("% ")
    assert "% 1: 4 words, block degree 2" in document
    assert "block degree" not in tex_document([picture(GAP)], captions=False)


def test_draws_the_arcs_that_differ_below() -> None:
    document = tex_document([picture(GAP, system=OTHER)])
    assert arcs(document) == [
        ("first", "3", "1"), ("second", "2", "1"), ("same", "0", "2"), ("same", "2", "3"), ("same", "1", "4"),
    ]  # fmt: skip
    assert "wn block]" not in document  # there is no room for yields


def test_marks_words_and_broken_arcs() -> None:
    document = tex_document([picture(GAP, marked=[2])._replace(broken=frozenset({3}))])
    assert r"|[wn marked]| two" in document
    assert ("broken", "2", "3") in arcs(document)


def test_right_to_left_sentences_begin_on_the_right() -> None:
    document = tex_document([picture(sentence("א ב ג", [2, 0, 2]))])
    assert re.search(r"ג \\&\[\d+pt\] ב \\&\[\d+pt\] א", document)
    assert arcs(document)[1] == ("", "0", "2")
    assert [arc[1:] for arc in arcs(document)] == [("2", "1"), ("0", "2"), ("2", "3")]


def test_incomplete_trees_have_no_arcs_to_missing_heads() -> None:
    document = tex_document([picture(sentence("a b", [-1, 1]))])
    assert [arc[1:] for arc in arcs(document)] == [("1", "2")]


def test_escapes_text() -> None:
    assert escape_tex("\\a_b") == r"\textbackslash{}a\_b"
    assert escape_tex("[x]|") == r"{[}x{]}\textbar{}"
    assert "\x07" not in escape_tex("\x07")


def compile_tex(document: str, folder: Path, engine: str) -> int:
    """Compile a document; return the number of its pages."""
    program = shutil.which(engine)
    if program is None:
        pytest.skip(f"{engine} is not on the PATH")
    for name in ("tikz-dependency.sty", "standalone.cls", "lmodern.sty"):
        if subprocess.run(["kpsewhich", name], capture_output=True, check=False).returncode:
            pytest.skip(f"{name} is not installed")
    (folder / "trees.tex").write_text(document, encoding="utf-8")
    command = [program, "-interaction=nonstopmode", "-halt-on-error", "trees.tex"]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=120)
    assert result.returncode == 0, result.stdout[-2000:]
    (pages,) = re.findall(r"Output written on trees\.pdf \((\d+) page", result.stdout)
    return int(pages)


def test_tex_compiles_all_kinds_of_trees(tmp_path: Path) -> None:
    pictures: list[Picture] = [picture(GAP), picture(GAP, system=OTHER)]
    pictures += [picture(one) for one in read(ROOT / "docs" / "pictures" / "multiword.conllu")]
    pictures += [picture(one) for one in read(ROOT / "docs" / "pictures" / "nesting.conllu")]
    pictures.append(picture(GAP, marked=[2])._replace(broken=frozenset({3})))
    pictures.append(picture(sentence("a b", [-1, -1], ["_", "_"])))
    assert compile_tex(tex_document(pictures), tmp_path, "pdflatex") == len(pictures)


def test_tex_prints_hostile_text_as_it_is(tmp_path: Path) -> None:
    hostile = sentence([form.replace(" ", "") for form in HOSTILE], [0, 1, 1, 1, 1, 1, 1], ["root", *HOSTILE[1:]])
    assert compile_tex(tex_document([picture(hostile)]), tmp_path, "lualatex") == 1
    if shutil.which("pdftotext"):
        command = ["pdftotext", "-raw", "trees.pdf", "-"]
        printed = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
        for form in HOSTILE[:5]:
            assert form in printed
