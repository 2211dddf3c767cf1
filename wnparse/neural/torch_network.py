"""The network while it is trained, in PyTorch: the same layers as `wnparse.neural.biaffine`, with dropout.

Dropout follows Dozat & Manning 2017: the same units of all words of a sentence are left out, embeddings as wholes,
and weights between the states of an LSTM (Merity, Keskar & Socher 2018, *Regularizing and Optimizing LSTM Language
Models*). Words of a batch are stored one sentence after the other, without padding.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from wnparse.neural.biaffine import FORBIDDEN, SLOPE
from wnparse.neural.dense import quantise_columns, quantise_rows
from wnparse.neural.sizes import INPUTS, NetworkSizes
from wnparse.neural.torch_encoder import Stretch, TorchEncoder
from wnparse.neural.vocabulary import UNKNOWN, Bags
from wnparse.storage.tensors import Arrays

DROPOUT = 0.33  # of the units between layers
RECURRENT_DROPOUT = 0.25  # of the weights between states
# Of the embedding of a word, as a whole; of the word itself, which then is unknown; of each of its affixes.
EMBEDDING_DROPOUT = {"form": 0.33, "lemma": 0.33, "upos": 0.2, "xpos": 0.2, "feats": 0.2, "affixes": 0.33}
WORD_DROPOUT, AFFIX_DROPOUT = 0.1, 0.3
SPREAD = {
    "form": 0.1,
    "lemma": 0.1,
    "upos": 0.1,
    "xpos": 0.1,
    "feats": 0.1,
    "affixes": 0.05,
}  # of initial embeddings


class Lesson(NamedTuple):
    """A sentence to learn from."""

    bags: dict[str, Bags]
    stretches: list[Stretch]  # none without an encoder
    heads: npt.NDArray[np.int32]  # [n + 1] -1: not annotated
    labels: npt.NDArray[np.int32]  # the same


class Batch(NamedTuple):
    """Sentences to learn from; their tokens, the root before each sentence, follow each other."""

    inputs: dict[str, tuple[Tensor, Tensor]]  # rows, and where those of each token begin
    stretches: list[Stretch]  # of all sentences
    lengths: Tensor  # [sentences] tokens, the root included
    heads: Tensor  # [tokens] -1: not annotated
    labels: Tensor  # [tokens] the same


def make_batch(lessons: list[Lesson]) -> Batch:
    """Join the tokens of sentences."""
    inputs = {}
    for name in lessons[0].bags:
        bags = [lesson.bags[name] for lesson in lessons]
        offsets = np.cumsum([0, *(len(own.rows) for own in bags)])
        begin = [own.begin[:-1] + offset for own, offset in zip(bags, offsets, strict=False)]
        rows = np.concatenate([own.rows for own in bags])
        inputs[name] = torch.from_numpy(rows), torch.from_numpy(np.concatenate(begin))
    heads, labels = (
        torch.from_numpy(np.concatenate(columns).astype(np.int64))
        for columns in ([lesson.heads for lesson in lessons], [lesson.labels for lesson in lessons])
    )
    stretches = [stretch for lesson in lessons for stretch in lesson.stretches]
    return Batch(inputs, stretches, torch.tensor([len(lesson.heads) for lesson in lessons]), heads, labels)


def _keep(shape: tuple[int, ...], dropout: float) -> Tensor:
    """Return the factors of a dropout."""
    return (torch.rand(shape) >= dropout).float() / (1 - dropout)


class Lstm(nn.Module):
    """A bidirectional LSTM."""

    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.hidden = hidden
        self.weights = nn.ParameterList()  # of each direction: input, recurrent, two biases
        for _ in range(2):
            for rows in (width, hidden):
                gates = [nn.init.orthogonal_(torch.empty(hidden, rows)) for _ in range(4)]
                self.weights.append(nn.Parameter(torch.cat(gates)))
            self.weights.extend(nn.Parameter(torch.zeros(4 * hidden)) for _ in range(2))

    def forward(self, values: Tensor, sizes: Tensor) -> Tensor:
        """Process the tokens of sentences, first tokens first: `sizes` of them at each step."""
        weights = list(self.weights)
        if self.training:
            for i in (1, 5):
                weights[i] = functional.dropout(weights[i], RECURRENT_DROPOUT)
        start = values.new_zeros(2, int(sizes[0]), self.hidden)
        output, _, _ = torch.lstm(values, sizes, (start, start), weights, True, 1, 0.0, self.training, True)
        return output

    def stored(self, name: str) -> Arrays:
        """Return its arrays: gates in the order of ONNX, one bias."""
        arrays: Arrays = {}
        for direction, at in (("forward", 0), ("backward", 4)):
            weights, recurrent, first, second = (
                torch.cat([part.detach().chunk(4)[gate] for gate in (0, 3, 1, 2)]).double().numpy()
                for part in list(self.weights)[at : at + 4]
            )
            arrays |= quantise_columns(f"{name}/{direction}/input", weights.T, first + second)
            arrays |= quantise_columns(f"{name}/{direction}/recurrent", recurrent.T)
        return arrays


class TorchNetwork(nn.Module):
    """The network."""

    def __init__(self, sizes: NetworkSizes, encoder: TorchEncoder | None = None) -> None:
        super().__init__()
        self.sizes = sizes
        self.encoder = encoder
        # One more row, of zeros, which stands for what dropout leaves out.
        self.embeddings = nn.ModuleDict(
            {
                name: nn.EmbeddingBag(rows + 1, dimensions, mode="sum", padding_idx=rows)
                for name, (rows, dimensions) in sizes.inputs.items()
                if rows
            }
        )
        for name, table in self.embeddings.items():
            nn.init.normal_(table.weight, std=SPREAD[name])
            table.weight.data[-1] = 0
        width = sizes.width
        self.lstms = nn.ModuleList()
        for _ in range(sizes.layers):
            self.lstms.append(Lstm(width, sizes.hidden))
            width = 2 * sizes.hidden
        self.vectors = nn.Linear(width, 2 * (sizes.arcs + sizes.labels))
        self.arcs = nn.Linear(sizes.arcs, sizes.arcs)
        nn.init.orthogonal_(self.arcs.weight)
        nn.init.zeros_(self.arcs.bias)
        if sizes.relations:
            self.labels = nn.Linear(sizes.labels, (sizes.labels + 1) * sizes.relations)
            nn.init.zeros_(self.labels.weight)
            nn.init.zeros_(self.labels.bias)

    def forward(self, batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
        """Return the scores of heads [sentences, n + 1, n + 1], and vectors of modifiers and heads for labels."""
        lengths = batch.lengths
        owner = torch.repeat_interleave(torch.arange(len(lengths)), lengths)
        place = torch.arange(len(owner)) - (lengths.cumsum(0) - lengths)[owner]
        parts = [self._embed(name, *bags) for name, bags in batch.inputs.items()]
        value = torch.cat([*parts, self.encoder(batch.stretches)] if self.encoder else parts, 1)
        value = self._drop_units(value, owner)
        if self.lstms:
            # First tokens first, longer sentences before shorter ones.
            order = torch.argsort(
                place * len(lengths) + torch.argsort(torch.argsort(-lengths, stable=True))[owner]
            )
            steps = torch.bincount(place)
            back = torch.argsort(order)
            for lstm in self.lstms:
                value = self._drop_units(lstm(value[order], steps)[back], owner)
        value = self._drop_units(functional.leaky_relu(self.vectors(value), SLOPE), owner)
        arcs, labels = self.sizes.arcs, self.sizes.labels
        modifier, head, of_modifier, of_head = value.split([arcs, arcs, labels, labels], 1)
        cells = int(lengths.max())
        grid = value.new_zeros(2, len(lengths), cells, arcs)
        grid[0, owner, place], grid[1, owner, place] = self.arcs(modifier), head
        scores = grid[0] @ grid[1].transpose(1, 2)
        tokens = torch.arange(cells)
        forbidden = (tokens >= lengths[:, None])[:, None, :] | torch.eye(cells, dtype=torch.bool)
        return scores.masked_fill(forbidden, FORBIDDEN), of_modifier, of_head

    def _embed(self, name: str, rows: Tensor, begin: Tensor) -> Tensor:
        table = self.embeddings[name]
        if self.training:
            if name in ("form", "lemma"):
                rows = torch.where(torch.rand(rows.shape) < WORD_DROPOUT, UNKNOWN, rows)
            elif name == "affixes":
                rows = torch.where(torch.rand(rows.shape) < AFFIX_DROPOUT, table.num_embeddings - 1, rows)
        value: Tensor = table(rows, begin)
        return value * _keep((len(value), 1), EMBEDDING_DROPOUT[name]) if self.training else value

    def _drop_units(self, value: Tensor, owner: Tensor) -> Tensor:
        """Leave out the same units of all tokens of a sentence."""
        if not self.training:
            return value
        return value * _keep((int(owner[-1]) + 1, value.shape[1]), DROPOUT)[owner]

    def label_scores(self, of_modifier: Tensor, of_head: Tensor) -> Tensor:
        """Return the scores of labels [arcs, labels], from one row of vectors per arc."""
        factors = self.labels(of_modifier).view(-1, self.sizes.labels + 1, self.sizes.relations)
        return torch.einsum("arl,ar->al", factors, functional.pad(of_head, (0, 1), value=1.0))

    def loss(self, batch: Batch) -> Tensor:
        """Return the mean cross-entropy of annotated heads, plus that of annotated labels."""
        scores, of_modifier, of_head = self(batch)
        lengths = batch.lengths
        first = lengths.cumsum(0) - lengths
        owner = torch.repeat_interleave(torch.arange(len(lengths)), lengths)
        words = torch.nonzero(batch.heads >= 0)[:, 0]
        if not len(words):
            return scores.sum() * 0.0
        rows = scores[owner[words], words - first[owner[words]]]
        loss = functional.cross_entropy(rows, batch.heads[words])
        labelled = words[batch.labels[words] >= 0]
        if self.sizes.relations and len(labelled):
            heads = first[owner[labelled]] + batch.heads[labelled]
            loss = loss + functional.cross_entropy(
                self.label_scores(of_modifier[labelled], of_head[heads]), batch.labels[labelled]
            )
        return loss

    def stored(self) -> Arrays:
        """Return its arrays in 8 bits, as a `Network` has them, without the look-up table."""
        tables = [
            self.embeddings[name].weight.detach()[:-1].double().numpy()
            for name in INPUTS
            if name in self.embeddings
        ]
        parts = [quantise_rows("embeddings", table) for table in tables]
        arrays: Arrays = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        for number, lstm in enumerate(self.lstms):
            arrays |= lstm.stored(f"lstm{number}")
        for name, layer in self.named_children():
            if isinstance(layer, nn.Linear):
                weights, bias = (part.detach().double().numpy() for part in (layer.weight.T, layer.bias))
                arrays |= quantise_columns(name, weights, bias)
        return arrays
