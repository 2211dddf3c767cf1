"""Time, certificates and nodes of the decoders next to their targets, in one run.

Every row decodes the same float32 matrices from fixed seeds (score_matrices.py), at least 200 sentences, and takes
the least of several passes over all of them. "kernel" is the compiled decoder alone (`time_kernel`: no checks, no
Python); "batch" and "call" include everything. ufal.chu_liu_edmonds is measured here, in this run; what is marked
"recorded" was measured on a machine with AVX-512 (anchors.toml).

    python scripts/bench/decoders.py            # all rows, some minutes
    python scripts/bench/decoders.py --quick    # 50 sentences a row: a first impression
    python scripts/bench/decoders.py msa eisner # only the rows that are named
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import wnparse
from bench.lab import ANCHORS, least, make_parser, report
from bench.score_matrices import invalid, padded_batch
from wnparse._core.laboratory import time_kernel
from wnparse._core.settings import Settings
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.options import DecodeOptions

try:
    from ufal.chu_liu_edmonds import chu_liu_edmonds
except ImportError:
    chu_liu_edmonds = None

FloatArray = npt.NDArray[np.float32]
NESTED: dict[str, Any] = {"block_degree": 2, "well_nested": True}
MICRO = 1e6


@dataclass(frozen=True)
class Bench:
    """How much is measured."""

    sentences: int = 200
    repeats: int = 15


def settings(decoder: str, **options: Any) -> Settings:
    """Check settings once; options are those of `wnparse.decode`."""
    limits = ("block_degree", "well_nested", "single_root")
    constraints = Constraints(**{name: options.pop(name) for name in limits if name in options})
    return DecodeOptions(decoder=decoder, constraints=constraints, **options).settings


def kernel_time(batch: FloatArray, repeats: int, decoder: str, **options: Any) -> float:
    """Microseconds of the kernel for one sentence: the best pass, or the sum of each sentence's best."""
    best_pass, seconds = time_kernel(batch, None, settings(decoder, **options), repeats)
    return min(best_pass, seconds.sum()) / len(batch) * MICRO


def ufal_times(batch: FloatArray, repeats: int) -> tuple[float, float]:
    """Microseconds of ufal's call for one sentence, and of its C++ part: the call less that for a single word."""
    means = []
    for words in (batch.shape[1] - 1, 1):
        matrices = [scores[: words + 1, : words + 1].astype(np.float64) for scores in batch]
        calls = [partial(chu_liu_edmonds, scores) for scores in matrices]
        best = np.full(len(calls), np.inf)
        for _ in range(repeats * 2):
            best = np.minimum(best, [least(1, call) for call in calls])
        means.append(best.mean() * MICRO)
    return means[0], means[0] - means[1]


@lru_cache
def invalid_batch(kind: str, n: int, count: int) -> FloatArray:
    """Draw sentences whose maximum spanning arborescence is invalid (block degree 2, well-nested)."""
    matrices: list[FloatArray] = []
    for seed in range(1, 10_000):
        batch = padded_batch(kind, n, 500, seed)
        matrices.extend(batch[invalid(batch)])
        if len(matrices) >= count:
            break
    return np.stack(matrices[:count])


def bench_msa(bench: Bench) -> None:
    """Time the arborescence: kernel, single root, padded batch."""
    print("\nmsa, float32, moderate scores: microseconds a sentence")
    for n in (20, 30, 40, 50):
        batch = padded_batch("moderate", n, bench.sentences)
        ours = kernel_time(batch, bench.repeats * 10, "msa")
        single = kernel_time(batch, bench.repeats * 10, "msa", single_root=True)
        lengths = np.full(len(batch), n)
        door = least(bench.repeats * 10, lambda: wnparse.decode_batch(batch, lengths, "msa")) / len(batch) * MICRO  # noqa: B023
        report(f"kernel, n = {n}, single root", f"{single:.2f} of {ours:.2f}", "<= 1.5x", single <= 1.5 * ours)
        if chu_liu_edmonds is None:
            report(f"kernel, n = {n}", f"{ours:.2f}; ufal not installed", ">= 20x ufal C++")
            continue
        call, compiled = ufal_times(batch, bench.repeats)
        ratio = compiled / ours
        report(f"kernel, n = {n}", f"{ours:.2f}; ufal C++ {compiled:.1f}: {ratio:.0f}x", ">= 20x", ratio >= 20)
        report(
            f"decode_batch, padded, n = {n}",
            f"{door:.2f}; ufal {call:.1f}: {call / door:.0f}x",
            ">= 15x",
            call >= 15 * door,
        )
    for n in (20, 50):
        batch = padded_batch("gaussian", n, bench.sentences)
        report(f"kernel, Gaussian, n = {n}", f"{kernel_time(batch, bench.repeats * 5, 'msa'):.2f}")


