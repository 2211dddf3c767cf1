"""The tables of an evaluation, for the terminal and the page alike."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from wnparse.drawing.names import short_names
from wnparse.evaluation.evaluate import Evaluation, SystemEvaluation
from wnparse.evaluation.metrics import Percentage, Retrieval, Scores
from wnparse.evaluation.tag_scores import TagScores
from wnparse.reports.tables import Table
from wnparse.wording import plural

LONGEST_LABEL = 24
SCORES = {
    "uas": "UAS",
    "las": "LAS",
    "las_subtypes": "LAS with subtypes",
    "clas": "CLAS",
    "uc": "complete sentences, unlabelled (UC)",
    "lc": "complete sentences, labelled (LC)",
}
TAG_SCORES = {
    "upos": "UPOS",
    "xpos": "XPOS",
    "ufeats": "UFeats",
    "alltags": "AllTags",
    "lemmas": "Lemmas",
    "mlas": "MLAS",
    "blex": "BLEX",
}
WHOLE = ("MLAS", "BLEX")  # scores of whole trees
RETRIEVAL = {"precision": "P", "recall": "R", "f1": "F1"}
MOST_CONFUSIONS = 20  # a table that people read; --json has all


def number(value: Percentage) -> str:
    """Write a percentage."""
    return "n/a" if value is None else f"{value:.2f}"


def short_labels(names: list[str]) -> list[str]:
    """Column headings: the files' names, or numbers where those are long or alike."""
    labels = short_names(names)
    if len(set(labels)) == len(labels) and all(len(label) <= LONGEST_LABEL for label in labels):
        return labels
    return [f"system {place}" for place in range(1, len(names) + 1)]


def describe_inputs(evaluation: Evaluation, names: list[str], ignored: Collection[str]) -> list[tuple[str, str]]:
    """What was compared: a name and its description each."""
    sentences = f"{evaluation.sentences} {plural(evaluation.sentences, 'sentence')}"
    words = f"{evaluation.words} {plural(evaluation.words, 'word')}"
    lines = [("gold", f"{names[0]}, {sentences}, {words}")]
    lines += list(zip(short_labels(names[1:]), names[1:], strict=True))
    if ignored:
        scored = evaluation.systems[0].scores.words
        lines.append(
            ("scored", f"{scored} {plural(scored, 'word')}, those not tagged {' '.join(sorted(ignored))}")
        )
    return lines


def evaluation_tables(
    evaluation: Evaluation, labels: list[str], constraint: str, by: Collection[str]
) -> list[Table]:
    """All tables: scores, validity, significance, and the breakdowns wanted as far as they were counted."""
    systems = evaluation.systems
    tables = [score_table(labels, systems), validity_table(labels, evaluation, constraint)]
    tables.append(tag_table("Tags and lemmas", labels, [system.tags for system in systems]))
    unseen = [system.unseen_tags for system in systems if system.unseen_tags is not None]
    if unseen:
        title = f"Tags and lemmas of {unseen[0].words} words that training has not seen"
        tables.append(tag_table(title, labels, unseen))
    if len(systems) > 1:
        tables.append(significance_table(labels, systems))
    if "length" in by and systems[0].by_length:
        tables.append(length_table(labels, systems))
    if "relation" in by and systems[0].by_relation:
        rows = [system.by_relation for system in systems]
        title = "By relation, right if head and relation are"
        tables.append(retrieval_table(title, "relation", labels, rows))
    if "distance" in by and systems[0].by_distance:
        rows = [system.by_distance for system in systems]
        tables.append(retrieval_table("By arc length, right if the head is", "length", labels, rows))
    if "confusion" in by and systems[0].by_confusion:
        rows_of = [system.by_confusion for system in systems]
        tables.append(confusion_table("Confused relations, whatever the heads", labels, rows_of))
    if "upos" in by and systems[0].by_upos:
        rows = [system.by_upos for system in systems]
        tables.append(retrieval_table("By UPOS, right if the tag is", "UPOS", labels, rows))
        tables.append(confusion_table("Confused tags", labels, [system.tag_confusion for system in systems]))
    return tables


def score_table(labels: list[str], systems: list[SystemEvaluation]) -> Table:
    """Attachment scores and non-projective arcs."""
    rows = [[title, *(number(getattr(system.scores, key)) for system in systems)] for key, title in SCORES.items()]
    arcs = [system.nonprojective for system in systems]
    rows.append([f"non-projective arcs ({arcs[0].gold} in gold)", *(str(found.system) for found in arcs)])
    for key in RETRIEVAL:
        title = "F1" if key == "f1" else key
        rows.append([f"  {title}", *(number(getattr(found, key)) for found in arcs)])
    return Table("Scores", [["", *labels]], rows)


