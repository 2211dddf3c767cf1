"""Statements, with coordination and adverbial clauses."""

from __future__ import annotations

import sample.english.words as words
from sample.english import lexicon
from sample.english.clauses import (
    LISTED,
    PLURAL_YOU,
    SEEMING,
    TIMES,
    Clause,
)
from sample.english.frames import Frame, accidents, frames_of, general_frames
from sample.english.lexicon import word_set
from sample.english.sentences.tools import FIRST, IT, Tools
from sample.english.sequences import MEANWHILE, SEQUENCES, Pair, event_of, pairs_of
from sample.english.words import BE, Reference, verb_of
from sample.tree import Node

PLACES_OF = {
    "dish": ("on the table", "on the menu"),
    "baked": ("in the oven", "on the table", "in the kitchen"),
    "kitchenware": ("in the sink", "on the table", "in the cupboard"),
    "document": ("on the desk", "in the folder"),
    "office_thing": ("in the office", "next_to the door"),
    "office_event": ("in city", "in the office"),
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
    ("hospital", "visit"),
)
ARRIVALS = ("arrive", "appear", "spread", "call", "come", "enter")
MISFORTUNES = ("lose", "miss", "forget", "break", "burn", "fail", "hurt", "fall", "slip", "cut", "drop", "catch")
INDOORS = (
    "shopping",
    "home",
    "market",
    "office",
    "kitchen",
    "school",
    "culture",
    "health",
)  # the weather hardly matters
DURATIVE = word_set("walk sit look spend study visit wait watch train attend swim read learn")
OPENINGS = ("in the end", "after a while", "to my surprise~", "in the meantime", "at the last minute")
PREVENTED = (  # states, and what people do not do because of them
    ("ill tired busy", "come came come | | to the party"),
    ("ill", "go went gone | | to work~"),
    ("nervous worried excited", "sleep slept slept"),
    ("busy", "answer | the telephone"),
    ("busy tired", "cook | dinner~"),
    ("angry", "talk | | to my relative"),
    ("tired ill", "finish | my dinner~"),
    ("late", "wait | | for my friend.s"),
    ("weather", "go went gone | | to the beach"),
    ("weather", "work | | in the garden"),
    ("weather", "go went gone +out"),
    ("ill", "travel travelled travelled | | to city"),
    ("shy nervous", "ask | the teacher"),
)
PERSISTENT = (  # states, and what people do in spite of them
    ("ill tired", "go went gone | | to work~"),
    ("tired ill", "clean | the room"),
    ("tired", "finish | the work~"),
    ("busy", "help | my neighbour.s"),
    ("nervous", "pass | the exam"),
    ("late", "catch caught caught | the train"),
    ("weather", "go went gone | | to the beach"),
    ("weather", "work | | in the garden"),
    ("weather", "walk | | to the station"),
    ("weather", "swim swam swum | | in the lake"),
    ("tired", "read read read | the reading"),
    ("hungry", "wait | | for the guest.s"),
    ("busy tired", "come came come | | to the party"),
    ("busy", "call | my relative"),
)
CONDITIONS = (
    (
        "it rain",
        ("stay | | at home~", "take took taken | the bus", "go went gone | | to the museum", "play | card.s"),
    ),
    ("it snow", ("build built built | a snowman", "stay | | at home~", "cancel cancelled cancelled | the trip")),
    (
        "it sunny",
        (
            "go went gone | | to the beach",
            "swim swam swum | | in the lake",
            "have had had | lunch~ | in the garden",
        ),
    ),
    ("it warm", ("sit sat sat | | in the garden", "have had had | a picnic | by the river")),
    ("it cold", ("stay | | at home~", "light lit lit | a fire")),
    (
        "have time~",
        (
            "call | my relative",
            "visit | my relative",
            "read read read | the letter",
            "write wrote written | | to my relative",
        ),
    ),
    (
        "have a question",
        ("call | the office", "ask | the secretary", "send sent sent | an e-mail | to the office"),
    ),
    ("have trouble~", ("call | my relative", "talk | | to the manager", "ask | | for help~")),
    ("tired", ("go went gone | | to bed~", "have had had | a rest", "lie lay lain +down | | on the sofa")),
    ("hungry", ("make made made | a sandwich", "eat ate eaten | some fruit~", "order | a pizza")),
    ("late", ("take took taken | a taxi", "call | the office")),
    ("ill", ("stay | | in bed~", "call | the doctor")),
    ("cold", ("close | the window", "put put put +on | a jumper")),
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
            frame = self.clauses.plain_frame("perfect", personal=False)
            made = self.clauses.clause(frame, "past", rich=False)
            root = self.clauses.order(made)
            node, relation = self.clauses.time("past", frame)
            if any(other.xpos == "CD" or other.form in ("after", "before") for other in root.surface()):
                return self.finish(root)
        else:
            frame = self.clauses.plain_frame("perfect", personal=False)
            root = self.clauses.order(self.clauses.clause(frame, "past", rich=False))
            kind = self.chooser.pick(
                (
                    "misfortune"
                    if frame.verb.lemma in MISFORTUNES
                    else "link"
                    if "n" in frame.flags
                    else "sentence",
                    "link",
                )
            )
            node, relation = words.adverb(self.phrases.draw(lexicon.ADVERBS[kind])), "advmod"
        if relation == "advmod" or self.chooser.chance(0.7):
            self.first_comma(node)
        root.left.insert(0, root.tie(node, relation))
        return self.finish(root)

    def pair(self) -> Pair:
        """Return two things that one person does, the first before the second."""
        self.phrases.room = 0
        return self.chooser.pick(pairs_of(SEQUENCES[self.topic.name]))

    def event(self, frame: Frame, tense: str, subject: Node) -> Node:
        """Return a clause with nothing but what its frame names."""
        return self.clauses.order(self.clauses.clause(frame, tense, subject=subject, rich=False))

    def second_verb(self, frame: Frame, reference: Reference) -> Node:
        """Return a verb in the past whose subject is that of the verb before it."""
        return self.clauses.clause(frame, "past", reference=reference, gap="subject", rich=False).head

    def coordinated(self) -> Node:
        """Two statements with a conjunction."""
        form = self.chooser.pick(("and", "but", "and", "so"))
        if form == "so":
            return self.consequence()
        if form == "but":
            return self.obstacle()
        pair = self.pair()
        tense = "future" if pair.first.verb.lemma not in MISFORTUNES and self.chooser.chance(0.25) else "past"
        subject = self.phrases.person("Nom")
        root = self.event(pair.first, tense, subject)
        other = self.event(pair.second, tense, self.again(subject))
        other.left.insert(0, other.tie(words.adverb("then"), "advmod"))
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
        """Two verbs with one subject."""
        pair = self.pair()
        subject = self.phrases.person("Nom")
        root = self.event(pair.first, "past", subject)
        verb = self.second_verb(pair.second, subject.lexeme)
        if self.chooser.chance(0.2):
            verb.left.insert(0, verb.tie(words.adverb("then"), "advmod"))
        verb.left.insert(0, verb.tie(words.coordinator("and"), "cc"))
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
        pair = self.pair()
        if pair.first.verb.lemma in MISFORTUNES:
            return self.coordinated_verbs()
        subject = self.phrases.person("Nom")
        form = self.chooser.pick(("when", "after", "after", "as_soon_as"))
        if form == "as_soon_as" and pair.first.verb.lemma in DURATIVE:
            form = "after"
        tense = "past_perfect" if form == "when" or self.chooser.chance(0.5) else "past"
        first, second = (
            self.event(pair.first, tense, subject),
            self.event(pair.second, "past", self.again(subject)),
        )
        return self.with_adverbial(form, first, second, early=True)

    def meanwhile(self) -> Node:
        """What someone was doing, and what happened then."""
        self.phrases.room = 0
        pair = self.chooser.pick(pairs_of(MEANWHILE[self.topic.name]))
        subject = self.phrases.person("Nom")
        if pair.second.personal:
            if self.chooser.chance(0.4):
                root = self.event(pair.second, "past", subject)
                other = self.clauses.infinitive(
                    subject.lexeme, mark=False, form="Part", rich=False, frame=pair.first
                )
                other.left.insert(0, other.tie(words.subordinator("while"), "mark"))
                self.first_comma(other)
                root.left.insert(0, root.tie(other, "advcl"))
                return self.finish(root)
            doing = self.event(pair.first, "past_progressive", subject)
            return self.with_adverbial(
                "while", doing, self.event(pair.second, "past", self.again(subject)), early=True
            )
        doing = self.event(pair.first, "past_progressive", subject)
        happening = self.clauses.order(self.clauses.clause(pair.second, "past", rich=False))
        if self.chooser.chance(0.4):
            return self.with_adverbial("when", happening, doing, late=True)
        return self.with_adverbial("while", doing, happening)

    def with_adverbial(
        self, form: str, other: Node, root: Node, *, early: bool = False, late: bool = False
    ) -> Node:
        """Join a main clause and an adverbial clause: the first one (early), the second one, or either."""
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
        if early or (not late and self.chooser.chance(0.4)):
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
        states, event = self.chooser.pick(PREVENTED if form == "because" else PERSISTENT)
        if states == "weather":
            other = self.weather_clause("past", bad=True)
        else:
            other = self.clauses.copula(self.again(subject), self.degree(self.phrases.draw(states)), "past")
        frame = event_of(event)
        root = self.clauses.order(
            self.clauses.clause(frame, "past", subject=subject, rich=False, negative=form == "because")
        )
        return self.with_adverbial(form, other, root, late=True)

    def condition(self) -> Node:
        """A condition and what follows from it."""
        kind, actions = self.chooser.pick(CONDITIONS)
        frame = event_of(self.chooser.pick(actions))
        we = Reference("1", "Plur", "", "person")
        if kind.startswith("it "):
            _, word = kind.split()
            subject = words.pronoun(IT, "Nom")
            if word in ("rain", "snow"):
                other = words.present(verb_of(word), IT)
                other.before(subject, "nsubj")
            else:
                other = self.clauses.copula(subject, words.adjective(word), "present")
            root = self.event(frame, "future", words.pronoun(we, "Nom"))
            return self.with_adverbial("if", other, root)
        subject = words.pronoun(PLURAL_YOU, "Nom")
        if kind.startswith("have "):
            other = words.present(verb_of("have had had"), PLURAL_YOU)
            other.before(subject, "nsubj")
            other.after(self.phrases.noun_phrase(kind.removeprefix("have ")), "obj")
        else:
            other = self.clauses.copula(subject, words.adjective(kind), "present")
        root = self.clauses.infinitive(PLURAL_YOU, mark=False, form="Imp", rich=False, frame=frame)
        if self.chooser.chance(0.4):
            root.left.insert(0, root.tie(words.interjection("please"), "discourse"))
        return self.with_adverbial("if", other, root)

    def weather(self) -> Node:
        """A statement about the weather."""
        root = self.weather_clause("past")
        node, relation = self.phrases.timed(
            ("yesterday", "last night", "on Monday", "this morning", "in the afternoon", "DAYPART")
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
        """A preposition and a gerund before a statement, or behind it."""
        pair = self.pair()
        subject = self.phrases.person("Nom")
        root = self.event(pair.second, "past", subject)
        other = self.clauses.infinitive(subject.lexeme, mark=False, form="Ger", rich=False, frame=pair.first)
        other.left.insert(0, other.tie(words.subordinator("after"), "mark"))
        if pair.second.object in ("it", "them") or self.chooser.chance(0.7):
            self.first_comma(other)
            root.left.insert(0, root.tie(other, "advcl"))
        else:
            root.after(other, "advcl")
        return self.finish(root)

    def purpose(self) -> Node:
        """A movement and its purpose."""
        place, action = self.chooser.pick(ERRANDS)
        verb = self.chooser.pick(
            [verb_of(forms) for forms in ("go went gone", "drive drove driven", "walk", "cycle", "hurry")]
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
            if head.lemma != "broken" and self.chooser.chance(0.25):
                self.clauses.add_relative(subject, adjectives=False)
        elif kind < 0.88:
            subject = self.phrases.untitled()
            head = self.phrases.noun_phrase("a profession", plain=True)
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
        negative = self.chooser.chance(0.12) and not head.right and not head.left
        tense = self.chooser.pick(("past", "past", "present"))
        return self.finish(self.clauses.copula(subject, head, tense, negative=negative))

    def seeming(self) -> Node:
        """A verb such as seem with an adjective."""
        subject = self.phrases.person("Nom")
        verb = self.chooser.pick(SEEMING if subject.lexeme.person != "1" else SEEMING[2:])
        _, root = self.clauses.verb_group(verb, "past", subject.lexeme)
        root.before(subject, "nsubj")
        root.after(
            self.degree(self.phrases.draw("tired happy nervous angry ill sad worried")),
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
        noun = self.phrases.noun_phrase("a " + kind, plain=True)
        finite = words.past if self.chooser.chance(0.5) else words.present
        root = finite(BE, noun.lexeme)
        root.before(words.word("there", "PRON", "EX"), "expl")
        if root.form == "is" and self.scene.informal:
            root.form, root.joined = "'s", True
        root.after(noun, "nsubj")
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
            or first.features.get("Mood") == "Imp"
        ):
            return
        subject = next((node.lexeme.kind for node in root.left if node.relation == "nsubj" and node.lexeme), "")
        personal = subject == "person" or subject in lexicon.PERSON_CLASSES
        kind = self.chooser.uniform()
        if (
            kind < 0.3
            and root.upos == "VERB"
            and personal
            and root.lemma not in accidents()
            and root.lemma not in MISFORTUNES
            and root.lemma != "stay"
            and not any(node.relation in ("ccomp", "xcomp") for node in root.right)
            and not any(node.lemma == "than" for node in root.surface())
            and root.left
            and root.left[0].relation.startswith("nsubj")
            and (root.features.get("Tense"), root.features.get("Mood")) == ("Past", "Ind")
            and not any(node.lemma in TIMES for node in root.surface())
        ):
            first_person = root.left[0].lexeme is not None and root.left[0].lexeme.person == "1"
            openings = [opening for opening in OPENINGS if not (first_person and "surprise" in opening)]
            phrase = self.phrases.prepositional(self.chooser.pick(openings), None)
            self.first_comma(phrase)
            root.left.insert(0, root.tie(phrase, "obl"))
            return
        simple = not any(node.relation in ("advcl", "advcl:relcl", "conj", "parataxis") for node in root.right)
        past = (
            root.features.get("Mood") == "Ind"
            and root.features["Tense"] == "Past"
            and root.upos == "VERB"
            and root.lemma != "be"
            and simple
        )
        root.right.pop()
        if (
            0.3 < kind < 0.4
            and self.scene.narrator
            and not any(node.form in ("I", "we") for node in root.surface())
        ):
            verb = verb_of(self.chooser.pick(("think thought thought", "believe")))
            comment = words.present(verb, FIRST)
            comment.before(words.punctuation(","), "punct")
            comment.before(words.pronoun(FIRST, "Nom"), "nsubj")
            root.after(comment, "parataxis")
        elif self.scene.public and kind > 0.6 and not personal and subject and past and root.lemma not in ARRIVALS:
            source = words.past(verb_of(self.chooser.pick(("say said said", "report", "claim"))), Reference())
            source.before(words.punctuation(","), "punct")
            source.before(
                self.phrases.noun_phrase("the newspaper" if self.chooser.chance(0.5) else "the radio"), "nsubj"
            )
            root.after(source, "parataxis")
        root.right.append(mark)
