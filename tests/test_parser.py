"""Features by hand and by a slow twin, the perceptron's step, training, models: save, load, parse, refuse."""

from __future__ import annotations

import io
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import conllu
import numpy as np
import oracles_features as twin
import pytest
from conftest import ROOT
from small_treebanks import trained

import wnparse
from wnparse._core.first_pass import FirstPassLearner
from wnparse._core.freezing import freeze
from wnparse._core.learner import Learner
from wnparse._core.scorer import Scorer
from wnparse._core.tables import LabelChoice, label_keys
from wnparse._core.tokens import Tokens, token_types
from wnparse.checkpoint import resume, save_checkpoint
from wnparse.conllu import Sentence, read
from wnparse.constraints import Constraints
from wnparse.decoders import make_settings
from wnparse.encode import Columns, encode, filled_columns
from wnparse.errors import ModelError, TreebankError
from wnparse.features import compile_templates, default_templates, parse_template
from wnparse.model import FORMAT, Model, load, quantise
from wnparse.parsing import Parser, ParsingOptions
from wnparse.training import Trainer, TrainingOptions

NO_ROWS = (np.zeros(16, np.uint16), np.zeros(16, np.uint32), np.zeros(1, np.uint32))
MSA = make_settings("msa", Constraints(single_root=True))
TEXT = (
    "1\tThe\tthe\tDET\tDT\tDefinite=Def\t2\tdet\t_\t_\n"
    "2\tDogs\tdog\tNOUN\tNNS\tCase=Nom|Number=Plur\t3\tnsubj\t_\t_\n"
    "3\tran\trun\tVERB\tVBD\tNumber=Plur|Tense=Past\t0\troot\t_\t_\n\n"
)


def sentences(text: str) -> list[Sentence]:
    return list(read(io.BytesIO(text.encode())))


@pytest.fixture(scope="module")
def sample() -> list[Sentence]:
    return list(read(ROOT / "data" / "dev.conllu"))


def test_features_counted_by_hand() -> None:
    """The arc 3 -> 1 spans one noun; two values of FEATS meet at 3 -> 2, one of them of the same attribute."""
    (sentence,) = sentences(TEXT)
    count = {
        template: len(list(twin.keys(sentence, 0, template, 3, 1)))
        for template in ("hP mP", "hP mP b", "hP mP c", "d", "hF mP", "hF mF", "hF mF agree")
    }
    assert count == {"hP mP": 1, "hP mP b": 1, "hP mP c": 3, "d": 1, "hF mP": 2, "hF mF": 2, "hF mF agree": 0}
    assert len(list(twin.keys(sentence, 0, "hF mF", 3, 2))) == 4
    assert len(list(twin.keys(sentence, 0, "hF mF agree", 3, 2))) == 1
    assert len(list(twin.keys(sentence, 0, "hP mP b", 0, 3))) == 2


def random_model(treebank: list[Sentence], templates: list[str], seed: int) -> dict[int, int]:
    """Random weights for the features of some arcs."""
    rng = np.random.default_rng(seed)
    weights: dict[int, int] = {}
    for sentence in treebank:
        for number, template in enumerate(templates):
            for m in range(1, len(sentence) + 1):
                for key in twin.keys(sentence, number, template, int(rng.integers(0, len(sentence) + 1)), m):
                    weights[key] = int(rng.integers(-30000, 30000)) or 1
    return weights


def test_scores_are_sums_over_templates(sample: list[Sentence]) -> None:
    templates = default_templates(labelled=False)
    treebank = [sentence for sentence in sample if len(sentence) <= 8][:5] + sentences(TEXT)
    weights = random_model(treebank, templates, 1)
    keys = np.array(list(weights), np.uint64)
    slots = freeze(keys, np.array(list(weights.values()), np.int32), 18)  # no bucket overflows
    scorer = Scorer(compile_templates(templates), None, slots, *NO_ROWS, 1.0)
    for sentence in treebank * 2:  # the second time from what was remembered of token types
        scores, _ = scorer.scores(encode(sentence, Columns()), False)
        for m in range(1, len(sentence) + 1):
            for h in range(len(sentence) + 1):
                expected = sum(
                    weights.get(key, 0)
                    for number, template in enumerate(templates)
                    for key in twin.keys(sentence, number, template, h, m)
                )
                assert h == m or scores[m, h] == expected


