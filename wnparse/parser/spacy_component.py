"""The component ``wnparse`` of spaCy's pipelines: ``nlp.add_pipe("wnparse", config={"model": "model.wnp"})``.

Only spaCy imports this module: it finds the entry point ``wnparse`` in the group ``spacy_factories``. A stored
pipeline has the path of the model in its configuration, and loads it again.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc
from spacy.util import minibatch

from wnparse.parser.model import Model, load
from wnparse.treebanks.inputs import as_inputs, regroup
from wnparse.treebanks.spacy_docs import fill


class Component:
    """Fills tags, lemmas, morphology, sentence starts and trees of Docs, as `Model.parse` does.

    Parameters
    ----------
    model : Model
        What parses, or only tags if it has no parser.
    options : dict
        Keywords of `Model.parse`, except `k`; or of `Model.tag`, if the model has no parser.
    """

    def __init__(self, model: Model, options: dict[str, Any]) -> None:
        if "k" in options:
            raise ValueError("a Doc has one tree per sentence; leave out the option k")
        self._model = model
        self._work = functools.partial(model.tag if model.only_tags else model.parse, **options)
        self._work([])  # raises the errors of wrong options

    def __call__(self, doc: Doc) -> Doc:
        """Fill one Doc."""
        return next(self.pipe([doc]))

    def pipe(self, docs: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Fill Docs, those of a batch together."""
        for batch in minibatch(docs, batch_size):
            inputs = as_inputs(batch, self._model.tokenizer)
            for one, results in regroup(inputs, lambda sentences: self._work(list(sentences))):
                fill(one.given, one.words or [], results)
                yield one.given


def make_component(nlp: Language, name: str, model: str, options: dict[str, Any]) -> Component:
    """Load a model for a pipeline; `model` is its path."""
    return Component(load(model), options)


Language.factory(
    "wnparse",
    func=make_component,
    default_config={"options": {}},
    assigns=[f"token.{name}" for name in ("tag", "pos", "lemma", "morph", "head", "dep", "is_sent_start")],
)
