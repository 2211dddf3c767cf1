"""Learners of tags as tests ask them: every word may have every tag, and the beam keeps every state."""

from __future__ import annotations

from wnparse._core.tagger import TaggerTables
from wnparse._core.tagger_learner import TagLearner
from wnparse.tagger.lexicon import Limits, make_lexicon
from wnparse.tagger.training import Lessons

EVERY = 10_000  # states: more than there are
EVERYTHING = Limits(seen=1, frequent=EVERY, open_share=-1.0)  # every word may have every tag


def learner_of(lessons: Lessons, beam: int, limits: Limits) -> TagLearner:
    arrays = (
        make_lexicon(lessons.lexicon_words, len(lessons.names), lessons.bundles, limits) | lessons.bundles.arrays()
    )
    tables = TaggerTables(arrays, *map(len, lessons.inventory.values()))
    return TagLearner(lessons.words, tables, lessons.tags, 5.0, beam)
