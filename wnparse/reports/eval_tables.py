"""The tables of an evaluation, for the terminal and the page."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from wnparse.drawing.names import short_names
from wnparse.evaluation.agreement import Agreement, RelationAgreement
from wnparse.evaluation.evaluate import SEGMENTS, Evaluation, SystemEvaluation
from wnparse.evaluation.metrics import Percentage, Retrieval
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
COMPLETE = ("uc", "lc")  # of SCORES; they compare sentences with the same words
TAG_SCORES = {
    "upos": "UPOS",
    "xpos": "XPOS",
    "ufeats": "UFeats",
    "alltags": "AllTags",
    "lemmas": "Lemmas",
    "mlas": "MLAS",
    "blex": "BLEX",
}
TREE_SCORES = ("mlas", "blex")  # of TAG_SCORES; they depend on the trees, too
RETRIEVAL = {"precision": "P", "recall": "R", "f1": "F1"}
NO_KAPPA_OF_HEADS = (
    "Kappa compares the relations of words with the same head. For heads it is not defined: it needs a fixed set "
    "of categories, but the possible heads of a word are the other words of its sentence."
)
SIGNIFICANT = 0.05  # differences with a smaller p-value are
MOST_CONFUSIONS = 20  # so that the table stays readable; --json has all


def _number(value: Percentage) -> str:
    return "n/a" if value is None else f"{value:.2f}"


def short_labels(names: list[str]) -> list[str]:
    """Return column headings: the names of the files, or numbers if those are long or equal."""
    labels = short_names(names)
    if len(set(labels)) == len(labels) and all(len(label) <= LONGEST_LABEL for label in labels):
        return labels
    return [f"system {place}" for place in range(1, len(names) + 1)]


def describe_inputs(evaluation: Evaluation, names: list[str], ignored: Collection[str]) -> list[tuple[str, str]]:
    """Return the names and descriptions of the files that were compared, unless tables say the same."""
    lines = [("gold", f"{names[0]}, {_size(evaluation.sentences, evaluation.words)}")]
    for label, name, system in zip(short_labels(names[1:]), names[1:], evaluation.systems, strict=True):
        segments = system.segmentation
        size = [_size(segments.sentences.system, segments.words.system)] if segments else []
        if facts := [*([] if name == label else [name]), *size]:
            lines.append((label, ", ".join(facts)))
    if evaluation.annotated.partial:
        lines.append(("annotation", f"{evaluation.annotated}; other words are not scored"))
    if ignored:
        scored = evaluation.systems[0].scores.words
        tags = " ".join(sorted(ignored))
        lines.append(("scored", f"{scored} {plural(scored, 'word')}, those not tagged {tags}"))
    return lines


def evaluation_result(evaluation: Evaluation, labels: list[str]) -> str:
    """Say in a sentence how good the system is, or which one is best and whether that is significant."""
    metric = "uas" if evaluation.scores.las is None else "las"
    scores = [getattr(system.scores, metric) for system in evaluation.systems]
    if None in scores:
        return "No words were scored."
    name = SCORES[metric]
    if len(labels) == 1:
        return f"{labels[0]} has {scores[0]:.2f} {name}."
    best = max(range(len(scores)), key=lambda place: scores[place])
    other = 0 if best else max(range(1, len(scores)), key=lambda place: scores[place])
    systems = "" if len(labels) == 2 else f"Of {len(labels)} systems, "
    difference = scores[best] - scores[other]
    if round(difference, 2) == 0:
        return f"{systems}{labels[best]} and {labels[other]} are equally good: {scores[best]:.2f} {name}."
    tests = evaluation.systems[best or other].significance
    better = f"{systems}{labels[best]} is better than {labels[other]} by {difference:.2f} {name}"
    if metric not in tests:
        return f"{better}."
    p_value = tests[metric].p_value
    p_text = "p < 0.001" if p_value < 0.001 else f"p = {p_value:.3f}"
    return f"{better} ({p_text}){'' if p_value < SIGNIFICANT else ', which is not significant'}."


def _size(sentences: int, words: int) -> str:
    return f"{sentences} {plural(sentences, 'sentence')}, {words} {plural(words, 'word')}"


def evaluation_tables(
    evaluation: Evaluation, labels: list[str], constraint: str, by: Collection[str]
) -> list[Table]:
    """Make all tables: those of `score_tables`, and those breakdowns of `by` that were counted."""
    return [*score_tables(evaluation, labels, constraint), *breakdown_tables(evaluation, labels, by)]


def score_tables(evaluation: Evaluation, labels: list[str], constraint: str) -> list[Table]:
    """Make the tables of scores, validity, tags, significance and agreement."""
    systems = evaluation.systems
    tables = [_score_table(labels, systems), _validity_table(labels, evaluation, constraint)]
    tables.append(_tag_table("Tags and lemmas", labels, [system.tags for system in systems]))
    unseen = [system.unseen_tags for system in systems if system.unseen_tags is not None]
    if unseen:
        title = f"Tags and lemmas of {unseen[0].words} words that do not occur in the training file"
        tables.append(_tag_table(title, labels, unseen))
    if len(systems) > 1 and evaluation.same_words:
        tables.append(_significance_table(labels, systems))
    return tables + _agreement_tables(labels, [system.agreement for system in systems if system.agreement])


def breakdown_tables(evaluation: Evaluation, labels: list[str], by: Collection[str]) -> list[Table]:
    """Make a table for each breakdown."""
    systems, tables = evaluation.systems, []
    if "length" in by and systems[0].by_length:
        tables.append(_length_table(labels, systems))
    if "relation" in by and systems[0].by_relation:
        title = "By relation (correct head and relation)"
        tables.append(_retrieval_table(title, "relation", labels, [system.by_relation for system in systems]))
    if "distance" in by and systems[0].by_distance:
        title = "By arc length (correct head)"
        tables.append(_retrieval_table(title, "length", labels, [system.by_distance for system in systems]))
    if "confusion" in by and systems[0].by_confusion:
        title = "Confused relations (regardless of the head)"
        tables.append(_confusion_table(title, labels, [system.by_confusion for system in systems]))
    if "upos" in by and systems[0].by_upos:
        title = "By UPOS (correct tag)"
        tables.append(_retrieval_table(title, "UPOS", labels, [system.by_upos for system in systems]))
        tables.append(_confusion_table("Confused tags", labels, [system.tag_confusion for system in systems]))
    return tables


def _score_table(labels: list[str], systems: list[SystemEvaluation]) -> Table:
    def row(title: str, key: str) -> list[str]:
        return [title, *(_number(getattr(system.scores, key)) for system in systems)]

    segmentations = [system.segmentation for system in systems if system.segmentation]
    if segmentations:
        rows = [
            [key.capitalize(), *(_number(getattr(segmentation, key).f1) for segmentation in segmentations)]
            for key in SEGMENTS
        ]
        rows += [row(title, key) for key, title in SCORES.items() if key not in COMPLETE]
        return Table("Scores (F1 of words aligned by their characters)", [["", *labels]], rows)
    rows = [row(title, key) for key, title in SCORES.items()]
    arcs = [system.nonprojective for system in systems if system.nonprojective]
    rows.append([f"non-projective arcs ({arcs[0].gold} in gold)", *(str(retrieval.system) for retrieval in arcs)])
    for key in RETRIEVAL:
        title = "F1" if key == "f1" else key
        rows.append([f"  {title}", *(_number(getattr(retrieval, key)) for retrieval in arcs)])
    return Table("Scores", [["", *labels]], rows)


def _tag_table(title: str, labels: list[str], systems: Sequence[TagScores]) -> Table:
    """Show the scores of tags and lemmas, and of whole trees if they were counted."""
    rows = [
        [name, *(_number(getattr(system, key)) for system in systems)]
        for key, name in TAG_SCORES.items()
        if key not in TREE_SCORES or systems[0].mlas is not None
    ]
    return Table(title, [["", *labels]], rows)


def _validity_table(labels: list[str], evaluation: Evaluation, constraint: str) -> Table:
    """Show the percentage of trees with each structure."""
    inputs = [evaluation.gold, *(system.validity for system in evaluation.systems)]

    def row(title: str, values: list[Percentage]) -> list[str]:
        return [title, *map(_number, values)]

    bounds = [bound for bound in evaluation.gold.block_degree if bound > 1]
    rows = [
        row("projective (block degree 1)", [validity.projective for validity in inputs]),
        row("single root", [validity.single_root for validity in inputs]),
        row("well-nested", [validity.well_nested for validity in inputs]),
        *(row(f"block degree <= {k}", [validity.block_degree[k] for validity in inputs]) for k in bounds),
        *(
            row(f"well-nested, block degree <= {k}", [validity.well_nested_block_degree[k] for validity in inputs])
            for k in bounds
        ),
        ["largest block degree", *(str(validity.max_block_degree) for validity in inputs)],
    ]
    if constraint:
        rows.append(row(f"valid: {constraint}", [validity.valid for validity in inputs]))
    return Table("Trees, % of sentences", [["", "gold", *labels]], rows)


def _significance_table(labels: list[str], systems: list[SystemEvaluation]) -> Table:
    """Show how much each further system differs from the first."""
    rows = []
    for label, system in zip(labels[1:], systems[1:], strict=True):
        row = [label]
        for test in system.significance.values():
            difference = "n/a" if test.difference is None else f"{test.difference:+.2f}"
            row += [difference, f"{test.p_value:.4f}"]
        rows.append(row)
    return Table(f"Difference from {labels[0]}, and its p-value", [["", "UAS", "p", "LAS", "p"]], rows)


def _agreement_tables(labels: list[str], systems: list[Agreement]) -> list[Table]:
    """Show how far gold and each system agree, as two annotators; no tables if this was not requested."""
    if not systems:
        return []
    total = [
        ["words with a head in both", *(f"{system.words:,}" for system in systems)],
        ["  same head %", *(_number(system.heads) for system in systems)],
        ["words with a head and a relation in both", *(f"{system.labelled_words:,}" for system in systems)],
        ["  same head and relation %", *(_number(system.labelled_heads) for system in systems)],
        ["  same head", *(f"{system.same_head:,}" for system in systems)],
        ["    same relation, % of these", *(_number(system.relations) for system in systems)],
        ["    Cohen's kappa of the relations", *(_kappa(system.kappa) for system in systems)],
    ]
    rows = []
    for name in dict.fromkeys(name for system in systems for name in system.by_relation):
        row = [name]
        for system in systems:
            count = system.by_relation.get(name, RelationAgreement(0, 0, 0, None))
            row += [str(count.first), str(count.second), str(count.both), _kappa(count.kappa)]
        rows.append(row)
    titles = ["gold", "system", "both", "kappa"]
    return [
        Table("Agreement of two annotators", [["", *labels]], total, note=NO_KAPPA_OF_HEADS),
        Table("Agreement by relation (words with the same head)", _headings(["relation"], labels, titles), rows),
    ]


def _kappa(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.3f}"


def _headings(first: list[str], labels: list[str], titles: list[str]) -> list[list[str]]:
    """Make the headings of a table with the same columns for each system; an upper row names several systems."""
    rows = [[*first, *titles * len(labels)]]
    if len(labels) > 1:
        names = [cell for label in labels for cell in (label, *[""] * (len(titles) - 1))]
        rows.insert(0, [*[""] * len(first), *names])
    return rows


def _length_table(labels: list[str], systems: list[SystemEvaluation]) -> Table:
    keys = ["uas", "las", "uc", "lc"]
    rows = []
    for name, first in systems[0].by_length.items():
        cells = [_number(getattr(system.by_length[name], key)) for system in systems for key in keys]
        rows.append([name, str(first.sentences), str(first.words), *cells])
    headings = _headings(["length", "sentences", "words"], labels, [key.upper() for key in keys])
    return Table("By sentence length", headings, rows)


def _retrieval_table(title: str, first: str, labels: list[str], systems: list[dict[str, Retrieval]]) -> Table:
    """Show precision and recall of classes of arcs or words."""
    rows = []
    for name, counts in systems[0].items():
        row = [name, str(counts.gold)]
        for system in systems:
            row += [str(system[name].system), *(_number(getattr(system[name], key)) for key in RETRIEVAL)]
        rows.append(row)
    return Table(title, _headings([first, "gold"], labels, ["system", *RETRIEVAL.values()]), rows)


def _confusion_table(title: str, labels: list[str], systems: list[dict[str, dict[str, int]]]) -> Table:
    """Show the most frequent confusions, in words and as a percentage of the words in gold."""
    wrong = {(gold, other) for system in systems for gold, row in system.items() for other in row if other != gold}
    order = sorted(wrong, key=lambda pair: (-systems[0][pair[0]].get(pair[1], 0), pair))
    rows = []
    for gold, other in order[:MOST_CONFUSIONS]:
        row = [f"{gold} as {other}", str(sum(systems[0][gold].values()))]
        for system in systems:
            count = system[gold].get(other, 0)
            row += [str(count), f"{100 * count / sum(system[gold].values()):.2f}"]
        rows.append(row)
    return Table(title, _headings(["gold as system", "gold"], labels, ["words", "%"]), rows)
