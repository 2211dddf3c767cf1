"""Forged model files: values are checked, and those that are not checked cannot lead out of bounds."""

from __future__ import annotations

import copy
import functools
import gzip
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from campaigns.model_checks import TEXT, check, check_split, make_model, sentences
from campaigns.model_mutants import Parts, split
from support.commands import Run
from wnparse.errors import ModelError
from wnparse.parser.model import Model, load
from wnparse.parser.model_file import MODEL, PARSER
from wnparse.parser.neural_scorer import HEADER as NEURAL_HEADER
from wnparse.storage.strict_json import LONGEST_NAME
from wnparse.tagger.tagger import ARRAYS, HEADER
from wnparse.tokenizer.tokenizer import ARRAYS as TOKENIZER_ARRAYS
from wnparse.tokenizer.tokenizer import HEADER as TOKENIZER_HEADER
from wnparse.treebanks.label_names import MOST_LABELS

Change = Callable[[Any], object]


@functools.cache
def original(kind: str) -> bytes:
    """A small model as a file."""
    with tempfile.TemporaryDirectory() as folder:
        make_model(kind).save(f"{folder}/m.wnp")
        return Path(folder, "m.wnp").read_bytes()


def forged(path: Path, kind: str, change: Change, *, in_header: bool) -> Path:
    """A file whose checksums fit, with its header or its arrays changed."""
    parts: Parts = split(original(kind))
    if in_header:
        header = json.loads(parts.header)
        change(header)
        parts.header = json.dumps(header)
    else:
        change(parts.arrays)
    path.write_bytes(parts.seal())
    return path


