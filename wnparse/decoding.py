"""Decoders by name: from a score matrix to the best tree that the constraints allow, and a bound on it.

The methods are those of Corro, Le Roux, Lacroix, Rozenknop & Wolfler Calvo 2016, *Dependency Parsing with Bounded
Block Degree and Well-nestedness via Lagrangian Relaxation and Branch-and-Bound*, sections 4 to 6; the kernels are
in the core. This module checks options and raises errors.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypedDict, overload

import numpy as np
import numpy.typing as npt

from wnparse._core.decoding import Solution, solve, solve_batch, solve_kbest
from wnparse._core.settings import Settings
from wnparse._core.watching import Watcher
from wnparse.batch_ranking import rank_batch
from wnparse.constraints import Constraints, as_count, unpack_constraints
from wnparse.decoders import DECODERS, MAX_ITERATIONS, MAX_NODES, Decoder, as_rank, check_options, make_settings
from wnparse.errors import InfeasibleError, LimitError
from wnparse.foreign_arrays import as_array, as_arrays
from wnparse.parts import Parts, Rows
from wnparse.solution import Batch

if TYPE_CHECKING:
    from typing_extensions import Unpack


# Typed, so that block_degree=True does not find what block_degree=1 left.
@functools.lru_cache(maxsize=256, typed=True)
def _cached_settings(
    decoder: str, block_degree: int | None, well_nested: bool, single_root: bool, *options: Any
) -> tuple[Constraints, Settings | None]:
    constraints = Constraints(block_degree, well_nested, single_root)
    told = dict(zip(_OPTIONS, options, strict=True))
    entry, _ = check_options(decoder, constraints, **told)
    return constraints, None if entry.code is None else make_settings(decoder, constraints, **told)


_OPTIONS = ("max_iterations", "max_nodes", "time_limit", "paper_cuts", "paper_fixing", "camerini", "local_search")


def _settings(*options: Any) -> tuple[Constraints, Settings | None]:
    """Find constraints and checked settings again, or make them; None for a decoder that is written in Python."""
    try:
        return _cached_settings(*options)
    except TypeError:  # an option that cannot be hashed: no valid one is such
        return _cached_settings.__wrapped__(*options)


Limits = tuple[int, int, float | None]  # iterations, nodes, seconds


def _run_python(
    entry: Decoder, scores: npt.ArrayLike, constraints: Constraints, limits: Limits
) -> Solution | None:
    """Call a decoder that is written in Python on a matrix that is as it expects it."""
    assert entry.function is not None
    matrix = np.array(scores, np.float64)
    solve(matrix, make_settings("msa", Constraints()))  # ValueError: a wrong shape, NaN or +inf
    matrix[0] = -np.inf
    np.fill_diagonal(matrix, -np.inf)
    told = dict(zip(("max_iterations", "max_nodes", "time_limit"), limits, strict=True))
    found = entry.function(matrix, constraints, **told)
    if found is not None:
        _hold_to_contract(entry, found, matrix, constraints)
    return found


def _hold_to_contract(
    entry: Decoder, found: Solution, matrix: npt.NDArray[np.float64], constraints: Constraints
) -> None:
    """RuntimeError if a decoder's tree is none, is not valid, or has another score."""
    heads = np.asarray(found.heads)
    try:
        valid = heads.shape == (len(matrix),) and constraints.allow(heads)
    except ValueError:
        valid = False
    if not valid:
        wrong = f"heads {heads.tolist()}, which are none of {constraints.describe()} over {len(matrix) - 1} words"
    elif not np.isclose(score := matrix[np.arange(1, len(heads)), heads[1:]].sum(), found.score, 1e-9, 1e-9):
        wrong = f"the score {found.score} for a tree of {score}"
    elif found.upper_bound < found.score:
        wrong = f"an upper bound of {found.upper_bound} below the score {found.score}"
    else:
        return
    message = f"decoder '{entry.name}' broke the contract of decoders: it returned {wrong}"
    raise RuntimeError(message)


def name_sentences(indices: list[int]) -> str:
    """Name the first few sentences of a batch, for the head of a message."""
    names = ", ".join(f"batch[{i}]" for i in indices[:5])
    more = f" and {len(indices) - 5} more" if len(indices) > 5 else ""
    return f"{names}{more}: "


def _infeasible(decoder: str, constraints: Constraints, where: str = "") -> InfeasibleError:
    """Say that there is no tree, and for `msa-eisner` that it did not look everywhere."""
    trees = constraints.describe()
    if decoder == "eisner":
        trees = Constraints(1, single_root=constraints.single_root).describe()
    message = f"{where}the finite scores hold no {trees}"
    if decoder == "msa-eisner":
        message = f"{where}the best tree is not one of {trees}, and the finite scores hold no projective tree"
    return InfeasibleError(message)


