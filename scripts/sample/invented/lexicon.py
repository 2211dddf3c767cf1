"""The invented vocabulary of the bundled sample: lexemes, their classes and their inflection.

Stems are drawn syllable by syllable. Frequencies follow Zipf's law, p(rank) ~ 1 / (rank + 1/2): a division
only, so that no mathematical library can change a byte of the output. Nothing depends on the order of a set.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from sample.choices import Chooser

ONSETS = (
    "b",
    "br",
    "d",
    "dr",
    "f",
    "g",
    "gl",
    "k",
    "kr",
    "l",
    "m",
    "n",
    "p",
    "pl",
    "r",
    "s",
    "sh",
    "t",
    "tr",
    "v",
)
NUCLEI = ("a", "a", "e", "e", "i", "o", "o", "u", "au", "ei")
CODAS = ("", "", "", "l", "m", "n", "r", "s", "k", "nd", "rt", "st")

CASES = ("Nom", "Acc", "Gen", "Dat", "Ins")
# Endings in the order of CASES. The neuter has one form for nominative and accusative, the feminine plural
# one for accusative and genitive: the form tells the case only sometimes.
ENDINGS = {
    ("Masc", "Sing"): ("o", "on", "os", "i", "um"),
    ("Masc", "Plur"): ("oi", "ois", "or", "ir", "umi"),
    ("Fem", "Sing"): ("a", "an", "as", "ai", "am"),
    ("Fem", "Plur"): ("ei", "ar", "ar", "air", "ami"),
    ("Neut", "Sing"): ("e", "e", "es", "i", "em"),
    ("Neut", "Plur"): ("u", "u", "ur", "ir", "umi"),
}
PERSON_ENDINGS = {
    ("1", "Sing"): "em",
    ("2", "Sing"): "es",
    ("3", "Sing"): "et",
    ("1", "Plur"): "emo",
    ("2", "Plur"): "ete",
    ("3", "Plur"): "ent",
}
PRONOUN_STEMS = {("1", "Sing"): "mi", ("2", "Sing"): "ti", ("1", "Plur"): "no", ("2", "Plur"): "vo"}
PRONOUN_ENDINGS = ("", "n", "s", "b", "m")

# How strongly the nouns (and verbs) of a class ask for a preposition, 0 where nothing is said.
# A prepositional phrase goes to the candidate that asks most; see attachment_score.
NOUN_CLASSES = {
    "person": {"ex": 3, "kum": 2, "por": 1},
    "place": {"apu": 3, "ex": 1, "kum": 1},
    "thing": {"por": 3, "sor": 1, "kum": 2},
    "time": {"apu": 1, "por": 1},
    "event": {"duri": 2, "pri": 2, "inta": 3},
    "matter": {"ex": 3, "por": 1, "sor": 2},
    "thought": {"pri": 3, "por": 2, "inta": 1},
}
VERB_CLASSES = {
    "move": {"ad": 3, "ex": 2, "ina": 2, "sor": 1, "apu": 2},
    "act": {"kum": 3, "ina": 2, "sor": 2, "duri": 2},
    "make": {"ex": 2, "por": 2, "kum": 1, "duri": 1},
    "see": {"ina": 2, "apu": 2, "duri": 2, "inta": 1},
    "give": {"ad": 1, "duri": 1, "por": 1, "kum": 1},
    "say": {"pri": 2, "ad": 2, "duri": 1, "inta": 2},
    "want": {"por": 2, "pri": 1, "duri": 1},
    "rest": {"ina": 3, "sor": 3, "apu": 2, "duri": 2, "kum": 2},
}
PREPOSITION_CASE = {
    "ad": "Acc",
    "apu": "Dat",
    "duri": "Gen",
    "ex": "Gen",
    "ina": "Dat",
    "inta": "Ins",
    "kum": "Ins",
    "por": "Acc",
    "pri": "Gen",
    "sor": "Dat",
}
PREPOSITIONS = tuple(PREPOSITION_CASE)
PREPOSITION_OBJECTS = {
    "ad": ("place", "person"),
    "apu": ("place", "person"),
    "duri": ("time", "event"),
    "ex": ("place", "matter", "person"),
    "ina": ("place", "thing", "event"),
    "inta": ("person", "thing", "place"),
    "kum": ("person", "thing", "thought"),
    "por": ("person", "event", "thing"),
    "pri": ("person", "event", "thought", "thing"),
    "sor": ("thing", "place", "matter"),
}
# Half of the nouns of these classes show their class by a derivational suffix.
CLASS_SUFFIXES = {
    "person": "ar",
    "place": "eth",
    "event": "ung",
    "matter": "ol",
    "thought": "iv",
    "time": "id",
}
COMPLETE_WORDS = frozenset({*PREPOSITIONS, "ne", "ed", "sed", "oru", "ke", "dum", "kiam", "seb", "tu", "ka"})


@dataclass(frozen=True)
class Lexeme:
    """A dictionary entry."""

    lemma: str
    stem: str
    upos: str
    kind: str  # semantic class of nouns and verbs, type of adverbs
    gender: str = ""
    governs: str = ""  # a preposition this very lexeme asks for, whatever its class does


class Pool:
    """Lexemes with Zipf frequencies by their order."""

    def __init__(self, lexemes: Sequence[Lexeme]) -> None:
        self.lexemes = lexemes
        self.cumulative: list[float] = []
        total = 0.0
        for rank in range(1, len(lexemes) + 1):
            total += 1.0 / (rank + 0.5)
            self.cumulative.append(total)

    def draw(self, chooser: Chooser) -> Lexeme:
        """Return a lexeme by frequency."""
        return self.lexemes[bisect_right(self.cumulative, chooser.uniform() * self.cumulative[-1])]


class Lexicon:
    """All pools, drawn once from their own seed so that the grammar may change and the words stay."""

    def __init__(self, seed: int) -> None:
        self._chooser = Chooser(seed)
        self._taken = set(COMPLETE_WORDS)
        self.nouns = {kind: Pool(self._nouns(kind, 56)) for kind in NOUN_CLASSES}
        self.verbs = {kind: Pool(self._verbs(kind, 28)) for kind in VERB_CLASSES}
        self.adjectives = Pool(self._plain("ADJ", "quality", 120, ""))
        self.manner = Pool(self._plain("ADV", "manner", 60, ""))
        self.degree = Pool(self._plain("ADV", "degree", 30, ""))
        self.time = Pool(self._plain("ADV", "time", 40, ""))
        self.focus = Pool(self._plain("ADV", "focus", 5, "pi"))
        self.names = Pool(self._names(100))
        self.surnames = Pool(self._plain("PROPN", "surname", 70, "sen"))
        self.numbers = Pool(self._plain("NUM", "number", 10, "n"))
        self.interjections = Pool(self._plain("INTJ", "call", 6, "h"))

    def _stem(self, syllables: int) -> str:
        """Return a stem not used before."""
        while True:
            parts = []
            for index in range(syllables):
                last = index == syllables - 1
                parts.append(self._chooser.pick(ONSETS) + self._chooser.pick(NUCLEI))
                if last or self._chooser.chance(0.3):
                    parts.append(self._chooser.pick(CODAS if not last else CODAS[3:]))
            stem = "".join(parts)
            if stem not in self._taken:
                self._taken.add(stem)
                return stem

    def _length(self) -> int:
        return 1 if self._chooser.chance(0.25) else 2

    def _governed(self, share: float) -> str:
        return self._chooser.pick(PREPOSITIONS) if self._chooser.chance(share) else ""

    def _nouns(self, kind: str, count: int) -> list[Lexeme]:
        lexemes = []
        for _ in range(count):
            gender = self._chooser.pick(("Masc", "Masc", "Fem", "Fem", "Neut"))
            stem = self._stem(self._length())
            if self._chooser.chance(0.5):
                stem += CLASS_SUFFIXES.get(kind, "")
            lemma = stem + ENDINGS[gender, "Sing"][0]
            lexemes.append(Lexeme(lemma, stem, "NOUN", kind, gender, self._governed(0.6)))
        return lexemes

    def _verbs(self, kind: str, count: int) -> list[Lexeme]:
        stems = [self._stem(self._length()) for _ in range(count)]
        return [Lexeme(stem + "ir", stem, "VERB", kind, "", self._governed(0.8)) for stem in stems]

    def _plain(self, upos: str, kind: str, count: int, suffix: str) -> list[Lexeme]:
        stems = [self._stem(self._length()) + suffix for _ in range(count)]
        if upos == "PROPN":
            stems = [stem.capitalize() for stem in stems]
        lemma_ending = "o" if upos == "ADJ" else ""
        return [Lexeme(stem + lemma_ending, stem, upos, kind) for stem in stems]

    def _names(self, count: int) -> list[Lexeme]:
        lexemes = []
        for _ in range(count):
            gender = self._chooser.pick(("Masc", "Fem"))
            stem = self._stem(self._length()).capitalize()
            lexemes.append(Lexeme(stem + ENDINGS[gender, "Sing"][0], stem, "PROPN", "person", gender))
        return lexemes


def nominal_form(stem: str, gender: str, number: str, case: str) -> str:
    """Return the form of a noun, adjective, article or relative pronoun."""
    return stem + ENDINGS[gender, number][CASES.index(case)]


def finite_form(stem: str, tense: str, person: str, number: str) -> str:
    """Return the finite form of a verb or auxiliary."""
    return stem + ("av" if tense == "Past" else "") + PERSON_ENDINGS[person, number]


def attachment_score(lexeme: Lexeme, preposition: str) -> float:
    """Return how strongly a noun or verb asks for a preposition."""
    table = VERB_CLASSES if lexeme.upos == "VERB" else NOUN_CLASSES
    return table.get(lexeme.kind, {}).get(preposition, 0) + (4 if lexeme.governs == preposition else 0)
