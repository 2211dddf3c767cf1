"""The feature templates of the first-order parser: what is hashed for an arc and for its label.

The set is based on the arc-factored features of TurboParser (Martins et al. 2010, 2013) and McDonald, Crammer &
Pereira 2005, adapted to Universal Dependencies.

A template is written as words. ``hP`` is the universal tag of the head, ``mW`` the form of the modifier, ``hP-1``
the tag before the head, ``mP+1`` the tag after the modifier. Attributes:

==  ===========================  ==  ===========================  ==  ============================
W   form, lower-cased            Q   fine tag (XPOS)              X   first three characters
L   lemma                        S   last three characters        Z   shape (Xx, d, ...)
P   universal tag (UPOS)         T   last two characters          M   all of FEATS
==  ===========================  ==  ===========================  ==  ============================

``hF`` and ``mF`` stand for each single value of FEATS; ``agree`` takes only values of the same attribute on both
sides. Every template is combined with the direction of the arc. ``d`` adds the distance (ten bins), ``b`` the tag
of each word in between, ``c`` how many of them are punctuation, coordination and verbs. A template with ``+label``
is used for arcs and labels, one with ``label`` for labels only.
"""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

ATOMS = "WLPQSTXZM"
MOST_ATOMS = 4
MOST_TEMPLATES = 500  # of a parser
LONGEST_TEMPLATE = 200  # characters
_WORD = re.compile(r"([hm])([WLPQSTXZMF])([+-][12])?")
_FLAGS = {"d": 0, "b": 1, "+label": 3, "label": 3, "c": 4, "agree": 5}
_WIDTH = 2 + 2 * MOST_ATOMS
ROW = 2 * _WIDTH + 6


def parse_template(text: str) -> list[int]:
    """Convert a template in words to a row of integers, which cext/features/templates.hpp describes."""
    row = [0] * ROW
    row[2 * _WIDTH + 2] = 1
    if len(text) > LONGEST_TEMPLATE:
        raise ValueError(f"a template of {len(text):,} characters; expected at most {LONGEST_TEMPLATE}")
    for word in text.split():
        if (flag := _FLAGS.get(word)) is not None:
            row[2 * _WIDTH + flag] = 1
            row[2 * _WIDTH + 2] &= word != "label"
        elif match := _WORD.fullmatch(word):
            side, attribute, offset = match.groups()
            start = 0 if side == "h" else _WIDTH
            if attribute == "F":
                row[start + 1] = 1
            elif row[start] == MOST_ATOMS:
                raise ValueError(
                    f"template '{text}': too many attributes of one word; expected at most {MOST_ATOMS}"
                )
            else:
                at = start + 2 + 2 * row[start]
                row[at : at + 2] = ATOMS.index(attribute), int(offset or 0)
                row[start] += 1
        elif word != "bias":
            raise ValueError(
                f"template '{text}': unknown word '{word}'; expected for example hP, mW-1, hF, d, b or label"
            )
    return row


def compile_templates(templates: list[str]) -> npt.NDArray[np.int32]:
    """Return all templates as int32[t, 26], in the form that the core reads."""
    return np.array([parse_template(text) for text in templates], np.int32).reshape(-1, ROW)


# Templates that distinguish the heads of a word.
ARC_TEMPLATES = """
bias
hP                         +label
hQ                         +label
hW
hL
hW hP                      +label
hP hP-1                    +label
hP hP-1 hP-2               +label
hP hP+1                    +label
hP hP+1 hP+2               +label
hW-1                       +label
hW+1                       +label
hP mP                      +label
hQ mQ                      +label
hP mW                      +label
hP mW mP
hW mP                      +label
hW hP mP
hL mP                      +label
hP mL                      +label
hP mS                      +label
hP mP hP-1                 +label
hP mP hP+1                 +label
hP mP mP-1                 +label
hP mP mP+1                 +label
hP mP hP-1 mP-1
hP mP hP+1 mP+1
hP mP hP-1 mP+1
hP mP hP+1 mP-1
hP mP hP-1 hP+1 mP-1 mP+1
hQ mQ hQ-1 mQ-1
hQ mQ hQ+1 mQ+1
hQ mQ hQ-1 mQ+1
hQ mQ hQ+1 mQ-1
hM mM                      +label
hM mP                      +label
hP mM                      +label
hP hM mP mM                +label
hF mP                      +label
hP mF                      +label
hF mF agree                +label
hP hF mP mF agree
d
hP d
mP d
hP mP d                    +label
hQ mQ d
c
hP mP c                    +label
""".strip().splitlines()

# Templates that distinguish the labels of one arc, in addition to the templates above with +label.
LABEL_TEMPLATES = """
bias                       label
mP                         label
mQ                         label
mW                         label
mL                         label
mS                         label
mM                         label
mF                         label
mW-1                       label
mW+1                       label
mP mP-1                    label
mP mP+1                    label
mP mP-1 mP+1               label
mP mP-1 mP-2               label
mP mP+1 mP+2               label
hW                         label
hL                         label
hM                         label
""".strip().splitlines()

# Templates that improve a parser without labels; one with labels is as good without them.
UNLABELLED_TEMPLATES = """
hW mW
hW hP mW mP
hL mL
hP mP b
""".strip().splitlines()


def default_templates(*, labelled: bool, unused: str = "") -> list[str]:
    """Return the templates of a parser, without those that need an attribute of columns that are not used.

    Parameters
    ----------
    labelled : bool
        Whether labels are scored, too.
    unused : str
        Attributes that the data do not have, for example ``"LQ"``.
    """
    chosen = []
    for text in ARC_TEMPLATES + (LABEL_TEMPLATES if labelled else UNLABELLED_TEMPLATES):
        words = [word for word in text.split() if labelled or word != "+label"]
        if not any(len(word) > 1 and word[0] in "hm" and word[1] in unused for word in words):
            chosen.append(" ".join(words))
    return list(dict.fromkeys(chosen))
