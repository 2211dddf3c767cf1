"""Scores by hand, by a slow reference and by the official evaluator; significance of differences."""

from __future__ import annotations

import io
import itertools
import random
from collections.abc import Sequence
from pathlib import Path

import conllu as conllu_library
import pytest

import wnparse
from support.treebanks import Row, as_text, random_treebank, source
from wnparse import trees
from wnparse.evaluation.evaluate import BREAKDOWNS, SystemEvaluation, evaluate
from wnparse.evaluation.metrics import Retrieval
from wnparse.treebanks.reader import Reader, read

GOLD: list[list[Row]] = [
    [
        ("she", "PRON", 2, "nsubj"),
        ("sees", "VERB", 0, "root"),
        ("him", "PRON", 2, "obj"),
        (".", "PUNCT", 2, "punct"),
    ],
    [("go", "VERB", 0, "root"), ("home", "ADV", 1, "advmod:lmod"), ("!", "PUNCT", 1, "punct")],
]
SYSTEM: list[list[Row]] = [
    [
        ("she", "X", 2, "nsubj:pass"),
        ("sees", "X", 0, "root"),
        ("him", "X", 2, "iobj"),
        (".", "X", 3, "punct"),
    ],
    [("go", "X", 0, "root"), ("home", "X", 1, "advmod"), ("!", "X", 1, "punct")],
]


def evaluate_rows(
    gold: Sequence[Sequence[Row]], system: Sequence[Sequence[Row]], **options: object
) -> SystemEvaluation:
    return evaluate(source(as_text(gold)), source(as_text(system)), **options).systems[0]  # type: ignore[arg-type]


def chain(heads: Sequence[int], relation: str = "dep") -> list[Row]:
    """One sentence with these heads, words named by their places."""
    return [(f"w{i}", "X", head, relation if head else "root") for i, head in enumerate(heads, 1)]


def test_scores_equal_counts_by_hand() -> None:
    scores = evaluate_rows(GOLD, SYSTEM).scores
    assert (scores.sentences, scores.words) == (2, 7)
    assert scores.uas == pytest.approx(100 * 6 / 7)
    assert scores.las == pytest.approx(100 * 5 / 7)
    assert scores.las_subtypes == pytest.approx(100 * 3 / 7)
    assert scores.clas == pytest.approx(100 * 2 * 4 / (5 + 5))
    assert (scores.uc, scores.lc) == (50, 50)


def test_scores_without_punctuation_equal_counts_by_hand() -> None:
    scores = evaluate_rows(GOLD, SYSTEM, ignore_upos={"PUNCT"}).scores
    assert (scores.sentences, scores.words) == (2, 5)
    assert (scores.uas, scores.las, scores.las_subtypes) == (100, 80, 40)
    assert scores.clas == 80
    assert (scores.uc, scores.lc) == (100, 50)


def test_tags_are_those_of_gold_and_of_the_named_column() -> None:
    assert evaluate_rows(GOLD, SYSTEM, ignore_xpos={"xPUNCT", "xADV"}).scores.words == 4
    assert evaluate_rows(GOLD, SYSTEM, ignore_xpos={"PUNCT"}).scores.words == 7
    assert evaluate_rows(GOLD, SYSTEM, ignore_upos={"X"}).scores.words == 7
    assert evaluate_rows(GOLD, SYSTEM, ignore_upos={"PUNCT"}, ignore_xpos={"xADV"}).scores.words == 4


def test_clas_is_the_f1_of_content_relations() -> None:
    system = [[*SYSTEM[0][:2], ("him", "X", 2, "case"), SYSTEM[0][3]], SYSTEM[1]]
    assert evaluate_rows(GOLD, system).scores.clas == pytest.approx(100 * 2 * 4 / (5 + 4))


def test_a_sentence_without_scored_words_is_not_counted_as_complete() -> None:
    gold = [GOLD[0], [("?", "PUNCT", 0, "root")]]
    scores = evaluate_rows(gold, [SYSTEM[0], gold[1]], ignore_upos={"PUNCT"}).scores
    assert (scores.sentences, scores.uc, scores.lc) == (1, 100, 0)


