"""``wnparse info``: what a model holds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import click

from wnparse.cli.common import quiet_option
from wnparse.cli.paths import MODEL, Command
from wnparse.parser.confidence import Calibration
from wnparse.parser.model import Model, load
from wnparse.rules.coverage import NO_OCCASION
from wnparse.storage.files import display_name, open_output
from wnparse.training.learners import LEARNERS, USUAL_MARGIN
from wnparse.wording import plural, printable

EPILOG = """
\b
Examples:
  wnparse info model.wnp
  wnparse info model.wnp --json | jq .constraints
"""


@click.command("info", cls=Command, epilog=EPILOG)
@click.argument("path", metavar="MODEL", type=MODEL)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@quiet_option
def command(path: str, as_json: bool) -> None:
    """Describe a model: its training, labels, columns, constraints and weights.

    The checksums of the header and of the weights are verified.
    """
    model = load(path)
    if model.only_tags:
        _describe_tagger(path, model, as_json=as_json)
        return
    columns = [name for name, used in vars(model.columns).items() if used]
    arcs = int((model.weights["slots"] >> 16 != 0).sum())
    rows = int((model.weights["places"] != 0).sum()) if model.labels else 0
    if as_json:
        data = {
            "file": display_name(path),
            "order": model.order,
            "arc_weights": arcs,
            "label_rows": rows,
            "bytes": model.size,
            "scale": model.scale,
            "templates": model.templates,
            "labels": model.labels,
            "columns": ["form", "upos", *columns],
            "constraints": vars(model.constraints),
            "pruned": model.first_pass is not None,
            "kept_rules": [rule.name for rule in model.rules] if model.rules else [],
            "crossing_price": model.crossing_price,
            "joint_weight": model.joint_weight,
            "calibration": model.calibration and model.calibration.recorded(),
            "tagger": model.tagger and model.tagger.describe(),
        }
        _write(json.dumps({**data, **model.info, **data}, indent=2, ensure_ascii=False))
        return
    info = model.info
    options, treebank = info.get("options", {}), info.get("treebank", {})
    _print(f"model        {path}")
    _print(f"trained by   {_version(info)}")
    _print(f"order        {model.order}")
    _print(f"learner      {_learner(options)}")
    _print(f"treebank     {_treebank(treebank)}")
    covered = f" ({treebank['coverage']:.2f} % of the treebank)" if "coverage" in treebank else ""
    _print(f"constraints  {model.constraints.describe()}{covered}")
    for line in _rules(model):
        _print(line)
    _print(f"crossing     {f'a price of {model.crossing_price:g} each' if model.crossing_price else 'free'}")
    _print(f"columns      form upos {' '.join(columns)}")
    _print(f"labels       {len(model.labels)}: {' '.join(model.labels)}" if model.labels else "labels       none")
    _print(f"templates    {len(model.templates)}")
    _print(f"weights      {arcs:,} of arcs, {rows:,} rows of labels, {model.size / 1e6:.1f} MB")
    _print(f"first pass   {f'at most {model.first_pass.most} heads a word' if model.first_pass else 'none'}")
    _print(f"confidence   {_describe(model.calibration)}")
    _print(f"tagger       {_tagger(model)}")
    for line in _history(info.get("history", []), options):
        _print(line)


def _version(info: dict[str, Any]) -> str:
    """Describe the version that trained a model, and for how many epochs."""
    epochs = info.get("options", {}).get("epochs")
    known = "epoch" in info and epochs is not None
    return f"wnparse {info.get('wnparse', '?')}" + (f", epoch {info['epoch']} of {epochs}" if known else "")


def _treebank(treebank: dict[str, Any]) -> str:
    """Describe the size of a treebank."""
    if not {"sentences", "words"} <= treebank.keys():
        return "unknown"
    sentences, words = treebank["sentences"], treebank["words"]
    return f"{sentences:,} {plural(sentences, 'sentence')}, {words:,} {plural(words, 'word')}"


def _history(history: list[dict[str, Any]], options: dict[str, Any]) -> Iterator[str]:
    """Describe each epoch in a line."""
    learner = LEARNERS.get(options.get("learner", ""))  # one of another version may be unknown
    augmented = learner is not None and learner.augments and options.get("margin", USUAL_MARGIN) > 0
    for epoch in history:
        scores = []
        if "train_uas" in epoch:
            scores.append(f"train UAS {epoch['train_uas']:.2f}{' (with margin)' if augmented else ''}")
        if epoch.get("dev_uas") is not None:
            scores.append(f"dev UAS {epoch['dev_uas']:.2f}")
        if epoch.get("dev_las") is not None:
            scores.append(f"LAS {epoch['dev_las']:.2f}")
        yield f"epoch {epoch.get('epoch', 0):2}     {'  '.join(scores)}"


def _describe_tagger(path: str, model: Model, *, as_json: bool) -> None:
    """What a model holds that only tags."""
    assert model.tagger is not None
    if as_json:
        data = {
            "file": display_name(path),
            "bytes": model.tagger.size,
            "tagger": model.tagger.describe(),
        }
        _write(json.dumps({**data, **model.info, **data}, indent=2, ensure_ascii=False))
        return
    _print(f"model        {path}")
    _print(f"trained by   {_version(model.info)}")
    _print(f"tagger       {_tagger(model)}")


def _tagger(model: Model) -> str:
    """What a tagger fills."""
    if model.tagger is None:
        return "none"
    told = model.tagger.describe()
    counts = ", ".join(f"{told[name]:,} {name.replace('_', ' ')}" for name in ("tags", "bundles", "lemma_scripts"))
    together = f"; tags count {model.joint_weight:g} beside trees" if model.joint_weight else ""
    return f"{' '.join(told['columns'])}; {counts}; {model.tagger.size / 1e6:.1f} MB{together}"


def _rules(model: Model) -> list[str]:
    """The rules of a model, and those that its treebank did not keep."""
    told = model.info.get("rules")
    if not model.rules:
        return [f"rules        none of {told['name']}" if told and "name" in told else "rules        none"]
    names = " ".join(rule.name if rule.hard else f"{rule.name} (penalty {rule.penalty:g})" for rule in model.rules)
    lines = [f"rules        {len(model.rules)} of {model.rules.name}: {names}"]
    left_out = told.get("left_out", {}) if told else {}
    broken = [f"{name}, {why}" for name, why in left_out.items() if why != NO_OCCASION]
    return lines + [f"  left out   {each}" for each in broken]


def _learner(options: dict[str, Any]) -> str:
    """A learner and what it was told."""
    told = [f"{name} {options[name]:g}" for name in ("margin", "C", "k") if name in options]
    return ", ".join([options.get("learner", "unknown"), *told])


def _describe(calibration: Calibration | None) -> str:
    """Tell the temperatures."""
    if calibration is None:
        return "not calibrated"
    pruned = "" if calibration.pruned is None else f", {calibration.pruned:g} after the first pass"
    rest = f", {100 * calibration.rest:.1f} % left for what is not compared" if calibration.rest else ""
    return f"temperature {calibration.full:g}{pruned}{rest}"


def _print(line: str) -> None:
    """Print a line that cannot steer a terminal: a label may hold anything."""
    _write(printable(line))


def _write(text: str) -> None:
    """Write a text to standard output in UTF-8, whatever the locale."""
    with open_output(None) as stream:
        stream.write(f"{text}\n".encode("utf-8", "backslashreplace"))
