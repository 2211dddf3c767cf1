"""Scores of tags and lemmas, and of trees together with them: MLAS and BLEX.

All as in the CoNLL 2018 shared task (Zeman et al. 2018, section 5). UFeats compares the universal features alone,
in any order; if the lemma in gold is empty (``_``), any lemma is right. MLAS counts content words whose head,
relation, UPOS and universal features are right, and those of their function words as well; BLEX counts content
words whose head, relation and lemma are right. Words without a head or relation in gold count for their tags and
lemmas only. O(words).
"""

from __future__ import annotations

import functools
import operator
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import compress

from wnparse.evaluation.metrics import Percentage, Retrieval, Tally, confusion, retrieval, share
from wnparse.treebanks.parallel import Group
from wnparse.treebanks.partial import NOTHING
from wnparse.treebanks.sentence import Sentence
from wnparse.treebanks.ud import CONTENT_RELATIONS, FUNCTION_RELATIONS, UNIVERSAL_FEATURES, universal_part

FUNCTIONAL = FUNCTION_RELATIONS - {"punct"}  # relations of words that MLAS compares together with their heads
COLUMNS = ("upos", "xpos", "ufeats", "alltags", "lemmas")


@dataclass(frozen=True)
class TagScores:
    """Percentages of the scored words whose column is right; MLAS and BLEX are F1 of content words.

    If the words of the system differ from those of gold, all are F1.
    """

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
    """Return the universal features of FEATS, sorted."""
    return "|".join(sorted(item for item in feats.split("|") if item.partition("=")[0] in UNIVERSAL_FEATURES))


@functools.lru_cache(maxsize=1 << 12)
def _kind(relation: str) -> tuple[str, bool, bool]:
    """Return the universal part of a relation, whether it is one of content words, and of function words."""
    part = universal_part(relation)
    return part, part in CONTENT_RELATIONS, part in FUNCTIONAL


class Annotation:
    """The columns of a sentence as they are compared."""

    def __init__(self, sentence: Sentence) -> None:
        self.heads = sentence.heads.tolist()
        self.upos = sentence.column("upos")
        self.xpos = sentence.column("xpos")
        self.feats = list(map(universal_features, sentence.column("feats")))
        self.lemmas = sentence.column("lemma")
        kinds = list(map(_kind, sentence.column("deprel")))
        self.relations = [part for part, _, _ in kinds]
        self.has_head = [head >= 0 for head in self.heads[1:]]
        self.has_arc = [head and part != NOTHING for head, part in zip(self.has_head, self.relations, strict=True)]
        self.content = [content and head for (_, content, _), head in zip(kinds, self.has_head, strict=True)]
        self.function_words: dict[int, list[tuple[int, str, str, str]]] = {}  # of each word, as MLAS compares them
        for word, (relation, _, functional) in enumerate(kinds):
            if functional:
                compared = (word, relation, self.upos[word], self.feats[word])
                self.function_words.setdefault(self.heads[word + 1], []).append(compared)


