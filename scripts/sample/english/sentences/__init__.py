"""Whole sentences of the English sample, one method for each pattern."""

from __future__ import annotations

from sample.english.sentences.comparisons import Comparisons
from sample.english.sentences.complements import Complements
from sample.english.sentences.displaced import Displaced
from sample.english.sentences.questions import Questions
from sample.english.sentences.speech import Speech
from sample.english.sentences.statements import Statements


class Sentences(Statements, Complements, Displaced, Comparisons, Questions, Speech):
    """Draws sentences for a document."""
