"""Labels and rules, one sentence at a time and in batches: against all labelled trees, and against each other."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import wnparse
from support.decoding_cases import same
from support.decoding_oracles import Enumeration
from support.labelled_enumeration import LabelledEnumeration
from support.places import DATA
from support.rule_problems import KINDS, bits_of, compile_rules, random_problem, random_rule
from support.tree_oracles import tabulate_trees
from wnparse._core.decoding import solve_batch, solve_kbest
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.options import DecodeOptions
from wnparse.decoding.registry import DECODERS
from wnparse.decoding.solution import Batch

FloatArray = npt.NDArray[np.floating[Any]]
Shape = tuple[int | None, bool, bool]
SHAPES: list[Shape] = [(None, False, False), (None, False, True), (2, True, True), (1, False, True)]
COLUMNS = ("heads", "labels", "score", "upper_bound", "certified", "iterations", "nodes", "broken")


class Treebank:
    """Some sentences of the sample, and scores in which their trees stand out more or less."""

    def __init__(self, count: int, dtype: type = np.float32, gain: float = 4) -> None:
        self.sentences = list(itertools.islice(wnparse.read(DATA / "dev.conllu"), count))
        self.names = sorted({label for sentence in self.sentences for label in sentence.column("deprel")})
        rng = np.random.default_rng(count)
        self.lengths = [len(sentence) for sentence in self.sentences]
        width = max(self.lengths) + 2
        self.scores = np.full((count, width, width), np.nan, dtype)
        self.label_scores = np.full((count, width, width, len(self.names)), np.inf, dtype)
        for i, (sentence, n) in enumerate(zip(self.sentences, self.lengths, strict=True)):
            arcs, labels = rng.normal(size=(n + 1, n + 1)), rng.normal(size=(n + 1, n + 1, len(self.names)))
            arcs[np.arange(1, n + 1), sentence.heads[1:]] += gain
            for m, label in enumerate(sentence.column("deprel"), 1):
                labels[m, :, self.names.index(label)] += gain
            arcs[0] = arcs[np.arange(n + 1), np.arange(n + 1)] = np.nan  # ignored
            labels[0] = labels[np.arange(n + 1), np.arange(n + 1)] = np.inf
            self.scores[i, : n + 1, : n + 1] = arcs
            self.label_scores[i, : n + 1, : n + 1] = labels

    def one(self, i: int) -> tuple[FloatArray, FloatArray]:
        """The scores of a sentence without padding."""
        n = self.lengths[i]
        return self.scores[i, : n + 1, : n + 1].copy(), self.label_scores[i, : n + 1, : n + 1].copy()

    @property
    def labels(self) -> tuple[list[str], FloatArray]:
        return self.names, self.label_scores


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("rules", [None, "ud"])
@pytest.mark.parametrize("k", [None, 3])
def test_a_labelled_batch_equals_single_calls(dtype: type, rules: str | None, k: int | None) -> None:
    bank = Treebank(24 if k is None else 8, dtype)
    options: dict[str, Any] = {"rules": rules, "block_degree": 2, "single_root": True}
    expected: list[Any] = [
        wnparse.decode(arcs, labels=(bank.names, labels), sentence=sentence, k=k, **options)
        for (arcs, labels), sentence in zip(map(bank.one, range(len(bank.lengths))), bank.sentences, strict=True)
    ]
    parts = [bank.one(i) for i in range(len(bank.lengths))]
    options |= {"sentences": bank.sentences, "k": k}
    batches: list[Any] = [
        wnparse.decode_batch(bank.scores, bank.lengths, labels=bank.labels, threads=threads, **options)
        for threads in (1, 2)
    ]
    as_list = [arcs for arcs, _ in parts], (bank.names, [labels for _, labels in parts])
    batches.append(wnparse.decode_batch(as_list[0], labels=as_list[1], threads=2, **options))
    batches.append(wnparse.decode_batch(bank.scores, bank.lengths, labels=as_list[1], **options))
    for batch in batches:
        assert len(batch) == len(expected)
        for result, other in zip(batch, expected, strict=True):
            results, others = (result, other) if k else ([result], [other])
            assert len(results) == len(others)
            assert all(map(same, results, others))
    if k is None:
        batch = batches[0]
        assert batch.names == tuple(bank.names) and batch.labels.dtype == batch.broken.dtype == np.int32
        for i, n in enumerate(bank.lengths):
            names = ["", *(batch.names[label] for label in batch.labels[i, 1 : n + 1])]
            assert names == expected[i].labels
            assert (batch.labels[i, n + 1 :] == -1).all() and batch.labels[i, 0] == -1
        assert rules is None or any(tree.iterations > 1 for tree in expected)  # some trees break rules


def layouts(array: FloatArray) -> dict[str, Any]:
    """The same numbers, however they are stored."""
    reverse = (slice(None, None, -1),) * array.ndim
    unaligned = np.frombuffer(b"." + array.tobytes(), np.uint8)[1:].view(array.dtype).reshape(array.shape)
    return {
        "a matrix per label": np.ascontiguousarray(array.transpose(0, 3, 1, 2)).transpose(0, 2, 3, 1),
        "Fortran": np.asfortranarray(array),
        "backwards": array[reverse].copy()[reverse],
        "every second": np.repeat(array, 2, axis=3)[..., ::2],
        "some of more": np.concatenate([array, array], axis=3)[..., : array.shape[3]],
        "unaligned": unaligned,
        "big-endian": array.astype(array.dtype.newbyteorder(">")),
        "read-only": np.frombuffer(array.tobytes(), array.dtype).reshape(array.shape),
        "the same for all heads": np.broadcast_to(array[:, :, 1:2], array.shape),
    }


@pytest.mark.parametrize("rules", [None, "ud"])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int32])
def test_the_layout_of_label_scores_does_not_matter(dtype: type, rules: str | None) -> None:
    bank = Treebank(3)
    scores = np.nan_to_num(4 * bank.label_scores, nan=0, posinf=0).astype(dtype)
    for name, labels in layouts(scores).items():
        same_numbers = np.ascontiguousarray(labels, np.float64)
        options: dict[str, Any] = {"rules": rules, "sentences": bank.sentences}
        batch, expected = (
            wnparse.decode_batch(bank.scores, bank.lengths, labels=(bank.names, array), **options)
            for array in (labels, same_numbers)
        )
        for column in COLUMNS:
            assert np.array_equal(getattr(batch, column), getattr(expected, column)), name


@pytest.mark.parametrize("decoder", DECODERS)
def test_without_rules_each_arc_has_its_best_label(decoder: str) -> None:
    """The problem is then the one without labels, with the best label of each arc."""
    rng = np.random.default_rng(1)
    for n in (0, 1, 2, 5, 12):
        arcs, labels = rng.normal(size=(n + 1, n + 1)), rng.normal(size=(n + 1, n + 1, 7))
        labels[rng.random(labels.shape) < 0.2] = -np.inf
        best = arcs + labels.max(axis=2)
        for options in ({}, {"k": 4} if DECODERS[decoder].ranks else {"single_root": True}):
            result: Any = wnparse.decode(arcs, decoder, labels=("abcdefg", labels), **options)  # type: ignore[call-overload]
            expected: Any = wnparse.decode(best, decoder, **options)  # type: ignore[call-overload]
            trees, others = (result, expected) if "k" in options else ([result], [expected])
            assert [tree.heads.tolist() for tree in trees] == [tree.heads.tolist() for tree in others]
            assert [tree.score for tree in trees] == pytest.approx([tree.score for tree in others], abs=1e-12)
            for tree, other in zip(trees, others, strict=True):
                assert (tree.certified, tree.broken) == (other.certified, 0)
                assert tree.labels[1:] == ["abcdefg"[labels[m, tree.heads[m]].argmax()] for m in range(1, n + 1)]


@pytest.mark.parametrize("how", ["random", "tied", "sparse"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("seed", range(4))
def test_a_batch_finds_the_best_labelled_trees(how: str, dtype: type, seed: int) -> None:
    """Sentences of up to 4 words under the same rules, each with its own nodes, against all labelled trees."""
    rng = random.Random(f"{how} {seed}")
    labels, predicates, shape = 2, 3, SHAPES[seed]
    rules = [random_rule(rng, kind, labels, predicates) for kind in rng.choices(KINDS, k=seed)]
    lengths = [rng.randint(1, 4) for _ in range(12)]
    nodes = [[frozenset(v for v in range(n + 1) if rng.random() < 0.5) for _ in range(3)] for n in lengths]
    problems = [random_problem(rng, n, labels, how) for n in lengths]
    problems = [(arcs.astype(dtype), scores.astype(dtype)) for arcs, scores in problems]
    settings = DecodeOptions(constraints=Constraints(*shape)).settings
    bits = [bits_of(some, n) for some, n in zip(nodes, lengths, strict=True)]
    labelled = (0, 1), [scores for _, scores in problems], compile_rules(rules, labels, predicates), bits
    arcs_of_all = [arcs for arcs, _ in problems]
    every = [
        LabelledEnumeration(
            tabulate_trees(n), Enumeration(arcs).scores, scores.astype(np.float64), rules, nodes_of_one
        )
        for n, (arcs, scores), nodes_of_one in zip(lengths, problems, nodes, strict=True)
    ]
    ranks = [trees.rank(*shape) for trees in every]
    none = [i for i, ranked in enumerate(ranks) if not len(ranked.tree)]
    for threads in (1, 2):
        columns, infeasible, refused = solve_batch(arcs_of_all, None, settings, threads, None, labelled)  # type: ignore[arg-type]
        assert (infeasible, refused) == (none, [])
        for i, tree in enumerate(Batch(*columns, names=("0", "1"))):
            if i in none:
                continue
            assert tree.certified and tree.labels is not None
            assert (tree.broken, tree.score) == (
                ranks[i].broken[0],
                pytest.approx(ranks[i].score[0], abs=1e-9),
            )
            chosen = [-1, *map(int, tree.labels[1:])]
            assert every[i].find(tree.heads.tolist(), chosen) == (tree.broken, pytest.approx(tree.score, abs=1e-9))
    for k in (1, 3, 1000):
        rankings, infeasible, refused = solve_kbest(arcs_of_all, None, settings, k, 2, None, labelled)  # type: ignore[arg-type]
        assert (infeasible, refused) == (none, [])
        for i, ranking in enumerate(rankings):
            assert ranking is not None
            trees, complete = ranking
            assert complete and all(tree.certified for tree in trees)
            assert [tree.broken for tree in trees] == ranks[i].broken[:k].tolist()
            assert [tree.score for tree in trees] == pytest.approx(ranks[i].score[:k].tolist(), abs=1e-9)
            assert len({tuple(tree.heads.tolist()) for tree in trees}) == len(trees)


def test_parts_and_labels_of_a_batch_add_up() -> None:
    rng = np.random.default_rng(8)
    arcs, labels = rng.normal(size=(5, 5, 5)), rng.normal(size=(5, 5, 5, 3))
    parts = [
        None if i == 2 else wnparse.Parts(grandparents=([[0, 1, 2], [0, 2, 3]], rng.normal(0, 3, 2)))
        for i in range(5)
    ]
    text = '[[rule]]\nname = "r"\nreason = "r"\nat-most = 1\ndependents = { relation = "a" }'
    for rules in (None, wnparse.Rules.parse(text)):
        batch = wnparse.decode_batch(arcs, parts=parts, labels=("abc", labels), rules=rules, threads=2)
        for i, tree in enumerate(batch):
            single = wnparse.decode(
                arcs[i], parts=parts[i] or wnparse.Parts(), labels=("abc", labels[i]), rules=rules
            )
            assert same(tree, single)


def test_an_empty_batch_has_no_labels() -> None:
    for batch in (
        wnparse.decode_batch([], labels=("ab", [])),
        wnparse.decode_batch(np.zeros((0, 4, 4)), labels=("ab", np.zeros((0, 4, 4, 2))), rules="ud", sentences=[]),
    ):
        assert len(batch) == 0 and batch.labels is not None and batch.labels.shape[0] == 0
    assert wnparse.decode_batch([np.zeros((2, 2))]).labels is None
    assert wnparse.decode_batch([], labels=("ab", []), k=2) == []


@pytest.mark.parametrize("decoder", DECODERS)
def test_a_sentence_without_words_has_no_labels(decoder: str) -> None:
    empty = np.zeros((1, 1))
    for rules in (None, "ud"):
        tree = wnparse.decode(empty, decoder, labels=("ab", np.zeros((1, 1, 2))), rules=rules, sentence=[])
        assert (tree.heads.tolist(), tree.labels, tree.broken, tree.score) == ([-1], [""], 0, 0.0)


def test_a_limit_marks_a_labelled_sentence() -> None:
    rng = np.random.default_rng(5)
    sparse = np.full((61, 61), -np.inf)
    for m in range(1, 61):
        sparse[m, rng.permutation([h for h in range(61) if h != m])[:2]] = rng.normal(size=2)
    easy = np.zeros((61, 61))
    labels = "ab", np.zeros((3, 61, 61, 2))
    text = '[[rule]]\nname = "r"\nreason = "r"\nat-least = 1\ndependents = { relation = "b" }'
    options: dict[str, Any] = {"block_degree": 2, "max_nodes": 1, "max_iterations": 1}
    for rules in (None, wnparse.Rules.parse(text)):
        batch = wnparse.decode_batch([easy, sparse, easy], labels=labels, rules=rules, **options)
        assert batch.score[1] == -np.inf and not batch.certified[1]
        assert (batch.heads[1] == -1).all() and batch.labels is not None and (batch.labels[1] == -1).all()
        assert set(batch[1].labels or []) == {"", "_"}
        assert np.isfinite(batch.score[[0, 2]]).all() and (batch.labels[2, 1:] >= 0).all()
        rankings = wnparse.decode_batch([easy, sparse], labels=("ab", labels[1][:2]), rules=rules, k=2, **options)
        assert len(rankings[0]) == 2 and rankings[1] == [] and not rankings[1].complete


SCORES = np.zeros((2, 3, 3))
LABELS = np.zeros((2, 3, 3, 2))
HOSTILE: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"labels": ("ab", LABELS[:, :, :, :1])}, ValueError, r"shape \(2, 3, 3, 1\); expected \(2, 3, 3, 2\)"),
    ({"labels": ("ab", LABELS[:1])}, ValueError, r"expected \(2, 3, 3, 2\)"),
    ({"labels": ("ab", LABELS[:, :2, :2])}, ValueError, r"expected \(2, 3, 3, 2\)"),
    ({"labels": ("ab", LABELS[0])}, ValueError, r"labels are of 3 sentences; expected .* 2 arrays"),
    ({"labels": ("ab", list(LABELS) * 2)}, ValueError, r"labels are of 4 sentences; expected .* 2 arrays"),
    ({"labels": ("ab", [LABELS[0], LABELS[1, :2]])}, ValueError, r"batch\[1\]: .*shape \(2, 3, 2\); expected"),
    ({"labels": ("ab", [LABELS[0], None])}, ValueError, r"batch\[1\]: "),
    ({"labels": ("ab", LABELS[..., None])}, ValueError, "shape"),
    ({"labels": ("ab", LABELS.astype(complex))}, ValueError, "dtype complex128"),
    ({"labels": ("ab", LABELS.astype(str))}, ValueError, "dtype <U"),
    ({"labels": ("ab", LABELS.astype(object))}, ValueError, "dtype object"),
    ({"labels": ("ab", None)}, ValueError, "labels"),
    ({"labels": ("ab", 5)}, ValueError, "labels"),
    ({"labels": "abc"}, ValueError, r"expected \(names, scores\)"),
    ({"labels": LABELS}, ValueError, "labels"),
    ({"labels": 5}, ValueError, r"expected \(names, scores\)"),
    ({"labels": (5, LABELS)}, ValueError, r"expected \(names, scores\)"),
    ({"labels": ("aa", LABELS)}, ValueError, "distinct"),
    ({"labels": ("", LABELS)}, ValueError, "at least one name"),
    ({"labels": ([1, 2], LABELS)}, ValueError, "names"),
    ({"labels": ([[], "b"], LABELS)}, (ValueError, TypeError), "names|hash"),  # type: ignore[list-item]
    ({"rules": "ud"}, ValueError, "rules without labels"),
    ({"labels": ("ab", LABELS), "rules": 5}, TypeError, "rules are int"),
    ({"labels": ("ab", LABELS), "rules": "ud"}, ValueError, "rules read .*upos.*; expected a sentence"),
    ({"labels": ("ab", LABELS), "sentences": []}, ValueError, "sentences of 0 sentences; expected 2"),
    ({"labels": ("ab", LABELS), "parts": []}, ValueError, "parts of 0 sentences; expected 2"),
]


@pytest.mark.parametrize(("options", "error", "message"), HOSTILE, ids=[str(i) for i in range(len(HOSTILE))])
@pytest.mark.parametrize("k", [None, 2])
def test_refuses_wrong_labels(
    options: dict[str, Any], error: type[Exception], message: str, k: int | None
) -> None:
    with pytest.raises(error, match=message):
        wnparse.decode_batch(SCORES, k=k, **options)


@pytest.mark.parametrize("rules", [None, "ud"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("wrong", [np.nan, np.inf])
@pytest.mark.parametrize("permuted", [False, True])
def test_refuses_scores_of_labels_that_are_not_numbers(
    rules: str | None, dtype: type, wrong: float, permuted: bool
) -> None:
    bank = Treebank(4, dtype)
    n = bank.lengths[2]
    options: dict[str, Any] = {"rules": rules, "sentences": bank.sentences}
    for m, h, label in ((1, 0, 0), (1, n, len(bank.names) - 1), (n, 0, 0), (n, n - 1, len(bank.names) - 1)):
        labels = bank.label_scores.copy()
        labels[2, m, h, label] = wrong
        if permuted:
            labels = np.ascontiguousarray(labels.transpose(0, 3, 1, 2)).transpose(0, 2, 3, 1)
        place = rf"^batch\[2\]: labels\[{m}, {h}, {label}\] is {wrong}"
        for k in (None, 2):
            with pytest.raises(ValueError, match=place):
                wnparse.decode_batch(bank.scores, bank.lengths, labels=(bank.names, labels), k=k, **options)
        arcs, _ = bank.one(2)
        with pytest.raises(ValueError, match=rf"^labels\[{m}, {h}, {label}\] is {wrong}"):
            wnparse.decode(
                arcs,
                labels=(bank.names, labels[2, : n + 1, : n + 1]),
                rules=rules,
                sentence=bank.sentences[2],
            )
    arcs = bank.scores.copy()
    arcs[1, 2, 1] = wrong
    with pytest.raises(ValueError, match=rf"^batch\[1\]: scores\[2, 1\] is {wrong}"):
        wnparse.decode_batch(arcs, bank.lengths, labels=bank.labels, **options)


def test_refuses_sums_that_overflow() -> None:
    text = '[[rule]]\nname = "r"\nreason = "r"\nat-least = 1\ndependents = { relation = "b" }'
    huge = np.full((2, 2, 2), 1e308)
    for rules in (None, wnparse.Rules.parse(text)):
        with pytest.raises(ValueError, match="add up to inf"):
            wnparse.decode(huge[0], labels=("ab", huge), rules=rules)
        narrow = huge[0].clip(max=3e38).astype(np.float32)  # their sum is finite in double
        labels = np.stack([narrow, narrow], axis=2)
        assert wnparse.decode(narrow, labels=("ab", labels), rules=rules).score == pytest.approx(6e38, rel=1e-6)


def test_sentences_must_be_as_long_as_their_scores() -> None:
    bank = Treebank(3)
    with pytest.raises(ValueError, match=r"^batch\[1\]: the sentence has"):
        wnparse.decode_batch(
            bank.scores, bank.lengths, labels=bank.labels, rules="ud", sentences=[bank.sentences[0]] * 3
        )
    arcs, _ = bank.one(0)
    with pytest.raises(ValueError, match=r"^the sentence has .* words; expected"):
        wnparse.decode(arcs[:-1, :-1], sentence=bank.sentences[0])
    with pytest.raises(ValueError, match="expected a sentence for each"):
        some = [bank.sentences[0], None, bank.sentences[2]]
        wnparse.decode_batch(bank.scores, bank.lengths, labels=bank.labels, rules="ud", sentences=some)


def test_penalties_that_exceed_the_precision_name_the_sentence() -> None:
    text = '[[rule]]\nname = "r"\nreason = "r"\npenalty = 1e5\nat-least = 1\ndependents = { relation = "a" }'
    rules = wnparse.Rules.parse(text)
    rng = np.random.default_rng(1)
    arcs, labels = rng.normal(size=(3, 4, 4)), rng.normal(size=(3, 4, 4, 1))
    arcs[1] *= 1e-9
    labels[1] *= 1e-9
    for k in (None, 2):
        with pytest.raises(ValueError, match=r"^batch\[1\]: .*penalties"):
            wnparse.decode_batch(arcs, labels=(["a"], labels), rules=rules, k=k)


def test_infeasible_sentences_are_named() -> None:
    labels = np.zeros((3, 3, 3, 2))
    labels[[0, 2], 2] = -np.inf  # word 2 can have no label
    for rules in (None, "ud"):
        options: dict[str, Any] = {"labels": ("ab", labels), "rules": rules}
        if rules:
            options["sentences"] = [[("w", "X"), ("w", "X")]] * 3
        for k in (None, 2):
            with pytest.raises(wnparse.InfeasibleError, match=r"^batch\[0\], batch\[2\]: "):
                wnparse.decode_batch(np.zeros((3, 3, 3)), k=k, **options)


@pytest.mark.parametrize("gain", [1.5, 3.0])
def test_a_search_that_leaves_labels_out_finds_the_best_tree(gain: float) -> None:
    """The decoder `ilp`, which gets all labels of all arcs, finds trees of the same score."""
    pytest.importorskip("highspy")
    bank = Treebank(20, np.float64, gain)
    soft = """
    [[rule]]
    name = "few-dependents"
    reason = "r"
    penalty = 0.7
    at-most = 2
    dependents = { side = "right" }
    """
    for rules in (wnparse.Rules.load("ud"), wnparse.Rules.parse('include = "ud"\n' + soft)):
        options: dict[str, Any] = {"labels": bank.labels, "rules": rules, "sentences": bank.sentences}
        ours, theirs = (
            wnparse.decode_batch(bank.scores, bank.lengths, decoder, single_root=True, **options)
            for decoder in ("bnb", "ilp")
        )
        assert ours.certified.all() and theirs.certified.all()
        assert ours.broken.tolist() == theirs.broken.tolist()
        np.testing.assert_allclose(ours.score, theirs.score, atol=1e-6)
        assert (ours.iterations > 1).sum() > 3 and (ours.iterations == 1).any()


NO_NOUN_SUBJECT = """
[[rule]]
name = "no-noun-subject"
reason = "r"
forbid = { upos = "NOUN", feats = "Number=Plur", relation = "nsubj" }
"""
FORMS_AND_TAGS = [("Dogs", "NOUN"), ("bark", "VERB")]


def sentence_types() -> dict[str, Any]:
    """A sentence in every type that is accepted."""
    import conllu

    feats = ["Number=Plur", None]
    made = wnparse.Sentence.from_words(["Dogs", "bark"], ["NOUN", "VERB"], feats=feats)
    return {
        "Sentence": made,
        "TokenList": made.to_tokenlist(),
        "tokens by hand": conllu.TokenList(
            [conllu.Token(form=f, upos=u, feats=v) for (f, u), v in zip(FORMS_AND_TAGS, feats, strict=True)]
        ),
        "dicts": [{"form": f, "upos": u, "feats": v} for (f, u), v in zip(FORMS_AND_TAGS, feats, strict=True)],
        "upper case": ({"FORM": "Dogs", "UPOS": "NOUN", "Feats": {"Number": "Plur"}}, {"UPOS": "VERB"}),
        "all columns": [dict(zip(wnparse.treebanks.sentence.COLUMNS, word, strict=True)) for word in made],
    }


def test_a_sentence_may_have_any_of_several_types() -> None:
    labels = np.zeros((3, 3, 2))
    labels[:, :, 0] = 1
    rules = wnparse.Rules.parse(NO_NOUN_SUBJECT)
    options: dict[str, Any] = {"labels": (["nsubj", "dep"], labels), "rules": rules}
    sentences = sentence_types()
    for name, sentence in sentences.items():
        solution = wnparse.decode(np.zeros((3, 3)), sentence=sentence, **options)
        assert solution.labels == ["", "dep", "nsubj"], name
    pairs = wnparse.decode(np.zeros((3, 3)), sentence=FORMS_AND_TAGS, **options)
    assert pairs.labels == ["", "nsubj", "nsubj"]  # they have no FEATS
    every = [*sentences.values(), FORMS_AND_TAGS, [["Dogs", "NOUN"], ["bark", None]]]
    options["labels"] = ["nsubj", "dep"], np.stack([labels] * len(every))
    batch = wnparse.decode_batch(np.zeros((len(every), 3, 3)), sentences=every, **options)
    assert [tree.labels[1] for tree in batch] == ["dep"] * len(sentences) + ["nsubj"] * 2


@pytest.mark.parametrize(
    ("sentence", "error", "message"),
    [
        (5, TypeError, "the sentence is int 5; expected a Sentence, .* pairs .* dicts"),
        ("ab", TypeError, "the sentence is str 'ab'; expected a Sentence"),
        ({"form": ["a", "b"]}, TypeError, "the sentence is dict"),
        (["a", "b"], TypeError, "word 1 of the sentence is str 'a'; expected a Sentence"),
        ([("a", "X"), ("b", "X", "c")], TypeError, "word 2 of the sentence is tuple"),
        ([("a", "X"), None], TypeError, "word 2 of the sentence is NoneType"),
        (
            [{"form": "a"}, {"tag": "X"}],
            TypeError,
            "word 2 of the sentence has the key 'tag'; expected columns: id",
        ),
        ([(1, "X"), ("b", "X")], TypeError, r"forms\[0\] is 1"),
        ([("a", "X"), ("b", "X\tY")], ValueError, r"upos\[1\] is .*tabs"),
        ([("a", "X")], ValueError, "the sentence has 1 words; expected 2"),
        ([], ValueError, "the sentence has 0 words; expected 2"),
    ],
)
def test_refuses_other_sentences(sentence: Any, error: type[Exception], message: str) -> None:
    options: dict[str, Any] = {"labels": ("ab", np.zeros((3, 3, 2))), "rules": "ud"}
    with pytest.raises(error, match=f"^{message}"):
        wnparse.decode(np.zeros((3, 3)), sentence=sentence, **options)
    with pytest.raises(error, match=f"^{message}"):
        wnparse.decode(np.zeros((3, 3)), sentence=sentence)  # not only where it matters
    with pytest.raises(error, match=rf"^batch\[0\]: {message}"):
        wnparse.decode_batch(np.zeros((1, 3, 3)), sentences=[sentence])
    options["labels"] = "ab", np.zeros((2, 3, 3, 2))
    with pytest.raises(error, match=rf"^batch\[1\]: {message}"):
        wnparse.decode_batch(np.zeros((2, 3, 3)), sentences=[FORMS_AND_TAGS, sentence], **options)


def test_trees_know_their_sentences() -> None:
    batch = wnparse.decode_batch(np.zeros((2, 3, 3)), sentences=[FORMS_AND_TAGS, None])
    assert [tree.sentence is None for tree in batch] == [False, True]
    assert batch[0].to_sentence().column("form") == ["Dogs", "bark"]
    one = wnparse.decode(np.zeros((3, 3)), labels=("ab", np.zeros((3, 3, 2))), sentence=FORMS_AND_TAGS)
    assert one.to_sentence().column("deprel") == ["a", "a"]
    rankings = wnparse.decode_batch(np.zeros((2, 3, 3)), k=2, sentences=[None, FORMS_AND_TAGS])
    assert [tree.sentence is None for trees in rankings for tree in trees] == [True, True, False, False]
    for tree in wnparse.decode(np.zeros((3, 3)), k=2, sentence=FORMS_AND_TAGS):
        assert tree.to_sentence().heads.tolist() == tree.heads.tolist()
