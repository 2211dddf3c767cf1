"""The pretrained encoder while it is fine-tuned, in PyTorch: the same layers as `wnparse.neural.encoder`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from wnparse.neural.dense import quantise_columns, quantise_rows
from wnparse.neural.encoder import PREFIX, Encoder
from wnparse.neural.pretrained import Pretrained
from wnparse.storage.tensors import Arrays
from wnparse.treebanks.sentence import Sentence

DROPOUT = 0.1
MOST_AT_ONCE = 4096  # pieces with padding: attention takes memory for each pair of pieces of a row
# The names of matrices and norms in files of BERT.
NAMES = {
    "query": "attention.self.query", "key": "attention.self.key", "value": "attention.self.value",
    "attention": "attention.output.dense", "intermediate": "intermediate.dense", "output": "output.dense",
    "attention_norm": "attention.output.LayerNorm", "output_norm": "output.LayerNorm",
}  # fmt: skip


class Stretch(NamedTuple):
    """The pieces of a part of a sentence, and what averages those of each word."""

    pieces: Tensor  # [p]
    means: Tensor  # [words, p]; the root is the first word of a sentence


class TorchEncoder(nn.Module):
    """The encoder."""

    def __init__(self, pretrained: Pretrained) -> None:
        super().__init__()
        self.sizes = sizes = pretrained.sizes
        # Without arrays, it only cuts words.
        self._cutter = Encoder({}, sizes, pretrained.pieces, pretrained.options)
        self.pieces = nn.Embedding(len(pretrained.pieces), sizes.hidden)
        self.positions = nn.Embedding(sizes.positions, sizes.hidden)
        self.segment = nn.Parameter(torch.zeros(sizes.hidden))
        self.norm = nn.LayerNorm(sizes.hidden, eps=sizes.epsilon)
        shapes = {name.split("/")[-1]: shape for name, shape in sizes.matrices().items()}
        self.layers = nn.ModuleList(
            nn.ModuleDict(
                {name: nn.Linear(*shape) for name, shape in shapes.items()}
                | {
                    name: nn.LayerNorm(sizes.hidden, eps=sizes.epsilon)
                    for name in ("attention_norm", "output_norm")
                }
            )
            for _ in range(sizes.layers)
        )
        self.mix = nn.Parameter(torch.zeros(sizes.mixed))
        self.gain = nn.Parameter(torch.ones(1))
        self._load(pretrained)

    def _load(self, pretrained: Pretrained) -> None:
        weights = {name: torch.from_numpy(array) for name, array in pretrained.weights.items()}
        with torch.no_grad():
            self.pieces.weight.copy_(weights["embeddings.word_embeddings.weight"][: len(pretrained.pieces)])
            self.positions.weight.copy_(weights["embeddings.position_embeddings.weight"])
            self.segment.copy_(weights["embeddings.token_type_embeddings.weight"][0])
            _copy(self.norm, weights, "embeddings.LayerNorm")
            for number, layer in enumerate(self.layers):
                for name, module in layer.items():
                    _copy(module, weights, f"encoder.layer.{number}.{NAMES[name]}")

    def prepare(self, sentence: Sentence) -> list[Stretch]:
        """Cut the words of a sentence into pieces."""
        return [
            Stretch(torch.from_numpy(pieces), torch.from_numpy(means if number == 0 else means[1:]))
            for number, (pieces, means) in enumerate(self._cutter.stretches(sentence))
        ]

    def forward(self, stretches: list[Stretch]) -> Tensor:
        """Return the vectors of all words of stretches, one after the other."""
        order = sorted(range(len(stretches)), key=lambda place: len(stretches[place].pieces))
        groups: list[list[int]] = [[]]
        for place in order:  # each is the longest so far
            if groups[-1] and (len(groups[-1]) + 1) * len(stretches[place].pieces) > MOST_AT_ONCE:
                groups.append([])
            groups[-1].append(place)
        parts: dict[int, Tensor] = {}
        for group in groups:
            parts |= dict(zip(group, self._of_similar([stretches[place] for place in group]), strict=True))
        return torch.cat([parts[place] for place in range(len(stretches))])

    def _of_similar(self, stretches: list[Stretch]) -> list[Tensor]:
        """Return the vectors of the words of each stretch."""
        lengths = torch.tensor([len(stretch.pieces) for stretch in stretches])
        numbers = nn.utils.rnn.pad_sequence([stretch.pieces for stretch in stretches], batch_first=True)
        places = torch.arange(numbers.shape[1])
        padding = torch.where(places >= lengths[:, None], -torch.inf, 0.0)[:, None, None, :]
        value = self._drop(self.norm(self.pieces(numbers) + self.positions(places) + self.segment))
        states = []
        for layer in self.layers:
            value = self._apply(layer, value, padding)
            states.append(value)
        shares = self.gain * torch.softmax(self.mix, 0)
        mixed = torch.einsum("l,lrpd->rpd", shares, torch.stack(states[-self.sizes.mixed :]))
        return [stretch.means @ mixed[row, : len(stretch.pieces)] for row, stretch in enumerate(stretches)]

    def _apply(self, layer: nn.ModuleDict, value: Tensor, padding: Tensor) -> Tensor:
        rows, pieces, hidden = value.shape
        heads = self.sizes.heads

        def project(name: str) -> Tensor:
            return layer[name](value).view(rows, pieces, heads, hidden // heads).transpose(1, 2)

        scores = project("query") @ project("key").transpose(2, 3) * (hidden // heads) ** -0.5 + padding
        context = self._drop(torch.softmax(scores, 3)) @ project("value")
        attended = layer["attention"](context.transpose(1, 2).reshape(rows, pieces, hidden))
        value = layer["attention_norm"](value + self._drop(attended))
        inner = layer["output"](functional.gelu(layer["intermediate"](value)))
        result: Tensor = layer["output_norm"](value + self._drop(inner))
        return result

    def _drop(self, value: Tensor) -> Tensor:
        return functional.dropout(value, DROPOUT, self.training)

    def encoder(self) -> Encoder:
        """Return the encoder in 8 bits."""
        arrays: Arrays = {}
        for name in ("pieces", "positions"):
            arrays |= quantise_rows(f"{PREFIX}{name}", _numbers(getattr(self, name).weight))
        arrays |= _stored_norm(f"{PREFIX}norm", self.norm)
        arrays[f"{PREFIX}segment"] = _numbers(self.segment).astype(np.float32)
        arrays[f"{PREFIX}mix"] = _numbers(self.gain * torch.softmax(self.mix, 0)).astype(np.float32)
        for number, layer in enumerate(self.layers):
            for name, module in layer.items():
                place = f"{PREFIX}layer{number}/{name}"
                if isinstance(module, nn.Linear):
                    arrays |= quantise_columns(place, _numbers(module.weight).T, _numbers(module.bias))
                else:
                    arrays |= _stored_norm(place, module)
        return Encoder(arrays, self.sizes, self._cutter.pieces, self._cutter.options)


def _copy(module: nn.Module, weights: dict[str, Tensor], name: str) -> None:
    module.weight.copy_(weights[f"{name}.weight"])
    module.bias.copy_(weights[f"{name}.bias"])


def _numbers(weights: Tensor) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    numbers: np.ndarray[tuple[int, ...], np.dtype[np.float64]] = weights.detach().double().numpy()
    return numbers


def _stored_norm(name: str, norm: nn.LayerNorm) -> Arrays:
    return {
        f"{name}/scale": _numbers(norm.weight).astype(np.float32),
        f"{name}/bias": _numbers(norm.bias).astype(np.float32),
    }
