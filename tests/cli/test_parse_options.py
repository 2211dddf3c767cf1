"""``wnparse parse``: given heads, DEPS, untagged input, lengths, reports, full disks, interruption, pipelines."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support.commands import Run
from support.treebanks import blanked, columns, first_sentences, one_sentence, words

GOLD = first_sentences("test", 40)


def test_given_heads_are_kept_and_gaps_filled(wnparse_command: Run, model: str) -> None:
    rows = [row.split(b"\t") for row in GOLD.split(b"\n")]
    number = 0
    for row in rows:
        number += row[0].isdigit()
        if row[0].isdigit() and number % 2:
            row[6] = row[7] = b"_"
        elif row[0].isdigit() and number % 4:
            row[7] = b"_"
    given = b"\n".join(b"\t".join(row) for row in rows)
    result = wnparse_command("parse", "-m", model, "--keep-heads", "--strict", stdin=given)
    assert result.returncode == 0
    assert columns(result.stdout, 6, 7) == columns(GOLD, 6, 7)
    for before, after in zip(words(given), words(result.stdout), strict=True):
        assert b"_" not in after[6:8]
        assert before[6] in (b"_", after[6])
        assert before[7] in (b"_", after[7])
        assert (after[6] == b"0") == (after[7] == b"root")
    free = words(wnparse_command("parse", "-m", model, stdin=given).stdout)
    assert any(row[6] != before[6] != b"_" for row, before in zip(free, words(given), strict=True))


def test_whole_trees_are_labelled(wnparse_command: Run, model: str) -> None:
    result = wnparse_command("parse", "-m", model, "--keep-heads", stdin=blanked(GOLD, 7))
    assert columns(result.stdout, 7) == columns(GOLD, 7)
    pairs = list(zip(words(result.stdout), words(GOLD), strict=True))
    assert sum(row[7] == gold[7] for row, gold in pairs) > 0.9 * len(pairs)


def test_without_given_heads_nothing_changes(wnparse_command: Run, model: str, raw: bytes) -> None:
    plain = wnparse_command("parse", "-m", model, stdin=raw).stdout
    assert wnparse_command("parse", "-m", model, "--keep-heads", "--jobs", "2", stdin=raw).stdout == plain


def tree(*heads: str) -> bytes:
    return (
        b"".join(b"%d\tw\tw\tNOUN\tX\t_\t%s\t_\t_\t_\n" % (i, h.encode()) for i, h in enumerate(heads, 1)) + b"\n"
    )


@pytest.mark.parametrize(
    "heads, relaxed",
    [
        (["0", "0", "_"], b"single root"),
        (["3", "0", "2", "1", "2", "3"], b"block degree"),
    ],
)
def test_reports_what_is_relaxed(wnparse_command: Run, model: str, heads: list[str], relaxed: bytes) -> None:
    options = ["-m", model, "--keep-heads", "--block-degree", "1", "--report", "r"]
    result = wnparse_command("parse", *options, stdin=tree(*heads))
    assert result.returncode == 0
    assert b"<stdin>:1: relaxed " + relaxed + b"\n" in result.stderr
    predicted = [row[6].decode() for row in words(result.stdout)]
    assert "_" not in predicted
    assert all(head in ("_", after) for head, after in zip(heads, predicted, strict=True))
    assert wnparse_command("parse", *options, "--strict", stdin=tree(*heads)).returncode == 1


def test_keeps_or_drops_deps(wnparse_command: Run, model: str) -> None:
    empty = b"1.1\tw\tw\tNOUN\tX\t_\t_\t_\t1:dep\t_\n"
    row = b"1\tw\tw\tNOUN\tX\t_\t0\troot\t0:root\tSpaceAfter=No\n"
    text = b"# a\t1\t2\t3\t4\t5\t6\t7\t8\t9\n" + row + empty + b"\n"
    unchanged = wnparse_command("parse", "-m", model, stdin=text).stdout
    assert unchanged == text
    dropped = wnparse_command("parse", "-m", model, "--drop-deps", stdin=text).stdout
    assert dropped == text.replace(empty, b"").replace(b"0:root", b"_")


def test_empty_columns_get_one_warning(wnparse_command: Run, model: str, raw: bytes, tmp_path: Path) -> None:
    assert b"empty" not in wnparse_command("parse", "-m", model, stdin=raw).stderr
    untagged = wnparse_command("parse", "-m", model, "--jobs", "2", stdin=blanked(raw, 4, 5) * 4)
    assert untagged.returncode == 0
    (line,) = [line for line in untagged.stderr.splitlines() if b"empty" in line]
    assert line.startswith(b"wnparse: <stdin>: empty in the first 1,0")
    assert b": XPOS FEATS;" in line
    assert len(words(untagged.stdout)) == 4 * len(words(raw))
    (tmp_path / "a").write_bytes(raw)
    (tmp_path / "b").write_bytes(blanked(raw, 2))
    second = wnparse_command("parse", "-m", model, "a", "b", "a").stderr
    assert second.count(b"empty") == 1
    assert re.search(b"b: empty in the first %d words, .*: LEMMA" % len(words(raw)), second)


def test_parses_one_word(wnparse_command: Run, model: str) -> None:
    rows = words(wnparse_command("parse", "-m", model, stdin=one_sentence(1)).stdout)
    assert [row[6:8] for row in rows] == [[b"0", b"root"]]


def test_parses_a_thousand_words_within_a_limit(wnparse_command: Run, model: str) -> None:
    long = one_sentence(1000)
    result = wnparse_command("parse", "-m", model, stdin=long)
    assert result.returncode == 0
    assert sum(row[6] == b"0" for row in words(result.stdout)) == 1
    assert columns(result.stdout, 6, 7) == columns(long, 6, 7)
    both = wnparse_command(
        "parse", "-m", model, "--max-words", "999", "--report", "r", stdin=long + one_sentence(9)
    )
    assert both.returncode == 0
    assert both.stdout.startswith(long)
    assert b"<stdin>:1: not parsed: 1,000 words" in both.stderr
    assert all(row[6] != b"_" for row in words(both.stdout)[1000:])
    assert wnparse_command("parse", "-m", model, "--max-words", "999", "--strict", stdin=long).returncode == 1


LIMITED = """
import resource, sys
from pathlib import Path
import wnparse
from wnparse.parser.parser import Parser
from wnparse.parser.options import ParseOptions
model = wnparse.load(sys.argv[1])
parser = Parser(model, ParseOptions(decoder="msa", constraints=wnparse.Constraints()))
long, short = wnparse.read(sys.stdin.buffer)
parser.parse([short])
used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (64 << 20),) * 2)
print(parser.parse([long])[0].fallback, parser.parse([short])[0].fallback or "nothing", sep=chr(10))
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="there is no /proc/self/statm")
def test_reports_no_memory_for_a_sentence(model: str, tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-c", LIMITED, model],
        input=one_sentence(5000) + one_sentence(5),
        capture_output=True,
        cwd=tmp_path,
        check=False,
    )
    assert result.stdout == b"not parsed: not enough memory for 5,000 words\nnothing\n", result.stderr


