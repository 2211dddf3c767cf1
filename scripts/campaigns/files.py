"""A campaign over files: random damage to CoNLL-U files, lists of words, texts, rule files and model files.

Every damaged file must work, or be refused in one line that names file and line (`campaigns.file_checks`,
`campaigns.text_checks` and `campaigns.model_checks`). Each file is made from a seed and a number, so that it can
be made again. For example::

    python scripts/campaigns/files.py --kind all --count 10000 --seed 1 --jobs 2

prints a table of outcomes, and every failure with the command that repeats it. The exit status is 1 if there is
a failure.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import wnparse
from campaigns import file_checks, model_checks, model_mutants, mutations, text_checks
from campaigns.runner import Check, Result, run_cases
from wnparse.parser.model import load
from wnparse.treebanks.reader import read

ROOT = Path(__file__).resolve().parents[2]
KINDS = ("conllu", "words", "text", "rules", "models")
DAMAGED = 10  # one model file in so many is damaged; the others are forged
MOST_BYTES = 3000  # of a CoNLL-U file before it is damaged
MOST_TEXT = 1_000_000  # bytes of a damaged text, which is split several times
SHOWN = 20  # failures that are printed in full
ROWS = 40  # outcomes in a table

# Sentences with everything that the sample does not have.
ODD_SENTENCES = """\
# newdoc id = d
# sent_id = odd-1
# text = (Zum Haus)\u00a0!
1\t(\t(\tPUNCT\t_\t_\t3\tpunct\t_\tSpaceAfter=No
2-3\tZum\t_\t_\t_\t_\t_\t_\t_\t_
2\tzu\tzu\tADP\tA\t_\t4\tcase\t4:case\t_
3\tdem\tder\tDET\tB\tCase=Dat|Gender=Neut\t4\tdet\t4:det|0:root\t_
3.1\tx\t_\t_\t_\t_\t_\t_\t0:root\t_
3.2\ty\t_\t_\t_\t_\t_\t_\t3.1:dep\tA=B
4\tHaus\tHaus\tNOUN\tC\tCase=Dat\t0\troot\t0:root\tSpaceAfter=No
5\t)\t)\tPUNCT\t_\t_\t4\tpunct\t_\t_

# comments alone

# sent_id = odd-2
0.1\tempty\t_\t_\t_\t_\t_\t_\t0:root\t_
1\tNew York\tNew York\tPROPN\t_\t_\t_\t_\t_\t_
2\t日本\t_\t_\t_\t_\t_\t_\t_\t_

