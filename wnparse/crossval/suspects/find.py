"""Words whose annotation is likely to be wrong, by models that were not trained on them: most suspicious first.

There are two hypotheses about an annotation: it is right, and parsers get it wrong more or less often, or it is an
error. What errors look like is not known, but any error makes a tree that is less like the others. So the examples
of errors are the trees of the same treebank with heads moved and relations swapped at random (cf.
noise-contrastive estimation, Gutmann & Hyvärinen 2010; on errors found by cross-validation: van Halteren 2000,
*The Detection of Inconsistency in Manually Tagged Text*). A logistic regression on the features of
`wnparse.crossval.suspects.features` distinguishes the two, and an assumed rate of errors turns its odds into a
probability. Only words whose annotation at least half of the models contradict can be suspects. Words without a
head or relation have no annotation to suspect.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wnparse._core import conllu as core
from wnparse.crossval.suspects.features import COLUMNS, SentenceFeatures
from wnparse.crossval.suspects.logistic_regression import FloatArray, learn_regression
from wnparse.parser.output import BEGINNINGS
from wnparse.storage.files import BOM
from wnparse.treebanks.annotations import CONFIDENCE, with_comments, with_item
from wnparse.treebanks.sentence import Sentence

RATE = 0.01  # assumed rate of words with an error
MOST = 500  # suspects that are reported by default
OTHER_HEAD, OTHER_LABEL = COLUMNS.index("other head"), COLUMNS.index("other label")
COMMENT = "suspect"


@dataclass(frozen=True)
class Suspect:
    """A word whose annotation is doubtful."""

    rank: int  # from 1
    sentence: int  # its index in the treebank
    word: int
    probability: float  # that the annotation is wrong
    head_probability: float  # of the annotated head
    label_probability: float  # of the annotated relation, given that head
    head: int  # the choice of most of the models that contradict the annotation
    relation: str
    models: int  # number of models that contradict
    all_models: int
    rules: tuple[str, ...]  # that the annotation breaks

    def items(self) -> dict[str, str]:
        """Return the items of MISC that describe it."""
        items = {
            CONFIDENCE: f"{self.head_probability:.2f}",
            "DeprelProb": f"{self.label_probability:.2f}",
            "Suspect": str(self.rank),
            "SuspectProb": f"{self.probability:.2f}",
            "ModelHead": str(self.head),
            "ModelDeprel": self.relation,
            "ModelSeeds": f"{self.models}/{self.all_models}",
        }
        if self.rules:
            items["BrokenRules"] = ",".join(self.rules)
        return {name: value.replace("|", "\\p") for name, value in items.items()}

    def describe_suspicion(self, sentence: Sentence) -> str:
        """Describe in one line what is suspicious."""
        forms = ["the root", *(f"{i} {form}" for i, form in enumerate(sentence.column("form"), 1))]
        own, relation = forms[sentence.heads[self.word]], sentence.column("deprel")[self.word - 1]
        seeds = f", {self.models} of {self.all_models} models" if self.all_models > 1 else ""
        rules = f"; breaks {', '.join(self.rules)}" if self.rules else ""
        annotated = f"{relation} of {own} (probability {self.head_probability * self.label_probability:.2f})"
        return (
            f"{self.rank} ({self.probability:.2f}): {forms[self.word]} is {annotated}; "
            f"expected {self.relation} of {forms[self.head]}{seeds}{rules}"
        )


def find_suspects(
    sentences: Sequence[Sentence],
    features: Sequence[Sequence[SentenceFeatures]],
    trees: Sequence[Sequence[Sentence]],
    most: int | None = MOST,
    least: float = RATE,
) -> list[Suspect]:
    """Find the words whose annotation is the most suspicious.

    Parameters
    ----------
    sentences : sequence of Sentence
        The treebank, with words.
    features, trees : sequence of sequence
        The features of each sentence by each model, and the tree that the model gives it.
    most : int or None
        Maximum number of suspects.
    least : float
        Minimum probability of an error; the default is the assumed rate of errors.
    """
    odds = _log_odds(features)
    probabilities = np.exp(-np.logaddexp(0, -odds))
    count = int((np.isfinite(odds) & (probabilities >= least)).sum())
    places = [(i, word) for i, sentence in enumerate(sentences) for word in range(1, len(sentence) + 1)]
    suspects = []
    for rank, place in enumerate(np.argsort(-odds, kind="stable")[:count][:most].tolist(), 1):
        index, word = places[place]
        by_model = [model[index] for model in features]
        heads = [float(model.head_probabilities[word - 1]) for model in by_model]
        labels = [float(model.label_probabilities[word - 1]) for model in by_model]
        arcs = _contradicting_arcs(sentences[index], [model[index] for model in trees], word)
        ((head, relation), _), *_ = Counter(arcs).most_common(1)  # the first of those that tie
        suspects.append(
            Suspect(
                rank=rank,
                sentence=index,
                word=word,
                probability=float(probabilities[place]),
                head_probability=float(np.mean(heads)),
                label_probability=float(np.mean(labels)),
                head=head,
                relation=relation,
                models=len(arcs),
                all_models=len(trees),
                rules=by_model[0].broken[word - 1],
            )
        )
    return suspects


def _log_odds(features: Sequence[Sequence[SentenceFeatures]]) -> FloatArray:
    """Return the log odds of each word to be an error.

    They are -inf if less than half of the models contradict the annotation, and if there is none.
    """
    rows, *changes = (_average(features, kind) for kind in ("rows", "moved", "swapped"))
    annotated = np.concatenate([sentence.annotated for sentence in features[0]])
    contradicted = annotated & (rows[:, -1] >= 0.5)
    changes = [change for change in changes if len(change)]
    errors = [change[change[:, -1] >= 0.5] for change in changes]
    if not contradicted.any() or not sum(map(len, errors)):
        return np.full(len(rows), -np.inf)
    # Each random change stands for as many errors as there would be at that rate.
    weights = [
        np.full(len(error), RATE * int(annotated.sum()) / len(changes) / len(change))
        for error, change in zip(errors, changes, strict=True)
    ]
    known = rows[contradicted]
    regression = learn_regression(
        np.concatenate([known, *errors]),
        np.repeat([False, True], [len(known), sum(map(len, errors))]),
        np.concatenate([np.ones(len(known)), *weights]),
    )
    return np.where(contradicted, regression.log_odds(rows), -np.inf)


def _average(features: Sequence[Sequence[SentenceFeatures]], kind: str) -> FloatArray:
    """Return the rows of all sentences, averaged over models, and the proportion of models that contradict."""
    stacked = np.stack(
        [np.concatenate([getattr(sentence, kind) for sentence in model]).astype(np.float64) for model in features]
    )
    contradicts = (stacked[:, :, [OTHER_HEAD, OTHER_LABEL]] > 0).any(axis=2).mean(axis=0)
    return np.column_stack([stacked.mean(axis=0), contradicts])


def _contradicting_arcs(sentence: Sentence, trees: Sequence[Sentence], word: int) -> list[tuple[int, str]]:
    """Return the heads and relations of a word in the trees that contradict the annotation."""
    annotated = int(sentence.heads[word]), sentence.column("deprel")[word - 1]
    chosen = [(int(tree.heads[word]), tree.column("deprel")[word - 1]) for tree in trees]
    # A model without relations does not contradict the relation.
    arcs = [(head, annotated[1] if relation == "_" else relation) for head, relation in chosen]
    return [arc for arc in arcs if arc != annotated]


def mark_suspects(sentences: Sequence[Sentence], suspects: Sequence[Suspect]) -> list[bytes]:
    """Return the sentences that have suspects, the most suspicious first, with reasons in comments and in MISC."""
    by_sentence: dict[int, list[Suspect]] = {}
    for suspect in suspects:
        by_sentence.setdefault(suspect.sentence, []).append(suspect)
    return [_mark(sentences[index], suspects) for index, suspects in by_sentence.items()]


def _mark(sentence: Sentence, suspects: Sequence[Suspect]) -> bytes:
    miscs = ["_", *sentence.column("misc")]
    for suspect in suspects:
        for name, value in suspect.items().items():
            miscs[suspect.word] = with_item(miscs[suspect.word], name, value)
    raw = core.splice(sentence.raw, sentence.fields, sentence.heads, None, miscs)
    added = [f"# source = {sentence.path}:{sentence.line}"]
    added += [f"# {COMMENT} = {suspect.describe_suspicion(sentence)}" for suspect in suspects]
    return with_comments(raw.removeprefix(BOM).lstrip(b"\r\n"), [line.encode() for line in added], _own_comments)


def _own_comments(lines: list[bytes]) -> list[bytes]:
    """Return the comments without those of the parser and of older suspects."""
    dropped = (*BEGINNINGS, COMMENT.encode(), b"source")
    return [line for line in lines if line.removeprefix(b"#").strip().split(b" ")[0].split(b"=")[0] not in dropped]
