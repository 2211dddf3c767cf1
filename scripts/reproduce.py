"""The papers' tables and figures, peers and scaling, over one or more treebanks: one command, one report.

python scripts/reproduce.py                                          # the bundled sample: some minutes
python scripts/reproduce.py --treebanks ../shared/treebanks/*        # all: some hours
python scripts/reproduce.py --treebanks a b --summary docs/results.md

A treebank is a folder with train, dev and test.conllu. Each finished step is kept under the report's folder, so
that an interrupted run goes on where it was; --fresh starts over. The report is index.html, report.md,
report.json and plots/*.svg there.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import platform
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

from reproduction import higher_models, higher_order, learners, peers, programs, riedel_clarke
from reproduction.findings import Findings
from reproduction.higher_models import Kind
from reproduction.laboratory import Laboratory, RunOptions
from reproduction.parsing_runs import decoders_step, jobs_step
from reproduction.report import write_report
from reproduction.scaling import lengths_step, training_step
from reproduction.searching import optimality_step, reduction_step, structure_step, times_step
from reproduction.store import Result, Store, say
from reproduction.treebanks import SAMPLE, Treebank, find_treebanks, limited

from wnparse.errors import WnparseError

ROOT = Path(__file__).resolve().parent.parent
ANCHORS = ROOT.parent / "shared" / "ANCHORS.md"
# Steps that need a model: name, what measures it, the options that it depends on.
MODEL_STEPS: tuple[tuple[str, Callable[[Laboratory], Result], tuple[str, ...]], ...] = (
    ("times", times_step, ("repeats",)),
    ("decoders", decoders_step, ("repeats",)),
    ("optimality", optimality_step, ()),
    ("reduction", reduction_step, ()),
    ("lengths", lengths_step, ("repeats",)),
    ("jobs", jobs_step, ("repeats",)),
)
# Steps that need more models: name, what measures it, the models, the options that it depends on.
HIGHER_STEPS: tuple[tuple[str, Callable[[Laboratory], Result], dict[str, Kind], tuple[str, ...]], ...] = (
    ("orders", higher_order.orders_step, higher_models.ORDERS, ("repeats",)),
    ("automata", higher_order.automata_step, higher_models.ORDERS, ()),
    ("training decoders", higher_order.training_decoders_step, higher_models.TRAINED_WITH, ("repeats",)),
)


def machine_class() -> str:
    """Cores and processor, without the machine's name."""
    try:
        information = Path("/proc/cpuinfo").read_text("utf-8")
    except OSError:
        information = ""
    models = [line.partition(":")[2].strip() for line in information.splitlines() if line.startswith("model name")]
    kind = "virtual machine" if " hypervisor" in information else "machine"
    return f"{os.cpu_count()}-core {models[0] if models else platform.machine()} {kind}"


def arguments() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--treebanks", nargs="+", type=Path, default=[SAMPLE], metavar="DIR", help="default: the sample"
    )
    parser.add_argument("--report", type=Path, default=ROOT / "report", metavar="DIR", help="default: report/")
    parser.add_argument("--epochs", type=positive, default=10, help="of training; default: 10")
    parser.add_argument("--repeats", type=positive, default=3, help="timed passes, the fastest counts; default: 3")
    parser.add_argument("--limit", type=positive, metavar="N", help="use the first N sentences of each file only")
    parser.add_argument("--models", type=Path, metavar="DIR", help="reuse DIR/NAME-labelled-EPOCHS.wnp if there")
    parser.add_argument("--anchors", type=Path, default=ANCHORS, metavar="FILE", help="peers' recorded figures")
    parser.add_argument("--no-peers", dest="peers", action="store_false", help="train neither UDPipe nor spaCy")
    parser.add_argument(
        "--peer-words", type=positive, default=40_000, metavar="N",
        help="train peers on treebanks of up to N words; UDPipe takes ten minutes for 40,000, the default",
    )  # fmt: skip
    parser.add_argument(
        "--learner-iterations", nargs="+", type=positive, default=[1, 2, 5], metavar="N",
        help="of the learners of Zong 2012; default: 1 2 5",
    )  # fmt: skip
    parser.add_argument(
        "--learner-words", type=positive, default=40_000, metavar="N",
        help="compare them on treebanks of up to N training words, and on English; default: 40,000",
    )  # fmt: skip
    parser.add_argument(
        "--higher-words", type=positive, default=250_000, metavar="N",
        help="train parsers of higher order on treebanks of up to N training words; default: 250,000",
    )  # fmt: skip
    parser.add_argument(
        "--program-sentences", type=not_negative, default=100, metavar="N",
        help="learn from N sentences by linear programs, with highspy; 0 leaves these out; default: 100",
    )  # fmt: skip
    parser.add_argument(
        "--incremental-words", type=positive, default=1, metavar="N",
        help="run Riedel & Clarke's loop on treebanks of up to N training words, and on Dutch; default: 1",
    )  # fmt: skip
    parser.add_argument(
        "--incremental-folds", type=positive, default=9, metavar="N", help="of its cross-validation; default: 9"
    )
    parser.add_argument(
        "--incremental-step", type=positive, default=4, metavar="N",
        help="solve every N-th sentence of a fold by integer programs; default: 4",
    )  # fmt: skip
    parser.add_argument("--fresh", action="store_true", help="forget all steps and models of the report's folder")
    parser.add_argument("--summary", type=Path, metavar="FILE", help="write the Markdown report there too")
    return parser


