"""Settings of Sphinx for the documentation; `./scripts/docs` builds it to build/site."""

from itertools import pairwise

import click

import wnparse
from wnparse.cli.sections import OTHER

project = "wnparse"
version = release = wnparse.__version__
copyright = "the authors of wnparse"
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_click"]
exclude_patterns = ["pictures", "lab/plots"]
nb_execution_mode = "off"  # scripts/documentation/notebooks.py stores the outputs
nitpicky = True
# Types in docstrings are words for readers ("int or None", "path"), not links.
nitpick_ignore_regex = [("py:.*", ".*")]

myst_heading_anchors = 4  # the anchors that code hosts make of headings
myst_enable_extensions = ["colon_fence", "deflist"]
# A page may begin a section two levels down; a block may be a piece of TOML.
suppress_warnings = ["myst.header", "misc.highlighting_failure"]

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the docstrings name the types
napoleon_numpy_docstring = True
napoleon_google_docstring = False
napoleon_use_ivar = True
smartquotes = False  # options begin with two hyphens

html_theme = "furo"
html_title = "wnparse"
html_static_path = ["site"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False


def write_section_titles(app, context, lines):
    """Put the title of each section of options before its first option, in the order of `--help`."""
    titles = [
        getattr(option, "section", OTHER)
        for option in context.command.params
        if isinstance(option, click.Option) and not option.hidden
    ]
    starts = [number for number, line in enumerate(lines) if line.startswith(".. option::")]
    options = [lines[start:end] for start, end in pairwise([*starts, len(lines)])]
    sections = {title: [] for title in [*dict.fromkeys(title for title in titles if title != OTHER), OTHER]}
    for title, option in zip(titles, options, strict=True):
        sections[title] += option
    titled = [line for title, block in sections.items() for line in (f".. rubric:: {title}", "", *block)]
    lines[:] = [line.replace("*", r"\*") for line in titled]  # patterns of file names


def quote_examples(app, context, lines):
    """Show the examples below the help of a command as they are typed."""
    text = [line.removeprefix("|").removeprefix(" ") for line in lines]
    lines[:] = [".. code-block:: text", "", *(f"   {line}" for line in text), ""]


def hide_constructors(app, what, name, obj, options, signature, annotation):
    """Show no signature for classes that users do not construct."""
    classes = ("Batch", "Evaluation", "Model", "Scores", "Sentence", "SystemEvaluation", "TreebankStats", "Word")
    return ("", None) if what == "class" and name.rpartition(".")[2] in classes else None


def setup(app):
    """Connect the hooks above."""
    app.connect("sphinx-click-process-options", write_section_titles)
    app.connect("sphinx-click-process-epilog", quote_examples)
    app.connect("autodoc-process-signature", hide_constructors)
