"""How many words have the right tags and lemmas, and trees that ask for them, too: MLAS and BLEX.

All as in the CoNLL 2018 shared task (Zeman et al. 2018, section 5). UFeats compares the universal features alone,
in any order; a lemma that gold leaves open (``_``) is right whatever the system says. MLAS counts content words
whose head, relation, UPOS and universal features are right, and those of their function words as well; BLEX
content words whose head, relation and lemma are. O(words).
"""

from __future__ import annotations

import functools
import operator
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from itertools import compress

from wnparse.evaluation.metrics import (
    CONTENT_RELATIONS,
    FUNCTION_RELATIONS,
    Percentage,
    Retrieval,
    retrieval,
    share,
    universal_part,
)
from wnparse.treebanks.sentence import Sentence

UNIVERSAL_FEATURES = frozenset(
    {
        *("PronType", "NumType", "Poss", "Reflex", "Foreign", "Abbr", "Gender", "Animacy", "Number", "Case"),
        *("Definite", "Degree", "VerbForm", "Mood", "Tense", "Aspect", "Voice", "Evident", "Polarity", "Person"),
        "Polite",
    }
)
FUNCTIONAL = FUNCTION_RELATIONS - {"punct"}  # whose words MLAS looks at together with their heads
COLUMNS = ("upos", "xpos", "ufeats", "alltags", "lemmas")


@dataclass(frozen=True)
class TagScores:
    """Percentages of the scored words whose column is right; MLAS and BLEX are F1 of content words."""

    words: int
    upos: Percentage
    xpos: Percentage
    ufeats: Percentage
    alltags: Percentage  # UPOS, XPOS and UFeats
    lemmas: Percentage
    mlas: Percentage = None
    blex: Percentage = None


@functools.lru_cache(maxsize=1 << 16)
def universal_features(feats: str) -> str:
    """The universal ones of FEATS, sorted."""
    return "|".join(sorted(each for each in feats.split("|") if each.partition("=")[0] in UNIVERSAL_FEATURES))


@functools.lru_cache(maxsize=1 << 12)
def _kind(relation: str) -> tuple[str, bool, bool]:
    """The universal part of a relation, whether it is one of content words, and of function words."""
    part = universal_part(relation)
    return part, part in CONTENT_RELATIONS, part in FUNCTIONAL


class _Annotation:
    """The columns of a sentence as they are compared."""

    def __init__(self, sentence: Sentence) -> None:
        self.heads = sentence.heads.tolist()
        self.upos = sentence.column("upos")
        self.xpos = sentence.column("xpos")
        self.feats = list(map(universal_features, sentence.column("feats")))
        self.lemmas = sentence.column("lemma")
        kinds = list(map(_kind, sentence.column("deprel")))
        self.relations = [part for part, _, _ in kinds]
        self.content = [content for _, content, _ in kinds]
        self._functional = [word for word, (_, _, functional) in enumerate(kinds) if functional]

    def function_words(self) -> dict[int, list[tuple[int, str, str, str]]]:
        """The function words of each word, with all that MLAS asks of them."""
        found: dict[int, list[tuple[int, str, str, str]]] = {}
        for word in self._functional:
            told = (word, self.relations[word], self.upos[word], self.feats[word])
            found.setdefault(self.heads[word + 1], []).append(told)
        return found


class _Counts:
    """What is counted of one system."""

    def __init__(self) -> None:
        self.right = dict.fromkeys(COLUMNS, 0)
        self.unseen = dict.fromkeys(COLUMNS, 0)
        self.content = self.system_content = self.mlas = self.blex = 0
        self.tags: Counter[tuple[str, str]] = Counter()

    def add(self, gold: _Annotation, system: _Annotation, scored: bytes, unseen: list[bool] | None) -> None:
        """Count a sentence."""
        upos = list(map(operator.eq, gold.upos, system.upos))
        xpos = list(map(operator.eq, gold.xpos, system.xpos))
        feats = list(map(operator.eq, gold.feats, system.feats))
        lemmas = [mine in ("_", other) for mine, other in zip(gold.lemmas, system.lemmas, strict=True)]
        every = [all(each) for each in zip(upos, xpos, feats, strict=True)]
        for column, right in zip(COLUMNS, (upos, xpos, feats, every, lemmas), strict=True):
            self.right[column] += sum(compress(right, scored))
            if unseen is not None:
                self.unseen[column] += sum(compress(compress(right, scored), compress(unseen, scored)))
        self.tags.update(compress(zip(gold.upos, system.upos, strict=True), scored))
        self.content += sum(compress(gold.content, scored))
        self.system_content += sum(compress(system.content, scored))
        mine, other = gold.function_words(), system.function_words()
        for i, counts in enumerate(scored):
            if not counts or not gold.content[i] or gold.heads[i + 1] != system.heads[i + 1]:
                continue
            if gold.relations[i] == system.relations[i]:
                self.blex += lemmas[i]
                self.mlas += upos[i] and feats[i] and mine.get(i + 1) == other.get(i + 1)


class TagWatcher:
    """Counts the tags of systems while they are compared with gold; `known` are the forms of a training set."""

    def __init__(self, systems: int, known: Collection[str] | None = None) -> None:
        self.words = self.unseen_words = 0
        self._known = known
        self._counts = [_Counts() for _ in range(systems)]

    def __call__(self, sentences: list[Sentence], scored: bytes) -> None:
        """Count the same sentence of gold and each system."""
        gold = _Annotation(sentences[0])
        unseen = None
        if self._known is not None:
            unseen = [form not in self._known for form in sentences[0].column("form")]
            self.unseen_words += sum(counts and new for counts, new in zip(scored, unseen, strict=True))
        self.words += sum(map(bool, scored))
        for counts, system in zip(self._counts, sentences[1:], strict=True):
            counts.add(gold, _Annotation(system), scored, unseen)

    def scores(self, system: int) -> TagScores:
        """The scores of a system."""
        counts = self._counts[system]
        total = counts.content + counts.system_content
        shares = {column: share(right, self.words) for column, right in counts.right.items()}
        return TagScores(
            words=self.words, mlas=share(2 * counts.mlas, total), blex=share(2 * counts.blex, total), **shares
        )

    def unseen(self, system: int) -> TagScores | None:
        """Those of words whose form is not in the training set; None if none was given."""
        if self._known is None:
            return None
        rights = self._counts[system].unseen
        shares = {column: share(right, self.unseen_words) for column, right in rights.items()}
        return TagScores(words=self.unseen_words, **shares)

    def by_upos(self, system: int) -> dict[str, Retrieval]:
        """How well each tag is found; the commonest in gold come first."""
        tags = self._counts[system].tags
        gold, found = Counter[str](), Counter[str]()
        for (right, given), count in tags.items():
            gold[right] += count
            found[given] += count
        everything = {tag for counts in self._counts for pair in counts.tags for tag in pair}
        order = sorted(everything, key=lambda tag: (-gold[tag], tag))
        return {tag: retrieval(gold[tag], found[tag], tags[tag, tag], tags[tag, tag]) for tag in order}

    def confusion(self, system: int) -> dict[str, dict[str, int]]:
        """Words by their tag in gold and in the system; the commonest come first."""
        rows: dict[str, Counter[str]] = {}
        for (gold, given), count in self._counts[system].tags.items():
            rows.setdefault(gold, Counter())[given] += count
        order = sorted(rows, key=lambda tag: (-rows[tag].total(), tag))
        return {tag: dict(sorted(rows[tag].items(), key=lambda pair: (-pair[1], pair[0]))) for tag in order}
