"""The Python examples of the pages, and the results of the public functions, have the types that users expect."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import pytest

import wnparse
from support.documentation import NOTEBOOKS, missing_packages, notebook_cells
from support.places import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

# Every public name, with the type of its results. assert_type fails on Any, too.
PROGRAM = """
import io

import conllu
import numpy as np
import numpy.typing as npt
from collections.abc import Iterator
from typing_extensions import assert_type

import wnparse
from wnparse.decoding.registry import Decoder, register_decoder
from wnparse.evaluation.evaluate import Evaluation
from wnparse.treebanks.parse import Parse
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.stats import TreebankStats
from wnparse.trees import Structure

Floats = npt.NDArray[np.float64]
Heads = npt.NDArray[np.int32]

assert_type(wnparse.__version__, str)

assert_type(wnparse.read("a.conllu"), Reader)
assert_type(wnparse.read(io.StringIO("")), Reader)
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
words = wnparse.Sentence.from_words(["It", "rains"], ["PRON", None], [2, 0], feats=[{"Case": "Nom"}, "_"])
assert_type(words, wnparse.Sentence)
wnparse.Sentence.from_words(("It",), heads=np.array([-1, 0]), deprels=["", "root"], sent_id="s1")
assert_type([word for word in sentence], list[wnparse.Word])
assert_type(sentence[0], wnparse.Word)
assert_type(sentence[1:], list[wnparse.Word])
assert_type(sentence[0].head, int | None)
assert_type(sentence[0].upos, str)
assert_type(sentence.text, str)
assert_type(wnparse.draw(sentence).upper(), str)
assert_type(wnparse.compare(sentence, sentence.to_tokenlist()).upper(), str)
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
assert_type(solution.sentence, wnparse.Sentence | None)
assert_type(solution.to_sentence(), wnparse.Sentence)
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
assert_type(model.parse([["It", "rains"]]), Iterator[wnparse.Sentence])
assert_type(model.parse((("It", "rains"), ("No",)), jobs=2), Iterator[wnparse.Sentence])
assert_type(model.parse([["It", "rains"]], k=2), Iterator[list[wnparse.Sentence]])
assert_type(model.tag(sentences, retag=True), Iterator[wnparse.Sentence])
assert_type(model.tag([["It", "rains"]]), Iterator[wnparse.Sentence])
assert_type(model.tag([sentence.to_tokenlist()]), Iterator[conllu.TokenList])
assert_type(model.tokenize("Some text."), list[wnparse.Sentence])
assert_type(model.parse_text("Some text.", jobs=2, confidence=True), Iterator[wnparse.Sentence])
for parsed in model.parse(sentences):
    if parsed.parse is not None:
        assert_type(parsed.parse.score, float)
        assert_type(parsed.parse.fallback, str)

assert_type(wnparse.evaluate(sentences, model.parse(sentences)), Evaluation)
assert_type(wnparse.evaluate(sentences, sentences, [["It", "rains"]]).scores.uas, float | None)
assert_type(wnparse.stats(sentences), TreebankStats)
assert_type(wnparse.stats(wnparse.read("a.conllu"), examples=3).covered(2, True), float)

try:
    wnparse.load("m.wnp")
except (wnparse.TreebankError, wnparse.RulesError) as error:
    assert_type(error.path, str)
    assert_type(error.line, int)
    assert_type(error.message, str)
except (wnparse.InfeasibleError, wnparse.LimitError, wnparse.ModelError) as other:
    base: wnparse.WnparseError = other
"""
# Tensors of other libraries: what they have in common.
TENSORS = """
from typing import Any
from typing_extensions import assert_type

import wnparse


class OfNumpy:
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        raise NotImplementedError


class OfDLPack:
    def __dlpack__(self, *, stream: int | None = None) -> object:
        raise NotImplementedError


