"""``wnparse show``: draw trees in the terminal, as SVG or as a page."""

from __future__ import annotations

import difflib
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import islice, tee

import click

from wnparse.cli.common import (
    COUNT,
    SkipBad,
    integers,
    join_names,
    progress,
    quiet_option,
    refuse_terminal,
    say,
    skip_bad_option,
    write_text,
)
from wnparse.cli.options.rules import RulesName
from wnparse.cli.paths import HTML, INPUT, Command, OutputPath, output_option
from wnparse.cli.sections import Decorated, drawing, selection
from wnparse.drawing.picture import PAGE_WIDTH, Picture
from wnparse.drawing.text import NARROWEST, draw
from wnparse.rules import Rules
from wnparse.rules.breaking import find_broken, mark_broken
from wnparse.storage.files import display_name, open_output
from wnparse.treebanks.filter import Interval, Selected, SentenceFilter, WordFilter, select
from wnparse.treebanks.pictures import picture
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import Sentence

MOST_NAMED = 8  # rules in a message
MOST_IN_A_FILE = 200  # unless --limit is given: a page with more sentences is slow to open

EPILOG = """
\b
Examples:
  wnparse show treebank.conllu | less -R
  wnparse show treebank.conllu -n 1-3 --tags
  wnparse show treebank.conllu --ill-nested --html ill-nested.html
  wnparse show treebank.conllu --block-degree 3+ --limit 5
  wnparse show treebank.conllu --lemma be --deprel cop --limit 5
  wnparse show treebank.conllu --rules ud --html errors.html
  wnparse show treebank.conllu -n 3 --no-title --svg tree.svg --tex tree.tex
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


def _drawing_option(option: str, help_text: str, *endings: str) -> Callable[[Decorated], Decorated]:
    """Return an option that names a file for drawings, instead of the drawing in text."""
    kind = OutputPath(replaces_output="always", endings=endings)
    return drawing(option, type=kind, metavar="FILE", help=help_text)


def _word_option(option: str, name: str, metavar: str, column: str) -> Callable[[Decorated], Decorated]:
    """Return an option for the value of a column of a word, which can be repeated."""
    help_text = f"Show only sentences with a word that has this {column}. Can be repeated."
    return selection(option, name, metavar=metavar, multiple=True, help=help_text)


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
@_word_option("--form", "forms", "FORM", "form, in upper or lower case")
@_word_option("--lemma", "lemmas", "LEMMA", "lemma, in upper or lower case")
@_word_option("--upos", "upos", "TAG", "UPOS tag")
@_word_option("--deprel", "relations", "RELATION", "relation; without a subtype, all subtypes are included")
@selection(
    "--rules",
    type=RulesName(),
    help="Show only sentences that break one of these rules, and mark the arcs. Expects the name of bundled rules "
    "(ud, ud1, riedel-clarke-2006) or a rule file.",
)
@selection(
    "--rule",
    "rule_names",
    metavar="NAME",
    multiple=True,
    help="Check only this rule of --rules. Can be repeated.",
)
@selection(
    "--differs-from",
    "system",
    metavar="FILE",
    type=INPUT,
    help="Show only sentences whose tree differs in this file; the arcs that differ are drawn below.",
)
@selection(
    "--limit",
    type=COUNT,
    metavar="N",
    help=f"Stop after N sentences.  [default: no limit in the terminal, {MOST_IN_A_FILE} in a file]",
)
@_drawing_option(
    "--html", "Write an interactive HTML page: hover over a word, or click it, to see its yield.", *HTML
)
@_drawing_option("--svg", "Write an SVG picture.", ".svg")
@_drawing_option("--tex", "Write a TeX document that draws the trees with the package tikz-dependency.", ".tex")
@drawing(
    "--width",
    type=integers(NARROWEST),
    metavar="N",
    help="Width in characters (terminal) or pixels (HTML, SVG).  "
    f"[default: the width of the terminal; {PAGE_WIDTH} pixels in HTML; one line in SVG]",
)
@drawing("--no-title", is_flag=True, help="Leave out the captions above the trees: titles, places and rules.")
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
    rules: Rules | None,
    rule_names: tuple[str, ...],
    system: str | None,
    limit: int | None,
    html: str | None,
    svg: str | None,
    tex: str | None,
    width: int | None,
    no_title: bool,
    tags: bool,
    colour: bool | None,
    skip_bad: bool,
    output: str | None,
    **words: tuple[str, ...],
) -> None:
    """Draw the trees of FILE in the terminal, as an HTML page, as SVG or as TeX.

    Arcs are drawn above the words, and crossing arcs are coloured. Below the words, discontinuous yields are
    underlined, unless words have no head. The options for selection can be combined; a sentence is shown if it
    meets all of them. One of its words must meet all conditions on form, lemma, UPOS tag and relation.
    """
    refuse_terminal([file] if system is None else [file, system])
    if skip_bad and system is not None:
        raise click.UsageError(
            "--skip-bad cannot be used with --differs-from, which needs the same sentences in both files; "
            "correct the malformed sentences first."
        )
    files = {"html": html, "svg": svg, "tex": tex}
    _check_output(output, files)
    if rule_names:
        rules = _keep_rules(rules, rule_names)
    skipped = SkipBad()
    sentences: Iterable[Sentence] = Reader([file], skip=skipped if skip_bad else None)
    if any(files.values()):  # otherwise the drawings themselves show the progress
        sentences = progress(sentences, "reading", [file])
    word_filter = WordFilter(**words)
    conditions = SentenceFilter(numbers, frozenset(sent_ids), degrees, ill_nested, word_filter)
    names = [display_name(path) for path in (file, system or "")]
    matches = select(sentences, conditions, Reader([system]) if system is not None else None, names)
    pictures = _pictures(matches, word_filter, rules)
    if any(files.values()):
        count = _write_files(pictures, files, limit, width, captions=not no_title)
    else:
        style = {"colour": _uses_colour(colour, output), "tags": tags, "captions": not no_title}
        count = _write_text(islice(pictures, limit), output, width, style)
    skipped.report()
    if not count:
        say("wnparse: no sentence to show")


def _check_output(output: str | None, files: dict[str, str | None]) -> None:
    """Raise UsageError if -o is given together with other files, or has the extension of another format."""
    if output is None:
        return
    if any(files.values()):
        raise click.UsageError(
            "-o is for drawings in text; leave it out with --html, --svg and --tex, which name their own files."
        )
    for option, ending in (("--svg", ".svg"), ("--tex", ".tex"), *(("--html", ending) for ending in HTML)):
        if output.lower().endswith(ending):
            raise click.UsageError(f"-o writes a drawing in text; use {option} {output}.")


def _keep_rules(rules: Rules | None, names: tuple[str, ...]) -> Rules:
    """Return the rules with these names; UsageError if they do not exist."""
    if rules is None:
        raise click.UsageError("--rule selects rules of --rules; add --rules with a name or a file.")
    known = [rule.name for rule in rules]
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            hint = f"did you mean {near[0]}?" if near else f"known: {join_names(known, MOST_NAMED)}"
            raise click.UsageError(f"--rule: {rules.name} has no rule {name!r}; {hint}")
    return rules.keep(names)


def _pictures(matches: Iterator[Selected], words: WordFilter, rules: Rules | None) -> Iterator[Picture]:
    """Yield the pictures of sentences, with marks on the words that were searched for.

    If there are rules, only sentences that break one are drawn, with marks on the arcs.
    """
    if rules is None:
        for match in matches:
            yield _picture(match, words)
        return
    matches, copies = tee(matches)
    for match, broken in zip(matches, find_broken((copy.sentence for copy in copies), rules), strict=True):
        if broken:
            yield mark_broken(_picture(match, words), broken)


def _picture(match: Selected, words: WordFilter) -> Picture:
    marked = words.words(match.sentence) if words else ()
    return picture(match.sentence, match.number, match.system, marked)


def _uses_colour(option: bool | None, output: str | None) -> bool:
    """Return the value of the option; without it, colour is used on a terminal unless NO_COLOR is set."""
    if option is not None:
        return option
    return output is None and sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def _write_text(pictures: Iterator[Picture], output: str | None, width: int | None, style: dict[str, bool]) -> int:
    """Draw sentence by sentence, so that a pager shows the first at once; return how many were drawn."""
    cells = width or shutil.get_terminal_size((100, 24)).columns
    count = 0
    with open_output(output) as stream:
        for count, sentence in enumerate(pictures, 1):
            text = draw(sentence, width=cells, **style)
            stream.write(("\n" * (count > 1) + text).encode("utf-8", "replace"))
    return count


def _write_files(
    pictures: Iterator[Picture],
    files: dict[str, str | None],
    limit: int | None,
    width: int | None,
    *,
    captions: bool,
) -> int:
    """Write the page and the pictures; return how many sentences were drawn."""
    from wnparse.drawing.page import picture_page  # 30 ms that a drawing in text need not wait for
    from wnparse.drawing.svg import svg_document
    from wnparse.drawing.tex import tex_document

    chosen = list(islice(pictures, limit or MOST_IN_A_FILE))
    if limit is None and next(pictures, None) is not None:
        say(f"wnparse: only the first {len(chosen)} sentences are drawn; use --limit to draw more")
    if files["html"]:
        write_text(files["html"], picture_page(chosen, width, captions=captions))
    if files["svg"]:
        write_text(files["svg"], svg_document(chosen, width, captions=captions))
    if files["tex"]:
        write_text(files["tex"], tex_document(chosen, captions=captions))
    return len(chosen)
