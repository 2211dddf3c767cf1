"""Files of the English sample: data/english/train.conllu, dev.conllu and test.conllu."""

from __future__ import annotations

from sample.choices import Chooser
from sample.conllu import sentence_lines, surface_words
from sample.english.documents import KINDS, Document
from sample.english.topics import TOPICS
from sample.tree import Node

SIZES = {"train": 1500, "dev": 200, "test": 200}
LONGEST = 36  # words
CLOSING = frozenset((".", ",", "?", "!", ":", ";", "%", ")"))


def contraction(first: Node, second: Node) -> str:
    """Return the one written form of two words, or an empty string."""
    return first.form + second.form if second.joined else ""


def touches(first: Node, second: Node) -> bool:
    """Return whether there is no space between two words."""
    if second.form in CLOSING or second.xpos == "''" or first.xpos in ("``", "$", "-LRB-"):
        return True
    return "HYPH" in (first.xpos, second.xpos)


def lines_of(root: Node) -> tuple[str, list[str]]:
    """Return the text of a sentence and its token lines."""
    return sentence_lines(surface_words(root), contraction, touches, graph=False)


def file_text(name: str, chooser: Chooser, seen: set[str]) -> str:
    """Return one file; a sentence that was seen before is left out."""
    out: list[str] = []
    count = documents = 0
    start = int(chooser.uniform() * len(KINDS))
    while count < SIZES[name]:
        # every file has every topic and every kind
        topic, kind = TOPICS[documents % len(TOPICS)], KINDS[(documents + start) % len(KINDS)]
        document = Document(chooser, topic, kind, rare=name != "train")
        documents += 1
        opening = [
            f"# newdoc id = {name}-{documents:03d}",
            f"# genre = {document.kind}",
            f"# topic = {document.topic.name}",
        ]
        for paragraph in document.paragraphs():
            opening.append("# newpar")
            for root in paragraph:
                if count == SIZES[name] or len(surface_words(root)) > LONGEST:
                    continue
                text, lines = lines_of(root)
                if text in seen:
                    continue
                seen.add(text)
                count += 1
                out += [*opening, f"# sent_id = {name}-{count:04d}", f"# text = {text}", *lines, ""]
                opening = []
            if opening[-1:] == ["# newpar"]:
                opening.pop()
    return "\n".join(out) + "\n"


def treebank(seed: int) -> dict[str, str]:
    """Return the text of each file by its name."""
    chooser = Chooser(seed + 7)  # with the default seed, non-projective trees are spread evenly over the files
    seen: set[str] = set()
    return {f"{name}.conllu": file_text(name, chooser, seen) for name in SIZES}
