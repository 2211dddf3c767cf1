"""The programs in docs/examples: a parser in PyTorch, and decoding the scores of other parsers.

They need torch, supar or stanza, and are skipped with a message where these are not installed. No model is
downloaded: the networks have random weights, or are trained for some seconds.
"""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import wnparse
from support.commands import environment
from support.decoding_oracles import Enumeration
from support.documentation import DOCS, read_page
from support.places import DATA

EXAMPLES = DOCS / "examples"
RULES = wnparse.Rules.load("ud").keep({"0-is-not-root", "root-is-not-0", "too-many-subjects", "too-many-objects"})


def load_example(name: str) -> ModuleType:
    """Import a program."""
    specification = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert specification is not None and specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module  # dataclasses look their module up
    specification.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def biaffine() -> Any:
    pytest.importorskip("torch").set_num_threads(1)
    return load_example("biaffine")


def test_the_page_shows_what_the_programs_contain() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.glob("*.py")))
    excerpts = re.findall(r"^```py\n(.*?)^```", read_page("guide/pytorch.md"), re.S | re.M)
    assert len(excerpts) >= 3
    for excerpt in excerpts:
        assert excerpt.strip() in code


def test_the_gradient_is_the_matrix_of_marginals(biaffine: Any) -> None:
    """Finite differences, for sentences of several lengths; the padding and the diagonal do not matter."""
    torch = pytest.importorskip("torch")
    torch.manual_seed(1)
    lengths = torch.tensor([4, 1, 3, 0])
    scores = torch.randn(4, 5, 5, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda s: biaffine.LogPartition.apply(s, lengths), scores)
    weights = torch.randn(4, dtype=torch.float64)
    (biaffine.LogPartition.apply(scores, lengths) * weights).sum().backward()
    assert scores.grad is not None
    marginals = wnparse.marginals_batch(scores, lengths, single_root=True)
    np.testing.assert_allclose(scores.grad, weights.numpy()[:, None, None] * marginals, rtol=1e-12)


def test_the_loss_is_the_log_probability_of_the_gold_trees(biaffine: Any) -> None:
    """With one word per label left out: against all trees of short sentences."""
    torch = pytest.importorskip("torch")
    torch.manual_seed(2)
    short = [s for s in wnparse.read(DATA / "english" / "train.conllu") if len(s) <= 5][:6]
    parser = biaffine.Parser(biaffine.Vocabulary(short, least=1)).eval()
    batch = parser.vocabulary.encode(short)
    with torch.no_grad():
        arcs, _ = parser(batch)
        difference = parser.loss(batch, "tree") - parser.loss(batch, "cross-entropy")
        expected, words = 0.0, sum(map(len, short))
        for scores, sentence in zip(arcs.double().numpy(), short, strict=True):
            n = len(sentence)
            every = Enumeration(scores[: n + 1, : n + 1])
            one_root = every.scores[every.trees.valid(None, False, True)]
            row = every.find(sentence.heads)
            expected += np.logaddexp.reduce(one_root) - every.scores[row]
            by_word = np.logaddexp.reduce(scores[1 : n + 1, : n + 1], axis=1)
            expected -= (by_word - scores[np.arange(1, n + 1), sentence.heads[1:]]).sum()
    assert float(difference) == pytest.approx(expected / words, abs=1e-4)


@pytest.mark.parametrize("kind", ["cross-entropy", "tree"])
def test_the_parser_learns_and_obeys_rules(biaffine: Any, kind: str) -> None:
    train_set = list(islice(wnparse.read(DATA / "english" / "train.conllu"), 400))
    dev_set = list(islice(wnparse.read(DATA / "english" / "dev.conllu"), 60))
    parser = biaffine.train(train_set, kind, epochs=3, seed=1)
    uas, las = biaffine.evaluate(parser, dev_set, None)
    assert uas > 65 and las > 60
    batch = parser.vocabulary.encode(dev_set)
    for sentence in parser.parse(batch, RULES):
        assert biaffine.CONSTRAINTS.allow(sentence.heads)
        roots = [word.deprel for word in sentence if word.head == 0]
        assert roots == ["root"]


def test_a_batch_of_tensors_equals_single_calls(biaffine: Any) -> None:
    """Label scores as the network returns them, with a matrix per label in memory, on threads, under rules."""
    torch = pytest.importorskip("torch")
    torch.manual_seed(3)
    sentences = list(islice(wnparse.read(DATA / "english" / "dev.conllu"), 30))
    parser = biaffine.Parser(biaffine.Vocabulary(sentences)).eval()
    batch = parser.vocabulary.encode(sentences)
    arcs, labels = parser(batch)
    labels = 30 * labels
    assert labels.requires_grad and not labels.is_contiguous()
    names = parser.vocabulary.labels
    options: dict[str, Any] = {"rules": "ud", "single_root": True}
    trees = wnparse.decode_batch(
        arcs, batch.lengths, labels=(names, labels), sentences=sentences, threads=2, **options
    )
    assert trees.iterations.max() > 1  # some trees break rules
    for i, (sentence, tree) in enumerate(zip(sentences, trees, strict=True)):
        width = len(sentence) + 1
        one = wnparse.decode(
            arcs[i, :width, :width], labels=(names, labels[i, :width, :width]), sentence=sentence, **options
        )
        assert (tree.score, tree.heads.tolist(), tree.labels) == (one.score, one.heads.tolist(), one.labels)


