"""Decoders by name: from a score matrix to the best tree that the constraints allow, and a bound on it.

The methods are those of Corro, Le Roux, Lacroix, Rozenknop & Wolfler Calvo 2016, *Dependency Parsing with Bounded
Block Degree and Well-nestedness via Lagrangian Relaxation and Branch-and-Bound*, sections 4 to 6; the kernels are
in the core. This module checks options and raises errors.
"""

from __future__ import annotations

import functools
import os
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import numpy.typing as npt

from wnparse._core.decoding import Solution, solve, solve_kbest
from wnparse._core.settings import Settings
from wnparse._core.watching import Watcher
from wnparse.decoding.arrays import as_array
from wnparse.decoding.constraints import Constraints, unpack_constraints
from wnparse.decoding.parts import Parts, Rows
from wnparse.decoding.registry import DECODERS, MAX_ITERATIONS, MAX_NODES, as_rank, find_decoder, make_settings
from wnparse.decoding.solution import Ranking
from wnparse.errors import InfeasibleError, LimitError

if TYPE_CHECKING:
    from wnparse.decoding.labelled import Labels
    from wnparse.rules import Rules
    from wnparse.treebanks.sentence import Sentence


# Typed, so that block_degree=True does not find what block_degree=1 left.
@functools.lru_cache(maxsize=256, typed=True)
def _cached_settings(
    decoder: str, block_degree: int | None, well_nested: bool, single_root: bool, *options: Any
) -> tuple[Constraints, Settings]:
    constraints = Constraints(block_degree, well_nested, single_root)
    return constraints, make_settings(decoder, constraints, **dict(zip(_OPTIONS, options, strict=True)))


_OPTIONS = ("max_iterations", "max_nodes", "time_limit", "paper_cuts", "paper_fixing", "camerini", "local_search")


def as_settings(decoder: str, *options: Any) -> tuple[Constraints, Settings]:
    """Find constraints and checked settings again, or make them."""
    # Another function may have the name by now of one that is written in Python.
    if find_decoder(decoder).function is not None:
        return _cached_settings.__wrapped__(decoder, *options)
    try:
        return _cached_settings(decoder, *options)
    except TypeError:  # an option that cannot be hashed: no valid one is such
        return _cached_settings.__wrapped__(decoder, *options)


def no_tree(decoder: str, constraints: Constraints, where: str = "") -> InfeasibleError:
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
    labels: Labels | None = ...,
    rules: Rules | str | os.PathLike[str] | None = ...,
    sentence: Sentence | None = ...,
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
    labels: Labels | None = ...,
    rules: Rules | str | os.PathLike[str] | None = ...,
    sentence: Sentence | None = ...,
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
) -> Ranking: ...


