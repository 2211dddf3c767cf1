"""Statements, with coordination and adverbial clauses."""

from __future__ import annotations

import sample.english.words as words
from sample.english import lexicon
from sample.english.clauses import (
    PLURAL_YOU,
    SEEMING,
    TIMES,
    Clause,
)
from sample.english.frames import accidents, frames_of, general_frames
from sample.english.lexicon import word_set
from sample.english.sentences.tools import FIRST, THEY, Tools
from sample.english.words import BE, Reference, verb_of
from sample.tree import Node

REASONS = ["tired", "ill", "busy", "late", "tired", "busy"]
LISTED = word_set(
    "produce crop grocery clothes kitchenware plant ingredient document reading present tool relative "
    "subject baked"
)
PLACES_OF = {
    "dish": ("on the table", "on the menu"),
    "baked": ("in the oven", "on the table", "in the kitchen"),
    "kitchenware": ("in the sink", "on the table", "in the cupboard"),
    "document": ("on the desk", "in the folder"),
    "office_thing": ("in the office", "next_to the door"),
    "office_event": ("in city", "in the office"),
    "view": ("near the village", "in city"),
    "school_thing": ("on the next page", "in the book"),
    "writing": ("on the board", "in the book"),
    "competition": ("in city", "in the stadium"),
    "gear": ("in the gym", "behind the goal"),
    "furniture": ("in the room", "in front~ of the window"),
    "machine": ("in the kitchen", "in the cellar"),
    "clothes": ("in the wardrobe", "on the chair", "in the window"),
    "plant": ("in the garden", "next_to the gate"),
    "crop": ("in the basket", "in the garden"),
    "tool": ("in the garage", "behind the door"),
    "farm_animal": ("in the field", "behind the house"),
    "medicine": ("on the table", "in the cupboard"),
    "show": ("at the theatre", "in city"),
    "art": ("in the museum", "on the wall"),
    "public_work": ("in city", "near the river"),
    "building": ("in the village", "on the hill"),
    "product": ("in the window", "in the shop"),
    "produce": ("on the table", "in the basket"),
    "lost": ("on the table", "under the chair", "on the floor"),
}
ERRANDS = (
    ("station", "meet"),
    ("airport", "meet"),
    ("library", "borrow"),
    ("library", "read"),
    ("market", "buy"),
    ("bookshop", "buy"),
    ("park", "meet"),
    ("café", "talk"),
    ("office", "look"),
    ("hospital", "visit"),
)
ARRIVALS = ("arrive", "appear", "spread", "call", "come", "enter")
MISFORTUNES = ("lose", "miss", "forget", "break", "burn", "fail", "hurt")
INDOORS = ("market", "office", "kitchen", "school", "culture", "health")  # the weather hardly matters
OPENINGS = (
    "in the end",
    "after a while",
    "to my surprise~",
    "in the meantime",
    "during the event",
    "at the end of the day",
    "on the first day",
    "at the last minute",
)
PAIRS = (
    ("tired", "hungry"),
    ("happy", "proud"),
    ("cold", "wet"),
    ("sad", "lonely"),
    ("pale", "nervous"),
    ("angry", "disappointed"),
    ("surprised", "grateful"),
)