def test_one_step_of_the_perceptron() -> None:
    """From zero weights the first tree found is wrong; the step is f(gold) - f(found), label features included."""
    (sentence,) = sentences(TEXT)
    templates = default_templates(labelled=True)
    choice = LabelChoice(np.array([0, 1], np.uint64), np.array([0, 2, 3], np.int32), np.array([0, 1, 2], np.int32))
    learner = Learner(compile_templates(templates), choice, 0.0)
    gold_labels = np.array([0, 0, 1, 2], np.int32)
    assert learner.learn(encode(sentence, Columns()), sentence.heads, gold_labels, MSA) is not None
    step, state = learner.state()
    assert step == 2
    arcs = {int(key): float(weight) for key, weight in zip(state["keys"], state["weights"], strict=True) if weight}
    labels = {}
    for i, key in enumerate(state["row_keys"]):
        for k in range(state["row_begin"][i], state["row_begin"][i + 1]):
            if state["row_weights"][k]:
                labels[int(key), int(state["row_labels"][k])] = float(state["row_weights"][k])
    # Ties go to the lowest head and the first label: all words hang on the first root that MSA settles for.
    scorer = Scorer(compile_templates(templates), choice, np.zeros(16, np.uint32), *NO_ROWS, 1.0)
    (found,) = scorer.parse([encode(sentence, Columns())], [MSA], False)
    assert found is not None
    expected: Counter[int] = Counter()
    expected_labels: Counter[tuple[int, int]] = Counter()
    for heads, names, sign in ((sentence.heads, gold_labels, 1), (found[0], found[1], -1)):
        for m in range(1, 4):
            same = sentence.heads[m] == found[0][m]
            for number, template in enumerate(templates):
                for key in twin.keys(sentence, number, template, int(heads[m]), m):
                    words = template.split()
                    if "label" not in words and not same:
                        expected[key] += sign
                    if "label" in words or "+label" in words:
                        expected_labels[key, int(names[m])] += sign
    assert arcs == {key: value for key, value in expected.items() if value}
    assert labels == {key: value for key, value in expected_labels.items() if value}
    assert np.array_equal(state["sums"], state["weights"].astype(np.float64))  # all of it in step 1
    assert np.array_equal(state["row_sums"], state["row_weights"].astype(np.float64))


def test_labels_are_sums_over_templates(sample: list[Sentence]) -> None:
    """What labels weigh, by a learner's rows and frozen, against sums that the slow twin makes of its state."""
    treebank = [sentence for sentence in sample if len(sentence) <= 8][:6]
    trainer = Trainer(treebank, None, TrainingOptions(epochs=2, prune=False))
    for _ in range(2):
        trainer.run_epoch(lambda: False, lambda words, right: None)
    arcs, (keys, begin, labels, weights) = trainer.learner.averaged(), trainer.learner.averaged_rows()
    tables, scale = quantise(arcs, (keys, begin, labels, weights))
    model = replace(trainer.model(), weights=tables, scale=scale)  # with the smallest weights too
    rows: dict[int, dict[int, int]] = {}
    for i, key in enumerate(keys.tolist()):
        span = slice(begin[i], begin[i + 1])
        numbers = np.rint(weights[span] / model.scale).astype(int).tolist()
        rows[key] = dict(zip(labels[span].tolist(), numbers, strict=True))
    for sentence in treebank * 2:  # the second time from what was remembered of token types
        tokens = encode(sentence, model.columns)
        found = model.scorer.label(tokens, sentence.heads)
        allowed = label_candidates(model, tokens, sentence.heads)
        for m in range(1, len(sentence) + 1):
            sums: Counter[int] = Counter(dict.fromkeys(allowed[m], 0))
            for number, template in enumerate(model.templates):
                if "label" in template:
                    for key in twin.keys(sentence, number, template, int(sentence.heads[m]), m):
                        sums.update({label: w for label, w in rows.get(key, {}).items() if label in sums})
            best = max(sums.values())
            assert sums[found[m]] == best
            assert found[m] == min(label for label, value in sums.items() if value == best)