def bench_call(bench: Bench) -> None:
    """Time single calls from Python, and what they cost above the kernel."""
    print("\none wnparse.decode call from Python, n = 20, float32: microseconds")
    for kind in ("moderate", "gaussian"):
        batch = padded_batch(kind, 20, bench.sentences)
        matrices = list(batch)
        for decoder, options in (
            ("msa", {}),
            ("bnb", {}),
            ("bnb", NESTED if kind == "moderate" else {"block_degree": 1}),
        ):
            kernel = kernel_time(batch, bench.repeats * 10, decoder, **options)
            decode = wnparse.decode
            work = lambda: [decode(scores, decoder, **options) for scores in matrices]  # noqa: B023, E731
            call = least(bench.repeats * 2, work) / len(batch) * MICRO
            name = f"{decoder} {options or ''}, {kind}"
            report(
                name,
                f"{call:.2f}, kernel {kernel:.2f}: {call - kernel:.2f} above",
                "<= 4 above",
                call - kernel <= 4,
            )
            if decoder == "msa":
                compare_call(kind, call, batch, bench)


def compare_call(kind: str, call: float, batch: FloatArray, bench: Bench) -> None:
    """Compare a single call with those of other programs."""
    if chu_liu_edmonds is not None:
        ufal = ufal_times(batch, bench.repeats)[0]
        report(f"  against ufal, {kind}", f"{ufal:.1f}: {ufal / call:.1f}x", ">= 2x", ufal >= 2 * call)
    for name, figures in ANCHORS["arborescence_us"].items():
        ratio = figures[kind] / call
        report(f"  against {name} (recorded), {kind}", f"{figures[kind]}: {ratio:.0f}x", ">= 20x", ratio >= 20)


def bench_eisner(bench: Bench) -> None:
    """Time the projective decoder."""
    print("\neisner kernel, float32, moderate scores: microseconds a sentence")
    for n, recorded in ((int(n), micros) for n, micros in ANCHORS["turboparser"]["eisner_us"].items()):
        batch = padded_batch("moderate", n, bench.sentences)
        ours = kernel_time(batch, bench.repeats, "eisner")
        single = kernel_time(batch, bench.repeats, "eisner", single_root=True)
        figure = f"{ours:.2f} (single root {single:.2f}); {recorded}: {recorded / ours:.1f}x"
        wanted = n in (30, 100)
        report(
            f"n = {n}, against TurboParser (recorded)",
            figure,
            ">= 10x" if wanted else "",
            recorded >= 10 * ours if wanted else None,
        )


def search_figures(
    batch: FloatArray, decoder: str, repeats: int, **options: Any
) -> tuple[npt.NDArray[np.float64], wnparse.Batch]:
    """Time each sentence, and decode all of them."""
    seconds = time_kernel(batch, None, settings(decoder, **NESTED, **options), repeats)[1]
    return seconds * MICRO, wnparse.decode_batch(batch, decoder=decoder, **NESTED, **options)


def describe_search(micros: npt.NDArray[np.float64], solutions: wnparse.Batch) -> str:
    """Put the figures of a search in one line."""
    return (
        f"{100 * solutions.certified.mean():.1f} %, mean {micros.mean():.0f}, median {np.median(micros):.0f}, "
        f"95th {np.quantile(micros, 0.95):.0f}, nodes {solutions.nodes.mean():.1f}"
    )


