"""``wnparse eval``: options and printing."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import click

from wnparse.cli.common import INPUT, output_option, progress, refuse_terminal, short_names, table
from wnparse.conllu import read
from wnparse.evaluation import BREAKDOWNS, Evaluation, SystemEvaluation, evaluate
from wnparse.files import display_name, open_output
from wnparse.scores import Percentage, Retrieval, Scores

LONGEST_LABEL = 24
SCORES = {
    "uas": "UAS",
    "las": "LAS",
    "las_subtypes": "LAS with subtypes",
    "clas": "CLAS",
    "uc": "complete sentences, unlabelled (UC)",
    "lc": "complete sentences, labelled (LC)",
}
RETRIEVAL = {"precision": "P", "recall": "R", "f1": "F1"}

EPILOG = """
\b
Examples:
  wnparse eval gold.conllu system.conllu
  wnparse eval gold.conllu first.conllu second.conllu --no-punct
  wnparse parse -m model.wnp gold.conllu | wnparse eval gold.conllu - --json
  wnparse eval gold.conllu system.conllu --block-degree 2 --well-nested --by length
  wnparse eval ptb.conllx system.conllx --punct-tags "`` '' : , ."
"""


def _tags(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> frozenset[str]:
    """Split tag lists at white space, or at commas where there is none; a comma alone is a tag."""
    tags: set[str] = set()
    for value in values:
        words = value.split()
        tags.update(words if len(words) > 1 or value.strip() == "," else value.strip().split(","))
    if "" in tags:
        message = "an empty tag; expected a list such as PUNCT,SYM or, with a tag that is a comma, '. , :'"
        raise click.BadParameter(message)
    return frozenset(tags)


@click.command("eval", epilog=EPILOG)
@click.argument("gold", type=INPUT)
@click.argument("systems", metavar="SYSTEM...", type=INPUT, nargs=-1, required=True)
@click.option("--no-punct", is_flag=True, help="Leave out words whose UPOS in gold is PUNCT.")
@click.option(
    "--punct-tags",
    metavar="TAG,...",
    multiple=True,
    callback=_tags,
    help="Leave out words whose UPOS or XPOS in gold is one of these tags (repeatable).",
)
@click.option(
    "--block-degree", metavar="K", type=click.IntRange(min=1), help="Report how many trees have block degree <= K."
)
@click.option("--well-nested", is_flag=True, help="Report how many are well-nested; with --block-degree, both.")
@click.option("--by", type=click.Choice(BREAKDOWNS), multiple=True, help="Add a breakdown (repeatable).")
@click.option(
    "--trials",
    metavar="N",
    type=click.IntRange(min=1),
    default=10_000,
    show_default=True,
    help="Random trials behind each p-value.",
)
@click.option(
    "--seed",
    metavar="N",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    help="The same seed gives the same p-values.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON; its keys are described in docs/eval.md.")
@output_option
def command(
    gold: str,
    systems: tuple[str, ...],
    no_punct: bool,
    punct_tags: frozenset[str],
    block_degree: int | None,
    well_nested: bool,
    by: tuple[str, ...],
    trials: int,
    seed: int,
    as_json: bool,
    output: str | None,
) -> None:
    """Compare the trees of one or more SYSTEM files with those of GOLD.

    All files hold the same words in the same order. UAS, LAS and CLAS are those of the CoNLL 2018 shared
    task. With several systems, p is the chance that one as good as the first differs from it as much
    (approximate randomisation over sentences).
    """
    refuse_terminal([gold, *systems])
    ignore_upos = punct_tags | {"PUNCT"} if no_punct else punct_tags
    names = [click.format_filename(display_name(path)) for path in (gold, *systems)]
    evaluation = evaluate(
        progress(read(gold, heads="required"), "evaluating"),
        [read(system, heads="required") for system in systems],
        ignore_upos=ignore_upos,
        ignore_xpos=punct_tags,
        block_degree=block_degree,
        well_nested=well_nested,
        by=by,
        trials=trials,
        seed=seed,
        names=names,
    )
    if as_json:
        options = {
            "ignored": {"upos": sorted(ignore_upos), "xpos": sorted(punct_tags)},
            "constraint": {"block_degree": block_degree, "well_nested": well_nested},
            "trials": trials,
            "seed": seed,
        }
        text = json.dumps(_document(evaluation, names, by, options), indent=2, ensure_ascii=False)
    else:
        text = _report(evaluation, names, ignore_upos | punct_tags, _constraint(block_degree, well_nested))
    with open_output(output) as stream:
        stream.write(f"{text}\n".encode())


def _document(
    evaluation: Evaluation, names: list[str], by: tuple[str, ...], options: dict[str, Any]
) -> dict[str, Any]:
    """Make the JSON document; docs/eval.md describes its keys."""
    gold = {
        "file": names[0],
        "sentences": evaluation.sentences,
        "words": evaluation.words,
        "validity": dataclasses.asdict(evaluation.gold),
    }
    systems = []
    for name, system in zip(names[1:], evaluation.systems, strict=True):
        fields = dataclasses.asdict(system)
        for breakdown in set(BREAKDOWNS) - set(by):
            del fields[f"by_{breakdown}"]
        systems.append({"file": name, **fields.pop("scores"), **fields})
    return {"gold": gold, **options, "systems": systems}


def _constraint(block_degree: int | None, well_nested: bool) -> str:
    """Put the constraint asked for in words; empty if none is."""
    parts = ["well-nested"] if well_nested else []
    if block_degree is not None:
        parts.append(f"block degree <= {block_degree}")
    return ", ".join(parts)


def _number(value: Percentage) -> str:
    return "n/a" if value is None else f"{value:.2f}"


def _labels(names: list[str]) -> list[str]:
    """Column headings: the files' names, or numbers where those are long or alike."""
    labels = short_names(names)
    if len(set(labels)) == len(labels) and all(len(label) <= LONGEST_LABEL for label in labels):
        return labels
    return [f"system {number}" for number in range(1, len(names) + 1)]


