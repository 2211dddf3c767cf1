"""Learning a network by head selection: each word's head and label by cross-entropy (Dozat & Manning 2017).

Adam with a learning rate that falls exponentially, and the moving average of the weights, which is what a model
keeps. Batches and dropout depend on seed, epoch and position alone, so that an interrupted run can continue from a
checkpoint to the same bytes, on the same machine with the same versions.
"""

from __future__ import annotations

import copy
import json
import os
import random
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from wnparse._core.hashing import hash_data
from wnparse.neural.network import Network
from wnparse.neural.pretrained import read_pretrained
from wnparse.neural.schedule import ENCODER, LSTM
from wnparse.neural.sizes import INPUTS, NetworkSizes
from wnparse.neural.torch_encoder import TorchEncoder
from wnparse.neural.torch_network import Batch, Lesson, TorchNetwork, make_batch
from wnparse.neural.vocabulary import Vocabulary
from wnparse.storage.tensors import Arrays
from wnparse.treebanks.sentence import Sentence

DIMENSIONS = {"form": 100, "lemma": 100, "upos": 32, "xpos": 32, "feats": 64, "affixes": 100}
LAYERS, HIDDEN, ARCS, LABELS = 2, 256, 300, 100
MOST_BATCH, LEAST_BATCH, BATCHES = 650, 100, 50  # tokens; as many as give so many batches, within bounds
# The rates of learning at the beginning: of all weights, or of an encoder and of what is behind it.
RATE, ENCODER_RATE, RATE_BEHIND = 2e-3, 1.5e-4, 1e-3
DECAY, WARM_UP = 0.05, 50  # the last rate, relative to the first; steps until the first is reached
BETAS = 0.9, 0.95
AVERAGING, FIRST_AVERAGES = 0.995, 10
LARGEST_GRADIENT = 5.0


class Example(NamedTuple):
    """A sentence to learn from."""

    sentence: Sentence
    labels: npt.NDArray[np.int32]  # [n + 1] numbers of labels, -1 where none is annotated


