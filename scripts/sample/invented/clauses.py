"""Clauses of the bundled sample, and what moves out of them.

Main clauses have the finite verb in second place, and with an auxiliary the lexical verb ends the middle
field; subordinate clauses end in their verb. What the order of words leaves open is decided by words:

- a prepositional phrase belongs to the candidate whose lexeme or class asks for the preposition most;
- a relative clause belongs to a noun that its pronoun agrees with;
- of two verbs, a time adverb belongs to the higher one and a manner adverb to the lower one;
- conjuncts agree in case and class.

Relative clauses and prepositional phrases are postponed behind the verb, genitives and embedded objects are
fronted, objects of infinitives climb to the higher clause. Each alone gives block degree 2; two on one noun
give 3; two postponed phrases that keep the order of their nouns cross and give an ill-nested tree.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import sample.invented.words as words
from sample.choices import Chooser
from sample.invented.lexicon import Lexicon
from sample.invented.phrases import NOUN_KINDS, Phrases, nominals, open_nouns
from sample.tree import Node

POSTPONED_RELATIVE = 0.38
POSTPONED_AFTER_FRONTING = 0.9  # where the noun has lost its genitive to the front
POSTPONED_PHRASE = 0.1
CROSSING = 0.4  # share of pairs of postponed phrases that keep the order of their nouns
FRONTED_GENITIVE = 0.4
RELATIVE_AFTER_FRONTING = 0.7
FRONTED_EMBEDDED_OBJECT = 0.15
FRONTED_INFINITIVE_PHRASE = 0.6
CLIMBING = 0.4
NESTED_INFINITIVE = 0.5  # share of infinitives that stand before the final verb
COORDINATED_SUBORDINATE = 0.14

OBJECT_KINDS = {
    "act": ("thing", "matter", "person"),
    "make": ("thing", "matter", "thought"),
    "see": NOUN_KINDS,
    "give": ("thing", "matter", "thought"),
}
FRAMES = (
    "act",
    "act",
    "act",
    "act",
    "make",
    "make",
    "see",
    "see",
    "give",
    "move",
    "move",
    "move",
    "rest",
    "rest",
    "say",
    "say",
    "want",
    "want",
    "be",
)
SHORT_FRAMES = tuple(kind for kind in FRAMES if kind not in ("say", "want"))


@dataclass
class Clause:
    """A clause in the making: its verb and what stands in its fields."""

    verb: Node
    finite: Node  # the verb itself or its auxiliary
    subject: Node | None = None
    middle: list[Node] = field(default_factory=list)
    last: list[Node] = field(default_factory=list)


class Clauses:
    """Draws clauses; one object, one stream of choices."""

    def __init__(self, lexicon: Lexicon, chooser: Chooser) -> None:
        self.lexicon = lexicon
        self.chooser = chooser
        self.phrases = Phrases(lexicon, chooser, self.relative_clause)

    def predicate(self, kind: str, person: str, number: str, passive: bool) -> Clause:
        """Return verb and auxiliary, agreeing with the subject."""
        tense = "Past" if self.chooser.chance(0.55) else "Pres"
        if kind == "be":
            features = {"Case": "Nom", "Gender": self.chooser.pick(("Masc", "Fem", "Neut")), "Number": number}
            verb = self.phrases.adjective(features)
            return Clause(verb, verb.tie(words.auxiliary("copula", tense, person, number), "cop"))
        lexeme = self.lexicon.verbs[kind].draw(self.chooser)
        if passive:
            verb = words.participle(lexeme, "Pass")
            return Clause(verb, verb.tie(words.auxiliary("passive", tense, person, number), "aux:pass"))
        if self.chooser.chance(0.4):
            verb = words.participle(lexeme, "Act")
            helper = "future" if self.chooser.chance(0.3) else "perfect"
            return Clause(verb, verb.tie(words.auxiliary(helper, tense, person, number), "aux"))
        verb = words.finite(lexeme, tense, person, number)
        return Clause(verb, verb)

    def clause(self, depth: int, shared: str = "", number: str = "Sing") -> Clause:
        """Return a clause with filled fields; ``shared`` names the argument that a relative pronoun takes."""
        kind = self.chooser.pick(FRAMES if depth < 2 else SHORT_FRAMES)
        if shared == "obj":
            kind = self.chooser.pick(("act", "make", "see"))
        passive = kind in ("act", "make") and shared != "obj" and self.chooser.chance(0.12)
        if shared == "nsubj":
            subject, person = None, "3"
        else:
            subject, person, number = self.phrases.subject(
                depth, NOUN_KINDS if kind == "be" or passive else ("person",)
            )
        made = self.predicate(kind, person, number, passive)
        if subject:
            made.subject = made.verb.tie(subject, "nsubj:pass" if passive else "nsubj")
        self.arguments(made, kind, depth, passive, shared)
        self.modifiers(made, depth)
        return made

    def arguments(self, made: Clause, kind: str, depth: int, passive: bool, shared: str) -> None:
        """Fill in what the verb's class asks for."""
        verb, chance = made.verb, self.chooser.chance
        if passive:
            if chance(0.4):
                agent = self.phrases.noun_phrase("Ins", depth + 1, ("person",))
                agent.left.insert(0, agent.tie(words.particle("bai", "ADP", "IN", Case="Ins"), "case"))
                made.middle.append(verb.tie(agent, "obl:agent"))
        elif kind in OBJECT_KINDS:
            if kind == "give":
                made.middle.append(verb.tie(self.phrases.argument("Dat", depth + 1, ("person",)), "iobj"))
            if shared != "obj":
                made.middle.append(verb.tie(self.phrases.argument("Acc", depth, OBJECT_KINDS[kind]), "obj"))
        elif kind == "say":
            embedded = self.subordinate(depth + 1, "ke")
            made.last.append(verb.tie(embedded, "ccomp"))
        elif kind == "want":
            self.infinitive(made, depth + 1)

    def infinitive(self, made: Clause, depth: int) -> None:
        """Add an infinitive clause; its object may climb, its adverb stands where the higher verb's would."""
        chance = self.chooser.chance
        kind = self.chooser.pick(("act", "make", "see", "move", "rest"))
        verb = words.infinitive(self.lexicon.verbs[kind].draw(self.chooser))
        made.verb.tie(verb, "xcomp")
        if kind in OBJECT_KINDS:
            item = verb.tie(self.phrases.argument("Acc", depth, OBJECT_KINDS[kind]), "obj")
            (made.middle if chance(CLIMBING) else verb.left).append(item)
        if chance(0.25):
            verb.left.insert(0, verb.tie(words.adverb(self.lexicon.manner.draw(self.chooser)), "advmod"))
        verb.before(words.particle("tu", "PART", "TO"), "mark")
        if chance(0.5):
            candidates = [made.verb, verb, *(node for node in verb.left if node.upos == "NOUN")]
            phrase, head = self.phrases.prepositional_phrase(candidates, depth + 1)
            made.last.extend([verb, phrase] if head is made.verb else [verb])
            if head is not made.verb:
                verb.right.append(phrase)
        else:
            made.last.append(verb)

    def modifiers(self, made: Clause, depth: int) -> None:
        """Add adverbs, negation and prepositional phrases to the middle field."""
        verb, chance = made.verb, self.chooser.chance
        if chance(0.2):
            made.middle.insert(0, verb.tie(words.adverb(self.lexicon.time.draw(self.chooser)), "advmod"))
        for probability in (0.6, 0.2):
            if not chance(probability if depth < 2 else probability / 2):
                continue
            place = int(self.chooser.uniform() * (len(made.middle) + 1))
            preceding = made.middle[place - 1 : place] if place else [made.subject] if made.subject else []
            nouns = [node for item in preceding for node in open_nouns(item)]
            phrase, head = self.phrases.prepositional_phrase([verb, *nouns], depth)
            if head is verb:
                made.middle.insert(place, phrase)
            else:
                head.right.append(phrase)
        if chance(0.2) and verb.upos == "VERB":
            made.middle.insert(
                int(self.chooser.uniform() * (len(made.middle) + 1)),
                verb.tie(words.adverb(self.lexicon.manner.draw(self.chooser)), "advmod"),
            )
        if chance(0.1):
            made.middle.append(verb.tie(words.particle("ne", "PART", "NE", Polarity="Neg"), "advmod"))
        if made.last and made.last[-1].relation == "ccomp" and chance(0.45):
            self.late_modifier(made, made.last[-1], depth)

    def late_modifier(self, made: Clause, embedded: Node, depth: int) -> None:
        """Add an adverb or phrase behind an embedded clause; its words tell which verb it belongs to."""
        if self.chooser.chance(0.5):
            late, owner = self.phrases.prepositional_phrase([made.verb, embedded], depth + 1)
        else:
            time = self.chooser.chance(0.5)
            owner = made.verb if time else embedded
            pool = self.lexicon.time if time else self.lexicon.manner
            late = owner.tie(words.adverb(pool.draw(self.chooser)), "advmod")
        (made.last if owner is made.verb else owner.right).append(late)

    def postpone(self, made: Clause, *, topic: Node | None = None) -> list[Node]:
        """Take relative clauses and prepositional phrases out of their nouns; return them in a new order."""
        moved = []
        for item in ([topic] if topic else []) + made.middle:
            for host in nominals(item):
                fronted = topic is not None and topic.head is host
                relative = POSTPONED_AFTER_FRONTING if fronted else POSTPONED_RELATIVE
                probabilities = {"acl:relcl": relative, "nmod": POSTPONED_PHRASE}
                for child in list(host.right):
                    if self.chooser.chance(probabilities.get(child.relation, 0.0)):
                        host.right.remove(child)
                        moved.append(child)
        return moved if self.chooser.chance(CROSSING) else moved[::-1]

    def main_clause(self, depth: int = 0) -> Node:
        """Return a verb-second clause."""
        made = self.clause(depth)
        verb = made.verb
        topic = self.topic(made)
        moved = self.postpone(made, topic=topic)
        opening = [topic] if topic else []
        if made.finite is verb:
            verb.left[:0] = opening
            verb.right.extend(made.middle)
        else:
            verb.left[:0] = [*opening, made.finite, *made.middle]
        verb.right.extend([*moved, *made.last])
        return verb

    def topic(self, made: Clause) -> Node | None:
        """Choose what stands before the finite verb; the subject otherwise opens the middle field."""
        chance = self.chooser.chance
        for item in made.middle:
            owned = [child for child in item.right if child.relation == "nmod:poss"]
            if item.relation == "obj" and owned and chance(FRONTED_GENITIVE):
                item.right.remove(owned[0])
                if not item.right and chance(RELATIVE_AFTER_FRONTING):
                    item.after(self.relative_clause(item, 2), "acl:relcl")
                return self.with_subject_inside(made, owned[0])
        for item in made.last:
            objects = [node for node in item.left if node.relation == "obj" and node.upos != "PRON"]
            if item.relation == "ccomp" and objects and chance(FRONTED_EMBEDDED_OBJECT):
                item.left.remove(objects[0])
                return self.with_subject_inside(made, objects[0])
            phrases = [node for node in item.right if node.relation == "obl"]
            if item.relation == "xcomp" and phrases and chance(FRONTED_INFINITIVE_PHRASE):
                item.right.remove(phrases[0])
                return self.with_subject_inside(made, phrases[0])
        if made.middle and chance(0.28 if made.subject else 0.6):
            item = self.chooser.pick(made.middle)
            if item.lemma != "ne" and item.head is made.verb:
                made.middle.remove(item)
                return self.with_subject_inside(made, item)
        return made.subject

    @staticmethod
    def with_subject_inside(made: Clause, topic: Node) -> Node:
        """Put the subject first in the middle field, and return the topic."""
        if made.subject:
            made.middle.insert(0, made.subject)
        return topic

    def verb_final(self, made: Clause, openers: list[Node]) -> Node:
        """Put the fields of a subordinate clause in order."""
        if made.subject:
            made.middle.insert(0, made.subject)
        moved = self.postpone(made)
        verb = made.verb
        if made.last and made.last[0].relation == "xcomp" and self.chooser.chance(NESTED_INFINITIVE):
            made.middle.append(made.last.pop(0))
        verb.left[:0] = [*openers, *made.middle]
        verb.right.extend([made.finite] if made.finite is not verb else [])
        verb.right.extend([*moved, *made.last])
        return verb

    def subordinate(self, depth: int, conjunction: str) -> Node:
        """Return a clause opened by a conjunction."""
        made = self.clause(depth)
        verb = self.verb_final(made, [made.verb.tie(words.particle(conjunction, "SCONJ", "CS"), "mark")])
        if self.chooser.chance(COORDINATED_SUBORDINATE):
            other = self.clause(depth + 1)
            verb.after(self.verb_final(other, [other.verb.tie(words.particle("ed", "CCONJ", "CC"), "cc")]), "conj")
        return verb

    def relative_clause(self, antecedent: Node, depth: int) -> Node:
        """Return a relative clause between commas."""
        shared = "nsubj" if self.chooser.chance(0.6) else "obj"
        made = self.clause(max(depth, 1), shared, antecedent.features["Number"])
        passive = made.finite.relation == "aux:pass"
        pronoun = words.relative_pronoun(antecedent.features, "Nom" if shared == "nsubj" else "Acc")
        made.verb.tie(pronoun, shared + (":pass" if passive and shared == "nsubj" else ""))
        verb = self.verb_final(made, [made.verb.tie(words.punctuation(","), "punct"), pronoun])
        verb.after(words.punctuation(","), "punct")
        return verb