def decode(scores: OfNumpy | OfDLPack, words: OfNumpy | OfDLPack) -> None:
    labels = (["a", "b"], scores)
    assert_type(wnparse.decode(scores, labels=labels), wnparse.Solution)
    assert_type(wnparse.decode_batch(scores, words, labels=labels), wnparse.Batch)
    assert_type(wnparse.decode_batch(scores, mask=words, k=2), list[wnparse.Ranking])
    wnparse.decode_batch([scores, scores], labels=(["a"], [scores, scores]))
    wnparse.marginals(scores)
    wnparse.log_partition(scores)
    wnparse.marginals_batch(scores, words)
    wnparse.log_partition_batch([scores], mask=words)
"""
TORCH = """
import torch
from typing_extensions import assert_type

import wnparse

arcs, labels = torch.zeros(2, 4, 4, requires_grad=True), torch.zeros(2, 4, 4, 3)
lengths, mask = torch.tensor([3, 2]), torch.ones(2, 4, dtype=torch.bool)
assert_type(wnparse.decode(arcs[0], labels=("abc", labels[0])), wnparse.Solution)
assert_type(wnparse.decode_batch(arcs, lengths, labels=("abc", labels)), wnparse.Batch)
wnparse.decode_batch(list(arcs), labels=("abc", list(labels)))
wnparse.marginals_batch(arcs, mask=mask)
wnparse.log_partition_batch(arcs, lengths)
"""
WRONG = """
import wnparse

wnparse.decode([[0.0]], decodr="bnb")
wnparse.load("m.wnp").parse("a.conllu")
wnparse.block_degree("tree")
wnparse.train("a.conllu", epochs="ten")
wnparse.no_such_name
wnparse.load("m.wnp").parse(["The dog"])
wnparse.load("m.wnp").tag(wnparse.Sentence.from_words(["a"]))
wnparse.draw("The dog")
wnparse.Sentence.from_words(["a"])[0].form.pos
wnparse.decode([[0.0]], sentence=["a"])
wnparse.decode_batch(object())
"""


SPACY_PROGRAM = """
from collections.abc import Iterator

import spacy
from spacy.tokens import Doc
from typing_extensions import assert_type

import wnparse