def test_the_program_prints_both_losses(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    for part in ("train", "dev"):
        wnparse.write(islice(wnparse.read(DATA / "english" / f"{part}.conllu"), 60), tmp_path / f"{part}.conllu")
    command = [sys.executable, str(EXAMPLES / "biaffine.py"), "--data", str(tmp_path), "--epochs", "1"]
    result = subprocess.run(command, capture_output=True, text=True, env=environment(), timeout=120, check=False)
    assert result.returncode == 0, result.stderr
    assert [line.split()[0] for line in result.stdout.splitlines()] == ["cross-entropy"] * 2 + ["tree"] * 2
    assert all(re.search(r"UAS \d+\.\d\d  LAS \d+\.\d\d", line) for line in result.stdout.splitlines())


@pytest.mark.filterwarnings("ignore")
def test_decodes_the_scores_of_supar() -> None:
    torch = pytest.importorskip("torch")
    dep = pytest.importorskip("supar.models.dep", reason="supar is not installed")
    structs = pytest.importorskip("supar.structs")
    torch.manual_seed(1)
    names = ["nsubj", "obj", "root", "dep"]
    model = dep.BiaffineDependencyModel(
        n_words=30, n_rels=len(names), n_tags=6, feat=["tag"], n_embed=20, n_pretrained=20, n_feat_embed=10,
        n_lstm_hidden=16, n_lstm_layers=1, n_arc_mlp=12, n_rel_mlp=8,
    ).eval()  # fmt: skip
    for weights in model.parameters():
        torch.nn.init.normal_(weights)
    lengths = torch.tensor([7, 2, 5])
    real = torch.arange(8) <= lengths[:, None]
    words, tags = (torch.randint(2, most, (3, 8)) * real for most in (30, 6))
    words[:, 0] = 2
    mask = words.ne(model.args.pad_index)
    mask[:, 0] = 0  # as the parsers of supar have it
    with torch.no_grad():
        arcs, labels = model(words, [tags])
    decoder = load_example("other_parsers").supar_decoder
    model.decode = decoder(names, single_root=True, rules=RULES, block_degree=2)
    heads, numbers = model.decode(arcs, labels, mask, True, False)
    assert heads.shape == numbers.shape == (3, 8) and heads.dtype == torch.int64
    for row, of_row, n in zip(heads.tolist(), numbers.tolist(), lengths.tolist(), strict=True):
        assert wnparse.Constraints(2, single_root=True).allow(row[: n + 1])
        chosen = [names[label] for label in of_row[1 : n + 1]]
        assert [label == "root" for label in chosen] == [head == 0 for head in row[1 : n + 1]]
    # Without constraints and rules, the trees are those of supar.
    unruled = wnparse.decode_batch(arcs, mask=mask, single_root=True)
    assert unruled.heads[:, 1:][mask[:, 1:]].tolist() == structs.MatrixTree(arcs, lengths).argmax[mask].tolist()


def test_decodes_the_scores_of_stanza() -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("stanza", reason="stanza is not installed")
    from stanza.models.common.vocab import VOCAB_PREFIX, BaseVocab
    from stanza.models.depparse.model import GraphParser

    class Vocabulary(BaseVocab):
        def build_vocab(self) -> None:
            self._id2unit = [*VOCAB_PREFIX, *self.data]
            self._unit2id = {unit: i for i, unit in enumerate(self._id2unit)}

    torch.manual_seed(1)
    sizes = dict.fromkeys(("hidden_dim", "deep_biaff_hidden_dim", "word_emb_dim"), 8)
    off = dict.fromkeys(("tag_emb_dim", "dropout", "rec_dropout", "word_dropout"), 0)
    flags = dict.fromkeys(("char", "pretrain", "linearization", "distance"), False)
    names = ["nsubj", "obj", "root", "dep"]
    vocabulary = {name: Vocabulary(list("abcdefgh")) for name in ("word", "lemma")} | {"deprel": Vocabulary(names)}
    model = GraphParser({"num_layers": 1, **sizes, **off, **flags}, vocabulary).eval()
    for weights in model.parameters():
        torch.nn.init.normal_(weights)
    nodes = [7, 5, 3]  # with the root
    padding = torch.arange(7) >= torch.tensor(nodes)[:, None]
    words, lemmas = (torch.randint(4, 12, (3, 7)).masked_fill(padding, 0) for _ in range(2))
    heads, nothing = torch.zeros(3, 6, dtype=torch.long), [None] * 3
    arguments = [words, padding, torch.zeros(15, 1), None, None, None, None, None, lemmas, heads, heads]
    arguments += [list(range(15)), nodes, nothing, nothing]
    model.decode_graph_predictions = load_example("other_parsers").stanza_decoder(single_root=True, rules=RULES)
    with torch.no_grad():
        sentences = model.predict(*arguments)
    assert [len(sentence) for sentence in sentences] == [6, 4, 2]
    for sentence in sentences:
        assert wnparse.structure([-1, *(head for head, _ in sentence)]).roots == 1
        assert all((label == "root") == (head == 0) for head, label in sentence)
