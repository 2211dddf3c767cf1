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

from wnparse._core.decoding import Solution, solve, solve_batch, solve_kbest
from wnparse.decoding.arrays import Array, as_array
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.labels import Labels, label_input, unpack_labels
from wnparse.decoding.options import DecodeKeywords, DecodeOptions, decode_options, show_decode_keywords
from wnparse.decoding.parts import Parts, PartScores
from wnparse.decoding.registry import as_rank, refuse_arcs_only
from wnparse.decoding.solution import Batch, Ranking, make_ranking
from wnparse.errors import InfeasibleError, LimitError

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from wnparse.decoding.words import SentenceLike
    from wnparse.rules import Rules
    from wnparse.treebanks.sentence import Sentence


@overload
def decode(
    scores: Array,
    decoder: str = ...,
    *,
    k: None = ...,
    parts: Parts | None = ...,
    labels: Labels | None = ...,
    rules: Rules | str | os.PathLike[str] | None = ...,
    sentence: SentenceLike | None = ...,
    **options: Unpack[DecodeKeywords],
) -> Solution: ...


@overload
def decode(
    scores: Array,
    decoder: str = ...,
    *,
    k: int,
    parts: Parts | None = ...,
    labels: Labels | None = ...,
    rules: Rules | str | os.PathLike[str] | None = ...,
    sentence: SentenceLike | None = ...,
    **options: Unpack[DecodeKeywords],
) -> Ranking: ...


@show_decode_keywords
def decode(
    scores: Array,
    decoder: str = "bnb",
    *,
    k: int | None = None,
    parts: Parts | None = None,
    labels: Labels | None = None,
    rules: Rules | str | os.PathLike[str] | None = None,
    sentence: SentenceLike | None = None,
    **options: Unpack[DecodeKeywords],
) -> Solution | Ranking:
    """Find the best dependency tree of one sentence under structural constraints, or the k best ones.

    Parameters
    ----------
    scores : array_like, shape (n + 1, n + 1)
        ``scores[m, h]`` is the score of the arc from head h to modifier m; -inf forbids it. Row 0 and the diagonal
        are ignored, whatever they contain. float32 and float64 are used as they are, and without a copy if rows
        are contiguous; float16 becomes float32, integers become float64. Tensors of torch are detached and copied
        to the CPU; bfloat16 becomes float32. Any object with ``__array__`` or ``__dlpack__`` is accepted.
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
        Row 0 and the diagonal are ignored. float32 and float64 are read in place, whatever the order of the axes
        in memory.
    rules : Rules, or str or path for `wnparse.Rules.load`, optional
        Rules that labelled trees must obey, with `labels`. If no tree obeys all hard ones, as few as possible are
        broken; ``solution.broken`` counts them. `msa` and `eisner` are then relaxations, as with parts. The
        sum of the penalties of soft rules times 2⁻⁵² must not exceed 1e-11 of the range of the scores: larger ones
        would make differences between scores vanish in rounding errors.
    sentence : Sentence, list of (form, upos), or list of dict, optional
        The words, if the rules read tags or forms, or to be drawn: a notebook then shows the Solution as a
        picture. The keys of a dict are columns of CoNLL-U in any case: ``{"form": "dog", "upos": "NOUN"}``.
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
    TypeError
        A sentence of another type.
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
    matrix: Any = scores if type(scores) is np.ndarray else as_array(scores)
    count = None if k is None else as_rank(k, decoder)
    scored = None if parts is None else part_scores(parts, decoder, count_words(matrix))
    result: Solution | Ranking | None
    if labels is None and rules is None and sentence is None and count is None:
        result = solve(matrix, chosen.settings, None, scored)  # the shortest way to the core
    else:
        result = _solve_one(matrix, chosen, count, scored, labels, rules, sentence)
    if result is not None and (result.score == -np.inf if isinstance(result, Solution) else not result):
        trees = chosen.constraints.describe()
        raise LimitError(
            f"a limit was reached before the first of the {trees} was found; allow more nodes or time"
        )
    if result is None:
        raise no_tree(chosen)
    return result


def _solve_one(
    scores: npt.NDArray[Any],
    options: DecodeOptions,
    k: int | None,
    parts: tuple[PartScores, ...] | None,
    labels: Labels | None,
    rules: Rules | str | os.PathLike[str] | None,
    sentence: SentenceLike | None,
) -> Solution | Ranking | None:
    """Decode a batch of one sentence; None without a tree, no trees or a score of -inf if a limit came first."""
    words = [count_words(scores)]
    if labels is not None:
        names, label_scores = unpack_labels(labels)
        labels = names, [label_scores]
    try:
        sentences = () if sentence is None else as_sentences([sentence], words)
        labelled = label_input(labels, rules, options.decoder, words, sentences)
        inputs = None if parts is None else [parts], labelled
        if k is None:
            columns, infeasible, refused = solve_batch([scores], None, options.settings, 1, *inputs)
        else:
            rankings, infeasible, refused = solve_kbest([scores], None, options.settings, k, 1, *inputs)
    except (TypeError, ValueError) as error:
        where, _, message = str(error).partition(": ")
        if where != "batch[0]":
            raise
        raise (TypeError if isinstance(error, TypeError) else ValueError)(message) from None
    if refused:
        raise ValueError(refused[0][1])
    if infeasible:
        return None
    if k is None:
        return Batch(*columns, names=labelled[0] if labelled is not None else (), sentences=sentences)[0]
    return make_ranking(rankings[0], sentences[0] if sentences else None)


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


def count_words(scores: Any) -> int:
    """Return the number of words of a score matrix, whose shape the core checks."""
    shape = np.shape(scores)
    return shape[0] - 1 if shape else 0


def as_sentences(given: Sequence[SentenceLike | None], words: Sequence[int]) -> list[Sentence | None]:
    """Convert sentences; ValueError for one that has another number of words than its scores."""
    from wnparse.decoding.words import as_sentence  # on demand, because most calls do not need it

    sentences: list[Sentence | None] = []
    for i, (one, count) in enumerate(zip(given, words, strict=True)):
        sentence = None if one is None else as_sentence(one, f"batch[{i}]: ")
        if sentence is not None and len(sentence) != count:
            raise ValueError(
                f"batch[{i}]: the sentence has {len(sentence)} words; expected {count}, as in the scores"
            )
        sentences.append(sentence)
    return sentences
