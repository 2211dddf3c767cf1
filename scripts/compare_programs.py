"""The steps of scripts/reproduce.py that solve linear programs, alone: their tables as Markdown on stdout.

python scripts/compare_programs.py --treebanks ../shared/treebanks/tr-imst --program-sentences 300
python scripts/compare_programs.py --steps "concise programs"    # Martins et al. 2009 on the sample: a minute

Options are those of scripts/reproduce.py, and so is the folder in which finished steps and models are kept.
"""

from __future__ import annotations

import argparse
import sys

import reproduce
from reproduction import program_tables, programs
from reproduction.findings import Findings
from reproduction.laboratory import Laboratory, RunOptions
from reproduction.report import markdown_table
from reproduction.store import Store
from reproduction.treebanks import find_treebanks


def main() -> None:
    """Measure what is asked for."""
    parser = reproduce.arguments()
    parser.description = __doc__
    parser.add_argument("--steps", nargs="+", choices=list(programs.STEPS), default=list(programs.STEPS))
    given = parser.parse_args()
    with reproduce.ending_in_one_line("compare_programs"):
        compare(given, parser)


def compare(given: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Run the steps, and print their tables."""
    treebanks, skipped = find_treebanks(given.treebanks)
    if skipped:
        parser.error("; ".join(skipped))
    options = RunOptions(
        given.epochs,
        higher_words=given.higher_words,
        program_sentences=given.program_sentences,
        models=given.models,
    )
    store = Store(given.report, given.fresh)
    store.total = len(treebanks) * len(given.steps)
    findings = Findings([treebank.name for treebank in treebanks], {}, reproduce.machine_class())
    for treebank in treebanks:
        words = sum(map(len, treebank.sentences("train")))
        programs.measure_programs(Laboratory(treebank, options, store), findings, words, given.steps)
    for table in (program_tables.ladder_table(findings), program_tables.relaxations_table(findings)):
        if table.rows:
            sys.stdout.write(f"{table.title}\n\n{markdown_table(table)}\n")


if __name__ == "__main__":
    main()