class _Counts:
    """The counts of one system."""

    def __init__(self) -> None:
        self.right = dict.fromkeys(COLUMNS, 0)
        self.unseen = dict.fromkeys(COLUMNS, 0)
        self.content = self.mlas = self.blex = 0
        self.system_content = 0  # of words with a head in gold
        self.compared_content = 0  # of words with a head and a relation in gold
        self.tags: Counter[tuple[str, str]] = Counter()

    def add(self, gold: Annotation, system: Annotation, scored: bytes, unseen: list[bool] | None) -> None:
        upos = list(map(operator.eq, gold.upos, system.upos))
        xpos = list(map(operator.eq, gold.xpos, system.xpos))
        feats = list(map(operator.eq, gold.feats, system.feats))
        lemmas = [lemma in ("_", other) for lemma, other in zip(gold.lemmas, system.lemmas, strict=True)]
        all_tags = [all(flags) for flags in zip(upos, xpos, feats, strict=True)]
        for column, right in zip(COLUMNS, (upos, xpos, feats, all_tags, lemmas), strict=True):
            self.right[column] += sum(compress(right, scored))
            if unseen is not None:
                self.unseen[column] += sum(compress(compress(right, scored), compress(unseen, scored)))
        self.tags.update(compress(zip(gold.upos, system.upos, strict=True), scored))
        self.content += sum(compress(gold.content, scored))
        system_content = list(compress(system.content, scored))
        self.system_content += sum(compress(system_content, compress(gold.has_head, scored)))
        self.compared_content += sum(compress(system_content, compress(gold.has_arc, scored)))
        for i, counts in enumerate(scored):
            if not counts or not gold.content[i] or gold.heads[i + 1] != system.heads[i + 1]:
                continue
            if gold.relations[i] == system.relations[i]:
                self.blex += lemmas[i]
                function_words = [
                    function_word
                    for function_word in system.function_words.get(i + 1, ())
                    if gold.has_arc[function_word[0]]
                ]
                same_words = gold.function_words.get(i + 1, []) == function_words
                self.mlas += upos[i] and feats[i] and same_words


class TagWatcher:
    """Counts of right tags per system, as sentences are compared; `known` are the forms of a training set."""

    def __init__(self, systems: int, known: Collection[str] | None = None) -> None:
        self.words = self.unseen_words = 0
        self._named = False  # whether gold has relations
        self._known = known
        self._counts = [_Counts() for _ in range(systems)]

    def __call__(self, group: Group, scored: bytes) -> None:
        """Count a sentence of gold and each system, if it has the same words in all of them."""
        if not group.same_words:
            return
        sentences = group.row
        gold = Annotation(sentences[0])
        unseen = None
        if self._known is not None:
            unseen = [form not in self._known for form in sentences[0].column("form")]
            self.unseen_words += sum(compress(unseen, scored))
        self.words += sum(map(bool, scored))
        self._named = self._named or any(gold.has_arc)
        for counts, system in zip(self._counts, sentences[1:], strict=True):
            counts.add(gold, Annotation(system), scored, unseen)

    def scores(self, system: int, more: Mapping[str, Tally] | None = None) -> TagScores:
        """Return the scores of a system; `more` has counts of other words, by the names of the scores."""
        counts = self._counts[system]
        tallies = {column: Tally(self.words, self.words, right) for column, right in counts.right.items()}
        system_content = counts.compared_content if self._named else counts.system_content
        tallies["mlas"] = Tally(counts.content, system_content, counts.mlas)
        tallies["blex"] = Tally(counts.content, system_content, counts.blex)
        if more is not None:
            tallies = {name: tally.plus(more[name]) for name, tally in tallies.items()}
        return TagScores(tallies["upos"].gold, **{name: tally.f1 for name, tally in tallies.items()})

    def unseen(self, system: int) -> TagScores | None:
        """Return the scores of words whose form is not in the training set; None if none was given."""
        if self._known is None:
            return None
        rights = self._counts[system].unseen
        return TagScores(
            self.unseen_words, **{name: share(right, self.unseen_words) for name, right in rights.items()}
        )

    def by_upos(self, system: int) -> dict[str, Retrieval]:
        """Measure how well each tag is found; the most frequent in gold come first."""
        pairs = self._counts[system].tags
        gold_words, system_words = Counter[str](), Counter[str]()
        for (gold_tag, system_tag), words in pairs.items():
            gold_words[gold_tag] += words
            system_words[system_tag] += words
        tags = {tag for counts in self._counts for pair in counts.tags for tag in pair}
        return {
            tag: retrieval(gold_words[tag], system_words[tag], pairs[tag, tag], pairs[tag, tag])
            for tag in sorted(tags, key=lambda tag: (-gold_words[tag], tag))
        }

    def confusion(self, system: int) -> dict[str, dict[str, int]]:
        """Count words by their tag in gold and in the system; the most frequent come first."""
        return confusion(self._counts[system].tags)
