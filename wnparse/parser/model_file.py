"""The model file, format 1: a header in JSON, and arrays (`wnparse.storage.tensors`).

Each key of the header is a `Key` below: it names the attribute of the model, checks and reads the value of the
file, and writes the value of the model. To add a key, add an attribute to `wnparse.parser.model.Model` and a `Key`
to one of the two tuples. docs/model-file.md describes all keys and arrays.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from wnparse.decoding.constraints import Constraints
from wnparse.errors import RulesError
from wnparse.parser.confidence import Calibration
from wnparse.parser.features import MOST_TEMPLATES
from wnparse.parser.first_pass import FirstPass
from wnparse.parser.part_features import MOST_ORDER
from wnparse.parser.pruner import Pruner
from wnparse.parser.tokens import UsedColumns
from wnparse.rules import Rules
from wnparse.rules.compile import MOST_CLASSES, compile_rules, label_sets_of
from wnparse.rules.patterns import LARGEST_PENALTY
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
    read_table,
    table,
    text,
    texts,
    whole,
)
from wnparse.storage.tensors import Arrays, take
from wnparse.tagger.tagger import Tagger
from wnparse.wording import shown

if TYPE_CHECKING:
    from wnparse.parser.model import Model

FORMAT = 1
# Arrays of a parser. What they must hold is in `wnparse.parser.model.Model`, and checked in cext/modules.
ARC_ARRAYS = {"slots": np.uint32}  # arcs/
LABEL_ARRAYS = {"fingerprints": np.uint16, "places": np.uint32, "rows": np.uint32}  # labels/
CANDIDATE_ARRAYS = {"keys": np.uint64, "begin": np.int32, "labels": np.int32}  # label_candidates/
UNRELEASED = range(3, 7)  # formats of a version that was never released
LARGEST_WEIGHT = 1e15  # of tags next to trees
MOST_COMPARISONS = 50_000_000  # of labels with relations that rules name: some seconds


@dataclass(frozen=True)
class Key:
    """A key of the header.

    Attributes
    ----------
    name : str
        In the file.
    read : callable
        Checks a value of JSON and returns the value of the model; ValueError if it cannot be used.
    write : callable
        Returns a value of JSON for the value of the model.
    attribute : str
        Of the model; the name of the key if it is empty.
    """

    name: str
    read: Reader
    write: Callable[[Any], Any] = lambda value: value
    attribute: str = ""


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
    """Read what is known of the training run; `wnparse info` prints the keys that are checked here."""
    check_depth(value)
    count, percentage = whole(0), number(0, 100)
    epoch = partial_table(
        epoch=count, train_uas=percentage, dev_uas=optional(percentage), dev_las=optional(percentage)
    )
    read = partial_table(
        wnparse=text,
        epoch=count,
        options=partial_table(
            epochs=count, learner=text, margin=number(0, 1e9), C=number(0, 1e300), k=count, order=count
        ),
        treebank=partial_table(sentences=count, words=count, coverage=percentage, several_roots=percentage),
        rules=partial_table(name=text, coverage=percentage, rules=count, left_out=_explanations),
        history=list_of(epoch),
    )
    return read(value)


def _explanations(value: Any) -> dict[str, str]:
    """Read names of rules, each with the reason why it was left out."""
    return read_table(value, dict.fromkeys(value, text) if isinstance(value, dict) else {}, whole_table=True)


def _constraints(value: Any) -> Constraints:
    return Constraints(
        **table(block_degree=optional(whole(1)), well_nested=flag, single_root=flag)(value),
    )


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
    Key("crossing_penalty", number(0, LARGEST_PENALTY), attribute="crossing_price"),
)
# Keys of the whole model, besides `format` and `parser`.
MODEL = (
    Key("tagger", optional(Tagger.read_header), lambda value: value and value.header()),
    Key("joint_weight", number(0, LARGEST_WEIGHT)),
    Key("info", _info),
)


def write_header(model: Model) -> str:
    """Return the header of a model as JSON."""
    header: dict[str, Any] = {"format": FORMAT, "parser": None if model.only_tags else _written(model, PARSER)}
    return json.dumps(header | _written(model, MODEL), ensure_ascii=False, allow_nan=False)


def _written(model: Model, keys: tuple[Key, ...]) -> dict[str, Any]:
    return {key.name: key.write(getattr(model, key.attribute or key.name)) for key in keys}


def check_format(header: Any) -> None:
    """Raise ValueError if the header is of another format."""
    number = header.get("format") if isinstance(header, dict) else None
    if isinstance(number, bool) or not isinstance(number, int):
        raise ValueError("the header does not name a model format; expected a model of wnparse")
    if number in UNRELEASED:
        raise ValueError(f"model format {number} is of a version that was never released; retrain the model")
    if number != FORMAT:
        raise ValueError(
            f"unknown model format; this version of wnparse reads format {FORMAT}: update it, or retrain"
        )


def read_header(metadata: Mapping[str, str]) -> dict[str, Any]:
    """Return the attributes that the header of a model file describes, without the parser's if there is none.

    Of first pass, pruner and tagger it returns what the header says of them: their arrays are not part of it.
    """
    if "wnparse" not in metadata:
        raise ValueError("not a model of wnparse")
    header = parse_json(metadata["wnparse"])
    check_format(header)
    parser = _reader(PARSER)
    readers: dict[str, Reader] = {"format": whole(FORMAT), "parser": optional(parser), **_readers(MODEL)}
    values = read_table(header, readers, whole_table=True)
    del values["format"]
    return {key.attribute or key.name: values[key.name] for key in MODEL} | {"parser": values["parser"]}


def _reader(keys: tuple[Key, ...]) -> Reader:
    """Return a reader of an object with these keys, which returns the attributes of the model."""

    def read(value: Any) -> dict[str, Any]:
        values = read_table(value, _readers(keys), whole_table=True)
        return {key.attribute or key.name: values[key.name] for key in keys}

    return read


def _readers(keys: tuple[Key, ...]) -> dict[str, Reader]:
    return {key.name: key.read for key in keys}


def file_arrays(model: Model) -> Arrays:
    """Return the arrays of a model as its file names them."""
    arrays: Arrays = {}
    if not model.only_tags:
        arrays["arcs/slots"] = model.weights["slots"]
    if model.labels:
        arrays |= {f"labels/{name}": model.weights[name] for name in LABEL_ARRAYS}
        arrays |= {f"label_candidates/{name}": model.label_table[name] for name in CANDIDATE_ARRAYS}
    for part in (model.first_pass, model.pruner, model.tagger):
        arrays |= part.stored() if part else {}
    return arrays


def model_fields(arrays: Arrays, header: dict[str, Any]) -> dict[str, Any]:
    """Return the attributes of a model by the arrays and the header of its file.

    Those of a parser are left out if there is none. ValueError if arrays and header do not fit together.
    """
    fields, arrays = dict(header), dict(arrays)
    parser = fields.pop("parser")
    if fields["tagger"] is not None:
        fields["tagger"] = Tagger.of(arrays, fields["tagger"])
    if parser is not None:
        fields |= _parser_fields(arrays, parser)
    elif fields["tagger"] is None:
        raise ValueError("neither a parser nor a tagger; expected at least one of them")
    if arrays:
        raise ValueError(f"array {shown(next(iter(arrays)))} is unknown, or belongs to nothing in the header")
    return fields


def _check_classes(rules: Rules, labels: list[str]) -> None:
    """Refuse rules that cannot be compiled for so many labels, or would take long."""
    sets = label_sets_of(row for rule in rules for row in rule.rows).sets
    comparisons = len(labels) * sum(len(each.named) for each in sets)
    if comparisons > MOST_COMPARISONS:
        raise ValueError(f"rules that name too many relations for {len(labels):,} labels")
    try:
        compile_rules(rules, labels)
    except RulesError as error:
        raise ValueError(error.message) from None


def _parser_fields(arrays: Arrays, parser: dict[str, Any]) -> dict[str, Any]:
    """Return the attributes of a parser; its arrays are removed."""
    fields = dict(parser)
    if not parser["templates"]:
        raise ValueError("a parser without templates")
    if (parser["order"] > 1) != (parser["pruner"] is not None):
        raise ValueError(
            f"a parser of order {parser['order']} {'with' if parser['pruner'] else 'without'} a pruner"
        )
    if parser["rules"] is not None and len(parser["labels"]) > MOST_CLASSES:
        _check_classes(parser["rules"], parser["labels"])
    fields["weights"], fields["label_table"] = take(arrays, "arcs/", ARC_ARRAYS), {}
    if parser["labels"]:
        fields["weights"] |= take(arrays, "labels/", LABEL_ARRAYS)
        fields["label_table"] = take(arrays, "label_candidates/", CANDIDATE_ARRAYS)
    if parser["first_pass"] is not None:
        fields["first_pass"] = FirstPass.of(arrays, parser["first_pass"])
    if parser["pruner"] is not None:
        fields["pruner"] = Pruner.of(arrays, parser["pruner"])
    return fields