@overload
def decode(
    scores: npt.ArrayLike,
    decoder: str = ...,
    *,
    k: None = ...,
    parts: Parts | None = ...,
    constraints: Constraints | None = ...,
    block_degree: int | None = ...,
    well_nested: bool = ...,
    single_root: bool = ...,
    max_iterations: int = ...,
    max_nodes: int = ...,
    time_limit: float | None = ...,
    paper_cuts: bool = ...,
    paper_fixing: bool = ...,
    camerini: bool = ...,
    local_search: bool = ...,
) -> Solution: ...


@overload
def decode(
    scores: npt.ArrayLike,
    decoder: str = ...,
    *,
    k: int,
    parts: Parts | None = ...,
    constraints: Constraints | None = ...,
    block_degree: int | None = ...,
    well_nested: bool = ...,
    single_root: bool = ...,
    max_iterations: int = ...,
    max_nodes: int = ...,
    time_limit: float | None = ...,
    paper_cuts: bool = ...,
    paper_fixing: bool = ...,
    camerini: bool = ...,
    local_search: bool = ...,
) -> list[Solution]: ...


def decode(
    scores: npt.ArrayLike,
    decoder: str = "bnb",
    *,
    k: int | None = None,
    parts: Parts | None = None,
    constraints: Constraints | None = None,
    block_degree: int | None = None,
    well_nested: bool = False,
    single_root: bool = False,
    max_iterations: int = MAX_ITERATIONS,
    max_nodes: int = MAX_NODES,
    time_limit: float | None = None,
    paper_cuts: bool = False,
    paper_fixing: bool = False,
    camerini: bool = False,
    local_search: bool = True,
) -> Solution | list[Solution]:
    """Find the best dependency tree of one sentence under structural constraints, or the k best ones.

    Parameters
    ----------
    scores : array_like, shape (n + 1, n + 1)
        ``scores[m, h]`` is the score of the arc from head h to modifier m; -inf forbids it. Row 0 and the diagonal
        are ignored, whatever they hold. float32 and float64 are solved as they are and read in place where rows
        are contiguous; float16 becomes float32, integers become float64. Tensors of torch and the like are taken
        off their graph and device; bfloat16 becomes float32.
    decoder : str
        `msa`, `eisner`, `msa-eisner`, `lr`, `bnb`, or one that was registered. See ``docs/decoding.md`` for what
        each one guarantees and costs.
    k : int, optional
        How many trees: a list of the k best ones is returned, of fewer if there are not as many, distinct and in
        falling score. `msa`, `eisner` and `bnb` rank trees.
    parts : Parts, optional
        Scores of siblings, grandparents and grand-siblings, which the score of a tree then includes. `msa` is then
        the relaxation without block degree and nesting, and `eisner` that of projective trees.
    constraints : Constraints, optional
        The next three in one object; give either it or them.
    block_degree : int, optional
        The most blocks that a yield may have; 1 is projective, None unbounded.
    well_nested : bool
        Whether disjoint yields must not interleave.
    single_root : bool
        Whether exactly one word is attached to node 0.
    max_iterations : int
        Subgradient iterations of a relaxation (`lr`, and each node of `bnb`).
    max_nodes : int
        Nodes of the search, those for a first valid tree included. A sentence of n > 31 words has 1,000 / n² times
        as many, which take about as long; by default no search takes more than some seconds.
    time_limit : float, optional
        Seconds for a sentence, or for its k best trees. What is found then may differ from machine to machine.
    paper_cuts, paper_fixing, camerini : bool
        Variants of `lr` and `bnb` as published: cuts (4) and (5) of the paper instead of stronger ones, its
        problem reduction (6.2, 6.3) instead of reduced costs, Camerini's direction instead of the subgradient.
    local_search : bool
        Whether `lr` and `bnb` improve valid trees by moving one word at a time.

    Returns
    -------
    Solution, or list of Solution if k is given
        heads, score, upper_bound, certified, iterations, nodes. The upper bound of the j-th Solution is one on the
        score of the j-th best tree; it is certified if it is proved to be that tree.

    Raises
    ------
    ValueError
        NaN or +inf among the scores, a wrong shape or dtype, options that are unknown or contradict each other.
    InfeasibleError
        No tree within the finite scores satisfies the constraints.
    LimitError
        A limit came before the first tree that does, and before the proof that there is none.

    Examples
    --------
    >>> import numpy as np
    >>> scores = np.array([[0, 0, 0], [1, 0, 5], [3, 2, 0]])
    >>> decode(scores, "msa").heads.tolist()
    [-1, 2, 0]
    >>> [(tree.heads.tolist(), tree.score) for tree in decode(scores, "msa", k=2)]
    [([-1, 2, 0], 8.0), ([-1, 0, 0], 4.0)]
    """
    if constraints is not None:
        block_degree, well_nested, single_root = unpack_constraints(
            constraints, block_degree, well_nested, single_root
        )
    asked, settings = _settings(
        decoder, block_degree, well_nested, single_root, max_iterations, max_nodes, time_limit,
        paper_cuts, paper_fixing, camerini, local_search,
    )  # fmt: skip
    if type(scores) is not np.ndarray:
        scores = as_array(scores)
    limits = (max_iterations, max_nodes, time_limit)
    found = run_decoder(scores, decoder, asked, settings, k, limits, parts=parts)
    if not found:
        raise _infeasible(decoder, asked)
    return found