def bench_search(bench: Bench) -> None:
    """Time the searches where a search is needed."""
    print("\nlr and bnb kernels, k = 2, well-nested, sentences whose MSA is invalid: % certified, microseconds")
    for n in (20, 30, 40):
        batch = invalid_batch("moderate", n, bench.sentences)
        micros, solutions = search_figures(batch, "lr", bench.repeats)
        good = solutions.certified.mean() >= 0.95 and micros.mean() <= 60
        report(f"lr, moderate, n = {n}", describe_search(micros, solutions), ">= 95 %, mean <= 60", bool(good))
        micros, solutions = search_figures(batch, "bnb", bench.repeats)
        good = solutions.certified.all() and micros.mean() <= 60
        report(f"bnb, moderate, n = {n}", describe_search(micros, solutions), "100 %, mean <= 60", bool(good))
    batch = invalid_batch("hard", 30, bench.sentences)
    micros, solutions = search_figures(batch, "bnb", bench.repeats)
    good = solutions.certified.all() and np.median(micros) <= 40 and micros.mean() <= 100
    report("bnb, hard, n = 30", describe_search(micros, solutions), "100 %, median <= 40, mean <= 100", bool(good))
    batch = invalid_batch("hard", 50, bench.sentences)
    micros, solutions = search_figures(batch, "bnb", 2)
    good = solutions.certified.all() and np.median(micros) <= 400 and np.quantile(micros, 0.95) <= 30_000
    report("bnb, hard, n = 50", describe_search(micros, solutions), "median <= 400, 95th <= 30,000", bool(good))


def bench_variants(bench: Bench) -> None:
    """Time what the paper does, piece by piece."""
    print("\nthe published variants, bnb, same sentences (moderate n = 40, hard n = 30)")
    variants: list[dict[str, Any]] = [
        {}, {"variant": "corro2016-cuts"}, {"variant": "corro2016-fixing"}, {"variant": "camerini"},
        {"variant": "no-local-search"}, {"variant": "corro2016", "max_nodes": 300},
    ]  # fmt: skip
    for kind, n in (("moderate", 40), ("hard", 30)):
        batch = invalid_batch(kind, n, bench.sentences)
        for options in variants:
            relaxed = wnparse.decode_batch(batch, decoder="lr", **NESTED, **options).certified.mean()
            micros, solutions = search_figures(batch, "bnb", 1, **options)
            name = ", ".join(options) or "default"
            report(
                f"{kind}, n = {n}: {name}", describe_search(micros, solutions), f"lr alone {100 * relaxed:.0f} %"
            )


def bench_all(bench: Bench) -> None:
    """Time the search on all sentences, as a parser would."""
    print("\nbnb on all sentences, padded batch, k = 2, well-nested, moderate: microseconds, everything included")
    means = []
    for n in (20, 30, 40):
        batch = padded_batch("moderate", n, 5 * bench.sentences)
        work = partial(wnparse.decode_batch, batch, np.full(len(batch), n), **NESTED)
        means.append(least(bench.repeats * 5, work) / len(batch) * MICRO)
        peer = f"; ufal's MSA {ufal_times(batch, 3)[0]:.1f}" if chu_liu_edmonds is not None else ""
        report(f"n = {n}", f"{means[-1]:.2f}{peer}", "<= 4", means[-1] <= 4)
    report("n = 20 to 40", f"{np.mean(means):.2f}", "<= 4", bool(np.mean(means) <= 4))


def bench_gaussian(bench: Bench) -> None:
    """Time the search on noise, where bounds are weakest."""
    print("\nGaussian, the worst case: bnb, k = 2, well-nested")
    batch = padded_batch("gaussian", 15, bench.sentences)
    micros, solutions = search_figures(batch, "bnb", 1, max_nodes=2**31 - 1)
    report("n = 15", describe_search(micros, solutions), "100 %", bool(solutions.certified.all()))
    batch = padded_batch("gaussian", 20, 20)
    solutions = wnparse.decode_batch(batch, **NESTED, max_nodes=2000)
    gap = solutions.upper_bound - solutions.score
    honest = bool((gap >= 0).all() and np.isfinite(gap).all())
    share = 100 * solutions.certified.mean()
    figure = f"{share:.0f} % at 2,000 nodes, mean gap {gap.mean():.2f} of {solutions.score.mean():.1f}"
    report("n = 20 (20 sentences)", figure, "an honest bound", honest)


