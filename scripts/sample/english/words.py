"""Words of the English sample: inflection, and one constructor for each part of speech.

Tags and features follow the UD English treebanks.
"""

from __future__ import annotations

from dataclasses import dataclass

from sample.english.lexicon import IRREGULAR_DEGREES, SHORT_ADJECTIVES, word_set
from sample.tree import Node

VOWELS = "aeiou"
SILENT_H = ("hour", "honest")
CONSONANT_U = ("universit", "useful", "Unit", "uniform")
DOUBLED = word_set(
    "cut put hit run swim win sit dig get forget begin stop plan wrap cancel travel set let shut chop drop slip"
)
PLURAL_NAMES = frozenset(("police", "people"))  # plural in grammar, not plural only
THIRD = {"have": "has", "be": "is", "do": "does", "go": "goes"}
BE_PRESENT = {("1", "Sing"): "am", ("3", "Sing"): "is"}
BE_PAST = {("1", "Sing"): "was", ("3", "Sing"): "was"}
PRONOUNS = {  # (person, number, gender): subject, object, possessive
    ("1", "Sing", ""): ("I", "me", "my"),
    ("1", "Plur", ""): ("we", "us", "our"),
    ("2", "Sing", ""): ("you", "you", "your"),
    ("3", "Sing", "Masc"): ("he", "him", "his"),
    ("3", "Sing", "Fem"): ("she", "her", "her"),
    ("3", "Sing", "Neut"): ("it", "it", "its"),
    ("3", "Plur", ""): ("they", "them", "their"),
}


@dataclass(frozen=True)
class Reference:
    """What a noun phrase refers to, for agreement."""

    person: str = "3"
    number: str = "Sing"
    gender: str = "Neut"
    kind: str = ""  # its class in the lexicon

    @property
    def key(self) -> tuple[str, str, str]:
        """Return the key of its pronoun."""
        shown = self.gender if (self.person, self.number) == ("3", "Sing") else ""
        return self.person, self.number, shown


@dataclass(frozen=True)
class Verb:
    """A verb with its irregular forms."""

    lemma: str
    past: str
    participle: str

    @property
    def third(self) -> str:
        """Return the third person singular of the present."""
        if self.lemma in THIRD:
            return THIRD[self.lemma]
        return with_s(self.lemma)

    @property
    def ing(self) -> str:
        """Return the present participle."""
        lemma = self.lemma
        if lemma in DOUBLED:
            return lemma + lemma[-1] + "ing"
        if lemma.endswith("ie"):
            return lemma[:-2] + "ying"
        if lemma.endswith("e") and not lemma.endswith(("ee", "oe")) and lemma != "be":
            return lemma[:-1] + "ing"
        return lemma + "ing"


def with_s(word: str) -> str:
    """Return a word with the ending -s of plurals and of the third person."""
    if word.endswith("y") and word[-2] not in VOWELS:
        return word[:-1] + "ies"
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    return word + "s"


def regular_past(lemma: str) -> str:
    """Return the regular past of a verb."""
    if lemma.endswith("e"):
        return lemma + "d"
    if lemma.endswith("y") and lemma[-2] not in VOWELS:
        return lemma[:-1] + "ied"
    return lemma + "ed"


def verb_of(forms: str) -> Verb:
    """Return the verb of ``lemma`` or ``lemma past participle``."""
    parts = forms.split()
    if len(parts) == 1:
        parts += [regular_past(parts[0])] * 2
    return Verb(*parts)


def article_form(following: str) -> str:
    """Return "a" or "an" before a word."""
    if following.startswith(SILENT_H):
        return "an"
    if following.startswith(CONSONANT_U) or following == "one":
        return "a"
    return "an" if following[0].lower() in VOWELS or following in ("8", "11", "18") else "a"


def word(form: str, upos: str, xpos: str, lemma: str = "", **features: str) -> Node:
    """Return a word; its lemma is its form unless given."""
    return Node(form, lemma or form, upos, xpos, **features)


def punctuation(form: str) -> Node:
    """Return a punctuation mark; quotation marks are ``` `` ``` and ``''``."""
    tags = {"?": ".", "!": ".", ";": ":", "–": ":", "(": "-LRB-", ")": "-RRB-", "-": "HYPH"}
    if form in ("``", "''"):
        return Node('"', '"', "PUNCT", form)
    return Node(form, form, "PUNCT", tags.get(form, form))


def preposition(form: str) -> Node:
    """Return a preposition."""
    return word(form, "ADP", "IN")


def particle(form: str) -> Node:
    """Return the particle of a verb."""
    return word(form, "ADP", "RP")


def subordinator(form: str) -> Node:
    """Return a subordinating conjunction."""
    if form in ("when", "where", "why", "how"):
        return word(form, "ADV", "WRB", PronType="Int")
    return word(form, "SCONJ", "IN")


def infinitive_mark() -> Node:
    """Return the word "to" before an infinitive."""
    return word("to", "PART", "TO")


