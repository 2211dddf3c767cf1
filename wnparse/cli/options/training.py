"""Options of ``wnparse train`` and ``wnparse crossval``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from wnparse.cli.common import COUNT, SEED, Function, decimals, integers, option_group
from wnparse.cli.options.rules import RulesName
from wnparse.cli.options.shape import shape_options
from wnparse.cli.sections import learning, section
from wnparse.decoding.registry import DECODERS
from wnparse.neural.pretrained import FILES
from wnparse.parser.part_features import MOST_ORDER
from wnparse.rules.coverage import COVERAGE
from wnparse.training.learners import (
    LARGEST_MARGIN,
    LEARNERS,
    MOST_TREES,
    USUAL_MARGIN,
    USUAL_ORDER,
    USUAL_STEP,
    USUAL_TREES,
)
from wnparse.training.options import JACKKNIFE, TrainOptions

model = section("Model")
columns = section("Columns")

# Training supports only these.
CORE_DECODERS = [name for name, decoder in DECODERS.items() if decoder.code is not None]


class EncoderDirectory(click.Path):
    """A directory with a pretrained encoder, which is read."""

    def __init__(self) -> None:
        super().__init__(exists=True, file_okay=False)

    def reads(self, value: Any, context: click.Context) -> list[str]:
        """Return the files that are read."""
        return [str(Path(value, name)) for name in FILES]


def _same(item_type: Any) -> Any:
    return item_type


def _order_option(values: Callable[[Any], Any], note: str, other_default: str) -> Callable[[Function], Function]:
    return model(
        "--order",
        type=values(integers(1, MOST_ORDER)),
        help="Order of the model. 1 scores single arcs, which is fast. 2 also scores siblings and grandparents, "
        f"3 also grand-siblings and tri-siblings; see docs/theory/higher-order.md.{note}  "
        f"[default: {USUAL_ORDER}, or 1 if the learner supports nothing else{other_default}]",
    )


_unlabelled_option = model(
    "--unlabelled", "no_labelled", is_flag=True, help="Learn heads only. By default, relations are learned, too."
)

_rule_options = option_group(
    model(
        "--rules",
        type=RulesName("auto", "none"),
        default="auto",
        show_default=True,
        help="Rules to enforce, restricted to those that the treebank itself satisfies. auto takes the rules ud "
        "or ud1 if the treebank has the relations of Universal Dependencies; see docs/guide/rules.md.",
    ),
    model(
        "--rule-coverage",
        metavar="PERCENT",
        type=decimals(0, 100, above=True),
        default=COVERAGE,
        show_default=True,
        help="Keep a rule only if the treebank satisfies it in at least this percentage of the cases that it "
        "applies to. The annotated tags count.",
    ),
)


def _neural_option(note: str) -> Callable[[Function], Function]:
    return option_group(
        model(
            "--neural",
            is_flag=True,
            help="Also train a network, whose scores are added to those of the linear parser. It needs the extra "
            f"neural and {note}, and takes many times as long; see docs/guide/neural.md. By default, there is no "
            "network.",
        ),
        model(
            "--encoder",
            metavar="DIR",
            type=EncoderDirectory(),
            help="Train the network on top of a pretrained encoder like BERT in this directory (config.json, "
            "model.safetensors, tokenizer.json), and fine-tune it. Implies --neural.  [default: none]",
        ),
    )


_jackknife_option = learning(
    "--jackknife",
    metavar="N",
    type=integers(2, 1000),
    default=JACKKNIFE,
    show_default=True,
    help="Number of folds for predicting the tags that the parser is trained on: each fold is tagged by a tagger "
    "trained on the others. A smaller treebank has as many folds as sentences.",
)


def _learner_options(values: Callable[[Any], Any], note: str) -> Callable[[Function], Function]:
    return option_group(
        learning(
            "--learner",
            type=values(click.Choice(list(LEARNERS))),
            default=TrainOptions.learner,
            show_default=True,
            help=f"Learning algorithm; docs/theory/learners.md compares them.{note}",
        ),
        learning(
            "--margin",
            type=values(decimals(0, LARGEST_MARGIN)),
            help="Required lead of the gold tree per wrong head (perceptron only); 0 is the plain perceptron."
            f"{note}  [default: {USUAL_MARGIN:g}]",
        ),
        learning(
            "--max-step",
            type=values(decimals(0, above=True)),
            help=f"Maximum update step (MIRA and PA only).{note}  [default: {USUAL_STEP}]",
        ),
        learning(
            "--learner-trees",
            type=values(integers(1, MOST_TREES)),
            help=f"Number of best trees that mira-kbest updates on.{note}  [default: {USUAL_TREES}]",
        ),
        learning(
            "--decoder",
            type=click.Choice(CORE_DECODERS),
            default=TrainOptions.decoder,
            show_default=True,
            help="Decoder that finds the best tree during training; see docs/guide/decoding.md.",
        ),
        learning(
            "--no-prune",
            is_flag=True,
            help="Score all arcs. By default, a fast first pass drops unlikely arcs before they are scored.",
        ),
    )


def _epochs_option(values: Callable[[Any], Any], note: str) -> Callable[[Function], Function]:
    return learning(
        "--epochs",
        type=values(COUNT),
        default=TrainOptions.epochs,
        show_default=True,
        help=f"Number of passes over the training data.{note}",
    )


_column_options = option_group(
    columns(
        "--no-lemma", is_flag=True, help="Do not use LEMMA. By default, every column that is not empty is used."
    ),
    columns(
        "--no-xpos", is_flag=True, help="Do not use XPOS, the language-specific tags. By default, it is used."
    ),
    columns("--no-feats", is_flag=True, help="Do not use FEATS. By default, it is used."),
)


def training_options(
    seed_help: str,
    values: Callable[[Any], Any] = _same,
    note: str = "",
    other_default: str = "",
    neural_note: str = "--dev",
) -> Callable[[Function], Function]:
    """Return the options that `train` and `crossval` share.

    Parameters
    ----------
    seed_help : str
        The help text of --seed.
    values : callable
        Makes the type of an option that may have several values from the type of one value.
    note : str
        The end of the help texts of these options.
    other_default : str
        When --order has another default, and which.
    neural_note : str
        What --neural needs.
    """
    return option_group(
        _order_option(values, note, other_default),
        _unlabelled_option,
        shape_options(model, "the bounds that 99 % of the treebank satisfies"),
        _rule_options,
        _neural_option(neural_note),
        _epochs_option(values, note),
        learning("--seed", type=SEED, default=TrainOptions.seed, show_default=True, help=seed_help),
        _jackknife_option,
        _learner_options(values, note),
        _column_options,
    )
