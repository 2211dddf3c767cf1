"""Steps that solve linear programs: Table 1 of Martins et al. 2009 and Table 2 of Koo et al. 2010.

They need highspy, and are left out where it is not installed.
"""

from __future__ import annotations

from collections.abc import Iterable

import wnparse
from reproduction import higher_order
from reproduction.findings import Findings
from reproduction.higher_models import ORDERS, digests, model_path
from reproduction.laboratory import Laboratory
from reproduction.peers import installed
from reproduction.store import Result

LADDER, RELAXATIONS = "concise programs", "relaxations"
STEPS = {LADDER: "programs of Martins et al. 2009", RELAXATIONS: "relaxations of Koo et al. 2010"}
KINDS = {kind: ORDERS[kind] for kind in ("sib", "gs")}
RANDOM = 40  # random problems of each kind


def reason_to_skip(laboratory: Laboratory, words: int, step: str) -> str:
    """Why a step is left out on a treebank; nothing if it is not."""
    if not laboratory.options.program_sentences:
        return "left out by --program-sentences 0"
    if not installed("highspy"):
        return "highspy is not installed"
    return higher_order.reason_to_skip(laboratory, words) if step == RELAXATIONS else ""


def ladder_step(laboratory: Laboratory) -> Result:
    """Martins et al.: parsers with more and more parts."""
    from reproduction.concise_ladder import climb, short_sentences

    treebank, count = laboratory.treebank, laboratory.options.program_sentences
    return climb(short_sentences(treebank, "train", count), short_sentences(treebank, "test", (count + 1) // 2))


def relaxations_step(laboratory: Laboratory) -> Result:
    """Koo et al.: the same problems by linear programs, dual decomposition and our searches."""
    from reproduction.concise_ladder import short_sentences
    from reproduction.relaxations import LONGEST, compare_random, compare_sentences

    count = laboratory.options.program_sentences
    sentences = short_sentences(laboratory.treebank, "test", (count + 4) // 5, LONGEST)
    random = min(RANDOM, count)
    rows = {
        kind: {
            "sentences": compare_sentences(wnparse.load(str(model_path(laboratory, kind))), sentences),
            "random": compare_random(random, kind == "gs"),
        }
        for kind in KINDS
    }
    words = sum(map(len, sentences))
    return {"sentences": len(sentences), "words": words, "longest": LONGEST, "random": random, "rows": rows}


def measure_programs(
    laboratory: Laboratory, findings: Findings, words: int, steps: Iterable[str] = tuple(STEPS)
) -> None:
    """Run the steps, or say why not; `words` are those of the training data."""
    name, count = laboratory.treebank.name, laboratory.options.program_sentences
    for step in steps:
        reason = reason_to_skip(laboratory, words, step)
        if reason:
            laboratory.store.done += 1
            findings.skip(f"{STEPS[step]} skipped: {reason}", name)
        elif step == LADDER:
            findings.add(step, name, laboratory.step(step, ladder_step, sentences=count))
        else:
            models = digests(laboratory, KINDS)
            findings.add(step, name, laboratory.step(step, relaxations_step, sentences=count, models=models))
