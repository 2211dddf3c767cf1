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


def test_a_model_that_only_tags(wnparse_inside: Run, only_tags: str, bare: bytes) -> None:
    done = wnparse_inside("tag", "-m", only_tags, "-", stdin=bare)
    assert done.returncode == 0
    assert blanked(done.stdout, *TAGS) == bare
    assert b"tagged" in done.stderr
    model = wnparse.load(only_tags)
    assert b"".join(each.raw for each in model.tag(sentences(bare))) == done.stdout
    with pytest.raises(ValueError, match="only tags"):
        model.parse(sentences(bare))


def test_forms_to_trees(wnparse_inside: Run, both: str, bare: bytes) -> None:
    done = wnparse_inside("parse", "-m", both, "-", stdin=bare)
    assert done.returncode == 0
    assert b"empty" not in done.stderr  # no column is missed
    found = sentences(done.stdout)
    assert all(each.annotated for each in found)
    assert blanked(done.stdout, *TAGS, *TREE) == bare
    model = wnparse.load(both)
    assert [each.raw for each in model.parse(sentences(bare))] == [each.raw for each in found]
    assert [each.raw for each in model.parse(sentences(bare), jobs=3)] == [each.raw for each in found]
    lists = [each.to_tokenlist() for each in sentences(bare)]
    assert [each.serialize() for each in model.tag(lists)] == [  # type: ignore[union-attr]
        each.to_tokenlist().serialize()
        for each in model.tag(sentences(bare))  # type: ignore[union-attr]
    ]


def test_tags_alone_leave_heads(wnparse_inside: Run, both: str) -> None:
    text = blanked(first_sentences("test", 20), *TAGS)
    done = wnparse_inside("tag", "-m", both, "--jobs", "2", "-", stdin=text)
    assert blanked(done.stdout, *TAGS) == text
    assert [each.heads.tolist() for each in sentences(done.stdout)] == [
        each.heads.tolist() for each in sentences(text)
    ]


def test_given_tags_stay_unless_they_are_replaced(wnparse_inside: Run, both: str) -> None:
    text = first_sentences("test", 20).replace(b"\tNOUN\t", b"\tVERB\t")
    kept = wnparse_inside("parse", "-m", both, "-", stdin=text).stdout
    assert [each.column("upos") for each in sentences(kept)] == [each.column("upos") for each in sentences(text)]
    replaced = wnparse_inside("parse", "-m", both, "--retag", "-", stdin=text).stdout
    assert b"\tNOUN\t" in replaced


def test_confidence_of_tags(wnparse_inside: Run, both: str, bare: bytes) -> None:
    done = wnparse_inside("parse", "-m", both, "--confidence", "-", stdin=bare)
    for each in sentences(done.stdout):
        for misc in each.column("misc"):
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


def test_info_tells_of_taggers(wnparse_inside: Run, only_tags: str, both: str, model: str) -> None:
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
    found = wnparse.train(few, few, epochs=2, jackknife=3)
    found.save(tmp_path / "python.wnp")
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
    found = load(tmp_path / "m.wnp")
    assert (found.tagger is not None) == (sentences > 1) == (b"one sentence is not enough" not in done.stderr)
    if sentences > 1:
        assert found.info["jackknifed"]["folds"] == sentences
    assert wnparse_inside("parse", "-m", "m.wnp", "t").returncode == 0


def test_treebanks_without_tags_have_a_parser_alone(wnparse_inside: Run, tmp_path: Path) -> None:
    (tmp_path / "t").write_bytes(blanked(first_sentences("dev", 20), 3))
    options = ["--epochs", "1", "--order", "1", "-o"]
    done = wnparse_inside("train", "t", *options, "m.wnp")
    assert done.returncode == 0, done.stderr
    assert b"UPOS" in done.stderr.splitlines()[0]
    assert wnparse_inside("train", "t", *options, "p.wnp", "--only", "parser").returncode == 0
    assert (tmp_path / "m.wnp").read_bytes() == (tmp_path / "p.wnp").read_bytes()
    with pytest.warns(UserWarning, match="UPOS"):
        assert wnparse.train("t", epochs=1, order=1).tagger is None
    assert wnparse_inside("train", "t", "-o", "t.wnp", "--only", "tagger").returncode == 1


def test_a_tagger_needs_no_heads(wnparse_inside: Run, tmp_path: Path, few: Path) -> None:
    (tmp_path / "t").write_bytes(blanked(first_sentences("dev", 80), 6, 7))
    assert wnparse_inside("train", "t", "-o", "m.wnp", "--only", "tagger").returncode == 0
    for source in ("t", list(wnparse.read("t"))):
        found = wnparse.train(source, only="tagger")
        assert found.only_tags
        found.save("python.wnp")
        assert Path("python.wnp").read_bytes() == Path("m.wnp").read_bytes()
    for option in ("--checkpoint", "--log"):
        done = wnparse_inside("train", str(few), "-o", "n.wnp", "--only", "tagger", option, "x")
        assert (done.returncode, option.encode() in done.stderr) == (2, True)


def test_annotated_tags_decide_which_rules_are_kept(wnparse_inside: Run, few: Path) -> None:
    kept = [load_rules(wnparse_inside, few, *options) for options in ([], ["--only", "parser"])]
    assert kept[0][0] == kept[1][0]
    assert "with the annotated tags" in kept[0][1]
    assert "with the annotated tags" not in kept[1][1]


def load_rules(wnparse_inside: Run, few: Path, *options: str) -> tuple[list[str], str]:
    """The names of the rules of a model, and what training printed."""
    done = wnparse_inside("train", str(few), "-o", "m.wnp", "--epochs", "1", "--order", "1", *options)
    rules = load("m.wnp").rules
    assert rules
    return [rule.name for rule in rules], done.stderr.decode()


def test_what_a_forged_file_says_does_not_hide_facts(only_tags: str, wnparse_inside: Run) -> None:
    model = load(only_tags)
    assert model.tagger is not None
    info = {"tags": [], "columns": 3, "bytes": {}, "file": None}
    tagger = replace(model.tagger, info=info)
    Model(tagger=tagger, info=info).save("forged.wnp")
    told = wnparse_inside("info", "forged.wnp")
    assert told.returncode == 0
    assert b"lemma upos xpos feats; 15 tags" in told.stdout
    data = json.loads(wnparse_inside("info", "forged.wnp", "--json").stdout)
    assert (data["file"], data["tagger"]["tags"]) == ("forged.wnp", 15)
