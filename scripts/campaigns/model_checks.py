"""Load and use forged and damaged model files: each must be refused, or give some result, and nothing else.

python scripts/campaigns/models.py --count 1000 --seed 1              # some minutes
python scripts/campaigns/models.py --count 100000 --seed 2 --jobs 2

Small models of orders 1 to 3, with and without labels, rules and a tagger, are trained on the bundled sample. A
mutant of one of them is loaded in a worker process and used as `wnparse info`, `tag` and `parse` would, with
confidence and the k best trees. It must be refused by a ModelError in one line, or give sentences that can be read
again. Anything else is a failure: a signal, a hang, another exception, a RuntimeWarning. One mutant in ten is
damaged instead of forged, and must be refused. Failures are kept in the folder --save; exit status 1 if there are
any. A mutant depends on the seed and its number alone: --only NUMBER runs one in this process.
"""

from __future__ import annotations

import argparse
import faulthandler
import io
import itertools
import json
import random
import resource
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

from click.testing import CliRunner

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

import wnparse  # noqa: E402
from campaigns.model_mutants import damage, forge  # noqa: E402
from campaigns.workers import run, serve  # noqa: E402
from wnparse.cli.info import command as info  # noqa: E402
from wnparse.conllu import Sentence, parse_sentence, read  # noqa: E402
from wnparse.errors import ModelError  # noqa: E402
from wnparse.model import Model, load, tagging_model  # noqa: E402
from wnparse.tagger_training import Lessons, TaggerOptions, finish_tagger, learn_tagger  # noqa: E402

DATA = ROOT / "data" / "dev.conllu"
DAMAGED = 10  # one mutant in so many is damaged, not forged
MEMORY = 4 << 30  # bytes that a worker may have
GOOD = ("refused", "used")
# Models by name, and how each is trained: see `make_model`.
KINDS: dict[str, dict[str, Any]] = {
    "first-order": {"order": 1},
    "unlabelled": {"order": 1, "labelled": False, "prune": False},
    "second-order": {"order": 2, "tagger": True, "folds": 2},
    "third-order": {"order": 3, "rules": "ud"},
    "tagger": {},
    "many-tags": {},
}
MANY = 6000  # tags: of fewer, sums of weights cannot overflow


def make_model(kind: str) -> Model:
    """Train a small model."""
    sentences = list(wnparse.read(DATA))
    train, dev = sentences[:60], sentences[60:80]
    if kind not in ("tagger", "many-tags"):
        return wnparse.train(train, dev, epochs=1, **KINDS[kind])
    if kind == "many-tags":
        rows = (f"{k % 10 + 1}\tw{k % (MANY // 2)}\t_\tT{k}" + 6 * "\t_" + "\n" for k in range(MANY))
        lines = (row + "\n" * (k % 10 == 9) for k, row in enumerate(rows))
        train = [*train, *read(io.BytesIO("".join(lines).encode()))]
    tagger = learn_tagger(Lessons(train), TaggerOptions(epochs=2, lemma_epochs=2))
    assert tagger is not None
    return tagging_model(finish_tagger(tagger, dev), {"wnparse": wnparse.__version__})


def make_models(folder: Path) -> None:
    """Train the models that are not in a folder yet."""
    for kind in KINDS:
        path = folder / f"{kind}.wnp"
        if not path.exists():
            make_model(kind).save(path)


def mutant(models: Path, seed: int, number: int) -> tuple[str, bytes]:
    """Return the kind of a mutant, and its bytes."""
    rng = random.Random(f"{seed} {number}")
    kind = rng.choice(list(KINDS))
    data = (models / f"{kind}.wnp").read_bytes()
    if number % DAMAGED == 0:
        return f"damaged {kind}", damage(data, f"damage {seed} {number}")
    return kind, forge(data, f"forge {seed} {number}")


def sentences() -> list[Sentence]:
    """Return short sentences, some with tags and some without."""
    short = [sentence for sentence in itertools.islice(wnparse.read(DATA), 100, 160) if len(sentence) <= 12]
    strange = "1\tİSTANBUL\t_\t_\t_\t_\t_\t_\t_\t_\n2\tx\t_\tX\t_\tA=1|B=2|B=3\t_\t_\t_\t_\n\n"
    words = ["the", "dog", "b" * 200, "ß", "."]
    bare = "".join(f"{i}\t{word}" + 8 * "\t_" + "\n" for i, word in enumerate(words, 1)) + "\n"
    return [short[0], short[1], parse_sentence(strange.encode()), parse_sentence(bare.encode())]


