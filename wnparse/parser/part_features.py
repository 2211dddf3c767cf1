"""The feature templates of parts of higher order: siblings, grandparents, grand-siblings, tri-siblings.

The templates of three and four nodes follow Koo & Collins 2010 and TurboParser (Martins, Almeida & Smith 2013). A
template is the kind of part and words as in `wnparse.parser.features`: ``g`` is the grandparent, ``h`` the head,
``m`` its modifier, ``s`` the next sibling outwards and ``t`` the one after it. If m is not a word, but the
beginning of the children (START), or s or t is their end (STOP), it has its own tag and no other attribute;
templates with other attributes are not used there. Every template is combined with the direction of the part, and
templates with a grandparent with the order of g, h and m.

Templates of siblings that use only m and s, and of grandparents that use only g and m, are templates of two words.
These may use neighbours, single values of FEATS, distance and words in between.
"""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from wnparse.parser.features import ATOMS, LONGEST_TEMPLATE, ROW, parse_template

KINDS = ("sibling", "grandparent", "grandsibling", "trisibling")
ROLES = "ghmst"
NODES = {"sibling": "hms", "grandparent": "ghm", "grandsibling": "ghms", "trisibling": "hmst"}
PAIRS = {"sibling": "ms", "grandparent": "gm"}  # what templates of two words use
ORDER = {"sibling": 2, "grandparent": 2, "grandsibling": 3, "trisibling": 3}
MOST_ORDER = max(ORDER.values())
_WORD = re.compile(rf"([{ROLES}])([{ATOMS}F])([+-][12])?")


def parse_part_template(text: str) -> list[int]:
    """Convert a template in words to a row of integers, which cext/modules/tables.pyx describes."""
    kind, *words = text[:LONGEST_TEMPLATE].split() or [""]
    if kind not in KINDS or len(text) > LONGEST_TEMPLATE:
        raise ValueError(
            f"template '{text[:LONGEST_TEMPLATE]}': expected one of {', '.join(KINDS)}, then attributes"
        )
    row = [KINDS.index(kind), 0, *[-1] * (ROW + len(ROLES))]
    matches = [_WORD.fullmatch(word) for word in words]
    roles = {match[1] for match in matches if match}
    pair = PAIRS.get(kind, "")
    if roles <= set(pair):
        # The first word takes the place of the head of an arc, the second that of the modifier.
        ends = dict(zip(pair, "hm", strict=True))
        renamed = [ends[word[0]] + word[1:] if match else word for word, match in zip(words, matches, strict=True)]
        row[1] = 1
        row[2 : 2 + ROW] = parse_template(" ".join(renamed))
        row[ROW - 2] = 0  # it scores no arcs
        return row
    for word, match in zip(words, matches, strict=True):
        if match is None or match[1] not in NODES[kind] or match[2] == "F" or match[3]:
            raise ValueError(f"template '{text}': unknown word '{word}'; expected one attribute of each node")
        place = 2 + ROW + ROLES.index(match[1])
        if row[place] >= 0:
            raise ValueError(
                f"template '{text}': '{word}' is a second attribute of '{match[1]}'; expected one per node"
            )
        row[place] = ATOMS.index(match[2])
    return row


def compile_part_templates(templates: list[str]) -> npt.NDArray[np.int32]:
    """Return all templates as int32[t, 33], in the form that the core reads."""
    rows = [parse_part_template(text) for text in templates]
    return np.array(rows, np.int32).reshape(-1, 2 + ROW + len(ROLES))


TEMPLATES = """
sibling hP mP sP
sibling hW mP sP
sibling hP mW sP
sibling hP mP sW
sibling hW mW sP
sibling hW mP sW
sibling hP mW sW
sibling hL mP sP
sibling hP mL sP
sibling hP mP sL
sibling hQ mQ sQ
sibling hM mP sP
sibling mP sP
sibling mQ sQ
sibling mW sP
sibling mP sW
sibling mW sW
sibling mL sP
sibling mP sL
sibling mP sP d
sibling mP sP c
sibling mP sP mP-1 sP-1
sibling mP sP mP+1 sP+1
sibling mP sP mP-1 sP+1
sibling mP sP mP+1 sP-1
sibling mM sM
sibling mM sP
sibling mP sM
sibling mP mF sP sF agree
grandparent gP hP mP
grandparent gW hP mP
grandparent gP hW mP
grandparent gP hP mW
grandparent gW hW mP
grandparent gW hP mW
grandparent gP hW mW
grandparent gL hP mP
grandparent gP hL mP
grandparent gP hP mL
grandparent gQ hQ mQ
grandparent gM hP mM
grandparent gP mP
grandparent gQ mQ
grandparent gW mP
grandparent gP mW
grandparent gW mW
grandparent gL mP
grandparent gP mL
grandparent gP mP d
grandparent gP mP c
grandparent gP mP gP-1 mP-1
grandparent gP mP gP+1 mP+1
grandparent gP mP gP-1 mP+1
grandparent gP mP gP+1 mP-1
grandparent gM mM
grandparent gM mP
grandparent gP mM
grandparent gP gF mP mF agree
grandsibling gP hP mP sP
grandsibling gW hP mP sP
grandsibling gP hW mP sP
grandsibling gP hP mW sP
grandsibling gP hP mP sW
trisibling hP mP sP tP
trisibling hW mP sP tP
trisibling hP mW sP tP
trisibling hP mP sW tP
trisibling hP mP sP tW
trisibling hP mP tP
trisibling mP sP tP
trisibling hW mP tP
trisibling hP mW tP
trisibling hP mP tW
trisibling mW sP tP
trisibling mP sW tP
trisibling mP sP tW
trisibling mP tP
trisibling mW tP
trisibling mP tW
""".strip().splitlines()


def default_part_templates(order: int, unused: str = "") -> list[str]:
    """Return the templates of a parser of some order, without those that need columns that are not used."""
    chosen = []
    for text in TEMPLATES:
        kind, *words = text.split()
        needed = {word[1] for word in words if _WORD.fullmatch(word)}
        if ORDER[kind] <= order and not needed & set(unused):
            chosen.append(text)
    return chosen
