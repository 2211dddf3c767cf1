"""Decoding one sentence: from a score matrix to the best tree that the constraints allow, and a bound on it.

The methods are those of Corro, Le Roux, Lacroix, Rozenknop & Wolfler Calvo 2016, *Dependency Parsing with Bounded
Block Degree and Well-nestedness via Lagrangian Relaxation and Branch-and-Bound*, sections 4 to 6; the kernels are
in the core. This module checks arguments and raises errors.

With labels, the score of a labelled arc is the sum of those of the arc and its label. Without rules each arc of
the best tree has its best label; rules restrict which labelled arcs go together (``docs/guide/rules.md``).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import numpy.typing as npt

from wnparse._core.decoding import Solution, solve, solve_kbest
from wnparse.decoding.arrays import as_array
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.options import DecodeKeywords, DecodeOptions, decode_options, show_decode_keywords
from wnparse.decoding.parts import Parts, PartScores
from wnparse.decoding.registry import as_rank, refuse_arcs_only
from wnparse.decoding.solution import Ranking
from wnparse.errors import InfeasibleError, LimitError

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from wnparse._core.rules import Tree
    from wnparse.rules import Rules
    from wnparse.treebanks.sentence import Sentence

Labels = tuple[Sequence[str], Any]


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
    **options: Unpack[DecodeKeywords],
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
    **options: Unpack[DecodeKeywords],
) -> Ranking: ...


@show_decode_keywords
def decode(
    scores: npt.ArrayLike,
    decoder: str = "bnb",
    *,
    k: int | None = None,
    parts: Parts | None = None,
    labels: Labels | None = None,
    rules: Rules | str | os.PathLike[str] | None = None,
    sentence: Sentence | None = None,
    **options: Unpack[DecodeKeywords],
) -> Solution | Ranking:
    """Find the best dependency tree of one sentence under structural constraints, or the k best ones.

    Parameters
    ----------
    scores : array_like, shape (n + 1, n + 1)
        ``scores[m, h]`` is the score of the arc from head h to modifier m; -inf forbids it. Row 0 and the diagonal
        are ignored, whatever they contain. float32 and float64 are used as they are, and without a copy if rows
        are contiguous; float16 becomes float32, integers become float64. Tensors of torch are detached and copied
        to the CPU; bfloat16 becomes float32.
    decoder : str
        `msa`, `eisner`, `msa-eisner`, `lr`, `bnb`, `ilp`, or one that was registered. See
        ``docs/guide/decoding.md`` for what each one guarantees and costs.
    k : int, optional
        Number of trees: a `Ranking` of the k best ones is returned, or of all if there are fewer. The trees are
        distinct, each with its best labels, those that break fewer hard rules first, then by decreasing score. Its
        attribute `complete` is False if a limit ended the search early. `msa`, `eisner` and `bnb` rank trees.
    parts : Parts, optional
        Scores of siblings, grandparents and grand-siblings, which the score of a tree then includes. `msa` is then
        the relaxation without block degree and nesting, and `eisner` that of projective trees.
    labels : (sequence of str, array_like of shape (n + 1, n + 1, L)), optional
        Names of L labels, and their scores ``[m, h, l]``, which add to those of the arcs; -inf forbids a label.
    rules : Rules, or str or path for `wnparse.Rules.load`, optional
        Rules that labelled trees must obey, with `labels`. If no tree obeys all hard ones, as few as possible are
        broken; ``solution.broken`` counts them. `msa` and `eisner` are then relaxations, as with parts. The
        sum of the penalties of soft rules times 2⁻⁵² must not exceed 1e-11 of the range of the scores: larger ones
        would make differences between scores vanish in rounding errors.
    sentence : Sentence, optional
        The words, if the rules read tags or forms.
    constraints : Constraints, optional
        `block_degree`, `well_nested` and `single_root` in one object; give either it or them.
    block_degree : int, optional
        Maximum number of blocks in a yield; 1 is projective, None unbounded.
    well_nested : bool
        Whether disjoint yields must not interleave.
    single_root : bool
        Whether exactly one word is attached to node 0.
    max_iterations : int
        Subgradient iterations of a relaxation (`lr`, and each node of `bnb`).
    max_nodes : int
        Maximum nodes of the search, those for a first valid tree included. For a sentence of n > 31 words it is
        multiplied by 1,000 / n², so that the time stays similar; by default a search takes at most some seconds.
    time_limit : float, optional
        Maximum seconds for a sentence, or for its k best trees. Results may then differ from machine to machine.
    variant : str, optional
        A published method instead of the defaults of `lr` and `bnb`: ``corro2016``, or a part of it. See
        ``docs/guide/decoding.md``.

    Returns
    -------
    Solution, or Ranking (a list of Solution) if k is given
        heads, score, upper_bound, certified, iterations, nodes; with labels, also labels and broken. The upper
        bound of the j-th Solution is a bound on the score of the j-th best tree; the Solution is certified if it
        is proved to be that tree.

    Raises
    ------
    ValueError
        NaN or +inf among the scores, a wrong shape or dtype, options that are unknown or contradict each other,
        penalties that are too large for the scores.
    InfeasibleError
        No tree within the finite scores satisfies the constraints.
    LimitError
        A limit was reached before the first tree that does, and before the proof that there is none.

    Examples
    --------
    >>> import numpy as np
    >>> scores = np.array([[0, 0, 0], [1, 0, 5], [3, 2, 0]])
    >>> decode(scores, "msa").heads.tolist()
    [-1, 2, 0]
    >>> [(tree.heads.tolist(), tree.score) for tree in decode(scores, "msa", k=2)]
    [([-1, 2, 0], 8.0), ([-1, 0, 0], 4.0)]
    """
    chosen = decode_options(decoder, options)
    if type(scores) is not np.ndarray:
        scores = as_array(scores)
    count = None if k is None else as_rank(k, decoder)
    scored = None if parts is None else part_scores(parts, decoder, len(scores) - 1)  # type: ignore[arg-type]
    result: Solution | Ranking | None
    if labels is not None or rules is not None:
        ranking = _solve_labelled(scores, labels, rules, sentence, chosen, scored, count)
        result = ranking if k is not None or not ranking else ranking[0]
        limited = bool(ranking) and ranking[0].score == -np.inf
    elif count is None:
        result = solve(scores, chosen.settings, None, scored)
        limited = result is not None and result.score == -np.inf
    else:
        ranked = solve_kbest(scores, chosen.settings, count, None, scored)
        result = None if ranked is None else Ranking(ranked[0], complete=ranked[1])
        limited = ranked is None
    if limited:
        trees = chosen.constraints.describe()
        raise LimitError(
            f"a limit was reached before the first of the {trees} was found; allow more nodes or time"
        )
    if not result:
        raise no_tree(chosen)
    return result


def no_tree(options: DecodeOptions, where: str = "") -> InfeasibleError:
    """Make the error for a sentence without a tree; `msa-eisner` has not searched all trees."""
    trees = options.constraints.describe()
    if options.decoder == "msa-eisner":
        return InfeasibleError(
            f"{where}the best tree is not one of the {trees}, and the finite scores allow no projective tree; "
            "try another decoder"
        )
    if options.decoder == "eisner":
        trees = Constraints(1, single_root=options.constraints.single_root).describe()
    return InfeasibleError(f"{where}the finite scores allow no {trees}; allow more arcs or relax the constraints")


def part_scores(parts: Parts, decoder: str, words: int, where: str = "") -> tuple[PartScores, ...]:
    """Return parts as the core reads them; refuse decoders that do not support parts."""
    if not isinstance(parts, Parts):
        raise TypeError(f"{where}parts is a {type(parts).__name__}; expected wnparse.Parts")
    refuse_arcs_only(decoder, "parts")
    return parts.arrays(words, where)


def _solve_labelled(
    scores: npt.ArrayLike,
    labels: Labels | None,
    rules: Rules | str | os.PathLike[str] | None,
    sentence: Sentence | None,
    options: DecodeOptions,
    parts: tuple[PartScores, ...] | None,
    k: int | None,
) -> Ranking:
    """Find the best labelled tree that satisfies the rules, or the k best; none if no tree is valid."""
    # Rules are imported on demand, because most calls do not need them.
    from wnparse._core.rules import solve as solve_labelled
    from wnparse.rules import Rules, as_rules
    from wnparse.rules.compile import compile_rules

    if labels is None:
        raise ValueError("rules without labels; expected labels=(names, scores) as well")
    refuse_arcs_only(options.decoder, "labels")
    names, label_scores = _check_labels(labels)
    matrix = np.ascontiguousarray(scores, np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not len(matrix):
        raise ValueError(f"scores has the shape {matrix.shape}; expected (n + 1, n + 1)")
    shape = (*matrix.shape, len(names))
    if label_scores.shape != shape:
        raise ValueError(
            f"the scores of labels have the shape {label_scores.shape}; expected {shape}, (n + 1, n + 1, L)"
        )
    _check_finite(matrix, "scores")
    _check_finite(label_scores, "the scores of labels")
    program = compile_rules(as_rules(rules) or Rules("none", ()), names)
    words = len(matrix) - 1
    if program.columns and sentence is None:
        raise ValueError(f"the rules read {', '.join(program.columns)}; expected a sentence")
    if sentence is not None and len(sentence) != words:
        raise ValueError(f"the sentence has {len(sentence)} words; expected {words}, as in the scores")
    bits = program.predicates.bits(sentence, words)
    trees, complete = solve_labelled(matrix, label_scores, program.core, bits, options.settings, None, parts, k)
    return Ranking((_name_labels(tree, names) for tree in trees), complete=complete)


def _name_labels(tree: Tree, names: list[str]) -> Solution:
    """Make a Solution with the names of its labels from a tree of the core."""
    heads, labels, score, bound, certified, iterations, nodes, broken = tree
    named = ["", *(names[label] if label >= 0 else "_" for label in labels.tolist()[1:])]
    return Solution(heads, score, bound, certified, iterations, nodes, named, broken)


def _check_labels(labels: Labels) -> tuple[list[str], npt.NDArray[np.float64]]:
    try:
        names, values = labels
    except (TypeError, ValueError):
        raise ValueError(
            "labels: expected (names, scores), the names of L labels and an array (n + 1, n + 1, L)"
        ) from None
    names = list(names)
    if not names or not all(isinstance(name, str) and name for name in names) or len(set(names)) < len(names):
        raise ValueError("labels: expected at least one name, and names that are distinct strings")
    return names, np.ascontiguousarray(as_array(values), np.float64)


def _check_finite(scores: npt.NDArray[np.float64], what: str) -> None:
    """Raise ValueError for NaN and +inf; row 0 and the diagonal are ignored."""
    wrong = np.isnan(scores) | (scores == np.inf)
    words = np.arange(len(scores))
    wrong[0] = False
    wrong[words, words] = False
    if wrong.any():
        place = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise ValueError(
            f"{what}{list(place)} is {scores[place]}; expected a finite score, or -inf to forbid an arc or label"
        )
