"""Reading a pretrained encoder from a directory: ``config.json``, ``model.safetensors`` and ``tokenizer.json``."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from wnparse.errors import ModelError
from wnparse.neural.encoder import EncoderSizes
from wnparse.neural.wordpiece import PieceOptions, read_pieces
from wnparse.storage.strict_json import parse_json, whole

CONFIG, WEIGHTS, TOKENIZER = "config.json", "model.safetensors", "tokenizer.json"
FILES = (CONFIG, WEIGHTS, TOKENIZER)
MIXED = 4  # last layers of which words have a sum
LONGEST_HEADER = 100 << 20
EXPECTED = "expected an encoder like BERT, with a WordPiece tokenizer"
# Arrays that may have more rows than are used.
EXTENSIBLE = ("embeddings.word_embeddings.weight", "embeddings.token_type_embeddings.weight")

FloatArray = npt.NDArray[np.floating[Any]]


class Pretrained(NamedTuple):
    """A pretrained encoder."""

    sizes: EncoderSizes
    pieces: list[str]
    options: PieceOptions
    weights: dict[str, FloatArray]  # by the names of the file, without `bert.`


def read_pretrained(directory: str | os.PathLike[str]) -> Pretrained:
    """Read an encoder; ModelError, in one line, if it cannot be used."""
    folder = Path(directory)
    path = folder
    try:
        path = folder / CONFIG
        sizes = _read_config(json.loads(path.read_text(encoding="utf-8")))
        path = folder / TOKENIZER
        pieces, options = _read_tokenizer(json.loads(path.read_text(encoding="utf-8")))
        path = folder / WEIGHTS
        weights = _read_weights(path)
        _check_weights(weights, sizes, len(pieces))
    except OSError as error:
        raise ModelError(f"{path}: {error.strerror}; expected {CONFIG}, {WEIGHTS} and {TOKENIZER}") from None
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        detail = str(error) if isinstance(error, ValueError) else f"{type(error).__name__} {error}"
        raise ModelError(f"{path}: {detail.splitlines()[0]}; {EXPECTED}") from None
    return Pretrained(sizes, pieces, options, weights)


def _read_config(config: dict[str, Any]) -> EncoderSizes:
    kind, activation = config["model_type"], config["hidden_act"]
    if kind != "bert" or activation != "gelu" or config.get("position_embedding_type", "absolute") != "absolute":
        raise ValueError(f"model_type is {kind!r} and hidden_act {activation!r}")
    return EncoderSizes.read(
        {
            "hidden": config["hidden_size"],
            "intermediate": config["intermediate_size"],
            "layers": config["num_hidden_layers"],
            "heads": config["num_attention_heads"],
            "positions": config["max_position_embeddings"],
            "mixed": min(MIXED, config["num_hidden_layers"]),
            "epsilon": config["layer_norm_eps"],
        }
    )


def _read_tokenizer(tokenizer: dict[str, Any]) -> tuple[list[str], PieceOptions]:
    model, normalizer, splitter = tokenizer["model"], tokenizer["normalizer"], tokenizer["pre_tokenizer"]
    kinds = [model["type"], normalizer["type"], splitter["type"], model["continuing_subword_prefix"]]
    if kinds != ["WordPiece", "BertNormalizer", "BertPreTokenizer", "##"]:
        raise ValueError(f"the tokenizer is {', '.join(map(repr, kinds))}")
    numbers: dict[str, int] = model["vocab"]
    pieces = sorted(numbers, key=lambda piece: numbers[piece])
    if [numbers[piece] for piece in pieces] != list(range(len(pieces))):
        raise ValueError("the pieces are not numbered from 0 without gaps")
    lower, strip = bool(normalizer["lowercase"]), normalizer.get("strip_accents")
    options = PieceOptions(
        lowercase=lower,
        strip_accents=lower if strip is None else bool(strip),
        ideographs=bool(normalizer.get("handle_chinese_chars", True)),
        longest=whole(1, 10_000)(model.get("max_input_chars_per_word", 100)),
    )
    return read_pieces(pieces), options


def _read_weights(path: Path) -> dict[str, FloatArray]:
    """Read a safetensors file: F32, F16 and BF16 become float32; arrays of integers are left out."""
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if length > LONGEST_HEADER:
            raise ValueError("not a safetensors file")
        header = parse_json(file.read(length).decode())
        data = file.read()
    weights = {}
    for name, entry in header.items():
        if name == "__metadata__" or entry["dtype"] not in ("F32", "F16", "BF16"):
            continue
        begin, end = entry["data_offsets"]
        dtype = {"F32": "<f4", "F16": "<f2", "BF16": "<u2"}[entry["dtype"]]
        if (
            not 0 <= begin <= end <= len(data)
            or end - begin != math.prod(entry["shape"]) * np.dtype(dtype).itemsize
        ):
            raise ValueError(f"array {name}: its place is not in the file, or its size does not match its shape")
        array = np.frombuffer(data[begin:end], dtype).reshape(entry["shape"])
        if entry["dtype"] == "BF16":
            array = (array.astype(np.uint32) << 16).view(np.float32)
        weights[name.removeprefix("bert.")] = array.astype(np.float32)
    return weights


def _check_weights(weights: dict[str, FloatArray], sizes: EncoderSizes, pieces: int) -> None:
    """Raise ValueError if arrays are missing, or have other shapes."""
    for name, shape in weight_shapes(sizes, pieces).items():
        if name not in weights:
            raise ValueError(f"array {name} is missing")
        found = weights[name].shape
        fits = found[1:] == shape[1:] and found[0] >= shape[0] if name in EXTENSIBLE else found == shape
        if not fits or not np.isfinite(weights[name]).all():
            raise ValueError(f"array {name} has the shape {found}; expected {shape}, and finite numbers")


def weight_shapes(sizes: EncoderSizes, pieces: int) -> dict[str, tuple[int, ...]]:
    """Return the shapes of the arrays that are needed, outputs by inputs, by the names of BERT."""
    hidden = sizes.hidden
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (pieces, hidden),
        "embeddings.position_embeddings.weight": (sizes.positions, hidden),
        "embeddings.token_type_embeddings.weight": (1, hidden),
    }
    norms = ["embeddings.LayerNorm"]
    for layer in range(sizes.layers):
        begin = f"encoder.layer.{layer}."
        for name, outputs, inputs in (
            ("attention.self.query", hidden, hidden),
            ("attention.self.key", hidden, hidden),
            ("attention.self.value", hidden, hidden),
            ("attention.output.dense", hidden, hidden),
            ("intermediate.dense", sizes.intermediate, hidden),
            ("output.dense", hidden, sizes.intermediate),
        ):
            shapes[f"{begin}{name}.weight"] = outputs, inputs
            shapes[f"{begin}{name}.bias"] = (outputs,)
        norms += [f"{begin}attention.output.LayerNorm", f"{begin}output.LayerNorm"]
    for norm in norms:
        shapes[f"{norm}.weight"] = shapes[f"{norm}.bias"] = (hidden,)
    return shapes
