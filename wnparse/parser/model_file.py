"""The model file, format 1: a header in JSON, and arrays (`wnparse.storage.tensors`); loading, saving, pickling.

Each key of the header is a `Key` below: it names the attribute of the model, checks and reads the value of the
file, and writes the value of the model. To add a key, add an attribute to `wnparse.parser.model.Model` and a `Key`
to one of the two tuples. docs/reference/model-file.md describes all keys and arrays. The whole file is checked
when it is loaded: the core reads nothing unchecked.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from wnparse.decoding.constraints import Constraints
from wnparse.errors import ModelError, RulesError
from wnparse.parser.confidence import Calibration
from wnparse.parser.features import MOST_TEMPLATES
from wnparse.parser.first_pass import FirstPass
from wnparse.parser.joint import LARGEST_JOINT_WEIGHT
from wnparse.parser.neural_scorer import NeuralScorer
from wnparse.parser.part_features import MOST_ORDER
from wnparse.parser.pruner import Pruner
from wnparse.parser.tokens import UsedColumns
from wnparse.rules import Rules
from wnparse.rules.compile import MOST_CLASSES, compile_rules, label_sets_of
from wnparse.rules.patterns import LARGEST_PENALTY
from wnparse.storage.files import open_output
from wnparse.storage.quantise import SCALES
from wnparse.storage.strict_json import (
    Reader,
    check_depth,
    flag,
    list_of,
    names,
    number,
    optional,
    parse_json,
    partial_table,
    table,
    text,
    texts,
    whole,
)
from wnparse.storage.tensors import Arrays, read_metadata, read_tensors, take, write_tensors
from wnparse.tagger.tagger import Tagger
from wnparse.tokenizer.tokenizer import Tokenizer
from wnparse.wording import printable, shown

if TYPE_CHECKING:
    from wnparse.parser.model import Model

FORMAT = 1
# Arrays of a parser. What they must hold is in `wnparse.parser.model.Model`, and checked in cext/modules.
ARC_ARRAYS = {"slots": np.uint32}  # arcs/
LABEL_ARRAYS = {"fingerprints": np.uint16, "places": np.uint32, "rows": np.uint32}  # labels/
CANDIDATE_ARRAYS = {"keys": np.uint64, "begin": np.int32, "labels": np.int32}  # label_candidates/
UNRELEASED = range(3, 7)  # formats of a version that was never released
MOST_COMPARISONS = 50_000_000  # of labels with relations that rules name: some seconds


class Key(NamedTuple):
    """A key of the header."""

    name: str  # in the file
    read: Reader  # checks a value of JSON and returns the value of the model; ValueError if it cannot be used
    write: Callable[[Any], Any] = lambda value: value  # returns a value of JSON for the value of the model
    attribute: str = ""  # of the model; the name of the key if it is empty


def _templates(value: Any) -> list[str]:
    templates = texts(value)
    if len(templates) > MOST_TEMPLATES:
        raise ValueError(f"{len(templates):,} templates; expected at most {MOST_TEMPLATES}")
    return templates


def _rules(value: Any) -> Rules:
    check_depth(value)
    try:
        return Rules.from_json(value)
    except RulesError as error:
        raise ValueError(error.message) from None


def _info(value: Any) -> dict[str, Any]:
    """Read the facts of the training run; `wnparse info` prints the keys that are checked here."""
    check_depth(value)
    count, percentage = whole(0), number(0, 100)
    epoch = partial_table(
        epoch=count, train_uas=percentage, dev_uas=optional(percentage), dev_las=optional(percentage)
    )
    return partial_table(
        wnparse=text,
        epoch=count,
        options=partial_table(
            epochs=count,
            learner=text,
            margin=number(0, 1e9),
            max_step=number(0, 1e300),
            learner_trees=count,
            order=count,
        ),
        treebank=partial_table(sentences=count, words=count, coverage=percentage, several_roots=percentage),
        rules=partial_table(name=text, coverage=percentage, rules=count, left_out=_explanations),
        history=list_of(epoch),
    )(value)


def _explanations(value: Any) -> dict[str, str]:
    """Read names of rules, each with the reason why it was left out."""
    return table(**(dict.fromkeys(value, text) if isinstance(value, dict) else {}))(value)


def _constraints(value: Any) -> Constraints:
    return Constraints(**table(block_degree=optional(whole(1)), well_nested=flag, single_root=flag)(value))


# Keys of the parser; the whole object is null in a model that only tags.
PARSER = (
    Key("order", whole(1, MOST_ORDER)),
    Key("labels", names),
    Key("columns", lambda value: UsedColumns(**table(lemma=flag, xpos=flag, feats=flag)(value)), asdict),
    Key("constraints", _constraints, asdict),
    Key("arc_templates", _templates, attribute="templates"),
    Key("part_templates", _templates),
    Key("scale", number(*SCALES)),
    Key("first_pass", optional(FirstPass.read_limits), lambda value: value and value.limits()),
    Key("pruner", optional(Pruner.read_limits), lambda value: value and value.limits()),
    Key("calibration", optional(Calibration.read), lambda value: value and asdict(value)),
    Key("rules", optional(_rules), lambda value: value and value.to_json()),
    Key("crossing_penalty", number(0, LARGEST_PENALTY), attribute="crossing_penalty"),
)
# Keys of the whole model, besides `format` and `parser`.
MODEL = (
    Key("tokenizer", optional(Tokenizer.read_header), lambda value: value and value.header()),
    Key("tagger", optional(Tagger.read_header), lambda value: value and value.header()),
    Key("joint_weight", number(0, LARGEST_JOINT_WEIGHT)),
    Key("neural", optional(NeuralScorer.read_header), lambda value: value and value.header()),
    Key("info", _info),
)

# Parts with arrays of their own.
PARTS: dict[str, Any] = {
    "first_pass": FirstPass, "pruner": Pruner, "tokenizer": Tokenizer, "tagger": Tagger, "neural": NeuralScorer,
}  # fmt: skip
# Models without these parts are written as they were before there were such parts.
OPTIONAL = ("tokenizer", "neural")


def write_header(model: Model) -> str:
    """Return the header of a model as JSON."""
    header: dict[str, Any] = {"format": FORMAT, "parser": None if model.only_tags else _written(model, PARSER)}
    header |= _written(model, MODEL)
    for name in OPTIONAL:
        if getattr(model, name) is None:
            del header[name]
    return json.dumps(header, ensure_ascii=False, allow_nan=False)


def _written(model: Model, keys: tuple[Key, ...]) -> dict[str, Any]:
    return {key.name: key.write(getattr(model, key.attribute or key.name)) for key in keys}


def check_format(header: Any) -> None:
    """Raise ValueError if the header is of another format."""
    number = header.get("format") if isinstance(header, dict) else None
    if isinstance(number, bool) or not isinstance(number, int):
        raise ValueError("the header has no model format; expected a model of wnparse")
    if number in UNRELEASED:
        raise ValueError(f"model format {number} is of a version that was never released; retrain the model")
    if number != FORMAT:
        raise ValueError(f"unknown model format; expected {FORMAT}: update wnparse, or retrain the model")


def read_header(metadata: Mapping[str, str]) -> dict[str, Any]:
    """Return the attributes that the header of a model file describes, without the parser's if there is none.

    For first pass, pruner, tokenizer and tagger it returns their entries in the header, without arrays.
    """
    if "wnparse" not in metadata:
        raise ValueError("not a wnparse model; expected a file written by wnparse")
    header = parse_json(metadata["wnparse"])
    check_format(header)
    for name in OPTIONAL:
        header.setdefault(name, None)
    parser, model = ({key.name: key.read for key in keys} for keys in (PARSER, MODEL))
    values = table(format=whole(FORMAT), parser=optional(table(**parser)), **model)(header)
    attributes = {key.attribute or key.name: values[key.name] for key in MODEL}
    if values["parser"] is not None:
        attributes |= {key.attribute or key.name: values["parser"][key.name] for key in PARSER}
    return attributes


def file_arrays(model: Model) -> Arrays:
    """Return the arrays of a model as its file names them."""
    arrays: Arrays = {}
    if not model.only_tags:
        arrays["arcs/slots"] = model.weights["slots"]
    if model.labels:
        arrays |= {f"labels/{name}": model.weights[name] for name in LABEL_ARRAYS}
        arrays |= {f"label_candidates/{name}": model.label_table[name] for name in CANDIDATE_ARRAYS}
    for name in PARTS:
        part = getattr(model, name)
        arrays |= part.stored() if part else {}
    return arrays


def _check_classes(rules: Rules, labels: list[str]) -> None:
    """Raise ValueError for rules that cannot be compiled for so many labels, or would take long."""
    sets = label_sets_of(pattern for rule in rules for pattern in rule.patterns).sets
    comparisons = len(labels) * sum(len(label_set.named) for label_set in sets)
    if comparisons > MOST_COMPARISONS:
        raise ValueError(f"the rules name too many relations for {len(labels):,} labels; expected fewer")
    try:
        compile_rules(rules, labels)
    except RulesError as error:
        raise ValueError(error.message) from None


def _take_arrays(arrays: Arrays, header: dict[str, Any]) -> dict[str, Any]:
    """Return the attributes of a model, with its arrays; ValueError if arrays and header do not fit together."""
    attributes, arrays = dict(header), dict(arrays)
    if "templates" in header:
        _check_parser(header)
        attributes["weights"] = take(arrays, "arcs/", ARC_ARRAYS)
        if header["labels"]:
            attributes["weights"] |= take(arrays, "labels/", LABEL_ARRAYS)
            attributes["label_table"] = take(arrays, "label_candidates/", CANDIDATE_ARRAYS)
    elif header["tagger"] is None and header["tokenizer"] is None:
        raise ValueError("no parser, no tagger and no tokenizer; expected at least one of them")
    for name, part in PARTS.items():
        if header.get(name) is not None:
            attributes[name] = part.of(arrays, header[name])
    _check_neural(attributes)
    if arrays:
        raise ValueError(f"array {shown(next(iter(arrays)))} is unknown, or not described in the header")
    return attributes


def _check_neural(attributes: dict[str, Any]) -> None:
    """Raise ValueError if a network does not fit the parser that it is a part of."""
    neural = attributes.get("neural")
    if neural is None:
        return
    if "templates" not in attributes or attributes["calibration"] is None:
        raise ValueError("a network without a calibrated parser; expected both")
    if neural.network.sizes.relations != len(attributes["labels"]):
        raise ValueError(
            f"a network for {neural.network.sizes.relations:,} labels; expected {len(attributes['labels']):,}"
        )


def _check_parser(header: dict[str, Any]) -> None:
    """Raise ValueError if the attributes of a parser contradict each other."""
    if not header["templates"]:
        raise ValueError("a parser without templates; expected at least one")
    if (header["order"] > 1) != (header["pruner"] is not None):
        raise ValueError(
            f"a parser of order {header['order']} {'with' if header['pruner'] else 'without'} a pruner"
        )
    if header["rules"] is not None and len(header["labels"]) > MOST_CLASSES:
        _check_classes(header["rules"], header["labels"])


def save_model(model: Model, path: str) -> None:
    """Write a model; the file appears completely or not at all."""
    with open_output(path) as stream:
        write_tensors(stream, file_arrays(model), {"wnparse": write_header(model)})


def load_model(path: str, make: type[Model]) -> Model:
    """Read a model; ModelError, in one line, if it cannot be used."""
    header: dict[str, Any] = {}
    arrays, _, checksum = read_tensors(path, lambda metadata: header.update(read_header(metadata)))
    try:
        model = make(**_take_arrays(arrays, header))
        if not model.only_tags:
            model._scorer  # noqa: B018 -- the core checks the arrays when it is given them
    except ValueError as error:
        raise ModelError(f"{path}: {printable(str(error))}") from None
    if checksum:  # The path is absolute, since the model may be unpickled in another directory.
        object.__setattr__(model, "_source", (str(Path(path).absolute()), checksum))
    return model


def reduce_model(model: Model) -> tuple[Any, ...]:
    """Return what `pickle` stores: path and checksum of the file of a model, or all attributes."""
    if model._source:
        path, source_checksum = model._source
        checksum, metadata = read_metadata(path)
        # Neither the file nor the model has been changed in place.
        if checksum == source_checksum and metadata.get("wnparse") == write_header(model):
            return _load_again, (path, checksum, type(model))
    return type(model), tuple(getattr(model, attribute.name) for attribute in fields(model) if attribute.init)


def _load_again(path: str, checksum: str, make: type[Model]) -> Model:
    """Unpickle a model from its file; ModelError if the file is gone, or is another one."""
    try:
        model = load_model(path, make)
    except OSError as error:
        raise ModelError(
            f"{path}: {error.strerror}; expected the file of the model, which was pickled by its path"
        ) from error
    if model._source != (path, checksum):
        raise ModelError(f"{path}: not the model that was pickled; expected the checksum {checksum}")
    return model