nlp = spacy.blank("en")
doc = nlp("It rains")
model = wnparse.load("m.wnp")
assert_type(model.parse([doc]), Iterator[Doc])
assert_type(model.parse(nlp.pipe(["It rains"])), Iterator[Doc])
assert_type(model.tag([doc], jobs=2), Iterator[Doc])
sentence = wnparse.Sentence.from_spacy(doc[1:])
assert_type(sentence, wnparse.Sentence)
assert_type(sentence.to_spacy(nlp.vocab), Doc)
wnparse.draw(doc)
wnparse.write([doc], "a.conllu")
model.parse([doc], k=2)  # wrong
model.parse([doc[:]])  # wrong
"""


CACHE = tempfile.TemporaryDirectory()  # what mypy knows of numpy and of wnparse, for all tests of this file


def check_types(folder: Path) -> list[str]:
    """Run mypy on all programs of a folder, as a user of the installed package would; return its messages."""
    environment = {name: value for name, value in os.environ.items() if name != "MYPYPATH"}
    if Path(wnparse.__file__).is_relative_to(ROOT):  # type checkers do not follow editable installations
        environment["MYPYPATH"] = str(ROOT)
    options = [
        "--strict",
        "--follow-imports=silent",
        "--cache-dir",
        CACHE.name,
        "--disable-error-code=import-untyped",
    ]
    return run_checker("mypy", options, folder, environment)


def check_types_with_pyright(folder: Path) -> list[str]:
    """Run pyright, which downloads itself when it is used for the first time."""
    pytest.importorskip("pyright", reason="pyright is not installed")
    settings = {"typeCheckingMode": "strict", "extraPaths": [str(Path(wnparse.__file__).parents[1])]}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    return run_checker("pyright", ["--pythonpath", sys.executable], folder, dict(os.environ))


def run_checker(name: str, options: list[str], folder: Path, environment: dict[str, str]) -> list[str]:
    """Run a type checker on all programs of a folder; return its errors."""
    result = subprocess.run(
        [sys.executable, "-m", name, *options, *sorted(path.name for path in folder.glob("*.py"))],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    errors = [line for line in result.stdout.splitlines() if re.search(r" (?:error: |- error: )", line)]
    if name == "pyright" and bool(errors) != (result.returncode == 1):
        pytest.skip(f"pyright cannot be started: {result.stderr.strip()[-200:]}")
    assert not result.stderr or name == "pyright"
    return errors


full_types = pytest.mark.skipif(
    version("numpy").startswith("1."), reason="functions of numpy have fewer types before version 2"
)


@full_types
def test_the_examples_of_the_pages(tmp_path: Path) -> None:
    for page in PAGES:
        blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.S)
        if blocks and not missing_packages(blocks):
            name = "_".join(page.relative_to(ROOT).with_suffix("").parts).replace("-", "_")
            (tmp_path / f"{name}.py").write_text("\n".join(blocks), encoding="utf-8")
    for notebook in NOTEBOOKS:  # without pandas, its types are unknown
        (tmp_path / f"notebook_{notebook.stem}.py").write_text("\n".join(notebook_cells(notebook, "code")))
    assert len(list(tmp_path.iterdir())) > 5
    assert check_types(tmp_path) == []


checkers = pytest.mark.parametrize("check", [check_types, check_types_with_pyright], ids=["mypy", "pyright"])


def test_the_programs_of_the_documentation(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    for path in (ROOT / "docs" / "examples").glob("*.py"):
        (tmp_path / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    assert check_types(tmp_path) == []


@full_types
@checkers
def test_results_have_their_types(tmp_path: Path, check: Callable[[Path], list[str]]) -> None:
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    assert check(tmp_path) == []


@checkers
def test_wrong_arguments_are_found(tmp_path: Path, check: Callable[[Path], list[str]]) -> None:
    (tmp_path / "wrong.py").write_text(WRONG, encoding="utf-8")
    assert lines_of(check(tmp_path)) == list(range(4, 4 + WRONG.count("\nwnparse.")))


@checkers
def test_docs_of_spacy_have_their_types(tmp_path: Path, check: Callable[[Path], list[str]]) -> None:
    pytest.importorskip("spacy")
    (tmp_path / "program.py").write_text(SPACY_PROGRAM, encoding="utf-8")
    wrong = [number for number, line in enumerate(SPACY_PROGRAM.split("\n"), 1) if line.endswith("# wrong")]
    assert lines_of(check(tmp_path)) == wrong


@checkers
def test_tensors_are_arrays(tmp_path: Path, check: Callable[[Path], list[str]]) -> None:
    (tmp_path / "tensors.py").write_text(TENSORS, encoding="utf-8")
    assert check(tmp_path) == []


@checkers
def test_tensors_of_torch_are_arrays(tmp_path: Path, check: Callable[[Path], list[str]]) -> None:
    pytest.importorskip("torch")
    (tmp_path / "program.py").write_text(TORCH, encoding="utf-8")
    assert check(tmp_path) == []


def test_the_tour_is_typed(tmp_path: Path) -> None:
    shutil.copy(ROOT / "scripts" / "release" / "tour.py", tmp_path)
    assert [message for message in check_types(tmp_path) if "[import-not-found]" not in message] == []


def lines_of(messages: list[str]) -> list[int]:
    """Return the lines that messages name."""
    return sorted({int(match[1]) for message in messages if (match := re.search(r"\.py:(\d+):", message))})


@pytest.mark.parametrize("name", wnparse.__all__)
def test_every_public_name_is_used(name: str) -> None:
    assert re.search(rf"\bwnparse\.{name}\b", PROGRAM)