def test_validity_equals_counts_by_hand() -> None:
    gold = [chain([2, 0, 2, 2]), chain([0, 0])]
    # The first is ill-nested with two roots and block degree 2.
    system = [chain([0, 0, 1, 2]), chain([2, 0])]
    result = evaluate(source(as_text(gold)), source(as_text(system)), block_degree=2, well_nested=True)
    before, after = result.gold, result.systems[0].validity
    assert (before.projective, before.single_root, before.well_nested, before.valid) == (100, 50, 100, 100)
    assert (after.projective, after.single_root, after.well_nested, after.valid) == (50, 50, 50, 50)
    assert after.block_degree == {1: 50, 2: 100, 3: 100}
    assert after.well_nested_block_degree == {1: 50, 2: 50, 3: 50}
    assert (before.max_block_degree, after.max_block_degree) == (1, 2)


def test_counts_violations_of_the_requested_constraint() -> None:
    rows = [chain([0, 1, 1, 2, 1, 2]), chain([2, 0, 2]), chain([0, 0, 1, 2])]  # block degrees 3, 1, 2 (ill-nested)
    third = pytest.approx(100 / 3)

    def valid(**options: object) -> float | None:
        return evaluate_rows(rows, rows, **options).validity.valid

    assert valid() is None
    assert valid(block_degree=1) == third
    assert valid(block_degree=2) == pytest.approx(200 / 3)
    assert valid(well_nested=True) == pytest.approx(200 / 3)
    assert valid(block_degree=2, well_nested=True) == third
    assert valid(single_root=True) == pytest.approx(200 / 3)  # the last has two roots
    assert valid(block_degree=2, single_root=True) == third
    assert evaluate_rows(rows, rows, block_degree=5).validity.block_degree[5] == 100


def test_scores_of_nonprojective_arcs_equal_counts_by_hand() -> None:
    # Gold: the arcs 1 -> 3 and 2 -> 4 cross; word 2 is a root like word 1, so both arcs are non-projective.
    gold = [chain([0, 0, 1, 2]), chain([2, 0, 2])]
    # The system has 1 -> 3 alone, and it is right.
    scores = evaluate_rows(gold, [chain([0, 0, 1, 0]), chain([2, 0, 2])]).nonprojective
    assert (scores.gold, scores.system) == (2, 1)
    assert (scores.precision, scores.recall) == (100, 50)
    assert scores.f1 == pytest.approx(200 / 3)
    # 1 -> 3 is right, 1 -> 4 is wrong; both pass over the root 2.
    scores = evaluate_rows(gold, [chain([0, 0, 1, 1]), chain([2, 0, 2])]).nonprojective
    assert (scores.system, scores.precision, scores.recall, scores.f1) == (2, 50, 50, 50)
    # A right arc counts for recall even where the system's tree makes it projective.
    system = [chain([0, 1, 1, 1]), chain([2, 0, 2])]
    scores = evaluate_rows(gold, system).nonprojective
    assert (scores.gold, scores.system, scores.precision, scores.recall, scores.f1) == (2, 0, None, 50, None)


def test_scores_by_length_equal_counts_by_hand() -> None:
    gold = [chain([0]), chain([0, *range(1, 11)]), chain([0, *range(1, 60)])]
    system = [gold[0], [*gold[1][:-1], ("w11", "X", 1, "dep")], gold[2]]
    groups = evaluate_rows(gold, system, by=["length"]).by_length
    assert list(groups) == ["1-10", "11-20", ">50"]
    assert [row.sentences for row in groups.values()] == [1, 1, 1]
    assert [row.words for row in groups.values()] == [1, 11, 60]
    assert [row.uas for row in groups.values()] == [100, pytest.approx(1000 / 11), 100]
    assert [row.lc for row in groups.values()] == [100, 0, 100]