class Statements(Tools):
    """Statements, with coordination and adverbial clauses."""

    def plain(self) -> Node:
        """A statement."""
        return self.finish(self.clauses.statement())

    def fronted(self) -> Node:
        """A statement after an adjunct of time or a sentence adverb."""
        if self.chooser.chance(0.5):
            frame = self.clauses.plain_frame("past", personal=False)
            made = self.clauses.clause(frame, "past", rich=False)
            root = self.clauses.order(made)
            node, relation = self.phrases.time("past")
            if any(other.xpos == "CD" or other.form in ("after", "before") for other in root.surface()):
                return self.finish(root)
        else:
            frame = self.clauses.plain_frame("perfect", personal=False)
            root = self.clauses.order(self.clauses.clause(frame, "past"))
            kind = self.chooser.pick(("misfortune" if frame.verb.lemma in MISFORTUNES else "sentence", "link"))
            node, relation = words.adverb(self.phrases.draw(lexicon.ADVERBS[kind])), "advmod"
        if relation == "advmod" or self.chooser.chance(0.7):
            self.first_comma(node)
        root.left.insert(0, root.tie(node, relation))
        return self.finish(root)

    def coordinated(self) -> Node:
        """Two statements with a conjunction."""
        form = self.chooser.pick(("and", "but", "and", "so"))
        if form == "so":
            return self.consequence()
        if form == "but":
            return self.obstacle()
        tense = self.chooser.pick(("past", "past", "past", "future"))
        root = self.own_simple(tense, self.phrases.person("Nom"))
        other = self.own_simple(tense, self.phrases.person("Nom"))
        self.join(root, other, form)
        return self.finish(root)

    def consequence(self) -> Node:
        """A state and what follows from it."""
        if self.chooser.chance(0.4):
            root = self.weather_clause("past", bad=True)
            subject = self.phrases.person("Nom")
            choices = (
                ("stay", "at home~"),
                ("take took taken", "the bus"),
                ("go went gone", "home"),
                ("wear wore worn", "a warm coat"),
                ("cancel cancelled cancelled", "the picnic"),
                ("stay", "in the room"),
            )
        else:
            person = self.phrases.person("Nom")
            root = self.clauses.copula(
                person, self.degree(self.chooser.pick(("tired", "ill", "exhausted", "cold"))), "past"
            )
            subject = self.again(person)
            choices = (
                ("go went gone", "home"),
                ("go went gone", "to bed~"),
                ("leave left left", "the party"),
                ("stay", "at home~"),
                ("call", "a taxi"),
                ("sit sat sat", "on a bench"),
            )
        form, rest = self.chooser.pick(choices)
        _, other = self.clauses.verb_group(verb_of(form), "past", subject.lexeme)
        other.before(subject, "nsubj")
        if rest == "home":
            other.after(words.adverb("home"), "advmod")
        elif rest.split()[0] in ("at", "to", "in", "on"):
            other.after(self.phrases.prepositional(rest, subject.lexeme), "obl")
        else:
            other.after(self.phrases.noun_phrase(rest), "obj")
        other.left.insert(0, other.tie(words.adverb("so"), "advmod"))
        other.left.insert(0, other.tie(words.punctuation(","), "punct"))
        root.after(other, "parataxis")
        return self.finish(root)

    def coordinated_verbs(self) -> Node:
        """Two or three verbs with one subject."""
        subject = self.phrases.person("Nom")
        reference = subject.lexeme
        root = self.own_simple("past", subject)
        count = 2 if self.chooser.chance(0.25) else 1
        for index in range(count):
            frame = self.clauses.frame(personal=True, deliberate=True, general=0.0)
            verb = self.clauses.clause(
                frame, "past", reference=reference, gap="subject", rich=self.chooser.chance(0.4)
            ).head
            last = index == count - 1
            if last:
                verb.left.insert(0, verb.tie(words.coordinator("and"), "cc"))
            if not last or count > 1:
                verb.left.insert(0, verb.tie(words.punctuation(","), "punct"))
            root.after(verb, "conj")
        return self.finish(root)

    def three_objects(self) -> Node:
        """A list of three objects."""
        frames = [
            frame
            for frame in frames_of(self.topic)
            if frame.object.split()[-1:]
            and frame.object.split()[-1].removesuffix(".s") in LISTED
            and frame.personal
            and not frame.second
            and "s" not in frame.flags
        ]
        if not frames:
            return self.plain()
        frame = self.chooser.pick(frames)
        made = self.clauses.clause(frame, "past", gap="object", rich=False)
        items = [
            self.phrases.noun_phrase(frame.object, made.subject.lexeme if made.subject else None, plain=True)
            for _ in range(3)
        ]
        if len({item.lemma for item in items}) < 3:
            return self.plain()
        node = made.head.tie(self.phrases.coordinate(items), "obj")
        made.head.right.insert(0, node)
        return self.finish(self.clauses.order(made))

    def adverbial(self) -> Node:
        """A statement with a clause of time."""
        form = self.chooser.pick(("when", "before", "after", "while", "when", "as_soon_as"))
        if form == "while":
            other = self.clauses.simple("past_progressive")
        elif form == "after" and self.chooser.chance(0.5):
            other = self.clauses.simple("past_perfect")
        else:
            other = self.own_simple("past", self.phrases.person("Nom"), sudden=True)
        return self.with_adverbial(form, other, self.own_simple("past", self.phrases.person("Nom")))

    def with_adverbial(self, form: str, other: Node, root: Node) -> Node:
        """Join a main clause and an adverbial clause."""
        if form == "as_soon_as":
            soon = words.adverb("soon")
            soon.before(words.adverb("as"), "advmod")
            other.left.insert(0, other.tie(words.subordinator("as"), "mark"))
            soon.after(other, "advcl")
            clause, relation = soon, "advmod"
        else:
            mark = words.subordinator(form)
            other.left.insert(0, other.tie(mark, "advmod" if mark.upos == "ADV" else "mark"))
            if form == "although" and self.chooser.chance(0.3):
                mark.form = mark.lemma = "though"
                other.left.insert(0, other.tie(words.adverb("even"), "advmod"))
            clause, relation = other, "advcl"
        if self.chooser.chance(0.4) and form not in ("until", "so"):
            self.first_comma(clause)
            root.left.insert(0, root.tie(clause, relation))
        else:
            if form == "although":
                clause.left.insert(0, clause.tie(words.punctuation(","), "punct"))
            root.after(clause, relation)
        return self.finish(root)

    def reason(self) -> Node:
        """A statement with because or although and a state, or with if."""
        form = self.chooser.pick(("because", "because", "although", "if", "although"))
        if form == "if":
            return self.condition()
        subject = self.phrases.person("Nom")
        if self.chooser.chance(0.7) or form == "because" or self.topic.name in INDOORS:
            other = self.clauses.copula(self.again(subject), self.degree(self.chooser.pick(REASONS)), "past")
        else:
            other = self.weather_clause("past", bad=True)
        root = self.own_simple("past", subject, deliberate=True, negative=form == "because")
        return self.with_adverbial(form, other, root)

    def condition(self) -> Node:
        """A condition and what follows from it."""
        kind = self.chooser.uniform()
        subject = words.pronoun(self.chooser.pick((PLURAL_YOU, PLURAL_YOU, THEY)), "Nom")
        if kind < 0.35:
            other = self.weather_clause("present")
        elif kind < 0.7:
            have = words.present(verb_of("have had had"), subject.lexeme)
            have.before(subject, "nsubj")
            needs = ("time~", "some time~") if subject.lexeme is THEY else ("time~", "a question", "a problem")
            have.after(self.phrases.noun_phrase(self.chooser.pick(needs)), "obj")
            other = have
        else:
            subject = words.pronoun(PLURAL_YOU, "Nom")
            other = self.clauses.copula(
                subject, words.adjective(self.chooser.pick(("tired", "hungry", "late", "ill", "ready"))), "present"
            )
        if kind < 0.35 or subject.lexeme is THEY:
            tense = self.chooser.pick(("future", "can"))
            frame = self.own_frame()
            follower = words.pronoun(Reference("1", "Plur", "", "person") if kind < 0.35 else THEY, "Nom")
            root = self.clauses.order(self.clauses.clause(frame, tense, subject=follower, rich=False))
        else:
            choice = self.chooser.pick(
                [frame for frame in general_frames() if frame.verb.lemma in ("call", "write", "visit", "send")]
            )
            root = self.clauses.infinitive(
                Reference("1", "Sing", "", "person"), mark=False, form="Imp", rich=False, frame=choice
            )
            if self.chooser.chance(0.6):
                root.left.insert(0, root.tie(words.interjection("please"), "discourse"))
        return self.with_adverbial("if", other, root)

    def weather(self) -> Node:
        """A statement about the weather."""
        root = self.weather_clause("past")
        node, relation = self.phrases.timed(
            ("yesterday", "last night", "on Monday", "this morning", "in the afternoon", "in MONTH", "DAYPART")
        )
        if self.chooser.chance(0.5):
            root.after(
                self.phrases.prepositional(
                    self.chooser.pick(("in city", "in the mountain.s", "on the coast", "in country")), None
                ),
                "obl",
            )
        if self.chooser.chance(0.6):
            root.after(node, relation)
        return self.finish(root)

    def participial(self) -> Node:
        """A participle, or a preposition and a gerund, before or behind a statement."""
        subject = self.phrases.person("Nom")
        root = self.own_simple("past", subject)
        form = self.chooser.pick(("after", "before", "while", "after"))
        frame = self.clauses.plain_frame("past_progressive" if form in ("", "while") else "past", deliberate=True)
        other = self.clauses.infinitive(
            subject.lexeme, mark=False, form="Part" if form in ("", "while") else "Ger", rich=False, frame=frame
        )
        if form:
            other.left.insert(0, other.tie(words.subordinator(form), "mark"))
        if form == "" or (self.chooser.chance(0.4) and form != "without"):
            self.first_comma(other)
            root.left.insert(0, root.tie(other, "advcl"))
        else:
            root.after(other, "advcl")
        return self.finish(root)

    def purpose(self) -> Node:
        """A movement and its purpose."""
        place, action = self.chooser.pick(ERRANDS)
        verb = self.chooser.pick(
            [
                verb_of(forms)
                for forms in ("go went gone", "drive drove driven", "walk", "run ran run", "cycle", "hurry")
            ]
        )
        subject = self.phrases.person("Nom")
        auxiliaries, head = self.clauses.verb_group(
            verb, self.chooser.pick(("past", "past", "future")), subject.lexeme
        )
        made = Clause(head, subject, auxiliaries)
        self.clauses.tie_auxiliaries(head, auxiliaries)
        head.tie(subject, "nsubj")
        head.after(self.phrases.prepositional("to the " + place, None), "obl")
        errand = self.chooser.pick([frame for frame in general_frames() if frame.verb.lemma == action])
        purpose = self.clauses.infinitive(subject.lexeme, frame=errand, rich=False)
        head.after(purpose, "advcl")
        return self.finish(self.clauses.order(made))

    def predicate(self) -> Node:
        """A subject and an adjective, or a profession, or a place."""
        kind = self.chooser.uniform()
        if kind < 0.35:
            subject = self.phrases.person("Nom")
            head = self.degree(self.phrases.adjective_of("person", predicate=True))
            if self.chooser.chance(0.25):
                first, second = self.chooser.pick(PAIRS)
                head = words.adjective(first)
                other = head.after(words.adjective(second), "conj")
                other.before(words.coordinator("and"), "cc")
        elif kind < 0.75:
            subject = self.thing()
            head = self.predicate_of(subject)
            if self.chooser.chance(0.25):
                self.clauses.add_relative(subject, adjectives=False)
        elif kind < 0.88:
            subject = self.phrases.named()
            head = self.phrases.noun_phrase("a profession")
            if self.chooser.chance(0.5) and not head.right:
                head.after(
                    self.phrases.prepositional(self.chooser.pick(("in city", "from country", "in country")), None),
                    "nmod",
                )
            return self.finish(self.clauses.copula(subject, head, self.chooser.pick(("present", "past"))))
        else:
            subject = self.phrases.named()
            head = self.phrases.prepositional(
                self.chooser.pick(
                    (
                        "in the room",
                        "at the at_place",
                        "in city",
                        "on holiday~",
                        "at home~",
                        "in a hurry",
                        "at work~",
                    )
                ),
                None,
            )
        negative = self.chooser.chance(0.12) and not head.right
        tense = self.chooser.pick(("past", "past", "present"))
        return self.finish(self.clauses.copula(subject, head, tense, negative=negative))

    def seeming(self) -> Node:
        """A verb such as seem with an adjective."""
        subject = self.phrases.person("Nom")
        verb = self.chooser.pick(SEEMING if subject.lexeme.person != "1" else SEEMING[2:])
        _, root = self.clauses.verb_group(verb, "past", subject.lexeme)
        root.before(subject, "nsubj")
        root.after(
            self.degree(self.phrases.draw("tired happy nervous angry ill sad proud worried impatient curious")),
            "xcomp",
        )
        if self.chooser.chance(0.5):
            node, relation = self.phrases.timed(
                ("yesterday", "this morning", "last night", "in the evening", "on Monday", "DAYPART")
            )
            root.after(node, relation)
        return self.finish(root)

    def existential(self) -> Node:
        """There is something somewhere."""
        kind = self.chooser.pick([kind for kind in self.topic.things.split() if kind in PLACES_OF] or ["lost"])
        noun = self.phrases.noun_phrase("a " + kind, plain=self.chooser.chance(0.5))
        related = self.chooser.chance(0.35) and self.clauses.add_relative(noun)
        finite = words.past if related or self.chooser.chance(0.5) else words.present
        root = finite(BE, noun.lexeme)
        root.before(words.word("there", "PRON", "EX"), "expl")
        if root.form == "is" and self.scene.informal:
            root.form, root.joined = "'s", True
        root.after(noun, "nsubj")
        if not related:
            root.after(self.phrases.prepositional(self.chooser.pick(PLACES_OF[kind]), None), "obl")
        return self.finish(root)

    def colon_list(self) -> Node:
        """A number of things, and what they are."""
        count, number = self.chooser.pick(((2, "two"), (3, "three"), (3, "three"), (4, "four")))
        subject = self.phrases.person("Nom")
        kind = self.chooser.pick(("grocery", "produce", "clothes", "tool", "present", "kitchenware"))
        verb = self.chooser.pick(
            [
                verb_of(forms)
                for forms in ("need", "buy bought bought", "bring brought brought", "forget forgot forgotten")
            ]
        )
        _, root = self.clauses.verb_group(verb, "past", subject.lexeme)
        root.before(subject, "nsubj")
        things = root.after(words.noun("things", "thing", "Plur"), "obj")
        things.before(words.number_word(number), "nummod")
        items = [
            self.phrases.noun_phrase(("" if kind == "grocery" else "a ") + kind, plain=True) for _ in range(count)
        ]
        example = self.phrases.coordinate(items)
        example.left.insert(0, example.tie(words.punctuation(":"), "punct"))
        things.after(example, "appos")
        return self.finish(root)

    def extend(self, root: Node) -> None:
        """Add something to a finished statement: at the beginning, or before its final mark."""
        first, mark = next(root.surface()), root.right[-1]
        if (
            first.upos == "INTJ"
            or (first.xpos == "DT" and first.upos == "PRON")
            or any(node.form == ":" for node in root.surface())
            or mark.form != "."
            or first.xpos in ("``", "RB")
            or root.features.get("Mood") == "Imp"
        ):
            return
        kind = self.chooser.uniform()
        if (
            kind < 0.3
            and root.left
            and root.left[0].relation.startswith("nsubj")
            and (root.features.get("Tense"), root.features.get("Mood")) == ("Past", "Ind")
            and not any(node.lemma in TIMES for node in root.surface())
        ):
            phrase = self.phrases.prepositional(self.chooser.pick(OPENINGS), None)
            self.first_comma(phrase)
            root.left.insert(0, root.tie(phrase, "obl"))
            return
        subject = next((node.lexeme.kind for node in root.left if node.relation == "nsubj" and node.lexeme), "")
        personal = subject == "person" or subject in lexicon.PERSON_CLASSES
        simple = not any(node.relation in ("advcl", "advcl:relcl", "conj", "parataxis") for node in root.right)
        past = (
            root.features.get("Mood") == "Ind"
            and root.features["Tense"] == "Past"
            and root.upos == "VERB"
            and root.lemma != "be"
            and simple
        )
        root.right.pop()
        if kind < 0.6 and past and personal and root.lemma not in accidents():
            inner = [node for node in root.right if node.relation in ("ccomp", "xcomp") and node.upos == "VERB"]
            self.clauses.add_tail(Clause(self.chooser.pick([root, *inner]), None, []))
        elif kind < 0.72 and past and personal:
            self.join(root, self.own_simple("past", self.phrases.person("Nom")), "and")
        elif kind < 0.8 and self.scene.narrator and not any(node.form in ("I", "we") for node in root.surface()):
            verb = verb_of(self.chooser.pick(("think thought thought", "believe")))
            comment = words.present(verb, FIRST)
            comment.before(words.punctuation(","), "punct")
            comment.before(words.pronoun(FIRST, "Nom"), "nsubj")
            root.after(comment, "parataxis")
        elif self.scene.public and kind < 0.9 and not personal and subject and past and root.lemma not in ARRIVALS:
            source = words.past(verb_of(self.chooser.pick(("say said said", "report", "claim"))), Reference())
            source.before(words.punctuation(","), "punct")
            source.before(
                self.phrases.noun_phrase("the newspaper" if self.chooser.chance(0.5) else "the radio"), "nsubj"
            )
            root.after(source, "parataxis")
        root.right.append(mark)
