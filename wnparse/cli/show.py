"""``wnparse show``: draw trees in the terminal, as SVG or as a page."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from itertools import islice

import click

from wnparse.cli.common import (
    COUNT,
    SkipBad,
    integers,
    progress,
    quiet_option,
    refuse_terminal,
    say,
    skip_bad_option,
    write_text,
)
from wnparse.cli.paths import INPUT, Command, OutputPath, output_option
from wnparse.cli.sections import drawing, selection
from wnparse.drawing.picture import Picture
from wnparse.drawing.text import NARROWEST, draw
from wnparse.storage.files import display_name, open_output
from wnparse.treebanks.filter import Interval, SentenceFilter, select
from wnparse.treebanks.pictures import picture
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import Sentence

MOST_IN_A_FILE = 200  # unless --limit is given: a page with more sentences is slow to open
PAGE_WIDTH = 1100  # pixels
PAGE = OutputPath(replaces_output="always")  # a page or picture, instead of the drawing in text

EPILOG = """
\b
Examples:
  wnparse show treebank.conllu | less -R
  wnparse show treebank.conllu -n 1-3 --tags
  wnparse show treebank.conllu --ill-nested --html ill-nested.html
  wnparse show treebank.conllu --block-degree 3+ --limit 5
  wnparse show gold.conllu --differs-from system.conllu --html differences.html
  wnparse parse -m model.wnp gold.conllu | wnparse show gold.conllu --differs-from -
