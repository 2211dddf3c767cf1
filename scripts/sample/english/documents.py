"""Documents of the English sample: a topic, a kind, a few people, paragraphs of sentences."""

from __future__ import annotations

from collections.abc import Iterator

import sample.english.words as words
from sample.choices import Chooser
from sample.english import lexicon
from sample.english.phrases import HELD_OUT, Person, Scene
from sample.english.sentences import Sentences
from sample.english.sentences.tools import FIRST
from sample.english.topics import Topic
from sample.english.words import Reference
from sample.tree import Node

# How often each pattern occurs, by kind of document: every kind has the first line and its own.
PATTERNS = {
    "": {
        "plain": 40,
        "fronted": 6,
        "coordinated": 7,
        "coordinated_verbs": 8,
        "three_objects": 2,
        "adverbial": 9,
        "meanwhile": 5,
        "reason": 5,
        "participial": 4,
        "purpose": 3,
        "reported": 8,
        "wondering": 3,
        "wanting": 7,
        "going": 2,
        "telling": 3,
        "it_is": 3,
        "happy_to": 3,
        "predicate": 8,
        "seeming": 2,
        "comparative": 4,
        "more_people": 2,
        "more_than_needed": 3,
        "superlative": 1,
        "existential": 3,
        "trouble": 1,
        "cleft": 1,
        "apposition": 2,
        "extraposed": 5,
        "stranded_relative": 3,
        "sentential_relative": 1,
        "reduced_relative": 2,
        "examples": 1,
        "colon_list": 1,
        "time_to": 3,
    },
    "letter": {
        "comment": 3,
        "yes_no": 6,
        "open_question": 9,
        "exclamation": 3,
        "weather": 2,
        "order": 4,
        "going": 2,
        "thanks": 1,
        "address": 1,
    },
    "diary": {"comment": 1, "weather": 4, "exclamation": 2, "predicate": 4, "open_question": 4},
    "story": {"speech": 24, "open_question": 1, "exclamation": 1},
    "report": {
        "plain": 20,
        "fronted": 5,
        "apposition": 3,
        "extraposed": 2,
        "speech": 5,
        "more_people": 1,
        "website": 1,
    },
    "dialogue": {"comment": 8, "yes_no": 14, "open_question": 26, "answer": 16, "exclamation": 5, "order": 8},
    "instructions": {"step": 70, "order": 10, "it_is": 10, "website": 2},
}
EXTENDED = 0.4  # statements with something more
KINDS = (
    "letter",
    "report",
    "story",
    "dialogue",
    "diary",
    "report",
    "letter",
    "story",
    "instructions",
    "diary",
    "report",
    "dialogue",
)
FORMAL = ("market", "town", "weather")
PRACTICAL = ("kitchen", "home", "garden")


CONJUNCTIONS = ("because", "before", "after", "while", "when", "although")


def repeats(root: Node) -> bool:
    """Return whether a content word occurs twice, which rarely sounds well."""
    lemmas = [
        node.lemma
        for node in root.surface()
        if node.upos in ("NOUN", "PROPN", "VERB", "ADJ", "ADV") or node.lemma in CONJUNCTIONS
    ]
    return len(set(lemmas)) < len(lemmas)


class Document:
    """A document in the making."""

    def __init__(self, chooser: Chooser, topic: Topic, kind: str, *, rare: bool) -> None:
        self.chooser = chooser
        self.topic = topic
        if self.topic.name in FORMAL and kind in ("dialogue", "instructions", "story"):
            kind = "report"
        if kind == "instructions" and self.topic.name not in PRACTICAL:
            kind = "diary"
        self.kind = kind
        scene = Scene(tuple(self.topic.people.split()), self.cast(rare), rare=rare)
        scene.informal = kind in ("letter", "diary", "dialogue", "story")
        if kind in ("letter", "diary", "dialogue"):
            scene.narrator = FIRST if chooser.chance(0.7) else Reference("1", "Plur", "", "person")
        scene.public = kind == "report" and self.topic.name in ("market", "town", "weather", "sports")
        self.scene = scene
        self.sentences = Sentences(chooser, scene, self.topic)
        weights: dict[str, float] = {} if kind in ("dialogue", "instructions") else dict(PATTERNS[""])
        if kind == "dialogue":
            weights = {pattern: weight / 3 for pattern, weight in PATTERNS[""].items()}
        for pattern, weight in PATTERNS[kind].items():
            weights[pattern] = weights.get(pattern, 0) + weight
        self.weights = weights

    def cast(self, rare: bool) -> list[Person]:
        """Return the people of the document."""
        people: list[Person] = []
        count = 3 + int(self.chooser.uniform() * 2)
        while len(people) < count:
            gender = ("Masc", "Fem", self.chooser.pick(("Masc", "Fem")), "Fem")[len(people)]
            first, last = (
                self.chooser.pick(
                    [name for index, name in enumerate(names.split()) if rare or index % HELD_OUT != HELD_OUT - 1]
                )
                for names in (lexicon.FEMALE if gender == "Fem" else lexicon.MALE, lexicon.SURNAMES)
            )
            title = self.chooser.pick(("Dr.", "Mr." if gender == "Masc" else "Mrs.")) if len(people) == 2 else ""
            if first not in [person.first for person in people]:
                people.append(Person(first, last, gender, title))
        return people

    def pattern(self) -> str:
        """Return the name of a pattern by its weight."""
        point = self.chooser.uniform() * sum(self.weights.values())
        for name, weight in self.weights.items():
            point -= weight
            if point < 0:
                return name
        return "plain"

    def sentence(self) -> Node:
        """Return a sentence of the body."""
        for _ in range(20):
            self.sentences.phrases.begin()
            root = getattr(self.sentences, self.pattern())()
            if self.chooser.chance(EXTENDED):
                self.sentences.extend(root)
            if not repeats(root):
                break
        return root

    def paragraphs(self) -> Iterator[list[Node]]:
        """Yield the paragraphs of the document."""
        chooser = self.chooser
        if self.kind == "letter":
            self.sentences.phrases.begin()
            yield [self.sentences.salutation(self.scene.cast[0].first)]
        elif chooser.chance(0.7) and self.kind != "dialogue":
            self.sentences.phrases.begin()
            yield [self.sentences.heading()]
        for _ in range(2 + int(chooser.uniform() * 3)):
            yield [self.sentence() for _ in range(3 + int(chooser.uniform() * 4))]
        if self.kind == "letter":
            yield [self.sentences.closing(), words.name(self.scene.cast[1].first)]