def decode(
    scores: npt.ArrayLike,
    decoder: str = "bnb",
    *,
    k: int | None = None,
    parts: Parts | None = None,
    labels: Labels | None = None,
    rules: Rules | str | os.PathLike[str] | None = None,
    sentence: Sentence | None = None,
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
) -> Solution | Ranking:
    """Find the best dependency tree of one sentence under structural constraints, or the k best ones.

    Parameters
    ----------
    scores : array_like, shape (n + 1, n + 1)
        ``scores[m, h]`` is the score of the arc from head h to modifier m; -inf forbids it. Row 0 and the diagonal
        are ignored, whatever they hold. float32 and float64 are solved as they are and read in place where rows
        are contiguous; float16 becomes float32, integers become float64. Tensors of torch and the like are taken
        off their graph and device; bfloat16 becomes float32.
    decoder : str
        `msa`, `eisner`, `msa-eisner`, `lr`, `bnb`, `ilp`, or one that was registered. See
        ``docs/decoding.md`` for what each one guarantees and costs.
    k : int, optional
        How many trees: a `Ranking` of the k best ones is returned, of fewer if there are not as many: distinct
        trees, those that break fewer hard rules first, then by falling score, each with its best labels. Its
        attribute `complete` is False if a limit ended the search before. `msa`, `eisner` and `bnb` rank trees.
    parts : Parts, optional
        Scores of siblings, grandparents and grand-siblings, which the score of a tree then includes. `msa` is then
        the relaxation without block degree and nesting, and `eisner` that of projective trees.
    labels : (sequence of str, array_like of shape (n + 1, n + 1, L)), optional
        Names of L labels, and their scores ``[m, h, l]``, which add to those of the arcs; -inf forbids a label.
    rules : Rules, or str or path for `wnparse.Rules.load`, optional
        Rules that labelled trees must obey, with `labels`. If no tree obeys all hard ones, as few as possible are
        broken; ``solution.broken`` counts them. `msa` and `eisner` are then relaxations, as with parts. The
        sum of the penalties of soft rules times 2⁻⁵² must not exceed 1e-11 of the range of the scores: larger ones
        would swallow differences between scores.
    sentence : Sentence, optional
        The words, if the rules speak of tags or forms.
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
    Solution, or Ranking (a list of Solution) if k is given
        heads, score, upper_bound, certified, iterations, nodes; with labels, also labels and broken. The upper
        bound of the j-th Solution is one on the score of the j-th best tree; it is certified if it is proved to be
        that tree.

    Raises
    ------
    ValueError
        NaN or +inf among the scores, a wrong shape or dtype, options that are unknown or contradict each other,
        penalties that are too large for the scores.
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
    asked, settings = as_settings(
        decoder, block_degree, well_nested, single_root, max_iterations, max_nodes, time_limit,
        paper_cuts, paper_fixing, camerini, local_search,
    )  # fmt: skip
    if type(scores) is not np.ndarray:
        scores = as_array(scores)
    found: Solution | Ranking | None
    if labels is not None or rules is not None:
        found = _decode_labelled(scores, labels, rules, sentence, decoder, asked, settings, k, parts)
    else:
        found = run_decoder(scores, decoder, asked, settings, k, parts=parts)
    if not found:
        raise no_tree(decoder, asked)
    return found


def _decode_labelled(
    scores: npt.ArrayLike,
    labels: Labels | None,
    rules: Rules | str | os.PathLike[str] | None,
    sentence: Sentence | None,
    decoder: str,
    constraints: Constraints,
    settings: Settings,
    k: int | None,
    parts: Parts | None,
) -> Solution | Ranking | None:
    if labels is None:
        raise ValueError("rules are about labelled arcs: give labels=(names, scores) as well")
    if not DECODERS[decoder].whole:
        raise ValueError(f"decoder '{decoder}' does not support labels: leave them out, or choose another decoder")
    from wnparse.decoding.labelled import solve_labelled  # not everyone needs rules: import them on demand
    from wnparse.rules import as_rules

    rules = as_rules(rules)
    rank = None if k is None else as_rank(k, decoder)
    rows = None if parts is None else rows_of_parts(parts, decoder, len(scores) - 1)  # type: ignore[arg-type]
    found = solve_labelled(scores, labels, rules, sentence, settings, None, rows, rank)
    if found and found[0].score == -np.inf:
        raise LimitError(_limited(constraints))
    return found if k is not None or not found else found[0]


def _limited(constraints: Constraints) -> str:
    return f"a limit came before the first of the {constraints.describe()}; more nodes or time may find one"


def run_decoder(
    scores: npt.ArrayLike,
    decoder: str,
    constraints: Constraints,
    settings: Settings,
    k: int | None,
    watcher: Watcher | None = None,
    parts: Parts | None = None,
) -> Solution | Ranking | None:
    """Decode by checked settings; nothing if there is no valid tree.

    `watcher` may end the work from another thread; LimitError as for `decode`.
    """
    found: Solution | Ranking | None
    rank = None if k is None else as_rank(k, decoder)
    rows = None if parts is None else rows_of_parts(parts, decoder, len(scores) - 1)  # type: ignore[arg-type]
    if rank is not None:
        ranked = solve_kbest(scores, settings, rank, watcher, rows)
        found = None if ranked is None else Ranking(ranked[0], complete=ranked[1])
        limited = found is None
    else:
        found = solve(scores, settings, watcher, rows)
        limited = found is not None and found.score == -np.inf
    if limited:
        raise LimitError(_limited(constraints))
    return found


def rows_of_parts(parts: Parts, decoder: str, words: int, where: str = "") -> tuple[Rows, ...]:
    """The rows of parts as the core reads them."""
    if not isinstance(parts, Parts):
        raise TypeError(f"{where}parts is a {type(parts).__name__}; wnparse.Parts is needed")
    if not DECODERS[decoder].whole:
        raise ValueError(f"decoder '{decoder}' is written in Python and knows arcs alone, no parts")
    return parts.arrays(words, where)
