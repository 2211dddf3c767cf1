"""The Python examples of the pages, and the results of the public functions, have the types that users expect."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import wnparse
from support.places import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

# Every public name, with the type of its results. assert_type fails on Any, too.
PROGRAM = """
import conllu
import numpy as np
import numpy.typing as npt
from collections.abc import Iterator
from typing_extensions import assert_type

import wnparse
from wnparse.decoding.registry import Decoder, register_decoder
from wnparse.evaluation.evaluate import evaluate
from wnparse.treebanks.parse import Parse
from wnparse.treebanks.reader import Reader
from wnparse.trees import Structure

Floats = npt.NDArray[np.float64]
Heads = npt.NDArray[np.int32]

assert_type(wnparse.__version__, str)

assert_type(wnparse.read("a.conllu"), Reader)
sentences = list(wnparse.read("a.conllu", heads="required"))
assert_type(sentences, list[wnparse.Sentence])
sentence = sentences[0]
assert_type(sentence.heads, Heads)
assert_type(sentence.column("form"), list[str])
assert_type(sentence.sent_id, str | None)
assert_type(sentence.raw, bytes)
assert_type(sentence.parse, Parse | None)
assert_type(sentence.with_tree([-1, 0]), wnparse.Sentence)
assert_type(sentence.to_tokenlist(), conllu.TokenList)
assert_type(wnparse.Sentence.from_tokenlist(sentence.to_tokenlist()), wnparse.Sentence)
wnparse.write(sentences, "b.conllu")

for heads in ([-1, 2, 0], (-1, 2, 0), np.array([-1, 2, 0]), sentence.heads):
    assert_type(wnparse.block_degree(heads), int)
    assert_type(wnparse.gap_degree(heads), int)
    assert_type(wnparse.is_projective(heads), bool)
    assert_type(wnparse.is_well_nested(heads), bool)
    assert_type(wnparse.structure(heads), Structure)
assert_type(wnparse.structure([-1, 0]).block_degree, int)
assert_type(wnparse.structure([-1, 0]).well_nested, bool)

scores = np.zeros((3, 3))
solution = wnparse.decode(scores, "bnb", block_degree=2, well_nested=True, single_root=True, time_limit=1)
assert_type(solution, wnparse.Solution)
assert_type(solution.heads, Heads)
assert_type(solution.score, float)
assert_type(solution.upper_bound, float)
assert_type(solution.certified, bool)
assert_type(solution.labels, list[str] | None)
assert_type(wnparse.decode([[0, 0], [1, 0]], k=2), wnparse.Ranking)
assert_type(wnparse.decode(scores, k=2)[0], wnparse.Solution)
assert_type(wnparse.decode(scores, k=2).complete, bool)
rules = wnparse.Rules.load("ud")
assert_type(rules, wnparse.Rules)
assert_type(wnparse.decode(scores, labels=(["a"], scores[:, :, None]), rules=rules), wnparse.Solution)
parts = wnparse.Parts(siblings=([[0, 1, 2]], [1.0]))
assert_type(wnparse.decode(scores, parts=parts, constraints=wnparse.Constraints(2)), wnparse.Solution)
batch = wnparse.decode_batch([scores, scores], decoder="msa", threads=2)
assert_type(batch, wnparse.Batch)
assert_type(batch.heads, Heads)
assert_type(batch.certified, npt.NDArray[np.bool_])
assert_type(batch[0], wnparse.Solution)
assert_type([solution for solution in batch], list[wnparse.Solution])
assert_type(wnparse.decode_batch(np.zeros((2, 3, 3)), [2, 2], k=2), list[wnparse.Ranking])
assert_type(wnparse.marginals(scores, single_root=True), Floats)
assert_type(wnparse.marginals_batch([scores]), Floats)
assert_type(wnparse.log_partition(scores), float)
assert_type(wnparse.log_partition_batch([scores], threads=2), Floats)


