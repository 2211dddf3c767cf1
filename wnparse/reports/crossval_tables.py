"""The table and the figures of a cross-validation."""

from __future__ import annotations

from typing import Any

from wnparse.crossval.crossval import HEAD_SCORES, CrossValidation, Summary
from wnparse.crossval.fold_task import Task
from wnparse.reports.tables import Table

SHOWN = {
    "uas": "UAS",
    "las": "LAS",
    "clas": "CLAS",
    "upos": "UPOS",
    "xpos": "XPOS",
    "ufeats": "UFeats",
    "lemmas": "Lemmas",
    "mlas": "MLAS",
}
TREES = ("uas", "las", "clas")  # that are shown without a tagger, too


def show_summary(summary: Summary) -> str:
    """A mean and its deviation, as tables have it."""
    return f"{summary.mean:.2f}" + ("" if summary.deviation is None else f" ± {summary.deviation:.2f}")


def crossval_table(run: CrossValidation, names: list[str]) -> Table:
    """A row for each setting, named so."""
    summaries = [run.summary(setting) for setting in range(len(run.settings))]
    asked = SHOWN if run.tags else TREES
    columns = [name for name in asked if any(name in summary for summary in summaries)]
    rows = [
        [name, *(show_summary(summary[column]) if column in summary else "-" for column in columns)]
        for name, summary in zip(names, summaries, strict=True)
    ]
    return Table("Mean ± deviation", [["", *(SHOWN[column] for column in columns)]], rows)


def crossval_document(run: CrossValidation, chosen: list[dict[str, Any]]) -> dict[str, Any]:
    """All figures, for JSON; docs/crossval.md describes the keys. `chosen`: what each setting is."""
    sizes = [run.inside(fold) for fold in range(run.folds)]
    settings = []
    for number, options in enumerate(chosen):
        summary = {name: vars(each) for name, each in run.summary(number).items()}
        runs = [
            {"seed": task.options.seed, "fold": task.fold + 1, **_scores(run, task)}
            for task in run.tasks()
            if task.setting == number and task.key in run.results
        ]
        settings.append({"options": options, "scores": summary, "runs": runs})
    return {
        "sentences": len(run.sentences),
        "words": sum(map(len, run.sentences)),
        "folds": [
            {"sentences": len(inside), "words": sum(len(run.sentences[i]) for i in inside)} for inside in sizes
        ],
        "seeds": run.seeds,
        "settings": settings,
        "failed": [
            {"setting": setting + 1, "seed": seed, "fold": fold + 1, "error": str(error)}
            for (setting, seed, fold), error in sorted(run.failures.items())
        ],
    }


def _scores(run: CrossValidation, task: Task) -> dict[str, Any]:
    """The scores of one model; without relations, those of heads."""
    found = run.results[task.key]
    scores = vars(found.scores)
    if not task.options.labelled:
        scores = {name: scores[name] for name in ("sentences", "words", *HEAD_SCORES)}
    return {**scores, **({"tags": vars(found.tags)} if run.tags else {})}
