"""Other parsers on the same files: recorded figures of TurboParser; UDPipe and spaCy where they are installed."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from reproduction.laboratory import Laboratory
from reproduction.parsing_runs import evaluate_files
from reproduction.store import Result, say

FOLDER = Path(__file__).resolve().parent
PEERS = {"UDPipe": ("ufal.udpipe", "udpipe_peer.py"), "spaCy": ("spacy", "spacy_peer.py")}
SPACY_EPOCHS = 15
RECORDED = "## TurboParser"  # the section of a file of recorded figures


def installed(package: str) -> bool:
    """Whether a package can be imported here."""
    try:
        return importlib.util.find_spec(package) is not None
    except ModuleNotFoundError:
        return False


def recorded_figures(anchors: Path | None) -> dict[str, list[dict[str, Any]]]:
    """TurboParser's rows by treebank, out of the table of a Markdown file; nothing if there is no such file."""
    if anchors is None or not anchors.is_file():
        return {}
    section = anchors.read_text("utf-8").partition(RECORDED)[2].partition("\n## ")[0]
    lines = [line.strip().strip("|").split("|") for line in section.splitlines() if line.startswith("|")]
    if len(lines) < 3:
        return {}
    names = [cell.strip() for cell in lines[0]]
    found: dict[str, list[dict[str, Any]]] = {}
    for cells in lines[2:]:
        row = dict(zip(names, (cell.strip() for cell in cells), strict=False))
        nested2, _, nested3 = row.get("valid ≤2 / ≤3", "").partition(" / ")
        found.setdefault(row["treebank"], []).append(
            {
                "system": f"TurboParser 2.3, {row['model']} (recorded)",
                "uas": _number(row["UAS"]),
                "las": _number(row["LAS"]),
                "nested2": _number(nested2),
                "nested3": _number(nested3),
                "single_root": _number(row["single root %"]),
                "words_per_second": _number(row["words/s user"]),
                "train_user_seconds": _number(row["train s user"]),
                "megabytes": _number(row["model MB"]),
            }
        )
    return found


def _number(cell: str) -> float | None:
    try:
        return float(cell.replace(",", ""))
    except ValueError:
        return None


def reasons_to_skip(laboratory: Laboratory, words: int) -> dict[str, str]:
    """Why a peer is not trained on a treebank; peers without a reason are."""
    reasons = {}
    for peer, (package, _) in PEERS.items():
        if not laboratory.options.peers:
            reasons[peer] = "left out by --no-peers"
        elif not installed(package):
            reasons[peer] = f"{package} is not installed"
        elif words > laboratory.options.peer_words:
            reasons[peer] = f"more training words than --peer-words {laboratory.options.peer_words:,}"
    return reasons


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