def label_candidates(model: Model, tokens: Tokens, heads: np.ndarray) -> list[list[int]]:
    """The labels that were seen with each word's tags."""
    table = model.label_table
    places = {key: place for place, key in enumerate(table["keys"].tolist())}
    allowed: list[list[int]] = [[]]
    for keys in label_keys(tokens.atoms, heads).tolist():
        place = next(places[key] for key in keys if key in places)
        allowed.append(table["labels"][table["begin"][place] : table["begin"][place + 1]].tolist())
    return allowed


def test_averaging() -> None:
    (sentence,) = sentences(TEXT)
    learner = Learner(compile_templates(["hW mW"]), None, 0.0)
    tokens, labels = encode(sentence, Columns()), np.zeros(4, np.int32)
    learner.learn(tokens, sentence.heads, labels, MSA)
    _, state = learner.state()
    for _ in range(3):  # now all heads are right and nothing changes
        assert learner.learn(tokens, sentence.heads, labels, MSA) == (3, 3)
    keys, averaged = learner.averaged()
    assert np.array_equal(keys, state["keys"])
    assert averaged == pytest.approx(state["weights"] * (1 - 1 / 5))


def test_unknown_words_of_templates_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown word 'hY'"):
        parse_template("hP hY")
    assert not any("L" in text for text in default_templates(labelled=True, unused="L"))


def test_empty_columns_are_dropped(sample: list[Sentence]) -> None:
    assert filled_columns(sample[:5]) == Columns()
    bare = sentences("1\tw\t_\tX\t_\t_\t0\troot\t_\t_\n\n")
    assert filled_columns(bare) == Columns(lemma=False, xpos=False, feats=False)
    assert trained(bare).columns == Columns(lemma=False, xpos=False, feats=False)


def test_same_seed_same_bytes(sample: list[Sentence], tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        trained(sample[:60], seed=seed).save(str(tmp_path / name))
    first, again, other = ((tmp_path / name).read_bytes() for name in "abc")
    assert first == again != other


@pytest.mark.parametrize("stop_after", [1, 37, 60, 95])
def test_an_interrupted_run_goes_on_to_the_same_bytes(
    sample: list[Sentence], tmp_path: Path, stop_after: int
) -> None:
    treebank, dev = sample[:60], sample[60:80]
    options = TrainingOptions(epochs=2)
    whole = Trainer(treebank, dev, options)
    while whole.epoch < 2:
        whole.run_epoch(lambda: False, lambda words, right: None)
    seen = iter(range(1, 1000))
    part = Trainer(treebank, dev, options)
    while part.epoch < 2 and part.run_epoch(lambda: next(seen) >= stop_after, lambda words, right: None):
        pass
    save_checkpoint(part, str(tmp_path / "checkpoint"))
    again = Trainer(treebank, dev, options)
    resume(again, str(tmp_path / "checkpoint"))
    while again.epoch < 2:
        again.run_epoch(lambda: False, lambda words, right: None)
    assert whole.best is not None
    assert again.best is not None
    whole.best.save(str(tmp_path / "whole"))
    again.best.save(str(tmp_path / "again"))
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "again").read_bytes()
    with pytest.raises(ModelError, match="other options or other training data"):
        resume(Trainer(treebank[1:], dev, options), str(tmp_path / "checkpoint"))
    with pytest.raises(ModelError, match="no checkpoint"):
        resume(again, str(tmp_path / "nothing"))


