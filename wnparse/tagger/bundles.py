"""FEATS and fine tags as classes made of atoms: what a tagger predicts besides the universal tag.

A class is a fine tag and a bundle of FEATS that were seen together. Its atoms are the values of the bundle, each
piece between bars, and the fine tag. Atoms are numbered attribute by attribute in the order in which UD sorts
them, so that values by rising number make a valid bundle.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wnparse.storage.tensors import Arrays

NOTHING = "_"
Int32Array = npt.NDArray[np.int32]


def split_bundle(feats: str) -> list[str]:
    """Return the values of FEATS: ``["Case=Nom", "Number=Sing"]``; none for ``_``, and none that is empty."""
    return [] if feats == NOTHING else [value for value in feats.split("|") if value]


def attribute_of(value: str) -> str:
    """Return ``Case`` for ``Case=Nom``; a value without ``=`` is its own attribute."""
    return value.partition("=")[0]


def pack(lists: Iterable[Sequence[int]]) -> tuple[Int32Array, Int32Array]:
    """Concatenate lists: where each begins, and their numbers; never an empty array."""
    sequences = list(lists)
    begin = np.cumsum([0, *map(len, sequences)]).astype(np.int32)
    return begin, np.array(list(itertools.chain.from_iterable(sequences)) or [0], np.int32)


@dataclass(frozen=True)
class Bundles:
    """The classes of a treebank."""

    fine_tags: list[str]
    bundles: list[str]
    values: list[str]  # the first atoms; behind them the fine tags
    classes: list[tuple[int, int]]  # number of the fine tag, number of the bundle

    @property
    def atom_count(self) -> int:
        """Number of atoms."""
        return len(self.values) + len(self.fine_tags)

    def arrays(self) -> Arrays:
        """Return the tables of the core: see tagger/class_choice.hpp."""
        places = {value: place for place, value in enumerate(self.values)}
        of_bundle = [sorted({places[value] for value in split_bundle(bundle)}) for bundle in self.bundles]
        names = sorted({attribute_of(value) for value in self.values})
        attributes = {name: number for number, name in enumerate(names)}
        begin, atoms = pack([*of_bundle[bundle], len(self.values) + fine] for fine, bundle in self.classes)
        of_atom = [attributes[attribute_of(value)] for value in self.values] + [-1] * len(self.fine_tags)
        return {
            "class_atoms/begin": begin,
            "class_atoms/atoms": atoms,
            "atom_attributes": np.array(of_atom, np.int32),
            "class_fine_tags": np.array([fine for fine, _ in self.classes], np.int32),
            "class_bundles": np.array([bundle for _, bundle in self.classes], np.int32),
        }

    def value_lists(self, tags: Int32Array, classes: Int32Array, tag_count: int) -> tuple[Int32Array, Int32Array]:
        """Return the values that were seen with each tag; after them, with any tag."""
        places = {value: place for place, value in enumerate(self.values)}
        values: list[set[int]] = [set() for _ in range(tag_count + 1)]
        for tag, number in np.unique(np.stack([tags, classes], 1), axis=0).tolist():
            seen = {places[value] for value in split_bundle(self.bundles[self.classes[number][1]])}
            values[tag] |= seen
            values[tag_count] |= seen
        return pack(map(sorted, values))


def collect_bundles(fine_tags: Sequence[str], feats: Sequence[str]) -> tuple[Bundles, Int32Array]:
    """Return the distinct classes of words, and the class of each word."""
    numbers: dict[tuple[str, str], int] = {}
    of_word = [numbers.setdefault(pair, len(numbers)) for pair in zip(fine_tags, feats, strict=True)]
    fines = {name: number for number, name in enumerate(dict.fromkeys(fine for fine, _ in numbers))}
    bundles = {name: number for number, name in enumerate(dict.fromkeys(bundle for _, bundle in numbers))}
    values = {value for bundle in bundles for value in split_bundle(bundle)}

    def place(value: str) -> tuple[str, str, str]:
        attribute = attribute_of(value)
        return attribute.lower(), attribute, value

    classes = [(fines[fine], bundles[bundle]) for fine, bundle in numbers]
    return Bundles(list(fines), list(bundles), sorted(values, key=place), classes), np.array(of_word, np.int32)
