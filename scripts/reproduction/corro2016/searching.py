"""Measurements of Corro et al. 2016, section 7, on the trained model's scores: times, optimality, reduction."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

import wnparse
from reproduction.laboratory import Laboratory, ScoredSet, Variant
from reproduction.store import Result
from wnparse._core.laboratory import reduce_root, time_kernel
from wnparse.treebanks.stats import stats

TABLE2 = [Variant("msa"), Variant("lr"), Variant("bnb"), Variant("lr", True), Variant("bnb", True)]
POINTS = (1, 2, 3, 5, 10, 20, 30, 50, 75, 100, 150, 200)  # iterations of Figure 2
SAME = 1e-9  # two scores this close, relatively, are one


def structure_step(laboratory: Laboratory) -> Result:
    """Table 1: all files of a treebank together, and the constraint that its training data suggest."""
    treebank = laboratory.treebank
    parts = {path.stem: stats(treebank.sentences(path.stem), path.stem) for path in treebank.parts}
    chosen = parts.get("train", next(iter(parts.values()))).choose()
    total = stats(())
    for part in parts.values():
        total.merge(part)
    return {
        "parts": {name: part.sentences for name, part in parts.items()},
        "all": total.as_dict(),
        "choice": chosen and {**vars(chosen), "source": next(iter(parts))},
    }


def statistics(seconds: npt.NDArray[np.float64]) -> dict[str, float] | None:
    """The rows of Table 2, in milliseconds."""
    if not len(seconds):
        return None
    times = 1e3 * seconds
    return {
        "mean": float(times.mean()),
        "std": float(times.std(ddof=1)) if len(times) > 1 else 0.0,
        "median": float(np.median(times)),
        "third_quartile": float(np.quantile(times, 0.75)),
        "total": float(times.sum()),
    }


def invalid_matrices(test: ScoredSet) -> list[npt.NDArray[np.float32]]:
    """The sentences on which there is something to search."""
    return [test.matrices[place] for place in test.invalid]


def times_step(laboratory: Laboratory) -> Result:
    """Table 2: kernel times where the best arborescence is invalid, ours and the published search."""
    test = laboratory.test_set
    matrices = invalid_matrices(test)
    rows: dict[str, Any] = {}
    for variant in TABLE2 if matrices else ():
        # The published search can take a second a sentence; the first pass would tell of cold caches.
        repeats = 2 if variant.published else laboratory.options.repeats
        seconds = time_kernel(matrices, None, variant.settings(test.constraints), repeats)[1]
        solutions = wnparse.decode_batch(matrices, decoder=variant.decoder, **variant.options(test.constraints))
        rows[variant.name] = {
            **(statistics(seconds) or {}),
            "certified": 100 * float(solutions.certified.mean()) if variant.decoder != "msa" else None,
            "nodes": float(solutions.nodes.mean()),
        }
    return {"sentences": len(matrices), "of": len(test.matrices), "rows": rows}


def optimality_step(laboratory: Laboratory) -> Result:
    """Figure 2: how often the relaxation is optimal after so many iterations, and how often that is proved."""
    test = laboratory.test_set
    matrices = invalid_matrices(test)
    curves: dict[str, list[dict[str, float]]] = {}
    if not matrices:
        return {"sentences": 0, "known": 0, "curves": curves}
    best = wnparse.decode_batch(matrices, **Variant("bnb").options(test.constraints))
    for variant in (Variant("lr"), Variant("lr", True)):
        curve = curves[variant.name] = []
        for limit in POINTS:
            options = {**variant.options(test.constraints), "max_iterations": limit}
            solutions = wnparse.decode_batch(matrices, decoder="lr", **options)
            reached = best.certified & (solutions.score >= best.score - SAME * np.abs(best.score))
            curve.append(
                {
                    "iterations": limit,
                    "certified": 100 * float(solutions.certified.mean()),
                    "optimal": 100 * float((reached | solutions.certified).mean()),
                }
            )
    return {"sentences": len(matrices), "known": int(best.certified.sum()), "curves": curves}


def reduction_step(laboratory: Laboratory) -> Result:
    """Arcs that problem reduction removes at the root, where the root does not settle the sentence."""
    test = laboratory.test_set
    rows: dict[str, Any] = {}
    for variant in (Variant("bnb"), Variant("bnb", True)):
        settings = variant.settings(test.constraints)
        shares: list[tuple[float, float, float]] = []
        settled = 0
        for place in test.invalid:
            left = reduce_root(test.matrices[place], settings)
            assert left is not None
            if not left.any():
                settled += 1
                continue
            arcs, candidates = int(test.lengths[place]) ** 2, test.candidates[place]
            scored = int(candidates.sum())
            shares.append(
                (1 - scored / arcs, 1 - int((left & candidates).sum()) / scored, 1 - int(left.sum()) / arcs)
            )
        means = (100 * np.mean(shares, axis=0)).tolist() if shares else [None] * 3
        rows[variant.name] = {
            "settled": settled,
            "open": len(shares),
            "dropped": means[0],
            "removed": means[1],
            "removed_of_all": means[2],
        }
    return {"sentences": len(test.invalid), "rows": rows}
