"""What must hold of every CoNLL-U file, list of words and rule file, however damaged.

The library reads it, or refuses it with one line that names the file and the line. If it is read, writing gives
the same bytes, and what a parser makes of it can be read again.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import itertools
import json
import lzma
import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from click.testing import CliRunner

from wnparse.cli.main import cli
from wnparse.decoding.constraints import Constraints
from wnparse.errors import RulesError, TreebankError, WnparseError
from wnparse.parser.model import Model
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.parser.tokens import input_check
from wnparse.rules import Rules
from wnparse.rules.compile import compile_rules
from wnparse.rules.violations import RuleCounter
from wnparse.treebanks.reader import Reader, Source, read
from wnparse.treebanks.sentence import Heads, Sentence
from wnparse.treebanks.stats import stats
from wnparse.treebanks.word_input import WordSource
from wnparse.treebanks.writing import SentenceJoiner, write

HEADS: tuple[Heads, ...] = ("required", "optional", "given", "ignored")
# Commands that get a damaged file as FILE.
COMMANDS = [
    *("stats FILE", "stats FILE --skip-bad --json", "rules FILE --rules ud --skip-bad", "stats FILE --html -"),
    *(
        "eval FILE FILE",
        "eval FILE FILE --json --skip-bad",
        "show FILE",
        "show FILE --html - --skip-bad",
        "show FILE --svg -",
    ),
    *("combine FILE FILE", "combine FILE --rules ud --skip-bad"),
]
LIMITS = {"max_words": 60, "max_nodes": 20, "max_iterations": 50}
# Errors of rule files that no line is to blame for.
NO_LINE = (
    "no rules;",
    "a rule file of ",
    "nested too deeply",
    "lists or tables are nested too deeply",
    "descriptions are nested",
    "with their word lists",
)


class PropertyError(AssertionError):
    """Something does not hold that must hold of every file."""


def require(condition: object, message: str) -> None:
    """Raise PropertyError unless a condition holds."""
    if not condition:
        raise PropertyError(message)


def check_refusal(error: TreebankError | RulesError, path: str, *, needs_line: bool = True) -> str:
    """Check that an error is one line that names file and line; return it without what differs between files."""
    text = str(error)
    require("\n" not in text, f"more than one line: {text!r}")
    require(text.startswith(f"{path}:"), f"the file is not named: {text!r}")
    require(error.line > 0 or not needs_line, f"no line: {text!r}")
    return f"refused: {kind_of_message(error.message)}"


def kind_of_message(message: str) -> str:
    """Return a message without names and numbers, so that messages of one kind are equal."""
    message = re.sub(r"^rule '.*?': ", "", message)
    plain = re.sub(r"\(.*?\)|'.*'|\".*\"|0x\w+", "...", message.partition(";")[0])
    return re.sub(r"-?\d[\d,.]*(-\d+)?", "N", plain)[:60]


def content_of(path: Path) -> bytes:
    """Return the decompressed bytes of a file."""
    data = path.read_bytes()
    if path.suffix == ".gz":
        return gzip.decompress(data)
    return lzma.decompress(data) if path.suffix == ".xz" else data


class ConlluCheck:
    """Checks CoNLL-U files: reading, writing, parsing, and commands."""

    def __init__(self, models: Sequence[Model]) -> None:
        plain, tagging = models
        loose = Constraints(single_root=True)
        self.parsers = [
            Parser(plain, ParseOptions(decoder="msa", constraints=loose, **LIMITS)),
            Parser(plain, ParseOptions(constraints=plain.constraints, keep_heads=True, **LIMITS)),
            Parser(plain, ParseOptions(decoder="msa", constraints=loose, k=2, drop_deps=True, **LIMITS)),
            Parser(tagging, ParseOptions(constraints=tagging.constraints, rules=tagging.rules, **LIMITS)),
            Parser(
                tagging,
                ParseOptions(
                    decoder="msa", constraints=loose, retag=True, confidence=True, tag_sequences=1, **LIMITS
                ),
            ),
        ]

    def __call__(self, rng: random.Random, path: Path) -> str:
        """Check a file; return the outcome, or raise."""
        outcome = check_reading(path)
        check_skipping(path, rng.choice(HEADS))
        parse_file(rng.choice(self.parsers), [str(path)], str(path))
        if rng.random() < 0.04:
            run_command(rng.choice(COMMANDS), str(path))
        return outcome


def check_reading(path: Path) -> str:
    """Read a file and write it again; return the outcome, or raise."""
    try:
        sentences = list(read(str(path)))
    except TreebankError as error:
        return check_refusal(error, str(path))
    stream = io.BytesIO()
    write(sentences, stream)
    require(stream.getvalue() == content_of(path), "writing does not give the bytes that were read")
    for sentence in sentences:
        use_sentence(sentence)
    stats(sentence for sentence in sentences if sentence.annotated)
    return "read"


def check_skipping(path: Path, heads: Heads) -> None:
    """Read a file without its bad sentences; the others must be as they are in the file."""
    errors: list[TreebankError] = []
    try:
        sentences = list(read(str(path), heads=heads, skip=errors.append))
    except TreebankError as error:  # the whole file cannot be read
        check_refusal(error, str(path))
        return
    for error in errors:
        check_refusal(error, str(path))
    content = content_of(path)
    at = 0
    for sentence in sentences:
        at = content.find(sentence.raw, at)
        require(at >= 0, "a sentence that was kept is not in the file, in its order")
        at += len(sentence.raw)


def use_sentence(sentence: Sentence) -> None:
    """Use what a sentence offers."""
    forms = sentence.column("form")
    require(len(forms) == len(sentence) == len(sentence.heads) - 1, "the number of words is not clear")
    for column in ("id", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc"):
        require(len(sentence.column(column)) == len(forms), f"column {column} has another number of words")
    _ = sentence.comments, sentence.sent_id, repr(sentence)
    with contextlib.suppress(TreebankError):
        sentence.to_tokenlist()
    relations = ["", *(relation or "_" for relation in sentence.column("deprel"))]
    copy = sentence.with_tree(sentence.heads, relations)
    require(copy.column("form") == forms and (copy.heads == sentence.heads).all(), "with_tree changes more")


def parse_file(parser: Parser, sources: Sequence[Source], name: str) -> bytes:
    """Parse an input as the command does, leaving bad sentences out, and read the result again."""
    model = parser.model
    joiner, out, errors = SentenceJoiner(), [], []
    words: list[list[str]] = []
    passed_on: set[bytes] = set()
    reader = Reader(
        sources,
        heads="given" if parser.options.keep_heads else "ignored",
        skip=errors.append,
        pass_on=True,
        check=input_check(model.info, tagger=model.tagger is not None),
    )
    try:
        for parsed in parser.stream(reader, 1, reader.at_hand):
            out.append(joiner.add(parsed.raw))
            if not len(parsed.sentence):
                passed_on.add(parsed.raw.strip())
            else:
                words += [parsed.sentence.column("form")] * len(parsed.raws)
                require(len(parsed.parses) or parsed.fallback, "neither a tree nor a reason")
    except TreebankError as error:
        check_refusal(error, name)
    for error in errors:
        check_refusal(error, name)
    written = b"".join(out)
    # Sentences whose given heads are bad are passed on as they are.
    heads: Heads = "ignored" if parser.options.keep_heads else "optional"
    again = [sentence for sentence in read(io.BytesIO(written), heads=heads) if len(sentence)]
    if heads == "ignored":
        again = [sentence for sentence in again if sentence.raw.strip() not in passed_on]
    require([sentence.column("form") for sentence in again] == words, "the output has other words than the input")
    return written


def run_command(line: str, path: str) -> None:
    """Run a command on a file; it must end with a known status or an error of the library."""
    arguments = [path if word == "FILE" else word for word in line.split()]
    result = CliRunner().invoke(cli, arguments)
    if isinstance(result.exception, WnparseError):
        require("\n" not in str(result.exception), f"{line}: more than one line: {result.exception!s}")
    elif result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    elif result.exit_code not in (0, 1, 2):
        raise PropertyError(f"{line}: status {result.exit_code}")


class WordsCheck:
    """Checks lists of words: what they become, and parsing it."""

    def __init__(self, models: Sequence[Model]) -> None:
        plain, tagging = models
        self.parsers = [
            Parser(
                tagging,
                ParseOptions(decoder="msa", constraints=Constraints(single_root=True), tag_sequences=1, **LIMITS),
            ),
            Parser(tagging, ParseOptions(constraints=tagging.constraints, rules=tagging.rules, **LIMITS)),
            Parser(plain, ParseOptions(decoder="msa", constraints=Constraints(single_root=True), **LIMITS)),
        ]

    def __call__(self, rng: random.Random, path: Path) -> str:
        """Check a file; return the outcome, or raise."""
        name, spaces = str(path), rng.random() < 0.5

        def source() -> WordSource:
            return WordSource(name, itertools.count(1), spaces=spaces)

        try:
            sentences = list(Reader([source()]))
            outcome = "read"
            self._check_content(sentences, content_of(path))
        except TreebankError as error:
            outcome = check_refusal(error, name)
        parse_file(rng.choice(self.parsers), [source()], name)
        return outcome

    def _check_content(self, sentences: Sequence[Sentence], content: bytes) -> None:
        """Compare the sentences with the lines of the input, in order."""
        lines = content.decode().removeprefix("\ufeff").split("\n")
        filled = [line.rstrip("\r") for line in lines if line.strip(" \t\r\x0b\x0c")]
        words = [line.strip(" \r") for line in filled if not line.startswith("# ")]
        comments = [line for line in filled if line.startswith("# ")]
        require(
            [form for sentence in sentences for form in sentence.column("form")] == words,
            "words were lost or changed",
        )
        written = iter([comment for sentence in sentences for comment in sentence.comments])
        require(all(comment in written for comment in comments), "comments were lost or are in another order")
        raw = b"".join(sentence.raw for sentence in sentences)
        require(raw.count(b"\r\n") in (0, raw.count(b"\n")), "line ends are mixed")
        for sentence in sentences:
            if len(sentence):
                require(sentence.sent_id is not None, "no sent_id")
                require(re.search(rb"(?m)^# *text *=", sentence.raw), "no text")
                before = sentence.raw[: int(sentence.fields[1, 0])]
                require(before.count(b"\n#") + 1 == len(sentence.comments), "a comment below a word")


class RulesCheck:
    """Checks rule files: reading, compiling, counting, and parsing under the rules."""

    def __init__(self, models: Sequence[Model], sentences: Sequence[Sentence]) -> None:
        self.model, _ = models
        self.sentences = [sentence for sentence in sentences if 0 < len(sentence) <= 12][:20]

    def __call__(self, rng: random.Random, path: Path) -> str:
        """Check a file; return the outcome, or raise."""
        rules, outcome = check_rules(path)
        if rules is None:
            return outcome
        sentence = rng.choice(self.sentences)
        looked = RuleCounter(rules).look(sentence)
        require(len(looked) == len(rules), "not every rule was counted")
        try:
            compile_rules(rules, self.model.labels).predicates.bits(sentence)
        except RulesError as error:
            return check_refusal(error, str(path), needs_line=False).replace("refused", "does not fit")
        if rng.random() < 0.1:
            self._parse(rng, rules, sentence)
        return outcome

    def _parse(self, rng: random.Random, rules: Rules, sentence: Sentence) -> None:
        decoder = rng.choice(["bnb", "lr", "msa", "eisner"])
        options = ParseOptions(
            decoder=decoder, constraints=Constraints(single_root=True), rules=rules, time_limit=1.0, **LIMITS
        )
        try:
            parser = Parser(self.model, options)
        except ValueError as error:  # a decoder that does not know rules
            require("\n" not in str(error), f"more than one line: {error!s}")
            return
        (parsed,) = parser.parse([sentence])
        require(parsed.parse is not None, "no tree")
        (again,) = read(io.BytesIO(parsed.raw))
        require(again.annotated, "a word without head")


def check_rules(path: Path) -> tuple[Rules | None, str]:
    """Read a rule file; return the rules, if it is read, and the outcome, or raise."""
    try:
        rules = Rules.load(str(path))
    except RulesError as error:
        require("; " in str(error), f"the message does not say what would be right: {error!s}")
        require(error.line <= path.read_bytes().count(b"\n") + 1, f"a line behind the end: {error!s}")
        needs_line = not any(part in error.message for part in NO_LINE)
        return None, check_refusal(error, str(path), needs_line=needs_line)
    require(Rules.from_json(json.loads(json.dumps(rules.to_json()))) == rules, "JSON does not keep the rules")
    return rules, "read"


FileCheck = Callable[[random.Random, Path], str]
