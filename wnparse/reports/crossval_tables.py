"""The tables and the JSON document of a cross-validation."""

from __future__ import annotations

from typing import Any

from wnparse.crossval.crossval import HEAD_SCORES, CrossValidation, ScoreSummary
from wnparse.crossval.fold_task import Task
from wnparse.reports.eval_tables import SCORES, TAG_SCORES
from wnparse.reports.tables import Table

TITLES = {**SCORES, **TAG_SCORES}
SHOWN = ("uas", "las", "clas")
SHOWN_WITH_TAGGER = (*SHOWN, "upos", "xpos", "ufeats", "lemmas", "mlas")


def _format(summary: ScoreSummary) -> str:
    return f"{summary.mean:.2f}" + ("" if summary.deviation is None else f" ± {summary.deviation:.2f}")


def crossval_table(run: CrossValidation, names: list[str]) -> Table:
    """Make the table of scores, with a row for each setting; `names` are the names of the settings."""
    summaries = [run.summary(setting) for setting in range(len(run.settings))]
    columns = _columns(run, *summaries)
    rows = [
        [name, *(_format(summary[column]) if column in summary else "-" for column in columns)]
        for name, summary in zip(names, summaries, strict=True)
    ]
    return Table("Mean ± deviation", [["", *(TITLES[column] for column in columns)]], rows)


def crossval_result(run: CrossValidation, names: list[str]) -> str:
    """Say in a sentence what LAS a setting has, or which setting is best; empty if all models failed."""
    summaries = [run.summary(setting) for setting in range(len(run.settings))]
    column = "las" if any("las" in summary for summary in summaries) else "uas"
    scored = [(summary[column], name) for name, summary in zip(names, summaries, strict=True) if column in summary]
    if not scored:
        return ""
    best, name = max(scored, key=lambda pair: pair[0].mean)
    score = f"{TITLES[column]} {_format(best)}, mean ± deviation of {run.folds} folds"
    return f"{score}." if len(scored) == 1 else f"The best of {len(scored)} settings is {name}: {score}."


def fold_table(run: CrossValidation, setting: int, name: str) -> Table:
    """Make the table of the scores of each fold and seed in a setting."""
    columns = _columns(run, run.summary(setting))
    rows = []
    for task in run.tasks():
        if task.setting == setting and task.key in run.results:
            result = run.results[task.key]
            scores = {**vars(result.scores), **vars(result.tags)}
            label = f"fold {task.fold + 1}" + (f", seed {task.options.seed}" if len(run.seeds) > 1 else "")
            values = [scores[column] for column in columns]
            cells = ["-" if value is None else f"{value:.2f}" for value in values]
            rows.append([label, str(result.scores.sentences), *cells])
    return Table(f"Folds: {name}", [["", "sentences", *(TITLES[column] for column in columns)]], rows)


def _columns(run: CrossValidation, *summaries: dict[str, ScoreSummary]) -> list[str]:
    """Return the scores to show, without those that no setting has."""
    shown = SHOWN_WITH_TAGGER if run.tags else SHOWN
    return [column for column in shown if any(column in summary for summary in summaries)]


def crossval_document(run: CrossValidation, choices: list[dict[str, Any]]) -> dict[str, Any]:
    """Return all figures for JSON; docs/reference/json.md describes the keys.

    Parameters
    ----------
    run : CrossValidation
        A finished run.
    choices : list of dict
        For each setting the options in which settings differ.
    """
    settings = []
    for number, options in enumerate(choices):
        scores = {name: vars(summary) for name, summary in run.summary(number).items()}
        runs = [
            {"seed": task.options.seed, "fold": task.fold + 1, **_scores(run, task)}
            for task in run.tasks()
            if task.setting == number and task.key in run.results
        ]
        settings.append({"options": options, "scores": scores, "runs": runs})
    return {
        "sentences": len(run.sentences),
        "words": sum(map(len, run.sentences)),
        **({"annotated": run.annotated.as_dict()} if run.annotated.partial else {}),
        "folds": [
            {"sentences": len(inside), "words": sum(len(run.sentences[i]) for i in inside)}
            for inside in map(run.inside, range(run.folds))
        ],
        "seeds": run.seeds,
        "settings": settings,
        "failed": [
            {"setting": setting + 1, "seed": seed, "fold": fold + 1, "error": str(error)}
            for (setting, seed, fold), error in sorted(run.failures.items())
        ],
    }


def _scores(run: CrossValidation, task: Task) -> dict[str, Any]:
    """Return the scores of one model; without relations, only those of heads."""
    result = run.results[task.key]
    scores = vars(result.scores)
    if not task.options.labelled:
        scores = {name: scores[name] for name in ("sentences", "words", *HEAD_SCORES)}
    return {**scores, **({"tags": vars(result.tags)} if run.tags else {})}
