"""Cross-validation from the library: training data of models, their predictions, and detection of suspects."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np
import pytest

from support.places import DATA
from wnparse.cluster.calls import Call, Outcome
from wnparse.crossval.crossval import CrossValidation, cross_validation, make_grid
from wnparse.crossval.processes import run_calls
from wnparse.crossval.suspects.find import mark_suspects
from wnparse.crossval.suspects.logistic_regression import learn_regression
from wnparse.crossval.suspects.perturb import move_head, swap_label
from wnparse.errors import ClusterError
from wnparse.parser.model import load
from wnparse.parser.tokens import encode
from wnparse.training.options import TrainOptions
from wnparse.treebanks.reader import Reader, read
from wnparse.treebanks.sentence import Sentence, parse_sentence
from wnparse.trees import block_degree

QUICK = TrainOptions(order=1, epochs=2, rules=None, only="parser").complete()


def validate(sentences: list[Sentence], folds: int = 3, **options: object) -> CrossValidation:
    run = cross_validation(sentences, [QUICK], folds=folds, seeds=[1], **options)  # type: ignore[arg-type]
    for _ in run.run(lambda calls: run_calls(calls, 1)):
        pass
    assert not run.failures
    return run


def relabelled(sentence: Sentence, names: dict[str, str]) -> Sentence:
    return sentence.with_tree(sentence.heads, ["", *(names.get(name, name) for name in sentence.column("deprel"))])


def test_models_are_not_trained_on_what_they_parse() -> None:
    """Each fold has its own relation of determiners: a model that was trained on the fold would use it."""
    sentences = list(read(DATA / "dev.conllu"))[:150]
    fold_of = cross_validation(sentences, [QUICK], folds=3, seeds=[1]).fold_of
    marked = [
        relabelled(sentence, {"det": f"det{fold}"}) for sentence, fold in zip(sentences, fold_of, strict=True)
    ]
    run = validate(marked)
    assert sorted(i for fold in range(3) for i in run.inside(fold)) == list(range(len(marked)))
    parsed = [parse_sentence(raw) for raw in run.predictions(1)]
    for fold in range(3):
        counts = Counter(name for i in run.inside(fold) for name in parsed[i].column("deprel"))
        assert not counts[f"det{fold}"]
        assert counts[f"det{(fold + 1) % 3}"] + counts[f"det{(fold + 2) % 3}"] > 50
    for before, after in zip(marked, parsed, strict=True):
        assert before.column("form") == after.column("form")


@pytest.fixture(scope="module")
def planted() -> tuple[list[Sentence], set[tuple[int, int]]]:
    """A part of the sample with 30 errors: heads of determiners and adpositions moved, relations replaced."""
    sentences, places, rng = list(read(DATA / "dev.conllu")), set(), random.Random(5)
    for i in rng.sample(range(len(sentences)), 30):
        heads, relations = sentences[i].heads.tolist(), ["", *sentences[i].column("deprel")]
        changed = move_head(heads, rng) if i % 2 else swap_label(heads, relations, ["obj", "nmod", "case"], rng)
        assert changed is not None
        word, new = changed
        sentences[i] = sentences[i].with_tree(*((new, relations) if i % 2 else (heads, new)))  # type: ignore[arg-type]
        places.add((i, word))
    return sentences, places


def test_planted_errors_come_first(planted: tuple[list[Sentence], set[tuple[int, int]]]) -> None:
    sentences, places = planted
    run = validate(sentences, 4, features=True)
    suspects = run.suspects(None)
    assert [suspect.rank for suspect in suspects] == list(range(1, len(suspects) + 1))
    assert sorted((suspect.probability for suspect in suspects), reverse=True) == [
        suspect.probability for suspect in suspects
    ]
    assert sum((suspect.sentence, suspect.word) in places for suspect in suspects[:20]) >= 14
    # Probabilities are calibrated: their sum is near the number of errors.
    expected = sum(suspect.probability for suspect in suspects)
    errors = sum((suspect.sentence, suspect.word) in places for suspect in suspects)
    assert 0.5 * errors < expected < 2 * errors
    # The comment has everything that an annotator needs.
    first = suspects[0]
    text = parse_sentence(mark_suspects(run.sentences, suspects)[0])
    misc = dict(item.split("=", 1) for item in text.column("misc")[first.word - 1].split("|"))
    assert misc["Suspect"] == "1" and misc["ModelSeeds"] == "1/1"
    assert (misc["ModelHead"], misc["ModelDeprel"]) == (str(first.head), first.relation)
    assert float(misc["HeadProb"]) * float(misc["DeprelProb"]) < 0.5 < float(misc["SuspectProb"])
    assert text.heads.tolist() == sentences[first.sentence].heads.tolist()
    assert any(comment.startswith("# suspect = 1 (") for comment in text.comments)
    assert f"# source = {DATA / 'dev.conllu'}:{sentences[first.sentence].line}" in text.comments


def test_a_lost_cluster_loses_only_unfinished_tasks() -> None:
    run = cross_validation(list(read(DATA / "dev.conllu"))[:40], [QUICK], folds=3, seeds=[1])

    def lose(calls: Sequence[Call]) -> Iterator[Outcome]:
        yield next(run_calls(calls, 1))
        raise ClusterError("the connection is lost")

    assert len(list(run.run(lose))) == 3
    assert list(run.results) == [(0, 1, 0)]
    assert list(run.failures) == [(0, 1, 1), (0, 1, 2)]
    assert run.summary(0)["las"].deviation is None


def test_a_treebank_without_errors_has_few_suspects() -> None:
    run = validate(list(read(DATA / "dev.conllu")), features=True)
    assert sum(suspect.probability > 0.5 for suspect in run.suspects()) <= 5


def test_random_changes_keep_trees() -> None:
    rng = random.Random(1)
    for sentence in Reader([DATA / "dev.conllu"]):
        heads, relations = sentence.heads.tolist(), ["", *sentence.column("deprel")]
        moved = move_head(heads, rng)
        if moved is not None:
            word, changed = moved
            assert block_degree(changed) > 0  # ValueError if it is not a tree
            assert [i for i, (a, b) in enumerate(zip(heads, changed, strict=True)) if a != b] == [word]
        swapped = swap_label(heads, relations, ["obj", "root"], rng)
        if swapped is not None:
            word, names = swapped
            assert names[word] == "obj" != relations[word]
            assert sum(a != b for a, b in zip(relations, names, strict=True)) == 1
    assert move_head([-1, 0, 1], rng) is None
    assert swap_label([-1, 0, 1], ["", "root", "obj"], ["obj", "root"], rng) is None


def test_labels_of_a_tree_are_scored(model: str) -> None:
    """The best of all scores is the label that the model would choose."""
    loaded = load(model)
    for sentence in islice(read(DATA / "test.conllu"), 20):
        tokens = encode(sentence, loaded.columns)
        scores = loaded._scorer.label_scores(tokens, sentence.heads, len(loaded.labels))
        assert scores.shape == (len(sentence) + 1, len(loaded.labels))
        assert np.isneginf(scores[0]).all()
        assert scores[1:].argmax(axis=1).tolist() == loaded._scorer.label(tokens, sentence.heads)[1:].tolist()


def test_logistic_regression_finds_the_odds() -> None:
    """Groups of rows have the odds of their counts; a column that never changes and rare weights do no harm."""
    rows = np.array([[0.0, 7.0], [0.0, 7.0], [1.0, 7.0], [1.0, 7.0]])
    second = np.array([False, True, False, True])
    shares = 1000 * np.array([9.0, 1.0, 1.0, 3.0])
    learned = learn_regression(rows, second, shares)
    assert np.allclose(learned.log_odds(rows[[0, 2]]), np.log([1 / 9, 3]), atol=1e-2)


def test_grids_change_the_first_option_slowest() -> None:
    grid = make_grid(TrainOptions(), {"order": [1, 2], "epochs": [3, 4]})
    assert [(options.order, options.epochs) for options in grid] == [(1, 3), (1, 4), (2, 3), (2, 4)]
