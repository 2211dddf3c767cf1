"""A slow reference of a tagger: features as lists of keys, scores as sums over dictionaries, word by word."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from support.feature_oracles import MASK, ODD, hash_text, mix, shape
from wnparse.tagger.tagger import Tagger

Row = dict[int, int]  # weights by label
FIRST = -1  # the tag before a sentence
LONGEST_SPLIT = 120  # bytes of an unknown word whose parts are looked at
MOST_GRAMS = 12


def signed(word: int) -> int:
    """The upper 16 bits of 32, with their sign."""
    return ((word >> 16) ^ 0x8000) - 0x8000


def join(number: int, first: int, second: int | None = None) -> int:
    key = mix(first + (number + 1) * 0xA24BAED4963EE407)
    return key if second is None else mix(key + second)


def tag_key(tag: int) -> int:
    return mix(tag + 0x51) | 1


def class_key(number: int) -> int:
    return mix(number + 0xC1A55) | 1


def affixes(characters: str, seed: int, backwards: bool) -> list[int]:
    """Hashes of the first, or last, one to five characters; 0 where there are fewer."""
    hashes, value = [], seed
    for k in range(5):
        if k >= len(characters):
            hashes.append(0)
            continue
        data = characters[-k - 1 if backwards else k].encode()
        for byte in reversed(data) if backwards else data:
            value = value * ODD + byte + 1 & MASK
        hashes.append(mix(value))
    return hashes


@dataclass
class Word:
    """Attributes of a word that features use."""

    form: int
    lower: int
    shape: int
    prefix: list[int]
    suffix: list[int]
    text: str = ""  # as it is
    known: bool = False
    seen: int = 0
    tags: int = 1  # number of the list of tags that it may have
    stem: int = 0
    rest: int = 0
    length: int = 0
    head: int = 0
    grams: tuple[int, ...] = ()
    scores: dict[tuple[int, int], Row] = field(default_factory=dict)  # of its tags, behind two others


class Rows:
    """The rows of one table of weights, by the bucket and 16 bits of their keys."""

    def __init__(self, tagger: Tagger, name: str, labels: int) -> None:
        self.labels = (labels + 7) // 8 * 8
        self.tags, self.places, self.entries = (
            tagger.arrays[f"{name}/{part}"].tolist() for part in ("fingerprints", "places", "rows")
        )
        self.bits = (len(self.tags) // 8).bit_length() - 1

    def __call__(self, key: int) -> Row:
        bucket = (key >> (64 - self.bits)) * 8
        for slot in range(bucket, bucket + 8):
            if self.tags[slot] == key & 0xFFFF:
                return self.row(self.places[slot])
        return {}

    def row(self, place: int) -> Row:
        if place & 1:
            return {place >> 1 & 0x7FFF: signed(place)}
        begin = (place >> 1) + 1
        size = self.entries[begin - 1]
        if size != 0xFFFF:
            return {entry & 0xFFFF: signed(entry) for entry in self.entries[begin : begin + size]}
        whole = self.entries[begin : begin + self.labels // 2]
        return {2 * k: signed(entry << 16 & 0xFFFFFFFF) for k, entry in enumerate(whole)} | {
            2 * k + 1: signed(entry) for k, entry in enumerate(whole)
        }


class SlowTagger:
    """A tagger that reads the arrays of a fast one, and does all that it does in the obvious way."""

    def __init__(self, tagger: Tagger) -> None:
        self.tagger, arrays = tagger, tagger.arrays
        self.atom_count = len(tagger.names["values"]) + len(tagger.names["fine_tags"])
        classes = self.atom_count + len(arrays["class_bundles"])
        labels = {"tags": len(tagger.names["tags"]), "classes": classes, "lemmas": tagger.open_scripts}
        self.rows = {name: Rows(tagger, name, count) for name, count in labels.items()}

        def table(name: str, numbers: str) -> dict[int, int]:
            pairs = zip(arrays[f"{name}/keys"].tolist(), arrays[f"{name}/{numbers}"].tolist(), strict=True)
            return {key: number for key, number in pairs if key}

        def lists(name: str, members: str) -> list[list[int]]:
            begin, numbers = arrays[f"{name}/begin"].tolist(), arrays[f"{name}/{members}"].tolist()
            return [numbers[a:b] for a, b in pairwise(begin)]

        self.word_tags, self.seen_tags = table("words", "tag_lists"), table("words", "seen_tag_lists")
        self.stems, self.word_classes = table("stems", "tag_lists"), table("word_classes", "class_lists")
        self.known_scripts = table("known_lemmas", "scripts")
        self.tag_lists, self.class_lists = lists("tag_lists", "tags"), lists("class_lists", "classes")
        every = self.class_lists[len(tagger.names["tags"])]
        self.class_lists = [classes_of_tag or every for classes_of_tag in self.class_lists]
        self.atoms, self.values = lists("class_atoms", "atoms"), lists("tag_values", "values")

    # Words.

    def word(self, form: str) -> Word:
        lower = form.lower()
        word = Word(
            hash_text(form, 1),
            hash_text(lower, 1),
            hash_text(shape(form), 3),
            affixes(lower, 0x1234567, False),
            affixes(lower, 0x7654321, True),
            form,
        )
        self.look_up(word)
        if not word.known and len(lower.encode()) <= LONGEST_SPLIT:
            self.split(word, lower)
        return word

    def edge(self, number: int) -> Word:
        """A word beyond the sentence."""
        value = mix(number * ODD)
        word = Word(value, value, value, [0] * 5, [0] * 5)
        self.look_up(word)
        return word

    def look_up(self, word: Word) -> None:
        word.known = word.lower | 1 in self.word_tags
        word.tags = self.word_tags.get(word.lower | 1, 1)
        word.seen = list_hash(self.seen_tags.get(word.lower | 1, -1))

    def split(self, word: Word, lower: str) -> None:
        for end in range(len(lower) - 1, 0, -1):
            if len(lower[:end].encode()) >= 2 and (stem := hash_text(lower[:end], 1) | 1) in self.stems:
                word.stem, word.rest = list_hash(self.stems[stem]), hash_text(lower[end:], 5)
                word.length = len(lower) - end
                break
        for begin in range(1, len(lower)):
            if len(lower[begin:].encode()) > 2 and (head := hash_text(lower[begin:], 1) | 1) in self.seen_tags:
                word.head = list_hash(self.seen_tags[head])
                break
        ends = range(len(lower) - 1, 0, -1)  # the last character is left to suffixes
        grams = [[lower[end - size : end] for end in ends if end >= size][:MOST_GRAMS] for size in (3, 4)]
        word.grams = tuple(hash_text(gram, 6) for group in grams for gram in group)

    def words(self, forms: list[str]) -> dict[int, Word]:
        """Words 1..n, and two beyond either end."""
        n = len(forms)
        words = {i: self.word(form) for i, form in enumerate(forms, 1)}
        return words | {-1: self.edge(2), 0: self.edge(1), n + 1: self.edge(3), n + 2: self.edge(4)}

    # Universal tags.

    def tag_keys(self, words: dict[int, Word], i: int) -> Iterator[int]:
        word, before, after = words[i], words[i - 1], words[i + 1]
        yield 0xA24BAED4963EE407
        if word.known:
            yield join(1, word.lower)
            if word.form != word.lower:
                yield join(2, word.form)
            yield join(10, before.lower, word.lower)
            yield join(11, after.lower, word.lower)
        yield from (join(3, prefix) for prefix in word.prefix if prefix)
        yield from (join(4, suffix) for suffix in word.suffix if suffix)
        yield join(5, word.shape, int(i == 1))
        for number, other in ((6, before), (7, after), (8, words[i - 2]), (9, words[i + 2])):
            yield join(number, other.lower)
        if word.stem:
            yield from (join(25, word.stem), join(26, word.stem, word.rest), join(27, word.rest))
        yield from (join(29, gram) for gram in word.grams)
        if word.head:
            yield join(28, word.head)
        yield join(13, before.suffix[2])
        yield join(14, after.suffix[2])
        yield join(15, after.suffix[1], word.suffix[1])
        yield join(16, word.suffix[2], word.shape)
        yield join(17, after.shape, word.shape)
        yield join(18, before.shape, word.shape)
        yield join(19, word.seen)
        yield join(20, after.seen)
        yield join(21, word.seen, after.seen)
        yield join(22, after.seen, words[i + 2].seen)
        yield join(23, before.seen, word.seen)
        yield join(24, word.suffix[2], after.seen)

    def transition_keys(self, words: dict[int, Word], i: int, before: int, second: int) -> Iterator[int]:
        word, tag = words[i], tag_key(before)
        yield join(30, tag)
        if word.known:
            yield join(31, tag, word.lower)
        yield join(32, tag, word.suffix[2])
        yield join(33, tag, words[i + 1].seen)
        yield join(34, tag, tag_key(second))

    def tag_scores(self, words: dict[int, Word], i: int, before: int, second: int) -> Row:
        """Return the score of each tag after two others."""
        known = words[i].scores
        if (before, second) not in known:
            keys = [*self.tag_keys(words, i), *self.transition_keys(words, i, before, second)]
            known[before, second] = self.sums("tags", iter(keys))
        return known[before, second]

    def sequence_score(self, words: dict[int, Word], tags: list[int]) -> int:
        padded = [FIRST, FIRST, *tags]
        return sum(
            self.tag_scores(words, i, padded[i], padded[i - 1]).get(tag, 0) for i, tag in enumerate(tags, 1)
        )

    def candidates(self, word: Word) -> list[int]:
        return self.tag_lists[word.tags]

    def search(self, words: dict[int, Word], n: int) -> list[int]:
        """The tags that a beam finds: the best sequence of each pair of tags, and of these the best few."""
        beam: dict[tuple[int, int], tuple[int, list[int]]] = {(FIRST, FIRST): (0, [])}
        for i in range(1, n + 1):
            states: dict[tuple[int, int], tuple[int, list[int]]] = {}
            for (before, second), (score, tags) in sorted(beam.items()):
                for tag in self.candidates(words[i]):
                    new = score + self.tag_scores(words, i, before, second).get(tag, 0)
                    if (tag, before) not in states or new > states[tag, before][0]:
                        states[tag, before] = (new, [*tags, tag])
            best = max(score for score, _ in states.values())
            near = {pair: state for pair, state in states.items() if state[0] >= best - self.tagger.drop}
            order = sorted(near, key=lambda pair: (-near[pair][0], pair))
            beam = {pair: near[pair] for pair in order[: self.tagger.beam]}
        return min(beam.items(), key=lambda item: (-item[1][0], item[0]))[1][1]

    # Fine tags and FEATS.

    def class_keys(self, words: dict[int, Word], i: int, tags: list[int], classes: list[int]) -> Iterator[int]:
        word, before, after = words[i], words[i - 1], words[i + 1]
        n = len(tags)

        def tag(k: int) -> int:
            return tag_key(tags[k - 1]) if 1 <= k <= n else 0x9B1D

        def number(k: int) -> int:
            return class_key(classes[k - 1]) if k >= 1 else 0x3C6E

        own, left, right, chosen, second = tag(i), tag(i - 1), tag(i + 1), number(i - 1), number(i - 2)
        yield join(40, own)
        if word.known:
            yield join(41, word.lower, own)
            yield join(42, word.lower)
            yield join(59, word.lower + right, own)
            yield join(65, chosen + word.lower, own)
        if word.stem:
            yield from (join(68, word.rest, own), join(69, word.rest), join(70, word.rest + word.stem, own))
        yield from (join(72, gram, own) for gram in word.grams)
        if word.head:
            yield join(71, word.head, own)
        for k, suffix in enumerate(code for code in word.suffix if code):
            yield join(43, suffix, own)
            if k > 0:
                yield join(44, suffix)
            if 0 < k < 4:
                yield join(45, word.prefix[k], own)
        yield join(46, word.shape, own)
        yield from (join(47, left, own), join(48, right, own), join(49, left + right * 3, own))
        yield from (join(50, left + tag(i - 2) * 3, own), join(51, right + tag(i + 2) * 3, own))
        yield from (join(52, before.lower, own), join(53, after.lower, own))
        yield from (
            join(54, before.suffix[2], own),
            join(55, after.suffix[2], own),
            join(56, after.suffix[1], own),
        )
        yield from (join(62, chosen, own), join(63, chosen + second * 3, own))
        yield join(64, chosen + (word.suffix[2] or word.lower), own)
        yield from (join(66, chosen + right, own), join(67, second, own))

    def choose_class(
        self, words: dict[int, Word], i: int, tags: list[int], classes: list[int]
    ) -> tuple[int, list[str]]:
        """The class of a word, and values of FEATS that are better by themselves."""
        tag, word = tags[i - 1], words[i]
        numbers = self.word_classes.get(mix(word.lower + tag_key(tag)) | 1, tag)
        candidates = self.class_lists[numbers]
        if len(candidates) == 1:
            return candidates[0], []
        sums = self.sums("classes", self.class_keys(words, i, tags, classes))
        atom_count = self.atom_count
        scores = {
            number: sums.get(atom_count + number, 0) + sum(sums.get(atom, 0) for atom in self.atoms[number])
            for number in candidates
        }
        best = min(candidates, key=lambda number: (-scores[number], number))
        values = self.compose(tag, sums) if numbers == tag else []
        better = sum(sums[value] for value in values) > scores[best] + self.tagger.threshold
        return best, [self.tagger.names["values"][value] for value in values] if better else []

    def compose(self, tag: int, sums: Row) -> list[int]:
        """The best value of each attribute, where that scores above nothing."""
        best: dict[int, int] = {}
        for value in self.values[tag]:
            attribute = int(self.tagger.arrays["atom_attributes"][value])
            least = sums.get(best[attribute], 0) if attribute in best else 0
            if sums.get(value, 0) > least:
                best[attribute] = value
        return sorted(best.values())

    def sums(self, name: str, keys: Iterator[int]) -> Row:
        row: Row = {}
        for key in keys:
            for label, weight in self.rows[name](key).items():
                row[label] = row.get(label, 0) + weight
        return row

    # Lemmas.

    def lemma_keys(self, word: Word, tag: int, number: int) -> Iterator[int]:
        own, fine = tag_key(tag), class_key(number)
        yield from (join(80, own), join(81, fine), join(82, word.shape, own), join(83, word.lower, own))
        for k, suffix in enumerate(code for code in word.suffix if code):
            yield from (join(84, suffix, own), join(85, suffix, fine), join(86, word.prefix[k], own))
            if k > 0:
                yield join(87, suffix)
        if word.stem:
            yield from (join(90, word.length, own), join(91, word.length, word.stem))
            yield from (join(92, word.rest, own), join(93, word.rest, fine))
        yield join(88, word.suffix[1] + word.prefix[1] * 3, own)
        yield join(89, word.suffix[2] + word.prefix[2] * 3, own)

    def lemma(self, word: Word, tag: int, number: int) -> str:
        scripts = self.tagger.names["scripts"]
        known = [mix(word.form + tag_key(tag) * 3 + class_key(number)) | 1, mix(word.form + tag_key(tag)) | 1]
        known.append(mix(word.lower + tag_key(tag)) | 1)
        for key in known:
            if key in self.known_scripts:
                return apply_script(scripts[self.known_scripts[key]], word.text) or word.text.lower()
        sums = self.sums("lemmas", self.lemma_keys(word, tag, number))
        size = len(word.text.lower())
        allowed = [k for k in range(self.tagger.open_scripts) if taken(scripts[k]) < size]
        if not allowed:
            return word.text.lower()
        best = min(allowed, key=lambda k: (-sums.get(k, 0), k))
        return apply_script(scripts[best], word.text) or word.text.lower()

    def tag(self, forms: list[str]) -> dict[str, list[str]]:
        """The columns of words of which the forms alone are known."""
        words, names = self.words(forms), self.tagger.names
        tags = self.search(words, len(forms))
        classes: list[int] = []
        bundles, lemmas = [], []
        for i in range(1, len(forms) + 1):
            number, values = self.choose_class(words, i, tags, classes)
            classes.append(number)
            bundle = names["bundles"][int(self.tagger.arrays["class_bundles"][number])]
            bundles.append("|".join(values) or bundle)
            lemmas.append(self.lemma(words[i], tags[i - 1], number))
        fine = [names["fine_tags"][int(self.tagger.arrays["class_fine_tags"][number])] for number in classes]
        return {"upos": [names["tags"][tag] for tag in tags], "xpos": fine, "feats": bundles, "lemma": lemmas}


def list_hash(number: int) -> int:
    return mix(number + 0x7A65)


def taken(script: str) -> int:
    """Return how many characters of a form a script takes away."""
    if script.startswith("="):
        return 0
    _, front, _, back, _ = script.split("\t")
    return int(front) + int(back)


def apply_script(script: str, form: str) -> str | None:
    """The lemma that a script makes; None if the form is too short for it."""
    if script.startswith("="):
        return script[1:]
    mode, front_gone, front, back_gone, back = script.split("\t")
    letters = form if mode == "k" else form.lower()
    left = letters[int(front_gone) : len(letters) - int(back_gone)]
    if not left:
        return None
    lemma = front + left + back
    if mode == "u":
        return "".join(raised(character) for character in lemma)
    return raised(lemma[0]) + lemma[1:] if mode == "t" else lemma


def raised(character: str) -> str:
    """Its capital, if that is one character."""
    upper = character.upper()
    return upper if len(upper) == 1 else character
