"""The papers' tables and figures, peers and scaling, over one or more treebanks: one command, one report.

    ./scripts/reproduce                                            # the bundled sample: some minutes
    ./scripts/reproduce --treebanks $WNPARSE_TREEBANKS/*           # all: some hours
    ./scripts/reproduce --treebanks a b --summary docs/lab/results.md
    ./scripts/reproduce --steps "concise programs" relaxations     # some steps alone

A treebank is a folder with train, dev and test.conllu. Each finished step is kept under the report's folder, so
that an interrupted run goes on where it was; --fresh starts over. The report is index.html, report.md,
report.json and plots/*.svg there.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Sequence
from dataclasses import asdict, fields
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.lab import ROOT, make_parser
from reproduction.findings import Findings
from reproduction.laboratory import Laboratory, RunOptions
from reproduction.models import digests
from reproduction.peers import PeerError, recorded_figures
from reproduction.report.document import write_report
from reproduction.steps import STEPS, STRUCTURE, Step
from reproduction.store import Store, say
from reproduction.treebanks import SAMPLE, Treebank, find_treebanks, limited
from wnparse.errors import WnparseError

# Options with a whole number above 0, their defaults and help texts.
COUNTS = (
    ("--epochs", 10, "number of training epochs"),
    ("--repeats", 3, "number of timed passes, of which the fastest counts"),
    ("--peer-words", 40_000, "train peers on treebanks of up to N words, for which UDPipe takes ten minutes"),
    ("--learner-words", 40_000, "compare learners on treebanks of up to N training words, and on English"),
    ("--higher-words", 250_000, "train parsers of higher order on treebanks of up to N training words"),
    ("--incremental-words", 1, "run Riedel & Clarke's loop on treebanks of up to N training words, and on Dutch"),
    ("--incremental-folds", 9, "number of folds of its cross-validation"),
    ("--incremental-step", 4, "solve every N-th sentence of a fold by integer programs"),
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
    parser = make_parser(__doc__)
    names = [step.name for step in STEPS]
    parser.add_argument(
        "--treebanks", nargs="+", type=Path, default=[SAMPLE], metavar="DIR", help="default: the sample"
    )
    parser.add_argument(
        "--steps",
        nargs="+",
        choices=names,
        default=names,
        metavar="STEP",
        help=f"default: all of {', '.join(names)}",
    )
    parser.add_argument("--report", type=Path, default=ROOT / "report", metavar="DIR", help="default: report/")
    parser.add_argument("--limit", type=positive, metavar="N", help="use the first N sentences of each file only")
    parser.add_argument("--models", type=Path, metavar="DIR", help="reuse DIR/NAME-labelled-EPOCHS.wnp if there")
    parser.add_argument("--no-peers", dest="peers", action="store_false", help="train neither UDPipe nor spaCy")
    parser.add_argument(
        "--learner-iterations", nargs="+", type=positive, default=[1, 2, 5], metavar="N",
        help="iterations of the learners of Zong 2012; default: 1 2 5",
    )  # fmt: skip
    parser.add_argument(
        "--program-sentences", type=not_negative, default=100, metavar="N",
        help="learn from N sentences by linear programs, with highspy; 0 leaves these out; default: 100",
    )  # fmt: skip
    for name, default, help_text in COUNTS:
        parser.add_argument(
            name, type=positive, default=default, metavar="N", help=f"{help_text}; default: {default:,}"
        )
    parser.add_argument("--fresh", action="store_true", help="forget all steps and models of the report's folder")
    parser.add_argument("--summary", type=Path, metavar="FILE", help="write the Markdown report there too")
    return parser


def positive(text: str, least: int = 1) -> int:
    """Read a whole number above 0, or of at least `least`."""
    number = int(text)
    if number < least:
        raise argparse.ArgumentTypeError(f"{text}: a whole number of at least {least} is needed")
    return number


def not_negative(text: str) -> int:
    """Read a whole number of at least 0."""
    return positive(text, 0)


def measure(laboratory: Laboratory, findings: Findings, steps: Sequence[Step]) -> None:
    """Run steps on one treebank, or report why not."""
    treebank, store = laboratory.treebank, laboratory.store
    if not treebank.complete:
        findings.skip("structure only, because there is no training data", treebank.name)
        steps = [step for step in steps if step is STRUCTURE]
    words = sum(map(len, treebank.sentences("train")))
    for step in steps:
        reason = step.reason_to_skip(laboratory, words)
        if reason:
            store.done += 1
            findings.skip(f"{step.about} skipped: {reason}", treebank.name)
            continue
        depends = {key: getattr(laboratory.options, key) for key in step.options}
        depends |= {"models": digests(laboratory, step.models)} if step.models else {}
        try:
            findings.add(step.name, treebank.name, laboratory.step(step.name, step.measure, **depends))
        except PeerError as error:
            findings.skip(f"{step.about} failed: {error}", treebank.name)


def reproduce(given: argparse.Namespace, treebanks: list[Treebank], skipped: list[str]) -> None:
    """Run the steps, and write the report."""
    options = RunOptions(**{field.name: getattr(given, field.name) for field in fields(RunOptions)})
    store = Store(given.report, given.fresh)
    if given.limit:
        treebanks = [limited(treebank, given.limit, given.report / "data") for treebank in treebanks]
    # Paths do not matter to a reader.
    findings = Findings([treebank.name for treebank in treebanks], asdict(options), machine_class())
    del findings.options["models"]
    for line in skipped:
        say(line)
    findings.recorded = recorded_figures(findings.treebanks)
    steps = [step for step in STEPS if step.name in given.steps]
    store.total = sum(len(steps) if treebank.complete else 1 for treebank in treebanks)
    for treebank in treebanks:
        measure(Laboratory(treebank, options, store), findings, steps)
    findings.date = max(store.dates, default="")
    write_report(findings, given.report, given.summary)
    say(f"wrote {given.report / 'index.html'}")


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
    try:
        reproduce(given, treebanks, skipped)
    except (OSError, WnparseError) as error:
        sys.exit(f"reproduce: {error}")
    except KeyboardInterrupt:
        say("reproduce: interrupted; the same command goes on from the last finished step")
        sys.exit(130)


if __name__ == "__main__":
    main()