def refusal(path: Path) -> str:
    with pytest.raises(ModelError) as caught:
        load(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ") and "\n" not in message
    return message.removeprefix(f"{path}: ")


def use(model: Model) -> None:
    given = sentences()
    if model.tokenizer is not None:
        check_split(model.tokenizer, TEXT)
    if model.tagger is not None:
        check(model.tag(given, retag=True, confidence=True), given)
    if not model.only_tags:
        given = given if model.tagger is not None else given[:-1]  # the last has no tags
        check(model.parse(given), given)
        assert all(model.parse(given, k=2, confidence=model.calibration is not None))


def put(*path: Any) -> Change:
    """Put the last of these at the place that the others lead to."""
    *keys, key, value = path

    def change(header: Any) -> None:
        for name in keys:
            header = header[name]
        header[key] = value

    return change


@pytest.mark.parametrize(
    "kind", ["first-order", "unlabelled", "second-order", "third-order", "tagger", "tokenizer", "neural"]
)
def test_unchanged_models_work(kind: str, tmp_path: Path) -> None:
    use(load(forged(tmp_path / "m", kind, lambda _: None, in_header=True)))


def header_paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The keys of all objects of the header; of the notes on the training run, some."""
    if not isinstance(value, dict) or path[-1:] == ("rules",):
        return [path]
    return [path, *(inner for key in value for inner in header_paths(value[key], (*path, key)))]


EVIL = [None, True, 0, -1, 1.5, 1e300, 10**400, "", "x", "a\tb", "\ud800", [], [None], {}, {"x": 1}]


@pytest.mark.parametrize("kind", ["first-order", "second-order", "neural"])
def test_any_value_of_any_key_is_refused_or_used(kind: str, tmp_path: Path) -> None:
    header = json.loads(split(original(kind)).header)
    parts = split(original(kind))
    refused = set()
    for path in header_paths(header):
        for value in EVIL:
            parts.header = json.dumps(replaced(header, path, value) if path else value)
            (tmp_path / "m").write_bytes(parts.seal())
            try:
                load(tmp_path / "m")
            except ModelError as error:
                assert "\n" not in str(error)
                refused.add(path)
    keys = {("parser", key.name) for key in PARSER} | {(key.name,) for key in MODEL} | {()}
    assert keys - {("tagger",), ("tokenizer",), ("neural",)} <= refused
    parts_of = {
        "first-order": {}, "second-order": {"tagger": HEADER, "tokenizer": TOKENIZER_HEADER},
        "neural": {"neural": NEURAL_HEADER},
    }[kind]  # fmt: skip
    assert {(part, name) for part, header_keys in parts_of.items() for name in header_keys} <= refused


def replaced(header: Any, path: tuple[Any, ...], value: Any) -> Any:
    changed = copy.deepcopy(header)
    put(*path, value)(changed)
    return changed


def remove(*path: Any) -> Change:
    *keys, key = path

    def change(header: Any) -> None:
        for name in keys:
            header = header[name]
        del header[key]

    return change


SLOW_RULE = {"name": "r", "reason": "r", "forbid": [{"form-matches": "a*a*a*b"}] * 20}


@pytest.mark.parametrize(
    "kind, change, keyword",
    [
        ("first-order", remove("joint_weight"), "joint_weight is missing"),
        ("first-order", remove("parser", "labels"), "labels is missing"),
        ("first-order", put("parser", "words_with_wings", True), "unknown key"),
        ("first-order", put("parser", "labels", 0, "a\tb"), "a tab"),
        ("first-order", put("parser", "labels", 0, "a\nb"), "a line end"),
        ("first-order", put("parser", "labels", 0, ""), "an empty name"),
        ("first-order", put("parser", "labels", 0, 7), "expected a list of texts"),
        ("first-order", put("parser", "labels", 1, "root"), "the same name twice"),
        ("first-order", put("parser", "labels", 0, "x" * (LONGEST_NAME + 1)), "1,001 characters"),
        ("first-order", put("parser", "labels", [str(k) for k in range(MOST_LABELS + 1)]), "at most 32,767"),
        ("first-order", put("parser", "labels", ["a"]), "label_candidates"),
        ("first-order", put("parser", "labels", []), "labels/fingerprints' is unknown"),
        ("first-order", put("parser", "scale", 0), "scale"),
        ("first-order", put("parser", "scale", float("nan")), "NaN"),
        ("first-order", put("parser", "scale", 1e13), "scale"),
        ("first-order", put("parser", "order", 2), "without a pruner"),
        ("second-order", put("parser", "order", 1), "with a pruner"),
        ("second-order", put("parser", "pruner", "max_heads", 0), "max_heads"),
        ("first-order", put("parser", "first_pass", "cutoff", 0), "cutoff"),
        ("first-order", put("parser", "first_pass", "max_heads", 2**31), "max_heads"),
        ("first-order", put("parser", "first_pass", "label_cutoff", -1.0), "label_cutoff"),
        ("first-order", put("parser", "first_pass", None), "first_pass/tags' is unknown"),
        ("first-order", put("parser", "arc_templates", []), "without templates"),
        ("first-order", put("parser", "arc_templates", 0, "hP hY"), "unknown word"),
        ("first-order", put("parser", "arc_templates", 0, "hP hW hL hQ hS"), "too many attributes"),
        ("first-order", put("parser", "arc_templates", 0, "hP " * 100), "300 characters"),
        ("first-order", put("parser", "arc_templates", ["hP"] * 501), "501 templates"),
        ("second-order", put("parser", "part_templates", 0, ""), "expected one of sibling"),
        ("second-order", put("parser", "part_templates", 0, "sibling gP"), "unknown word"),
        ("first-order", put("parser", "constraints", "block_degree", 0), "block_degree"),
        ("first-order", put("parser", "constraints", "single_root", 1), "single_root"),
        ("first-order", put("parser", "columns", "feats", None), "feats"),
        ("first-order", put("parser", "calibration", "full", 0), "full"),
        ("first-order", put("parser", "calibration", "pruned", float("inf")), "Infinity"),
        ("second-order", put("parser", "calibration", "rest", 1.0), "rest"),
        ("first-order", put("parser", "crossing_penalty", -1), "crossing_penalty"),
        ("first-order", put("joint_weight", -1), "joint_weight"),
        ("third-order", put("parser", "rules", {}), "rules"),
        ("third-order", put("parser", "rules", "rules", []), "rules"),
        ("third-order", put("parser", "rules", "rules", 0, "penalty", -1), "penalty"),
        ("third-order", put("parser", "rules", "rules", 0, [[[]]]), "rules"),
        ("third-order", put("parser", "rules", "name", "x" * 5000), "4096"),
        ("third-order", put("parser", "rules", "rules", [SLOW_RULE]), "regular expression"),
        ("first-order", put("info", "treebank", "coverage", "much"), "coverage"),
        ("first-order", put("info", "history", 0, "train_uas", []), "train_uas"),
        (
            "first-order",
            put("info", "note", functools.reduce(lambda a, _: [a], range(40), 0)),
            "nested too deeply",
        ),
        ("tagger", put("tagger", None), "no parser, no tagger and no tokenizer"),
        ("tagger", put("tagger", "names", "tags", []), "without tags"),
        ("tagger", put("tagger", "names", "tags", 0, "a b\t"), "a tab"),
        ("tagger", put("tagger", "names", "values", 0, "\n"), "a line end"),
        ("tagger", put("tagger", "names", "scripts", 0, "=a\tb"), "not a lemma script"),
        ("tagger", put("tagger", "names", "scripts", 0, "l\t-1\t\t0\t"), "not a lemma script"),
        ("tagger", put("tagger", "names", "scripts", 0, "=" + "x" * 10_000), "not a lemma script"),
        ("tagger", put("tagger", "columns", ["lemma"]), "columns"),
        ("tagger", put("tagger", "columns", ["upos", "upos"]), "columns"),
        ("tagger", put("tagger", "open_scripts", 30_000), "open scripts"),
        ("tagger", put("tagger", "beam", 0), "beam"),
        ("tagger", put("tagger", "beam", 2**20), "beam"),
        ("tagger", put("tagger", "drop", -1), "drop"),
        ("tagger", put("tagger", "inverse_temperature", 0), "inverse_temperature"),
        ("tokenizer", put("tokenizer", None), "no parser, no tagger and no tokenizer"),
        ("tokenizer", remove("tokenizer"), "no parser, no tagger and no tokenizer"),
        ("first-order", put("tokenizer", {}), "scripts is missing"),
        ("tokenizer", put("tokenizer", "scripts", ["a"]), "not a script"),
        ("tokenizer", put("tokenizer", "scripts", ["\t\t0\t\t\t\t" + "x" * 2000]), "not a script"),
        ("tokenizer", put("tokenizer", "scripts", []), "script_lists/scripts"),
        ("tokenizer", put("tokenizer", "casing", {"title": 1, "upper": True}), "title"),
        ("neural", put("parser", "calibration", None), "without a calibrated parser"),
        ("neural", put("neural", None), "neural/embeddings/keys' is unknown"),
        ("neural", put("neural", "weight", -1), "weight"),
        ("neural", put("neural", "calibration", None), "calibration"),
        ("neural", put("neural", "sizes", "relations", 1), "labels/weights"),
        ("neural", put("neural", "sizes", "relations", 0), "relations"),
        ("neural", put("neural", "sizes", "layers", 3), "lstm2"),
        ("neural", put("neural", "sizes", "layers", 0), "layers"),
        ("neural", put("neural", "sizes", "hidden", 9), "expected"),
        ("neural", put("neural", "sizes", "hidden", 1 << 20), "hidden"),
        ("neural", put("neural", "sizes", "arcs", 0), "arcs"),
        ("neural", put("neural", "sizes", "inputs", "form", [3, 0]), "form"),
        ("neural", put("neural", "sizes", "inputs", "form", [3, 6, 1]), "form"),
        ("neural", put("neural", "sizes", "inputs", "form", [1 << 24, 6]), "embeddings"),
    ],
)
def test_refuses_bad_headers(kind: str, change: Change, keyword: str, tmp_path: Path) -> None:
    assert keyword in refusal(forged(tmp_path / "m", kind, change, in_header=True))


@pytest.mark.parametrize(
    "text, keyword",
    [
        ('{"format": 1, "format": 1}', "same key twice"),
        ('{"format": 1, "parser": NaN}', "NaN"),
        ('{"format": 1, "parser": 1e999}', "too large"),
        ('{"format": ' + "[" * 100_000, "nested too deeply"),
        ('{"format": 1, "x": "\\ud800"}', "surrogates"),
        ("{", "Expecting"),
        ("", "Expecting"),
        ("[]", "format"),
        ("9" * 5000, "digits"),
    ],
)
def test_refuses_headers_that_are_not_json(text: str, keyword: str, tmp_path: Path) -> None:
    parts = split(original("first-order"))
    parts.header = text
    (tmp_path / "m").write_bytes(parts.seal())
    assert keyword in refusal(tmp_path / "m")


def at(name: str, place: int, number: int) -> Change:
    """Change one number of an array."""

    def change(arrays: Any) -> None:
        arrays[name][place] = number

    return change


def cut(name: str, size: int) -> Change:
    return lambda arrays: arrays.update({name: arrays[name][:size]})


def of_type(name: str, dtype: Any) -> Change:
    return lambda arrays: arrays.update({name: arrays[name].astype(dtype)})


LABELS, TAGGER = "label_candidates", "tagger"


@pytest.mark.parametrize(
    "kind, change, keyword",
    [
        ("first-order", lambda arrays: arrays.pop("arcs/slots"), "arcs/slots is missing"),
        ("first-order", lambda arrays: arrays.update(extra=np.zeros(3, np.int32)), "'extra' is unknown"),
        ("first-order", of_type("arcs/slots", np.int32), "expected one dimension of uint32"),
        ("first-order", of_type("labels/fingerprints", np.uint32), "expected one dimension of uint16"),
        ("first-order", lambda a: a.update({"arcs/slots": a["arcs/slots"].reshape(1, -1)}), "2 dimensions"),
        ("first-order", cut("arcs/slots", 4), "4 times a power of two"),
        ("first-order", cut("arcs/slots", 24), "4 times a power of two"),
        ("first-order", cut("arcs/slots", 0), "4 times a power of two"),
        ("first-order", cut("labels/fingerprints", 8), "8 times a power of two"),
        ("first-order", cut("labels/places", 16), "8 times a power of two"),
        ("first-order", cut("labels/rows", 16), "labels/rows"),
        ("second-order", cut("pruner/slots", 12), "pruner/slots"),
        ("first-order", cut("first_pass/weights", 99), "weights; expected"),
        ("first-order", cut("first_pass/tags", 0), "weights; expected"),
        ("first-order", lambda a: a.update({"first_pass/tags": np.zeros(61, np.uint64)}), "at most 60 tags"),
        ("first-order", at(f"{LABELS}/labels", 0, -1), "label_candidates"),
        ("first-order", at(f"{LABELS}/labels", -1, 99), "label_candidates"),
        ("first-order", at(f"{LABELS}/begin", 0, 1), "label_candidates"),
        ("first-order", at(f"{LABELS}/begin", -1, 2**31 - 1), "label_candidates"),
        ("first-order", at(f"{LABELS}/begin", 1, -1), "label_candidates"),
        ("first-order", cut(f"{LABELS}/begin", 0), "label_candidates"),
        ("first-order", cut(f"{LABELS}/keys", 1), "label_candidates"),
        ("tagger", cut(f"{TAGGER}/words/keys", 3), "words/keys"),
        ("tagger", cut(f"{TAGGER}/words/tag_lists", 4), "words/keys"),
        ("tagger", cut(f"{TAGGER}/words/seen_tag_lists", 4), "words/seen_tag_lists"),
        ("tagger", cut(f"{TAGGER}/stems/keys", 0), "stems/keys"),
        ("tagger", at(f"{TAGGER}/tag_lists/tags", 0, 99), "tag_lists"),
        ("tagger", at(f"{TAGGER}/tag_lists/tags", 0, -1), "tag_lists"),
        ("tagger", cut(f"{TAGGER}/tag_lists/begin", 2), "two lists"),
        ("tagger", at(f"{TAGGER}/tag_lists/begin", 1, 0), "tag_lists"),
        ("tagger", at(f"{TAGGER}/class_lists/classes", -1, 10**6), "class_lists"),
        ("tagger", cut(f"{TAGGER}/class_lists/begin", 3), "class_lists/begin"),
        ("tagger", at(f"{TAGGER}/class_atoms/atoms", 0, 32_000), "class_atoms"),
        ("tagger", cut(f"{TAGGER}/class_atoms/begin", 2), "class_atoms/begin"),
        ("tagger", at(f"{TAGGER}/tag_values/values", 0, 999), "tag_values"),
        ("tagger", cut(f"{TAGGER}/tag_values/begin", 2), "tag_values/begin"),
        ("tagger", at(f"{TAGGER}/class_fine_tags", 0, 999), "class_fine_tags"),
        ("tagger", at(f"{TAGGER}/class_bundles", 0, -2), "class_bundles"),
        ("tagger", cut(f"{TAGGER}/atom_attributes", 1), "atom_attributes"),
        ("tagger", cut(f"{TAGGER}/classes/rows", 9), "classes/fingerprints"),
        ("tagger", cut(f"{TAGGER}/lemmas/places", 9), "lemmas/fingerprints"),
        ("tokenizer", cut("tokenizer/breaks/slots", 0), "breaks/slots"),
        ("tokenizer", cut("tokenizer/sentences/slots", 12), "sentences/slots"),
        ("tokenizer", cut("tokenizer/break_pairs", 31), "break_pairs"),
        ("tokenizer", cut("tokenizer/sentence_pairs", 32), "sentence_pairs"),
        ("tokenizer", cut("tokenizer/words/keys", 3), "words/keys"),
        ("tokenizer", cut("tokenizer/words/status", 4), "words/keys"),
        ("tokenizer", cut("tokenizer/script_words/keys", 0), "script_words/keys"),
        ("tokenizer", cut("tokenizer/affixes/script_lists", 1), "affixes/keys"),
        ("tokenizer", cut("tokenizer/script_lists/begin", 0), "script_lists/scripts"),
        ("tokenizer", cut("tokenizer/script_lists/scripts", 0), "script_lists/scripts"),
        ("tokenizer", at("tokenizer/script_lists/begin", -1, 2**31 - 1), "script_lists/scripts"),
        ("tokenizer", at("tokenizer/script_lists/scripts", 0, -1), "script_lists/scripts"),
        ("tokenizer", at("tokenizer/script_lists/scripts", 0, 10**6), "script_lists/scripts"),
        ("tokenizer", at("tokenizer/affix_lengths", 0, 17), "affix_lengths"),
        ("tokenizer", cut("tokenizer/affix_lengths", 1), "affix_lengths"),
        ("tokenizer", at("tokenizer/script_affixes", 0, -1), "script_affixes"),
        ("tokenizer", cut("tokenizer/script_affixes", 2), "script_affixes"),
    ],
)
def test_refuses_bad_arrays(kind: str, change: Change, keyword: str, tmp_path: Path) -> None:
    assert keyword in refusal(forged(tmp_path / "m", kind, change, in_header=False))


# What is too large to be checked number by number, or is only hashed or compared: any number will do.
ANYTHING = ("fingerprints", "places", "rows", "keys", "seen_tag_lists", "scripts", "atom_attributes")
UNCHECKED = [
    *("arcs/slots", "pruner/slots", "labels/fingerprints", "labels/places", "labels/rows", "first_pass/tags"),
    *("first_pass/types", "first_pass/weights", "label_candidates/keys"),
    *("tagger/words/tag_lists", "tagger/stems/tag_lists", "tagger/word_classes/class_lists"),
    *(f"tagger/{name}" for name in ARRAYS if name.endswith(ANYTHING)),
    *(f"tokenizer/{name}" for name in TOKENIZER_ARRAYS if name.endswith(("slots", "keys", "pairs", "status"))),
    *("tokenizer/script_words/script_lists", "tokenizer/affixes/script_lists"),
]


@pytest.mark.parametrize("fill", [0, 1, 2, 0x7FFF, 0x8000, 0xFFFE, 0xFFFF, "large", "random"])
def test_some_arrays_may_have_any_values(fill: int | str, tmp_path: Path) -> None:
    """Alone and all together: tables without a free slot, rows that begin or end behind the last entry."""

    def filled(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        info = np.iinfo(array.dtype)
        if fill == "random":
            return np.random.default_rng(array.size).integers(info.min, info.max, array.shape, array.dtype, True)
        return np.full_like(array, info.max if fill == "large" else np.uint16(fill).astype(array.dtype))

    names = set(split(original("second-order")).arrays)
    assert names >= set(UNCHECKED) and len(names) == len(UNCHECKED) + 16
    for chosen in ([name] for name in UNCHECKED) if fill == "random" else (UNCHECKED, UNCHECKED[:5]):
        change: Change = lambda arrays, chosen=chosen: arrays.update({k: filled(arrays[k]) for k in chosen})  # noqa: E731
        use(load(forged(tmp_path / "m", "second-order", change, in_header=False)))


def test_limits_the_length_of_what_scripts_and_values_write(tmp_path: Path) -> None:
    """The longest scripts and values, each of its own attribute, and weights that choose as many as possible."""

    def change(header: Any) -> None:
        names = header["tagger"]["names"]
        names["scripts"] = ["=" + "y" * 1999] * len(names["scripts"])
        names["values"] = [f"{k}={'v' * 990}" for k in range(len(names["values"]))]

    path = forged(tmp_path / "m", "tagger", change, in_header=True)
    parts = split(path.read_bytes())
    parts.arrays["tagger/atom_attributes"][:] = np.arange(len(parts.arrays["tagger/atom_attributes"]))
    parts.arrays["tagger/classes/rows"][:] = 0x7FFFFFFF
    path.write_bytes(parts.seal())
    given = sentences()
    for tagged, before in zip(load(path).tag(given, retag=True), given, strict=True):
        assert len(tagged.raw) < len(before.raw) + 8000 * len(before)


def test_reports_a_bad_model_in_one_line(wnparse_inside: Run, tmp_path: Path) -> None:
    forged(tmp_path / "m.wnp", "first-order", put("parser", "labels", 0, "\x1b[2J\n\t"), in_header=True)
    for command in (["info", "m.wnp"], ["parse", "-m", "m.wnp", "-"]):
        done = wnparse_inside(*command)
        assert done.returncode == 1
        assert done.stderr.startswith(b"wnparse: m.wnp: ") and done.stderr.count(b"\n") == 1
        assert b"\x1b" not in done.stderr


@pytest.mark.parametrize(
    "entry",
    [
        {"data_offsets": [0, 8]},
        {"data_offsets": [-8, 8]},
        {"data_offsets": [2**70, 2**70 + 8]},
        {"data_offsets": [64]},
        {"data_offsets": None},
        {"shape": [2**40, 2**40]},
        {"shape": [-1]},
        {"shape": [[]]},
        {"shape": []},
        {"shape": "x"},
        {"dtype": "F16"},
        {"dtype": 3},
        {"dtype": "U8"},
        {"dtype": "I32", "shape": [16]},
    ],
)
@pytest.mark.parametrize("name", ["arcs/slots", "header_hash", "new"])
def test_refuses_bad_offsets_of_arrays(name: str, entry: dict[str, Any], tmp_path: Path) -> None:
    parts = split(original("first-order"))
    whole = {"dtype": "U32", "shape": [4], "data_offsets": [16, 32]}
    parts.outer[name] = {**whole, **entry}
    (tmp_path / "m").write_bytes(parts.seal())
    refusal(tmp_path / "m")
    parts.outer[name] = entry
    (tmp_path / "m").write_bytes(parts.seal())
    refusal(tmp_path / "m")


def test_a_compressed_file_cannot_unpack_to_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wnparse.storage.tensors.LARGEST_UNPACKED", 1000)
    (tmp_path / "m.gz").write_bytes(gzip.compress(bytes(2000)))
    assert "when decompressed" in refusal(tmp_path / "m.gz")


MANY = 32_000  # tags


def with_many_tags(parts: Parts, weight: int) -> None:
    """Give a tagger thousands of tags, and every feature the same row, which repeats the first tags."""
    header = json.loads(parts.header)
    names = header["tagger"]["names"]["tags"]
    old = len(names)
    names += [f"T{k}" for k in range(MANY - old)]
    header["tagger"]["drop"] = 1 << 30
    parts.header = json.dumps(header)
    arrays = parts.arrays
    for name in ("tagger/class_lists/begin", "tagger/tag_values/begin"):
        begin = arrays[name]
        arrays[name] = np.concatenate(
            [begin[: old + 1], np.full(MANY - old, begin[old], np.int32), begin[old + 1 :]]
        )
    arrays["tagger/tag_lists/begin"] = np.array([0, 4, 8], np.int32)
    arrays["tagger/tag_lists/tags"] = np.tile(np.arange(4, dtype=np.int32), 2)
    arrays["tagger/tags/places"][:] = 0
    entries = np.arange(20_000, dtype=np.uint32) % 4 | np.uint32(weight << 16 & 0xFFFFFFFF)
    arrays["tagger/tags/rows"] = entries


@pytest.mark.parametrize("weight", [32_767, -32_768, -30_011, -20_011, -10_007, -5_003, 5_003, 10_007, 20_011, 1])
def test_overflowing_sums_do_no_harm(weight: int, tmp_path: Path) -> None:
    parts = split(original("tagger"))
    with_many_tags(parts, weight)
    (tmp_path / "m").write_bytes(parts.seal())
    model = load(tmp_path / "m")
    use(model)
    assert model.tagger is not None
    assert all(model.tagger.alternatives(sentences(), 4, retag=True))
