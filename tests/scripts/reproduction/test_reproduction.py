"""scripts/reproduce on a tiny treebank: all is there, comes out of the run, and is not measured twice."""

from __future__ import annotations

import html
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import wnparse
from reproduction import __main__ as reproduce
from reproduction import parsing_runs, peers, steps
from reproduction.findings import PAPERS
from reproduction.koo2010 import relaxations
from reproduction.laboratory import Laboratory, RunOptions
from reproduction.martins2009 import ladder as rungs
from reproduction.report import plots
from reproduction.treebanks import Treebank
from reproduction.zong2012 import learners
from support.browser import has_colour, screenshot
from support.commands import Run
from support.pages import checked
from support.places import DATA, ROOT, folder_of
from wnparse.reports.charts import COLOURS

NAME = "tiny<b>&$x$"
OPTIONS = ["--epochs", "1", "--repeats", "1", "--no-peers", "--learner-words", "1", "--higher-words", "1"]
OPTIONS += ["--program-sentences", "0"]
TITLES = [
    "The parser with its default decoder, B&B",
    "Table 1: structure of the treebanks",
    "Table 2: decoding time where the best arborescence is invalid",
    "Table 3: accuracy, valid trees and time by decoder",
    "Figure 2 in numbers: optimality rate of the relaxation",
    "Problem reduction at the root of the search",
    "Peers: the same files, gold tags, whole labels",
    "Decoding time by sentence length, all treebanks",
    "Training time by treebank size: one epoch",
    "Parsing speed by number of jobs",
]
HIGHER = [
    "Table 1 of Koo et al. 2010: accuracy, certificates and time by parts",
    "Table 3 of Koo et al. 2010: projective (P-) and other trees",
    "Table 4 of Corro et al. 2016: valid trees by order",
    "Section 7.6 of Koo et al. 2010: automata without a tree",
    "Figure 3 of Koo et al. 2010 in numbers: automata run again",
    "Figure 4 of Koo et al. 2010 in numbers: early stopping",
    "Section 7.3 of Corro et al. 2016: decoders of training",
    "Table 1 of Martins et al. 2009: accuracy by parts, exact and relaxed",
    "Table 2 of Koo et al. 2010: linear programs and dual decomposition",
]
RECORDED = [
    {"treebank": NAME, "model": "basic", "uas": 81.5, "words_per_second": 10_400, "megabytes": 36},
    {"treebank": NAME, "model": "labelled", "uas": 82.25, "las": 75.5, "words_per_second": 2_700, "nested2": 94.2},
    {"treebank": "another", "model": "basic", "uas": 1.0},
]


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eighty sentences to learn from and forty to parse; a name that pages must escape."""
    folder = tmp_path_factory.mktemp("treebanks") / NAME
    folder.mkdir()
    texts = (DATA / "dev.conllu").read_text().strip().split("\n\n")
    for part, chosen in {"train": texts[:80], "dev": texts[80:100], "test": texts[100:140]}.items():
        (folder / f"{part}.conllu").write_text("\n\n".join(chosen) + "\n\n")
    return folder


def run_main(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["reproduce.py", *map(str, arguments)])
    monkeypatch.setattr(parsing_runs, "LEAST_WORDS", 1)  # quick; times are not compared here
    monkeypatch.setattr(peers, "ANCHORS", {"turboparser": {"runs": RECORDED}})
    reproduce.main()


@pytest.fixture(scope="session")
def report(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of one run."""
    folder = tmp_path_factory.mktemp("report")
    with pytest.MonkeyPatch.context() as patch:
        run_main(arguments(tiny, folder), patch)
    return folder


def arguments(tiny: Path, folder: Path, *more: str) -> list[str]:
    return ["--treebanks", str(tiny), "--report", str(folder), *OPTIONS, *more]


@pytest.fixture
def again(
    tiny: Path, report: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., str]:
    """Run once more into the same folder; what was said."""

    def run(*more: str) -> str:
        run_main(arguments(tiny, report, *more), monkeypatch)
        return capsys.readouterr().err

    return run


def load(report: Path) -> dict[str, Any]:
    return dict(json.loads((report / "report.json").read_text()))