"""


def _intervals(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> list[Interval]:
    """Convert numbers and ranges (3, 10-20, 5-), which are separated by commas or repeated."""
    return [_interval(part) for value in values for part in value.split(",")]


def _interval(text: str) -> Interval:
    match = re.fullmatch(r"\s*([0-9]{1,12})\s*(?:(-)\s*([0-9]{1,12})?)?\s*", text)
    first, last = (int(match[1]), int(match[3] or match[1])) if match else (0, 0)
    if not match or not 1 <= first <= last:
        raise click.BadParameter(f"{text!r} is not a number or range; expected 3, 10-20 or 5-, counted from 1.")
    return Interval(first, None if match[2] and not match[3] else last)


def _degrees(context: click.Context, parameter: click.Parameter, value: str | None) -> Interval | None:
    """Convert a block degree, such as 2, or 2+ for that and more."""
    if value is None:
        return None
    match = re.fullmatch(r"([1-9][0-9]{0,8})(\+?)", value)
    if not match:
        raise click.BadParameter(
            f"{value!r} is not a valid block degree; expected a number, or 2+ for 2 and more."
        )
    return Interval(int(match[1]), None if match[2] else int(match[1]))


@click.command("show", cls=Command, epilog=EPILOG)
@click.argument("file", type=INPUT, default="-", metavar="[FILE|-]")
@selection(
    "-n",
    "--number",
    "numbers",
    metavar="N|N-M",
    multiple=True,
    callback=_intervals,
    help="Show only sentences with these numbers, counted from 1: 3, 10-20 or 5-. Can be repeated.",
)
@selection(
    "--sent-id",
    "sent_ids",
    metavar="ID",
    multiple=True,
    help="Show only the sentence with this sent_id. Can be repeated.",
)
@selection("--ill-nested", is_flag=True, help="Show only ill-nested trees.")
@selection(
    "--block-degree",
    "degrees",
    metavar="K|K+",
    callback=_degrees,
    help="Show only trees of block degree K, or of K and more. 2+ selects the non-projective trees.",
)
@selection(
    "--differs-from",
    "system",
    metavar="FILE",
    type=INPUT,
    help="Show only sentences whose tree differs in this file; its arcs are drawn below.",
)
@selection(
    "--limit",
    type=COUNT,
    metavar="N",
    help=f"Stop after N sentences.  [default: no limit in the terminal, {MOST_IN_A_FILE} in a file]",
)
@drawing(
    "--html",
    type=PAGE,
    metavar="FILE",
    help="Write an interactive HTML page: hover over a word, or click it, to see its yield.",
)
@drawing("--svg", type=PAGE, metavar="FILE", help="Write an SVG picture.")
@drawing(
    "--width",
    type=integers(NARROWEST),
    metavar="N",
    help="Width in characters (terminal) or pixels (HTML, SVG).  "
    f"[default: the width of the terminal; {PAGE_WIDTH} pixels]",
)
@drawing("--tags", is_flag=True, help="Print UPOS tags below the words.")
@drawing(
    "--colour/--no-colour",
    "--color/--no-color",
    default=None,
    help="Use colours or not.  [default: only on a terminal, unless NO_COLOR is set]",
)
@skip_bad_option
@output_option
@quiet_option
def command(
    file: str,
    numbers: list[Interval],
    sent_ids: tuple[str, ...],
    ill_nested: bool,
    degrees: Interval | None,
    system: str | None,
    limit: int | None,
    html: str | None,
    svg: str | None,
    width: int | None,
    tags: bool,
    colour: bool | None,
    skip_bad: bool,
    output: str | None,
) -> None:
    """Draw the trees of FILE in the terminal, as an HTML page or as a picture.

    Arcs are drawn above the words, and crossing arcs are coloured. Below the words, discontinuous yields are
    underlined, unless words have no head. The options for selection can be combined; a sentence is shown if it
    meets all of them.
    """
    refuse_terminal([file] if system is None else [file, system])
    if skip_bad and system is not None:
        raise click.UsageError(
            "--skip-bad cannot be used with --differs-from, which needs the same sentences in both files; "
            "correct the malformed sentences first."
        )
    if (html or svg) and output:
        raise click.UsageError(
            "-o is for drawings in text; leave it out with --html and --svg, which name their own files."
        )
    skipped = SkipBad()
    sentences: Iterable[Sentence] = Reader([file], skip=skipped if skip_bad else None)
    if html or svg:  # otherwise the drawings themselves show the progress
        sentences = progress(sentences, "reading", [file])
    conditions = SentenceFilter(numbers, frozenset(sent_ids), degrees, ill_nested)
    names = [display_name(path) for path in (file, system or "")]
    matches = select(sentences, conditions, Reader([system]) if system is not None else None, names)
    pictures = (picture(selected.sentence, selected.number, selected.system) for selected in matches)
    if html or svg:
        count = _write_files(pictures, html, svg, limit, width or PAGE_WIDTH)
    else:
        count = _write_text(islice(pictures, limit), output, width, _uses_colour(colour, output), tags)
    skipped.report()
    if not count:
        say("wnparse: no sentence to show")


def _uses_colour(option: bool | None, output: str | None) -> bool:
    """Return the value of the option; without it, colour is used on a terminal unless NO_COLOR is set."""
    if option is not None:
        return option
    return output is None and sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def _write_text(
    pictures: Iterator[Picture], output: str | None, width: int | None, colour: bool, tags: bool
) -> int:
    """Draw sentence by sentence, so that a pager shows the first at once; return how many were drawn."""
    cells = width or shutil.get_terminal_size((100, 24)).columns
    count = 0
    with open_output(output) as stream:
        for count, sentence in enumerate(pictures, 1):
            text = draw(sentence, width=cells, colour=colour, tags=tags)
            stream.write(("\n" * (count > 1) + text).encode("utf-8", "replace"))
    return count


def _write_files(
    pictures: Iterator[Picture], html: str | None, svg: str | None, limit: int | None, width: int
) -> int:
    """Write the page and the picture; return how many sentences were drawn."""
    from wnparse.drawing.page import picture_page  # 30 ms that a drawing in text need not wait for
    from wnparse.drawing.svg import svg_document

    chosen = list(islice(pictures, limit or MOST_IN_A_FILE))
    if limit is None and next(pictures, None) is not None:
        say(f"wnparse: only the first {len(chosen)} sentences are drawn; use --limit to draw more")
    for path, render in ((html, picture_page), (svg, svg_document)):
        if path:
            write_text(path, render(chosen, width))
    return len(chosen)
