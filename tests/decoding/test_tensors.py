"""Scores as a neural parser has them: tensors, constraints in one object, k trees of each sentence, padding."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import wnparse
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.registry import DECODERS, register_decoder

FloatArray = npt.NDArray[np.floating[Any]]


class Tensor:
    """The part of a torch tensor that the decoders use, with its errors."""

    def __init__(
        self, array: Any, dtype: str = "float32", device: str = "cpu", requires_grad: bool = False
    ) -> None:
        self.array = np.asarray(array)
        self.dtype, self.device, self.requires_grad = f"torch.{dtype}", device, requires_grad

    def __len__(self) -> int:
        return len(self.array)

    def __getitem__(self, index: Any) -> Tensor:
        return Tensor(self.array[index], self.dtype[6:], self.device, self.requires_grad)

    def detach(self) -> Tensor:
        return Tensor(self.array, self.dtype[6:], self.device)

    def cpu(self) -> Tensor:
        return Tensor(self.array, self.dtype[6:], "cpu", self.requires_grad)

    def float(self) -> Tensor:
        return Tensor(self.array.astype(np.float32), "float32", self.device, self.requires_grad)

    def numpy(self) -> npt.NDArray[Any]:
        if self.requires_grad:
            raise RuntimeError(
                "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
            )
        if self.device != "cpu":
            raise TypeError("can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu()")
        if self.dtype not in ("torch.float16", "torch.float32", "torch.float64", "torch.int64", "torch.bool"):
            raise TypeError("Got unsupported ScalarType BFloat16")
        return self.array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return self.numpy()


class JaxArray:
    """An array with a dtype that NumPy has only by an extension."""

    dtype = "bfloat16"

    def __init__(self, array: FloatArray) -> None:
        self.array = array

    def astype(self, dtype: Any) -> FloatArray:
        return self.array.astype(dtype)


class DLPackArray:
    """An array that libraries exchange by DLPack alone."""

    def __init__(self, array: npt.NDArray[Any]) -> None:
        self.array = array

    def __dlpack__(self, **options: Any) -> Any:
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self.array.__dlpack_device__()


@pytest.fixture
def scores() -> FloatArray:
    return np.random.default_rng(3).normal(size=(9, 9)).astype(np.float32)


KINDS: list[dict[str, Any]] = [
    {},
    {"dtype": "float16"},
    {"dtype": "bfloat16"},
    {"requires_grad": True},
    {"device": "cuda"},
    {"dtype": "bfloat16", "requires_grad": True, "device": "cuda"},
    {"dtype": "float8_e4m3fn"},
]


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_accepts_tensors_of_every_kind(scores: FloatArray, kind: dict[str, Any]) -> None:
    expected = wnparse.decode(scores)
    tensor, padded = Tensor(scores, **kind), Tensor(np.stack([scores, scores]), **kind)
    lengths = Tensor(np.array([8, 4]), "int64", kind.get("device", "cpu"))
    assert wnparse.decode(tensor).heads.tolist() == expected.heads.tolist()
    assert wnparse.decode(tensor, k=2)[0].score == expected.score
    whole = wnparse.decode_batch(padded)
    assert whole.score.tolist() == [expected.score] * 2
    short = wnparse.decode(scores[:5, :5])
    assert wnparse.decode_batch(padded, lengths).score.tolist() == [expected.score, short.score]
    assert wnparse.decode_batch([tensor, scores, scores.tolist()], threads=2).score[0] == expected.score
    np.testing.assert_array_equal(wnparse.marginals(tensor), wnparse.marginals(scores))
    np.testing.assert_array_equal(wnparse.marginals_batch(padded)[1], wnparse.marginals(scores))
    assert wnparse.log_partition(tensor) == wnparse.log_partition(scores)


def test_accepts_other_arrays(scores: FloatArray) -> None:
    assert wnparse.decode(JaxArray(scores)).score == wnparse.decode(scores).score
    batch = [JaxArray(scores), scores]
    assert len(set(wnparse.decode_batch(batch).score.tolist())) == 1
    assert wnparse.decode(scores.tolist()).score == wnparse.decode(scores.astype(np.float64)).score


def test_accepts_arrays_by_dlpack(scores: FloatArray) -> None:
    labels = np.random.default_rng(1).normal(size=(9, 9, 3))
    expected = wnparse.decode(scores, labels=("abc", labels))
    found = wnparse.decode(DLPackArray(scores), labels=("abc", DLPackArray(labels)))
    assert (found.score, found.labels) == (expected.score, expected.labels)
    padded, lengths = DLPackArray(np.stack([scores, scores])), DLPackArray(np.array([8, 8]))
    stacked = "abc", DLPackArray(np.stack([labels, labels]))
    assert wnparse.decode_batch(padded, lengths, labels=stacked).score.tolist() == [expected.score] * 2
    assert wnparse.log_partition_batch([DLPackArray(scores)])[0] == wnparse.log_partition(scores)

    class Elsewhere(DLPackArray):
        def __dlpack__(self, **options: Any) -> Any:
            raise BufferError("on another device")

    with pytest.raises(ValueError, match=r"^Elsewhere cannot be read as an array \(on another device\)"):
        wnparse.decode(Elsewhere(scores))


def test_refuses_a_tensor_that_cannot_be_read(scores: FloatArray) -> None:
    class Sparse(Tensor):
        def detach(self) -> Sparse:
            return self

        def cpu(self) -> Sparse:
            return self

        def numpy(self) -> npt.NDArray[Any]:
            raise TypeError("can't convert Sparse layout tensor to numpy.\nUse Tensor.to_dense()")

    with pytest.raises(ValueError, match=r"^Sparse .*expected a NumPy array$"):
        wnparse.decode(Sparse(scores))


def test_masked_arrays_are_refused(scores: FloatArray) -> None:
    masked = np.ma.masked_array(scores, scores < 0)  # type: ignore[no-untyped-call]
    stacked = np.ma.stack([masked, masked])
    calls: list[Any] = [
        lambda: wnparse.decode(masked),
        lambda: wnparse.decode(masked, "msa", k=2),
        lambda: wnparse.decode(list(masked)),
        lambda: wnparse.decode(scores, labels=(["a"], masked[:, :, None])),
        lambda: wnparse.decode_batch(stacked),
        lambda: wnparse.decode_batch([scores, masked]),
        lambda: wnparse.decode_batch([scores, list(masked)]),
        lambda: wnparse.marginals(masked),
        lambda: wnparse.marginals_batch(stacked),
        lambda: wnparse.log_partition(masked),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="masked array"):
            call()
    forbidden = np.where(scores < 0, -np.inf, scores)
    assert wnparse.decode(masked.filled(-np.inf)).score == wnparse.decode(forbidden).score


def test_a_decoder_in_python_gets_an_array(scores: FloatArray) -> None:
    def best(matrix: FloatArray, constraints: Constraints, **limits: int) -> wnparse.Solution:
        assert type(matrix) is np.ndarray
        return wnparse.decode(matrix, constraints=constraints)

    register_decoder("best", best)
    try:
        tensor = Tensor(np.stack([scores]), "bfloat16", requires_grad=True)
        assert wnparse.decode_batch(tensor, decoder="best").score[0] == pytest.approx(wnparse.decode(scores).score)
        assert wnparse.decode(tensor[0], "best").score == pytest.approx(wnparse.decode(scores).score)
    finally:
        del DECODERS["best"]


def test_takes_constraints_in_one_object(scores: FloatArray) -> None:
    for limits in (Constraints(1), Constraints(2, True, True), Constraints(single_root=True), Constraints()):
        apart = {"block_degree": limits.block_degree, "well_nested": limits.well_nested}
        expected = wnparse.decode(scores, **apart, single_root=limits.single_root)  # type: ignore[call-overload]
        assert wnparse.decode(scores, constraints=limits).heads.tolist() == expected.heads.tolist()
        assert wnparse.decode(scores, constraints=limits, k=1)[0].score == expected.score
        assert wnparse.decode_batch([scores], constraints=limits)[0].score == expected.score
    one: dict[str, Any]
    for one in ({"block_degree": 2}, {"well_nested": True}, {"single_root": True}):
        for call in (
            lambda **options: wnparse.decode(scores, **options),
            lambda **o: wnparse.decode_batch([scores], **o),
        ):
            with pytest.raises(ValueError, match="either constraints"):
                call(constraints=Constraints(), **one)
    with pytest.raises(ValueError, match=r"constraints=2: .*wnparse.Constraints"):
        wnparse.decode(scores, constraints=2)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="decoder 'msa' cannot enforce"):
        wnparse.decode(scores, "msa", constraints=Constraints(2))


@pytest.mark.parametrize("decoder", ["msa", "eisner", "bnb"])
@pytest.mark.parametrize("threads", [1, 3])
def test_finds_the_k_best_trees_of_a_batch(decoder: str, threads: int) -> None:
    padded = np.random.default_rng(5).normal(size=(6, 9, 9))
    lengths = [8, 1, 2, 5, 0, 8]
    options: dict[str, Any] = (
        {"single_root": True} if decoder == "msa" else {"block_degree": 2, "well_nested": True}
    )
    cut = [matrix[: n + 1, : n + 1] for matrix, n in zip(padded, lengths, strict=True)]
    expected = [wnparse.decode(matrix, decoder, k=4, **options) for matrix in cut]
    for rankings in (
        wnparse.decode_batch(padded, lengths, decoder, k=4, threads=threads, **options),
        wnparse.decode_batch(cut, decoder=decoder, k=4, threads=threads, **options),
    ):
        assert [[t.score for t in trees] for trees in rankings] == [[t.score for t in trees] for trees in expected]
        for some, others in zip(rankings, expected, strict=True):
            assert [tree.heads.tolist() for tree in some] == [tree.heads.tolist() for tree in others]
    assert [len(trees) for trees in rankings][1] == 1


def test_refuses_bad_batches_with_k(scores: FloatArray) -> None:
    forbidden = np.full((3, 3), -np.inf)
    with pytest.raises(wnparse.InfeasibleError, match=r"^batch\[1\]: .*allow no trees"):
        wnparse.decode_batch([scores, forbidden], k=2)
    wrong = scores.copy()
    wrong[2, 1] = np.nan
    for batch in ([scores, wrong], np.stack([scores, wrong])):
        for threads in (1, 2):
            with pytest.raises(ValueError, match=r"^batch\[1\]: scores\[2, 1\] is nan"):
                wnparse.decode_batch(batch, k=2, threads=threads)
    with pytest.raises(ValueError, match=r"lengths\[0\] is 9; .*0..8"):
        wnparse.decode_batch(scores[None], [9], k=2)
    with pytest.raises(ValueError, match="lengths has 2 entries"):
        wnparse.decode_batch(scores[None], [8, 8], k=2)
    with pytest.raises(ValueError, match="k=0"):
        wnparse.decode_batch([scores], k=0)
    with pytest.raises(ValueError, match="decoder 'lr' finds one tree"):
        wnparse.decode_batch([scores], decoder="lr", k=2)
    assert wnparse.decode_batch([], k=2) == []


def masks(lengths: list[int], width: int) -> list[Any]:
    """The masks of sentences, as libraries write them."""
    words = np.arange(1, width) <= np.array(lengths)[:, None]
    bos = [np.column_stack([np.full(len(lengths), value), words]) for value in (False, True)]
    return [
        words,
        *bos,
        words.tolist(),
        bos[1].astype(np.int64),
        bos[0].astype(np.float32),
        Tensor(bos[0], "bool"),
    ]


def test_a_mask_is_another_way_to_write_lengths() -> None:
    padded = np.random.default_rng(5).normal(size=(6, 9, 9)).astype(np.float32)
    lengths = [8, 1, 2, 5, 0, 8]
    labels = "abc", np.random.default_rng(6).normal(size=(6, 9, 9, 3))
    expected = wnparse.decode_batch(padded, lengths)
    for mask in masks(lengths, 9):
        assert np.array_equal(wnparse.decode_batch(padded, mask=mask).heads, expected.heads)
        assert [
            trees[0].score for trees in wnparse.decode_batch(padded, mask=mask, k=2)
        ] == expected.score.tolist()
        labelled = wnparse.decode_batch(padded, mask=mask, labels=labels)
        assert np.array_equal(labelled.score, wnparse.decode_batch(padded, lengths, labels=labels).score)
    assert len(wnparse.decode_batch(np.zeros((0, 4, 4)), mask=np.zeros((0, 4), bool))) == 0


@pytest.mark.parametrize(
    ("mask", "message"),
    [
        ([[1, 1, 1, 0], [1, 0, 1, 0]], r"^batch\[1\]: mask is False for word 1 and True for word 2"),
        ([[0, 1, 1], [1, 1, 1]], r"^batch\[0\]: mask is False for word 1"),
        ([[1, 1, 1, 1]], r"shape \(1, 4\); expected \(2, 4\).* or \(2, 3\)"),
        ([[1, 1], [1, 1]], r"shape \(2, 2\)"),
        ([1, 1], r"shape \(2,\)"),
        ([[0, 2, 1], [1, 1, 1]], "other values"),
        ([["a"] * 4] * 2, "dtype"),
        ([[0, float("nan"), 1], [1, 1, 1]], "other values"),
    ],
)
def test_refuses_wrong_masks(mask: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        wnparse.decode_batch(np.zeros((2, 4, 4)), mask=mask)


def test_a_mask_needs_a_padded_array_and_no_lengths(scores: FloatArray) -> None:
    with pytest.raises(ValueError, match="either lengths or a mask"):
        wnparse.decode_batch(scores[None], [8], mask=np.ones((1, 9)))
    with pytest.raises(ValueError, match="expected a padded array"):
        wnparse.decode_batch([scores, scores[:3, :3]], mask=np.ones((2, 9)))


def test_eisner_is_certified_if_projective_trees_are_requested(scores: FloatArray) -> None:
    plain, projective = wnparse.decode(scores, "eisner"), wnparse.decode(scores, "eisner", block_degree=1)
    assert plain.heads.tolist() == projective.heads.tolist()
    assert (plain.certified, projective.certified) == (False, True)
    assert projective.upper_bound == projective.score < plain.upper_bound


def test_padding_is_not_a_tree() -> None:
    padded = np.random.default_rng(5).normal(size=(2, 6, 6))
    solutions = wnparse.decode_batch(padded, [5, 3])
    assert wnparse.structure(solutions.heads[0]).block_degree >= 1
    for function in (wnparse.structure, wnparse.block_degree, wnparse.is_well_nested, Constraints(1).allow):
        with pytest.raises(ValueError, match="padding"):
            function(solutions.heads[1])
        function(solutions.heads[1, :4])
        function(solutions[1].heads)
        with pytest.raises(ValueError, match="tree"):
            function([-1, 0, -1, 1])
    assert wnparse.structure([-1]).roots == 0