def test_save_load_parse(sample: list[Sentence], tmp_path: Path) -> None:
    model = trained(sample[:100])
    model.save(str(tmp_path / "m.wnp"))
    loaded = wnparse.load(str(tmp_path / "m.wnp"))
    parsed = [s.raw for s in model.parse(sample[100:])]
    assert parsed == [s.raw for s in loaded.parse(sample[100:])]
    assert loaded.labels == model.labels
    assert loaded.constraints == model.constraints
    tokens = list(loaded.parse(conllu.parse(sample[100].raw.decode())))
    assert isinstance(tokens[0], conllu.TokenList)
    for raw in parsed:
        (sentence,) = sentences(raw.decode())
        structure = wnparse.structure(sentence.heads)
        assert structure.roots == 1
        assert structure.block_degree <= (model.constraints.block_degree or 99)
        roots = [label for h, label in zip(sentence.heads[1:], sentence.column("deprel"), strict=True) if h == 0]
        assert roots == ["root"]
        assert sentence.column("deprel").count("root") == 1


def test_bad_models(sample: list[Sentence], tmp_path: Path) -> None:
    path = tmp_path / "m.wnp"
    trained(sample[:10]).save(str(path))
    whole = path.read_bytes()
    damaged = bytearray(whole)
    damaged[len(whole) // 2] ^= 1
    header = bytearray(whole)
    header[20] ^= 1
    cases = [b"", whole[:10], whole[:-1], whole + b"x", bytes(damaged), bytes(header), b"\xff" * 100, bytes(500)]
    for data in [*cases, whole[: len(whole) // 3]]:
        path.write_bytes(data)
        with pytest.raises(ModelError) as caught:
            load(str(path))
        assert str(caught.value).startswith(str(path))
        assert "\n" not in str(caught.value)


def test_a_newer_format_is_refused(
    sample: list[Sentence], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = trained(sample[:10])
    with monkeypatch.context() as patch:
        patch.setattr("wnparse.model.FORMAT", FORMAT + 1)
        model.save(str(tmp_path / "m.wnp"))
    with pytest.raises(
        ModelError, match=f"has model format {FORMAT + 1}; this version of wnparse reads formats 3 to {FORMAT}"
    ):
        load(str(tmp_path / "m.wnp"))


def test_an_empty_treebank_is_refused() -> None:
    with pytest.raises(TreebankError, match="no sentences to train on"):
        Trainer([], None, TrainingOptions())


@pytest.mark.parametrize("decoder", ["msa", "eisner", "msa-eisner", "lr", "bnb"])
def test_every_decoder_honours_its_constraints(sample: list[Sentence], decoder: str) -> None:
    model = trained(sample[:40], labelled=False)
    limits = Constraints(single_root=True) if decoder == "msa" else Constraints(2, True, True)
    parser = Parser(model, ParsingOptions(decoder, limits))
    for sentence in sample[40:80]:
        found = parser.parse(sentence).parse
        assert found is not None
        structure = wnparse.structure(found.heads)
        assert structure.roots == 1
        assert decoder == "msa" or (structure.block_degree <= 2 and structure.well_nested)


def test_sentences_of_any_length(sample: list[Sentence]) -> None:
    model = trained(sample[:40])
    rows = [f"{i}\tw{i % 50}\t_\t{'NOUN' if i % 3 else 'VERB'}\t_\t_\t_\t_\t_\t_" for i in range(1, 1001)]
    for size in (1, 2, 1000):
        (sentence,) = sentences("\n".join(rows[:size]) + "\n\n")
        parsed = Parser(model, ParsingOptions("bnb", model.constraints)).parse(sentence)
        assert parsed.parse is not None
        (again,) = sentences(parsed.raw.decode())
        assert again.annotated


def test_the_first_pass_drops_arcs(sample: list[Sentence]) -> None:
    """What it keeps has the score of the whole model; what it drops is worse than all of its word, and finite."""
    model = trained(sample[:40])
    assert model.first_pass is not None
    model.scorer.use_first_pass(**{**vars(model.first_pass), "most": 4})
    sentence = max(sample[40:], key=len)
    scores, labels = model.scorer.scores(encode(sentence, model.columns), True)
    whole, _ = model.scorer.scores(encode(sentence, model.columns), False)
    dropped = 0
    for m in range(1, len(sentence) + 1):
        kept = labels[m] >= 0
        others = ~kept
        others[m] = False
        assert 1 <= kept.sum() <= 6  # four, and ties with the fourth
        assert np.array_equal(scores[m][kept], whole[m][kept])
        assert np.isfinite(scores[m]).all()
        assert not others.any() or scores[m][others].max() < scores[m][kept].min()
        dropped += int(others.sum())
    assert dropped > len(sentence)


def test_the_first_pass_by_hand() -> None:
    """Two heads for each of two words: a step of rate 1 from zero adds 1/2 to each weight of the gold one."""
    (sentence,) = sentences("1\tDogs\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tran\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n")
    tokens = encode(sentence, Columns())
    tags, types = np.unique(tokens.atoms[1:, 2]), np.unique(token_types(tokens))
    selector = FirstPassLearner(tags, types)
    selector.learn(tokens, sentence.heads, 1.0)
    weights = selector.averaged()
    # Two words with two heads each, nine weights for each arc, and one more for the word between the root and the
    # second; averaged over two steps.
    assert sorted(weights[weights != 0].tolist()) == pytest.approx([-0.25] * 18 + [0.25] * 19, abs=1e-6)


def test_pruning_loses_little(sample: list[Sentence]) -> None:
    model = trained(sample[:200], labelled=False)
    assert model.first_pass is not None
    scorer = Scorer(compile_templates(["bias"]), None, np.zeros(16, np.uint32), *NO_ROWS, 1.0)  # all scores are 0
    scorer.use_first_pass(**vars(model.first_pass))
    kept = words = gold = 0
    for sentence in sample[200:]:
        matrix, _ = scorer.scores(encode(sentence, model.columns), True)
        same = matrix[1:] == 0
        same[np.arange(len(sentence)), np.arange(1, len(sentence) + 1)] = False
        kept += int(same.sum())
        gold += int(same[np.arange(len(sentence)), sentence.heads[1:]].sum())
        words += len(sentence)
    assert kept / words <= model.first_pass.most
    assert gold / words > 0.985


def test_quantised_weights_are_close() -> None:
    keys = np.arange(1, 1001, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    weights = np.linspace(-50, 50, 1000)
    tables, scale = quantise((keys, weights))
    stored = np.sort(tables["slots"].view(np.int32) >> 16)
    stored = stored[stored != 0] * scale
    assert len(stored) >= 960  # a full bucket loses its least
    lost = np.setdiff1d(np.rint(weights / scale), np.rint(stored / scale)) * scale
    assert len(lost) == 1000 - len(stored)
    assert np.abs(lost).sum() <= 25 * len(lost)
    assert np.abs(stored[:, None] - weights[None, :]).min(axis=1).max() <= scale


def test_small_weights_are_left_out() -> None:
    keys = np.arange(1, 101, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    weights = np.linspace(0.05, 5, 100)
    rows = (keys, np.arange(101), np.zeros(100, np.int32), weights)
    tables, scale = quantise((keys, weights), rows, least=1.0)
    for name in ("slots", "row_places"):
        stored = tables[name].view(np.int32) >> 16
        assert stored[stored != 0].min() * scale >= 1.0 - scale
    assert np.count_nonzero(tables["row_places"]) == (weights >= 1).sum()


def test_history_is_kept(sample: list[Sentence]) -> None:
    model = trained(sample[:20], epochs=3)
    assert [entry["epoch"] for entry in model.info["history"]] == [1, 2, 3]
    assert json.loads(json.dumps(model.info)) == model.info
