"""Whole sentences of the bundled sample: a main clause and what is joined to it."""

from __future__ import annotations

import sample.invented.words as words
from sample.choices import Chooser
from sample.invented.clauses import OBJECT_KINDS, Clauses
from sample.invented.lexicon import Lexicon
from sample.tree import Node


class Grammar:
    """Draws sentences from a lexicon."""

    def __init__(self, lexicon: Lexicon, chooser: Chooser) -> None:
        self.chooser = chooser
        self.clauses = Clauses(lexicon, chooser)

    def sentence(self) -> Node:
        """Return the root of a whole sentence, final punctuation included."""
        chance = self.chooser.chance
        mood = "." if not chance(0.1) else self.chooser.pick(("?", "!"))
        verb = self.clauses.main_clause()
        if chance(0.09):
            self.add_adverbial_clause(verb)
        if chance(0.10):
            self.add_gapped_clause(verb)
        elif chance(0.12):
            self.add_clause(verb)
        if chance(0.05):
            self.add_call(verb)
        verb.after(words.punctuation(mood), "punct")
        return verb

    def add_adverbial_clause(self, verb: Node) -> None:
        """Add an adverbial clause at either end."""
        conjunction = self.chooser.pick(("dum", "kiam", "seb"))
        other = self.clauses.subordinate(1, conjunction)
        if self.chooser.chance(0.5):
            other.after(words.punctuation(","), "punct")
            verb.left.insert(0, verb.tie(other, "advcl"))
        else:
            other.left.insert(0, other.tie(words.punctuation(","), "punct"))
            verb.after(other, "advcl")

    def add_clause(self, verb: Node) -> None:
        """Coordinate a second main clause, with or without a comma."""
        other = self.clauses.main_clause(1)
        mark = other.tie(words.particle(self.chooser.pick(("ed", "ed", "sed", "oru")), "CCONJ", "CC"), "cc")
        other.left.insert(0, mark)
        if self.chooser.chance(0.5):
            other.left.insert(0, other.tie(words.punctuation(","), "punct"))
        verb.after(other, "conj")

    def add_gapped_clause(self, verb: Node) -> None:
        """Coordinate a clause without its verb, which stands as an empty node in the enhanced graph."""
        objects = [node for node in verb.right if node.relation == "obj"]
        if verb.upos != "VERB" or not objects or verb.features.get("Person") != "3" or verb.lexeme is None:
            return
        subject = self.clauses.phrases.noun_phrase("Nom", 3, ("person",))
        item = self.clauses.phrases.noun_phrase("Acc", 3, OBJECT_KINDS.get(verb.lexeme.kind, ("thing",)))
        missing = words.finite(verb.lexeme, verb.features["Tense"], "3", subject.features["Number"])
        missing.empty = True
        missing.enhanced = (verb, "conj")
        comma = subject.tie(words.punctuation(","), "punct")
        mark = subject.tie(words.particle("ed", "CCONJ", "CC"), "cc")
        subject.left[:0] = [comma, mark]
        subject.right.append(missing)
        subject.after(item, "orphan")
        for node, relation in ((subject, "nsubj"), (item, "obj"), (comma, "punct"), (mark, "cc")):
            node.enhanced = (missing, relation)
        verb.after(subject, "conj")

    def add_call(self, verb: Node) -> None:
        """Open the sentence with an interjection or a name that is called."""
        if self.chooser.chance(0.5):
            lexeme = self.clauses.lexicon.interjections.draw(self.chooser)
            call = verb.tie(words.particle(lexeme.stem, "INTJ", "UH"), "discourse")
        else:
            call = verb.tie(self.clauses.phrases.name("Nom"), "vocative")
        call.after(words.punctuation(","), "punct")
        verb.left.insert(0, call)
