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
    progress,
    quiet_option,
    refuse_terminal,
    say,
    skip_bad_option,
)
from wnparse.cli.paths import INPUT, Command, OutputPath, output_option
from wnparse.decoding.checks import LARGEST_COUNT
from wnparse.drawing.picture import Picture, picture
from wnparse.drawing.text import NARROWEST, draw
from wnparse.storage.files import display_name, open_output
from wnparse.treebanks.filter import Interval, SentenceFilter, select
from wnparse.treebanks.reader import read
from wnparse.treebanks.sentence import Sentence

MOST_IN_A_FILE = 200  # a page of more is slow to open; --limit asks for it
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
    """Numbers and ranges: 3, 10-20, 5-, separated by commas or repeated."""
    return [_interval(part) for value in values for part in value.split(",")]


def _interval(text: str) -> Interval:
    found = re.fullmatch(r"\s*([0-9]{1,12})\s*(?:(-)\s*([0-9]{1,12})?)?\s*", text)
    if not found or int(found[1]) < 1 or (found[3] and int(found[3]) < int(found[1])):
        raise click.BadParameter(f"{text!r} is no number or range; expected 3, 10-20 or 5-, from 1.")
    first = int(found[1])
    return Interval(first, int(found[3]) if found[3] else None if found[2] else first)


def _degrees(context: click.Context, parameter: click.Parameter, value: str | None) -> Interval | None:
    """A block degree: 2, or 2+ for that and more."""
    if value is None:
        return None
    found = re.fullmatch(r"([1-9][0-9]{0,8})(\+?)", value)
    if not found:
        raise click.BadParameter(f"{value!r} is no block degree; expected 1, 2, 3, ... or 2+ for 2 and more.")
    return Interval(int(found[1]), None if found[2] else int(found[1]))


@click.command("show", cls=Command, epilog=EPILOG)
@click.argument("file", type=INPUT, default="-", metavar="[FILE|-]")
@click.option(
    "-n",
    "--number",
    "numbers",
    metavar="N|N-M",
    multiple=True,
    callback=_intervals,
    help="Sentences by their number, from 1: 3, 10-20, 5- (repeatable).",
)
@click.option("--sent-id", "sent_ids", metavar="ID", multiple=True, help="The sentence with this id (repeatable).")
@click.option("--ill-nested", is_flag=True, help="Only ill-nested trees.")
@click.option(
    "--block-degree",
    "degrees",
    metavar="K|K+",
    callback=_degrees,
    help="Only trees of block degree K, or of K and more: 2+ are the non-projective ones.",
)
@click.option(
    "--differs-from",
    "system",
    metavar="SYSTEM",
    type=INPUT,
    help="Only sentences to which this file gives another tree; it is drawn below.",
)
@click.option(
    "--limit",
    type=COUNT,
    metavar="N",
    help=f"Stop after N sentences. Default: no limit in the terminal, {MOST_IN_A_FILE} in a file.",
)
@click.option("--html", type=PAGE, metavar="OUT", help="Write a page: a click on a word shows its yield.")
@click.option("--svg", type=PAGE, metavar="OUT", help="Write a picture.")
@click.option(
    "--width",
    type=click.IntRange(NARROWEST, LARGEST_COUNT),
    metavar="N",
    help=f"Cells in a line, or pixels of a page ({PAGE_WIDTH}). Default: the terminal's.",
)
@click.option("--tags", is_flag=True, help="Write UPOS below the words.")
@click.option(
    "--colour/--no-colour",
    "--color/--no-color",
    default=None,
    help="Default: on a terminal, unless NO_COLOR is set.",
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
    """Draw the trees of FILE: arcs above the words, in the terminal or in a page of their own.

    Options that pick sentences are conditions that must all hold; they look at the trees of FILE. Arcs that
    cross are coloured; below the words, yields with gaps are underlined, block by block.
    """
    refuse_terminal([file] if system is None else [file, system])
    if skip_bad and system is not None:
        raise click.UsageError(
            "--skip-bad cannot be used with --differs-from: the two files would no longer run in parallel."
        )
    if (html or svg) and output:
        raise click.UsageError("-o is where the drawing in text goes; --html and --svg name their own file.")
    skipped = SkipBad()
    sentences: Iterable[Sentence] = read(file, skip=skipped if skip_bad else None)
    if html or svg:  # else the drawings themselves show how far it is
        sentences = progress(sentences, "reading")
    selection = SentenceFilter(numbers, frozenset(sent_ids), degrees, ill_nested)
    names = [display_name(path) for path in (file, system or "")]
    selected = select(sentences, selection, read(system) if system is not None else None, names)
    pictures = (picture(found.sentence, found.number, found.system) for found in selected)
    if html or svg:
        count = _write_files(pictures, html, svg, limit, width or PAGE_WIDTH)
    else:
        count = _write_text(islice(pictures, limit), output, width, _wants_colour(colour, output), tags)
    skipped.report()
    if not count:
        say("wnparse: no sentence to show")


def _wants_colour(asked: bool | None, output: str | None) -> bool:
    """What was asked for; else colour on a terminal, unless NO_COLOR is set and not empty."""
    if asked is not None:
        return asked
    return output is None and sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def _write_text(
    pictures: Iterator[Picture], output: str | None, width: int | None, colour: bool, tags: bool
) -> int:
    """Draw sentence by sentence, so that a pager need not wait for the last."""
    cells = width or shutil.get_terminal_size((100, 24)).columns
    count = 0
    with open_output(output) as stream:
        for count, drawn in enumerate(pictures, 1):
            text = draw(drawn, width=cells, colour=colour, tags=tags)
            stream.write(("\n" * (count > 1) + text).encode("utf-8", "replace"))
    return count


def _write_files(
    pictures: Iterator[Picture], html: str | None, svg: str | None, limit: int | None, width: int
) -> int:
    """Write the page and the picture, each whole or not at all."""
    from wnparse.drawing.page import picture_page  # 30 ms that a drawing in text need not wait for
    from wnparse.drawing.svg import svg_document

    chosen = list(islice(pictures, limit or MOST_IN_A_FILE))
    if limit is None and next(pictures, None) is not None:
        say(f"wnparse: only the first {len(chosen)} sentences are drawn; --limit asks for more")
    for path, write in ((html, picture_page), (svg, svg_document)):
        if path:
            with open_output(path) as stream:
                stream.write(write(chosen, width).encode())
    return len(chosen)
