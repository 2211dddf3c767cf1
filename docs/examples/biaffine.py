"""A biaffine dependency parser in PyTorch that decodes with wnparse, and learns with its marginals.

The network is a small version of that of Dozat & Manning (2017), "Deep Biaffine Attention for Neural Dependency
Parsing": a BiLSTM over words and tags, and a biaffine score for each arc and for each label of an arc. wnparse
finds the best labelled trees under constraints and rules. There are two losses for arcs:

- ``cross-entropy``: each word chooses its head independently of the others;
- ``tree``: the negative log-probability of the gold tree among all trees with one root.

    pip install torch
    python docs/examples/biaffine.py                       # both losses on data/english
    python docs/examples/biaffine.py --loss tree --epochs 5
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, log_softmax
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

import wnparse

SAMPLE = Path(__file__).resolve().parents[2] / "data" / "english"
CONSTRAINTS = wnparse.Constraints(block_degree=2, well_nested=True, single_root=True)
UNKNOWN, ROOT = 0, 1  # numbers of words and tags


class LogPartition(torch.autograd.Function):
    """The logarithm of the sum over all trees of exp(score); its gradient is the matrix of marginals."""

    @staticmethod
    def forward(ctx: torch.autograd.function.FunctionCtx, scores: Tensor, lengths: Tensor) -> Tensor:
        """Sum over the trees of each sentence: scores (B, N, N), lengths (B,), result (B,)."""
        marginals = wnparse.marginals_batch(scores, lengths, single_root=True)
        ctx.save_for_backward(torch.from_numpy(marginals).to(scores))
        return torch.from_numpy(wnparse.log_partition_batch(scores, lengths, single_root=True)).to(scores)

    @staticmethod
    def backward(ctx: torch.autograd.function.FunctionCtx, *gradients: Tensor) -> tuple[Tensor, None]:
        """Return the gradient with respect to the scores; there is none for the lengths."""
        (marginals,) = ctx.saved_tensors  # type: ignore[attr-defined]
        return gradients[0][:, None, None] * marginals, None


@dataclass(frozen=True)
class Batch:
    """Some sentences as tensors, padded to N nodes; node 0 is the root."""

    sentences: list[wnparse.Sentence]
    lengths: Tensor  # (B,) words, without the root
    words: Tensor  # (B, N)
    tags: Tensor  # (B, N)
    heads: Tensor  # (B, N); -1 for the root and the padding
    labels: Tensor  # (B, N); likewise


class Vocabulary:
    """The numbers of words, tags and labels."""

    def __init__(self, sentences: Sequence[wnparse.Sentence], least: int = 2) -> None:
        forms = [form.lower() for sentence in sentences for form in sentence.column("form")]
        frequent, counts = np.unique(forms, return_counts=True)
        self.words = {str(form): i + 2 for i, form in enumerate(frequent[counts >= least])}
        tags = sorted({tag for sentence in sentences for tag in sentence.column("upos")})
        self.tags = {tag: i + 2 for i, tag in enumerate(tags)}
        self.labels = sorted({label for sentence in sentences for label in sentence.column("deprel")})

    def encode(self, sentences: list[wnparse.Sentence]) -> Batch:
        """Turn sentences into tensors."""
        lengths = torch.tensor([len(sentence) for sentence in sentences])
        shape = len(sentences), int(lengths.max()) + 1
        words, tags = torch.full(shape, UNKNOWN), torch.full(shape, UNKNOWN)
        heads, labels = torch.full(shape, -1), torch.full(shape, -1)
        words[:, 0] = tags[:, 0] = ROOT
        numbers = {label: i for i, label in enumerate(self.labels)}
        for i, sentence in enumerate(sentences):
            end = len(sentence) + 1
            words[i, 1:end] = torch.tensor([self.words.get(form.lower(), 0) for form in sentence.column("form")])
            tags[i, 1:end] = torch.tensor([self.tags.get(tag, 0) for tag in sentence.column("upos")])
            heads[i, 1:end] = torch.tensor(sentence.heads[1:])
            labels[i, 1:end] = torch.tensor([numbers.get(label, -1) for label in sentence.column("deprel")])
        return Batch(sentences, lengths, words, tags, heads, labels)


class Biaffine(nn.Module):
    """Scores of pairs: a bilinear and a linear function of the vectors of a modifier and a head."""

    def __init__(self, size: int, outputs: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(outputs, size + 1, size + 1) * 0.01)

    def forward(self, modifiers: Tensor, heads: Tensor) -> Tensor:
        """Score all pairs: two (B, N, size), result (B, outputs, N, N) with modifiers in rows."""
        ones = modifiers.new_ones(*modifiers.shape[:2], 1)
        modifiers, heads = torch.cat([modifiers, ones], 2), torch.cat([heads, ones], 2)
        return torch.einsum("bmi,oij,bhj->bomh", modifiers, self.weight, heads)


class Parser(nn.Module):
    """Scores of arcs and labels from words and tags."""

    def __init__(self, vocabulary: Vocabulary, size: int = 100, arcs: int = 100, labels: int = 50) -> None:
        super().__init__()
        self.vocabulary = vocabulary
        self.words = nn.Embedding(len(vocabulary.words) + 2, size)
        self.tags = nn.Embedding(len(vocabulary.tags) + 2, size // 2)
        self.lstm = nn.LSTM(size + size // 2, size, batch_first=True, bidirectional=True)
        self.dropout = nn.Dropout(0.3)
        mlps = [
            nn.Sequential(nn.Linear(2 * size, width), nn.LeakyReLU(0.1)) for width in (arcs, arcs, labels, labels)
        ]
        self.arc_modifier, self.arc_head, self.label_modifier, self.label_head = mlps
        self.arcs = Biaffine(arcs, 1)
        self.labels = Biaffine(labels, len(vocabulary.labels))

    def forward(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Return the scores of arcs, (B, N, N), and of labels, (B, N, N, L): [sentence, modifier, head, label]."""
        inputs = self.dropout(torch.cat([self.words(batch.words), self.tags(batch.tags)], 2))
        packed = pack_padded_sequence(inputs, batch.lengths + 1, batch_first=True, enforce_sorted=False)
        states = self.dropout(pad_packed_sequence(self.lstm(packed)[0], batch_first=True)[0])
        arcs = self.arcs(self.arc_modifier(states), self.arc_head(states))[:, 0]
        labels = self.labels(self.label_modifier(states), self.label_head(states))
        nodes = torch.arange(arcs.shape[1])
        padding = (nodes > batch.lengths[:, None])[:, None, :]  # heads beyond the end of a sentence
        arcs = arcs.masked_fill(padding | torch.eye(arcs.shape[1], dtype=torch.bool), -torch.inf)
        return arcs, labels.permute(0, 2, 3, 1)

    def loss(self, batch: Batch, kind: str) -> Tensor:
        """Return the mean loss per word: of arcs, plus that of the labels of gold arcs."""
        arcs, labels = self(batch)
        is_word = batch.heads >= 0
        heads, words = batch.heads[is_word], torch.arange(int(is_word.sum()))
        if kind == "tree":
            gold = arcs[is_word][words, heads].sum()
            arc_loss = LogPartition.apply(arcs, batch.lengths).sum() - gold  # type: ignore[no-untyped-call]
        else:
            arc_loss = cross_entropy(arcs[is_word], heads, reduction="sum")
        of_gold_arcs = labels[is_word][words, heads]
        label_loss = cross_entropy(of_gold_arcs, batch.labels[is_word], ignore_index=-1, reduction="sum")
        total: Tensor = (arc_loss + label_loss) / len(words)
        return total

    @torch.no_grad()
    def parse(self, batch: Batch, rules: wnparse.Rules | None = None) -> list[wnparse.Sentence]:
        """Return the sentences with the best labelled trees under constraints and rules."""
        arcs, labels = self(batch)
        trees = wnparse.decode_batch(
            log_softmax(arcs, 2),
            batch.lengths,
            labels=(self.vocabulary.labels, log_softmax(labels, 3)),
            rules=rules,
            sentences=batch.sentences,
            constraints=CONSTRAINTS,
        )
        return [tree.to_sentence() for tree in trees]


