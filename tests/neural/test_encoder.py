"""A pretrained encoder: the graph against a slow reference, PyTorch against both, files that cannot be used."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from support import neural_oracles as reference
from support.commands import Run
from support.neural_oracles import tiny_encoder
from support.places import DATA
from wnparse.errors import ModelError
from wnparse.neural.encoder import Encoder
from wnparse.neural.pretrained import read_pretrained
from wnparse.parser.model import load
from wnparse.treebanks.reader import read
from wnparse.treebanks.sentence import Sentence

pytest.importorskip("onnxruntime")


@pytest.fixture(scope="module")
def folder(sample: list[Sentence], tmp_path_factory: pytest.TempPathFactory) -> Path:
    forms = [form for sentence in sample[:30] for form in sentence.column("form")]
    return tiny_encoder(tmp_path_factory.mktemp("encoder") / "tiny", forms)


@pytest.fixture
def encoder(folder: Path) -> Encoder:
    torch_encoder = pytest.importorskip("wnparse.neural.torch_encoder", reason="PyTorch is not installed")
    found: Encoder = torch_encoder.TorchEncoder(read_pretrained(folder)).encoder()
    return found


def test_the_graph_computes_what_the_reference_does(encoder: Encoder, sample: list[Sentence]) -> None:
    for sentence in sample[:8]:
        expected = reference.encoder_vectors(encoder, sentence)
        vectors = encoder.encode(sentence)
        assert vectors.shape == (len(sentence) + 1, encoder.sizes.hidden)
        np.testing.assert_allclose(vectors, expected, atol=0.05 * np.abs(expected).max())


def test_pytorch_computes_what_the_reference_does(
    folder: Path, sample: list[Sentence], monkeypatch: pytest.MonkeyPatch
) -> None:
    torch = pytest.importorskip("torch")
    from wnparse.neural.torch_encoder import TorchEncoder

    monkeypatch.setattr(reference, "rounded", lambda values: values)
    learned = TorchEncoder(read_pretrained(folder))
    learned.eval()
    with torch.no_grad():
        for weights in learned.parameters():  # numbers that 8 bits can hold
            if weights.ndim == 2:
                rounded = torch.round(weights * 32).clamp(-63, 63)
                rounded[:, 0] = 63
                weights.copy_(rounded / 64)
        sentences = [*sample[:4], *[one for one in sample if len(one) > 25][:1]]
        stretches = [learned.prepare(sentence) for sentence in sentences]
        vectors = learned([stretch for parts in stretches for stretch in parts]).numpy()
    assert any(len(parts) > 1 for parts in stretches)  # a sentence that is too long for one stretch
    expected = np.concatenate([reference.encoder_vectors(learned.encoder(), sentence) for sentence in sentences])
    np.testing.assert_allclose(vectors, expected, rtol=1e-3, atol=1e-3)


def test_long_sentences_are_cut_between_words(encoder: Encoder, sample: list[Sentence]) -> None:
    sentence = next(one for one in sample if len(one) > 25)
    stretches = list(encoder.stretches(sentence))
    assert len(stretches) > 1
    assert sum(len(means) - 1 for _, means in stretches) == len(sentence)
    for pieces, means in stretches:
        assert len(pieces) <= encoder.sizes.positions
        np.testing.assert_allclose(means.sum(axis=1), 1.0, rtol=1e-6)


def test_16_bit_weights_are_read(folder: Path, tmp_path: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    for name in ("config.json", "tokenizer.json"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    save_file(
        {f"bert.{name}": array.astype(np.float16) for name, array in weights.items()},
        tmp_path / "model.safetensors",
    )
    for name, array in read_pretrained(tmp_path).weights.items():
        np.testing.assert_allclose(array, weights[name], atol=2e-3)


def in_json(name: str, change: Callable[[dict], object]) -> Callable[[Path], object]:
    def damage(folder: Path) -> None:
        content = json.loads((folder / name).read_text())
        change(content)
        (folder / name).write_text(json.dumps(content))

    return damage


def in_weights(change: Callable[[dict[str, np.ndarray]], object]) -> Callable[[Path], object]:
    def damage(folder: Path) -> None:
        weights = load_file(folder / "model.safetensors")
        change(weights)
        save_file(weights, folder / "model.safetensors")

    return damage


def truncate(folder: Path) -> None:
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-50])


QUERY = "encoder.layer.1.attention.self.query.weight"


@pytest.mark.parametrize(
    "damage, keyword",
    [
        (lambda folder: (folder / "config.json").unlink(), "config.json"),
        (lambda folder: (folder / "tokenizer.json").write_text("{"), "tokenizer.json"),
        (lambda folder: (folder / "model.safetensors").write_bytes(b"abc"), "model.safetensors"),
        (lambda folder: (folder / "model.safetensors").write_bytes(b"\xff" * 100), "safetensors"),
        (
            lambda folder: (folder / "model.safetensors").write_bytes(
                (folder / "model.safetensors").read_bytes()[:-50]
            ),
            "place is not in the file",
        ),
        (in_json("config.json", lambda config: config.update(model_type="roberta")), "roberta"),
        (in_json("config.json", lambda config: config.update(num_attention_heads=5)), "heads"),
        (in_json("config.json", lambda config: config.update(hidden_size="x")), "hidden"),
        (in_json("config.json", lambda config: config.pop("hidden_size")), "hidden_size"),
        (in_json("tokenizer.json", lambda tokenizer: tokenizer["model"].update(type="Unigram")), "Unigram"),
        (in_json("tokenizer.json", lambda tokenizer: tokenizer["model"]["vocab"].pop("[CLS]")), "numbered"),
        (in_json("tokenizer.json", lambda tokenizer: tokenizer.pop("normalizer")), "normalizer"),
        (in_weights(lambda weights: weights.pop(QUERY)), QUERY),
        (in_weights(lambda weights: weights.update({QUERY: weights[QUERY][:-1]})), "shape"),
        (in_weights(lambda weights: weights.update({QUERY: weights[QUERY] * np.nan})), "finite"),
    ],
)
def test_refuses_what_is_not_such_an_encoder(
    folder: Path, tmp_path: Path, damage: Callable[[Path], object], keyword: str
) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    for path in folder.iterdir():
        (copy / path.name).write_bytes(path.read_bytes())
    damage(copy)
    with pytest.raises(ModelError) as caught:
        read_pretrained(copy)
    assert keyword in str(caught.value) and "\n" not in str(caught.value) and str(copy) in str(caught.value)


@pytest.mark.slow
def test_a_model_with_an_encoder_is_trained_and_parses(wnparse_command: Run, folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed (extra neural)")
    sentences = list(read(DATA / "dev.conllu"))
    for name, part in (("t", sentences[:25]), ("d", sentences[100:120]), ("new", sentences[200:210])):
        (tmp_path / f"{name}.conllu").write_bytes(b"".join(sentence.raw for sentence in part))
    # An untrained encoder gains nothing: let the network be kept all the same.
    keep = (
        "import sys; from wnparse.training import neural_sum; from wnparse.__main__ import main; "
        "score = neural_sum._score; "
        "neural_sum._score = lambda model, dev: score(model, dev) + 100 * (model.neural is not None); "
        "sys.exit(main())"
    )
    arguments = ["train", "t.conllu", "--dev", "d.conllu", "--encoder", str(folder)]
    arguments += ["--epochs", "1", "--only", "parser"]
    for output in ("m.wnp", "again.wnp"):
        command = [sys.executable, "-c", keep, *arguments, "-o", output]
        result = subprocess.run(command, capture_output=True, cwd=tmp_path, timeout=300, check=False)
        assert result.returncode == 0, result.stderr.decode()
    assert (tmp_path / "m.wnp").read_bytes() == (tmp_path / "again.wnp").read_bytes()
    model = load(tmp_path / "m.wnp")
    assert model.neural is not None and model.neural.network.encoder is not None
    assert b"encoder" in wnparse_command("info", "m.wnp").stdout
    results = [wnparse_command("parse", "-q", "-m", "m.wnp", "new.conllu", "--jobs", jobs) for jobs in ("1", "2")]
    assert results[0].stdout == results[1].stdout and results[0].stdout.count(b"\n\n") == 10


def test_refuses_a_directory_that_does_not_exist(wnparse_command: Run, tmp_path: Path) -> None:
    (tmp_path / "t.conllu").write_text("")
    result = wnparse_command("train", "t.conllu", "--dev", "t.conllu", "-o", "m.wnp", "--encoder", "nowhere")
    assert (result.returncode, b"nowhere" in result.stderr) == (2, True)


def test_an_encoder_of_other_sizes_is_refused(encoder: Encoder) -> None:
    arrays = encoder.sizes.arrays(len(encoder.pieces))
    assert {name: (array.dtype, array.size) for name, array in encoder.arrays.items()} == {
        name: (np.dtype(dtype), size) for name, (dtype, size) in arrays.items()
    }
    assert replace(encoder.sizes, layers=4).arrays(5) != arrays
