"""Counts of words, tags and arcs of sentences whose tokens or sentence ends differ from gold.

The scores of the CoNLL 2018 shared task are F1 over aligned words (`wnparse.evaluation.character_alignment`). An
arc is right if its two words are aligned with the two words of an arc in gold; function words of MLAS likewise.
Words that are not scored in gold, and the words of the system that are aligned with them, do not count. O(words).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from wnparse.evaluation.character_alignment import align_words, count_same, locate
from wnparse.evaluation.metrics import Tally
from wnparse.evaluation.tag_scores import Annotation
from wnparse.treebanks.sentence import Sentence

ROOT, NO_HEAD, NOT_ALIGNED = -1, -2, -3  # instead of the index of a head


class _Side:
    """The words of one input, over the sentences of a group."""

    def __init__(self, sentences: Sequence[Sentence]) -> None:
        self.upos: list[str] = []
        self.xpos: list[str] = []
        self.feats: list[str] = []
        self.lemmas: list[str] = []
        self.relations: list[str] = []
        self.whole_relations: list[str] = []
        self.content: list[bool] = []
        self.has_arc: list[bool] = []
        self.heads: list[int] = []  # the index of the head, or one of the constants above
        self.function_words: dict[int, list[tuple[int, str, str, str]]] = {}
        for sentence in sentences:
            words, start = Annotation(sentence), len(self.heads)
            for name in ("upos", "xpos", "feats", "lemmas", "relations", "content", "has_arc"):
                getattr(self, name).extend(getattr(words, name))
            self.whole_relations += sentence.column("deprel")
            for head in words.heads[1:]:
                self.heads.append(start + head - 1 if head > 0 else ROOT if head == 0 else NO_HEAD)
            for head, function_words in words.function_words.items():
                if head > 0:
                    self.function_words[start + head - 1] = [
                        (start + word, relation, upos, feats) for word, relation, upos, feats in function_words
                    ]


class AlignedCounts:
    """Counts of one system: sentences, tokens and words of all sentences, the rest of those whose words differ."""

    def __init__(self) -> None:
        self._gold: Counter[str] = Counter()
        self._system: Counter[str] = Counter()
        self._right: Counter[str] = Counter()

    def add_same(self, gold: Sentence, system: Sentence) -> None:
        """Count a sentence that has the same words in gold and in the system."""
        words = len(gold)
        self._count("sentences", 1, 1, 1)
        self._count("words", words, words, words)
        multiword_tokens, others = gold.multiword_tokens, system.multiword_tokens
        if [token[:3] for token in multiword_tokens] == [token[:3] for token in others]:
            tokens = words - sum(token.last - token.first for token in multiword_tokens)
            self._count("tokens", tokens, tokens, tokens)
        else:
            self._count_spans("tokens", *(locate([sentence]).tokens for sentence in (gold, system)))

    def add(self, gold_sentences: Sequence[Sentence], sentences: Sequence[Sentence], scored: bytes) -> None:
        """Count sentences of the same text; `scored` has one byte per word of gold."""
        texts = [locate(gold_sentences), locate(sentences)]
        self._count_spans("tokens", *(text.tokens for text in texts))
        self._count_spans("sentences", *(text.sentences for text in texts))
        aligned = align_words(*(text.words for text in texts))
        self._count("words", len(scored), len(aligned), len(aligned) - aligned.count(-1))
        gold, system = _Side(gold_sentences), _Side(sentences)
        self._add_tags(gold, system, aligned, scored)
        self._add_arcs(gold, system, aligned, scored)

    def tallies(self) -> dict[str, Tally]:
        """Return the counts by the names of the scores."""
        return {name: Tally(self._gold[name], self._system[name], self._right[name]) for name in self._gold}

    def _count(self, name: str, gold: int, system: int, right: int) -> None:
        self._gold[name] += gold
        self._system[name] += system
        self._right[name] += right

    def _count_spans(self, name: str, gold: Sequence[tuple[int, int]], system: Sequence[tuple[int, int]]) -> None:
        self._count(name, len(gold), len(system), count_same(gold, system))

    def _add_tags(self, gold: _Side, system: _Side, aligned: list[int], scored: bytes) -> None:
        pairs = [(g, s) for s, g in enumerate(aligned) if g >= 0 and scored[g]]
        system_words = sum(g < 0 or scored[g] for g in aligned)
        upos = [gold.upos[g] == system.upos[s] for g, s in pairs]
        xpos = [gold.xpos[g] == system.xpos[s] for g, s in pairs]
        feats = [gold.feats[g] == system.feats[s] for g, s in pairs]
        right = {
            "upos": sum(upos),
            "xpos": sum(xpos),
            "ufeats": sum(feats),
            "alltags": sum(map(all, zip(upos, xpos, feats, strict=True))),
            "lemmas": sum(_same_lemma(gold, system, g, s) for g, s in pairs),
        }
        for name, number in right.items():
            self._count(name, sum(map(bool, scored)), system_words, number)

    def _add_arcs(self, gold: _Side, system: _Side, aligned: list[int], scored: bytes) -> None:
        def head_in_gold(s: int) -> int:
            head = system.heads[s]
            if head < 0:
                return head
            return aligned[head] if aligned[head] >= 0 else NOT_ALIGNED

        has_head = [bool(flag) and head != NO_HEAD for flag, head in zip(scored, gold.heads, strict=True)]
        named = [flag and arc for flag, arc in zip(has_head, gold.has_arc, strict=True)]
        right_heads = [
            (g, s)
            for s, g in enumerate(aligned)
            if g >= 0 and has_head[g] and system.heads[s] != NO_HEAD and gold.heads[g] == head_in_gold(s)
        ]
        arcs = [(g, s) for g, s in right_heads if named[g] and gold.relations[g] == system.relations[s]]
        content = [(g, s) for g, s in arcs if gold.content[g]]

        def count(name: str, counted: list[bool], right: int, which: Callable[[_Side, int], bool]) -> None:
            in_gold = sum(flag and which(gold, g) for g, flag in enumerate(counted))
            in_system = sum((g < 0 or counted[g]) and which(system, s) for s, g in enumerate(aligned))
            self._count(name, in_gold, in_system, right)

        count("uas", has_head, len(right_heads), _any)
        count("las", named, len(arcs), _any)
        labels = sum(gold.whole_relations[g] == system.whole_relations[s] for g, s in arcs)
        count("las_subtypes", named, labels, _any)
        count("clas", named, len(content), _is_content)
        count("blex", named, sum(_same_lemma(gold, system, g, s) for g, s in content), _is_content)
        mlas = sum(
            gold.upos[g] == system.upos[s]
            and gold.feats[g] == system.feats[s]
            and gold.function_words.get(g, []) == _aligned_function_words(gold, system, s, aligned)
            for g, s in content
        )
        count("mlas", named, mlas, _is_content)


def _any(side: _Side, word: int) -> bool:
    return True


def _is_content(side: _Side, word: int) -> bool:
    return side.content[word]


def _same_lemma(gold: _Side, system: _Side, g: int, s: int) -> bool:
    return gold.lemmas[g] in ("_", system.lemmas[s])


def _aligned_function_words(
    gold: _Side, system: _Side, s: int, aligned: list[int]
) -> list[tuple[int, str, str, str]]:
    """Return the function words of a word of the system, as words of gold that have an arc there."""
    return [
        (aligned[word], relation, upos, feats)
        for word, relation, upos, feats in system.function_words.get(s, [])
        if aligned[word] < 0 or gold.has_arc[aligned[word]]
    ]
