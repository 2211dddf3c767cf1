"""``wnparse eval``: which words are the same, bad sentences that are left out, relations that are not UD's."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from udtools import udeval

from support.commands import Run
from support.treebanks import conllu

SPACED = [["10", "000", "x\u00a0y", "a b\u3000c"], ["10", "000", "xy", "ab c"]]
ONE = conllu(["a", "b"], [2, 0], ["det", "root"], sent_id="one")
TWO = conllu(["c", "d", "e"], [2, 0, 2], ["nsubj", "root", "obj"], sent_id="two")
OTHER = conllu(["c", "d", "e"], [2, 0, 1], ["nsubj", "root", "obj"], sent_id="two")
BAD_TREE = conllu(["a", "b"], [2, 1], ["det", "root"], sent_id="one")
BAD_BYTES = ONE.replace(b"\ta\t", b"\t\xff\t")


def write(folder: Path, **texts: bytes) -> None:
    for name, text in texts.items():
        (folder / name).write_bytes(text)


def test_compares_forms_with_spaces_as_the_official_evaluator_does(wnparse_inside: Run, tmp_path: Path) -> None:
    relations = ["nummod", "flat", "root", "obj"]
    gold, system = (conllu(forms, [3, 1, 0, 3], relations) for forms in SPACED)
    system = system.replace(b"\t3\tobj", b"\t1\tobj")
    write(tmp_path, gold=gold, system=system)
    run = wnparse_inside("eval", "gold", "system", "--json")
    assert run.returncode == 0, run.stderr
    official = udeval.evaluate(*(udeval.load_conllu(io.StringIO(t.decode()), "text", {}) for t in (gold, system)))
    report = json.loads(run.stdout)["systems"][0]
    for ours, theirs in (("uas", "UAS"), ("las", "LAS"), ("clas", "CLAS")):
        assert report[ours] == 100 * official[theirs].f1
    assert report["uas"] == 75
    assert wnparse_inside("show", "gold", "--differs-from", "system", "-o", "out").returncode == 0


def test_spaces_do_not_hide_another_word(wnparse_inside: Run, tmp_path: Path) -> None:
    write(tmp_path, gold=conllu(["x y", "a b"], [0, 1]), system=conllu(["xy", "a c"], [0, 1]))
    run = wnparse_inside("eval", "gold", "system")
    assert run.returncode == 1
    assert re.fullmatch(rb"wnparse: system:2: .*'ac' here; gold:2 .*'ab'\n", run.stderr)


@pytest.mark.parametrize(
    ("gold", "system", "named"),
    [
        ("n\u00e9", "ne\u0301", "NFD here, NFC there"),
        ("ne\u0301", "n\u00e9", "NFC here, NFD there"),
        ("\u00e9e\u0301", "e\u0301e\u0301", "NFD here, neither NFC nor NFD there"),
    ],
)
def test_normalisation_is_named(wnparse_inside: Run, tmp_path: Path, gold: str, system: str, named: str) -> None:
    write(tmp_path, gold=conllu([gold], [0]), system=conllu([system], [0]))
    run = wnparse_inside("eval", "gold", "system")
    assert run.returncode == 1
    assert f"(the same characters: {named}; normalise one of the files)\n" in run.stderr.decode()


@pytest.mark.parametrize("bad", [BAD_TREE, BAD_BYTES, b"1\tw\n\n"])
def test_a_sentence_that_is_bad_anywhere_is_left_out_everywhere(
    wnparse_inside: Run, tmp_path: Path, bad: bytes
) -> None:
    write(tmp_path, good=ONE + TWO + ONE, bad=bad + OTHER + ONE, last=ONE + TWO + bad, plain=TWO, other=OTHER)
    assert wnparse_inside("eval", "good", "bad").returncode == 1
    for gold, system in (("good", "bad"), ("bad", "good")):
        run = wnparse_inside("eval", gold, system, "last", "--skip-bad", "--json")
        assert run.returncode == 0, run.stderr
        assert run.stderr.startswith(b"wnparse: skipped 2 ")
        document = json.loads(run.stdout)
        assert (document["skipped"], document["gold"]["sentences"], document["gold"]["words"]) == (2, 1, 3)
        assert document["systems"][0]["uas"] == pytest.approx(200 / 3)
    fewer = wnparse_inside("eval", "bad", "other", "--skip-bad")
    assert fewer.returncode == 1
    assert fewer.stderr.count(b"\n") == 1


def test_warns_of_relations_that_are_not_of_ud(wnparse_inside: Run, tmp_path: Path) -> None:
    forms = ["a", "b", "c"]
    foreign = conllu(forms, [2, 0, 2], ["SBJ", "ROOT", "OBJ"])
    write(tmp_path, gold=foreign, ud=conllu(forms, [2, 0, 2], ["nsubj:pass", "root", "case:x"]))
    assert wnparse_inside("eval", "ud", "ud").stderr == b""
    one = conllu(forms, [2, 0, 2], ["nsubj", "root", "_"])
    write(tmp_path, one=one)
    for files, names in ((("gold", "gold"), b"3 relations"), (("ud", "one"), b"1 relation")):
        notice = wnparse_inside("eval", *files).stderr
        assert re.match(b"wnparse: CLAS .* " + names + b" ", notice)
        assert notice.count(b"\n") == 1
