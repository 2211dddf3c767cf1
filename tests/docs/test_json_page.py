"""docs/reference/json.md describes every key of the JSON that commands write, and no others."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.documentation import read_page
from support.places import DATA
from support.treebanks import conllu

# Objects whose keys are data: bounds, bins, tags, relations, names of rules and options.
DATA_KEYED = {
    *("percent", "by_length", "by_relation", "by_distance", "by_upos", "by_confusion", "tag_confusion"),
    *("upos", "deprel", "feats", "forms", "lemmas"),
    *("well_nested_block_degree", "left_out", "options"),
}
OUTPUTS = {
    "wnparse stats --json": ["stats", "half.conllu", "--json", "--examples", "1", "--tags"],
    "wnparse eval --json": [
        *("eval", "half.conllu", "parsed.conllu", "dev.conllu", "--json", "--rules", "ud"),
        *("--by", "length", "--by", "relation", "--by", "distance", "--by", "confusion", "--by", "upos"),
        *("--unseen-from", "test.conllu", "--agreement"),
    ],
    "wnparse rules --json": ["rules", "half.conllu", "--json", "--examples", "1"],
    "wnparse crossval --json": [
        "crossval",
        "half-of-few.conllu",
        "--json",
        "--folds",
        "2",
        "--epochs",
        "1",
        "--order",
        "1",
    ],
    "wnparse info --json": ["info", "model.wnp", "--json"],
}
# Further commands whose keys are in the same section.
OTHERS = {"wnparse eval --json": ["eval", "one.conllu", "two.conllu", "--json"]}
FILES = {
    "wnparse parse --report": "report.jsonl",
    "wnparse parse --summary": "summary.json",
    "wnparse train --log": "log.jsonl",
}


def run_wnparse(folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "wnparse", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, timeout=120).stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sample, a model, and what training and parsing write."""
    folder = tmp_path_factory.mktemp("json")
    for name in ("dev.conllu", "test.conllu"):
        (folder / name).symlink_to(DATA / name)
    text = (DATA / "dev.conllu").read_text(encoding="utf-8")
    (folder / "few.conllu").write_text("\n\n".join(text.split("\n\n")[:40]) + "\n\n", encoding="utf-8")
    for name, half in (("dev", "half"), ("few", "half-of-few")):  # every tenth sentence lacks a head
        parts = (folder / f"{name}.conllu").read_text(encoding="utf-8").split("\n\n")
        parts[::10] = [part.replace("\t0\troot\t", "\t_\t_\t") for part in parts[::10]]
        (folder / f"{half}.conllu").write_text("\n\n".join(parts), encoding="utf-8")
    (folder / "one.conllu").write_bytes(conllu(["ab"], [0]))
    (folder / "two.conllu").write_bytes(conllu(["a", "b"], [0, 1]))
    train = [
        "train",
        "test.conllu",
        "--dev",
        "few.conllu",
        "-o",
        "model.wnp",
        "--epochs",
        "1",
        "--log",
        "log.jsonl",
    ]
    run_wnparse(folder, *train)
    written = ["--report", "report.jsonl", "--summary", "summary.json"]
    run_wnparse(folder, "parse", "-m", "model.wnp", "dev.conllu", "--k-best", "2", "-o", "ranked.conllu", *written)
    run_wnparse(folder, "parse", "-m", "model.wnp", "dev.conllu", "-o", "parsed.conllu")
    return folder


def find_keys(value: Any, parent: str = "") -> Iterator[str]:
    """Yield the keys of a document except those that are data."""
    if isinstance(value, dict):
        counted = parent == "rules" and all(isinstance(part, dict) and "cases" in part for part in value.values())
        bounds = all(key.isdigit() for key in value)
        for key, part in value.items():
            if not (parent in DATA_KEYED or counted or bounds):
                yield key
            if key not in ("by_confusion", "tag_confusion"):
                yield from find_keys(part, key)
    elif isinstance(value, list):
        for part in value:
            yield from find_keys(part, parent)


def check_keys(keys: set[str], title: str) -> None:
    """Compare the keys of an output with the section about it."""
    (section,) = re.findall(rf"^## `{title}`\n(.*?)(?=^## |\Z)", read_page("reference/json.md"), re.S | re.M)
    assert sorted(keys - set(re.findall(r"`(\w+)`", section))) == []
    first_cells = re.findall(r"^\| (`[^|]*) \|", section, re.M)
    described = {key for cell in first_cells for key in re.findall(r"`(\w+)`", cell)}
    assert sorted(described - keys) == []


@pytest.mark.parametrize("title", OUTPUTS)
def test_keys_of_documents(title: str, folder: Path) -> None:
    commands = [OUTPUTS[title], *([OTHERS[title]] if title in OTHERS else [])]
    documents = [json.loads(run_wnparse(folder, *command)) for command in commands]
    check_keys(set(find_keys(documents)), title)


@pytest.mark.parametrize("title", FILES)
def test_keys_of_files(title: str, folder: Path) -> None:
    lines = (folder / FILES[title]).read_text(encoding="utf-8").splitlines()
    check_keys({key for line in lines for key in find_keys(json.loads(line))}, title)


def test_all_outputs_have_a_section() -> None:
    titles = re.findall(r"^## `(.*)`$", read_page("reference/json.md"), re.M)
    assert sorted(titles) == sorted([*OUTPUTS, *FILES])
