"""Training on half-annotated treebanks: what is used, skipped and reported; runs that resume to the same bytes."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import wnparse
from support.models import StopWhen
from wnparse.errors import TreebankError
from wnparse.training.checkpoint import resume, save_checkpoint
from wnparse.training.options import TrainOptions
from wnparse.training.trainer import Trainer, dev_scores
from wnparse.training.watcher import TrainingWatcher
from wnparse.treebanks.partial import count_annotated
from wnparse.treebanks.sentence import Sentence


def blank(sentence: Sentence, drop: Callable[[int], bool], labels_only: bool = False) -> Sentence:
    """Return the sentence without the heads, or only the relations, of the words that are dropped."""
    heads, relations = sentence.heads.tolist(), ["_", *sentence.column("deprel")]
    for word in range(1, len(heads)):
        if drop(word):
            heads[word] = heads[word] if labels_only else -1
            relations[word] = "_"
    return sentence.with_tree(heads, relations)


def blank_half(sentences: Sequence[Sentence], part: float = 0.5) -> list[Sentence]:
    rng = random.Random(1)
    return [blank(sentence, lambda word: rng.random() < part) for sentence in sentences]


class Notices(TrainingWatcher):
    """Collects notices."""

    def __init__(self) -> None:
        self.messages: list[str] = []

    def on_notice(self, message: str) -> None:
        self.messages.append(message)


@pytest.mark.parametrize(
    "options", [{"order": 1}, {"order": 2}, {"order": 3}, {"order": 1, "labelled": False}], ids=str
)
def test_learns_more_than_from_nothing(sample: list[Sentence], options: dict[str, int]) -> None:
    treebank, dev = blank_half(sample[:150]), sample[200:260]
    trainer = Trainer(treebank, dev, TrainOptions(epochs=3, **options))  # type: ignore[arg-type]
    trainer.run()
    assert trainer.best is not None
    assert dev_scores(trainer.best, dev)[0] > 75


@pytest.mark.parametrize("learner", ["perceptron", "mira", "mira-kbest", "mira-factored", "pa"])
def test_every_learner_learns(sample: list[Sentence], learner: str) -> None:
    trainer = Trainer(blank_half(sample[:100]), None, TrainOptions(epochs=3, learner=learner, order=1))
    scores = [trainer.run_epoch() for _ in range(3)]
    assert scores[0] is not None and scores[2] is not None
    assert scores[2].train_uas > scores[0].train_uas > 20


def test_a_complete_treebank_is_learned_as_before(sample: list[Sentence], tmp_path: Path) -> None:
    """Half-annotated sentences with nothing blank are complete ones."""
    whole = Trainer(sample[:40], None, TrainOptions(epochs=1, order=2))
    same = Trainer(blank_half(sample[:40], 0.0), None, TrainOptions(epochs=1, order=2))
    for trainer, name in ((whole, "whole"), (same, "same")):
        trainer.run()
        model = trainer.finish()
        assert model is not None
        model.save(tmp_path / name)
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "same").read_bytes()
    assert "complete_sentences" not in whole.facts.structure


def test_a_word_without_a_relation_still_has_a_head(sample: list[Sentence]) -> None:
    treebank = [blank(sentence, lambda word: word % 2 == 0, labels_only=True) for sentence in sample[:80]]
    trainer = Trainer(treebank, None, TrainOptions(epochs=1, order=2))
    trainer.run()
    assert trainer.best is not None and "_" not in trainer.best.labels
    assert trainer.heads == trainer.words > trainer.relations


def test_sentences_without_annotation_are_ignored(sample: list[Sentence]) -> None:
    blanked = [blank(sentence, lambda word: True) for sentence in sample[:30]]
    trainer = Trainer([*sample[:20], *blanked], None, TrainOptions(epochs=1, order=1))
    assert len(trainer.examples) == 20
    assert trainer.facts.structure["complete_sentences"] == 20
    with pytest.raises(TreebankError, match="no word to train on has a head"):
        Trainer(blanked, None, TrainOptions(epochs=1))


def test_one_arc_is_enough(sample: list[Sentence]) -> None:
    sentence = next(sentence for sentence in sample if len(sentence) > 4)
    trainer = Trainer([blank(sentence, lambda word: word != 2)], None, TrainOptions(epochs=2, order=2))
    trainer.run()
    assert trainer.best is not None and len(trainer.best.labels) == 1


def test_two_given_roots_are_reported_and_skipped(sample: list[Sentence]) -> None:
    bad = next(sentence for sentence in sample[150:] if len(sentence) > 4)
    roots = bad.with_tree([-1, 0, 0, *[-1] * (len(bad) - 2)])
    watcher = Notices()
    trainer = Trainer([*sample[:120], roots], None, TrainOptions(epochs=1, order=1), watcher=watcher)
    assert len(trainer.examples) == 120
    (message,) = [message for message in watcher.messages if "skipped" in message]
    assert message.startswith(f"{bad.path}:{bad.line}: ") and "root" in message


def test_a_relation_without_a_head_is_reported(sample: list[Sentence]) -> None:
    sentence = sample[0].with_tree([-1, *[-1] * len(sample[0])])  # relations stay
    watcher = Notices()
    Trainer([*sample[1:30], sentence], None, TrainOptions(epochs=1, order=1), watcher=watcher)
    assert any("without a head" in message for message in watcher.messages)


@pytest.mark.parametrize(("complete", "shaped"), [(99, False), (100, True)])
def test_few_complete_trees_impose_no_shape(sample: list[Sentence], complete: int, shaped: bool) -> None:
    treebank = [*sample[:complete], *blank_half(sample[complete:130])]
    annotated = count_annotated(treebank)
    assert annotated.complete == complete
    constraints = Trainer(treebank, None, TrainOptions(epochs=1, order=1)).facts.constraints
    assert (constraints.block_degree is not None) == shaped
    assert constraints.single_root


@pytest.mark.parametrize(("epoch", "position"), [(0, 0), (0, 17), (1, 5)])
def test_an_interrupted_run_resumes_to_the_same_bytes(
    sample: list[Sentence], tmp_path: Path, epoch: int, position: int
) -> None:
    options, treebank, dev = TrainOptions(epochs=2, order=2), blank_half(sample[:50]), blank_half(sample[60:80])

    def finish(trainer: Trainer, name: str) -> bytes:
        trainer.watcher = TrainingWatcher()
        trainer.run()
        model = trainer.finish()
        assert model is not None
        model.save(tmp_path / name)
        return (tmp_path / name).read_bytes()

    whole = finish(Trainer(treebank, dev, options), "whole")
    part = Trainer(treebank, dev, options)
    part.watcher = StopWhen(lambda: part.prepared and (part.epoch, part.position) >= (epoch, position))
    part.run()
    save_checkpoint(part, str(tmp_path / "checkpoint"))
    again = Trainer(treebank, dev, options)
    resume(again, str(tmp_path / "checkpoint"))
    assert finish(again, "again") == whole


def test_a_half_annotated_development_set_is_scored_over_annotated_words(sample: list[Sentence]) -> None:
    model = wnparse.train(sample[:100], dev=blank_half(sample[100:160]), epochs=1, order=1, only="parser")
    full = dev_scores(model, sample[100:160])[0]
    assert dev_scores(model, blank_half(sample[100:160]))[0] == pytest.approx(full, abs=5)
    assert model.calibration is not None


def make_sentence(heads: Sequence[int | str]) -> str:
    lines = [
        f"{i}\tw\tw\tX\t_\t_\t{head}\t{'_' if head == '_' else 'dep'}\t_\t_" for i, head in enumerate(heads, 1)
    ]
    return "\n".join(lines) + "\n\n"


def test_train_reads_gaps_and_skips_cycles_in_half_annotated_sentences(
    sample: list[Sentence], tmp_path: Path
) -> None:
    half, cycle = tmp_path / "half.conllu", make_sentence([2, 1, "_"])
    wnparse.write(blank_half(sample[:60]), half)
    model = wnparse.train(half, epochs=1, order=1, only="parser")
    line = half.read_text().count("\n") + 1
    half.write_text(half.read_text() + cycle)
    with pytest.warns(UserWarning, match=rf"half.conllu:{line}: .*1 → 2 → 1.*skipped"):
        same = wnparse.train(half, epochs=1, order=1, only="parser")
    model.save(tmp_path / "a")
    same.save(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    half.write_text(cycle)
    with pytest.warns(UserWarning, match="skipped"), pytest.raises(TreebankError, match="no sentences"):
        wnparse.train(half, epochs=1, order=1, only="parser")


def test_train_refuses_cycles_in_complete_sentences(tmp_path: Path) -> None:
    (tmp_path / "cycle.conllu").write_text(make_sentence([2, 1, 0]))
    with pytest.raises(TreebankError, match="1 → 2 → 1"):
        wnparse.train(tmp_path / "cycle.conllu", epochs=1, order=1, only="parser")


def test_given_heads_that_fit_no_tree_of_the_shape_are_reported(sample: list[Sentence], tmp_path: Path) -> None:
    # Two crossing arcs, which no projective tree has.
    (tmp_path / "crossing.conllu").write_text(make_sentence([3, 4, "_", "_"]))
    (crossing,) = wnparse.read(tmp_path / "crossing.conllu")
    watcher = Notices()
    options = TrainOptions(epochs=2, order=1, decoder="bnb", block_degree=1)
    Trainer([*sample[:20], crossing], None, options, watcher=watcher).run()
    (message,) = [message for message in watcher.messages if "skipped" in message]
    assert message.startswith(f"{crossing.path}:1: ")


def test_a_given_shape_replaces_that_of_the_treebank(sample: list[Sentence]) -> None:
    def constraints(treebank: list[Sentence], **options: object) -> wnparse.Constraints:
        return Trainer(treebank, None, TrainOptions(epochs=1, order=1, **options)).facts.constraints  # type: ignore[arg-type]

    derived = constraints(sample[:120])
    assert constraints(sample[:120], well_nested=False) == replace(derived, well_nested=False)
    assert constraints(sample[:120], block_degree=None) == replace(derived, block_degree=None)
    half = blank_half(sample[:120])
    assert constraints(half) == wnparse.Constraints(single_root=True)
    assert constraints(half, block_degree=2, well_nested=True) == wnparse.Constraints(2, True, True)
    assert constraints(half, single_root=False) == wnparse.Constraints()
    with pytest.raises(ValueError, match="block_degree"):
        TrainOptions(block_degree=0)
