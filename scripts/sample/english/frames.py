"""Frames of verbs, read from the lines of topics."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from sample.english.topics import ANYWHERE, TOPICS, Topic
from sample.english.words import Verb, verb_of


@dataclass(frozen=True)
class Frame:
    """A verb with the classes of words that it goes with; see topics for the notation."""

    subject: str
    verb: Verb
    flags: str
    particle: str
    object: str
    second: str  # the object next to an indirect object
    needed: tuple[str, ...]  # phrases that it must have
    optional: tuple[str, ...]
    adverbs: tuple[str, ...]

    @property
    def personal(self) -> bool:
        """Return whether people of the document can be its subject."""
        return self.subject == "person"

    @property
    def deliberate(self) -> bool:
        """Return whether people do it on purpose."""
        return self.personal and "n" not in self.flags and "s" not in self.flags

    @property
    def passive(self) -> bool:
        """Return whether it has a passive."""
        return bool(self.object) and not set("sxi") & set(self.flags)


def split(field: str) -> list[str]:
    """Return the items of a field."""
    return [item.strip() for item in field.split(";") if item.strip()]


def frame_of(line: str) -> Frame:
    """Return the frame of a line."""
    subject, rest = line.split(":", 1)
    fields = [*(field.strip() for field in rest.split("|")), "", "", ""][:4]
    head, flags, particle = fields[0], "", ""
    if "+" in head:
        head, particle = head.split("+")
    if "[" in head:
        head, flags = head.rstrip(" ]").split("[")
    phrases = split(fields[2])
    second = phrases.pop(0) if "i" in flags else ""
    return Frame(
        subject.strip(),
        verb_of(head.strip()),
        flags,
        particle.strip(),
        fields[1],
        second,
        tuple(phrase[1:] for phrase in phrases if phrase[0] == "!"),
        tuple(phrase for phrase in phrases if phrase[0] != "!"),
        tuple(split(fields[3])),
    )


@cache
def frames_of(topic: Topic) -> tuple[Frame, ...]:
    """Return the frames of a topic."""
    return tuple(frame_of(line) for line in topic.frames.strip().splitlines())


@cache
def general_frames() -> tuple[Frame, ...]:
    """Return the frames that fit any topic."""
    return tuple(frame_of(line) for line in ANYWHERE.strip().splitlines())


@cache
def frames_with(field: str, kind: str) -> tuple[Frame, ...]:
    """Return the frames whose subject or object is of a class."""
    every = [*general_frames(), *(frame for topic in TOPICS for frame in frames_of(topic))]
    return tuple(frame for frame in every if kind in getattr(frame, field).replace(".s", "").split())


@cache
def accidents() -> frozenset[str]:
    """Return the verbs for states, and for what nobody does on purpose."""
    every = [*general_frames(), *(frame for topic in TOPICS for frame in frames_of(topic))]
    states = ("feel", "seem", "look", "become")
    return frozenset([*states, *(frame.verb.lemma for frame in every if set("ns") & set(frame.flags))])
