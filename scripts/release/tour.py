"""What users do from Python, in one script: it needs the wheel and its extras spacy and notebook, nothing else.

    python scripts/release/tour.py data/english/dev.conllu

.ci/run runs it in a new environment. A test runs it in the present one, where a step without its package is left
out, and checks its types like those of a user's program.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

import wnparse

WORDS = ["The", "dog", "sleeps", "in", "the", "garden", "."]


def parse_words(path: Path) -> None:
    """From words to a tree in two lines."""
    model = wnparse.load(path)
    (tree,) = model.parse([WORDS])
    assert [word.form for word in tree if word.head == 0] and all(word.upos != "_" for word in tree)


def decode_logits(path: Path) -> None:
    """Decode a batch of logits with labels and rules."""
    rng = np.random.default_rng(1)
    names = ["root", "nsubj", "obj", "det", "punct"]
    lengths = [4, 7]
    arcs, labels = rng.normal(size=(2, 8, 8)), rng.normal(size=(2, 8, 8, len(names)))
    batch = wnparse.decode_batch(
        arcs,
        lengths,
        labels=(names, labels),
        rules="ud",
        sentences=[wnparse.Sentence.from_words(WORDS[:count], ["NOUN"] * count) for count in lengths],
        single_root=True,
        block_degree=2,
        threads=2,
    )
    assert batch.certified.all()
    for solution in batch:
        assert solution.labels is not None and solution.labels.count("root") == 1
        assert wnparse.block_degree(solution.heads) <= 2


def make_table(path: Path) -> None:
    """Make a table of words."""
    (tree,) = wnparse.load(path).parse([WORDS])
    table = tree.to_pandas()
    assert table["form"].tolist() == WORDS and table.loc[table["head"] == 0, "deprel"].tolist() == ["root"]


def use_spacy(path: Path) -> None:
    """Parse a Doc, alone and in a pipeline."""
    import spacy

    nlp = spacy.blank("en")
    (doc,) = wnparse.load(path).parse([nlp("The dog sleeps.")])
    nlp.add_pipe("wnparse", config={"model": str(path)})
    same = nlp("The dog sleeps.")
    assert [token.dep_ for token in doc] == [token.dep_ for token in same] and doc.has_annotation("DEP")
    assert wnparse.Sentence.from_spacy(same).column("form") == ["The", "dog", "sleeps", "."]


def show_picture(path: Path) -> None:
    """Show a sentence and a solution in a notebook."""
    sources = [
        f"import wnparse\n\nnext(wnparse.load({str(path)!r}).parse([{WORDS}]))",
        "wnparse.decode([[0, 0, 0], [1, 0, 5], [3, 2, 0]], sentence=wnparse.Sentence.from_words(['It', 'rains']))",
    ]
    cell: dict[str, object] = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    cells = [{**cell, "source": source} for source in sources]
    notebook = path.with_suffix(".ipynb")
    notebook.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells}))
    jupyter = [sys.executable, "-m", "jupyter", "execute", "--inplace", str(notebook)]
    subprocess.run(jupyter, check=True, capture_output=True)
    for executed in json.loads(notebook.read_text())["cells"]:
        assert "".join(executed["outputs"][0]["data"]["image/svg+xml"]).startswith("<svg ")


STEPS: list[tuple[Callable[[Path], None], tuple[str, ...]]] = [
    (parse_words, ()),
    (decode_logits, ()),
    (make_table, ("pandas",)),
    (use_spacy, ("spacy",)),
    (show_picture, ("nbclient", "ipykernel")),
]


def main() -> None:
    """Train a model, and run all steps for which the packages are installed."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.wnp"
        wnparse.train(sys.argv[1], order=1, epochs=2).save(path)
        for step, packages in STEPS:
            missing = [name for name in packages if importlib.util.find_spec(name) is None]
            if not missing:
                step(path)
            print(f"{step.__name__}: {'no ' + missing[0] if missing else 'done'}")


if __name__ == "__main__":
    main()
