"""What must hold of every text, however damaged: the library splits it, or refuses it with one line.

If it is split, the text can be rebuilt from the sentences. They do not depend on how the text arrives, and what a
parser makes of them can be read again.
"""

from __future__ import annotations

import io
import itertools
import random
from collections.abc import Sequence
from pathlib import Path

from campaigns.file_checks import LIMITS, check_refusal, content_of, parse_file, require
from wnparse.decoding.constraints import Constraints
from wnparse.errors import TreebankError
from wnparse.parser.model import Model
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.text_input import TextSource, TextSplitter, Token, text_of


class CarelessTokenizer:
    """Ends tokens and sentences anywhere, in a way that depends on the text: also within words and white space.

    A token begins and ends with a character that is not white space. Other characters may be in no token.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def split(self, text: str) -> list[list[Token]]:
        """Split a paragraph."""
        rng = random.Random(f"{self._seed} {text}")
        sentences: list[list[Token]] = [[]]
        for token in self.split_sentence(text):
            sentences[-1].append(token)
            if rng.random() < 0.3:
                sentences.append([])
        return sentences

    def split_sentence(self, text: str) -> list[Token]:
        """Split a sentence."""
        rng = random.Random(f"{self._seed} {text}")
        bounds = sorted({rng.randint(0, len(text)) for _ in range(rng.randint(2, 12))})
        tokens: list[Token] = []
        for begin, end in itertools.pairwise(bounds):
            stretch = text[begin:end]
            if (stripped := stretch.strip()) and rng.random() < 0.9:
                at = begin + stretch.index(stripped)
                words = rng.choice([None, None, ("one", "two", "three")])
                tokens.append((at, at + len(stripped), words))
        return tokens


class PieceStream(io.BytesIO):
    """A binary stream that returns a few bytes at a time."""

    def __init__(self, data: bytes, size: int) -> None:
        super().__init__(data)
        self._size = size

    def read1(self, size: int | None = -1, /) -> bytes:
        """Return the next bytes."""
        return super().read1(self._size)


class TextCheck:
    """Checks texts: what they become, and parsing it."""

    def __init__(self, models: Sequence[Model]) -> None:
        _, tagging = models
        options = ParseOptions(decoder="msa", constraints=Constraints(single_root=True), tag_sequences=1, **LIMITS)
        self.parser = Parser(tagging, options)

    def __call__(self, rng: random.Random, path: Path) -> str:
        """Check a file; return the outcome, or raise."""
        name, lines = str(path), rng.random() < 0.3
        tokenizer: TextSplitter = CarelessTokenizer(rng.randrange(100))
        if self.parser.model.tokenizer is not None and rng.random() < 0.5:
            tokenizer = self.parser.model.tokenizer

        def source() -> TextSource:
            return TextSource(name, itertools.count(1), tokenizer, lines=lines)

        try:
            sentences = list(Reader([source()]))
        except TreebankError as error:
            return check_refusal(error, name)
        content = content_of(path)
        text, rebuilt = content.decode(), text_of(sentences)
        if sentences and not lines:
            require(rebuilt == text, "the text cannot be rebuilt")
        else:
            require(text.startswith(rebuilt), "the text cannot be rebuilt")
        written = b"".join(sentence.raw for sentence in sentences)
        require(len(written.decode().splitlines()) == written.count(b"\n"), "a line end within a row")
        stream = PieceStream(content, rng.choice([7, 100, 4000]))
        parts = Reader([TextSource(stream, itertools.count(1), tokenizer, lines=lines)])
        again = [sentence.raw.partition(b"\n")[2] for sentence in parts]  # the first line has the name of the file
        require(again == [sentence.raw.partition(b"\n")[2] for sentence in sentences], "pieces change the output")
        parse_file(self.parser, [source()], name)
        return "read"
