"""Python warns once per call of columns that the model uses and the sentences lack."""

from __future__ import annotations

import re
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import wnparse
from support.commands import Run
from support.treebanks import blanked, sentences
from wnparse.errors import TreebankError
from wnparse.parser.tokens import FEW, UsedColumns, watch_columns

UPOS, XPOS, FEATS = 3, 4, 5
NO_TAGS = "no word has a UPOS tag"


@pytest.mark.parametrize("kind", ["list", "stream", "tokens"])
@pytest.mark.parametrize("options", [{}, {"k": 2}, {"jobs": 2}])
def test_warns_once_per_call(model: str, raw: bytes, kind: str, options: dict[str, int]) -> None:
    parser = wnparse.load(model)
    lacking = list(sentences(blanked(raw, XPOS, FEATS)))
    given = {
        "list": lambda: lacking,
        "stream": lambda: iter(lacking),
        "tokens": lambda: [sentence.to_tokenlist() for sentence in lacking],
    }[kind]
    for _ in range(2):
        with pytest.warns(UserWarning, match="used by the model: XPOS FEATS;") as caught:
            assert len(list(parser.parse(given(), **options))) == len(lacking)  # type: ignore[call-overload]
        assert len(caught) == 1


def test_does_not_warn_without_need(model: str, raw: bytes) -> None:
    parser = wnparse.load(model)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert list(parser.parse(sentences(raw)))
        assert list(parser.parse([])) == []
        # Few words may well have no FEATS; no tagger leaves XPOS out.
        few = sentences(blanked(raw, FEATS))[:1]
        assert len(few[0]) < FEW
        assert list(parser.parse(few))


def test_warns_per_input_path(raw: bytes) -> None:
    notices: list[str] = []
    with_tags, without = sentences(raw), sentences(blanked(raw, XPOS))
    for sentence in without:
        sentence.path = "second"
    columns = UsedColumns(lemma=True, xpos=True, feats=False)
    assert len(list(watch_columns([*with_tags, *without], columns, notices.append))) == len(with_tags) * 2
    assert len(notices) == 1
    assert notices[0].startswith("second: empty in the first ")
    notices.clear()
    assert list(watch_columns([*with_tags, *without], columns, notices.append, "all"))
    assert not notices


def first_without_upos(raw: bytes) -> bytes:
    """Sentences of which the third has no UPOS at all, and the first has only one."""
    texts = [sentence.raw for sentence in sentences(raw)]
    texts[2] = blanked(texts[2], UPOS)
    rows = texts[0].split(b"\n")
    first = next(number for number, row in enumerate(rows) if row.startswith(b"1\t"))
    texts[0] = b"\n".join([*rows[: first + 1], *blanked(b"\n".join(rows[first + 1 :]), UPOS).split(b"\n")])
    return b"".join(texts)


def test_a_sentence_without_upos_is_refused(wnparse_inside: Run, model: str, raw: bytes, tmp_path: Path) -> None:
    text = first_without_upos(raw)
    (tmp_path / "untagged").write_bytes(text)
    line = text[: text.index(sentences(text)[2].raw)].count(b"\n") + 1
    for options in ([], ["--jobs", "2"], ["--k-best", "2", "--decoder", "msa"], ["-o", "out"]):
        done = wnparse_inside("parse", "-q", "-m", model, "untagged", *options)
        assert done.returncode == 1
        assert re.fullmatch(f"wnparse: untagged:{line}: {NO_TAGS}.*\n", done.stderr.decode())
    assert not (tmp_path / "out").exists()
    done = wnparse_inside("parse", "-m", model, "untagged", "--skip-bad")
    assert done.returncode == 0
    assert re.search(f"^wnparse: skipped 1 .*untagged:{line}: {NO_TAGS}", done.stderr.decode(), re.M)
    assert len(sentences(done.stdout)) == len(sentences(raw)) - 1
    done = wnparse_inside("parse", "-q", "-m", model, "--input", "words", stdin=b"\nle\n")
    assert done.returncode == 1
    assert re.fullmatch(f"wnparse: <stdin>:2: {NO_TAGS}.*\n", done.stderr.decode())


def test_a_sentence_without_upos_is_refused_in_python(model: str, raw: bytes) -> None:
    parser = wnparse.load(model)
    trees: list[object] = []
    with pytest.raises(TreebankError, match=NO_TAGS):
        trees.extend(parser.parse(iter(sentences(first_without_upos(raw)))))
    assert len(trees) == 2


def test_a_model_that_learned_without_upos_needs_none(wnparse_inside: Run, raw: bytes, tmp_path: Path) -> None:
    bare = blanked((Path(__file__).parents[2] / "data" / "dev.conllu").read_bytes(), UPOS)
    (tmp_path / "bare.conllu").write_bytes(bare)
    options = ["--epochs", "1", "--order", "1", "--rules", "none"]
    assert wnparse_inside("train", "bare.conllu", "-o", "m.wnp", *options).returncode == 0
    done = wnparse_inside("parse", "-m", "m.wnp", stdin=blanked(raw, UPOS))
    assert done.returncode == 0
    assert b"UPOS" not in done.stderr
    assert wnparse.load(tmp_path / "m.wnp").info["uses_upos"] is False


def test_a_pipeline_does_not_wait_for_a_skipped_sentence(model: str, raw: bytes) -> None:
    first, *_ = sentences(raw)
    command = [sys.executable, "-m", "wnparse", "parse", "-q", "-m", model, "--skip-bad", "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin and process.stdout
        process.stdin.write(first.raw + blanked(first.raw, UPOS))
        process.stdin.flush()
        assert any(line == b"\n" for line in process.stdout)
        process.stdin.close()
        assert process.stdout.read() == b""
