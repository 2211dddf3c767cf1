"""How many words have the right tags and lemmas, and trees that ask for them, too: MLAS and BLEX.

All as in the CoNLL 2018 shared task (Zeman et al. 2018, section 5). UFeats compares the universal features alone,
in any order; a lemma that gold leaves open (``_``) is right whatever the system says. MLAS counts content words
whose head, relation, UPOS and universal features are right, and those of their function words as well; BLEX
content words whose head, relation and lemma are. O(words).
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from wnparse.conllu import Sentence
from wnparse.metrics import (
    CONTENT_RELATIONS,
    FUNCTION_RELATIONS,
    Percentage,
    Retrieval,
    retrieval,
    share,
    universal_part,
)

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


class _Annotation:
    """The columns of a sentence as they are compared."""

    def __init__(self, sentence: Sentence) -> None:
        self.heads = sentence.heads.tolist()
        self.upos = sentence.column("upos")
        self.xpos = sentence.column("xpos")
        self.feats = [universal_features(feats) for feats in sentence.column("feats")]
        self.lemmas = sentence.column("lemma")
        self.relations = [universal_part(relation) for relation in sentence.column("deprel")]
        self.content = [relation in CONTENT_RELATIONS for relation in self.relations]
        self.functional: dict[int, list[tuple[int, str, str, str]]] = {}  # the function words of each word
        for word, relation in enumerate(self.relations, 1):
            if relation in FUNCTIONAL:
                told = (word, relation, self.upos[word - 1], self.feats[word - 1])
                self.functional.setdefault(self.heads[word], []).append(told)

    def same_tree_and_tags(self, other: _Annotation) -> bool:
        """Whether nothing that counts differs."""
        return (
            self.heads == other.heads
            and self.upos == other.upos
            and self.xpos == other.xpos
            and self.feats == other.feats
            and self.lemmas == other.lemmas
            and self.relations == other.relations
        )


class _Counts:
    """What is counted of one system."""

    def __init__(self) -> None:
        self.right = dict.fromkeys(COLUMNS, 0)
        self.unseen = dict.fromkeys(COLUMNS, 0)
        self.content = self.system_content = self.mlas = self.blex = 0
        self.tags: Counter[tuple[str, str]] = Counter()

    def add(self, gold: _Annotation, system: _Annotation, scored: bytes, unseen: list[bool] | None) -> None:
        """Count a sentence."""
        if gold.same_tree_and_tags(system) and unseen is None:
            self._add_right(gold, scored)
            return
        for i, counts in enumerate(scored):
            if not counts:
                continue
            upos, xpos = gold.upos[i] == system.upos[i], gold.xpos[i] == system.xpos[i]
            feats = gold.feats[i] == system.feats[i]
            lemma = gold.lemmas[i] in ("_", system.lemmas[i])
            right = (upos, xpos, feats, upos and xpos and feats, lemma)
            for column, each in zip(COLUMNS, right, strict=True):
                self.right[column] += each
                if unseen is not None and unseen[i]:
                    self.unseen[column] += each
            self.tags[gold.upos[i], system.upos[i]] += 1
            self.content += gold.content[i]
            self.system_content += system.content[i]
            if not gold.content[i] or gold.heads[i + 1] != system.heads[i + 1]:
                continue
            if gold.relations[i] == system.relations[i]:
                self.blex += lemma
                same = gold.functional.get(i + 1) == system.functional.get(i + 1)
                self.mlas += upos and feats and same

    def _add_right(self, gold: _Annotation, scored: bytes) -> None:
        """Count a sentence in which all is right, as most are where tags were given."""
        words = sum(map(bool, scored))
        for column in COLUMNS:
            self.right[column] += words
        content = sum(counts and each for counts, each in zip(map(bool, scored), gold.content, strict=True))
        self.content += content
        self.system_content += content
        self.mlas += content
        self.blex += content
        self.tags.update((tag, tag) for tag, counts in zip(gold.upos, scored, strict=True) if counts)


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