def bench_noise(bench: Bench) -> None:
    """Time the search on noise next to scores like those of a parser, with the default limits."""
    print("\nbnb, k = 2, well-nested, default limits: noise next to moderate scores, microseconds")
    for n in (15, 20, 25, 30, 40, 60):
        figures = []
        for kind, count in (("moderate", bench.sentences), ("gaussian", min(bench.sentences, 20))):
            batch = padded_batch(kind, n, count)
            work = partial(wnparse.decode_batch, batch, **NESTED)
            solutions = work()
            seconds = least(1 if kind == "gaussian" else 5, work, time.process_time) / count
            certified = 100 * solutions.certified.mean()
            figures.append(
                f"{kind} {seconds * MICRO:,.1f} ({certified:.0f} %, nodes {np.median(solutions.nodes):.0f})"
            )
        report(f"n = {n}", ", ".join(figures))


def bench_kbest(bench: Bench) -> None:
    """Time the k best trees, with what Python adds: a list of k Solutions."""
    print("\ndecode(k=K), float32, moderate scores, n = 30: microseconds a sentence")
    rows: list[tuple[str, str, dict[str, Any]]] = [
        ("msa", "msa", {}),
        ("msa, single root", "msa", {"single_root": True}),
        ("eisner", "eisner", {}),
        ("bnb, block degree 2, well-nested, single root", "bnb", {**NESTED, "single_root": True}),
    ]
    matrices = list(padded_batch("moderate", 30, bench.sentences))
    for name, decoder, options in rows:
        figures = []
        for k in (1, 5, 50):
            work = lambda: [wnparse.decode(scores, decoder, k=k, **options) for scores in matrices]  # noqa: B023, E731
            figures.append(f"k = {k}: {least(max(bench.repeats // 3, 1), work) / len(matrices) * MICRO:.0f}")
        report(name, ", ".join(figures))


def bench_threads(bench: Bench) -> None:
    """Time two threads."""
    print("\ndecode_batch(threads=2) against one thread, wall clock")
    rows: list[tuple[str, dict[str, Any]]] = [("msa", {}), ("eisner", {}), ("bnb", NESTED)]
    for decoder, options in rows:
        batch = padded_batch("hard", 40, 10 * bench.sentences)
        one, two = (partial(wnparse.decode_batch, batch, None, decoder, threads=t, **options) for t in (1, 2))
        wall, burnt = np.full(2, np.inf), np.full(2, np.inf)
        for _ in range(bench.repeats * 4):
            for row, work in enumerate((one, two)):
                used = time.process_time()
                wall[row] = min(wall[row], least(1, work))
                burnt[row] = min(burnt[row], time.process_time() - used)
        figure = f"{wall[0] / wall[1]:.2f}x ({wall[0] * 1e3:.1f} ms), CPU time {burnt[1] / burnt[0]:.2f}x"
        report(f"{decoder}, hard, n = 40", figure, ">= 1.8x", bool(wall[0] >= 1.8 * wall[1]))


ROWS = {
    "msa": bench_msa,
    "call": bench_call,
    "eisner": bench_eisner,
    "search": bench_search,
    "all": bench_all,
    "kbest": bench_kbest,
    "threads": bench_threads,
    "variants": bench_variants,
    "gaussian": bench_gaussian,
    "noise": bench_noise,
}


def main() -> None:
    """Run the rows that the command line names."""
    parser = make_parser(__doc__, ROWS)
    parser.add_argument("--quick", action="store_true", help="50 sentences a row, 3 passes")
    arguments = parser.parse_args()
    bench = Bench(50, 3) if arguments.quick else Bench()
    for name in arguments.rows:
        ROWS[name](bench)


if __name__ == "__main__":
    main()
