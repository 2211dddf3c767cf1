"""Files of the invented language: data/train.conllu, data/dev.conllu and data/test.conllu."""

from __future__ import annotations

from collections.abc import Iterator

from sample.choices import Chooser
from sample.conllu import sentence_lines, surface_words
from sample.invented.grammar import Grammar
from sample.invented.lexicon import Lexicon
from sample.tree import Node

SIZES = {"train": 2000, "dev": 300, "test": 300}
SHORTEST, LONGEST = 3, 40
DOCUMENT = 25  # sentences
GENRES = ("tale", "letter", "chronicle", "report")
CONTRACTING = ("ad", "ex", "ina", "por")


def contraction(first: Node, second: Node) -> str:
    """Return the one written form of two words, or an empty string."""
    if first.lemma in CONTRACTING and second.lemma == "lo":
        return first.form + second.form[1:]
    if first.xpos in ("VR", "VP") and second.xpos == "PPa":
        return first.form + second.form
    return ""


def touches(_: Node, following: Node) -> bool:
    """Return whether there is no space before a word: it is a mark."""
    return following.upos == "PUNCT"


def sentences(grammar: Grammar, seen: set[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield sentences of a fair length that were not seen before."""
    while True:
        nodes = surface_words(grammar.sentence())
        size = sum(not node.empty for node in nodes)
        if not SHORTEST <= size <= LONGEST:
            continue
        text, lines = sentence_lines(nodes, contraction, touches, graph=True)
        if text not in seen:
            seen.add(text)
            yield text, lines


def file_text(name: str, chooser: Chooser, source: Iterator[tuple[str, list[str]]]) -> str:
    """Return one file of the treebank with its documents and paragraphs."""
    out: list[str] = []
    for index in range(SIZES[name]):
        if index % DOCUMENT == 0:
            out.append(f"# newdoc id = {name}-{index // DOCUMENT + 1:03d}")
            out.append(f"# genre = {chooser.pick(GENRES)}")
            paragraph = 0
        if paragraph == 0:
            out.append("# newpar")
            paragraph = 3 + int(chooser.uniform() * 6)
        paragraph -= 1
        text, lines = next(source)
        out += [f"# sent_id = {name}-{index + 1:04d}", f"# text = {text}"]
        out += [*(["# direct speech"] if text.endswith(("?", "!")) else []), *lines, ""]
    return "\n".join(out) + "\n"


def treebank(seed: int) -> dict[str, str]:
    """Return the text of each file by its name."""
    lexicon = Lexicon(seed)
    chooser = Chooser(seed + 1)
    source = sentences(Grammar(lexicon, Chooser(seed + 2)), set())
    return {f"{name}.conllu": file_text(name, chooser, source) for name in SIZES}