def run_decoder(
    scores: npt.ArrayLike,
    decoder: str,
    constraints: Constraints,
    settings: Settings | None,
    k: int | None,
    limits: Limits,
    watcher: Watcher | None = None,
    parts: Parts | None = None,
) -> Solution | list[Solution] | None:
    """Decode by checked settings, or by a decoder in Python without any; nothing if there is no valid tree.

    `watcher` may end the work from another thread; LimitError as for `decode`.
    """
    found: Solution | list[Solution] | None
    rank = None if k is None else as_rank(k, decoder)
    rows = None if parts is None else _rows(parts, decoder, len(scores) - 1)  # type: ignore[arg-type]
    if settings is None:
        return _run_python(DECODERS[decoder], scores, constraints, limits)
    if rank is not None:
        found = solve_kbest(scores, settings, rank, watcher, rows)
        limited = found is None
    else:
        found = solve(scores, settings, watcher, rows)
        limited = found is not None and found.score == -np.inf
    if limited:
        message = f"a limit came before the first of the {constraints.describe()}; more nodes or time may find one"
        raise LimitError(message)
    return found


def _rows(parts: Parts, decoder: str, words: int, where: str = "") -> tuple[Rows, ...]:
    """The rows of parts as the core reads them."""
    if not isinstance(parts, Parts):
        message = f"{where}parts is a {type(parts).__name__}; wnparse.Parts is needed"
        raise TypeError(message)
    if DECODERS[decoder].code is None:
        message = f"decoder '{decoder}' is written in Python and knows arcs alone, no parts"
        raise ValueError(message)
    return parts.arrays(words, where)


def as_lengths(batch: object, lengths: npt.ArrayLike | None) -> npt.NDArray[np.int64] | None:
    """Convert the words per sentence of a padded batch; None for a sequence of matrices."""
    if lengths is None:
        if not isinstance(batch, np.ndarray) or batch.ndim != 3:
            return None
        lengths = np.full(len(batch), batch.shape[1] - 1)
    array = np.asarray(as_array(lengths))
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        message = (
            f"lengths of shape {array.shape}, dtype {array.dtype}; one integer a sentence is needed: its words"
        )
        raise ValueError(message)
    return np.ascontiguousarray(array, np.int64)


def _batch_rows(
    parts: Sequence[Parts | None],
    decoder: str,
    batch: Sequence[npt.ArrayLike] | npt.NDArray[np.generic],
    lengths: npt.NDArray[np.int64] | None,
) -> list[tuple[Rows, ...]]:
    """The rows of the parts of each sentence."""
    if len(parts) != len(batch):
        message = f"parts of {len(parts)} sentences, matrices of {len(batch)}"
        raise ValueError(message)
    words = [len(np.asarray(scores)) - 1 for scores in batch] if lengths is None else lengths.tolist()
    return [
        _rows(each or Parts(), decoder, count, f"batch[{i}]: ")
        for i, (each, count) in enumerate(zip(parts, words, strict=True))
    ]


def _batch_python(
    entry: Decoder,
    batch: Sequence[npt.ArrayLike] | npt.NDArray[np.generic],
    lengths: npt.NDArray[np.int64] | None,
    constraints: Constraints,
    limits: Limits,
) -> tuple[tuple[npt.NDArray[Any], ...], list[int]]:
    """What `solve_batch` returns, one sentence after the other."""
    found = []
    for i, scores in enumerate(batch):
        nodes = len(np.asarray(scores)) if lengths is None else int(lengths[i]) + 1
        try:
            matrix = np.asarray(scores)[:nodes, :nodes]
            found.append(_run_python(entry, matrix, constraints, limits))
        except ValueError as error:
            message = f"batch[{i}]: {error}"
            raise ValueError(message) from None
    infeasible = [i for i, each in enumerate(found) if each is None]
    trees = [each for each in found if each is not None]
    width = max((len(each.heads) for each in trees), default=0)
    heads = np.full((len(trees), width if lengths is None else np.asarray(batch).shape[1]), -1, np.int32)
    for row, each in zip(heads, trees, strict=True):
        row[: len(each.heads)] = each.heads
    numbers = [(t.score, t.upper_bound, t.certified, t.iterations, t.nodes, len(t.heads) - 1) for t in trees]
    dtypes = (np.float64, np.float64, np.bool_, np.int32, np.int32, np.int64)
    columns: list[npt.NDArray[Any]] = [
        np.array([row[c] for row in numbers], dtype) for c, dtype in enumerate(dtypes)
    ]
    return (heads, *columns), infeasible


