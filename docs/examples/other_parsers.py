"""Decode the scores of supar and stanza with wnparse, under constraints and rules.

Each function returns a replacement for the function that finds the trees in that library. Its keyword arguments
are those of `wnparse.decode_batch`. The libraries pass no words to these functions, so rules must not read any
columns.

With a model of supar 1.1:

    parser = supar.Parser.load("biaffine-dep-en")
    parser.model.decode = supar_decoder(parser.REL.vocab.itos, rules=rules, single_root=True)
    parser.predict("test.conllx", pred="predicted.conllx")

With a pipeline of stanza 1.15:

    nlp = stanza.Pipeline("en", processors="tokenize,pos,lemma,depparse")
    model = nlp.processors["depparse"].trainer.model
    model.decode_graph_predictions = stanza_decoder(rules=rules, single_root=True)
    nlp("A letter arrived.")
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

import wnparse

Arrays = Sequence[npt.NDArray[np.float32]]


def supar_decoder(names: Sequence[str], **options: Any) -> Callable[..., tuple[Tensor, Tensor]]:
    """Return a function like ``BiaffineDependencyModel.decode`` of supar; `names` are the labels."""

    def decode(arcs: Tensor, labels: Tensor, mask: Tensor, *_: bool, **__: bool) -> tuple[Tensor, Tensor]:
        scores = labels.log_softmax(3)  # (B, N, N, L): [sentence, modifier, head, label]
        trees = wnparse.decode_batch(arcs.log_softmax(2), mask=mask, labels=(names, scores), **options)
        assert trees.labels is not None
        return torch.from_numpy(trees.heads).long().to(mask.device), torch.from_numpy(trees.labels).long().to(
            mask.device
        )

    return decode


def stanza_decoder(**options: Any) -> Callable[..., list[list[list[Any]]]]:
    """Return a function like ``GraphParser.decode_graph_predictions`` of stanza."""

    def decode(vocabulary: Any, _: int, scores: Arrays, nodes: Sequence[int], **__: bool) -> list[list[list[Any]]]:
        first = len(vocabulary) - scores[2].shape[3]  # the first numbers are not labels
        names = vocabulary.unmap(range(first, len(vocabulary)))
        lengths = [count - 1 for count in nodes]
        trees = wnparse.decode_batch(scores[0], lengths, labels=(names, scores[2]), **options)
        return [
            [[int(head), label] for head, label in zip(tree.heads[1:], tree.labels[1:], strict=True)]
            for tree in trees
            if tree.labels is not None
        ]

    return decode
