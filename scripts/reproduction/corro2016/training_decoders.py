"""Section 7.3 of Corro et al. 2016: the decoder that finds the trees of training."""

from __future__ import annotations

import wnparse
from reproduction.koo2010.measurements import parse_test
from reproduction.laboratory import Laboratory
from reproduction.models import TRAINED_WITH, model_path, training_seconds
from reproduction.store import Result


def training_decoders_step(laboratory: Laboratory) -> Result:
    """Measure parsers of first order by the decoder that they were trained with."""
    sentences = laboratory.treebank.sentences("test")
    rows = {}
    for kind in TRAINED_WITH:
        path = model_path(laboratory, kind)
        model = wnparse.load(str(path))
        scores = {
            decoder: parse_test(model, sentences, decoder, repeats=laboratory.options.repeats)[0]
            for decoder in ("msa", "bnb")
        }
        rows[kind] = {"training_user_seconds": training_seconds(path), "decoders": scores}
    return {"sentences": len(sentences), "rows": rows}
