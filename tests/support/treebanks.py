"""Small treebanks: written as rows or heads, drawn at random, cut from the sample; and their cells."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator, Sequence

from support.places import DATA
from wnparse.treebanks.reader import read
from wnparse.treebanks.sentence import Sentence, parse_sentence

Row = tuple[str, str, int, str]  # form, UPOS, head, relation


def as_text(treebank: Sequence[Sequence[Row]]) -> str:
    lines = []
    for rows in treebank:
        lines += [
            f"{i}\t{form}\t_\t{upos}\tx{upos}\t_\t{head}\t{deprel}\t_\t_"
            for i, (form, upos, head, deprel) in enumerate(rows, 1)
        ]
        lines.append("")
    return "".join(line + "\n" for line in lines)


def sentences(text: str | bytes) -> list[Sentence]:
    """Return the sentences of a text in CoNLL-U."""
    return list(read(io.BytesIO(text.encode() if isinstance(text, str) else text)))


def source(text: str, name: str = "some.conllu") -> Iterator[Sentence]:
    stream = io.BytesIO(text.encode())
    stream.name = name  # type: ignore[attr-defined]
    return read(stream, heads="required")


def random_treebank(seed: int, count: int) -> tuple[list[list[Row]], list[list[Row]]]:
    """Gold and system trees with one root each, non-projective, with subtypes."""
    rng = random.Random(seed)
    relations = ["nsubj", "nsubj:pass", "obj", "case", "det", "punct", "advmod", "advmod:emph", "flat", "aux"]
    gold, system = [], []
    for _ in range(count):
        n = rng.randint(1, 14)
        order = rng.sample(range(1, n + 1), n)  # heads come earlier in this order, so there is no cycle
        rows: dict[int, tuple[Row, Row]] = {}
        for place, word in enumerate(order):
            form, tag = rng.choice(["a", "bc", "é", "x y", "…"]), rng.choice(["NOUN", "VERB", "PUNCT"])
            head = rng.choice(order[:place]) if place else 0
            other = rng.choice(order[:place]) if place and rng.random() < 0.4 else head
            relation = rng.choice(relations) if place else "root"
            guess = rng.choice(relations) if rng.random() < 0.3 else relation
            rows[word] = ((form, tag, head, relation), (form, "_", other, guess))
        gold.append([rows[word][0] for word in range(1, n + 1)])
        system.append([rows[word][1] for word in range(1, n + 1)])
    return gold, system


THREE_WORDS = (
    "1\tThe\tthe\tDET\tDT\tDefinite=Def\t2\tdet\t_\t_\n"
    "2\tDogs\tdog\tNOUN\tNNS\tCase=Nom|Number=Plur\t3\tnsubj\t_\t_\n"
    "3\tran\trun\tVERB\tVBD\tNumber=Plur|Tense=Past\t0\troot\t_\t_\n\n"
)


def conllu(
    forms: Sequence[str], heads: Sequence[int], labels: Sequence[str] = (), *, sent_id: str = "", tag: str = "X"
) -> bytes:
    """One sentence; heads without that of node 0, a negative one is missing."""
    lines = [f"# sent_id = {sent_id}"] if sent_id else []
    for word, (form, head) in enumerate(zip(forms, heads, strict=True), 1):
        label = labels[word - 1] if labels else "root" if head == 0 else "dep"
        shown = "_" if head < 0 else str(head)
        lines.append(f"{word}\t{form}\t_\t{tag}\t_\t_\t{shown}\t{label}\t_\t_")
    return ("\n".join(lines) + "\n\n").encode()


def sentence(forms: Sequence[str] | str, heads: Sequence[int], labels: Sequence[str] | str = ()) -> Sentence:
    forms = forms.split() if isinstance(forms, str) else forms
    labels = labels.split() if isinstance(labels, str) else labels
    return parse_sentence(conllu(forms, heads, labels), path="t.conllu")


FIVE_TREES = [
    [0],  # one word
    [2, 0],
    [0, 0, 2, 1],  # word 1 has blocks {1}, {4}; two roots
    [0, 0, 1, 2],  # ill-nested
    [0, 1, 2, 1, 2, 1, 2][:5],  # 1 -> 2, 4; 2 -> 3, 5
]


def treebank_of(trees: Sequence[Sequence[int]]) -> bytes:
    """Trees given by their heads; words without a name, arcs without a kind."""
    return b"".join(conllu(["w"] * len(heads), heads, ["dep"] * len(heads), tag="_") for heads in trees)


def first_sentences(name: str, count: int) -> bytes:
    """The first sentences of a part of the sample."""
    return b"\n\n".join((DATA / f"{name}.conllu").read_bytes().split(b"\n\n")[:count]) + b"\n\n"


def one_sentence(count: int) -> bytes:
    """A sentence of many words: those of the training set, one after the other, without heads."""
    rows = words((DATA / "train.conllu").read_bytes())[:count]
    lines = [b"\t".join([b"%d" % i, *row[1:6], b"_", b"_", b"_", b"_"]) for i, row in enumerate(rows, 1)]
    return b"\n".join(lines) + b"\n\n"


def comment(tree: Sentence, name: str, default: str = "") -> str:
    """The value of a comment of a sentence, which has at most one of that name."""
    values = [line.split(" = ")[1] for line in tree.comments if line.startswith(f"# {name} = ")]
    assert len(values) <= 1
    return values[0] if values else default


def columns(data: bytes, *skipped: int) -> list[list[bytes]]:
    """The cells of each line; words without the columns that are skipped."""
    rows = [row.split(b"\t") for row in data.split(b"\n")]
    return [[cell for c, cell in enumerate(row) if c not in skipped or not row[0].isdigit()] for row in rows]


def words(data: bytes) -> list[list[bytes]]:
    """The cells of each word."""
    return [row for row in columns(data) if row[0].isdigit()]


def blanked(data: bytes, *emptied: int) -> bytes:
    """CoNLL-U with some columns of all words emptied."""
    rows = [row.split(b"\t") for row in data.split(b"\n")]
    for row in rows:
        if row[0].isdigit():
            for column in emptied:
                row[column] = b"_"
    return b"\n".join(b"\t".join(row) for row in rows)
