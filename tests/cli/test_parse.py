"""``wnparse parse`` and ``info`` from the shell: the chain, options, bad input, answers that do not wait."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from support.commands import Run
from support.places import DATA
from support.treebanks import columns, first_sentences


def test_output_of_parse_can_be_evaluated(wnparse_command: Run, model: str, raw: bytes, tmp_path: Path) -> None:
    parsed = wnparse_command("parse", "-m", model, "-", stdin=raw)
    assert parsed.returncode == 0
    assert b"well-nested trees of block degree at most" in parsed.stderr
    assert b"words/s" in parsed.stderr
    assert columns(parsed.stdout, 6, 7) == columns(raw, 6, 7)
    (tmp_path / "gold").write_bytes(first_sentences("test", 40))
    result = wnparse_command("eval", "gold", "-", "--json", stdin=parsed.stdout)
    (system,) = json.loads(result.stdout)["systems"]
    assert system["uas"] > 80
    assert system["las"] > 75


def test_jobs_do_not_change_the_output(wnparse_command: Run, model: str) -> None:
    outputs = {
        wnparse_command("parse", "-m", model, str(DATA / "test.conllu"), "--jobs", jobs).stdout
        for jobs in ("1", "2", "3")
    }
    assert len(outputs) == 1


def test_report_has_a_line_per_sentence(wnparse_command: Run, model: str, raw: bytes, tmp_path: Path) -> None:
    wnparse_command("parse", "-m", model, "--report", "r.jsonl", stdin=raw)
    lines = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text().splitlines()]
    assert len(lines) == 40
    assert lines[0]["sent_id"] == "test-0001"
    assert all(line["certified"] and line["score"] <= line["upper_bound"] for line in lines)


def test_reads_and_writes_files(wnparse_command: Run, model: str, raw: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.conllu").write_bytes(raw)
    (tmp_path / "b.conllu.gz").write_bytes(gzip.compress(raw))
    expected = wnparse_command("parse", "-m", model, stdin=raw).stdout
    assert wnparse_command("parse", "-m", model, "a.conllu", "b.conllu.gz").stdout == expected * 2
    assert wnparse_command("parse", "-m", model, "a.conllu", "-o", "a.conllu").returncode == 0
    assert (tmp_path / "a.conllu").read_bytes() == expected
    assert wnparse_command("parse", "-m", model, "b.conllu.gz", "-o", "c.conllu.gz").returncode == 0
    assert gzip.decompress((tmp_path / "c.conllu.gz").read_bytes()) == expected


def test_accepts_empty_input(wnparse_command: Run, model: str) -> None:
    assert wnparse_command("parse", "-m", model).stdout == b""
    comment = b"# nothing but a comment\n\n"
    assert wnparse_command("parse", "-m", model, stdin=comment).stdout == comment


@pytest.mark.parametrize(
    "options, message",
    [
        (["--decoder", "msa", "--block-degree", "2"], b"cannot enforce"),
        (["--decoder", "msa", "--well-nested"], b"cannot enforce"),
        (["--decoder", "nonsense"], b"bnb"),
        (["--block-degree", "0"], b"block degree"),
        (["--jobs", "0"], b"--jobs"),
        (["missing.conllu"], b"missing.conllu"),
    ],
)
def test_reports_bad_usage(wnparse_command: Run, model: str, options: list[str], message: bytes) -> None:
    result = wnparse_command("parse", "-m", model, *options)
    assert result.returncode == 2
    assert message in result.stderr


def test_a_decoder_drops_what_it_cannot_enforce(wnparse_command: Run, model: str, raw: bytes) -> None:
    result = wnparse_command("parse", "-m", model, "--decoder", "msa", stdin=raw)
    assert result.returncode == 0
    assert b"decoder 'msa' cannot enforce" in result.stderr
    free = wnparse_command("parse", "-m", model, "--block-degree", "none", "--no-well-nested", stdin=raw)
    assert free.stdout == result.stdout


def test_reports_bad_data(wnparse_command: Run, model: str, raw: bytes, tmp_path: Path) -> None:
    bad = raw + b"1\tw\n\n" + raw
    result = wnparse_command("parse", "-m", model, "-o", "out", stdin=bad)
    assert result.returncode == 1
    assert b": 2 columns; expected 10" in result.stderr.splitlines()[-1]
    assert not (tmp_path / "out").exists()
    skipped = wnparse_command("parse", "-m", model, "--skip-bad", stdin=bad)
    assert skipped.returncode == 0
    assert b"skipped 1 bad sentence" in skipped.stderr
    assert len(skipped.stdout) == 2 * len(wnparse_command("parse", "-m", model, stdin=raw).stdout)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_sentences_before_a_bad_one_are_parsed(wnparse_command: Run, model: str, raw: bytes, jobs: str) -> None:
    result = wnparse_command("parse", "-m", model, "--jobs", jobs, stdin=raw + b"1\tw\n\n" + raw)
    assert result.returncode == 1
    assert result.stdout == wnparse_command("parse", "-m", model, stdin=raw).stdout


def test_refuses_bad_models(wnparse_command: Run, tmp_path: Path) -> None:
    (tmp_path / "m.wnp").write_bytes(b"not a model at all, but long enough")
    for command in (["parse", "-m", "m.wnp"], ["info", "m.wnp"]):
        result = wnparse_command(*command)
        assert result.returncode == 1
        assert result.stderr.startswith(b"wnparse: m.wnp: not a wnparse model")
        assert result.stderr.count(b"\n") == 1
    assert wnparse_command("parse", "-m", "nothing.wnp").returncode == 2


def test_info_describes_a_model(wnparse_command: Run, model: str) -> None:
    assert b"300 sentences" in wnparse_command("info", model).stdout
    data = json.loads(wnparse_command("info", model, "--json").stdout)
    assert data["columns"] == ["form", "upos", "lemma", "xpos", "feats"]
    assert data["constraints"]["single_root"] is True


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_sentence_is_answered_before_the_next_is_sent(model: str, raw: bytes, tmp_path: Path, jobs: str) -> None:
    command = [sys.executable, "-m", "wnparse", "parse", "-m", model, "--jobs", jobs, "--skip-bad"]
    one, two, three = (block + b"\n\n" for block in raw.split(b"\n\n")[:3])
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tmp_path) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        # Extra blank lines lead the next sentence; neither they nor a bad sentence hold an answer back.
        sent = (one, two + b"\n", three + b"1\tw\n\n", one + two + three)
        for message, block in zip(sent, (one, two, b"\n" + three, sent[-1]), strict=True):
            process.stdin.write(message)
            process.stdin.flush()
            answer = b"".join(process.stdout.readline() for _ in block.splitlines())
            assert columns(answer, 6, 7) == columns(block, 6, 7)
        process.stdin.close()
        assert process.stdout.read() == b""


def test_a_closed_pipe_ends_quietly(model: str, tmp_path: Path) -> None:
    command = f"{sys.executable} -m wnparse parse -m {model} {DATA / 'train.conllu'} | head -n 1"
    result = subprocess.run(["bash", "-c", command], capture_output=True, cwd=tmp_path, check=False)
    assert result.stdout.count(b"\n") == 1
    assert b"Traceback" not in result.stderr
    assert b"rror" not in result.stderr
