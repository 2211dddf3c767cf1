"""What several patterns of sentences share."""

from __future__ import annotations

import sample.english.words as words
from sample.choices import Chooser
from sample.english import lexicon
from sample.english.clauses import (
    TIMES,
    Clause,
    Clauses,
)
from sample.english.frames import Frame, frames_of, general_frames
from sample.english.lexicon import word_set
from sample.english.phrases import Scene
from sample.english.topics import Topic
from sample.english.words import Reference, verb_of
from sample.tree import Node

FIRST = Reference("1", "Sing", "", "person")
THEY = Reference("3", "Plur", "", "person")
IT = Reference("3", "Sing", "Neut", "")
# Verbs that select their preposition: it may be left behind.
STRANDING = word_set("look wait talk listen complain work apply vote suffer belong ask protest agree apologise")
RAINING = tuple(verb_of(form) for form in ("rain", "snow"))


class Tools:
    """What several patterns of sentences share: one object, one stream of choices."""

    def __init__(self, chooser: Chooser, scene: Scene, topic: Topic) -> None:
        self.chooser = chooser
        self.scene = scene
        self.topic = topic
        self.clauses = Clauses(chooser, scene, topic)
        self.phrases = self.clauses.phrases

    @staticmethod
    def finish(root: Node, mark: str = ".") -> Node:
        """Add the final mark, unless an abbreviation ends the sentence."""
        last = list(root.surface())[-1]
        if not (mark == "." and last.form.endswith(".")):
            root.after(words.punctuation(mark), "punct")
        return root

    @staticmethod
    def capitalise(root: Node) -> None:
        """Give the first word a capital."""
        first = next(node for node in root.surface() if node.upos != "PUNCT")
        first.form = first.form[0].upper() + first.form[1:]

    def first_comma(self, clause: Node) -> None:
        """Put a comma behind a phrase at the beginning."""
        clause.after(words.punctuation(","), "punct")

    def thing(self) -> Node:
        """Return a thing that the document is about."""
        kind = self.chooser.pick(self.topic.things.split())
        return self.phrases.noun_phrase(self.some(kind), plain=True)

    @staticmethod
    def some(kind: str) -> str:
        """Return the specification of things of a class: of those that grow, several."""
        return f"the {kind}.s" if kind in ("produce", "crop", "plant", "farm_animal") else f"the {kind}"

    def own_simple(
        self, tense: str, subject: Node, *, sudden: bool = False, deliberate: bool = False, **options: bool
    ) -> Node:
        """Return a short statement of the topic in a given tense; ``sudden`` leaves activities out."""
        left_out = "s" + "p" * sudden + "n" * (deliberate or tense == "future")
        frames = [
            frame
            for frame in frames_of(self.topic)
            if frame.personal
            and not set(left_out) & set(frame.flags)
            and frame.verb.lemma not in self.phrases.used
        ]
        frame = self.chooser.pick(frames or [frame for frame in general_frames() if "s" not in frame.flags])
        self.phrases.used.add(frame.verb.lemma)
        return self.clauses.order(self.clauses.clause(frame, tense, subject=subject, rich=False, **options))

    def add_time(self, root: Node) -> None:
        """Add an adjunct of time at the end."""
        if any(node.xpos == "CD" or node.lemma in TIMES for node in root.surface()):
            return
        node, relation = self.phrases.timed(
            (
                "yesterday",
                "on Monday",
                "this morning",
                "last week",
                "DAY",
                "DAYPART",
                "after lunch",
                "in the evening",
            )
        )
        root.after(node, relation)

    def again(self, subject: Node) -> Node:
        """Return the pronoun for someone who was named before."""
        reference = subject.lexeme
        plural = subject.lemma in words.INDEFINITE or reference.key not in words.PRONOUNS
        return words.pronoun(THEY if plural else reference, "Nom")

    def degree(self, form: str, chance: float = 0.4) -> Node:
        """Return an adjective, with an adverb of degree sometimes."""
        node = words.adjective(form)
        if self.chooser.chance(chance) and form not in lexicon.ABSOLUTE:
            node.before(words.adverb(self.chooser.pick(("very", "really", "quite", "rather", "very"))), "advmod")
        return node

    @staticmethod
    def too(form: str) -> Node:
        """Return an adjective with "too"."""
        node = words.adjective(form)
        node.before(words.adverb("too"), "advmod")
        return node

    def predicate_of(self, thing: Node) -> Node:
        """Return an adjective that fits a thing."""
        return self.degree(self.phrases.adjective_of(thing.lexeme.kind, predicate=True) or "good")

    def join(self, root: Node, other: Node, form: str) -> None:
        """Coordinate two clauses."""
        other.left.insert(0, other.tie(words.coordinator(form), "cc"))
        if self.chooser.chance(0.7) or form == "but":
            other.left.insert(0, other.tie(words.punctuation(","), "punct"))
        root.after(other, "conj")

    def own_frame(self) -> Frame:
        """Return a deliberate frame of the topic."""
        return self.clauses.frame(personal=True, deliberate=True, general=0.0)

    def object_frame(self) -> Frame:
        """Return a frame of people with one object that can be asked about."""
        frames = [
            frame
            for frame in (*frames_of(self.topic), *general_frames()[:6])
            if frame.object
            and frame.personal
            and not frame.second
            and "s" not in frame.flags
            and "n" not in frame.flags
            and frame.object.split()[-1].removesuffix(".s") in lexicon.NOUNS
            and not frame.object.startswith("my")
            and frame.verb.lemma
            not in ("feed", "protect", "wash", "visit", "weigh", "put", "mix", "wear", "join", "push")
            and "+" not in "".join(frame.needed)
        ]
        return self.chooser.pick(frames)

    def adjunct_frame(self, form: str) -> Frame:
        """Return a frame that leaves room for an adjunct."""
        for _ in range(30):
            frame = self.clauses.frame(personal=True, deliberate=True)
            timed = any(phrase.split()[0] in ("before", "after", "during") for phrase in frame.needed)
            bought = frame.verb.lemma in ("buy", "find", "meet", "park", "learn", "order", "rent", "photograph")
            if form == "when" and timed:
                continue
            if "s" not in frame.flags and (form != "where" or (bought and not frame.needed)):
                return frame
        return self.clauses.plain_frame("past")

    def stranding_frame(self) -> tuple[Frame, tuple[str, str]]:
        """Return a frame whose preposition may be left behind, the preposition and its noun."""
        frames = [
            frame
            for frame in (*frames_of(self.topic), *general_frames())
            if frame.verb.lemma in STRANDING and frame.personal and frame.needed and not frame.object
        ]
        frame = self.chooser.pick(frames)
        phrase = frame.needed[0]
        preposition, noun = phrase.split(maxsplit=1)
        return frame, (preposition, noun)

    def weather_clause(self, tense: str, *, bad: bool = False) -> Node:
        """Return a clause about the weather: it was raining, or it was cold."""
        subject = words.pronoun(IT, "Nom")
        if self.chooser.chance(0.4):
            verb = self.chooser.pick(RAINING)
            auxiliaries, head = self.clauses.verb_group(
                verb, "past_progressive" if tense == "past" else "present", IT
            )
            made = Clause(head, subject, auxiliaries)
            self.clauses.tie_auxiliaries(head, auxiliaries)
            head.tie(subject, "nsubj")
            if self.chooser.chance(0.3):
                head.after(words.adverb(self.chooser.pick(("heavily", "again"))), "advmod")
            return self.clauses.order(made)
        head = self.degree(
            self.phrases.draw("cold wet windy foggy stormy" if bad else lexicon.PREDICATES["weather"])
        )
        return self.clauses.copula(subject, head, tense)