1\te\u0301\t_\tX\t_\t_\t2\tdep\t_\t_
2\t\U0001f600\t_\tSYM\t_\t_\t0\troot\t_\t_
""".encode()


def seed_texts(kind: str, treebanks: Sequence[str], models: Path | None = None) -> list[bytes]:
    """Return what mutants of a kind are made of: texts, or the models of a folder."""
    if kind == "models":
        assert models is not None
        return [path.read_bytes() for path in sorted(models.glob("*.wnp"))]
    if kind == "rules":
        folder = ROOT / "wnparse" / "rules" / "bundled"
        bundled = [path.read_bytes() for path in sorted(folder.glob("*.toml"))]
        rule = b'[[rule]]\nname = "r"\nreason = "r"\nforbid = { relation = "x" }\n'
        included = b'include = "ud"\nleave-out = ["leaf-det"]\n\n' + rule
        return [*[(ROOT / "scripts" / "campaigns" / "every_rule.toml").read_bytes()] * 3, *bundled, included]
    paths = [ROOT / "data" / "dev.conllu", *map(Path, treebanks)]
    texts = [ODD_SENTENCES, *(path.read_bytes()[:300_000] for path in paths)]
    if kind == "text":
        return [as_plain_text(text) for text in texts]
    return texts if kind == "conllu" else [as_words(text) for text in texts]


def as_words(text: bytes) -> bytes:
    """Return CoNLL-U as one word per line, with its comments."""
    rows = []
    for line in text.split(b"\n"):
        columns = line.split(b"\t")
        if len(columns) == 1 or columns[0].isdigit():
            rows.append(columns[0] if len(columns) == 1 else columns[1])
    return b"\n".join(rows)


def as_plain_text(text: bytes) -> bytes:
    """Return the texts of sentences, or their words, in short paragraphs."""
    parts = []
    for number, sentence in enumerate(text.split(b"\n\n")):
        comment = re.search(rb"(?m)^# text = (.*)", sentence)
        parts.append(comment[1] if comment else as_words(sentence).replace(b"\n", b" "))
        parts.append((b" ", b"  ", b"\n", b"\r\n", b"\n\n", b"")[number % 6])
    return b"".join(parts)


def make_mutant(kind: str, seed: int, number: int, texts: Sequence[bytes]) -> tuple[str, bytes]:
    """Return the name and the bytes of a damaged file."""
    rng = random.Random(f"{kind} {seed} {number}")
    text = rng.choice(texts)
    if kind == "models":
        change, name = (
            (model_mutants.forge, "forged.wnp") if number % DAMAGED else (model_mutants.damage, "damaged.wnp")
        )
        return name, change(text, f"{seed} {number}")
    if kind == "rules":
        tables = text.split(b"[[rule]]")
        if len(tables) > 8:  # a few rules are read faster than many
            text = b"[[rule]]".join([tables[0], *rng.sample(tables[1:], rng.randint(1, 6))])
        return "mutant.toml", mutations.mutate(rng, text, mutations.RULES)
    piece = mutations.cut_sentences(rng, text, MOST_BYTES if kind == "conllu" else MOST_BYTES // 4)
    data = mutations.mutate(rng, piece, mutations.CONLLU if kind == "conllu" else mutations.WORDS)
    if kind == "text":
        data = data[:MOST_TEXT]
    name = "mutant.conllu" if kind == "conllu" else "mutant.txt"
    if rng.random() < 0.05:
        suffix = rng.choice([".gz", ".xz"])
        return name + suffix, mutations.compress(rng, data, suffix)
    return name, data


def train_models(folder: Path) -> None:
    """Train a parser of the first order, and one of the second with a tagger, on a part of the sample."""
    sentences = list(wnparse.read(ROOT / "data" / "dev.conllu"))[:80]
    wnparse.train(sentences, epochs=1, order=1, only="parser", rules=None).save(folder / "plain.wnp")
    wnparse.train(sentences, sentences, epochs=1, order=2, jackknife=2).save(folder / "tagging.wnp")


def make_check(kind: str, seed: int, treebanks: Sequence[str], models: Path) -> Check:
    """Return what checks a mutant by its number; a worker calls this once."""
    texts = seed_texts(kind, treebanks, models)
    folder = tempfile.mkdtemp()  # the runner removes it
    check: file_checks.FileCheck
    if kind == "models":
        check = model_checks.ModelCheck()
    else:
        loaded = [load(path) for path in sorted(models.glob("*.wnp"))]
        if kind == "conllu":
            check = file_checks.ConlluCheck(loaded)
        elif kind == "words":
            check = file_checks.WordsCheck(loaded)
        elif kind == "text":
            check = text_checks.TextCheck(loaded)
        else:
            check = file_checks.RulesCheck(loaded, list(read(ROOT / "data" / "dev.conllu")))

    def check_number(number: int) -> str:
        name, data = make_mutant(kind, seed, number, texts)
        path = Path(folder, name)
        path.write_bytes(data)
        return check(random.Random(f"{kind} {seed} {number} options"), path)

    return check_number


def command_of(kind: str, options: argparse.Namespace, number: int) -> str:
    """Return the command that repeats a case."""
    parts = [f"python scripts/campaigns/files.py --kind {kind} --seed {options.seed} --first {number} --count 1"]
    return " ".join([*parts, *(f"--treebank {path}" for path in options.treebank)])


def run_kind(kind: str, options: argparse.Namespace, models: Path) -> tuple[Counter[str], list[Result]]:
    """Run the campaign over files of one kind; save and print failures as they come."""
    outcomes: Counter[str] = Counter()
    failures: list[Result] = []
    arguments = (kind, options.seed, options.treebank, models)
    numbers = range(options.first, options.first + options.count)
    texts = seed_texts(kind, options.treebank, models)
    for result in run_cases(make_check, arguments, numbers, jobs=options.jobs, seconds=options.seconds):
        outcomes[result.outcome] += 1
        if outcomes.total() % 10_000 == 0:
            print(f"{kind}: {outcomes.total():,} of {options.count:,}", file=sys.stderr)
        if not result.failure:
            continue
        failures.append(result)
        name, data = make_mutant(kind, options.seed, result.number, texts)
        path = Path(options.save, f"{kind}-{options.seed}-{result.number}-{name}")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        if len(failures) <= SHOWN:
            print(f"\n{command_of(kind, options, result.number)}\n{path}\n{result.failure}", flush=True)
    return outcomes, failures


def print_table(kind: str, outcomes: Counter[str], seconds: float) -> None:
    """Print how many files had each outcome."""
    total = outcomes.total()
    print(f"\n{kind}: {total:,} files, {total / max(seconds, 1e-9):,.0f} per second")
    common = outcomes.most_common(ROWS)
    for outcome, count in common:
        print(f"{count:10,}  {outcome}")
    if len(outcomes) > ROWS:
        print(f"{total - sum(count for _, count in common):10,}  {len(outcomes) - ROWS} other outcomes")
    sys.stdout.flush()


def read_options(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--kind", choices=[*KINDS, "all"], default="all", help="kind of files [default: all]")
    parser.add_argument("--count", type=int, default=1000, help="number of files of each kind [default: 1000]")
    parser.add_argument("--seed", type=int, default=1, help="seed of the damage [default: 1]")
    parser.add_argument("--first", type=int, default=0, help="number of the first file [default: 0]")
    parser.add_argument("--jobs", type=int, default=1, help="number of worker processes [default: 1]")
    parser.add_argument("--seconds", type=float, default=20, help="time limit for a file [default: 20]")
    parser.add_argument(
        "--save",
        default="build/campaign",
        metavar="DIR",
        help="folder for files that fail [default: build/campaign]",
    )
    parser.add_argument(
        "--treebank", action="append", default=[], metavar="FILE", help="CoNLL-U to damage, too (repeatable)"
    )
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the campaign; return the exit status."""
    options = read_options(arguments)
    failures = 0
    for kind in KINDS if options.kind == "all" else (options.kind,):
        with tempfile.TemporaryDirectory() as folder:
            models = Path(folder)
            make_models = model_checks.make_models if kind == "models" else train_models
            make_models(models)
            start = time.perf_counter()
            outcomes, failed = run_kind(kind, options, models)
            print_table(kind, outcomes, time.perf_counter() - start)
            failures += len(failed)
    print(f"\n{failures:,} failures" + (f", saved in {options.save}" if failures else ""))
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