def coordinator(form: str) -> Node:
    """Return a coordinating conjunction."""
    return word(form, "CCONJ", "CC")


def negation(contracted: bool) -> Node:
    """Return "not" or "n't"."""
    node = word("n't" if contracted else "not", "PART", "RB", "not", Polarity="Neg")
    node.joined = contracted
    return node


def interjection(form: str) -> Node:
    """Return an interjection."""
    polarity = {"yes": "Pos", "no": "Neg"}.get(form.lower())
    return word(form, "INTJ", "UH", form.lower(), **({"Polarity": polarity} if polarity else {}))


ADVERB_FEATURES = {
    "always": {"PronType": "Tot"},
    "never": {"PronType": "Neg"},
    "sometimes": {"PronType": "Ind"},
    "ever": {"PronType": "Ind"},
    "now": {"PronType": "Dem"},
    "then": {"PronType": "Dem"},
    "here": {"PronType": "Dem"},
    "there": {"PronType": "Dem"},
    "once": {"NumForm": "Word", "NumType": "Mult"},
    "twice": {"NumForm": "Word", "NumType": "Mult"},
    "first": {"NumForm": "Word", "NumType": "Ord"},
    **{form: {"Degree": "Pos"} for form in ("well", "early", "late", "hard", "fast", "soon")},
}


def adverb(form: str) -> Node:
    """Return an adverb."""
    return word(form, "ADV", "RB", **ADVERB_FEATURES.get(form, {}))


def number_digits(form: str) -> Node:
    """Return a number in digits."""
    return word(form, "NUM", "CD", NumForm="Digit", NumType="Card")


def number_word(form: str) -> Node:
    """Return a number in letters."""
    return word(form, "NUM", "CD", NumForm="Word", NumType="Card")


def name(form: str) -> Node:
    """Return a proper noun."""
    return word(form, "PROPN", "NNP", Number="Sing")


def noun(form: str, lemma: str, number: str) -> Node:
    """Return a common noun, or a proper one if it has a capital."""
    plural = number != "Sing"
    if lemma[0].isupper():
        return Node(form, lemma, "PROPN", "NNPS" if plural else "NNP", Number="Plur" if plural else "Sing")
    return Node(form, lemma, "NOUN", "NNS" if plural else "NN", Number=number)


DETERMINERS = {
    "the": {"Definite": "Def", "PronType": "Art"},
    "a": {"Definite": "Ind", "PronType": "Art"},
    "this": {"Number": "Sing", "PronType": "Dem"},
    "that": {"Number": "Sing", "PronType": "Dem"},
    "these": {"Number": "Plur", "PronType": "Dem"},
    "those": {"Number": "Plur", "PronType": "Dem"},
    "some": {"PronType": "Ind"},
    "any": {"PronType": "Ind"},
    "another": {"PronType": "Ind"},
    "no": {"PronType": "Neg"},
    "every": {"PronType": "Tot"},
    "each": {"PronType": "Tot"},
    "all": {"PronType": "Tot"},
    "both": {"PronType": "Tot"},
    "which": {"PronType": "Int"},
    "what": {"PronType": "Int"},
}


def determiner(form: str) -> Node:
    """Return a determiner."""
    lemma = {"these": "this", "those": "that"}.get(form, form)
    return Node(form, lemma, "DET", "WDT" if form in ("which", "what") else "DT", **DETERMINERS[form])


def quantity(form: str) -> Node:
    """Return a quantifying adjective, such as "many"."""
    tag, degree = {"more": ("JJR", "Cmp"), "fewer": ("JJR", "Cmp"), "most": ("JJS", "Sup")}.get(
        form, ("JJ", "Pos")
    )
    return word(form, "ADJ", tag, "few" if form == "fewer" else form, Degree=degree)


def pronoun(reference: Reference, case: str) -> Node:
    """Return a personal pronoun; ``case`` is Nom, Acc or Gen."""
    subject, object_form, possessive = PRONOUNS[reference.key]
    form = {"Nom": subject, "Acc": object_form, "Gen": possessive}[case]
    features = {"Case": case, "Person": reference.person, "PronType": "Prs"}
    if reference.person != "2":
        features["Number"] = reference.number
    if reference.key[2]:
        features["Gender"] = reference.gender
    if case == "Gen":
        features["Poss"] = "Yes"
    node = Node(
        form, possessive if case == "Gen" else subject, "PRON", "PRP$" if case == "Gen" else "PRP", **features
    )
    node.lexeme = reference
    return node


INDEFINITE = {
    "someone": "Ind",
    "anyone": "Ind",
    "something": "Ind",
    "everyone": "Tot",
    "nobody": "Neg",
    "everything": "Tot",
    "nothing": "Neg",
}


def indefinite(form: str) -> Node:
    """Return an indefinite pronoun."""
    node = word(form, "PRON", "NN", Number="Sing", PronType=INDEFINITE[form])
    node.lexeme = Reference("3", "Sing", "Neut", "person")
    return node