def tag_table(title: str, labels: list[str], systems: Sequence[TagScores]) -> Table:
    """Tags, lemmas and trees that ask for them; without the last where they were not counted."""
    rows = [[name, *(number(getattr(system, key)) for system in systems)] for key, name in TAG_SCORES.items()]
    return Table(
        title, [["", *labels]], [row for row in rows if row[0] not in WHOLE or systems[0].mlas is not None]
    )


def validity_table(labels: list[str], evaluation: Evaluation, constraint: str) -> Table:
    """How many trees have each structure."""
    inputs = [evaluation.gold, *(system.validity for system in evaluation.systems)]

    def row(title: str, values: list[Percentage]) -> list[str]:
        return [title, *map(number, values)]

    rows = [row("projective (block degree 1)", [found.projective for found in inputs])]
    rows.append(row("single root", [found.single_root for found in inputs]))
    rows.append(row("well-nested", [found.well_nested for found in inputs]))
    bounds = [bound for bound in evaluation.gold.block_degree if bound > 1]
    rows += [row(f"block degree <= {k}", [found.block_degree[k] for found in inputs]) for k in bounds]
    rows += [
        row(f"well-nested, block degree <= {k}", [found.well_nested_block_degree[k] for found in inputs])
        for k in bounds
    ]
    rows.append(["largest block degree", *(str(found.max_block_degree) for found in inputs)])
    if constraint:
        rows.append(row(f"valid: {constraint}", [found.valid for found in inputs]))
    return Table("Trees, % of sentences", [["", "gold", *labels]], rows)


def significance_table(labels: list[str], systems: list[SystemEvaluation]) -> Table:
    """What each further system differs from the first."""
    rows = []
    for label, system in zip(labels[1:], systems[1:], strict=True):
        row = [label]
        for found in system.significance.values():
            shown = "n/a" if found.difference is None else f"{found.difference:+.2f}"
            row += [shown, f"{found.p_value:.4f}"]
        rows.append(row)
    return Table(f"Difference from {labels[0]}, and its p-value", [["", "UAS", "p", "LAS", "p"]], rows)


def _headings(first: list[str], labels: list[str], titles: list[str]) -> list[list[str]]:
    """Headings where each system has the same columns; several systems are named in a row above."""
    rows = [[*first, *titles * len(labels)]]
    if len(labels) > 1:
        names = [cell for label in labels for cell in (label, *[""] * (len(titles) - 1))]
        rows.insert(0, [*[""] * len(first), *names])
    return rows


def length_table(labels: list[str], systems: list[SystemEvaluation]) -> Table:
    """Scores by the length of the sentence."""
    keys = ["uas", "las", "uc", "lc"]
    rows = []
    for name, first in systems[0].by_length.items():
        binned: list[Scores] = [system.by_length[name] for system in systems]
        cells = [number(getattr(found, key)) for found in binned for key in keys]
        rows.append([name, str(first.sentences), str(first.words), *cells])
    headings = _headings(["length", "sentences", "words"], labels, [key.upper() for key in keys])
    return Table("By sentence length", headings, rows)


def retrieval_table(title: str, first: str, labels: list[str], systems: list[dict[str, Retrieval]]) -> Table:
    """Precision and recall of classes of arcs."""
    rows = []
    for name, counted in systems[0].items():
        row = [name, str(counted.gold)]
        for found in (system[name] for system in systems):
            row += [str(found.system), *(number(getattr(found, key)) for key in RETRIEVAL)]
        rows.append(row)
    return Table(title, _headings([first, "gold"], labels, ["system", *RETRIEVAL.values()]), rows)


def confusion_table(title: str, labels: list[str], systems: list[dict[str, dict[str, int]]]) -> Table:
    """What is commonest taken for something else, in words and in percent of gold's."""
    wrong = {(gold, other) for system in systems for gold, row in system.items() for other in row if other != gold}
    order = sorted(wrong, key=lambda pair: (-systems[0][pair[0]].get(pair[1], 0), pair))
    rows = []
    for gold, other in order[:MOST_CONFUSIONS]:
        row = [f"{gold} as {other}", str(sum(systems[0][gold].values()))]
        for system in systems:
            counts = system[gold]
            found = counts.get(other, 0)
            row += [str(found), f"{100 * found / sum(counts.values()):.2f}"]
        rows.append(row)
    headings = _headings(["gold as system", "gold"], labels, ["words", "%"])
    return Table(title, headings, rows)
