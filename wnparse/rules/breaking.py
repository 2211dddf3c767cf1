"""The sentences of a treebank that break rules, and pictures that show where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from wnparse.drawing.picture import Picture
from wnparse.rules.coverage import FilledColumns
from wnparse.rules.patterns import Rule
from wnparse.rules.ruleset import Rules
from wnparse.rules.violations import RuleCounter, Violation, words_of
from wnparse.treebanks.sentence import Sentence
from wnparse.wording import plural


class BrokenRule(NamedTuple):
    """A rule that a tree breaks, and where."""

    rule: Rule
    violations: list[Violation]


def find_broken(sentences: Iterable[Sentence], rules: Rules) -> Iterator[list[BrokenRule]]:
    """Yield the rules that the tree of each sentence breaks."""
    counter = RuleCounter(rules)
    columns = FilledColumns(counter.columns)

    def find(ready: Iterable[Sentence]) -> Iterator[list[BrokenRule]]:
        for sentence in ready:
            results = counter.look(sentence, annotated=columns.filled)
            yield [
                BrokenRule(rule, result.violations)
                for rule, result in zip(rules, results, strict=True)
                if result.violations
            ]

    for sentence in sentences:
        yield from find(columns.add(sentence))
    yield from find(columns.rest())


def mark_violations(picture: Picture, violations: list[Violation]) -> Picture:
    """Mark the words and arcs that break a rule."""
    arcs = {word for violation in violations for word in violation.arcs(picture.tree.heads)}
    return picture._replace(marked=picture.marked.union(words_of(violations)), broken=picture.broken.union(arcs))


def mark_broken(picture: Picture, broken: Iterable[BrokenRule]) -> Picture:
    """Mark the words and arcs that break rules, and note which rules these are and why they exist."""
    for rule, violations in broken:
        picture = mark_violations(picture, violations)
        words = words_of(violations)
        where = f"{plural(len(words), 'word')} {', '.join(map(str, words))}"
        picture = picture._replace(notes=[*picture.notes, f"breaks {rule.name} ({where}): {rule.reason}"])
    return picture
