"""Write the bundled sample treebank: data/train.conllu, data/dev.conllu and data/test.conllu.

The same seed gives the same bytes on every machine and every Python from 3.10 on. Standard library only.

Examples
--------
    python scripts/sample                       # writes data/
    python scripts/sample --check               # exit 1 if data/ differs
    python scripts/sample --output /tmp/other --seed 7
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from sample.grammar import Grammar
from sample.lexicon import Chooser, Lexicon
from sample.words import Node

SIZES = {"train": 2000, "dev": 300, "test": 300}
SHORTEST, LONGEST = 3, 40
DOCUMENT = 25  # sentences
GENRES = ("tale", "letter", "chronicle", "report")
CONTRACTING = ("ad", "ex", "ina", "por")
DEFAULT_SEED = 17


def surface_words(root: Node) -> list[Node]:
    """Return words and empty nodes in order, less commas that open the sentence or precede another mark."""
    nodes = list(root.surface())
    visible = [node for node in nodes if not node.empty]
    dropped = {
        id(node)
        for node, following in zip(visible, [*visible[1:], None], strict=True)
        if node.form == "," and (node is visible[0] or (following is not None and following.upos == "PUNCT"))
    }
    return [node for node in nodes if id(node) not in dropped]


def number(nodes: list[Node]) -> None:
    """Set identifiers: 1..n for words, i.1, i.2, … for empty nodes after word i."""
    position = empties = 0
    for node in nodes:
        position, empties = (position, empties + 1) if node.empty else (position + 1, 0)
        node.identifier = f"{position}.{empties}" if node.empty else str(position)


def contraction(first: Node, second: Node) -> str:
    """Return the one written form of two words, or an empty string."""
    if first.lemma in CONTRACTING and second.lemma == "lo":
        return first.form + second.form[1:]
    if first.xpos in ("VR", "VP") and second.xpos == "PPa":
        return first.form + second.form
    return ""


def contractions(nodes: list[Node]) -> dict[str, str]:
    """Return the multiword tokens as identifier of the first word → written form; they never overlap."""
    forms: dict[str, str] = {}
    taken = -1
    for index, (first, second) in enumerate(pairwise(nodes)):
        form = contraction(first, second)
        if form and index > taken and not first.empty and not second.empty:
            forms[first.identifier] = form
            taken = index + 1
    return forms


def head_columns(node: Node) -> tuple[str, str, str]:
    """Return HEAD, DEPREL and DEPS; the enhanced graph is the tree but for what depends on an empty node."""
    head = node.head.identifier if node.head else "0"
    source, relation = (node.enhanced[0].identifier, node.enhanced[1]) if node.enhanced else (head, node.relation)
    graph = f"{source}:{relation}"
    return ("_", "_", graph) if node.empty else (head, node.relation, graph)


def columns(node: Node, glued: bool) -> str:
    """Return the line of a word or an empty node."""
    features = "|".join(f"{name}={value}" for name, value in sorted(node.features.items())) or "_"
    fields = (node.identifier, node.form, node.lemma, node.upos, node.xpos, features)
    return "\t".join((*fields, *head_columns(node), "SpaceAfter=No" if glued else "_"))


def sentence_lines(root: Node) -> tuple[str, list[str]]:
    """Return the text of a sentence and its token lines."""
    nodes = surface_words(root)
    nodes[0].form = nodes[0].form[0].upper() + nodes[0].form[1:]
    number(nodes)
    joined = contractions(nodes)
    text: list[str] = []
    lines: list[str] = []
    inside = False  # the second word of a multiword token, already written
    for index, node in enumerate(nodes):
        form = joined.get(node.identifier, "")
        following = [other for other in nodes[index + 1 :] if not other.empty][1 if form else 0 :]
        glued = bool(following) and following[0].upos == "PUNCT"
        if form:
            span = f"{node.identifier}-{int(node.identifier) + 1}"
            lines.append("\t".join((span, form, *"_" * 7, "SpaceAfter=No" if glued else "_")))
        plain = not (form or inside or node.empty)
        lines.append(columns(node, glued and plain))
        if form or plain:
            text.append((form or node.form) + ("" if glued else " "))
        inside = bool(form)
    return "".join(text).rstrip(), lines


def sentences(grammar: Grammar, seen: set[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield sentences of a fair length that were not seen before."""
    while True:
        root = grammar.sentence()
        size = sum(not node.empty for node in surface_words(root))
        if not SHORTEST <= size <= LONGEST:
            continue
        text, lines = sentence_lines(root)
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


def main() -> int:
    """Parse the options, then write or compare."""
    parser = argparse.ArgumentParser(description="Write the bundled sample treebank.")
    default = Path(__file__).resolve().parents[2] / "data"
    parser.add_argument("--output", type=Path, default=default, metavar="DIR", help="directory (default: data)")
    parser.add_argument("--seed", type=int, default=DEFAULT_SEED, help="seed (default: %(default)s)")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file differs")
    options = parser.parse_args()
    files = {options.output / name: text.encode() for name, text in treebank(options.seed).items()}
    if options.check:
        different = [path for path, content in files.items() if not path.is_file() or path.read_bytes() != content]
        for path in different:
            print(f"{path}: differs from seed {options.seed}; run without --check to write it", file=sys.stderr)
        return 1 if different else 0
    options.output.mkdir(parents=True, exist_ok=True)
    for path, content in files.items():
        path.write_bytes(content)
    return 0


if __name__ == "__main__":
    sys.exit(main())
