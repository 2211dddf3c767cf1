"""``parse --keep-fixed`` and ``--blank-below``: fixed words stay, improbable heads are left to annotators."""

from __future__ import annotations

import io
import random
from pathlib import Path

import numpy as np
import pytest

import wnparse
from support.commands import Run
from support.places import DATA
from support.treebanks import first_sentences, sentences, words
from wnparse.errors import TreebankError
from wnparse.parser.model import Model
from wnparse.treebanks.sentence import Sentence


@pytest.fixture(scope="module")
def tagging(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A calibrated model with a tagger."""
    path = str(tmp_path_factory.mktemp("tagging") / "m.wnp")
    train, dev = list(wnparse.read(DATA / "dev.conllu"))[:120], list(wnparse.read(DATA / "test.conllu"))[:60]
    wnparse.train(train, dev, epochs=1, order=1).save(path)
    return path


@pytest.fixture(scope="module")
def loaded(tagging: str) -> Model:
    return wnparse.load(tagging)


RAW = first_sentences("train", 40)


def marked(data: bytes, rng: random.Random, rate: float = 0.3) -> bytes:
    """Mark words as fixed; other words get heads, relations and tags that are nonsense."""
    rows = [row.split(b"\t") for row in data.split(b"\n")]
    for row in rows:
        if row[0].isdigit():
            if rng.random() < rate:
                row[9] = b"Fixed=Yes" if row[9] == b"_" else row[9] + b"|Fixed=Yes"
            else:
                row[6:8] = [rng.choice([b"1", b"2", b"_", b"99", b"x"]), rng.choice([b"a|b", b"_", b"odd"])]
                row[3] = rng.choice([b"X", b"_"])
    return b"\n".join(b"\t".join(row) for row in rows)


def test_fixed_words_keep_head_relation_and_tags(wnparse_inside: Run, tagging: str) -> None:
    given = marked(RAW, random.Random(1))
    loose = ["--block-degree", "none", "--no-well-nested", "--multi-root"]
    result = wnparse_inside("parse", "-m", tagging, "--keep-fixed", "--strict", *loose, stdin=given)
    assert result.returncode == 0, result.stderr
    fixed = 0
    for gold, after in zip(words(given), words(result.stdout), strict=True):
        assert after[6].isdigit()
        if b"Fixed=Yes" in after[9]:
            assert after == gold
            fixed += 1
        else:
            assert after[3] not in (b"X", b"_")
            assert after[7] != b"odd"
    assert fixed > 50


def test_other_words_are_parsed_as_if_nothing_else_were_given(loaded: Model) -> None:
    given = marked(RAW, random.Random(2))
    cleared = []
    for row in given.split(b"\n"):
        cells = row.split(b"\t")
        if cells[0].isdigit() and b"Fixed=Yes" not in cells[9]:
            cells[2:8] = [b"_"] * 6
        cleared.append(b"\t".join(cells))
    fixed = list(loaded.parse(read_any(given), keep_fixed=True))
    kept = list(loaded.parse(read_any(b"\n".join(cleared)), keep_fixed=True))
    assert [sentence.raw for sentence in fixed] == [sentence.raw for sentence in kept]


def read_any(data: bytes) -> list[Sentence]:
    return list(wnparse.read(io.BytesIO(data), heads="ignored"))


def test_nothing_fixed_is_a_plain_parse_with_new_tags(wnparse_inside: Run, tagging: str) -> None:
    plain = wnparse_inside("parse", "-m", tagging, "--retag", stdin=RAW)
    for options in ([], ["--retag"], ["--jobs", "2"]):
        fixed = wnparse_inside("parse", "-m", tagging, "--keep-fixed", *options, stdin=RAW)
        assert fixed.stdout == plain.stdout


def test_everything_fixed_changes_nothing(wnparse_inside: Run, tagging: str) -> None:
    given = marked(RAW, random.Random(1), rate=1.0)
    loose = ["--block-degree", "none", "--no-well-nested", "--multi-root"]
    assert wnparse_inside("parse", "-m", tagging, "--keep-fixed", *loose, stdin=given).stdout == given


def row(number: int, head: str, misc: str, relation: str = "dep") -> str:
    return f"{number}\tw\tw\tNOUN\t_\t_\t{head}\t{relation}\t_\t{misc}\n"


@pytest.mark.parametrize(
    "rows, line, message",
    [
        (row(1, "0", "_") + row(2, "_", "Fixed=Yes"), 2, "its head is _"),
        (row(1, "2", "Fixed=Yes") + row(2, "1", "A=b|Fixed=Yes"), 1, ""),
        (row(1, "1", "Fixed=Yes") + row(2, "1", "_"), 1, ""),
        (row(1, "9", "Fixed=Yes") + row(2, "1", "_"), 1, ""),
        (row(1, "x", "Fixed=Yes") + row(2, "1", "_"), 1, ""),
    ],
)
def test_bad_heads_of_fixed_words_are_refused(
    wnparse_inside: Run, tagging: str, loaded: Model, rows: str, line: int, message: str
) -> None:
    data = (rows + "\n").encode()
    good = (row(1, "0", "Fixed=Yes") + row(2, "9", "Fixed=No") + "\n").encode()
    result = wnparse_inside("parse", "-m", tagging, "--keep-fixed", stdin=data + good)
    assert result.returncode == 1
    assert f"\nwnparse: <stdin>:{line}: " in result.stderr.decode()
    assert message in result.stderr.decode()
    skipped = wnparse_inside("parse", "-m", tagging, "--keep-fixed", "--skip-bad", stdin=data + good)
    assert (skipped.returncode, b"skipped 1 " in skipped.stderr) == (0, True)
    assert skipped.stdout.count(b"Fixed=No") == 1
    with pytest.raises(TreebankError):
        list(loaded.parse(read_any(data), keep_fixed=True))


def test_two_fixed_roots_relax_the_single_root(wnparse_inside: Run, tagging: str) -> None:
    data = (row(1, "0", "Fixed=Yes") + row(2, "0", "Fixed=Yes") + "\n").encode()
    result = wnparse_inside("parse", "-m", tagging, "--keep-fixed", "--single-root", "--strict", stdin=data)
    assert result.returncode == 1
    assert b"relaxed single root" in result.stderr


def test_a_model_without_tagger_keeps_all_tags(wnparse_inside: Run, model: str) -> None:
    given = marked(RAW, random.Random(4))
    result = wnparse_inside("parse", "-m", model, "--keep-fixed", stdin=given)
    assert result.returncode == 0, result.stderr
    assert [cells[:6] for cells in words(given)] == [cells[:6] for cells in words(result.stdout)]


@pytest.mark.parametrize("options", [[], ["--jobs", "2"], ["--confidence"], ["--keep-heads"]])
def test_improbable_heads_are_blank(wnparse_inside: Run, tagging: str, options: list[str]) -> None:
    given = RAW if "--keep-heads" not in options else half(RAW)
    arguments = ["parse", "-m", tagging, *options]
    sure = wnparse_inside(*arguments, "--confidence", stdin=given)
    result = wnparse_inside(*arguments, "--blank-below", "0.9", stdin=given)
    assert result.returncode == 0, result.stderr
    blank = 0
    for before, whole, after in zip(words(given), words(sure.stdout), words(result.stdout), strict=True):
        probability = float(dict(item.split(b"=") for item in whole[9].split(b"|") if b"=" in item)[b"HeadProb"])
        assert (after[6] == b"_") == (after[7] == b"_")
        if after[6] == b"_":
            assert probability <= 0.9
            assert "--keep-heads" not in options or before[6] == b"_"
            blank += 1
        else:
            assert probability >= 0.9
            assert after[6:8] == whole[6:8]
        assert (b"HeadProb" in after[9]) == ("--confidence" in options)
    assert 20 < blank < len(list(words(given))) - 20


def half(data: bytes) -> bytes:
    rows = [line.split(b"\t") for line in data.split(b"\n")]
    for number, cells in enumerate(rows):
        if cells[0].isdigit() and number % 2:
            cells[6:8] = [b"_", b"_"]
    return b"\n".join(b"\t".join(cells) for cells in rows)


def test_the_output_can_be_read_filled_and_scored(wnparse_inside: Run, tagging: str, tmp_path: Path) -> None:
    (tmp_path / "gold").write_bytes(RAW)
    blank = wnparse_inside("parse", "-m", tagging, "--blank-below", "0.9", "gold", "-o", "blank")
    assert blank.returncode == 0, blank.stderr
    scored = wnparse_inside("eval", "gold", "blank")
    assert (scored.returncode, b"without a head" in scored.stderr) == (0, True)
    filled = wnparse_inside("parse", "-m", tagging, "--keep-heads", "blank", "-o", "filled")
    assert filled.returncode == 0, filled.stderr
    assert all(sentence.annotated for sentence in wnparse.read(tmp_path / "filled"))


def test_python_has_the_same_options(loaded: Model) -> None:
    given = sentences(RAW)
    (first, *_) = parsed = list(loaded.parse(given, blank_below=0.9))
    probabilities = np.concatenate([sentence.parse.head_probabilities[1:] for sentence in parsed])
    heads = np.concatenate([sentence.heads[1:] for sentence in parsed])
    assert ((heads < 0) == (probabilities < 0.9)).all()
    assert (first.parse.heads[1:] >= 0).all()  # the whole tree is there
    assert all(sentence.annotated for sentence in loaded.parse(given, blank_below=1e-9))


@pytest.mark.parametrize(
    "keywords, message",
    [
        ({"blank_below": 0}, "blank_below=0"),
        ({"blank_below": 1.5}, "blank_below=1.5"),
        ({"blank_below": float("nan")}, "blank_below=nan"),
        ({"blank_below": "0.5"}, "blank_below"),
        ({"blank_below": 0.5, "k": 2}, "blank_below"),
        ({"keep_fixed": 1}, "keep_fixed=1"),
        ({"keep_fixed": True, "keep_heads": True}, "exclude each other"),
    ],
)
def test_refuses_bad_options(loaded: Model, keywords: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        loaded.parse([], **keywords)  # type: ignore[call-overload]


@pytest.mark.parametrize(
    "options", [["--blank-below", "0"], ["--blank-below", "2"], ["--blank-below", "0.5", "--k-best", "2"],
                ["--keep-fixed", "--keep-heads"]],
)  # fmt: skip
def test_bad_usage_is_exit_2(wnparse_inside: Run, tagging: str, options: list[str]) -> None:
    result = wnparse_inside("parse", "-m", tagging, *options, stdin=RAW)
    assert (result.returncode, result.stdout) == (2, b"")


def test_blanks_need_a_calibrated_model(wnparse_inside: Run, model: str) -> None:
    result = wnparse_inside("parse", "-m", model, "--blank-below", "0.5", stdin=RAW)
    assert (result.returncode, b"not calibrated" in result.stderr) == (2, True)