def test_all_tables_are_there_and_the_three_forms_agree(report: Path) -> None:
    document = load(report)
    assert [table["title"] for table in document["tables"]] == TITLES
    text, page = (report / "report.md").read_text(), (report / "index.html").read_text()
    cells = [html.unescape(cell) for cell in re.findall(r"<td(?: [^>]*)?>(.*?)</td>", page)]
    rows = [
        [cell.strip(" *") for cell in line.strip("| \n").split(" | ")] for line in text.splitlines() if "|" in line
    ]
    for table in document["tables"]:
        assert table["rows"]
        for row in table["rows"]:
            assert [cell.strip() for cell in row if cell.strip()] in [[c for c in line if c] for line in rows]
            shown = row if any(row[1:]) else row[:1]  # a heading takes all columns
            assert any(cells[place : place + len(shown)] == shown for place in range(len(cells))), row


def test_the_page_is_self_contained_and_escaped(report: Path) -> None:
    page = (report / "index.html").read_text()
    seen = checked(page)
    assert seen.loads == []
    assert "b" not in seen.tags
    assert "tiny&lt;b&gt;&amp;$x$" in page


def cell(document: dict[str, Any], title: str, row: str, column: str) -> float:
    table = next(table for table in document["tables"] if table["title"].startswith(title))
    cells = next(cells for cells in table["rows"] if cells[0].strip() == row)
    return float(cells[table["headings"][-1].index(column)].replace(",", ""))


def test_figures_equal_those_of_the_commands(report: Path, tiny: Path, wnparse_inside: Run) -> None:
    document = load(report)
    (model,) = (report / "models").glob("*.wnp")
    test = str(tiny / "test.conllu")
    for decoder, name in (("bnb", "B&B"), ("msa", "MSA"), ("eisner", "Eisner")):
        parsed = wnparse_inside(
            "parse", "-m", str(model), test, "--decoder", decoder, "--crossing-penalty", "0"
        ).stdout
        scores = json.loads(wnparse_inside("eval", test, "-", "--json", stdin=parsed).stdout)["systems"][0]
        assert cell(document, "Table 3", "UAS", name) == round(scores["uas"], 2)
        assert cell(document, "Table 3", "LAS", name) == round(scores["las_subtypes"], 2)
    assert cell(document, "Table 3", "valid %", "B&B") == 100
    assert cell(document, "Table 3", "decoding time", "MSA") == 1
    stats = json.loads(wnparse_inside("stats", *map(str, sorted(tiny.glob("*.conllu"))), "--json").stdout)["all"]
    assert document["results"]["structure"][NAME]["all"]["structure"] == stats["structure"]


def test_measurements_make_sense(report: Path) -> None:
    results = {step: of_treebanks[NAME] for step, of_treebanks in load(report)["results"].items()}
    invalid = results["times"]["sentences"]
    assert 0 < invalid < 40
    assert results["decoders"]["rows"]["msa"]["valid"] == 100 * (40 - invalid) / 40
    for curve in results["optimality"]["curves"].values():
        assert all(point["certified"] <= point["optimal"] for point in curve)
    ours = results["optimality"]["curves"]["LR"]
    assert ours[-1]["certified"] >= ours[0]["certified"]
    for row in results["reduction"]["rows"].values():
        assert row["settled"] + row["open"] == invalid
    assert sum(row["sentences"] for row in results["lengths"]["bins"]) == 40
    words = [row["words"] for row in results["training"]["rows"]]
    assert words == sorted(words)
    assert results["jobs"]["same_output"]


def test_recorded_figures_are_shown_next_to_ours(report: Path) -> None:
    document = load(report)
    assert cell(document, "Peers", "TurboParser 2.3, labelled (recorded)", "LAS") == 75.5
    assert cell(document, "Peers", "TurboParser 2.3, basic (recorded)", "words/s, user time") == 10400
    assert cell(document, "Peers", "wnparse, bnb", "UAS") == cell(document, "Table 3", "UAS", "B&B")