def batches(vocabulary: Vocabulary, sentences: list[wnparse.Sentence], size: int = 32) -> Iterator[Batch]:
    """Yield the sentences in batches."""
    for start in range(0, len(sentences), size):
        yield vocabulary.encode(sentences[start : start + size])


def train(sentences: list[wnparse.Sentence], kind: str, epochs: int, seed: int) -> Parser:
    """Train a parser with a loss, ``cross-entropy`` or ``tree``."""
    torch.manual_seed(seed)
    parser = Parser(Vocabulary(sentences))
    optimizer = torch.optim.Adam(parser.parameters(), lr=3e-3, betas=(0.9, 0.9))
    schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.8)
    for _ in range(epochs):
        parser.train()
        shuffled = [sentences[i] for i in torch.randperm(len(sentences)).tolist()]
        for batch in batches(parser.vocabulary, shuffled):
            optimizer.zero_grad()
            loss = parser.loss(batch, kind)
            torch.autograd.backward(loss)
            optimizer.step()
        schedule.step()
    parser.eval()
    return parser


def evaluate(parser: Parser, gold: list[wnparse.Sentence], rules: wnparse.Rules | None) -> tuple[float, float]:
    """Return the percentages of words with the correct head, and with the correct head and label."""
    heads = labelled = words = 0
    for batch in batches(parser.vocabulary, gold):
        for sentence, parsed in zip(batch.sentences, parser.parse(batch, rules), strict=True):
            correct = sentence.heads[1:] == parsed.heads[1:]
            same_label = np.array(sentence.column("deprel")) == np.array(parsed.column("deprel"))
            heads += int(correct.sum())
            labelled += int((correct & same_label).sum())
            words += len(sentence)
    return 100 * heads / words, 100 * labelled / words


def main() -> None:
    """Train and evaluate parsers with each loss."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--loss", choices=("cross-entropy", "tree"), help="default: both")
    options.add_argument("--epochs", type=int, default=10)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--data", type=Path, default=SAMPLE, help="directory of train.conllu and dev.conllu")
    arguments = options.parse_args()
    torch.set_num_threads(1)  # more threads take longer for a network as small as this
    train_set, dev_set = (list(wnparse.read(arguments.data / f"{part}.conllu")) for part in ("train", "dev"))
    ud = wnparse.Rules.load("ud")
    rules = ud.keep({rule.name for rule in ud} - {"punct-is-nonproj-strict"})  # the sample breaks this one
    for kind in [arguments.loss] if arguments.loss else ["cross-entropy", "tree"]:
        start = time.process_time()
        parser = train(train_set, kind, arguments.epochs, arguments.seed)
        seconds = time.process_time() - start
        for name, with_rules in (("without rules", None), ("with rules", rules)):
            uas, las = evaluate(parser, dev_set, with_rules)
            print(f"{kind:14} {name:14} UAS {uas:.2f}  LAS {las:.2f}  ({seconds:.0f} s of training)")


if __name__ == "__main__":
    main()
