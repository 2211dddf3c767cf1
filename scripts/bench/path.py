"""How much Python a sentence passes between the command and the core.

    python scripts/bench/path.py [--model MODEL] [FILE]

Runs `wnparse parse` in this process (order 2, rules, tagger) on words without tags, and watches every Python call
after the first 20 sentences. It prints the files of wnparse that were executed, and the deepest chain of
functions between the command and the core. Comprehensions and generator expressions do not count.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
import threading
from pathlib import Path
from types import FrameType
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import wnparse
from bench.lab import ROOT, make_parser, report
from wnparse.cli.main import cli

PACKAGE = str(Path(wnparse.__file__).parent) + os.sep
HIDDEN = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>", "<module>")
FIRST = 20  # sentences before anything is counted
MOST_CHAIN = 6  # the target


class PathWatcher:
    """A profile function that notes the functions of wnparse, and the deepest chain of them."""

    def __init__(self) -> None:
        self.on = False
        self.files: set[str] = set()
        self.chain: list[str] = []

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        """Note a call."""
        if not self.on or event != "call" or not frame.f_code.co_filename.startswith(PACKAGE):
            return
        chain: list[str] = []
        caller: FrameType | None = frame
        while caller is not None:
            code = caller.f_code
            if code.co_filename.startswith(PACKAGE) and code.co_name not in HIDDEN:
                name = code.co_filename.removeprefix(PACKAGE)
                if name == str(Path("cli", "parse.py")) and code.co_name == "command":
                    break
                chain.append(f"{name}:{code.co_name}")
            caller = caller.f_back
        if caller is None:
            return
        self.files.add(frame.f_code.co_filename.removeprefix(PACKAGE))
        if len(chain) > len(self.chain):
            self.chain = chain[::-1]


def untagged(path: Path, most: int) -> list[bytes]:
    """Return sentences without tags, lemmas and trees."""
    sentences = []
    for number, sentence in enumerate(wnparse.read(path)):
        if number == most:
            break
        rows = (f"{i}\t{form}" + 8 * "\t_" for i, form in enumerate(sentence.column("form"), 1))
        sentences.append(("\n".join(rows) + "\n\n").encode())
    return sentences


def run(model: str, sentences: list[bytes]) -> PathWatcher:
    """Parse sentences from a pipe, and watch what comes after the first ones."""
    watcher = PathWatcher()
    reading, writing = os.pipe()
    out_reading, out_writing = os.pipe()

    begun, done = threading.Event(), threading.Event()

    def feed() -> None:
        with os.fdopen(writing, "wb") as target:
            target.write(b"".join(sentences[:FIRST]))
            target.flush()
            begun.wait()
            watcher.on = True
            target.write(b"".join(sentences[FIRST:]))
            target.flush()
            done.wait()
            watcher.on = False  # what the command does at the end is not part of the path

    def drain() -> None:
        with os.fdopen(out_reading, "rb") as results:
            blank = 0
            for line in results:
                blank += line == b"\n"
                if blank == FIRST:
                    begun.set()
                if blank == len(sentences):
                    done.set()

    threads = [threading.Thread(target=work) for work in (feed, drain)]
    for thread in threads:
        thread.start()
    arguments = ["parse", "-m", model, f"/dev/fd/{reading}", "-o", f"/dev/fd/{out_writing}", "-q"]
    sys.setprofile(watcher)
    try:
        cli.main(arguments, standalone_mode=False)
    finally:
        sys.setprofile(None)
        os.close(out_writing)
        os.close(reading)
    for thread in threads:
        thread.join()
    return watcher


def main() -> int:
    """Print the figures next to the target."""
    parser = make_parser(__doc__)
    parser.add_argument("file", nargs="?", type=Path, default=ROOT / "data" / "test.conllu")
    parser.add_argument("--model", help="a model of order 2 with tagger and rules; default: one of the sample")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()):
        model = options.model
        if model is None:
            model = str(Path(folder, "m.wnp"))
            data = [str(ROOT / "data" / name) for name in ("train.conllu", "dev.conllu")]
            wnparse.train(*data, epochs=1, jackknife=2).save(model)
        watcher = run(model, untagged(options.file, 200))
    print(f"Python files executed: {len(watcher.files)}")
    for name in sorted(watcher.files):
        print(f"  {name}")
    length = len(watcher.chain)
    report("deepest chain between command and core", str(length), f"<= {MOST_CHAIN}", length <= MOST_CHAIN)
    for name in watcher.chain:
        print(f"  {name}")
    return int(length > MOST_CHAIN)


if __name__ == "__main__":
    sys.exit(main())
