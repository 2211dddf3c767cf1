"""``wnparse info``: describe a model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from wnparse.cli.common import format_json, quiet_option
from wnparse.cli.paths import MODEL, Command
from wnparse.cli.sections import files
from wnparse.parser.confidence import Calibration
from wnparse.parser.model import Model, load
from wnparse.rules.coverage import NO_OCCASION
from wnparse.storage.files import display_name, open_output
from wnparse.training.learners import LEARNERS, USUAL_MARGIN
from wnparse.wording import counted, printable

EPILOG = """
\b
Examples:
  wnparse info model.wnp
  wnparse info model.wnp --json | jq .constraints
"""


@click.command("info", cls=Command, epilog=EPILOG)
@click.argument("path", metavar="MODEL", type=MODEL)
@files(
    "--json",
    "as_json",
    is_flag=True,
    help="Print JSON instead of text; docs/reference/json.md describes its keys.",
)
@quiet_option
def command(path: str, as_json: bool) -> None:
    """Describe a model: training, labels, columns, constraints, rules and size.

    The checksums of the model file are verified.
    """
    model = load(path)
    if as_json:
        figures = {"file": display_name(path), **_figures(model)}
        text = format_json({**figures, **model.info, **figures})
    else:
        lines = [("model", path), ("trained by", _trained_by(model.info)), *_describe_model(model)]
        # A label may hold anything, also what would steer a terminal.
        text = "".join(printable(f"{name:<13}{value}") + "\n" for name, value in lines)
    with open_output(None) as stream:
        stream.write(text.encode("utf-8", "backslashreplace"))


def _columns(model: Model) -> list[str]:
    return ["form", "upos", *(name for name, used in vars(model.columns).items() if used)]


def _count_weights(model: Model) -> tuple[int, int]:
    """Count the weights of arcs, and the rows of weights of labels."""
    arcs = int((model.weights["slots"] >> 16 != 0).sum())
    return arcs, int((model.weights["places"] != 0).sum()) if model.labels else 0


def _figures(model: Model) -> dict[str, Any]:
    """Return the figures for JSON, in addition to what the model file records."""
    tagger = model.tagger and model.tagger.figures()
    tokenizer = model.tokenizer and model.tokenizer.figures()
    if model.only_tags:
        size = sum(part.size for part in (model.tokenizer, model.tagger) if part)
        return {"bytes": size, "tokenizer": tokenizer, "tagger": tagger}
    arcs, rows = _count_weights(model)
    return {
        "order": model.order,
        "arc_weights": arcs,
        "label_rows": rows,
        "bytes": model.size,
        "scale": model.scale,
        "templates": model.templates,
        "labels": model.labels,
        "columns": _columns(model),
        "constraints": vars(model.constraints),
        "pruned": model.first_pass is not None,
        "kept_rules": [rule.name for rule in model.rules] if model.rules else [],
        "crossing_penalty": model.crossing_penalty,
        "joint_weight": model.joint_weight,
        "calibration": model.calibration and model.calibration.recorded(),
        "tokenizer": tokenizer,
        "tagger": tagger,
        "neural": model.neural and model.neural.figures(),
    }


def _describe_model(model: Model) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each line."""
    if model.only_tags:
        yield from _splitting_and_tagging(model)
        return
    info, labels = model.info, model.labels
    options, treebank = info.get("options", {}), info.get("treebank", {})
    arcs, rows = _count_weights(model)
    yield "order", str(model.order)
    yield "learner", _learner(options)
    yield "treebank", _treebank(treebank)
    coverage = f" ({treebank['coverage']:.2f} % of the treebank)" if "coverage" in treebank else ""
    yield "constraints", f"{model.constraints.describe()}{coverage}"
    yield from _rules(model)
    yield (
        "crossing",
        f"penalty {model.crossing_penalty:g} per pair of crossing arcs"
        if model.crossing_penalty
        else "no penalty",
    )
    yield "columns", " ".join(_columns(model))
    yield "labels", f"{len(labels)}: {' '.join(labels)}" if labels else "none"
    yield "templates", str(len(model.templates))
    yield "weights", f"{arcs:,} of arcs, {rows:,} rows of labels, {model.size / 1e6:.1f} MB"
    yield "first pass", f"at most {model.first_pass.most} heads per word" if model.first_pass else "none"
    yield "confidence", _confidence(model.calibration)
    yield "network", _network(model)
    yield from _splitting_and_tagging(model)
    yield from _history(info.get("history", []), options)


