"""Clauses of the English sample, and what moves out of them.

A clause is made of a frame in three steps: the verb group that agrees with the subject, the arguments, and the
order of words of a statement or a question. A relative or interrogative pronoun takes the place of one argument
(the gap); if the gap is in an embedded clause, or leaves its preposition behind, the tree is not projective.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import sample.english.words as words
from sample.choices import Chooser
from sample.english import lexicon
from sample.english.frames import Frame, frames_of, frames_with, general_frames
from sample.english.lexicon import word_set
from sample.english.phrases import Phrases, Scene
from sample.english.sequences import event_of
from sample.english.topics import Topic
from sample.english.words import BE, DO, HAVE, Reference, Verb, verb_of
from sample.tree import Node

GENERAL = {"market": 0.0, "town": 0.08, "weather": 0.08, "sports": 0.1}  # frames that fit any topic; 0.2 elsewhere
OPTIONAL_PHRASE = 0.48
MANNER = 0.16
TIME = 0.3
RELATIVE = 0.2  # of nouns in main clauses
PLURAL_YOU = Reference("2", "Sing", "", "person")
THIRD = Reference()
CONTRACTED = {
    "am": "'m",
    "are": "'re",
    "is": "'s",
    "has": "'s",
    "have": "'ve",
    "had": "'d",
    "will": "'ll",
    "would": "'d",
}

# Verbs whose passive is natural without an agent.
PASSIVE = word_set(
    "sign cancel repair print translate approve reject build publish close announce elect examine raise lower "
    "damage replace import exchange hire prune correct cut"
)
FORETELLING = word_set("predict warn expect")  # not in the future
# Verbs of coming and going: "someone from Rome came from Madrid" would sound odd.
MOVING = word_set("come live travel return arrive stay move go")
CLOCKED = word_set(
    "call leave arrive meet close lock finish sign return begin see cancel order"
)  # what happens at a point in time
LISTED = word_set(
    "produce crop grocery clothes kitchenware plant ingredient document present tool relative subject baked "
    "furniture"
)
PERSON_RELATIVES = (  # in the present
    "live | | in city",
    "live | | near the river",
    "work | | at the hospital",
    "work | | for a newspaper",
    "come came come | | from country",
    "speak spoke spoken | language",
    "study studied studied | subject",
    "own | a small shop",
    "play | the instrument",
    "teach taught taught | subject",
    "collect | old map.s",
    "work | | in city",
)
PERSON_EVENTS = (  # before what is told
    "miss | the last bus",
    "lose lost lost | my key",
    "arrive | | from city",
    "call | | in the morning",
    "hear heard heard | the news~",
    "wait | | for an hour",
    "spend spent spent | a week | in city",
)
WANTING = tuple(
    verb_of(forms)
    for forms in (
        "want",
        "try",
        "decide",
        "plan planned planned",
        "promise",
        "refuse",
        "manage",
        "intend",
    )
)
TELLING = tuple(verb_of(forms) for forms in ("ask", "tell told told", "help", "advise", "remind", "persuade"))
ENJOYING = tuple(verb_of(forms) for forms in ("enjoy", "start", "stop stopped stopped"))
SAYING = tuple(
    verb_of(forms)
    for forms in (
        "say said said",
        "think thought thought",
        "hear heard heard",
        "believe",
        "explain",
        "notice",
        "mention",
        "claim",
        "hope",
        "know knew known",
    )
)
OPINION = tuple(verb_of(forms) for forms in ("think thought thought", "say said said", "believe"))
SEEMING = tuple(verb_of(forms) for forms in ("seem", "look", "feel felt felt", "become became become"))


@dataclass
class Clause:
    """A clause in the making."""

    head: Node  # the verb, or the predicate of a copula
    subject: Node | None
    auxiliaries: list[Node]
    negation: Node | None = None
    middle: list[Node] = field(default_factory=list)  # adverbs before the verb
    frame: Frame | None = None
    tense: str = "past"


def place(phrase: str) -> str:
    """Return the preposition of a phrase, the same for all that say where something happens."""
    form = phrase.split()[0].removeprefix("+")
    return "where" if form in ("in", "at", "on", "near", "behind", "under", "next_to") else form


class Clauses:
    """Draws clauses for a document; one object, one stream of choices."""

    def __init__(self, chooser: Chooser, scene: Scene, topic: Topic) -> None:
        self.chooser = chooser
        self.scene = scene
        self.topic = topic
        self.phrases = Phrases(chooser, scene)

    # frames

    def frame(self, *, personal: bool = False, deliberate: bool = False, general: float | None = None) -> Frame:
        """Return a frame of the topic, or sometimes one that fits any topic."""
        if general is None:
            general = GENERAL.get(self.topic.name, 0.2)
        frames = general_frames() if self.chooser.chance(general) else frames_of(self.topic)
        fitting = [
            frame
            for frame in frames
            if (frame.personal or not personal)
            and (frame.deliberate or not deliberate)
            and frame.verb.lemma not in self.phrases.used
        ]
        if not fitting:
            return self.frame(personal=personal, deliberate=deliberate, general=1.0)
        frame = self.chooser.pick(fitting)
        self.phrases.used.add(frame.verb.lemma)
        return frame

    def tense(self, frame: Frame) -> str:
        """Return a tense that is natural for a frame."""
        kind = self.chooser.uniform()
        if "s" in frame.flags:
            return "past" if kind < 0.45 else "present"
        if kind < 0.58 or (kind < 0.76 and frame.personal and "n" in frame.flags):
            return "past"
        if kind < 0.67:
            return "past" if frame.verb.lemma in FORETELLING else "future"
        if kind < 0.76:
            return "perfect"
        if kind < 0.84 and "h" in frame.flags:
            return "present"
        if kind < 0.92 and "p" in frame.flags:
            return "progressive"
        if frame.deliberate and kind < 0.98:
            return self.chooser.pick(("might", "might", "should"))
        return "past"

    # verb groups

    def verb_group(
        self, verb: Verb, tense: str, reference: Reference, *, passive: bool = False, support: bool = False
    ) -> tuple[list[Node], Node]:
        """Return the auxiliaries and the verb; ``support`` asks for "do" where there is no other auxiliary."""
        if tense in ("past", "present") and not passive:
            finite = words.past if tense == "past" else words.present
            if support and verb is not BE:
                return [finite(DO, reference, "AUX")], words.infinitive(verb)
            return [], finite(verb, reference)
        lexical = words.past_participle(verb, passive=True) if passive else None
        auxiliary: list[Node] = []
        if tense in ("past", "present"):
            auxiliary = [(words.past if tense == "past" else words.present)(BE, reference, "AUX")]
        elif tense in ("progressive", "past_progressive"):
            finite = words.present if tense == "progressive" else words.past
            auxiliary = [finite(BE, reference, "AUX")]
            if passive:
                auxiliary.append(words.present_participle(BE, "AUX"))
            lexical = lexical or words.present_participle(verb)
        elif tense in ("perfect", "past_perfect"):
            finite = words.present if tense == "perfect" else words.past
            auxiliary = [finite(HAVE, reference, "AUX")]
            if passive:
                auxiliary.append(words.past_participle(BE, upos="AUX"))
            lexical = lexical or words.past_participle(verb)
        else:
            auxiliary = [words.modal("will" if tense == "future" else tense)]
            if passive:
                auxiliary.append(words.infinitive(BE, "AUX"))
            lexical = lexical or words.infinitive(verb)
        assert lexical is not None
        return auxiliary, lexical

    @staticmethod
    def tie_auxiliaries(
        head: Node, auxiliaries: list[Node], *, passive: bool = False, copula: bool = False
    ) -> None:
        """Tie auxiliaries to their head; the last one is that of the passive, or the copula."""
        for index, node in enumerate(auxiliaries):
            last = index == len(auxiliaries) - 1
            head.tie(node, "aux:pass" if passive and last else "cop" if copula and last else "aux")

    # clauses

    def clause(
        self,
        frame: Frame,
        tense: str,
        *,
        subject: Node | None = None,
        reference: Reference | None = None,
        gap: str = "",
        question: bool = False,
        negative: bool = False,
        passive: bool = False,
        rich: bool = True,
    ) -> Clause:
        """Return a clause with its arguments, its words not yet in order.

        ``gap`` names an argument that is left out: subject, object, or phrase (that of the first needed one).
        """
        chance = self.chooser.chance
        if frame.verb.lemma in MOVING:
            self.phrases.room = 0
        if subject is None and gap != "subject":
            if passive:
                subject = self.phrases.noun_phrase(frame.object.replace("my ", "the "))
            elif frame.personal:
                if tense == "past" and rich and frame.deliberate and self.topic.name != "market" and chance(0.04):
                    subject = words.indefinite(self.chooser.pick(("someone", "everyone", "nobody")))
                else:
                    subject = self.phrases.person("Nom")
            else:
                moving = frame.verb.lemma in ("arrive", "leave", "land", "stop")
                subject = self.phrases.noun_phrase(frame.subject, plain=moving)
        reference = reference or (subject.lexeme if subject else THIRD)
        negative = negative and not (subject is not None and subject.lemma in words.INDEFINITE)
        auxiliaries, head = self.verb_group(
            frame.verb, tense, reference, passive=passive, support=negative or question
        )
        made = Clause(head, subject, auxiliaries, frame=frame, tense=tense)
        self.tie_auxiliaries(head, auxiliaries, passive=passive)
        if subject:
            head.tie(subject, "nsubj:pass" if passive else "nsubj")
        if negative:
            made.negation = head.tie(words.negation(contracted=False), "advmod")
        free = rich and not question and not negative
        chosen = self.choose_phrases(frame, gap, OPTIONAL_PHRASE if free else 0.0)
        self.arguments(made, reference, gap, passive=passive)
        self.phrases_of(made, reference, gap, chosen, rich=free)
        if negative:
            self.some_to_any(head)
        if free and not gap and chance(RELATIVE):
            self.decorate(made)
        return made

    @staticmethod
    def some_to_any(head: Node) -> None:
        """Write "any" for "some" in a negative clause."""
        for node in head.surface():
            if node.lemma == "some":
                node.form = node.lemma = "any"

    def arguments(self, made: Clause, reference: Reference, gap: str, *, passive: bool) -> None:
        """Add particle, objects, and the agent of a passive."""
        frame, head = made.frame, made.head
        assert frame is not None
        chance = self.chooser.chance
        if passive:
            if frame.particle:
                head.after(words.particle(frame.particle), "compound:prt")
            if chance(0.25):
                agent = (
                    self.phrases.person("Acc", pronouns=False)
                    if frame.personal
                    else self.phrases.noun_phrase(frame.subject)
                )
                head.after(self.phrases.with_preposition(agent, "by"), "obl:agent")
            return
        pieces: list[Node] = []
        if frame.object and gap != "object":
            if frame.second:
                pieces.append(head.tie(self.object_phrase(frame.object, reference), "iobj"))
                pieces.append(head.tie(self.phrases.noun_phrase(frame.second, reference), "obj"))
            else:
                draw = self.object_phrase if made.negation is None else self.phrases.noun_phrase
                pieces.append(head.tie(draw(frame.object, reference), "obj"))
        elif frame.second:
            pieces.append(head.tie(self.phrases.noun_phrase(frame.second, reference), "obj"))
        if frame.particle:
            part = head.tie(words.particle(frame.particle), "compound:prt")
            late = (
                pieces
                and (pieces[0].upos == "PRON" or (not pieces[0].right and chance(0.3)))
                and frame.particle not in ("after",)
            )
            pieces.insert(1 if late else 0, part)
        head.right += pieces

    def object_phrase(self, specification: str, reference: Reference) -> Node:
        """Return an object: a noun phrase, a coordination, or a pronoun."""
        node = self.phrases.noun_phrase(specification, reference)
        kind = node.lexeme.kind
        if kind in LISTED and not node.right and self.phrases.room > 0 and self.chooser.chance(0.14):
            other = self.phrases.noun_phrase(specification, reference, plain=True)
            if other.lemma != node.lemma:
                node = self.phrases.coordinate([node, other])
        return node

    def phrases_of(self, made: Clause, reference: Reference, gap: str, chosen: list[str], *, rich: bool) -> None:
        """Add prepositional phrases and adverbs behind the verb."""
        frame, head = made.frame, made.head
        assert frame is not None
        chance = self.chooser.chance
        if made.tense in ("progressive", "perfect"):
            chosen = [phrase for phrase in chosen if phrase.split()[-1] not in TIMES]
        if made.subject is not None and made.subject.relation == "nsubj:pass":
            chosen = [phrase for phrase in chosen if " my " not in phrase]
        if (
            rich
            and not gap
            and made.tense == "past"
            and frame.adverbs
            and chance(MANNER)
            and "+" not in "".join(chosen)
        ):
            head.after(words.adverb(self.chooser.pick(frame.adverbs)), "advmod")
        for phrase in chosen:
            self.attach_phrase(made, phrase, reference, gap)
        if "h" in frame.flags and made.tense == "present" and chance(0.5):
            made.middle.append(
                head.tie(words.adverb(self.chooser.pick(lexicon.ADVERBS["frequency"].split())), "advmod")
            )
        elif made.tense == "perfect" and chance(0.3) and made.negation is None:
            made.middle.append(
                head.tie(
                    words.adverb(
                        "already" if gap or not rich else self.chooser.pick(("already", "just", "finally"))
                    ),
                    "advmod",
                )
            )
        elif made.tense == "present" and "h" in frame.flags:
            self.add_time(made)
        elif rich and chance(0.05) and frame.deliberate and made.tense in ("past", "perfect"):
            made.middle.append(head.tie(words.adverb("also"), "advmod"))
        elif rich and chance(TIME) and "s" not in frame.flags and not gap:
            self.add_time(made)

    def attach_phrase(self, made: Clause, phrase: str, reference: Reference, gap: str) -> None:
        """Add a phrase to the verb or to its object."""
        head = made.head
        nominal = phrase.startswith("+")
        node = self.phrases.prepositional(phrase.removeprefix("+"), reference)
        last = head.right[-1] if head.right else None
        if made.subject is not None and made.subject.relation == "nsubj:pass" and nominal:
            made.subject.after(node, "nmod")
        elif nominal and gap == "object":
            return
        elif last is not None and last.relation == "obj" and nominal:
            last.after(node, "nmod")
        else:
            head.after(node, "nmod" if nominal else "obl")

    def choose_phrases(self, frame: Frame, gap: str, probability: float) -> list[str]:
        """Return phrases for a verb; the same preposition twice, on the object or the verb, would sound odd."""
        chosen = [self.chooser.pick(frame.needed)] if frame.needed and gap != "phrase" else []
        options = [phrase for phrase in frame.optional if place(phrase) not in [place(other) for other in chosen]]
        if options and self.phrases.room > len(chosen) and self.chooser.chance(probability):
            chosen.append(self.chooser.pick(options))
        self.phrases.room -= len(chosen)
        self.phrases.taken |= {place(phrase) for phrase in chosen}
        return chosen

    def add_time(self, made: Clause) -> None:
        """Add an adjunct of time at the end; not where the tense or another phrase leaves no room for it."""
        last = list(made.head.surface())
        if made.tense in ("perfect", "must", "can", "should", "might", "could", "would") or any(
            node.xpos == "CD"
            or node.form in ("before", "after", "during", "since", "until")
            or node.lemma in TIMES
            for node in last
        ):
            return
        assert made.frame is not None
        made.head.after(*self.time(made.tense, made.frame))

    def time(self, tense: str, frame: Frame) -> tuple[Node, str]:
        """Return an adjunct of time that fits a tense and a frame, and its relation."""
        clock = frame.verb.lemma in CLOCKED
        return self.phrases.time(tense, years="y" in frame.flags, clock=clock)

    # order of words

    def contract(self, made: Clause, *, question: bool) -> None:
        """Contract "not" or the first auxiliary, in informal documents."""
        if not made.auxiliaries:
            return
        first = made.auxiliaries[0]
        informal = self.scene.informal
        if made.negation is not None:
            if informal and self.chooser.chance(0.95) and first.form not in ("am", "might", "may"):
                made.negation.form, made.negation.joined = "n't", True
                first.form = {"can": "ca", "will": "wo"}.get(first.form, first.form)
                return
            if first.form == "can" and not question:
                made.negation.joined = True
                return
        subject = made.subject
        pronoun = subject is not None and subject.xpos == "PRP" and not subject.right
        if informal and not question and pronoun and first.form in CONTRACTED and self.chooser.chance(0.95):
            first.form = CONTRACTED[first.form]
            first.joined = True

    def order(self, made: Clause, *, question: bool = False) -> Node:
        """Put subject and auxiliaries before the head, and return it."""
        self.contract(made, question=question)
        subject = [made.subject] if made.subject else []
        first, rest = made.auxiliaries[:1], made.auxiliaries[1:]
        negation = [made.negation] if made.negation else []
        if question:
            early = negation if made.negation is not None and made.negation.joined else []
            late = [] if early else negation
            before = [*first, *early, *subject, *late, *made.middle, *rest]
        else:
            before = [*subject, *first, *negation, *made.middle, *rest]
        made.head.left[:0] = before
        return made.head

    def statement(self) -> Node:
        """Return a statement with a frame and a tense of its own."""
        frame = self.frame()
        tense = self.tense(frame)
        natural = (
            frame.passive
            and "n" not in frame.flags
            and not frame.object.startswith(("my", "some", "NUMBER", "PRICE"))
            and frame.verb.lemma in PASSIVE
            and self.scene.narrator is None  # nor in quotations
        )
        passive = natural and tense in ("past", "perfect", "future", "must") and self.chooser.chance(0.5)
        negative = self.chooser.chance(0.14) and tense in ("past", "future") and not passive and frame.personal
        return self.order(self.clause(frame, tense, passive=passive, negative=negative))

    def simple(
        self, tense: str, *, personal: bool = True, rich: bool = False, subject: Node | None = None
    ) -> Node:
        """Return a short statement in a given tense."""
        frame = self.plain_frame(tense, personal=personal)
        return self.order(self.clause(frame, tense, rich=rich, subject=subject))

    def plain_frame(self, tense: str, *, personal: bool = True, deliberate: bool = False) -> Frame:
        """Return a frame that goes with a tense."""
        for _ in range(30):
            frame = self.frame(personal=personal, deliberate=deliberate)
            stative = "s" in frame.flags
            if tense in ("progressive", "past_progressive") and "p" not in frame.flags:
                continue
            if stative and tense not in ("past", "present"):
                continue
            if tense == "present" and not (stative or "h" in frame.flags):
                continue
            return frame
        return general_frames()[2]

    def infinitive(
        self,
        reference: Reference,
        *,
        mark: bool = True,
        form: str = "Inf",
        rich: bool = True,
        gap: str = "",
        frame: Frame | None = None,
    ) -> Node:
        """Return an infinitive clause, or that of a gerund or participle; the subject is understood."""
        frame = frame or self.frame(personal=True, deliberate=True)
        made = Clause(words.infinitive(frame.verb), None, [], frame=frame, tense="infinitive")
        if form == "Ger":
            made.head = words.gerund(frame.verb)
        elif form == "Part":
            made.head = words.present_participle(frame.verb)
        elif form == "Imp":
            made.head = words.imperative(frame.verb)
        chosen = self.choose_phrases(frame, gap, 0.2 if rich else 0.0)
        self.arguments(made, reference, gap, passive=False)
        for phrase in chosen:
            self.attach_phrase(made, phrase, reference, gap)
        if mark:
            made.head.left.insert(0, made.head.tie(words.infinitive_mark(), "mark"))
        return made.head

    def copula(
        self, subject: Node, head: Node, tense: str = "", *, negative: bool = False, question: bool = False
    ) -> Node:
        """Return a clause with a form of "be" and a predicate."""
        tense = tense or self.chooser.pick(("past", "past", "present", "present", "future"))
        reference = subject.lexeme
        if tense in ("past", "present"):
            auxiliaries = [(words.past if tense == "past" else words.present)(BE, reference, "AUX")]
        elif tense == "perfect":
            auxiliaries = [words.present(HAVE, reference, "AUX"), words.past_participle(BE, upos="AUX")]
        else:
            auxiliaries = [words.modal("will" if tense == "future" else tense), words.infinitive(BE, "AUX")]
        made = Clause(head, subject, auxiliaries, tense=tense)
        head.tie(subject, "nsubj")
        self.tie_auxiliaries(head, auxiliaries, copula=True)
        if negative:
            made.negation = head.tie(words.negation(contracted=False), "advmod")
        return self.order(made, question=question)

    # relative clauses

    def decorate(self, made: Clause) -> None:
        """Add a relative clause to the last argument, or to the subject."""
        if made.tense not in ("past", "past_perfect", "perfect"):
            return
        candidates = [node for node in made.head.right if node.relation in ("obj", "obl", "obl:agent")]
        if candidates and candidates[-1] is made.head.right[-1]:
            noun = candidates[-1]
            if noun.right and noun.right[-1].relation == "nmod" and self.chooser.chance(0.5):
                noun = noun.right[-1]
            if any(child.relation == "conj" for child in noun.right):
                return
            self.add_relative(noun, adjectives=False)
        elif made.subject is not None and not made.subject.right and made.subject.upos == "NOUN":
            self.add_relative(made.subject, adjectives=False)

    def add_relative(self, noun: Node, *, adjectives: bool = True) -> bool:
        """Add a relative clause to a noun, with a verb or with an adjective; return whether there is one."""
        reference = noun.lexeme
        if (
            not isinstance(reference, Reference)
            or noun.upos not in ("NOUN", "PROPN", "PRON")
            or reference.kind == ""
        ):
            return False
        if noun.upos == "PROPN" and reference.kind != "person":
            return False
        if any(child.form == "new" for child in noun.left):
            return False
        if reference.kind not in lexicon.NOUNS and reference.kind != "person":
            return False
        if noun.right and (reference.kind in lexicon.PERSON_CLASSES or reference.kind == "person"):
            return False
        possessed = any(child.relation == "nmod:poss" for child in noun.left)
        apart = noun.upos == "PROPN" or possessed  # the noun needs no clause to be identified
        clause = self.relative(noun, reference, apart=apart)
        if clause is None or (clause.upos == "ADJ" and not adjectives):
            return False
        if apart:
            clause.left.insert(0, clause.tie(words.punctuation(","), "punct"))
            clause.after(words.punctuation(","), "punct")
        noun.tie(clause, "acl:relcl")
        noun.right.append(clause)
        return True

    def relative(self, noun: Node, reference: Reference, *, apart: bool) -> Node | None:
        """Return a relative clause for a noun, or None if no frame fits."""
        kind = reference.kind
        personal = kind in lexicon.PERSON_CLASSES or kind == "person"
        chance = self.chooser.chance
        objects = [
            frame
            for frame in frames_with("object", kind)
            if frame.personal and not frame.second and frame.verb.lemma not in self.phrases.used | {"burn", "lose"}
        ]
        if objects and not personal and chance(0.6):
            return self.object_relative(self.chooser.pick(objects), apart=apart)
        if personal:
            return self.personal_relative(reference, apart=apart)
        subjects = [frame for frame in frames_with("subject", kind) if frame.verb.lemma not in self.phrases.used]
        pronoun = words.relative("which" if apart or chance(0.35) else "that")
        if subjects and chance(0.6):
            return self.subject_relative(self.chooser.pick(subjects), pronoun, reference)
        adjective = self.phrases.adjective_of(kind, predicate=True)
        if not adjective or any(child.relation == "amod" for child in noun.left):
            return None
        pronoun.lexeme = reference
        head = words.adjective(adjective)
        if chance(0.4) and adjective not in lexicon.ABSOLUTE:
            head.before(words.adverb(self.chooser.pick(("very", "too", "rather", "quite"))), "advmod")
        return self.copula(pronoun, head, "past")

    def personal_relative(self, reference: Reference, *, apart: bool) -> Node:
        """Return a relative clause about a person."""
        kind = self.chooser.uniform()
        if kind < 0.12 and not apart:
            owned = self.phrases.bare_noun(
                self.phrases.draw("wife husband mother father daughter son sister brother"), "Sing"
            )
            owned.before(words.relative("whose"), "nmod:poss")
            owned.lexeme = Reference(kind="relative")
            return self.copula(
                owned, self.phrases.noun_phrase("a profession", plain=True), self.chooser.pick(("past", "present"))
            )
        if kind < 0.65:
            frame = event_of(self.chooser.pick(PERSON_RELATIVES))
            return self.subject_relative(frame, words.relative("who"), reference, "present")
        frame = event_of(self.chooser.pick(PERSON_EVENTS))
        pronoun = words.relative("that" if self.chooser.chance(0.15) and not apart else "who")
        return self.subject_relative(frame, pronoun, reference, "past_perfect")

    def subject_relative(self, frame: Frame, pronoun: Node, reference: Reference, tense: str = "past") -> Node:
        """Return a relative clause whose pronoun is the subject."""
        pronoun.lexeme = reference
        return self.order(self.clause(frame, tense, subject=pronoun, gap="none", rich=False))

    def object_relative(self, frame: Frame, *, apart: bool) -> Node:
        """Return a relative clause whose pronoun is the object, of its verb or of an infinitive below it."""
        chance = self.chooser.chance
        pronoun = words.relative("which" if apart or chance(0.25) else "that")
        silent = not apart and chance(0.35)
        if chance(0.3) and frame.deliberate:
            subject = self.phrases.person("Nom")
            verb = self.chooser.pick([verb for verb in WANTING if verb.lemma in ("want", "plan")])
            auxiliaries, head = self.verb_group(verb, "past", subject.lexeme)
            inner = self.infinitive(subject.lexeme, frame=frame, gap="object", rich=False)
            inner.tie(pronoun, "obj")
            head.tie(subject, "nsubj")
            head.after(inner, "xcomp")
            head.left = [*([] if silent else [pronoun]), subject, *auxiliaries]
            return head
        tense = "past_perfect" if chance(0.35) and "s" not in frame.flags else "past"
        made = self.clause(frame, tense, gap="object", rich=False)
        made.head.tie(pronoun, "obj")
        head = self.order(made)
        if not silent:
            head.left.insert(0, pronoun)
        return head


TIMES = word_set(
    "yesterday today tomorrow morning afternoon evening night week weekend day year month "
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday spring "
    "summer autumn winter January noon quarter half breakfast lunch dinner Christmas minute hour holiday "
    "early late last first"
)