class BatchKeywords(TypedDict, total=False):
    """Options of `decode_batch` that do not change the type of what it returns."""

    threads: int
    parts: Sequence[Parts | None] | None
    constraints: Constraints | None
    block_degree: int | None
    well_nested: bool
    single_root: bool
    max_iterations: int
    max_nodes: int
    time_limit: float | None
    paper_cuts: bool
    paper_fixing: bool
    camerini: bool
    local_search: bool


@overload
def decode_batch(
    batch: Sequence[npt.ArrayLike] | npt.NDArray[np.generic],
    lengths: npt.ArrayLike | None = ...,
    decoder: str = ...,
    *,
    k: None = ...,
    **options: Unpack[BatchKeywords],
) -> Batch: ...


@overload
def decode_batch(
    batch: Sequence[npt.ArrayLike] | npt.NDArray[np.generic],
    lengths: npt.ArrayLike | None = ...,
    decoder: str = ...,
    *,
    k: int,
    **options: Unpack[BatchKeywords],
) -> list[list[Solution]]: ...


def decode_batch(
    batch: Sequence[npt.ArrayLike] | npt.NDArray[np.generic],
    lengths: npt.ArrayLike | None = None,
    decoder: str = "bnb",
    *,
    k: int | None = None,
    threads: int = 1,
    parts: Sequence[Parts | None] | None = None,
    constraints: Constraints | None = None,
    block_degree: int | None = None,
    well_nested: bool = False,
    single_root: bool = False,
    max_iterations: int = MAX_ITERATIONS,
    max_nodes: int = MAX_NODES,
    time_limit: float | None = None,
    paper_cuts: bool = False,
    paper_fixing: bool = False,
    camerini: bool = False,
    local_search: bool = True,
) -> Batch | list[list[Solution]]:
    """Decode many sentences in one call, without a Python object for each.

    Parameters
    ----------
    batch : sequence of array_like, or array_like of shape (B, N, N)
        The score matrices, each (n + 1, n + 1); or one array padded to the longest sentence, with `lengths`.
    lengths : array_like of int, shape (B,), optional
        Words in each sentence of a padded array, node 0 not counted: sentence i is ``batch[i, :n + 1, :n + 1]``
        with ``n = lengths[i]``. What lies beyond is not looked at. Without them every matrix is taken whole.
    decoder : str
        As for `decode`.
    k : int, optional
        How many trees of each sentence, as for `decode`.
    threads : int
        Threads that share the sentences; the answer does not depend on it.
    parts : sequence of Parts or None, optional
        Those of each sentence, as for `decode`.
    constraints, block_degree, well_nested, single_root, max_iterations, max_nodes, time_limit : optional
        As for `decode`; the time is that of each sentence.
    paper_cuts, paper_fixing, camerini, local_search : bool
        As for `decode`.

    Returns
    -------
    Batch, or list of lists of Solution if k is given
        Columns heads, score, upper_bound, certified, iterations, nodes; ``result[i]`` is the i-th Solution, or the
        list of those of the i-th sentence. Where a limit came before the first valid tree, heads are -1, score is
        -inf and certified False, or the list is empty.

    Raises
    ------
    ValueError
        As for `decode`; the message names the sentence.
    InfeasibleError
        Some sentence has no tree that satisfies the constraints; the message names it.
    """
    if constraints is not None:
        block_degree, well_nested, single_root = unpack_constraints(
            constraints, block_degree, well_nested, single_root
        )
    asked, settings = _settings(
        decoder, block_degree, well_nested, single_root, max_iterations, max_nodes, time_limit,
        paper_cuts, paper_fixing, camerini, local_search,
    )  # fmt: skip
    threads = as_count(threads, "threads", 1)
    batch = as_arrays(batch)
    words = as_lengths(batch, lengths)
    rank = None if k is None else as_rank(k, decoder)
    columns: Any
    rows = None if parts is None else _batch_rows(parts, decoder, batch, words)
    if settings is None:
        entry = DECODERS[decoder]
        columns, infeasible = _batch_python(entry, batch, words, asked, (max_iterations, max_nodes, time_limit))
    elif rank is not None:
        ranked = rank_batch(batch, words, settings, rank, threads, rows)
        infeasible = [i for i, trees in enumerate(ranked) if trees is not None and not trees]
    else:
        columns, infeasible = solve_batch(batch, words, settings, threads, rows)
    if infeasible:
        raise _infeasible(decoder, asked, name_sentences(infeasible))
    return Batch(*columns) if rank is None else [trees or [] for trees in ranked]
