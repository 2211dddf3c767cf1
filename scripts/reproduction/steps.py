"""The steps of a reproduction in their order: what measures each, what it depends on, and where it is left out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import wnparse
from reproduction import peers
from reproduction.corro2016.searching import optimality_step, reduction_step, structure_step, times_step
from reproduction.corro2016.training_decoders import training_decoders_step
from reproduction.koo2010 import measurements as koo
from reproduction.laboratory import Laboratory
from reproduction.models import FIRST, ORDERS, TRAINED_WITH, model_path
from reproduction.parsing_runs import decoders_step, jobs_step
from reproduction.riedel2006 import cross_validation as riedel
from reproduction.scaling import lengths_step, training_step
from reproduction.store import Result
from reproduction.zong2012 import learners as zong

RANDOM = 40  # random problems of each kind, for linear programs
HIGHER = "parsers of higher order and other decoders of training"
LADDER, RELAXATIONS = "concise programs", "relaxations"


@dataclass(frozen=True)
class Step:
    """A measurement of one treebank."""

    name: str
    measure: Callable[[Laboratory], Result]
    options: tuple[str, ...] = ()  # of the run, on which the result depends
    models: tuple[str, ...] = ()  # kinds of parsers, on which it depends, too
    about: str = ""  # how messages call it
    reason_to_skip: Callable[[Laboratory, int], str] = lambda laboratory, words: ""  # by the words of training


def skip_programs(laboratory: Laboratory, words: int) -> str:
    """Return why linear programs are left out on a treebank; nothing if they are not."""
    if not laboratory.options.program_sentences:
        return "left out by --program-sentences 0"
    return "" if peers.installed("highspy") else "highspy is not installed"


def skip_relaxations(laboratory: Laboratory, words: int) -> str:
    """Return why linear programs of higher order are left out."""
    return skip_programs(laboratory, words) or koo.reason_to_skip(laboratory, words)


def ladder_step(laboratory: Laboratory) -> Result:
    """Martins et al.: parsers with more and more parts."""
    from reproduction.martins2009.ladder import climb, short_sentences  # highspy may be missing

    treebank, count = laboratory.treebank, laboratory.options.program_sentences
    return climb(short_sentences(treebank, "train", count), short_sentences(treebank, "test", (count + 1) // 2))


def relaxations_step(laboratory: Laboratory) -> Result:
    """Koo et al.: the same problems by linear programs, dual decomposition and our searches."""
    from reproduction.koo2010.relaxations import LONGEST, compare_random, compare_sentences
    from reproduction.martins2009.ladder import short_sentences

    count = laboratory.options.program_sentences
    sentences = short_sentences(laboratory.treebank, "test", (count + 4) // 5, LONGEST)
    random = min(RANDOM, count)
    rows = {
        kind: {
            "sentences": compare_sentences(wnparse.load(str(model_path(laboratory, kind))), sentences),
            "random": compare_random(random, kind == "gs"),
        }
        for kind in koo.TRACED
    }
    words = sum(map(len, sentences))
    return {"sentences": len(sentences), "words": words, "longest": LONGEST, "random": random, "rows": rows}


STRUCTURE = Step("structure", structure_step)
STEPS = (
    STRUCTURE,
    Step("times", times_step, ("repeats",), (FIRST,)),
    Step("decoders", decoders_step, ("repeats",), (FIRST,)),
    Step("optimality", optimality_step, (), (FIRST,)),
    Step("reduction", reduction_step, (), (FIRST,)),
    Step("lengths", lengths_step, ("repeats",), (FIRST,)),
    Step("jobs", jobs_step, ("repeats",), (FIRST,)),
    Step("training", training_step),
    Step(
        "learners",
        zong.learners_step,
        ("learner_iterations",),
        about="learners (Zong 2012, Table 1)",
        reason_to_skip=zong.reason_to_skip,
    ),
    Step(
        "incremental",
        riedel.incremental_step,
        ("epochs", "incremental_folds", "incremental_step"),
        about="incremental programs (Riedel & Clarke 2006)",
        reason_to_skip=riedel.reason_to_skip,
    ),
    Step("orders", koo.orders_step, ("repeats",), tuple(ORDERS), HIGHER, koo.reason_to_skip),
    Step("automata", koo.automata_step, (), tuple(ORDERS), HIGHER, koo.reason_to_skip),
    Step(
        "training decoders", training_decoders_step, ("repeats",), tuple(TRAINED_WITH), HIGHER, koo.reason_to_skip
    ),
    Step(LADDER, ladder_step, ("program_sentences",), (), "programs of Martins et al. 2009", skip_programs),
    Step(
        RELAXATIONS,
        relaxations_step,
        ("program_sentences",),
        koo.TRACED,
        "relaxations of Koo et al. 2010",
        skip_relaxations,
    ),
    *(
        Step(f"peer {peer}", peers.peer_step(peer), (), (FIRST,), peer, partial(peers.reason_to_skip, peer))
        for peer in peers.PEERS
    ),
)
