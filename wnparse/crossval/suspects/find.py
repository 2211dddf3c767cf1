"""Words whose annotation is likely to be wrong, by models that did not see them: most suspicious first.

Whether an annotation is an error is a question of two hypotheses: it is one of the treebank's own, which parsers
miss more or less often, or something else has taken its place. The first looks like the treebank. What the second
looks like is not known, but any error makes a tree that is less like the others; so the opposite is taken from the
same treebank with its heads moved and relations swapped at random (cf. noise-contrastive estimation, Gutmann &
Hyvärinen 2010; of errors found by cross-validation: van Halteren 2000, *The Detection of Inconsistency in Manually
Tagged Text*). A logistic regression on the opinions of models (`wnparse.crossval.suspects.features`) tells one
from the other, and at an assumed rate of errors its odds are a probability. Only words whose tree at least half of
the models contradict are looked at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wnparse._core import conllu as core
from wnparse.crossval.suspects.features import COLUMNS, Opinion
from wnparse.crossval.suspects.logistic_regression import FloatArray, learn_regression
from wnparse.parser.output import BEGINNINGS
from wnparse.storage.files import BOM
from wnparse.treebanks.annotations import CONFIDENCE, with_comments, with_item
from wnparse.treebanks.sentence import Sentence

RATE = 0.01  # of words with an error, assumed
MOST = 500  # suspects that are told by default
OTHER_HEAD, OTHER_LABEL = COLUMNS.index("other head"), COLUMNS.index("other label")
COMMENT = "suspect"


@dataclass(frozen=True)
class Suspect:
    """A word whose annotation is doubted."""

    rank: int  # from 1
    sentence: int  # its place in the treebank, from 0
    word: int
    chance: float  # that the annotation is wrong
    head_chance: float  # of the annotated head
    label_chance: float  # of the annotated relation, given that head
    head: int  # what the models would have: most of those that contradict
    relation: str
    models: int  # that contradict
    all_models: int
    rules: tuple[str, ...]  # that the annotation breaks

    def items(self) -> dict[str, str]:
        """What MISC says of it."""
        told = {
            CONFIDENCE: f"{self.head_chance:.2f}",
            "DeprelProb": f"{self.label_chance:.2f}",
            "Suspect": str(self.rank),
            "SuspectProb": f"{self.chance:.2f}",
            "ModelHead": str(self.head),
            "ModelDeprel": self.relation,
            "ModelSeeds": f"{self.models}/{self.all_models}",
        }
        if self.rules:
            told["BrokenRules"] = ",".join(self.rules)
        return {name: value.replace("|", "\\p") for name, value in told.items()}

    def describe(self, sentence: Sentence) -> str:
        """Say in one line what is suspicious."""
        forms = ["the root", *(f"{i} {form}" for i, form in enumerate(sentence.column("form"), 1))]
        own, relation = forms[sentence.heads[self.word]], sentence.column("deprel")[self.word - 1]
        seeds = f", {self.models} of {self.all_models} models" if self.all_models > 1 else ""
        rules = f"; breaks {', '.join(self.rules)}" if self.rules else ""
        annotated = f"{relation} of {own} (probability {self.head_chance * self.label_chance:.2f})"
        return (
            f"{self.rank} ({self.chance:.2f}): {forms[self.word]} is {annotated}; "
            f"expected {self.relation} of {forms[self.head]}{seeds}{rules}"
        )


def find_suspects(
    sentences: Sequence[Sentence],
    opinions: Sequence[Sequence[Opinion]],
    trees: Sequence[Sequence[Sentence]],
    most: int | None = MOST,
    least: float = RATE,
) -> list[Suspect]:
    """Find the words whose annotation is the most suspicious.

    Parameters
    ----------
    sentences : sequence of Sentence
        The treebank, with words.
    opinions, trees : sequence of sequence
        What each model thinks of each sentence, and the tree it would have.
    most : int or None
        How many there are at most.
    least : float
        The chance of an error from which on a word is one: that of any word, unless another is asked for.
    """
    rows, places = _join([[each.rows for each in model] for model in opinions])
    moved, _ = _join([[each.moved for each in model] for model in opinions])
    swapped, _ = _join([[each.swapped for each in model] for model in opinions])
    looked = _is_contradicted(rows)
    changed = [kind[_is_contradicted(kind)] for kind in (moved, swapped)]
    kinds = sum(1 for kind in (moved, swapped) if len(kind))
    if not looked.any() or not sum(map(len, changed)):
        return []
    # Each random change stands for as many errors as there would be at that rate.
    shares = [
        np.full(len(kind), RATE * len(rows) / kinds / max(len(all_), 1))
        for kind, all_ in zip(changed, (moved, swapped), strict=True)
    ]
    known = rows[looked]
    learned = learn_regression(
        np.concatenate([known, *changed]),
        np.repeat([False, True], [len(known), sum(map(len, changed))]),
        np.concatenate([np.ones(len(known)), *shares]),
    )
    odds = np.where(looked, learned.log_odds(rows), -np.inf)
    chances = np.exp(-np.logaddexp(0, -odds))
    order = np.argsort(-odds, kind="stable")[: int((looked & (chances >= least)).sum())][:most]
    return [
        _suspect(rank, places[at], float(chances[at]), sentences, opinions, trees)
        for rank, at in enumerate(order.tolist(), 1)
    ]


def _join(models: Sequence[Sequence[npt.NDArray[np.float32]]]) -> tuple[FloatArray, list[tuple[int, int]]]:
    """The rows of all sentences, averaged over models, with the share that contradicts; their places."""
    stacked = np.stack([np.concatenate(model).astype(np.float64) for model in models])
    contradicts = (stacked[:, :, [OTHER_HEAD, OTHER_LABEL]] > 0).any(axis=2).mean(axis=0)
    places = [(i, word) for i, each in enumerate(models[0]) for word in range(1, len(each) + 1)]
    return np.column_stack([stacked.mean(axis=0), contradicts]), places


def _is_contradicted(rows: FloatArray) -> npt.NDArray[np.bool_]:
    contradicted: npt.NDArray[np.bool_] = rows[:, -1] >= 0.5
    return contradicted


def _suspect(
    rank: int,
    place: tuple[int, int],
    chance: float,
    sentences: Sequence[Sentence],
    opinions: Sequence[Sequence[Opinion]],
    trees: Sequence[Sequence[Sentence]],
) -> Suspect:
    """All that is to be said of a word."""
    index, word = place
    sentence = sentences[index]
    own = int(sentence.heads[word]), sentence.column("deprel")[word - 1]
    found = [(int(model[index].heads[word]), model[index].column("deprel")[word - 1]) for model in trees]
    # A model without relations has nothing against this one.
    others = [(head, own[1] if name == "_" else name) for head, name in found]
    others = [each for each in others if each != own]
    ((head, relation), _), *_ = Counter(others).most_common(1)  # the first of those that tie
    heads = [float(model[index].head_chances[word - 1]) for model in opinions]
    labels = [float(model[index].label_chances[word - 1]) for model in opinions]
    rules = opinions[0][index].broken[word - 1]
    return Suspect(
        rank,
        index,
        word,
        chance,
        float(np.mean(heads)),
        float(np.mean(labels)),
        head,
        relation,
        len(others),
        len(trees),
        rules,
    )


def mark_suspects(sentences: Sequence[Sentence], suspects: Sequence[Suspect]) -> list[bytes]:
    """The sentences that have suspects, the most suspicious first, with the reasons in comments and in MISC."""
    by_sentence: dict[int, list[Suspect]] = {}
    for suspect in suspects:
        by_sentence.setdefault(suspect.sentence, []).append(suspect)
    return [_mark(sentences[index], found) for index, found in by_sentence.items()]


def _mark(sentence: Sentence, suspects: Sequence[Suspect]) -> bytes:
    miscs = ["_", *sentence.column("misc")]
    for suspect in suspects:
        for name, value in suspect.items().items():
            miscs[suspect.word] = with_item(miscs[suspect.word], name, value)
    raw = core.splice(sentence.raw, sentence.fields, sentence.heads, None, miscs)
    added = [f"# source = {sentence.path}:{sentence.line}"]
    added += [f"# {COMMENT} = {suspect.describe(sentence)}" for suspect in suspects]
    return with_comments(raw.removeprefix(BOM).lstrip(b"\r\n"), [line.encode() for line in added], _own_comments)


def _own_comments(lines: list[bytes]) -> list[bytes]:
    """Comments that a sentence keeps where it stands alone, those of older suspects not among them."""
    dropped = (*BEGINNINGS, COMMENT.encode(), b"source")
    return [line for line in lines if line.removeprefix(b"#").strip().split(b" ")[0].split(b"=")[0] not in dropped]