def test_a_rerun_measures_only_what_has_changed(report: Path, again: Callable[..., str]) -> None:
    def written() -> list[bytes]:
        return [(report / name).read_bytes() for name in ("report.json", "report.md", "index.html")]

    before, steps = written(), set((report / "steps").iterdir())
    lines = [line for line in again().splitlines() if line.startswith("[")]
    assert len(lines) == len(steps) == 8
    assert all("kept from" in line for line in lines)
    assert written() == before
    lines = [line for line in again("--repeats", "2").splitlines() if line.startswith("[")]
    assert [line.split(": ")[1].split(",")[0] for line in lines if "kept from" not in line] == [
        "times", "decoders", "lengths", "jobs",
    ]  # fmt: skip
    assert len(set((report / "steps").iterdir()) - steps) == 4
    (report / "steps" / sorted(path.name for path in steps)[0]).write_text("{")  # a file cut short counts as none
    assert sum("kept from" in line for line in again().splitlines()) == 7


def test_works_without_matplotlib(
    report: Path, again: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert "wnparse[plots]" in again()
    assert not list((report / "plots").glob("*"))
    assert "![" not in (report / "report.md").read_text()
    page = (report / "index.html").read_text()
    assert "<svg" not in page
    assert "wnparse[plots]" in page
    assert len(load(report)["tables"]) == len(TITLES)


def test_draws_plots(report: Path, again: Callable[..., str], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="plots need matplotlib (the extra plots)")
    again()
    first = {path.name: path.read_bytes() for path in (report / "plots").iterdir()}
    again("--summary", str(tmp_path / "results.md"))
    assert first == {path.name: path.read_bytes() for path in (report / "plots").iterdir()}
    assert first == {path.name: path.read_bytes() for path in (tmp_path / "plots").iterdir()}
    absent = {"learners", "automata", "early-stopping"}
    assert {path.removesuffix(".svg") for path in first} == set(plots.PLOTS) - absent
    assert (tmp_path / "results.md").read_bytes() == (report / "report.md").read_bytes()
    labels = {
        "optimality.svg": ["subgradient iterations", "optimality rate, %"],
        "peers.svg": ["words/s of user time", "LAS, %"],
        "time-by-length.svg": ["words in the sentence", "mean decoding time, µs"],
        "training-time.svg": ["words in the training data", "one epoch, s of user time"],
        "speed-by-jobs.svg": ["jobs", "thousand words/s of the clock"],
    }
    for name, markup in first.items():
        ElementTree.fromstring(markup)
        assert all(f"<!-- {label} -->" in markup.decode() for label in labels[name]), name
    page = (report / "index.html").read_text()
    names = re.findall(r'\bid="([^"]+)"', page)
    assert len(names) == len(set(names))
    (tmp_path / "index.html").write_text(page)
    pixels, visited = screenshot(tmp_path / "index.html", 1200, 5000)
    assert visited.messages == []
    assert has_colour(pixels, COLOURS[0], 200)
    assert has_colour(pixels, COLOURS[4], 200)


def test_compares_learners_by_iterations(report: Path, again: Callable[..., str]) -> None:
    again("--learner-words", "100000", "--learner-iterations", "1", "2")
    (table,) = [table for table in load(report)["tables"] if table["title"].startswith("Table 1 of Zong")]
    rows = table["rows"][1:]
    assert [row[1] for row in rows] == ["1", "2"] * 5
    assert len({row[0] for row in rows}) == 5
    assert all(0 < float(row[2]) <= 100 and 0 <= float(row[3]) <= 100 for row in rows)
    assert "--learner-words 1" in again()


def test_compares_learners_on_english_of_any_size() -> None:
    lengths = {name: learners.reason_to_skip(laboratory_of(name), 50_000) for name in ("en-ewt", "nl-alpino")}
    assert lengths == {"en-ewt": "", "nl-alpino": "more training words than --learner-words 40,000"}


def laboratory_of(name: str) -> Laboratory:
    return Laboratory(Treebank(name, Path(name)), RunOptions(), None)  # type: ignore[arg-type]


@pytest.fixture(scope="session")
def higher(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a run with parsers of higher order, and with linear programs."""
    folder = tmp_path_factory.mktemp("higher")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rungs, "LONGEST", 8)
        patch.setattr(relaxations, "RANDOM_WORDS", 4)
        run_main(arguments(tiny, folder, "--higher-words", "100000", "--program-sentences", "10"), patch)
    return folder


def test_measures_higher_order_models(higher: Path, tiny: Path, wnparse_inside: Run) -> None:
    document = load(higher)
    titles = [table["title"] for table in document["tables"]]
    assert [title for title in titles if title not in TITLES] == HIGHER
    test = str(tiny / "test.conllu")
    (model,) = (higher / "models" / "gs").glob("*.wnp")
    for decoder, title, row, column in (
        ("msa", "Table 1 of Koo", "G+S (order 2)", "UAS"),
        ("bnb", "Table 1 of Koo", "G+S (order 2)", "B&B: UAS"),
        ("eisner", "Table 3 of Koo", NAME, "P-G+S"),
        ("msa", "Table 4 of Corro", "order 2", "UAS"),
    ):
        parsed = wnparse_inside(
            "parse", "-m", str(model), test, "--decoder", decoder, "--crossing-penalty", "0"
        ).stdout
        scores = json.loads(wnparse_inside("eval", test, "-", "--json", stdin=parsed).stdout)["systems"][0]
        assert cell(document, title, row, column) == round(scores["uas"], 2)
    (siblings,) = (higher / "models" / "sib").glob("*.wnp")
    assert {text.split()[0] for text in wnparse.load(str(siblings)).part_templates} == {"sibling"}
    assert cell(document, "Table 4 of Corro", "order 1", "time") == 1


def test_measures_automata_and_limits(higher: Path) -> None:
    results = load(higher)["results"]
    for kind, row in results["automata"][NAME]["rows"].items():
        assert all(0 < scores[key] < 100 for scores in row["alone"].values() for key in ("precision", "recall"))
        first = row["recomputed"][0]
        assert (first["iterations"], first["percent"], first["sentences"]) == (1, 100, 40)
        assert all(0 <= point["percent"] <= 100 for point in row["recomputed"])
        last = row["limits"][-1]
        assert last["same"] == 100
        assert last["certified"] >= row["limits"][0]["certified"]
        free = results["orders"][NAME]["rows"][kind]["decoders"]["msa"]
        assert abs(last["uas"] - free["uas"]) < 1
    for row in results["orders"][NAME]["rows"].values():
        assert row["decoders"]["bnb"]["valid"] == row["decoders"]["lr"]["valid"] == 100
        assert row["decoders"]["bnb"]["certified"] >= row["decoders"]["lr"]["certified"]
    assert set(results["training decoders"][NAME]["rows"]) == {"first", "by lr", "by bnb"}


def test_measures_linear_programs(higher: Path) -> None:
    document = load(higher)
    results = {step: document["results"][step][NAME] for step in (steps.LADDER, steps.RELAXATIONS)}
    ladder, compared = results[steps.LADDER], results[steps.RELAXATIONS]
    assert (ladder["train_sentences"], ladder["test_sentences"], compared["sentences"]) == (10, 5, 2)
    for rung, row in ladder["rows"].items():
        assert cell(document, "Table 1 of Martins", rung, "UAS, exact") == round(row["exact_uas"], 2)
        assert cell(document, "Table 1 of Martins", rung, "UAS, relaxed") == round(row["relaxed_uas"], 2)
    for kind, short in (("sib", "Sib"), ("gs", "G+S")):
        row = compared["rows"][kind]
        assert row["sentences"]["different"] == row["random"]["different"] == 0
        assert row["sentences"]["rows"]["B&B"]["proved"] == row["random"]["rows"]["B&B"]["proved"] == 100
        for way, figures in row["sentences"]["rows"].items():
            assert cell(document, "Table 2 of Koo", f"{short}: {way}", "UAS") == round(figures["uas"], 2)
        paper = PAPERS["koo2010"]["table2"][kind]
        label = f"{short}: LP(M), paper: English, Penn Treebank (other data)"
        assert cell(document, "Table 2 of Koo", label, "integral %") == paper["integral"][1]


def test_works_without_highspy(report: Path, again: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "installed", lambda name: name != "highspy")
    said = again("--program-sentences", "5")
    assert "programs of Martins et al. 2009 skipped: highspy is not installed" in said
    assert "relaxations of Koo et al. 2010 skipped: highspy is not installed" in said
    assert not {table["title"] for table in load(report)["tables"]} - set(TITLES)


def test_draws_plots_of_higher_order_models(higher: Path) -> None:
    pytest.importorskip("matplotlib", reason="plots need matplotlib (the extra plots)")
    for name, labels in {
        "automata": ["iterations", "automata run again, %"],
        "early-stopping": ["limit of iterations, K", "UAS, G+S"],
    }.items():
        markup = (higher / "plots" / f"{name}.svg").read_text()
        ElementTree.fromstring(markup)
        assert all(f"<!-- {label} -->" in markup for label in labels)


def test_reports_bad_usage_and_bad_data(
    tmp_path: Path, tiny: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    for treebank, line in ((empty, "holds no train"), (tmp_path / "none", "no such folder")):
        with pytest.raises(SystemExit) as ended:
            run_main(["--treebanks", str(treebank), "--report", str(tmp_path / "r")], monkeypatch)
        assert ended.value.code == 2
        assert line in capsys.readouterr().err
    (empty / "test.conllu").write_text("1\tword\n\n")
    with pytest.raises(SystemExit) as ended:
        run_main(["--treebanks", str(empty), "--report", str(tmp_path / "r")], monkeypatch)
    assert re.fullmatch(r"reproduce: \S*test.conllu:1: 2 columns.*", str(ended.value.code))
    models = tmp_path / "models"
    models.mkdir()
    (models / "tiny-b-x--labelled-1.wnp").write_bytes(b"no model")
    with pytest.raises(SystemExit) as ended:
        run_main([*arguments(tiny, tmp_path / "r"), "--models", str(models)], monkeypatch)
    assert "no model" in str(ended.value.code) or "labelled-1.wnp" in str(ended.value.code)


def test_can_run_some_steps_only(tmp_path: Path, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_main(arguments(tiny, tmp_path, "--steps", "structure", "decoders"), monkeypatch)
    assert list(load(tmp_path)["results"]) == ["structure", "decoders"]
    assert [table["title"] for table in load(tmp_path)["tables"]] == [TITLES[1], TITLES[3], TITLES[6]]


def test_measures_only_structure_without_training_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "ud12-pt"
    folder.mkdir()
    (folder / "test.conllu").write_bytes((DATA / "test.conllu").read_bytes())
    run_main(["--treebanks", str(folder), "--report", str(tmp_path / "r"), "--limit", "50"], monkeypatch)
    (table,) = load(tmp_path / "r")["tables"]
    assert [row[0].strip() for row in table["rows"]] == [
        "ud12-pt",
        "paper: Portuguese, UD 1.2, training data included",
    ]
    assert table["rows"][0][1] == "50"


def test_figures_of_papers_are_quoted_correctly() -> None:
    corro = PAPERS["corro2016"]
    for code in corro["data"]:
        shares = corro["table1"][code]
        assert sum(value or 0 for row in shares.values() for value in row) == pytest.approx(100, abs=0.15)
    papers = folder_of("WNPARSE_PAPERS")
    texts = {
        "corro2016": "000_901758b91b55749a.txt",
        "koo2010": "003_1b97e3953bcba221.txt",
        "martins2009": "001_f9a587926a9a1ea2.txt",
        "zong2012": "002_6e80a638cb399bc8.txt",
    }
    for key, name in texts.items():
        printed = {float(number) for number in re.findall(r"\d+(?:\.\d+)?", (papers / name).read_text())}
        missing = [number for number in numbers(PAPERS[key]) if number not in printed]
        assert not missing


def numbers(value: Any) -> list[float]:
    """All numbers in a JSON value."""
    if isinstance(value, dict):
        return [number for inner in value.values() for number in numbers(inner)]
    if isinstance(value, list):
        return [number for inner in value for number in numbers(inner)]
    return [value] if isinstance(value, (int, float)) else []


def test_the_readme_shows_the_key_table_of_the_results() -> None:
    readme, results = ((ROOT / name).read_text() for name in ("README.md", "docs/lab/results.md"))
    heading = "|  | constraint | valid %: MSA |"
    shown, made = (text[text.index(heading) :].split("\n\n")[0] for text in (readme, results))
    assert shown == made
    assert shown.count("\n") > 2
    for document, text in (("README.md", readme), ("docs/lab/results.md", results)):
        for image in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", text):
            ElementTree.parse((ROOT / document).parent / image)