def test_scores_by_relation_equal_counts_by_hand() -> None:
    relations = evaluate_rows(GOLD, SYSTEM, by=["relation"]).by_relation
    assert list(relations) == ["punct", "root", "advmod", "nsubj", "obj", "iobj"]
    assert (relations["punct"].gold, relations["punct"].system) == (2, 2)
    assert (relations["punct"].precision, relations["punct"].recall, relations["punct"].f1) == (50, 50, 50)
    assert (relations["nsubj"].precision, relations["nsubj"].recall) == (100, 100)
    assert (relations["obj"].precision, relations["obj"].recall, relations["obj"].f1) == (None, 0, None)
    assert (relations["iobj"].gold, relations["iobj"].precision, relations["iobj"].recall) == (0, 0, None)
    assert "punct" not in evaluate_rows(GOLD, SYSTEM, by=["relation"], ignore_upos={"PUNCT"}).by_relation


def test_scores_by_distance_equal_counts_by_hand() -> None:
    distances = evaluate_rows(GOLD, SYSTEM, by=["distance"]).by_distance
    # Gold arc lengths: 1 0 1 2 and 0 1 2; the system's: 1 0 1 1 and 0 1 2.
    assert {name: (row.gold, row.system) for name, row in distances.items()} == {
        "root": (2, 2),
        "1": (3, 4),
        "2": (2, 1),
    }
    assert (distances["1"].precision, distances["1"].recall) == (75, 100)
    assert (distances["2"].precision, distances["2"].recall) == (100, 50)
    far = [chain([0, *[1] * 25])]
    names = list(evaluate_rows(far, far, by=["distance"]).by_distance)
    assert names == ["root", "1", "2", "3", "4-6", "7-10", "11-20", ">20"]


def test_every_system_has_the_same_rows() -> None:
    other = [[*SYSTEM[0][:2], ("him", "X", 1, "vocative"), SYSTEM[0][3]], SYSTEM[1]]
    result = evaluate(
        source(as_text(GOLD)), source(as_text(SYSTEM)), source(as_text(other)), by=["relation", "distance"]
    )
    first, second = result.systems
    assert list(first.by_relation) == list(second.by_relation)
    assert {"iobj", "vocative"} <= set(first.by_relation)
    assert list(first.by_distance) == list(second.by_distance)


@pytest.mark.parametrize("seed", range(8))
def test_scores_equal_a_slow_reference(seed: int) -> None:
    gold, system = random_treebank(seed, 40)
    result = evaluate_rows(gold, system, ignore_upos={"PUNCT"})
    words = right = labelled = subtypes = complete = complete_labelled = present = 0
    gold_arcs, system_arcs = set(), set()
    gold_crossed, system_crossed = set(), set()
    for number, (expected, given) in enumerate(zip(gold, system, strict=True)):
        crossed = [
            set(trees.nonprojective_arcs([-1, *(row[2] for row in rows)]).tolist()) for rows in (expected, given)
        ]
        wrong = wrong_label = scored = 0
        for word, (row, guess) in enumerate(zip(expected, given, strict=True), 1):
            if row[1] == "PUNCT":
                continue
            scored += 1
            same_relation = row[3].split(":")[0] == guess[3].split(":")[0]
            wrong += row[2] != guess[2]
            wrong_label += row[2] != guess[2] or not same_relation
            subtypes += row[2:] == guess[2:]
            gold_arcs.add((number, word, row[2]))
            system_arcs.add((number, word, guess[2]))
            gold_crossed |= {(number, word, row[2])} if word in crossed[0] else set()
            system_crossed |= {(number, word, guess[2])} if word in crossed[1] else set()
        words, right, labelled = words + scored, right + scored - wrong, labelled + scored - wrong_label
        present += scored > 0
        complete += scored > 0 and not wrong
        complete_labelled += scored > 0 and not wrong_label
    assert result.scores.uas == pytest.approx(100 * right / words)
    assert result.scores.las == pytest.approx(100 * labelled / words)
    assert result.scores.las_subtypes == pytest.approx(100 * subtypes / words)
    assert result.scores.uc == pytest.approx(100 * complete / present)
    assert result.scores.lc == pytest.approx(100 * complete_labelled / present)
    assert len(gold_crossed) > 10 < len(system_crossed)
    assert result.nonprojective.precision == pytest.approx(
        100 * len(system_crossed & gold_arcs) / len(system_crossed)
    )
    assert result.nonprojective.recall == pytest.approx(100 * len(gold_crossed & system_arcs) / len(gold_crossed))