def use(path: Path, given: list[Sentence], rng: random.Random) -> None:
    """Use a model file in all ways; ModelError if it is refused."""
    model = load(path)
    for arguments in ([str(path)], [str(path), "--json"]):
        result = CliRunner().invoke(info, arguments, catch_exceptions=False)
        assert result.exit_code == 0, result.output
    repr(model)
    if model.tagger is not None:
        check(model.tag(given), given)
        check(model.tag(given, retag=True, confidence=True), given)
    if model.only_tags:
        return
    check(model.parse(given), given)
    decoder = rng.choice(("bnb", "msa", "eisner", "lr", "msa-eisner"))
    check(model.parse(given, decoder=decoder, rules=rng.choice(("model", "ud", None))), given)
    sure = model.calibration is not None
    for trees in model.parse(given, k=3, confidence=sure, decoder=rng.choice(("bnb", "msa", "eisner"))):
        assert 1 <= len(trees) <= 3
        for tree in trees:
            parse_sentence(tree.raw)
    path.with_suffix(".again").unlink(missing_ok=True)
    model.save(path.with_suffix(".again"))
    load(path.with_suffix(".again"))


def check(results: Any, given: list[Sentence]) -> None:
    """See that results can be read again, and have the words that were given."""
    for sentence, before in zip(results, given, strict=True):
        again = parse_sentence(sentence.raw)
        assert again.column("form") == before.column("form")
        assert not any(each == "" for name in ("upos", "lemma", "deprel") for each in again.column(name))
        if sentence.parse is not None:
            assert sentence.parse.score == sentence.parse.score  # not NaN


def attempt(models: Path, place: Path, seed: int, number: int, given: list[Sentence]) -> dict[str, Any]:
    """Make a mutant and use it; say what came of it."""
    kind, data = mutant(models, seed, number)
    place.write_bytes(data)
    rng = random.Random(f"use {seed} {number}")
    start = time.perf_counter()
    details = ""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", UserWarning)
        try:
            use(place, given, rng)
            outcome = "used" if not kind.startswith("damaged") else "damage that was not found"
        except ModelError as error:
            whole = str(error).startswith(f"{place}: ") and "\n" not in str(error)
            outcome = "refused" if whole else f"a bad message: {error}"
            details = str(error)
        except BaseException as error:
            outcome = f"exception {type(error).__name__}"
            details = traceback.format_exc()
    return {"outcome": outcome, "kind": kind, "seconds": time.perf_counter() - start, "details": details}


def main() -> None:
    """Run the campaign."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000, help="mutants [default: 1000]")
    parser.add_argument("--first", type=int, default=0, help="number of the first mutant [default: 0]")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="worker processes [default: 1]")
    parser.add_argument("--seconds", type=float, default=20.0, help="time limit of a mutant [default: 20]")
    parser.add_argument("--models", type=Path, help="folder of the models; they are trained if they are not there")
    parser.add_argument(
        "--save", type=Path, default=Path("campaign-failures"), help="folder for mutants that fail"
    )
    parser.add_argument("--only", type=int, help="use the mutant of this number in this process")
    parser.add_argument("--worker", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.worker:
        work(given.models, given.worker, given.seed)
        return
    with tempfile.TemporaryDirectory() as scratch:
        models = given.models or Path(scratch)
        models.mkdir(parents=True, exist_ok=True)
        make_models(models)
        if given.only is not None:
            print(
                json.dumps(attempt(models, Path(scratch, "m.wnp"), given.seed, given.only, sentences()), indent=2)
            )
            return
        sys.exit(campaign(given, models, Path(scratch)))


def work(models: Path, place: Path, seed: int) -> None:
    """Use the mutants whose numbers come from standard input."""
    faulthandler.enable()
    if "libasan" not in Path("/proc/self/maps").read_text():  # sanitizers need terabytes of addresses
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    given = sentences()
    serve(lambda number: attempt(models, place, seed, number, given))


def campaign(given: argparse.Namespace, models: Path, scratch: Path) -> int:
    """Use all mutants; 1 if one of them fails."""
    command = [sys.executable, __file__, "--models", str(models), "--seed", str(given.seed)]
    command += ["--worker", str(scratch / f"mutant{random.randrange(2**32)}.wnp")]
    numbers = range(given.first, given.first + given.count)
    outcomes: Counter[str] = Counter()
    slowest = (0.0, -1)
    start = time.perf_counter()
    for number, answer in run(command, numbers, seconds=given.seconds, jobs=given.jobs, folder=scratch):
        outcome = answer["outcome"]
        damaged = "damaged, " if number % DAMAGED == 0 else "forged, "
        outcomes[damaged + outcome] += 1
        slowest = max(slowest, (answer.get("seconds", given.seconds), number))
        if outcome not in GOOD:
            print(f"mutant {number}: {outcome}", flush=True)
            given.save.mkdir(parents=True, exist_ok=True)
            name = f"{given.seed}-{number}"
            (given.save / f"{name}.wnp").write_bytes(mutant(models, given.seed, number)[1])
            (given.save / f"{name}.txt").write_text(f"{outcome}\n{answer.get('details', '')}")
        if (number + 1) % 1000 == 0:
            print(f"{number + 1:,} of {numbers.stop:,}, {time.perf_counter() - start:.0f} s", flush=True)
    for outcome, count in sorted(outcomes.items()):
        print(f"{count:7,}  {outcome}")
    print(f"slowest: mutant {slowest[1]}, {slowest[0]:.2f} s; seed {given.seed}")
    return int(any(outcome.partition(", ")[2] not in GOOD for outcome in outcomes))


if __name__ == "__main__":
    main()