def test_report_has_all_fields(wnparse_command: Run, model: str, raw: bytes) -> None:
    text = raw + b"# no words\n\n" + one_sentence(41)
    command = ["parse", "-m", model, "-o", "out", "--report", "-", "--max-words", "40"]
    lines = [json.loads(line) for line in wnparse_command(*command, stdin=text).stdout.splitlines()]
    assert [line["sentence"] for line in lines] == list(range(1, 42))
    for line in lines[:-1]:
        micros = line["microseconds"]
        assert list(micros) == ["features", "decoding", "labels", "total"]
        assert 0 < micros["features"] + micros["decoding"] + micros["labels"] <= micros["total"] + 0.2
        assert line["pruned"]
        assert line["fallback"] == ""
    assert lines[-1]["score"] is None
    assert lines[-1]["fallback"].startswith("not parsed: 41 words")
    whole = wnparse_command("parse", "-m", model, "-o", "out", "--report", "-", "--no-prune", stdin=raw)
    assert not any(json.loads(line)["pruned"] for line in whole.stdout.splitlines())
    assert b"pruned" not in whole.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize(
    "options, name", [("-o /dev/full", b"/dev/full"), ("> /dev/full", b"standard output")], ids=["-o", ">"]
)
def test_reports_a_full_disk(model: str, raw: bytes, tmp_path: Path, options: str, name: bytes) -> None:
    command = f"{sys.executable} -m wnparse parse -m {model} {options}"
    result = subprocess.run(["bash", "-c", command], input=raw, capture_output=True, cwd=tmp_path, check=False)
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1] == b"wnparse: " + name + b": No space left on device"
    assert b"Traceback" not in result.stderr
    assert not any(path.name.startswith(".") for path in tmp_path.iterdir())


def test_reports_a_missing_folder_at_once(wnparse_command: Run, model: str) -> None:
    for option in ("-o", "--report"):
        result = wnparse_command("parse", "-m", model, option, "nowhere/out")
        assert result.returncode == 2
        assert b"nowhere' does not exist" in result.stderr


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_leaves_no_output(model: str, raw: bytes, tmp_path: Path, jobs: str) -> None:
    command = [sys.executable, "-m", "wnparse", "parse", "-m", model, "--jobs", jobs, "--report", "r"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path
    ) as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdin.write(raw)
        process.stdin.flush()
        process.stderr.readline()
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        process.stdin.close()
        written, messages = process.stdout.read(), process.stderr.read()
    assert process.returncode == 130
    assert messages.strip() == b"wnparse: interrupted"
    assert not list(tmp_path.iterdir())
    assert written == b"" or written.endswith(b"\n\n")


@pytest.mark.skipif(not shutil.which("zcat"), reason="there is no zcat")
def test_works_in_a_pipeline(model: str, raw: bytes, tmp_path: Path) -> None:
    (tmp_path / "big.conllu.gz").write_bytes(gzip.compress(raw * 5))
    (tmp_path / "gold.conllu").write_bytes(GOLD * 5)
    run = f"{sys.executable} -m wnparse"
    pipeline = f"zcat big.conllu.gz | {run} parse -m {model} - | {run} eval gold.conllu - --json"
    result = subprocess.run(
        ["bash", "-o", "pipefail", "-c", pipeline], capture_output=True, cwd=tmp_path, check=False
    )
    assert result.returncode == 0, result.stderr
    (system,) = json.loads(result.stdout)["systems"]
    assert system["uas"] > 80
