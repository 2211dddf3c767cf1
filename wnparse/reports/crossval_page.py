"""The page of ``wnparse crossval``: the table of scores, and the scores of each fold."""

from __future__ import annotations

from wnparse.crossval.crossval import CrossValidation
from wnparse.drawing.markup import element, escape
from wnparse.drawing.names import title_of
from wnparse.drawing.page import file_list, page
from wnparse.reports.crossval_tables import crossval_result, crossval_table, fold_table
from wnparse.reports.html_tables import html_table, result
from wnparse.wording import counted


def crossval_page(run: CrossValidation, names: list[str], inputs: list[str]) -> str:
    """Make the page of a cross-validation.

    Parameters
    ----------
    run : CrossValidation
        A finished run.
    names : list of str
        Names of the settings.
    inputs : list of str
        Names of the files of the treebank.
    """
    title = f"Cross-validation of {title_of(inputs)}"
    sentences, words = counted(len(run.sentences), "sentence"), counted(sum(map(len, run.sentences)), "word")
    models = f"{counted(len(run.results), 'model')} in {run.folds} folds"
    paragraphs = [f"{sentences}, {words}; {models}."]
    if run.annotated.partial:
        paragraphs.append(f"{run.annotated}; other words are not scored.")
    if run.failures:
        paragraphs.append(f"{counted(len(run.failures), 'model')} failed; their scores are missing.")
    best = crossval_result(run, names)
    tables = [crossval_table(run, names), *(fold_table(run, setting, name) for setting, name in enumerate(names))]
    body = [element("p", escape(paragraph)) for paragraph in paragraphs]
    heading = [element("h1", "Cross-validation"), *([result(best)] if best else []), file_list(inputs)]
    return page(title, [*heading, *body, *map(html_table, tables)])