def _report(evaluation: Evaluation, names: list[str], ignored: frozenset[str], constraint: str) -> str:
    """Make the readable tables."""
    labels, systems = _labels(names[1:]), evaluation.systems
    heading = [["gold:", f"{names[0]}, {evaluation.sentences} sentences, {evaluation.words} words"]]
    heading += [[f"{label}:", name] for label, name in zip(labels, names[1:], strict=True)]
    if ignored:
        scored = systems[0].scores
        heading.append(["scored:", f"{scored.words} words, those not tagged {' '.join(sorted(ignored))}"])
    width = max(len(row[0]) for row in heading)
    parts = ["\n".join(f"{first.ljust(width)} {rest}" for first, rest in heading)]
    parts.append(_score_table(labels, systems))
    parts.append(_validity_table(labels, evaluation, constraint))
    if len(systems) > 1:
        parts.append(_significance_table(labels, systems))
    if systems[0].by_length:
        parts.append("By sentence length\n" + _length_table(labels, systems))
    if systems[0].by_relation:
        rows = [system.by_relation for system in systems]
        parts.append("By relation, right if head and relation are\n" + _retrieval_table("relation", labels, rows))
    if systems[0].by_distance:
        rows = [system.by_distance for system in systems]
        parts.append("By arc length, right if the head is\n" + _retrieval_table("length", labels, rows))
    return "\n\n".join(parts)


def _score_table(labels: list[str], systems: list[SystemEvaluation]) -> str:
    rows = [["", *labels]]
    for key, title in SCORES.items():
        rows.append([title, *(_number(getattr(system.scores, key)) for system in systems)])
    arcs = [system.nonprojective for system in systems]
    rows.append([f"non-projective arcs ({arcs[0].gold} in gold)", *(str(found.system) for found in arcs)])
    for key in RETRIEVAL:
        title = "F1" if key == "f1" else key
        rows.append([f"  {title}", *(_number(getattr(found, key)) for found in arcs)])
    return "Scores\n" + table(rows)


def _validity_table(labels: list[str], evaluation: Evaluation, constraint: str) -> str:
    inputs = [evaluation.gold, *(system.validity for system in evaluation.systems)]

    def row(title: str, values: list[Percentage]) -> list[str]:
        return [title, *map(_number, values)]

    rows = [["", "gold", *labels]]
    rows.append(row("projective (block degree 1)", [found.projective for found in inputs]))
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
    return "Trees, % of sentences\n" + table(rows)


def _significance_table(labels: list[str], systems: list[SystemEvaluation]) -> str:
    rows = [["", "UAS", "p", "LAS", "p"]]
    for label, system in zip(labels[1:], systems[1:], strict=True):
        row = [label]
        for found in system.significance.values():
            shown = "n/a" if found.difference is None else f"{found.difference:+.2f}"
            row += [shown, f"{found.p_value:.4f}"]
        rows.append(row)
    return f"Difference from {labels[0]}, and its p-value\n" + table(rows)


def _headings(first: list[str], labels: list[str], titles: list[str]) -> list[list[str]]:
    """Headings where each system has the same columns; several systems are named in a row above."""
    rows = [[*first, *titles * len(labels)]]
    if len(labels) > 1:
        names = [cell for label in labels for cell in (label, *[""] * (len(titles) - 1))]
        rows.insert(0, [*[""] * len(first), *names])
    return rows


def _length_table(labels: list[str], systems: list[SystemEvaluation]) -> str:
    keys = ["uas", "las", "uc", "lc"]
    rows = _headings(["length", "sentences", "words"], labels, [key.upper() for key in keys])
    for name, first in systems[0].by_length.items():
        binned: list[Scores] = [system.by_length[name] for system in systems]
        cells = [_number(getattr(found, key)) for found in binned for key in keys]
        rows.append([name, str(first.sentences), str(first.words), *cells])
    return table(rows)


def _retrieval_table(title: str, labels: list[str], systems: list[dict[str, Retrieval]]) -> str:
    rows = _headings([title, "gold"], labels, ["system", *RETRIEVAL.values()])
    for name, first in systems[0].items():
        row = [name, str(first.gold)]
        for found in (system[name] for system in systems):
            row += [str(found.system), *(_number(getattr(found, key)) for key in RETRIEVAL)]
        rows.append(row)
    return table(rows)