@contextmanager
def single_thread() -> Iterator[None]:
    """Let PyTorch use one thread, so that results do not depend on the number of cores."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


class NetworkTrainer:
    """A training run that can be stopped after any batch and continued.

    Parameters
    ----------
    examples : sequence of Example
        The treebank.
    gold_copies : sequence of Example
        The same sentences with gold tags: every second lesson is one of these.
    relations : int
        The number of labels, 0 for a network without labels.
    used : sequence of str
        The inputs that are used (`wnparse.neural.sizes.INPUTS`).
    seed : int
        Of initial weights, dropout and the order of sentences.
    encoder : str, optional
        The directory of a pretrained encoder, which then replaces the LSTMs, and all inputs except tags.
    """

    def __init__(
        self,
        examples: Sequence[Example],
        gold_copies: Sequence[Example],
        *,
        relations: int,
        used: Sequence[str],
        seed: int,
        encoder: str | os.PathLike[str] | None = None,
    ) -> None:
        pretrained = None if encoder is None else read_pretrained(encoder)
        self._encoder = pretrained and TorchEncoder(pretrained)
        if self._encoder:
            used = [name for name in INPUTS if name in ("xpos", "feats") and name in used] + ["upos"]
        self._vocabulary = Vocabulary((example.sentence for example in [*examples, *gold_copies]), used)
        self._lessons, self._copies = (list(map(self._prepare, part)) for part in (examples, gold_copies))
        self.words = sum(len(lesson.heads) - 1 for lesson in self._lessons)
        self.schedule = ENCODER if self._encoder else LSTM
        self.epochs = self.schedule.epochs(self.words)
        self._batch = max(LEAST_BATCH, min(MOST_BATCH, self.words // BATCHES))
        self.seed = seed
        self._sizes = NetworkSizes(
            inputs={
                name: (self._vocabulary.rows(name), DIMENSIONS[name]) if name in used else (0, 0)
                for name in INPUTS
            },
            layers=0 if self._encoder else LAYERS,
            hidden=0 if self._encoder else HIDDEN,
            arcs=ARCS,
            labels=LABELS if relations else 0,
            relations=relations,
            encoder=self._encoder.sizes.hidden if self._encoder else 0,
        )
        self._set_seed("weights")
        self._first_weights = (
            hash_data(self._encoder.pieces.weight.detach().numpy().tobytes()) if self._encoder else 0
        )
        self._network = TorchNetwork(self._sizes, self._encoder)
        self._average = {name: weights.clone() for name, weights in self._network.state_dict().items()}
        self._optimiser = torch.optim.Adam(self._groups(), betas=BETAS)
        self.epoch = self.position = self.step = 0  # epochs that are done, batches of the running one, of all
        self._loss = 0.0  # of the batches of the running epoch

    def _groups(self) -> list[dict[str, Any]]:
        """Return the weights that have rates of learning of their own, and these rates."""
        if self._encoder is None:
            return [{"params": list(self._network.parameters()), "first_rate": RATE}]
        own = list(self._encoder.parameters())
        inside = set(own)
        behind = [weights for weights in self._network.parameters() if weights not in inside]
        return [{"params": own, "first_rate": ENCODER_RATE}, {"params": behind, "first_rate": RATE_BEHIND}]

    def _prepare(self, example: Example) -> Lesson:
        sentence, labels = example
        stretches = self._encoder.prepare(sentence) if self._encoder else []
        return Lesson(self._vocabulary.look_up(sentence), stretches, sentence.heads, labels)

    def _set_seed(self, place: object) -> None:
        """Let random numbers depend on seed and place alone."""
        torch.manual_seed(zlib.crc32(f"{self.seed} network {place}".encode()))

    def _batches(self) -> list[list[int]]:
        """Cut the treebank into batches of sentences of similar lengths, for this epoch."""
        rng = random.Random(f"{self.seed} network {self.epoch}")
        order = sorted(range(len(self._lessons)), key=lambda i: len(self._lessons[i].heads) + 3 * rng.random())
        batches: list[list[int]] = [[]]
        tokens = 0
        for number in order:
            if tokens >= self._batch:
                batches.append([])
                tokens = 0
            batches[-1].append(number)
            tokens += len(self._lessons[number].heads)
        rng.shuffle(batches)
        return batches

    def _lesson(self, number: int) -> Lesson:
        """Return what is learned from a sentence in this epoch: predicted and gold tags in turn."""
        lessons = self._copies if self._copies and (number + self.epoch) % 2 else self._lessons
        return lessons[number]

    def run_epoch(self, is_stopped: Callable[[], bool], on_words: Callable[[int], object]) -> float | None:
        """Run one epoch, or what is left of it; return its mean loss, None if it was stopped.

        The loss is the cross-entropy of a head plus that of a label, in nats.
        """
        batches = self._batches()
        total = len(batches) * self.epochs
        self._network.train()
        while self.position < len(batches):
            if is_stopped():
                return None
            numbers = batches[self.position]
            self._learn([self._lesson(number) for number in numbers], total)
            self.position += 1
            on_words(sum(len(self._lessons[number].heads) - 1 for number in numbers))
        loss = self._loss / len(batches)
        self.epoch, self.position, self._loss = self.epoch + 1, 0, 0.0
        return loss

    def _learn(self, lessons: list[Lesson], total: int) -> None:
        """Make a step of the gradient, and update the averages."""
        self._set_seed(f"{self.epoch} {self.position}")
        factor = DECAY ** (self.step / total) * min(1.0, (self.step + 1) / WARM_UP)
        for group in self._optimiser.param_groups:
            group["lr"] = group["first_rate"] * factor
        loss = self._network.loss(make_batch(lessons))
        self._optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self._network.parameters(), LARGEST_GRADIENT)
        self._optimiser.step()
        self.step += 1
        self._loss += float(loss.detach())
        kept = min(AVERAGING, self.step / (self.step + FIRST_AVERAGES))
        for name, weights in self._network.state_dict().items():
            self._average[name].lerp_(weights, 1 - kept)

    def averaged(self) -> TorchNetwork:
        """Return the network with the averages of its weights so far, ready to be used."""
        averaged = copy.deepcopy(self._network)
        averaged.load_state_dict(self._average)
        averaged.eval()
        return averaged

    def batch(self, sentences: Sequence[Sentence]) -> Batch:
        """Return sentences as the network reads them, without annotation."""
        return make_batch(
            [self._prepare(Example(sentence, np.full(len(sentence) + 1, -1, np.int32))) for sentence in sentences]
        )

    def network(self) -> Network:
        """Return the network of the averages so far, in 8 bits."""
        averaged = self.averaged()
        info = {"epochs": self.epochs, "seed": self.seed, "torch": torch.__version__}
        encoder = averaged.encoder.encoder() if averaged.encoder else None
        return Network(self._vocabulary.table() | averaged.stored(), self._sizes, info, encoder)

    def fingerprint(self) -> dict[str, Any]:
        """Return what a checkpoint must agree with, as messages name it."""
        arrays: list[npt.NDArray[Any]] = []
        for lesson in [*self._lessons, *self._copies]:
            arrays += [lesson.heads, lesson.labels, *(bags.rows for bags in lesson.bags.values())]
        return {
            "another seed": self.seed,
            "another version of PyTorch": torch.__version__,
            "another encoder, or none": self._encoder and f"{self._first_weights:016x}",
            "other sizes": json.loads(json.dumps(asdict(self._sizes))),
            "other training data": f"{hash_data(b''.join(array.tobytes() for array in arrays)):016x}",
        }

    def state(self) -> tuple[dict[str, Any], Arrays]:
        """Return what a checkpoint needs: numbers, and arrays."""
        moments = self._optimiser.state_dict()["state"]
        parts = {
            "weights": list(self._network.state_dict().values()),
            "average": list(self._average.values()),
            **{name: [moments[i][name] for i in sorted(moments)] for name in ("exp_avg", "exp_avg_sq")},
        }
        arrays = {
            f"{part}/{i}": values[i].numpy().ravel() for part, values in parts.items() for i in range(len(values))
        }
        progress = {"epoch": self.epoch, "position": self.position, "step": self.step, "loss": self._loss}
        return progress, arrays

    def restore(self, progress: dict[str, Any], arrays: Arrays) -> None:
        """Continue from the state of a checkpoint of the same run."""
        state = self._network.state_dict()
        for target, part in ((state, "weights"), (self._average, "average")):
            for i, weights in enumerate(target.values()):
                weights.copy_(_tensor(arrays[f"{part}/{i}"], weights))
        parameters = list(self._network.parameters())
        moments = {
            i: {
                "step": torch.tensor(float(progress["step"])),
                **{name: _tensor(arrays[f"{name}/{i}"], parameters[i]) for name in ("exp_avg", "exp_avg_sq")},
            }
            for i in range(len(parameters) if progress["step"] else 0)
        }
        self._optimiser.load_state_dict({**self._optimiser.state_dict(), "state": moments})
        self.epoch, self.position, self.step = progress["epoch"], progress["position"], progress["step"]
        self._loss = progress["loss"]


def _tensor(array: npt.NDArray[Any], like: torch.Tensor) -> torch.Tensor:
    return torch.from_numpy(np.array(array)).reshape(like.shape)
