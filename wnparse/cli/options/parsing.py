"""What ``wnparse parse`` and ``wnparse tag`` share: options for files and speed, and the model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from wnparse.cli.common import COUNT, JOBS, bad_usage, given_keywords, option_group, say, skip_bad_option
from wnparse.cli.options.cluster import TASK_WORDS, ClusterName, InputFiles, OutputDirectory
from wnparse.cli.options.rules import describe_strange
from wnparse.cli.paths import MODEL, OutputPath
from wnparse.cli.sections import files, speed
from wnparse.parser.joint import check_sequences
from wnparse.parser.model import Model, load
from wnparse.parser.options import ParseKeywords, ParseOptions, parse_options
from wnparse.parser.parser import Parser
from wnparse.rules import Rules
from wnparse.treebanks.reader import Source
from wnparse.treebanks.text_input import open_texts
from wnparse.treebanks.word_input import open_horizontal, open_words
from wnparse.wording import plural

# What the formats of --input contain.
CONTENTS = {
    "conllu": "CoNLL-U",
    "text": "text",
    "sentences": "one sentence per line",
    "horizontal": "one sentence per line",
    "words": "one word per line",
}
SPLIT = ("text", "sentences")  # formats that need a tokenizer
input_argument = click.argument("files", nargs=-1, type=InputFiles(), metavar="[FILE...|-]")
output_options = option_group(
    files("-m", "--model", "path", required=True, type=MODEL, metavar="FILE", help="The model to use."),
    files(
        "-o",
        "--output",
        type=OutputPath(replaces=["files"]),
        metavar="FILE",
        help="Write to this file. It may be the input if that is CoNLL-U.  [default: standard output]",
    ),
    files(
        "--output-dir",
        type=OutputDirectory(),
        metavar="DIR",
        is_eager=True,  # what FILE may be depends on it
        help="Write one output per input to this directory, under the name of the input. FILE may then also be a "
        "quoted pattern such as 'corpus/*.conllu', or @LIST for a file that lists one path per line.",
    ),
    files(
        "--resume",
        is_flag=True,
        help="With --output-dir, skip inputs whose output was written by the same model with the same options "
        "and has not been changed since. A run on a cluster always resumes.",
    ),
)
file_options = option_group(
    output_options,
    files(
        "--input",
        "input_format",
        type=click.Choice(list(CONTENTS)),
        default="conllu",
        show_default=True,
        metavar="FORMAT",
        help="Format of the input: conllu; text, which the model splits into sentences and words (a blank line "
        "ends a paragraph); sentences, one per line, which the model splits into words; horizontal, one sentence "
        "per line with spaces between words; or words, one per line, with a blank line after each sentence "
        "(lines that start with '# ' are comments).",
    ),
    skip_bad_option,
)
speed_options = option_group(
    speed(
        "--jobs",
        type=JOBS,
        default=1,
        show_default=True,
        help="Number of threads (per worker with --cluster). auto uses all cores. Results do not depend on it.",
    ),
    speed(
        "--cluster",
        type=ClusterName(),
        help="Distribute the files over the workers of a Dask cluster; needs --output-dir.  [default: none]",
    ),
    speed(
        "--task-words",
        type=COUNT,
        help=f"Words per task with --cluster; larger files are split.  [default: {TASK_WORDS}]",
    ),
)


def check_directory(flags: dict[str, Any]) -> None:
    """Raise UsageError if the options for one output and for a directory of outputs contradict each other."""
    if flags["output_dir"] and flags["output"]:
        raise click.UsageError(
            "-o and --output-dir cannot both be given; use -o for one output, or --output-dir for one per input."
        )
    if flags["resume"] and not flags["output_dir"]:
        raise click.UsageError("--resume needs --output-dir DIR.")


def check_outputs(flags: dict[str, Any]) -> None:
    """Raise UsageError if the options for outputs contradict each other."""
    check_directory(flags)
    if flags["cluster"] and not flags["output_dir"]:
        raise click.UsageError("--cluster needs --output-dir DIR.")
    if flags["cluster"] and flags["input_format"] not in ("conllu", "words"):
        raise click.UsageError(
            f"--cluster cannot read --input {flags['input_format']}; expected conllu or words "
            "(wnparse tokenize writes CoNLL-U)."
        )
    if flags["task_words"] and not flags["cluster"]:
        raise click.UsageError("--task-words needs --cluster.")


def check_tokenizer(model: Model, path: str, input_format: str) -> None:
    """Raise UsageError if the format of the input needs a tokenizer, and the model has none."""
    if input_format in SPLIT and model.tokenizer is None:
        raise click.UsageError(
            f"{path}: the model has no tokenizer, which --input {input_format} needs; train it on a treebank with "
            "# text, and SpaceAfter=No in MISC."
        )


def open_inputs(paths: Sequence[str], input_format: str, model: Model) -> Sequence[Source]:
    """Return the sources that a reader needs for inputs of a format, a key of `CONTENTS`."""
    if input_format == "words":
        return open_words(paths, spaces=model.info.get("words_with_spaces") is True)
    if input_format == "horizontal":
        return open_horizontal(paths)
    if input_format in SPLIT:
        assert model.tokenizer is not None
        return open_texts(paths, model.tokenizer, lines=input_format == "sentences")
    return paths


def load_tagger(path: str, flags: dict[str, Any]) -> Model:
    """Load a model that has a tagger; otherwise it is bad usage."""
    model = load(path)
    check_tokenizer(model, path, flags["input_format"])
    if model.tagger is None:
        remedy = "--only tokenizer" if model.only_tags else "--only parser"
        raise click.UsageError(f"{path}: the model has no tagger; train it without {remedy}.")
    return model


def load_parser(path: str, flags: dict[str, Any]) -> Parser:
    """Load a model, and make its parser. Options that contradict each other or the model are bad usage."""
    model = load(path)
    if model.only_tags and model.tagger is None:
        raise click.UsageError(f"{path}: the model only splits text; train it without --only tokenizer.")
    if model.only_tags:
        raise click.UsageError(f"{path}: the model only tags; use wnparse tag, or train it without --only tagger.")
    check_tokenizer(model, path, flags["input_format"])
    sequences = flags["tag_sequences"] or 1
    if (flags["retag"] or sequences > 1) and model.tagger is None:
        raise click.UsageError(f"{path}: the model has no tagger; train it without --only parser.")
    if flags["no_neural"]:
        if flags["neural_weight"] is not None:
            raise click.UsageError("--no-neural and --neural-weight exclude each other; give one of them.")
        flags["neural_weight"] = 0.0
    with bad_usage(f"{path}: "):
        check_sequences(sequences, model._tuned(flags["neural_weight"]).joint_weight)
    options = _make_options(model, flags)
    with bad_usage(f"{path}: "):
        return Parser(model, options)


def _make_options(model: Model, flags: dict[str, Any]) -> ParseOptions:
    """Combine the options with the defaults of the model, and describe them on standard error."""
    with bad_usage():
        options, notices = parse_options(model, k=flags["k"], **given_keywords(ParseKeywords, flags))
    rules = options.rules
    if isinstance(flags["rules"], Rules):
        notices += describe_strange(flags["rules"], model.labels)
    described_rules = f", {len(rules)} {plural(len(rules), 'rule')} of {rules.name}" if rules else ""
    network = "" if model._tuned(options.neural_weight) is model else ", linear model and network"
    for line in [*notices, f"{options.decoder}, {options.constraints.describe()}{described_rules}{network}"]:
        say(f"wnparse: {line}")
    return options
