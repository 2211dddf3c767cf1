"""Words of the invented language: one constructor for each part of speech."""

from __future__ import annotations

from sample.invented.lexicon import (
    CASES,
    PREPOSITION_CASE,
    PRONOUN_ENDINGS,
    PRONOUN_STEMS,
    Lexeme,
    finite_form,
    nominal_form,
)
from sample.tree import Node

AUXILIARIES = {
    kind: Lexeme(stem + "ir", stem, "AUX", kind)
    for kind, stem in (("perfect", "ham"), ("future", "vol"), ("passive", "gav"), ("copula", "sid"))
}


def noun(lexeme: Lexeme, number: str, case: str) -> Node:
    """Return a common noun or a name."""
    form = nominal_form(lexeme.stem, lexeme.gender, number, case)
    tag = ("NP" if lexeme.upos == "PROPN" else "NN") + case[0].lower()
    node = Node(form, lexeme.lemma, lexeme.upos, tag, Case=case, Gender=lexeme.gender, Number=number)
    node.lexeme = lexeme
    return node


def surname(lexeme: Lexeme) -> Node:
    """Return an uninflected family name."""
    return Node(lexeme.stem, lexeme.lemma, "PROPN", "NPx")


def agreeing(stem: str, lemma: str, upos: str, tag: str, noun_features: dict[str, str], **features: str) -> Node:
    """Return a word that agrees with its noun in case, gender and number."""
    agreement = {name: noun_features[name] for name in ("Case", "Gender", "Number")}
    form = nominal_form(stem, agreement["Gender"], agreement["Number"], agreement["Case"])
    return Node(form, lemma, upos, tag, **agreement, **features)


def adjective(lexeme: Lexeme, noun_features: dict[str, str], compared: bool) -> Node:
    """Return an adjective in the positive or comparative degree."""
    stem = lexeme.stem + ("ish" if compared else "")
    tag = "AC" if compared else "AA"
    return agreeing(stem, lexeme.lemma, "ADJ", tag, noun_features, Degree="Cmp" if compared else "Pos")


def article(noun_features: dict[str, str]) -> Node:
    """Return the definite article."""
    return agreeing("l", "lo", "DET", "DA", noun_features, Definite="Def", PronType="Art")


def demonstrative(noun_features: dict[str, str]) -> Node:
    """Return a demonstrative determiner."""
    return agreeing("sh", "sho", "DET", "DD", noun_features, PronType="Dem")


def relative_pronoun(antecedent: dict[str, str], case: str) -> Node:
    """Return the relative pronoun: gender and number of its antecedent, case of its own clause."""
    features = {**antecedent, "Case": case}
    return agreeing("k", "ko", "PRON", "PR" + case[0].lower(), features, PronType="Rel")


def personal_pronoun(person: str, number: str, gender: str, case: str) -> Node:
    """Return a personal pronoun; only the third person shows gender."""
    if person == "3":
        form, lemma, shown = nominal_form("il", gender, number, case), "ilo", {"Gender": gender}
    else:
        stem = PRONOUN_STEMS[person, number]
        form, lemma, shown = stem + PRONOUN_ENDINGS[CASES.index(case)], stem, {}
    tag = "PP" + case[0].lower()
    return Node(form, lemma, "PRON", tag, Case=case, Number=number, Person=person, PronType="Prs", **shown)


def finite(lexeme: Lexeme, tense: str, person: str, number: str, *, auxiliary: bool = False) -> Node:
    """Return a finite verb or auxiliary."""
    form = finite_form(lexeme.stem, tense, person, number)
    tag = ("X" if auxiliary else "V") + ("P" if tense == "Past" else "R")
    shown = {"Mood": "Ind", "Number": number, "Person": person, "Tense": tense, "VerbForm": "Fin"}
    node = Node(form, lexeme.lemma, "AUX" if auxiliary else "VERB", tag, **shown)
    node.lexeme = lexeme
    return node


def participle(lexeme: Lexeme, voice: str) -> Node:
    """Return the participle used with an auxiliary."""
    form = lexeme.stem + ("uto" if voice == "Pass" else "inte")
    node = Node(form, lexeme.lemma, "VERB", "VQ" if voice == "Pass" else "VT", VerbForm="Part", Voice=voice)
    node.lexeme = lexeme
    return node


def infinitive(lexeme: Lexeme) -> Node:
    """Return the infinitive."""
    node = Node(lexeme.lemma, lexeme.lemma, "VERB", "VI", VerbForm="Inf")
    node.lexeme = lexeme
    return node


def adverb(lexeme: Lexeme) -> Node:
    """Return an adverb; its fine tag does not tell manner from time."""
    node = Node(lexeme.stem, lexeme.lemma, "ADV", "RB")
    node.lexeme = lexeme
    return node


def preposition(form: str) -> Node:
    """Return a preposition with the case that it governs."""
    return Node(form, form, "ADP", "IN", Case=PREPOSITION_CASE[form])


def particle(form: str, upos: str, xpos: str, **features: str) -> Node:
    """Return an uninflected word whose lemma is its form."""
    return Node(form, form, upos, xpos, **features)


def punctuation(form: str) -> Node:
    """Return a punctuation mark."""
    return Node(form, form, "PUNCT", "ZC" if form == "," else "ZS")


def auxiliary(kind: str, tense: str, person: str, number: str) -> Node:
    """Return a form of one of the four auxiliaries."""
    return finite(AUXILIARIES[kind], tense, person, number, auxiliary=True)
