"""``wnparse stats --rules``: how often the trees of a treebank break rules."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from wnparse.cli.common import SkipBad, progress, say, table
from wnparse.cli.options.rules import describe_strange
from wnparse.reports.rule_tables import breaking_line, counts_as_dict, coverage_table
from wnparse.rules import Rules
from wnparse.rules.coverage import RuleCounts, count_rules, keep_rules
from wnparse.rules.violations import Place
from wnparse.storage.files import display_name, open_output
from wnparse.treebanks.reader import read
from wnparse.treebanks.sentence import Sentence
from wnparse.wording import plural, printable


def report_rules(
    paths: Sequence[str],
    rules: Rules,
    coverage: float,
    examples: int,
    *,
    skip_bad: bool,
    as_json: bool,
    output: str | None,
) -> None:
    """Count, and print."""
    skipped = SkipBad()
    names = [display_name(path) for path in paths]
    each = []
    for path, name in zip(paths, names, strict=True):
        sentences = read(path, heads="required", skip=skipped if skip_bad else None)
        each.append(count_rules(progress(sentences, name), rules, examples))
    total = RuleCounts.of(rules)
    for part in each:
        total.merge(part, examples)
    if as_json:
        data = _document(names, each, total, coverage, skipped.count, examples)
        text = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    else:
        text = _text(names, each, total, coverage) if total.sentences else ""
    with open_output(output) as stream:
        stream.write(text.encode())
    skipped.report()
    if not total.sentences:
        say("wnparse: no sentences in the input")
        return
    for line in describe_strange(rules, total.labels):
        say(f"wnparse: {line}")


def _text(names: Sequence[str], each: Sequence[RuleCounts], total: RuleCounts, coverage: float) -> str:
    found = coverage_table(names, each, total)
    parts = [table(found.lines, indent=0), breaking_line(total), _choice(total, coverage)]
    text = "\n\n".join(parts) + "\n"
    for rule, kept in zip(total.rules, total.examples, strict=True):
        for sentence, words in kept:
            text += _example(rule.name, sentence, words)
    return text


def _choice(total: RuleCounts, coverage: float) -> str:
    """What `train --rules` would store."""
    kept, left_out = keep_rules(total, coverage)
    broken = [each.name for each in left_out if total.tallies[_place(total, each.name)].occasions]
    idle = len(left_out) - len(broken)
    noun = plural(len(total.rules), "rule")
    line = f"train --rules would keep {len(kept)} of {len(total.rules)} {noun} ({coverage:g} % of the chances)"
    if idle:
        line += f"; {idle} {plural(idle, 'rule')} without a chance"
    return f"{line}; left out: {', '.join(broken)}" if broken else line


def _place(total: RuleCounts, name: str) -> int:
    return next(number for number, rule in enumerate(total.rules) if rule.name == name)


def _example(name: str, sentence: Sentence, words: Place) -> str:
    """A sentence that breaks a rule; the words concerned in [brackets] with their relations."""
    rows = zip(sentence.column("form"), sentence.column("deprel"), strict=True)
    shown = [
        f"[{form} {word}<-{sentence.heads[word]} {label}]" if word in words else form
        for word, (form, label) in enumerate(rows, 1)
    ]
    title = f"{name}: {sentence.sent_id or '(no sent_id)'} at {sentence.path}:{sentence.line}"
    return f"\n{printable(title)}\n  {printable(' '.join(shown))}\n"


def _document(
    names: Sequence[str],
    each: Sequence[RuleCounts],
    total: RuleCounts,
    coverage: float,
    skipped: int,
    examples: int,
) -> dict[str, Any]:
    kept, left_out = keep_rules(total, coverage)
    data: dict[str, Any] = {
        "rules": total.rules.name,
        "files": [{"name": name, **counts_as_dict(part)} for name, part in zip(names, each, strict=True)],
        "all": counts_as_dict(total),
        "coverage": coverage,
        "kept": [rule.name for rule in kept],
        "left_out": {each.name: each.why for each in left_out},
        "skipped": skipped,
    }
    if examples:
        data["examples"] = [
            {
                "rule": rule.name,
                "sent_id": sentence.sent_id,
                "file": sentence.path,
                "line": sentence.line,
                "words": list(words),
                "forms": sentence.column("form"),
            }
            for rule, found in zip(total.rules, total.examples, strict=True)
            for sentence, words in found
        ]
    return data
