"""Training: the perceptron's step, averaging, columns, runs that repeat and resume, errors."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from support import feature_oracles as reference
from support.models import MSA, NO_ROWS, StopWhen, trained
from support.treebanks import THREE_WORDS, sentences
from wnparse._core.learner import Learner
from wnparse._core.scorer import Scorer
from wnparse._core.tables import LabelCandidates
from wnparse.errors import ModelError, TreebankError
from wnparse.parser.features import compile_templates, default_templates
from wnparse.parser.tokens import UsedColumns, encode
from wnparse.training.checkpoint import resume, save_checkpoint
from wnparse.training.options import TrainOptions
from wnparse.training.trainer import Trainer
from wnparse.treebanks.sentence import Sentence, is_filled


def test_makes_one_step_of_the_perceptron() -> None:
    """From zero weights the first tree found is wrong; the step is f(gold) - f(found), label features included."""
    (sentence,) = sentences(THREE_WORDS)
    templates = default_templates(labelled=True)
    begin, candidates = np.array([0, 2, 3], np.int32), np.array([0, 1, 2], np.int32)
    choice = LabelCandidates(np.array([0, 1], np.uint64), begin, candidates, 3)
    learner = Learner(compile_templates(templates), choice, 0.0)
    gold_labels = np.array([0, 0, 1, 2], np.int32)
    assert learner.learn(encode(sentence, UsedColumns()), sentence.heads, gold_labels, MSA) is not None
    step, state = learner.state()
    assert step == 2
    arcs = {int(key): float(weight) for key, weight in zip(state["keys"], state["weights"], strict=True) if weight}
    labels = {}
    for i, key in enumerate(state["row_keys"]):
        for k in range(state["row_begin"][i], state["row_begin"][i + 1]):
            if state["row_weights"][k]:
                labels[int(key), int(state["row_labels"][k])] = float(state["row_weights"][k])
    # Ties go to the lowest head and the first label: all words hang on the first root that MSA settles for.
    names = ["0", "1", "2"]
    scorer = Scorer(compile_templates(templates), choice, np.zeros(16, np.uint32), *NO_ROWS, 1.0, names=names)
    (result,) = scorer.parse([encode(sentence, UsedColumns())], [MSA], False)
    tree = result.trees[0]
    assert tree.labels is not None
    labels_found = [0, *map(names.index, tree.labels[1:])]
    expected: Counter[int] = Counter()
    expected_labels: Counter[tuple[int, int]] = Counter()
    for heads, names, sign in ((sentence.heads, gold_labels, 1), (tree.heads, labels_found, -1)):
        for m in range(1, 4):
            same = sentence.heads[m] == tree.heads[m]
            for number, template in enumerate(templates):
                for key in reference.keys(sentence, number, template, int(heads[m]), m):
                    words = template.split()
                    if "label" not in words and not same:
                        expected[key] += sign
                    if "label" in words or "+label" in words:
                        expected_labels[key, int(names[m])] += sign
    assert arcs == {key: value for key, value in expected.items() if value}
    assert labels == {key: value for key, value in expected_labels.items() if value}
    assert np.array_equal(state["sums"], state["weights"].astype(np.float64))  # all of it in step 1
    assert np.array_equal(state["row_sums"], state["row_weights"].astype(np.float64))


def test_averages_weights() -> None:
    (sentence,) = sentences(THREE_WORDS)
    learner = Learner(compile_templates(["hW mW"]), None, 0.0)
    tokens, labels = encode(sentence, UsedColumns()), np.zeros(4, np.int32)
    learner.learn(tokens, sentence.heads, labels, MSA)
    _, state = learner.state()
    for _ in range(3):  # now all heads are right and nothing changes
        assert learner.learn(tokens, sentence.heads, labels, MSA) == (3, 3)
    keys, averaged = learner.averaged()
    assert np.array_equal(keys, state["keys"])
    assert averaged == pytest.approx(state["weights"] * (1 - 1 / 5))


def test_empty_columns_are_dropped(sample: list[Sentence]) -> None:
    assert all(is_filled(sample[:5], column) for column in ("lemma", "xpos", "feats"))
    bare = sentences("1\tw\t_\tX\t_\t_\t0\troot\t_\t_\n\n")
    assert trained(bare).columns == UsedColumns(lemma=False, xpos=False, feats=False)


def test_same_seed_same_bytes(sample: list[Sentence], tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        trained(sample[:60], seed=seed).save(str(tmp_path / name))
    first, again, other = ((tmp_path / name).read_bytes() for name in "abc")
    assert first == again != other


@pytest.mark.parametrize("stop_after", [1, 37, 60, 95])
def test_an_interrupted_run_resumes_to_the_same_bytes(
    sample: list[Sentence], tmp_path: Path, stop_after: int
) -> None:
    treebank, dev = sample[:60], sample[60:80]
    options = TrainOptions(epochs=2, order=1)
    whole = Trainer(treebank, dev, options)
    while whole.epoch < 2:
        whole.run_epoch()
    seen = iter(range(1, 1000))
    part = Trainer(treebank, dev, options, watcher=StopWhen(lambda: next(seen) >= stop_after))
    while part.epoch < 2 and part.run_epoch():
        pass
    save_checkpoint(part, str(tmp_path / "checkpoint"))
    again = Trainer(treebank, dev, options)
    resume(again, str(tmp_path / "checkpoint"))
    while again.epoch < 2:
        again.run_epoch()
    assert whole.best is not None
    assert again.best is not None
    whole.best.save(str(tmp_path / "whole"))
    again.best.save(str(tmp_path / "again"))
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "again").read_bytes()
    with pytest.raises(ModelError, match="other training data"):
        resume(Trainer(treebank[1:], dev, options), str(tmp_path / "checkpoint"))
    assert not resume(again, str(tmp_path / "nothing"))


def test_an_empty_treebank_is_refused() -> None:
    with pytest.raises(TreebankError, match="no sentences to train on"):
        Trainer([], None, TrainOptions(order=1))


def test_records_the_history(sample: list[Sentence]) -> None:
    model = trained(sample[:20], epochs=3)
    assert [entry["epoch"] for entry in model.info["history"]] == [1, 2, 3]
    assert json.loads(json.dumps(model.info)) == model.info
