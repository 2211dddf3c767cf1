"""Taggers on the command line and in Python: models that only tag, and models that tag and parse."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import wnparse
from support.commands import Run, train_model
from support.treebanks import blanked, first_sentences, sentences
from wnparse.parser.model import Model, load

TAGS = (2, 3, 4, 5)
TREE = (6, 7)


def test_a_model_can_be_a_tagger_only(wnparse_inside: Run, only_tags: str, bare: bytes) -> None:
    done = wnparse_inside("tag", "-m", only_tags, "-", stdin=bare)
    assert done.returncode == 0
    assert blanked(done.stdout, *TAGS) == bare
    assert b"tagged" in done.stderr
    model = wnparse.load(only_tags)
    assert b"".join(sentence.raw for sentence in model.tag(sentences(bare))) == done.stdout
    with pytest.raises(ValueError, match="only tags"):
        model.parse(sentences(bare))


def test_forms_to_trees(wnparse_inside: Run, both: str, bare: bytes) -> None:
    done = wnparse_inside("parse", "-m", both, "-", stdin=bare)
    assert done.returncode == 0
    assert b"empty" not in done.stderr  # no column is missed
    trees = sentences(done.stdout)
    assert all(sentence.annotated for sentence in trees)
    assert blanked(done.stdout, *TAGS, *TREE) == bare
    model = wnparse.load(both)
    assert [sentence.raw for sentence in model.parse(sentences(bare))] == [sentence.raw for sentence in trees]
    assert [sentence.raw for sentence in model.parse(sentences(bare), jobs=3)] == [
        sentence.raw for sentence in trees
    ]
    lists = [sentence.to_tokenlist() for sentence in sentences(bare)]
    assert [sentence.serialize() for sentence in model.tag(lists)] == [  # type: ignore[union-attr]
        sentence.to_tokenlist().serialize()
        for sentence in model.tag(sentences(bare))  # type: ignore[union-attr]
    ]


def test_tagging_leaves_heads_unchanged(wnparse_inside: Run, both: str) -> None:
    text = blanked(first_sentences("test", 20), *TAGS)
    done = wnparse_inside("tag", "-m", both, "--jobs", "2", "-", stdin=text)
    assert blanked(done.stdout, *TAGS) == text
    assert [sentence.heads.tolist() for sentence in sentences(done.stdout)] == [
        sentence.heads.tolist() for sentence in sentences(text)
    ]


def test_given_tags_stay_unless_they_are_replaced(wnparse_inside: Run, both: str) -> None:
    text = first_sentences("test", 20).replace(b"\tNOUN\t", b"\tVERB\t")
    unchanged = wnparse_inside("parse", "-m", both, "-", stdin=text).stdout
    assert [sentence.column("upos") for sentence in sentences(unchanged)] == [
        sentence.column("upos") for sentence in sentences(text)
    ]
    replaced = wnparse_inside("parse", "-m", both, "--retag", "-", stdin=text).stdout
    assert b"\tNOUN\t" in replaced


def test_prints_confidence_of_tags(wnparse_inside: Run, both: str, bare: bytes) -> None:
    done = wnparse_inside("parse", "-m", both, "--confidence", "-", stdin=bare)
    for sentence in sentences(done.stdout):
        for misc in sentence.column("misc"):
            items = dict(item.split("=") for item in misc.split("|"))
            assert 0 <= float(items["HeadProb"]) <= 1
            assert 0 <= float(items["TagProb"]) <= 1


@pytest.mark.parametrize("line", [["parse", "--retag"], ["tag"]])
def test_a_model_without_tagger_is_bad_usage(wnparse_inside: Run, model: str, line: list[str]) -> None:
    done = wnparse_inside(*line, "-m", model, "-")
    assert done.returncode == 2
    assert b"no tagger" in done.stderr
    with pytest.raises(ValueError, match="no tagger"):
        wnparse.load(model).tag([])


def test_a_model_without_parser_is_bad_usage(wnparse_inside: Run, only_tags: str) -> None:
    done = wnparse_inside("parse", "-m", only_tags, "-")
    assert done.returncode == 2
    assert b"wnparse tag" in done.stderr


def test_info_describes_taggers(wnparse_inside: Run, only_tags: str, both: str, model: str) -> None:
    for path in (only_tags, both):
        assert b"tagger       lemma upos xpos feats" in wnparse_inside("info", path).stdout
        assert b'"lemma_scripts"' in wnparse_inside("info", path, "--json").stdout
    assert b"tagger       none" in wnparse_inside("info", model).stdout


def test_training_repeats_and_resumes_to_the_same_bytes(tmp_path: Path, few: Path, both: str) -> None:
    options = [str(few), "--dev", str(few), "--jackknife", "3"]
    expected = Path(both).read_bytes()
    train_model(tmp_path, *options, "--epochs", "1", "--checkpoint", "run")
    path = train_model(tmp_path, *options, "--epochs", "2", "--checkpoint", "run", "--resume")
    assert path.read_bytes() == expected
    model = wnparse.train(few, few, epochs=2, jackknife=3)
    model.save(tmp_path / "python.wnp")
    assert (tmp_path / "python.wnp").read_bytes() == expected


def test_a_checkpoint_of_other_folds_is_refused(wnparse_inside: Run, tmp_path: Path, few: Path) -> None:
    options = ["train", str(few), "-o", "m.wnp", "--epochs", "1", "--checkpoint", "run"]
    assert wnparse_inside(*options, "--jackknife", "2").returncode == 0
    done = wnparse_inside(*options, "--jackknife", "3", "--resume")
    assert done.returncode == 1
    assert b"--jackknife" in done.stderr


@pytest.mark.parametrize("sentences", [1, 2, 3, 7])
def test_small_treebanks_have_fewer_folds(wnparse_inside: Run, tmp_path: Path, sentences: int) -> None:
    (tmp_path / "t").write_bytes(first_sentences("dev", sentences))
    done = wnparse_inside("train", "t", "--dev", "t", "-o", "m.wnp", "--epochs", "1", "--order", "1")
    assert done.returncode == 0, done.stderr
    model = load(tmp_path / "m.wnp")
    assert (model.tagger is not None) == (sentences > 1) == (b"one sentence is not enough" not in done.stderr)
    if sentences > 1:
        assert model.info["jackknifed"]["folds"] == sentences
    assert wnparse_inside("parse", "-m", "m.wnp", "t").returncode == 0


def test_treebanks_without_tags_give_a_parser_only(wnparse_inside: Run, tmp_path: Path) -> None:
    (tmp_path / "t").write_bytes(blanked(first_sentences("dev", 20), 3))
    options = ["--epochs", "1", "--order", "1", "-o"]
    done = wnparse_inside("train", "t", *options, "m.wnp")
    assert done.returncode == 0, done.stderr
    assert b"UPOS" in done.stderr
    assert wnparse_inside("train", "t", *options, "p.wnp", "--only", "parser").returncode == 0
    replace(wnparse.load("m.wnp"), tokenizer=None).save("m.wnp")
    assert (tmp_path / "m.wnp").read_bytes() == (tmp_path / "p.wnp").read_bytes()
    with pytest.warns(UserWarning, match="UPOS"):
        assert wnparse.train("t", epochs=1, order=1).tagger is None
    assert wnparse_inside("train", "t", "-o", "t.wnp", "--only", "tagger").returncode == 1


def test_a_tagger_needs_no_heads(wnparse_inside: Run, tmp_path: Path, few: Path) -> None:
    (tmp_path / "t").write_bytes(blanked(first_sentences("dev", 80), 6, 7))
    assert wnparse_inside("train", "t", "-o", "m.wnp", "--only", "tagger").returncode == 0
    for source in ("t", list(wnparse.read("t"))):
        model = wnparse.train(source, only="tagger")
        assert model.only_tags
        model.save("python.wnp")
        assert Path("python.wnp").read_bytes() == Path("m.wnp").read_bytes()
    for option in ("--checkpoint", "--log"):
        done = wnparse_inside("train", str(few), "-o", "n.wnp", "--only", "tagger", option, "x")
        assert (done.returncode, option.encode() in done.stderr) == (2, True)


def test_annotated_tags_decide_which_rules_are_kept(wnparse_inside: Run, few: Path) -> None:
    runs = [load_rules(wnparse_inside, few, *options) for options in ([], ["--only", "parser"])]
    assert runs[0][0] == runs[1][0]
    assert "with the annotated tags" in runs[0][1]
    assert "with the annotated tags" not in runs[1][1]


def load_rules(wnparse_inside: Run, few: Path, *options: str) -> tuple[list[str], str]:
    """The names of the rules of a model, and what training printed."""
    done = wnparse_inside("train", str(few), "-o", "m.wnp", "--epochs", "1", "--order", "1", *options)
    rules = load("m.wnp").rules
    assert rules
    return [rule.name for rule in rules], done.stderr.decode()


def test_forged_metadata_does_not_hide_facts(only_tags: str, wnparse_inside: Run) -> None:
    model = load(only_tags)
    assert model.tagger is not None
    info = {"tags": [], "columns": 3, "bytes": {}, "file": None}
    tagger = replace(model.tagger, info=info)
    Model(tagger=tagger, info=info).save("forged.wnp")
    result = wnparse_inside("info", "forged.wnp")
    assert result.returncode == 0
    assert b"lemma upos xpos feats; 15 tags" in result.stdout
    data = json.loads(wnparse_inside("info", "forged.wnp", "--json").stdout)
    assert (data["file"], data["tagger"]["tags"]) == ("forged.wnp", 15)