def decoder(scores: Floats, constraints: wnparse.Constraints, **limits: float | None) -> wnparse.Solution | None:
    return None


assert_type(register_decoder("mine", decoder), Decoder)

model = wnparse.train("a.conllu", dev=["b.conllu"], epochs=1, only="parser", progress=print)
assert_type(model, wnparse.Model)
wnparse.train(sentences, rules=None, order=1, learner="mira", max_step=0.1)
wnparse.train([sentence.to_tokenlist()])
model.save("m.wnp")
assert_type(wnparse.load("m.wnp"), wnparse.Model)
assert_type(model.labels, list[str])
assert_type(model.constraints, wnparse.Constraints)
assert_type(model.constraints.block_degree, int | None)
assert_type(model.parse(wnparse.read("a.conllu"), jobs=2), Iterator[wnparse.Sentence])
assert_type(model.parse(sentences, k=3, confidence=True), Iterator[list[wnparse.Sentence]])
assert_type(model.parse([sentence.to_tokenlist()], rules=None), Iterator[conllu.TokenList])
assert_type(model.parse([sentence.to_tokenlist()], k=2), Iterator[list[conllu.TokenList]])
assert_type(model.tag(sentences, retag=True), Iterator[wnparse.Sentence])
assert_type(model.tokenize("Some text."), list[wnparse.Sentence])
assert_type(model.parse_text("Some text.", jobs=2, confidence=True), Iterator[wnparse.Sentence])
for parsed in model.parse(sentences):
    if parsed.parse is not None:
        assert_type(parsed.parse.score, float)
        assert_type(parsed.parse.fallback, str)

assert_type(evaluate(sentences, sentences).systems[0].scores.uas, float | None)

try:
    wnparse.load("m.wnp")
except (wnparse.TreebankError, wnparse.RulesError) as error:
    assert_type(error.path, str)
    assert_type(error.line, int)
    assert_type(error.message, str)
except (wnparse.InfeasibleError, wnparse.LimitError, wnparse.ModelError) as other:
    base: wnparse.WnparseError = other
"""
WRONG = """
import wnparse

wnparse.decode([[0.0]], decodr="bnb")
wnparse.load("m.wnp").parse("a.conllu")
wnparse.block_degree("tree")
wnparse.train("a.conllu", epochs="ten")
wnparse.no_such_name
"""


def check_types(folder: Path) -> list[str]:
    """Run mypy on all programs of a folder, as a user of the installed package would; return its messages."""
    environment = {name: value for name, value in os.environ.items() if name != "MYPYPATH"}
    if Path(wnparse.__file__).is_relative_to(ROOT):  # type checkers do not follow editable installations
        environment["MYPYPATH"] = str(ROOT)
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--cache-dir", "cache"]
    result = subprocess.run(
        [*command, *sorted(path.name for path in folder.glob("*.py"))],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert not result.stderr
    return [line for line in result.stdout.splitlines() if ": error: " in line]


def test_the_examples_of_the_pages(tmp_path: Path) -> None:
    for page in PAGES:
        blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.S)
        if blocks:
            name = "_".join(page.relative_to(ROOT).with_suffix("").parts).replace("-", "_")
            (tmp_path / f"{name}.py").write_text("\n".join(blocks), encoding="utf-8")
    assert len(list(tmp_path.iterdir())) > 5
    assert check_types(tmp_path) == []


def test_results_have_their_types(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    assert check_types(tmp_path) == []


def test_wrong_arguments_are_found(tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text(WRONG, encoding="utf-8")
    lines = [int(message.split(":")[1]) for message in check_types(tmp_path)]
    assert sorted(set(lines)) == [4, 5, 6, 7, 8]


@pytest.mark.parametrize("name", wnparse.__all__)
def test_every_public_name_is_used(name: str) -> None:
    assert re.search(rf"\bwnparse\.{name}\b", PROGRAM)