def relative(form: str) -> Node:
    """Return a relative pronoun or adverb."""
    if form in ("where", "when", "why"):
        return word(form, "ADV", "WRB", PronType="Rel")
    if form == "whose":
        return word(form, "PRON", "WP$", Poss="Yes", PronType="Rel")
    return word(form, "PRON", "WP" if form.startswith("who") else "WDT", PronType="Rel")


def interrogative(form: str) -> Node:
    """Return an interrogative pronoun or adverb."""
    if form in ("where", "when", "why", "how"):
        return word(form, "ADV", "WRB", PronType="Int")
    return word(form, "PRON", "WP", PronType="Int")


def degrees(lemma: str) -> tuple[str, str] | None:
    """Return comparative and superlative of an adjective, or None if it takes more and most."""
    if lemma in IRREGULAR_DEGREES:
        return IRREGULAR_DEGREES[lemma]
    if lemma not in SHORT_ADJECTIVES:
        return None
    stem = lemma
    if lemma.endswith("e"):
        stem = lemma[:-1]
    elif lemma.endswith("y") and lemma[-2] not in VOWELS:
        stem = lemma[:-1] + "i"
    elif lemma in ("hot", "wet", "sad", "red"):
        stem = lemma + lemma[-1]
    return stem + "er", stem + "est"


def adjective(lemma: str, degree: str = "Pos") -> Node:
    """Return an adjective; in a higher degree with "more" or "most" if it has no form of its own."""
    if lemma == "latest":
        return Node(lemma, "late", "ADJ", "JJS", Degree="Sup")
    if degree != "Pos":
        forms = degrees(lemma)
        if forms:
            tag = "JJR" if degree == "Cmp" else "JJS"
            return Node(forms[degree == "Sup"], lemma, "ADJ", tag, Degree=degree)
        node = word(lemma, "ADJ", "JJ", Degree="Pos")
        form, tag = ("more", "RBR") if degree == "Cmp" else ("most", "RBS")
        node.before(word(form, "ADV", tag, Degree=degree), "advmod")
        return node
    return word(lemma, "ADJ", "JJ", Degree="Pos")


def hyphenated(form: str) -> tuple[Node, str]:
    """Return an adjective with a hyphen, which is several words, and its relation to its noun."""
    first, second = form.split("-")
    if first == "well":
        head, relation = Node(second, "know", "VERB", "VBN", Tense="Past", VerbForm="Part", Voice="Pass"), "amod"
        dependent = head.before(adverb(first), "advmod")
    else:
        head, relation = noun(second, second, "Sing"), "compound"
        ordinal = word(first, "ADJ", "JJ", Degree="Pos", NumForm="Word", NumType="Ord")
        dependent = head.before(ordinal, "amod")
    dependent.after(punctuation("-"), "punct")
    return head, relation


FINITE = {"Mood": "Ind", "VerbForm": "Fin"}


def present(verb: Verb, reference: Reference, upos: str = "VERB") -> Node:
    """Return the present of a verb."""
    person, number = reference.person, reference.number
    if verb.lemma == "be":
        form = BE_PRESENT.get((person, number), "are")
    else:
        form = verb.third if (person, number) == ("3", "Sing") else verb.lemma
    tag = "VBZ" if (person, number) == ("3", "Sing") else "VBP"
    return Node(form, verb.lemma, upos, tag, **FINITE, Number=number, Person=person, Tense="Pres")


def past(verb: Verb, reference: Reference, upos: str = "VERB") -> Node:
    """Return the past of a verb."""
    person, number = reference.person, reference.number
    form = BE_PAST.get((person, number), "were") if verb.lemma == "be" else verb.past
    return Node(form, verb.lemma, upos, "VBD", **FINITE, Number=number, Person=person, Tense="Past")


def infinitive(verb: Verb, upos: str = "VERB") -> Node:
    """Return the infinitive."""
    return Node(verb.lemma, verb.lemma, upos, "VB", VerbForm="Inf")


def imperative(verb: Verb, upos: str = "VERB") -> Node:
    """Return the imperative."""
    return Node(verb.lemma, verb.lemma, upos, "VB", Mood="Imp", VerbForm="Fin")


def present_participle(verb: Verb, upos: str = "VERB") -> Node:
    """Return the present participle."""
    return Node(verb.ing, verb.lemma, upos, "VBG", Tense="Pres", VerbForm="Part")


def gerund(verb: Verb) -> Node:
    """Return the gerund."""
    return Node(verb.ing, verb.lemma, "VERB", "VBG", VerbForm="Ger")


def past_participle(verb: Verb, *, passive: bool = False, upos: str = "VERB") -> Node:
    """Return the past participle."""
    voice = {"Voice": "Pass"} if passive else {}
    return Node(verb.participle, verb.lemma, upos, "VBN", Tense="Past", VerbForm="Part", **voice)


def modal(form: str) -> Node:
    """Return a modal verb."""
    return word(form, "AUX", "MD", VerbForm="Fin")


BE = Verb("be", "was", "been")
HAVE = Verb("have", "had", "had")
DO = Verb("do", "did", "done")