def with_other_lines(text: str, seed: int) -> str:
    """Put in comments, multiword tokens over two words, and empty nodes; the same ones for the same seed."""
    rng, result = random.Random(seed), []
    for sentence in text.removesuffix("\n\n").split("\n\n"):
        lines, free = sentence.split("\n"), True
        result.append("# a remark")
        for number, line in enumerate(lines, 1):
            free = not free or rng.random() < 0.7
            if not free and number < len(lines):
                result.append(f"{number}-{number + 1}\tboth{number}" + "\t_" * 8)
            result.append(line)
            if rng.random() < 0.2:
                result.append(f"{number}.1\tempty" + "\t_" * 6 + f"\t{number}:dep\t_")
        result.append("")
    return "".join(line + "\n" for line in result)


def official(gold: str, system: str) -> dict[str, float]:
    from udtools import udeval

    files = [udeval.load_conllu(io.StringIO(text), "text", {"multiple_roots_okay": 1}) for text in (gold, system)]
    metrics = udeval.evaluate(*files)
    return {metric.lower(): 100 * metrics[metric].f1 for metric in ("UAS", "LAS", "CLAS")}


def scores_of(gold: str, system: str) -> dict[str, float | None]:
    scores = evaluate(source(gold), source(system)).systems[0].scores
    return {"uas": scores.uas, "las": scores.las, "clas": scores.clas}


@pytest.mark.parametrize("seed", range(5))
def test_equals_the_official_evaluator(seed: int) -> None:
    gold, system = (with_other_lines(as_text(rows), seed) for rows in random_treebank(seed, 60))
    assert "-2\tboth" in gold
    assert ".1\tempty" in gold
    assert scores_of(gold, system) == official(gold, system)


@pytest.mark.parametrize("treebank", ["en-ewt", "es-ancora", "grc-agldt", "nl-alpino-cdb", "tr-imst"])
def test_equals_the_official_evaluator_on_treebanks(treebank: str, treebanks: Path) -> None:
    path = treebanks / treebank / "dev.conllu"
    rng = random.Random(treebank)
    gold, system = io.BytesIO(), io.BytesIO()
    for sentence in itertools.islice((candidate for candidate in read(path) if len(candidate)), 150):
        heads, deprels = sentence.heads.copy(), ["_", *sentence.column("deprel")]
        leaves = set(range(1, len(heads))) - set(heads.tolist())
        for word in sorted(leaves):  # a leaf may hang anywhere
            new = rng.randrange(len(heads))
            if rng.random() < 0.3 and new not in leaves:
                heads[word] = new
            if rng.random() < 0.3:
                deprels[word] = rng.choice(["obj", "det", "nmod:poss"])
        wnparse.write([sentence], gold)
        wnparse.write([sentence.with_tree(heads, deprels)], system)
    texts = gold.getvalue().decode(), system.getvalue().decode()
    scores = scores_of(*texts)
    assert scores == official(*texts)
    assert 0 < (scores["las"] or 0) < (scores["uas"] or 0) < 100


def test_accepts_sentences_of_the_conllu_library() -> None:
    gold, system = (conllu_library.parse_incr(io.StringIO(as_text(rows))) for rows in (GOLD, SYSTEM))
    assert evaluate(gold, system).systems[0] == evaluate_rows(GOLD, SYSTEM)


def test_sentences_without_words_are_passed_over() -> None:
    gold = "# only a comment\n\n" + as_text(GOLD)
    system = "\n\n\n" + as_text(SYSTEM[:1]) + "# a comment\n\n# another\n\n" + as_text(SYSTEM[1:]) + "\n\n"
    assert evaluate(source(gold), source(system)).systems[0] == evaluate_rows(GOLD, SYSTEM)


def test_scores_of_nothing_are_undefined() -> None:
    result = evaluate(source(""), source(""), source("# comment\n\n"), by=["length", "relation", "distance"])
    assert (result.sentences, result.words) == (0, 0)
    assert result.systems[0].scores.uas is None
    assert result.systems[1].significance["uas"].p_value == 1
    assert result.gold.projective is None


def test_refuses_bad_options() -> None:
    with pytest.raises(ValueError, match="colour; expected length, relation"):
        evaluate(source(""), source(""), by=["colour"])
    with pytest.raises(ValueError, match="at least one"):
        evaluate(source(""))


