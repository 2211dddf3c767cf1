"""The pages of ``eval`` and ``stats``: the terminal's numbers, plots of them, links to pictures."""

from __future__ import annotations

import html
import itertools
import re
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest

from support.browser import has_colour, screenshot, visit, with_script
from support.commands import Run
from support.pages import checked
from support.places import ROOT
from support.treebanks import conllu
from wnparse.reports.charts import COLOURS, NEUTRAL, Series, bar_chart, line_chart, row_chart
from wnparse.reports.html_tables import bands, html_table
from wnparse.reports.tables import Table
from wnparse.reports.worst import WorstSentences
from wnparse.treebanks.parallel import Group
from wnparse.treebanks.sentence import parse_sentence

GOLD = [
    (["w"] * 4, [0, 0, 1, 2], ["root", "root", "obj", "obl"]),
    (["a", "<b>&"], [0, 1], ["root", "nmod:poss"]),
    (["x"] * 12, [0, *[1] * 11], ["root", *["det"] * 11]),
]
SYSTEM = [
    (["w"] * 4, [0, 1, 1, 1], ["root", "conj", "iobj", "obl"]),
    (["a", "<b>&"], [0, 1], ["root", "nmod"]),
    (["x"] * 12, [0, *[1] * 10, 2], ["root", *["det"] * 11]),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, treebank in (("gold", GOLD), ("system", SYSTEM)):
        text = b"".join(conllu(*rows, sent_id=f"s{number}") for number, rows in enumerate(treebank, 1))
        (tmp_path / f"{name}.conllu").write_bytes(text)
    return tmp_path


def cells(page: str) -> list[str]:
    """The text of all table cells, in order."""
    matches = re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", page)
    return [html.unescape(re.sub(r"<[^>]*>", "", cell)).strip() for cell in matches]


def texts(markup: str) -> list[str]:
    return [node.text or "" for node in ElementTree.fromstring(markup).iter("text")]


def test_eval_page_has_the_numbers_of_the_terminal(wnparse_inside: Run, folder: Path) -> None:
    by = ["--by", "length", "--by", "relation", "--by", "distance", "--by", "confusion"]
    files = ["gold.conllu", "system.conllu", "gold.conllu"]
    terminal = wnparse_inside("eval", *files, *by).stdout.decode()
    plain = wnparse_inside("eval", *files).stdout
    result = wnparse_inside("eval", *files, "--html", "report.html")
    assert (result.returncode, result.stderr, result.stdout) == (0, b"", plain)
    page = (folder / "report.html").read_text()
    checked(page)
    texts = iter(cells(page))
    for line in terminal.splitlines()[3:]:
        numbers = re.findall(r"(?<= )(?:[+-]?\d+\.\d+|n/a)(?= |$)", line)
        assert all(number in texts for number in numbers), line


def test_eval_page_draws_the_worst_sentences(wnparse_inside: Run, folder: Path) -> None:
    page = wnparse_inside("eval", "gold.conllu", "system.conllu", "--html", "-").stdout.decode()
    checked(page)
    links = re.findall(r'<td><a href="#([^"]+)">', page)
    assert links == ["s1-1", "s1-3"]
    assert re.findall(r'<figure id="([^"]+)"', page) == links
    for title in ("UAS by sentence length", "Trees with each structure", "Block degree", "F1 by relation"):
        assert title in page
    assert 'data-second="-1 0 1 1 1"' in page
    same = wnparse_inside("eval", "gold.conllu", "gold.conllu", "--html", "-").stdout.decode()
    assert "<figure" not in same


def test_shows_confused_relations(wnparse_inside: Run, folder: Path) -> None:
    text = wnparse_inside("eval", "gold.conllu", "system.conllu", "--by", "confusion").stdout.decode()
    assert re.search(r"obj as iobj +1 +1 +100\.00", text)
    assert re.search(r"root as conj +4 +1 +25\.00", text)
    page = wnparse_inside("eval", "gold.conllu", "system.conllu", "--html", "-").stdout.decode()
    assert page.count("data-heat=") == 2


def test_finds_the_worst_sentences() -> None:
    worst = WorstSentences(1, 2)
    heads = [[0, 1, 1], [0, 1, 2], [0, 1, 1], [2, 0, 2], [0, 1, 1]]
    for predicted in heads:
        rows = [parse_sentence(conllu("abc", one)) for one in ([0, 1, 1], predicted)]
        worst(Group([[row] for row in rows], True), b"\1\1\1")
    assert [(bad.number, bad.wrong_heads, bad.wrong_arcs) for bad in worst.of(0)] == [(4, 3, 3), (2, 1, 1)]
    # Only scored words count, and relations up to their colon.
    worst = WorstSentences(1, 2)
    gold = parse_sentence(conllu("ab", [0, 1], ["root", "nmod:poss"]))
    for label in ("nmod", "obj"):
        for scored in (b"\1\0", b"\1\1"):
            system = parse_sentence(conllu("ab", [0, 1], ["root", label]))
            worst(Group([[gold], [system]], True), scored)
    assert [bad.number for bad in worst.of(0)] == [4]


def test_stats_page_has_the_numbers_of_the_terminal(wnparse_inside: Run, folder: Path) -> None:
    terminal = wnparse_inside("stats", "gold.conllu", "system.conllu")
    result = wnparse_inside("stats", "gold.conllu", "system.conllu", "--html", "report.html")
    assert (result.returncode, result.stderr, result.stdout) == (0, b"", terminal.stdout)
    page = (folder / "report.html").read_text()
    checked(page)
    texts = cells(page)
    for line in terminal.stdout.decode().split("\n\nblock degree, %")[0].splitlines()[1:]:
        name, *values = [cell for cell in re.split(r"\s{2,}", line.strip()) if cell] or [""]
        row = [name, *values[-1:], *values[:-1]]  # the sum comes first
        places = [place for place in range(len(texts)) if texts[place : place + len(row)] == row]
        assert places or not name, row
    for title in ("Block degree", "Coverage", "Sentence length"):
        assert title in page
    assert page.count("<figure") == 1
    assert "yields of 1 and 2 interleave" in page


def test_handles_empty_and_bad_inputs(wnparse_inside: Run, folder: Path) -> None:
    for command in (["stats", "-"], ["eval", "empty.conllu", "-"]):
        (folder / "empty.conllu").write_bytes(b"")
        result = wnparse_inside(*command, "--html", "report.html")
        assert result.returncode == 0
        assert "There are no sentences." in (folder / "report.html").read_text()
        (folder / "report.html").unlink()
    (folder / "bad.conllu").write_bytes(conllu("a", [0]) + b"1\tb\n\n")
    for command in (["stats", "bad.conllu"], ["eval", "bad.conllu", "bad.conllu"]):
        result = wnparse_inside(*command, "--html", "report.html")
        assert (result.returncode, result.stdout) == (1, b"")
        assert b"bad.conllu:3: 2 columns" in result.stderr
        assert not (folder / "report.html").exists()
    for command in (["stats", "gold.conllu"], ["eval", "gold.conllu", "gold.conllu"]):
        assert wnparse_inside(*command, "--html", "x", "-o", "x").returncode == 2


def test_tables_are_escaped_and_groups_span() -> None:
    table = Table("<t>", [["", "one", "", "two", ""], ["x", "a", "b", "a", "b"]], [["<&>", "1", "2", "3", "4"]])
    markup = html_table(table)
    assert '<th scope="col" colspan="2">one</th>' in markup
    assert "<td>&lt;&amp;&gt;</td>" in markup
    assert "<h2>&lt;t&gt;</h2>" in markup


def test_wraps_wide_tables() -> None:
    names = [f"a/rather/long/name-{k}.conllu" for k in range(11)]
    table = Table(
        "t", [["", *names]], [["row", *map(str, range(11))], ["a heading of more than one column", *[""] * 11]]
    )
    parts = bands(table, 600)
    assert [len(band.headings[0]) for band in parts] == [5, 5, 4]
    assert [cell for band in parts for cell in band.rows[0][1:]] == table.rows[0][1:]
    assert [band.rows[0][0] for band in parts] == ["row"] * 3
    assert bands(table, 10_000) == [table]
    assert len(bands(table, 1)) == 11
    # Groups of columns stay together, and all columns that name rows are repeated.
    grouped = Table("t", [["", "", "one", "", "two", ""], ["x", "n", *"abab"]], [["row", "7", *"1234"]])
    assert [band.lines for band in bands(grouped, 1)] == [
        [["", "", "one", ""], ["x", "n", "a", "b"], ["row", "7", "1", "2"]],
        [["", "", "two", ""], ["x", "n", "a", "b"], ["row", "7", "3", "4"]],
    ]
    assert bands(Table("t", [["", "a"]], []), 1) == [Table("t", [["", "a"]], [])]


FITS = """
for (const rule of document.styleSheets[0].cssRules)
  if (PRINT && rule.media && rule.media.mediaText === "print") rule.media.mediaText = "all";
const boxes = [...document.querySelectorAll(".wide:has(table)")];
const right = document.documentElement.clientWidth;
document.title = boxes.map((box) => Number(box.firstChild.getBoundingClientRect().right <= right)).join("");
"""


def fits(page: Path, width: int, *, printed: bool) -> str:
    """For each table of a page 1 if all of it is to be seen in a window of this width, or on such paper."""
    tried = page.with_name("tried.html")
    tried.write_text(with_script(page.read_text(), FITS.replace("PRINT", str(printed).lower())))
    output = visit(tried, "--dump-dom", f"--window-size={width},900").output
    return re.findall(r"<title>(.*?)</title>", output)[0]


def test_all_columns_are_visible_on_screen_and_paper(wnparse_inside: Run, folder: Path) -> None:
    for k in range(8):
        (folder / f"language-{k}").mkdir()
        shutil.copy(folder / "gold.conllu", folder / f"language-{k}" / "dev.conllu")
    files = [str(folder / f"language-{k}" / "dev.conllu") for k in range(8)]
    wnparse_inside("stats", *files, "--html", "stats.html")
    wnparse_inside("eval", *files, "--html", "eval.html")
    names = re.findall(r"<th( [^>]*)?>(.*?)</th>", (folder / "stats.html").read_text())
    assert [name.replace("<wbr>", "") for _, name in names if name] == [
        "all",
        *(f"language-{k}/dev.conllu" for k in range(8)),
    ]
    for name in ("stats.html", "eval.html"):
        assert set(fits(folder / name, 1280, printed=False)) == {"1"}, name
        # A4 is 210 mm wide, with margins of 10 mm, at 96 pixels an inch.
        assert set(fits(folder / name, 718, printed=True)) == {"1"}, name


def test_titles_name_files_without_folders(wnparse_inside: Run, folder: Path) -> None:
    gold, system = (str(folder / name) for name in ("gold.conllu", "system.conllu"))
    others = [f"{folder}/./{name}" for name in ("gold.conllu", "system.conllu")]
    for command, title in (
        (["stats", gold], "Structure of gold.conllu"),
        (["stats", gold, system], "Structure of gold.conllu and system.conllu"),
        (["stats", gold, *others], "Structure of .*?/gold.conllu, ./gold.conllu and ./system.conllu"),
        (["stats", gold, system, *others], "Structure of .*/gold.conllu, .*/system.conllu and 2 more files"),
        (["eval", gold, system], "Evaluation against gold.conllu"),
        (["show", gold, "--differs-from", system], "Trees of gold.conllu and system.conllu"),
    ):
        page = wnparse_inside(*command, "--html", "-").stdout.decode()
        (match,) = re.findall(r"^<title>(.*)</title>$", page, re.M)
        assert re.fullmatch(title, match)
        assert str(folder) not in match
        assert gold in page  # the path is given below the heading


def result_of(page: bytes) -> str:
    """The sentence at the top of a report."""
    (sentence,) = re.findall(r'<h1>.*?</h1>\n<p class="result">(.*?)</p>', page.decode())
    return html.unescape(sentence)


def test_reports_say_their_result_first(wnparse_inside: Run, folder: Path) -> None:
    one = result_of(wnparse_inside("eval", "gold.conllu", "system.conllu", "--html", "-").stdout)
    assert re.fullmatch(r"system\.conllu has \d+\.\d\d LAS\.", one)
    two = result_of(wnparse_inside("eval", "gold.conllu", "system.conllu", "gold.conllu", "--html", "-").stdout)
    assert re.fullmatch(
        r"gold\.conllu is better than system\.conllu by \d+\.\d\d LAS \(p = 0\.\d+\), which is not significant\.",
        two,
    )
    same = result_of(wnparse_inside("eval", *["gold.conllu"] * 4, "--html", "-").stdout)
    assert re.match(r"Of 3 systems, .* are equally good: 100\.00 LAS", same)
    structure = result_of(wnparse_inside("stats", "gold.conllu", "--html", "-").stdout)
    assert structure == (
        "This treebank needs block degree 2, and trees that are not well-nested: trees of block degree at most 2 "
        "cover 100.00 % of the sentences."
    )
    rules = result_of(wnparse_inside("rules", "--rules", "ud", "gold.conllu", "--html", "-").stdout)
    assert re.match(r"\d of 3 sentences breaks? a rule \(\d+\.\d\d %\)", rules)


def test_a_significant_difference_has_a_small_p_value(wnparse_inside: Run, tmp_path: Path) -> None:
    for name, head in (("gold", 1), ("bad", 3)):
        text = b"".join(conllu(["a", "b", "c"], [0, head, 1], sent_id=str(n)) for n in range(20))
        (tmp_path / name).write_bytes(text)
    page = wnparse_inside("eval", "gold", "bad", "gold", "--html", "-").stdout
    assert result_of(page) == "gold is better than bad by 33.33 LAS (p < 0.001)."


def test_plots_stand_next_to_tables_on_wide_screens(wnparse_inside: Run, folder: Path) -> None:
    page = folder / "wide.html"
    report = wnparse_inside("eval", "gold.conllu", "system.conllu", "--html", "-").stdout.decode()
    script = (
        "const [left, right] = document.querySelectorAll('.beside > div');"
        "const [one, other] = [left.getBoundingClientRect().top, right.getBoundingClientRect().top];"
        "document.title = one == other ? 'next' : 'below';"
    )
    page.write_text(with_script(report, script))
    for width, expected in ((1800, "next"), (900, "below")):
        visited = visit(page, "--dump-dom", f"--window-size={width},900")
        assert f"<title>{expected}</title>" in visited.output
        assert not visited.messages


NAMES = ["1-10", "11-20", "<b>"]
TWO = [Series("gold & co", [10.0, None, 0.0], -1), Series("second", [55.5, 100.0, 3.25], 0)]


@pytest.mark.parametrize("kind", [bar_chart, line_chart])
def test_draws_upright_charts(kind: object) -> None:
    markup = kind("Title <1>", NAMES, TWO, x_title="words", y_title="%")  # type: ignore[operator]
    assert {"Title <1>", *NAMES, "words", "%", "gold & co", "second"} <= set(texts(markup))
    assert NEUTRAL in markup
    assert COLOURS[0] in markup
    assert "nan" not in markup


def test_bars_are_as_high_as_their_values() -> None:
    root = ElementTree.fromstring(
        bar_chart("t", ["a", "b"], [Series("s", [20.0, 80.0], 0)], x_title="", y_title="")
    )
    low, high = (float(box.get("height", "")) for box in root.iter("rect"))
    assert high == pytest.approx(4 * low)
    root = ElementTree.fromstring(
        row_chart("t", ["a", "b"], [Series("s", [25.0, None], 0)], x_title="", width=200)
    )
    assert [float(box.get("width", "")) for box in root.iter("rect")] == [50, 0]
    assert {"25.0", "n/a"} <= {node.text for node in root.iter("text")}


def test_a_few_sentences_are_not_drawn_as_a_trend(wnparse_inside: Run, folder: Path) -> None:
    bins = ["1-10", "11-20", "21-30", "31-40", ">40"]
    values = Series("s", [90.0, 91.0, 89.0, 20.0, 100.0], 0)
    markup = line_chart("t", bins, [values], x_title="x", y_title="y", sizes=[500, 60, 10, 1, 9])
    root = ElementTree.fromstring(markup)
    (line,) = root.findall("path[@class='line']")
    assert line.get("d", "").count("L") == 2  # the bins of 10 sentences and more
    assert len(root.findall("path[@class='few']")) == 2
    assert {"n = 500", "n = 60", "n = 10", "n = 1", "n = 9", "hollow: fewer than 10 sentences"} <= set(
        texts(markup)
    )
    large = line_chart("t", bins, [values], x_title="x", y_title="y", sizes=[10] * 5)
    assert "hollow" not in large
    assert large.count('class="line"') == 1
    page = wnparse_inside("eval", "gold.conllu", "system.conllu", "--html", "-").stdout.decode()
    assert re.findall(r">(n = \d+)<", page) == ["n = 2", "n = 1"] * 2


def test_no_axis_goes_beyond_100() -> None:
    assert "101" not in texts(line_chart("t", ["a"], [Series("s", [100.0], 0)], x_title="", y_title=""))


def test_nothing_is_drawn_outside_a_chart() -> None:
    many = [Series(f"a system with a long name {k}", [k * 10.0, 99.99, 0.01], k) for k in range(7)]
    for markup in (
        bar_chart("t", NAMES, many, x_title="x", y_title="y"),
        line_chart("t", NAMES, many, x_title="x", y_title="y"),
        line_chart("t", NAMES, many, x_title="x", y_title="y", sizes=[12345678, 9, 0]),
        row_chart("t", ["a rather long relation (1234)", "b", "c"], many, x_title="x"),
    ):
        root = ElementTree.fromstring(markup)
        width, height = (float(root.get(key, "")) for key in ("width", "height"))
        for node in itertools.chain(root.iter("text"), root.iter("rect")):
            assert 0 <= float(node.get("x", "")) <= width
            assert 0 <= float(node.get("y", "")) <= height


def test_the_report_works_in_a_browser(wnparse_inside: Run, tmp_path: Path) -> None:
    wnparse_inside("stats", "--html", "page.html", stdin=(ROOT / "data" / "dev.conllu").read_bytes())
    pixels, visited = screenshot(tmp_path / "page.html", 320, 1250)
    assert visited.messages == []
    assert has_colour(pixels, COLOURS[0], 1000)
