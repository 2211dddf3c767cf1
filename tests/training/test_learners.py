"""Learners in whole runs: they learn, repeat and resume, within limits of memory, time and candidates."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from support import feature_oracles
from support.models import StopWhen, trained
from support.treebanks import as_text, source
from wnparse.decoding.constraints import Constraints
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.training.checkpoint import resume as resume_run
from wnparse.training.checkpoint import save_checkpoint
from wnparse.training.learners import LEARNERS
from wnparse.training.options import TrainOptions
from wnparse.training.trainer import Trainer
from wnparse.treebanks.sentence import Sentence


@pytest.mark.parametrize("options", [{}, {"labelled": False}, {"decoder": "eisner"}, {"prune": False}], ids=str)
def test_one_best_tree_is_single_best_mira(sample: list[Sentence], options: dict[str, object]) -> None:
    first = trained(sample[:60], learner="mira", **options)
    second = trained(sample[:60], learner="mira-kbest", learner_trees=1, **options)
    assert all(np.array_equal(first.weights[name], second.weights[name]) for name in first.weights)
    other = trained(sample[:60], learner="mira-kbest", learner_trees=2, **options)
    assert not all(np.array_equal(first.weights[name], other.weights[name]) for name in first.weights)


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("decoder", ["eisner", "bnb"])
def test_learners_learn(sample: list[Sentence], name: str, decoder: str) -> None:
    """Three epochs over half of the sample's development set, with constrained trees."""
    model = trained(sample[:150], learner=name, decoder=decoder, epochs=3)
    history = model.info["history"]
    assert history[-1]["train_las"] > history[0]["train_las"] + 10
    parser = Parser(model, ParseOptions(decoder="msa", constraints=Constraints(single_root=True)))
    right = words = 0
    for sentence in sample[150:]:
        tree = parser.parse([sentence])[0].parse
        assert tree is not None
        right += int((tree.heads[1:] == sentence.heads[1:]).sum())
        words += len(sentence)
    assert right / words > 0.75


@pytest.mark.parametrize("name", LEARNERS)
def test_dropped_arcs_are_not_learned_from(sample: list[Sentence], name: str) -> None:
    """From zero weights, a step changes no feature that only arcs dropped by the first pass have."""
    treebank = [sentence for sentence in sample if 8 <= len(sentence) <= 12][:40]
    trainer = Trainer(treebank, None, TrainOptions(learner=name, order=1))
    trainer.run_epoch()
    assert trainer.first_pass is not None
    first_pass = replace(trainer.first_pass, most=3)
    learned = dropped = 0
    for sentence, example in list(zip(treebank, trainer.examples, strict=True))[:5]:
        fresh = Trainer(treebank, None, TrainOptions(learner=name, order=1))
        fresh.use_first_pass(first_pass)
        blank = replace(fresh.model(), first_pass=first_pass)
        assert fresh.learner.learn(example.tokens, example.heads, example.labels, fresh.settings) is not None
        changed = set(fresh.learner.state()[1]["keys"].tolist())
        _, labels = blank._scorer.scores(example.tokens, True)
        slow_keys: dict[bool, set[int]] = {True: set(), False: set()}
        for m in range(1, len(sentence) + 1):
            for h in set(range(len(sentence) + 1)) - {m}:
                candidate = labels[m, h] >= 0 or h == example.heads[m]
                slow_keys[candidate] |= set(pair_keys(sentence, trainer.templates, h, m))
        learned += len(changed & slow_keys[True])
        dropped += len(slow_keys[False] - slow_keys[True])
        assert not changed & (slow_keys[False] - slow_keys[True])
    assert learned
    assert dropped


def pair_keys(sentence: Sentence, templates: list[str], h: int, m: int) -> Iterator[int]:
    for number, template in enumerate(templates):
        if "label" not in template.split():
            yield from feature_oracles.keys(sentence, number, template, h, m)


@pytest.mark.parametrize("name", LEARNERS)
def test_a_long_sentence_takes_neither_minutes_nor_gigabytes(sample: list[Sentence], name: str) -> None:
    """500 words, nothing dropped: a quarter of a million arcs miss their margins at first."""
    words = [
        line for sentence in sample for line in zip(sentence.column("form"), sentence.column("upos"), strict=True)
    ]
    rows = [(form, upos, i, "dep" if i else "root") for i, (form, upos) in enumerate(words[:500])]
    (sentence,) = source(as_text([rows]))
    trainer = Trainer([sentence], None, TrainOptions(learner=name, prune=False, epochs=1, order=1))
    before = resource.getrusage(resource.RUSAGE_SELF)
    progress = trainer.run_epoch()
    after = resource.getrusage(resource.RUSAGE_SELF)
    assert progress is not None
    assert progress.updates == 1
    assert after.ru_utime - before.ru_utime < 30
    assert after.ru_maxrss - before.ru_maxrss < 1_000_000  # kilobytes


@pytest.mark.parametrize("name", LEARNERS)
def test_a_resumed_run_has_the_same_bytes(sample: list[Sentence], name: str, tmp_path: Path) -> None:
    options = TrainOptions(epochs=2, learner=name, order=1)
    whole, part = (Trainer(sample[:40], sample[40:60], options) for _ in range(2))
    for _ in range(2):
        whole.run_epoch()
    part.run_epoch()
    part.watcher = StopWhen(lambda: part.position == 17)
    assert part.run_epoch() is None
    save_checkpoint(part, str(tmp_path / "c"))
    again = Trainer(sample[:40], sample[40:60], options)
    resume_run(again, str(tmp_path / "c"))
    again.run_epoch()
    for trainer, path in ((whole, "whole"), (again, "again")):
        assert trainer.best is not None
        trainer.best.save(str(tmp_path / path))
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "again").read_bytes()


def test_an_unknown_learner_is_refused(sample: list[Sentence]) -> None:
    with pytest.raises(ValueError, match=r"unknown learner 'mirror'; .*mira,"):
        Trainer(sample[:2], None, TrainOptions(learner="mirror", order=1))
