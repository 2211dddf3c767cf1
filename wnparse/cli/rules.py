"""``wnparse stats --rules``: count how often the trees of treebanks break rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wnparse.cli.common import SkipBad, format_json, progress, say, table, write_text
from wnparse.cli.options.rules import describe_strange
from wnparse.reports.rule_tables import breaking_line, counts_as_dict, coverage_table
from wnparse.rules import Rules
from wnparse.rules.coverage import NO_OCCASION, RuleCounts, count_rules, keep_rules
from wnparse.rules.violations import Place
from wnparse.storage.files import display_name
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
    """Count how often trees break rules, and print a table or JSON.

    Parameters
    ----------
    paths : sequence of str
        The treebanks.
    rules : Rules
        What is counted.
    coverage : float
        Percentage of the occasions on which `train` requires a treebank to keep a rule.
    examples : int
        How many sentences that break a rule to show.
    skip_bad, as_json, output
        The options of the command.
    """
    skipped = SkipBad()
    names = [display_name(path) for path in paths]
    treebanks, total = [], RuleCounts(rules)
    for path, name in zip(paths, names, strict=True):
        sentences = read(path, heads="required", skip=skipped if skip_bad else None)
        treebanks.append(count_rules(progress(sentences, name), rules, examples))
        total.merge(treebanks[-1], examples)
    if as_json:
        text = format_json(_document(names, treebanks, total, coverage, skipped.count, examples))
    else:
        text = _format_tables(names, treebanks, total, coverage) if total.sentences else ""
    write_text(output, text)
    skipped.report()
    if not total.sentences:
        say("wnparse: no sentences in the input")
        return
    for line in describe_strange(rules, total.labels):
        say(f"wnparse: {line}")


def _format_tables(
    names: Sequence[str], treebanks: Sequence[RuleCounts], total: RuleCounts, coverage: float
) -> str:
    coverages = table(coverage_table(names, treebanks, total).lines, indent=0)
    text = "\n\n".join([coverages, breaking_line(total), _describe_choice(total, coverage)]) + "\n"
    for rule, examples in zip(total.rules, total.examples, strict=True):
        text += "".join(_format_example(rule.name, sentence, words) for sentence, words in examples)
    return text


def _describe_choice(total: RuleCounts, coverage: float) -> str:
    """Describe which rules `train --rules` would store."""
    kept, left_out = keep_rules(total, coverage)
    broken = [name for name, why in left_out.items() if why != NO_OCCASION]
    never_apply = len(left_out) - len(broken)
    noun = plural(len(total.rules), "rule")
    line = f"train --rules would keep {len(kept)} of {len(total.rules)} {noun} ({coverage:g} % of the chances)"
    if never_apply:
        line += f"; {never_apply} {plural(never_apply, 'rule')} without a chance"
    return f"{line}; left out: {', '.join(broken)}" if broken else line


def _format_example(name: str, sentence: Sentence, words: Place) -> str:
    """Return a sentence that breaks a rule; the words that break it are in [brackets], with their relations."""
    rows = zip(sentence.column("form"), sentence.column("deprel"), strict=True)
    forms = [
        f"[{form} {word}<-{sentence.heads[word]} {label}]" if word in words else form
        for word, (form, label) in enumerate(rows, 1)
    ]
    title = f"{name}: {sentence.sent_id or '(no sent_id)'} at {sentence.path}:{sentence.line}"
    return f"\n{printable(title)}\n  {printable(' '.join(forms))}\n"


def _document(
    names: Sequence[str],
    treebanks: Sequence[RuleCounts],
    total: RuleCounts,
    coverage: float,
    skipped: int,
    examples: int,
) -> dict[str, Any]:
    """Return all figures for JSON."""
    kept, left_out = keep_rules(total, coverage)
    data: dict[str, Any] = {
        "rules": total.rules.name,
        "files": [{"name": name, **counts_as_dict(part)} for name, part in zip(names, treebanks, strict=True)],
        "all": counts_as_dict(total),
        "coverage": coverage,
        "kept": [rule.name for rule in kept],
        "left_out": left_out,
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
            for rule, sentences in zip(total.rules, total.examples, strict=True)
            for sentence, words in sentences
        ]
    return data