def _network(model: Model) -> str:
    """Describe the network of a model."""
    if model.neural is None:
        return "none"
    network, neural = model.neural.network, model.neural
    layers = f"{network.sizes.layers} LSTM layers of 2 x {network.sizes.hidden} cells"
    if network.encoder is not None:
        layers = f"encoder of {network.encoder.sizes.layers} layers of {network.encoder.sizes.hidden} dimensions"
    crossing = f"crossing penalty {neural.crossing_penalty:g}, " if neural.crossing_penalty else ""
    tuned = f"weight {neural.weight:g}, {crossing}{_confidence(neural.calibration)}"
    return f"{layers}, {network.size / 1e6:.1f} MB; {tuned}"


def _splitting_and_tagging(model: Model) -> Iterator[tuple[str, str]]:
    """Describe the tokenizer and the tagger."""
    yield "tokenizer", _tokenizer(model)
    yield "tagger", _tagger(model)


def _tokenizer(model: Model) -> str:
    """Describe the tokenizer of a model."""
    if model.tokenizer is None:
        return "none"
    figures = model.tokenizer.figures()
    words, scripts = counted(figures["known_words"], "known word"), counted(figures["scripts"], "script")
    return f"{words}, {scripts} of multiword tokens, {model.tokenizer.size / 1e6:.1f} MB"


def _trained_by(info: dict[str, Any]) -> str:
    """Describe the version that trained a model, and for how many epochs."""
    epochs = info.get("options", {}).get("epochs")
    known = "epoch" in info and epochs is not None
    return f"wnparse {info.get('wnparse', '?')}" + (f", epoch {info['epoch']} of {epochs}" if known else "")


def _treebank(treebank: dict[str, Any]) -> str:
    if not {"sentences", "words"} <= treebank.keys():
        return "unknown"
    return f"{counted(treebank['sentences'], 'sentence')}, {counted(treebank['words'], 'word')}"


def _history(history: list[dict[str, Any]], options: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Describe the scores of each epoch."""
    learner = LEARNERS.get(options.get("learner", ""))  # None if another version made the model
    augmented = learner is not None and learner.augments and options.get("margin", USUAL_MARGIN) > 0
    for epoch in history:
        scores = []
        if "train_uas" in epoch:
            scores.append(f"train UAS {epoch['train_uas']:.2f}{' (with margin)' if augmented else ''}")
        if epoch.get("dev_uas") is not None:
            scores.append(f"dev UAS {epoch['dev_uas']:.2f}")
        if epoch.get("dev_las") is not None:
            scores.append(f"LAS {epoch['dev_las']:.2f}")
        yield f"epoch {epoch.get('epoch', 0):2}     ", "  ".join(scores)


def _tagger(model: Model) -> str:
    """Describe which columns a tagger fills, and its size."""
    if model.tagger is None:
        return "none"
    figures = model.tagger.figures()
    names = ("tags", "bundles", "lemma_scripts")
    counts = ", ".join(f"{figures[name]:,} {name.replace('_', ' ')}" for name in names)
    weight = (
        f"; tag weight {model.joint_weight:g} when choosing tags and tree jointly" if model.joint_weight else ""
    )
    return f"{' '.join(figures['columns'])}; {counts}; {model.tagger.size / 1e6:.1f} MB{weight}"


def _rules(model: Model) -> Iterator[tuple[str, str]]:
    """Describe the rules of a model, and those that its treebank breaks too often."""
    info = model.info.get("rules") or {}
    if not model.rules:
        yield "rules", f"none of {info['name']}" if "name" in info else "none"
        return
    names = " ".join(rule.name if rule.hard else f"{rule.name} (penalty {rule.penalty:g})" for rule in model.rules)
    yield "rules", f"{len(model.rules)} of {model.rules.name}: {names}"
    for name, why in info.get("left_out", {}).items():
        if why != NO_OCCASION:
            yield "  left out", f"{name}, {why}"


def _learner(options: dict[str, Any]) -> str:
    """Describe a learner and its options."""
    values = [
        f"{name.replace('_', ' ')} {options[name]:g}"
        for name in ("margin", "max_step", "learner_trees")
        if name in options
    ]
    return ", ".join([options.get("learner", "unknown"), *values])


def _confidence(calibration: Calibration | None) -> str:
    """Describe the temperatures by which scores become probabilities."""
    if calibration is None:
        return "not calibrated"
    pruned = "" if calibration.pruned is None else f", {calibration.pruned:g} after the first pass"
    rest = (
        f", {100 * calibration.rest:.1f} % held back for errors that the local scores cannot see"
        if calibration.rest
        else ""
    )
    return f"temperature {calibration.full:g}{pruned}{rest}"
