"""Relations, tags and features of Universal Dependencies, https://universaldependencies.org/u."""

from __future__ import annotations

# Relations between content words, without subtypes.
CONTENT_RELATIONS = frozenset(
    {
        *("acl", "advcl", "advmod", "amod", "appos", "ccomp", "compound", "conj", "csubj", "dep", "discourse"),
        *("dislocated", "expl", "fixed", "flat", "goeswith", "iobj", "list", "nmod", "nsubj", "nummod", "obj"),
        *("obl", "orphan", "parataxis", "reparandum", "root", "vocative", "xcomp"),
    }
)
# Relations of function words and punctuation.
FUNCTION_RELATIONS = frozenset({"aux", "case", "cc", "clf", "cop", "det", "mark", "punct"})
RELATIONS = CONTENT_RELATIONS | FUNCTION_RELATIONS
# Relations of version 1, which was in use until 2017.
RELATIONS_V1 = RELATIONS - {"clf", "fixed", "flat", "obj", "obl", "orphan"} | {
    *("auxpass", "csubjpass", "dobj", "foreign", "mwe", "name", "neg", "nsubjpass", "remnant"),
}
TAGS = frozenset(
    {
        *("ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT"),
        *("SCONJ", "SYM", "VERB", "X"),
    }
)
# The features that the CoNLL 2018 shared task compares.
UNIVERSAL_FEATURES = frozenset(
    {
        *("PronType", "NumType", "Poss", "Reflex", "Foreign", "Abbr", "Gender", "Animacy", "Number", "Case"),
        *("Definite", "Degree", "VerbForm", "Mood", "Tense", "Aspect", "Voice", "Evident", "Polarity", "Person"),
        "Polite",
    }
)


def universal_part(relation: str) -> str:
    """Return a relation without its subtype."""
    return relation.partition(":")[0]
