"""Noun phrases of the bundled sample, and the rule that says where a prepositional phrase belongs."""

from __future__ import annotations

from collections.abc import Callable

import sample.invented.words as words
from sample.choices import Chooser
from sample.invented.lexicon import (
    NOUN_CLASSES,
    PREPOSITION_CASE,
    PREPOSITION_OBJECTS,
    PREPOSITIONS,
    Lexicon,
    attachment_score,
)
from sample.tree import Node

AGAINST_THE_RULE = 0.06  # share of prepositional phrases attached to the second best candidate
NOUN_KINDS = tuple(NOUN_CLASSES)
MAXIMUM_DEPTH = 3
COLLOCATION = 0.65  # share of the phrases drawn for a word that have the preposition of its own


class Phrases:
    """Draws phrases; ``relative_clause`` is given by the grammar of clauses, which builds on this one."""

    def __init__(self, lexicon: Lexicon, chooser: Chooser, relative_clause: Callable[[Node, int], Node]) -> None:
        self.lexicon = lexicon
        self.chooser = chooser
        self.relative_clause = relative_clause

    def noun_phrase(self, case: str, depth: int, kinds: tuple[str, ...] = NOUN_KINDS) -> Node:
        """Return a noun with all that belongs to it; ``depth`` bounds what it may hold."""
        chance = self.chooser.chance
        if "person" in kinds and chance(0.18):
            return self.name(case)
        head = self.bare_noun(case, self.chooser.pick(kinds))
        if depth < MAXIMUM_DEPTH and chance(0.18):
            head.after(self.bare_noun("Gen", self.chooser.pick(NOUN_KINDS)), "nmod:poss")
            if chance(0.25):
                self.coordinate(head.right[0], "Gen")
            elif chance(0.3):
                self.second_genitive(head)
        elif depth < MAXIMUM_DEPTH and chance(0.12):
            phrase, _ = self.prepositional_phrase([head], depth + 1)
            head.right.append(phrase)
        if depth < MAXIMUM_DEPTH and chance(0.1):
            self.coordinate(head, case)
        if depth < 2 and chance(0.2 if depth == 0 else 0.08):
            targets = [head] + [node for node in head.right if node.upos == "NOUN" and not node.right]
            antecedent = self.chooser.pick(targets)
            antecedent.after(self.relative_clause(antecedent, depth + 1), "acl:relcl")
        return head

    def second_genitive(self, head: Node) -> None:
        """Add another genitive: persons and places belong to the head, all else to the first genitive."""
        other = self.bare_noun("Gen", self.chooser.pick(NOUN_KINDS))
        outer = other.lexeme is not None and other.lexeme.kind in ("person", "place")
        (head if outer else head.right[0]).after(other, "nmod:poss")

    def bare_noun(self, case: str, kind: str) -> Node:
        """Return a noun with determiner, numeral and adjectives."""
        chance = self.chooser.chance
        number = "Plur" if chance(0.3) else "Sing"
        head = words.noun(self.lexicon.nouns[kind].draw(self.chooser), number, case)
        if chance(0.3):
            head.before(words.article(head.features), "det")
        elif chance(0.15):
            head.before(words.demonstrative(head.features), "det")
        if number == "Plur" and chance(0.15):
            lexeme = self.lexicon.numbers.draw(self.chooser)
            head.before(words.particle(lexeme.stem, "NUM", "CD", NumType="Card"), "nummod")
        if chance(0.17):
            head.before(self.adjective(head.features), "amod")
        return head

    def adjective(self, features: dict[str, str]) -> Node:
        """Return an adjective, perhaps graded by an adverb or coordinated."""
        node = words.adjective(self.lexicon.adjectives.draw(self.chooser), features, self.chooser.chance(0.12))
        if self.chooser.chance(0.25):
            node.before(words.adverb(self.lexicon.degree.draw(self.chooser)), "advmod")
        if self.chooser.chance(0.1):
            other = words.adjective(self.lexicon.adjectives.draw(self.chooser), features, False)
            other.before(words.particle("ed", "CCONJ", "CC"), "cc")
            node.after(other, "conj")
        return node

    def name(self, case: str) -> Node:
        """Return a person's name."""
        head = words.noun(self.lexicon.names.draw(self.chooser), "Sing", case)
        if self.chooser.chance(0.35):
            head.after(words.surname(self.lexicon.surnames.draw(self.chooser)), "flat:name")
        return head

    def coordinate(self, first: Node, case: str) -> None:
        """Add one or two conjuncts of the same case and class."""
        kind = first.lexeme.kind if first.lexeme else "thing"
        count = 2 if self.chooser.chance(0.2) else 1
        for index in range(count):
            other = self.bare_noun(case, kind)
            while other.lemma == first.lemma:
                other = self.bare_noun(case, kind)
            last = index == count - 1
            mark = words.particle("oru" if self.chooser.chance(0.2) else "ed", "CCONJ", "CC")
            opener = mark if last else words.punctuation(",")
            other.left.insert(0, other.tie(opener, "cc" if last else "punct"))
            first.after(other, "conj")

    def subject(self, depth: int, kinds: tuple[str, ...]) -> tuple[Node | None, str, str]:
        """Return a subject with the person and number that the verb agrees with; None where it is dropped."""
        chance = self.chooser.chance
        if not chance(0.22):
            node = self.noun_phrase("Nom", depth, kinds)
            several = any(child.relation == "conj" for child in node.right)
            return node, "3", "Plur" if several else node.features["Number"]
        person = self.chooser.pick(("1", "2", "3", "3"))
        number = "Plur" if chance(0.3) else "Sing"
        if person != "3" and chance(0.6):
            return None, person, number
        return (
            words.personal_pronoun(person, number, self.chooser.pick(("Masc", "Fem")), "Nom"),
            person,
            number,
        )

    def argument(self, case: str, depth: int, kinds: tuple[str, ...]) -> Node:
        """Return a noun phrase or, sometimes, a pronoun."""
        chance = self.chooser.chance
        if chance(0.12):
            number = "Plur" if chance(0.3) else "Sing"
            return words.personal_pronoun("3", number, self.chooser.pick(("Masc", "Fem", "Neut")), case)
        node = self.noun_phrase(case, depth, kinds)
        if chance(0.05):
            node.left.insert(0, node.tie(words.adverb(self.lexicon.focus.draw(self.chooser)), "advmod:emph"))
        return node

    def prepositional_phrase(self, candidates: list[Node], depth: int) -> tuple[Node, Node]:
        """Return a phrase and its head, the candidate that asks for it most; the nearest one on a tie."""
        form = self.wanted(self.chooser.pick(candidates))
        order = sorted(range(len(candidates)), key=lambda index: (-asks(candidates[index], form), -index))
        ranked = [candidates[index] for index in order]
        against = len(ranked) > 1 and self.chooser.chance(AGAINST_THE_RULE)
        head = ranked[1] if against else ranked[0]
        kind = self.chooser.pick(PREPOSITION_OBJECTS[form])
        phrase = self.noun_phrase(PREPOSITION_CASE[form], depth + 1, (kind,))
        phrase.left.insert(0, phrase.tie(words.preposition(form), "case"))
        head.tie(phrase, "obl" if head.upos in ("VERB", "ADJ") else "nmod")
        return phrase, head

    def wanted(self, node: Node) -> str:
        """Return a preposition that a word asks for: mostly its own, else one of its class, else any."""
        if node.lexeme and node.lexeme.governs and self.chooser.chance(COLLOCATION):
            return node.lexeme.governs
        return self.chooser.pick([form for form in PREPOSITIONS if asks(node, form) > 1] or PREPOSITIONS)


def asks(node: Node, form: str) -> float:
    """Return how strongly a word asks for a preposition."""
    return attachment_score(node.lexeme, form) if node.lexeme else 0.0


def open_nouns(item: Node) -> list[Node]:
    """Return the nouns at the right edge of a phrase, which may still take a modifier."""
    if item.upos not in ("NOUN", "PROPN"):
        return []
    if not item.right:
        return [item]
    last = item.right[-1]
    return [item, *open_nouns(last)] if last.upos == "NOUN" else []


def nominals(item: Node) -> list[Node]:
    """Return a noun and the nouns below it, clauses left out, in the order of the sentence."""
    if item.upos not in ("NOUN", "PROPN"):
        return []
    return [item, *(node for child in item.right for node in nominals(child))]