def positive(text: str) -> int:
    """A whole number above 0."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text}: a whole number above 0 is needed")
    return number


def not_negative(text: str) -> int:
    """A whole number from 0 on."""
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text}: a whole number of at least 0 is needed")
    return number


def measure(treebank: Treebank, options: RunOptions, store: Store, findings: Findings) -> None:
    """Run all steps on one treebank."""
    laboratory, name = Laboratory(treebank, options, store), treebank.name
    structure = laboratory.step("structure", structure_step)
    findings.add("structure", name, structure)
    if not treebank.complete:
        findings.skip("structure only, there is no training data", name)
        return
    values = asdict(options)
    for step, work, depends in MODEL_STEPS:
        findings.add(step, name, laboratory.model_step(step, work, **{key: values[key] for key in depends}))
    findings.add("training", name, laboratory.step("training", training_step))
    words = findings.results["training"][name]["rows"][-1]["words"]
    reason = learners.reason_to_skip(laboratory, words)
    if reason:
        store.done += 1
        findings.skip(f"learners (Zong 2012, Table 1) skipped: {reason}", name)
    else:
        iterations = list(options.learner_iterations)
        findings.add("learners", name, laboratory.step("learners", learners.learners_step, iterations=iterations))
    measure_incremental(laboratory, findings, words)
    measure_higher(laboratory, findings, words)
    programs.measure_programs(laboratory, findings, words)
    measure_peers(laboratory, findings, words)


def measure_incremental(laboratory: Laboratory, findings: Findings, words: int) -> None:
    """Run the loop of Riedel & Clarke, or say why not."""
    name, options = laboratory.treebank.name, laboratory.options
    reason = riedel_clarke.reason_to_skip(laboratory, words)
    if reason:
        laboratory.store.done += 1
        findings.skip(f"incremental programs (Riedel & Clarke 2006) skipped: {reason}", name)
        return
    depends = {key: getattr(options, key) for key in ("epochs", "incremental_folds", "incremental_step")}
    findings.add("incremental", name, laboratory.step("incremental", riedel_clarke.incremental_step, **depends))


def measure_higher(laboratory: Laboratory, findings: Findings, words: int) -> None:
    """Train parsers of higher order, and with other decoders, or say why not."""
    name, store = laboratory.treebank.name, laboratory.store
    reason = higher_order.reason_to_skip(laboratory, words)
    if reason:
        store.done += len(HIGHER_STEPS)
        findings.skip(f"parsers of higher order and other decoders of training skipped: {reason}", name)
        return
    for step, work, kinds, depends in HIGHER_STEPS:
        values = {key: asdict(laboratory.options)[key] for key in depends}
        models = higher_models.digests(laboratory, kinds)
        findings.add(step, name, laboratory.step(step, work, models=models, **values))


def measure_peers(laboratory: Laboratory, findings: Findings, words: int) -> None:
    """Train the peers that are installed, or say why not."""
    name, store = laboratory.treebank.name, laboratory.store
    reasons = peers.reasons_to_skip(laboratory, words)
    for peer in peers.PEERS:
        if peer in reasons:
            store.done += 1
            findings.skip(f"{peer} skipped: {reasons[peer]}", name)
            continue
        try:
            found = laboratory.model_step(f"peer {peer}", peers.peer_step(peer))
            findings.add(f"peer {peer}", name, found)
        except peers.PeerError as error:
            findings.skip(f"{peer} failed: {error}", name)


def reproduce(given: argparse.Namespace, treebanks: list[Treebank], skipped: list[str]) -> None:
    """Run everything, and write the report."""
    options = RunOptions(
        given.epochs, given.repeats, given.limit, given.models, given.anchors, given.peers, given.peer_words,
        tuple(given.learner_iterations), given.learner_words, given.higher_words,
        given.incremental_words, given.incremental_folds, given.incremental_step,
        given.program_sentences,
    )  # fmt: skip
    store = Store(given.report, given.fresh)
    if given.limit:
        treebanks = [limited(treebank, given.limit, given.report / "data") for treebank in treebanks]
    findings = Findings([treebank.name for treebank in treebanks], _told(options), machine_class())
    for line in skipped:
        say(line)
    findings.recorded = {
        name: rows for name, rows in peers.recorded_figures(given.anchors).items() if name in findings.treebanks
    }
    each = 4 + len(MODEL_STEPS) + len(HIGHER_STEPS) + len(programs.STEPS) + len(peers.PEERS)
    store.total = sum(each if treebank.complete else 1 for treebank in treebanks)
    for treebank in treebanks:
        measure(treebank, options, store, findings)
    findings.date = max(store.dates)
    write_report(findings, given.report, given.summary)
    say(f"wrote {given.report / 'index.html'}")


def _told(options: RunOptions) -> dict[str, object]:
    """The options that matter to a reader: no paths."""
    return {key: value for key, value in asdict(options).items() if key not in ("models", "anchors")}


def main() -> None:
    """Run the command line; bad data end in one line."""
    parser = arguments()
    given = parser.parse_args()
    treebanks, skipped = find_treebanks(given.treebanks)
    if not treebanks:
        parser.error("; ".join(skipped))
    if given.incremental_folds < 2:
        parser.error("--incremental-folds: at least 2 are needed, one to parse and one to learn from")
    if given.summary and not given.summary.parent.is_dir():
        parser.error(f"{given.summary.parent}: no such folder")
    with ending_in_one_line("reproduce"):
        reproduce(given, treebanks, skipped)


@contextlib.contextmanager
def ending_in_one_line(name: str) -> Iterator[None]:
    """Have bad data, and Ctrl-C, end a script in one line."""
    try:
        yield
    except (OSError, WnparseError) as error:
        sys.exit(f"{name}: {error}")
    except KeyboardInterrupt:
        say(f"{name}: interrupted; the same command goes on from the last finished step")
        sys.exit(130)


if __name__ == "__main__":
    main()
