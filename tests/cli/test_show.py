"""``wnparse show`` from the shell: selection, output, bad input, exit statuses."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from support.commands import Run
from support.places import ROOT
from support.treebanks import conllu

TREES = {"one": [0], "two": [2, 0], "gap": [0, 0, 2, 1], "ill": [0, 0, 1, 2], "raw": [-1, -1]}


@pytest.fixture
def sample(tmp_path: Path) -> str:
    text = b"".join(conllu([f"{name}w"] * len(heads), heads, sent_id=name) for name, heads in TREES.items())
    (tmp_path / "a.conllu").write_bytes(text)
    return "a.conllu"


def shown(output: bytes) -> list[str]:
    """The ids of the sentences in a drawing."""
    return re.findall(r"^\d+ (\w+): \d", output.decode(), re.M)


@pytest.mark.parametrize(
    "options, expected",
    [
        ([], list(TREES)),
        (["-n", "2"], ["two"]),
        (["-n", "1,3-4"], ["one", "gap", "ill"]),
        (["--number", "4-"], ["ill", "raw"]),
        (["--sent-id", "gap", "--sent-id", "one"], ["one", "gap"]),
        (["--ill-nested"], ["ill"]),
        (["--block-degree", "1"], ["one", "two"]),
        (["--block-degree", "2+"], ["gap", "ill"]),
        (["--limit", "2"], ["one", "two"]),
    ],
)
def test_selects_sentences(wnparse_inside: Run, sample: str, options: list[str], expected: list[str]) -> None:
    result = wnparse_inside("show", sample, *options)
    assert (result.returncode, result.stderr) == (0, b"")
    assert shown(result.stdout) == expected


WORDS = {
    "one": (["Dogs", "bark"], [2, 0], ["nsubj", "root"]),
    "two": (["dogs", "were", "seen"], [3, 3, 0], ["nsubj:pass", "aux:pass", "root"]),
    "three": (["See", "dogs"], [0, 1], ["root", "obj"]),
}


@pytest.fixture
def words(tmp_path: Path) -> str:
    text = b"".join(conllu(*rows, sent_id=name) for name, rows in WORDS.items())
    (tmp_path / "words.conllu").write_bytes(text.replace(b"\tdogs\t_\tX", b"\tdogs\tdog\tNOUN"))
    return "words.conllu"


@pytest.mark.parametrize(
    "options, expected",
    [
        (["--form", "DOGS"], ["one", "two", "three"]),
        (["--form", "bark", "--form", "see"], ["one", "three"]),
        (["--lemma", "dog"], ["two", "three"]),
        (["--upos", "NOUN", "--upos", "VERB"], ["two", "three"]),
        (["--deprel", "nsubj"], ["one", "two"]),
        (["--deprel", "nsubj:pass"], ["two"]),
        (["--form", "dogs", "--deprel", "obj"], ["three"]),
        (["--form", "bark", "--deprel", "nsubj"], []),  # not of the same word
        (["--lemma", "dog", "-n", "2"], ["two"]),
    ],
)
def test_selects_by_words(wnparse_inside: Run, words: str, options: list[str], expected: list[str]) -> None:
    result = wnparse_inside("show", words, *options)
    assert result.returncode == 0
    assert shown(result.stdout) == expected


def test_marks_the_words_that_were_searched_for(wnparse_inside: Run, words: str, tmp_path: Path) -> None:
    assert b"\x1b[1;33mdogs" in wnparse_inside("show", words, "--lemma", "dog", "--colour").stdout
    assert wnparse_inside("show", words, "--lemma", "dog", "--html", "a.html").returncode == 0
    page = (tmp_path / "a.html").read_text()
    assert page.count('class="word marked"') == 3  # two words, and the legend


RULES = """
[[rule]]
name = "no-passive"
reason = "Nothing is passive."
forbid = { relation = "nsubj:pass" }
[[rule]]
name = "one-dependent"
reason = "Heads are not crowded."
at-most = 1
dependents = { relation = "*" }
"""


def test_draws_sentences_that_break_rules(wnparse_inside: Run, words: str, tmp_path: Path) -> None:
    (tmp_path / "r.toml").write_text(RULES)
    result = wnparse_inside("show", words, "--rules", "r.toml")
    assert (result.returncode, shown(result.stdout)) == (0, ["two"])
    text = result.stdout.decode()
    assert "breaks no-passive (words 1, 3): Nothing is passive." in text
    assert "breaks one-dependent (words 1, 2, 3): Heads are not crowded." in text
    one = wnparse_inside("show", words, "--rules", "r.toml", "--rule", "no-passive", "--colour").stdout.decode()
    assert "crowded" not in one
    assert "\x1b[1;31m" in one
    files = [part for kind in ("html", "svg", "tex") for part in (f"--{kind}", f"a.{kind}")]
    assert wnparse_inside("show", words, "--rules", "r.toml", "--rule", "no-passive", *files).returncode == 0
    for kind in ("html", "svg", "tex"):
        assert "Nothing is passive." in (tmp_path / f"a.{kind}").read_text()
    root = ElementTree.fromstring((tmp_path / "a.svg").read_text())
    edges = [node for node in root.iter() if "edge" in node.get("class", "").split()]
    assert [node.get("data-modifier") for node in edges if "broken" in node.get("class", "")] == ["1"]


@pytest.mark.parametrize(
    "options, key",
    [
        (["--rule", "no-passive"], b"--rules"),
        (["--rules", "r.toml", "--rule", "no-pasive"], b"did you mean no-passive"),
        (["--rules", "missing.toml"], b"missing.toml"),
        (["--svg", "a.png"], b".svg"),
        (["--html", "a.svg"], b".html"),
        (["--tex", "a.pdf"], b".tex"),
        (["-o", "a.svg"], b"--svg a.svg"),
        (["-o", "a.tex"], b"--tex a.tex"),
        (["-o", "a.txt", "--tex", "a.tex"], b"--tex"),
    ],
)
def test_refuses_names_that_do_not_fit(
    wnparse_inside: Run, words: str, tmp_path: Path, options: list[str], key: bytes
) -> None:
    (tmp_path / "r.toml").write_text(RULES)
    result = wnparse_inside("show", words, *options)
    assert (result.returncode, result.stdout, result.stderr.count(b"\n")) == (2, b"", 1)
    assert key in result.stderr
    assert not list(tmp_path.glob("a.*"))


def test_a_compressed_page_has_both_extensions(wnparse_inside: Run, words: str, tmp_path: Path) -> None:
    assert wnparse_inside("show", words, "--html", "a.html.gz", "--svg", "plain").returncode == 0
    assert (tmp_path / "a.html.gz").read_bytes()[:2] == b"\x1f\x8b"
    assert (tmp_path / "plain").exists()


def test_captions_can_be_left_out(wnparse_inside: Run, words: str, tmp_path: Path) -> None:
    assert "one: 2 words" not in wnparse_inside("show", words, "--no-title").stdout.decode()
    for kind in ("svg", "html", "tex"):
        for option, expected in (([], True), (["--no-title"], False)):
            assert wnparse_inside("show", words, f"--{kind}", f"a.{kind}", *option).returncode == 0
            text = (tmp_path / f"a.{kind}").read_text()
            assert ("one: 2 words, projective" in re.sub(r'aria-label="[^"]*"', "", text)) == expected


def test_an_svg_picture_is_one_line_unless_a_width_is_given(wnparse_inside: Run, tmp_path: Path) -> None:
    (tmp_path / "long.conllu").write_bytes(conllu(["somewhat"] * 60, [0, *[1] * 59]))
    places = {}
    for name, options in (("wide", []), ("narrow", ["--width", "600"])):
        assert wnparse_inside("show", "long.conllu", "--svg", f"{name}.svg", *options).returncode == 0
        root = ElementTree.fromstring((tmp_path / f"{name}.svg").read_text())
        forms = [node for node in root.iter() if node.get("class") == "form"]
        places[name] = int(root.get("width", "0")), {node.get("y") for node in forms}
    assert places["wide"][0] > 3000
    assert len(places["wide"][1]) == 1
    assert places["narrow"][0] <= 600
    assert len(places["narrow"][1]) > 5


def test_reads_standard_input_and_writes_a_file(wnparse_command: Run, sample: str, tmp_path: Path) -> None:
    text = (tmp_path / sample).read_bytes()
    direct = wnparse_command("show", sample).stdout
    for arguments in ([], ["-"]):
        piped = wnparse_command("show", *arguments, stdin=text)
        assert piped.stdout == direct.replace(b"a.conllu:", b"<stdin>:")
    assert wnparse_command("show", sample, "-o", "out.txt").stdout == b""
    assert (tmp_path / "out.txt").read_bytes() == direct


def test_takes_options_of_the_drawing(wnparse_inside: Run, sample: str) -> None:
    narrow = wnparse_inside("show", sample, "--width", "20", "-n", "3", "--tags").stdout.decode()
    assert max(map(len, narrow.splitlines())) <= 20
    assert "X" in narrow
    assert b"\x1b[" not in wnparse_inside("show", sample).stdout
    assert b"\x1b[" in wnparse_inside("show", sample, "--color").stdout


@pytest.mark.parametrize("no_color, coloured", [("", True), ("1", False)])
def test_prints_colour_on_a_terminal(sample: str, tmp_path: Path, no_color: str, coloured: bool) -> None:
    leader, follower = pty.openpty()
    environment = {**os.environ, "NO_COLOR": no_color, "COLUMNS": "60"}
    command = [sys.executable, "-m", "wnparse", "show", sample, "--ill-nested"]
    subprocess.run(command, cwd=tmp_path, env=environment, stdout=follower, timeout=60, check=True)
    os.close(follower)
    text = b""
    try:
        while part := os.read(leader, 4096):
            text += part
    except OSError:  # Linux raises this when the other end is closed
        pass
    os.close(leader)
    assert (b"\x1b[" in text) == coloured
    assert "┄".encode() in text


def test_shows_only_differences(wnparse_inside: Run, sample: str, tmp_path: Path) -> None:
    system = (
        (tmp_path / sample).read_bytes().replace(b"1\ttwow\t_\tX\t_\t_\t2\tdep", b"1\ttwow\t_\tX\t_\t_\t2\tobj")
    )
    result = wnparse_inside("show", sample, "--differs-from", "-", stdin=system)
    assert shown(result.stdout) == ["two"]
    assert "below: 1 word differs; projective (<stdin>:4)" in result.stdout.decode()
    assert result.stdout.decode().count("▲") == 1
    same = wnparse_inside("show", sample, "--differs-from", sample)
    assert (same.returncode, same.stdout, same.stderr) == (0, b"", b"wnparse: no sentence to show\n")


def test_shows_several_files(wnparse_inside: Run, sample: str, tmp_path: Path) -> None:
    result = wnparse_inside("show", sample, "--html", "out.html", "--svg", "out.svg", "--limit", "4")
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")
    picture = ElementTree.parse(tmp_path / "out.svg").getroot()
    assert len(picture.findall(".//{*}g[@class='word']")) == 11
    assert (tmp_path / "out.html").read_text().count('<figure id="s') == 4
    assert wnparse_inside("show", sample, "--html", "-").stdout.startswith(b"<!DOCTYPE html>")
    assert ElementTree.fromstring(wnparse_inside("show", sample, "--svg", "-").stdout).tag.endswith("svg")


def test_a_page_is_limited_with_a_notice(wnparse_inside: Run, tmp_path: Path) -> None:
    text = conllu(["w"], [0]) * 201
    result = wnparse_inside("show", "--html", "out.html", stdin=text)
    assert b"200" in result.stderr
    assert b"--limit" in result.stderr
    assert result.stderr.count(b"\n") == 1
    assert wnparse_inside("show", "--html", "out.html", "--limit", "201", stdin=text).stderr == b""
    assert (tmp_path / "out.html").read_text().count('<figure id="s') == 201


@pytest.mark.parametrize(
    "text, message",
    [
        (b"1\ta\t_\t_\t_\t_\t2\tx\t_\t_\n2\tb\t_\t_\t_\t_\t1\tx\t_\t_\n\n", b"<stdin>:1: no word has head 0"),
        (b"1\ta\t_\t_\t_\t_\t1\tx\t_\t_\n\n", b"<stdin>:1: word '1' is its own head"),
        (conllu(["a"], [0]) + b"1\tb\n\n", b"<stdin>:3: 2 columns; expected 10"),
    ],
)
def test_reports_bad_input(wnparse_inside: Run, tmp_path: Path, text: bytes, message: bytes) -> None:
    result = wnparse_inside("show", "--html", "out.html", stdin=text)
    assert result.returncode == 1
    assert result.stderr.startswith(b"wnparse: " + message)
    assert result.stderr.count(b"\n") == 1
    assert not list(tmp_path.iterdir())
    skipped = wnparse_inside("show", "--skip-bad", stdin=text)
    assert skipped.returncode == 0
    assert b"skipped 1 bad sentence" in skipped.stderr


def test_draws_multiword_tokens_empty_nodes_and_missing_heads(wnparse_inside: Run) -> None:
    text = (
        b"# text = ab c\n1-2\tab" + b"\t_" * 8 + b"\n1\ta\t_\t_\t_\t_\t2\tx\t_\t_\n2\tb\t_\t_\t_\t_\t1\ty\t_\t_\n"
        b"2.1\te" + b"\t_" * 8 + b"\n3\tc\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    )
    for arguments in ([], ["--html", "-"], ["--svg", "-"]):
        result = wnparse_inside("show", *arguments, stdin=text)
        assert (result.returncode, result.stderr) == (0, b"")
        assert b"1 word without head" in result.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["missing.conllu"],
        ["-n", "0"],
        ["-n", "3-2"],
        ["-n", "x"],
        ["--block-degree", "0"],
        ["--block-degree", "2-"],
        ["--width", "3"],
        ["--limit", "0"],
        ["-", "--differs-from", "-"],
        ["--skip-bad", "--differs-from", "a.conllu"],
        ["--html", "x", "--svg", "x"],
        ["--html", "x", "-o", "y"],
    ],
)
def test_reports_bad_usage(wnparse_inside: Run, sample: str, arguments: list[str]) -> None:
    result = wnparse_inside("show", *arguments)
    assert result.returncode == 2
    assert b"Traceback" not in result.stderr


def test_reports_sentences_that_do_not_exist(wnparse_inside: Run, sample: str, tmp_path: Path) -> None:
    result = wnparse_inside("show", sample, "-n", "9", "--html", "out.html")
    assert (result.returncode, result.stdout) == (1, b"")
    assert re.fullmatch(b"wnparse: a.conllu: .*no sentence 9; .*5 sentences\n", result.stderr)
    assert wnparse_inside("show", sample, "--sent-id", "nine").returncode == 1
    assert not (tmp_path / "out.html").exists()
    empty = wnparse_inside("show")
    assert (empty.returncode, empty.stdout, empty.stderr) == (0, b"", b"wnparse: no sentence to show\n")


def test_a_closed_pipe_is_quiet(tmp_path: Path) -> None:
    command = f"{sys.executable} -m wnparse show {ROOT / 'data' / 'dev.conllu'} | head -1"
    result = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, timeout=60, check=False)
    assert (result.stdout.count(b"\n"), result.stderr) == (1, b"")


def test_prints_help(wnparse_inside: Run) -> None:
    assert b"Examples:" in wnparse_inside("show", "--help").stdout


@pytest.mark.parametrize("command", ["show --html", "show --svg", "show --tex", "stats --html", "eval --html"])
def test_a_missing_folder_is_refused_before_any_work(wnparse_inside: Run, sample: str, command: str) -> None:
    files = [sample, sample] if "eval" in command else [sample]
    result = wnparse_inside(*command.split(), f"nowhere/out.{command.split('--')[1]}", *files)
    assert result.returncode == 2
    assert b"nowhere' does not exist" in result.stderr
    assert result.stdout == b""