def test_reports_the_significance_of_systems() -> None:
    gold, worse = random_treebank(5, 80)
    texts = [as_text(rows) for rows in (worse, gold, worse)]
    result = evaluate(source(as_text(gold)), *(source(text) for text in texts), trials=2000)
    first, perfect, same = result.systems
    assert first.significance == {}
    assert first.scores.uas is not None
    assert perfect.significance["uas"].difference == pytest.approx(100 - first.scores.uas)
    assert perfect.significance["uas"].p_value == 1 / 2001
    assert (same.significance["las"].difference, same.significance["las"].p_value) == (0, 1)


def test_a_further_system_alters_no_p_value() -> None:
    gold, one = random_treebank(6, 30)
    two = [
        given if number % 2 else expected for number, (expected, given) in enumerate(zip(gold, one, strict=True))
    ]
    three = [
        given if number % 3 else expected for number, (expected, given) in enumerate(zip(gold, one, strict=True))
    ]

    def p_values(*systems: list[list[Row]]) -> dict[str, float]:
        result = evaluate(source(as_text(gold)), *(source(as_text(rows)) for rows in systems), trials=500)
        return {metric: comparison.p_value for metric, comparison in result.systems[1].significance.items()}

    assert p_values(two, three) == p_values(two, three, one)


def test_scores_words_that_are_annotated_in_gold() -> None:
    rng = random.Random(4)
    gold, system = random_treebank(seed=3, count=60)
    lines, annotated = [], []
    for rows, guesses in zip(gold, system, strict=True):
        for i, (row, guess) in enumerate(zip(rows, guesses, strict=True), 1):
            head, relation = rng.choice([(row[2], row[3])] * 2 + [(row[2], "_"), ("_", "_"), ("_", "det")])
            lines.append(f"{i}\t{row[0]}\t_\t{row[1]}\tx{row[1]}\t_\t{head}\t{relation}\t_\t_\n")
            if head != "_":
                same_part = relation.split(":")[0] == guess[3].split(":")[0]
                annotated.append((head == guess[2], None if relation == "_" else head == guess[2] and same_part))
        lines.append("\n")
    result = evaluate(sentences_given("".join(lines)), source(as_text(system)), by=BREAKDOWNS)
    (system_result,) = result.systems
    arcs = [right for _, right in annotated if right is not None]
    assert system_result.scores.words == len(annotated) == result.annotated.heads
    assert system_result.scores.uas == 100 * (sum(right for right, _ in annotated) / len(annotated))
    assert system_result.scores.las == 100 * (sum(arcs) / len(arcs))
    assert result.annotated.relations == len(arcs)
    assert sum(row.gold for row in system_result.by_relation.values()) == len(arcs)
    assert sum(row.gold for row in system_result.by_distance.values()) == len(annotated)
    assert sum(sum(row.values()) for row in system_result.by_confusion.values()) == len(arcs)
    assert "_" not in result.foreign_relations
    assert system_result.tags.words == result.words


def test_gold_without_annotation_has_no_scores() -> None:
    gold = as_text([[("a", "NOUN", 0, "root")]]).replace("\t0\troot", "\t_\t_")
    result = evaluate(sentences_given(gold), source(as_text([[("a", "NOUN", 0, "root")]])), by=BREAKDOWNS)
    assert (result.systems[0].scores.words, result.systems[0].scores.uas) == (0, None)
    assert result.gold.projective is None


def test_a_missing_head_of_a_system_is_not_an_arc() -> None:
    gold = [[("a", "NOUN", 0, "root"), ("b", "NOUN", 1, "obj"), ("c", "NOUN", 1, "obj")]]
    system = as_text(gold).replace("\t0\troot", "\t_\t_")
    result = evaluate(source(as_text(gold)), sentences_given(system), by=BREAKDOWNS).systems[0]
    assert result.by_distance["root"].system == 0
    assert result.by_relation["root"] == Retrieval(1, 0, None, 0.0, None)
    assert result.by_relation["obj"].f1 == 100


def sentences_given(text: str) -> Reader:
    return read(io.BytesIO(text.encode()), heads="given")
