"""F1 of tokens, words and sentences of the tokenizer, its speed and training time, next to UDPipe 1.

The raw text of a treebank is `# text` of its sentences, joined by one space, by nothing after a final
`SpaceAfter=No`, and by a blank line at `# newpar`, `# newdoc` and `# newdoc_id`. Both tools split the same text,
and the official evaluator (udtools) scores them. Rows: wnparse, udpipe (ufal.udpipe trained on the same files,
where it is installed; models are kept in the folder of --models; else its figures of anchors.toml are printed).

    python scripts/bench/tokenizer.py wnparse --treebanks tr-imst pt-bosque
"""

from __future__ import annotations

import io
import re
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from udtools import udeval

from bench.lab import ANCHORS, ROOT, data, least, make_parser, report
from bench.udpipe import INSTALLED, tokenize_udpipe, udpipe_tokenizer
from wnparse.tokenizer.tokenizer import Token, Tokenizer
from wnparse.tokenizer.training import TokenizerLessons, TokenizerOptions, learn_tokenizer
from wnparse.tokenizer.treebank_text import join_paragraphs, read_sentence_text
from wnparse.treebanks.reader import Reader

TREEBANKS = ["en-ewt", "es-ancora", "pt-bosque", "tr-imst"]
METRICS = ("Tokens", "Words", "Sentences")
LEAST_SPEED, MOST_SECONDS = 500_000, 30.0  # words a second, seconds per 100,000 words


def raw_paragraphs(path: str) -> list[str]:
    """Return the paragraphs of the raw text of a treebank."""
    sentences = [read_sentence_text(sentence) for sentence in Reader([path], heads="ignored")]
    return [paragraph.text for paragraph in join_paragraphs(sentences)]


def as_conllu(paragraphs: list[str], tokenizer: Tokenizer) -> str:
    """Return CoNLL-U with the tokens of paragraphs, in which each word depends on the first one."""
    lines: list[str] = []
    for text in paragraphs:
        for sentence in tokenizer.split(text):
            number = 0
            for token in sentence:
                number = add_token(lines, text[token.begin : token.end], token, number)
            lines.append("")
    return "\n".join(lines) + "\n"


def add_token(lines: list[str], form: str, token: Token, number: int) -> int:
    """Add the lines of a token behind word `number`; return the number of its last word."""
    words = token.words or (form,)
    if token.words:
        lines.append(f"{number + 1}-{number + len(words)}\t{form}" + 8 * "\t_")
    for word in words:
        number += 1
        lines.append(f"{number}\t{word}\t_\t_\t_\t_\t{int(number > 1)}\t{'dep' if number > 1 else 'root'}\t_\t_")
    return number


def score(gold: str, system: str) -> str:
    """Return F1 of tokens, words and sentences."""
    options = {"multiple_roots_okay": 1}
    files = [udeval.load_conllu(io.StringIO(text), "text", options) for text in (with_trees(gold), system)]
    metrics = udeval.evaluate(*files)
    return "  ".join(f"{name} {100 * metrics[name].f1:.2f}" for name in METRICS)


def with_trees(conllu: str) -> str:
    """Return CoNLL-U whose words depend on the first one: the evaluator refuses what is not a tree."""
    flat = re.sub(r"(?m)^(\d+)((?:\t[^\t\n]*){5})\t[^\t\n]*\t[^\t\n]*\t[^\t\n]*\t", r"\1\2\t1\tdep\t_\t", conllu)
    flat = re.sub(r"(?m)^1((?:\t[^\t\n]*){5})\t1\tdep\t", r"1\1\t0\troot\t", flat)
    return re.sub(r"(?m)^\d+\.\d+\t.*\n", "", flat)


def measure_wnparse(name: str, part: str, _: Path) -> None:
    """F1, training time and speed of the tokenizer."""
    start = time.process_time()
    lessons = TokenizerLessons(list(Reader([data(name, "train")], heads="ignored")))
    tokenizer = learn_tokenizer(lessons, TokenizerOptions())
    assert tokenizer is not None
    seconds = time.process_time() - start
    paragraphs = raw_paragraphs(data(name, part))
    gold = Path(data(name, part)).read_text("utf-8")
    report(f"{name} {part}: wnparse", score(gold, as_conllu(paragraphs, tokenizer)))
    relative = 1e5 * seconds / lessons.token_count
    report("  training", f"{seconds:.1f} s, {relative:.1f} s per 100,000 tokens", f"<= {MOST_SECONDS:g}",
           relative <= MOST_SECONDS)  # fmt: skip
    core, count = tokenizer.core, 0

    def split() -> None:
        nonlocal count
        count = sum(core.count_tokens(text) for text in paragraphs)

    rate = 1 / least(20, split, time.process_time)
    report("  text to offsets, in the core", f"{count * rate:,.0f} tokens/s", f">= {LEAST_SPEED:,}",
           count * rate >= LEAST_SPEED)  # fmt: skip
    rate = 1 / least(3, lambda: [tokenizer.split(text) for text in paragraphs], time.process_time)
    report("  text to tokens of Python", f"{count * rate:,.0f} tokens/s")
    report("  size", f"{tokenizer.size / 1e6:.2f} MB")


def measure_udpipe(name: str, part: str, folder: Path) -> None:
    """The same of UDPipe."""
    if not INSTALLED:
        stored = ANCHORS["udpipe_tokenizer"].get(name, {}).get(part, {})
        figures = "  ".join(f"{key} {value}" for key, value in stored.items())
        report(f"{name} {part}: UDPipe, stored", figures or "none")
        return
    start = time.process_time()
    path = udpipe_tokenizer(data(name, "train"), data(name, "dev"), name, folder)
    report(f"{name}: UDPipe, training unless it is stored", f"{time.process_time() - start:.0f} s")
    text = "\n\n".join(raw_paragraphs(data(name, part))) + "\n"
    tokenized, seconds = tokenize_udpipe(path, text)
    words = len(re.findall(r"(?m)^\d+\t", tokenized))
    gold = Path(data(name, part)).read_text("utf-8")
    report(f"{name} {part}: UDPipe", score(gold, with_trees(tokenized)), f"{words / seconds:,.0f} words/s")


ROWS = {"wnparse": measure_wnparse, "udpipe": measure_udpipe}


def main() -> None:
    """Measure what the command line names."""
    parser = make_parser(__doc__, ROWS)
    parser.add_argument("--treebanks", nargs="+", default=TREEBANKS, metavar="NAME")
    parser.add_argument("--part", choices=("dev", "test"), default="dev", help="default: dev")
    parser.add_argument("--models", type=Path, default=ROOT / "build" / "models" / "udpipe")
    options = parser.parse_args()
    for name in options.treebanks:
        for row in options.rows:
            ROWS[row](name, options.part, options.models)


if __name__ == "__main__":
    main()
