"""Other parsers on the same files: recorded figures of TurboParser; UDPipe and spaCy where they are installed."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from bench.lab import ANCHORS
from reproduction.laboratory import Laboratory
from reproduction.parsing_runs import evaluate_files
from reproduction.store import Result, say

FOLDER = Path(__file__).resolve().parent
PEERS = {"UDPipe": ("ufal.udpipe", "udpipe_peer.py"), "spaCy": ("spacy", "spacy_peer.py")}
SPACY_EPOCHS = 15
FIGURES = (
    "uas", "las", "nested2", "nested3", "single_root", "words_per_second", "train_user_seconds", "megabytes",
)  # fmt: skip


def installed(package: str) -> bool:
    """Whether a package can be imported here."""
    try:
        return importlib.util.find_spec(package) is not None
    except ModuleNotFoundError:
        return False


def recorded_figures(treebanks: Iterable[str]) -> dict[str, list[dict[str, Any]]]:
    """Return the recorded rows of TurboParser for some treebanks."""
    recorded: dict[str, list[dict[str, Any]]] = {}
    for row in ANCHORS["turboparser"]["runs"]:
        figures = {key: row.get(key) for key in FIGURES}
        if row["treebank"] in treebanks:
            named = {"system": f"TurboParser 2.3, {row['model']} (recorded)", **figures}
            recorded.setdefault(row["treebank"], []).append(named)
    return recorded


def reason_to_skip(peer: str, laboratory: Laboratory, words: int) -> str:
    """Return why a peer is not trained on a treebank; nothing if it is."""
    package, _ = PEERS[peer]
    if not laboratory.options.peers:
        return "left out by --no-peers"
    if not installed(package):
        return f"{package} is not installed"
    most = laboratory.options.peer_words
    return f"more training words than --peer-words {most:,}" if words > most else ""


class PeerError(Exception):
    """A peer that did not do its work; nothing is kept of it."""


def peer_step(peer: str) -> Callable[[Laboratory], Result]:
    """Train a peer and parse the test set with it, in a process of its own."""
    script = FOLDER / PEERS[peer][1]
    more = [str(SPACY_EPOCHS)] if peer == "spaCy" else []

    def measure(laboratory: Laboratory) -> Result:
        treebank = laboratory.treebank
        say(f"{treebank.name}: training {peer}; this may take minutes ...")
        with tempfile.TemporaryDirectory() as folder:
            output = str(Path(folder, "parsed.conllu"))
            train, test = treebank.required("train"), treebank.required("test")
            command = [sys.executable, str(script), train, str(treebank.path("dev") or ""), test, output, *more]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                last = (done.stderr.strip().splitlines() or ["no message"])[-1]
                raise PeerError(f"exit status {done.returncode}, {last}")
            figures = json.loads(done.stdout.splitlines()[-1])
            (scores,) = evaluate_files(test, [output], laboratory)
        speed = float(laboratory.test_set.lengths.sum()) / figures["user_seconds"]
        return {**figures, **scores, "words_per_second": speed, "megabytes": figures["bytes"] / 1e6}

    return measure
