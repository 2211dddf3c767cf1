"""Questions; an interrogative word may belong to a clause below, or leave its preposition behind."""

from __future__ import annotations

import sample.english.words as words
from sample.english import lexicon
from sample.english.clauses import (
    OPINION,
    PLURAL_YOU,
)
from sample.english.lexicon import word_set
from sample.english.sentences.tools import Tools
from sample.english.sequences import event_of
from sample.english.words import BE, DO, Reference, verb_of
from sample.tree import Node

WHICH = word_set(
    "reading show broadcast document subject instrument song art clothes dish school_thing building machine "
    "furniture competition medicine house_part library_item"
)
MANY = word_set("produce crop baked plant tree ticket")

REQUESTS = (
    "close | the door",
    "open | the window",
    "wait | | for me",
    "call | the doctor",
    "buy bought bought | some grocery",
    "bring brought brought | some drink",
    "help | my relative",
    "feed fed fed | the pet",
    "lock | the door",
    "repeat | the question",
    "turn +off | the light",
    "read read read | the letter",
    "send sent sent | the document | by e-mail~",
    "carry carried carried | the suitcase",
)
# What people guess: who did it or will do it, or what.
GUESSED_ACTORS = (
    ("future", "win won won | the race"),
    ("future", "win won won | the election"),
    ("future", "come came come | | to the party"),
    ("future", "get got got | the job"),
    ("future", "pay paid paid | the bill"),
    ("past", "break broke broken | the window"),
    ("past", "steal stole stolen | the painting"),
    ("past", "call | the police^"),
    ("past", "write wrote written | the letter"),
    ("past", "take took taken | the key"),
    ("past", "win won won | the prize"),
    ("past", "cook | the dish"),
)
GUESSED_OBJECTS = (
    "buy bought bought | present",
    "find found found | it",
    "order | dish",
    "see saw seen | it",
    "do did done | it",
    "choose chose chosen | clothes",
    "lose lost lost | it",
    "say said said | it",
)


class Questions(Tools):
    """Questions."""

    def asked(self) -> Node:
        """Return the subject of a question."""
        if self.scene.narrator and self.chooser.chance(0.5):
            return words.pronoun(PLURAL_YOU, "Nom")
        node = self.phrases.person("Nom")
        return words.pronoun(PLURAL_YOU, "Nom") if node.lexeme.person == "1" else node

    def yes_no(self) -> Node:
        """A question for yes or no."""
        kind = self.chooser.uniform()
        if kind < 0.25:
            subject = self.asked()
            head = self.chooser.pick(
                ("tired", "hungry", "ready", "ill", "busy", "nervous", "angry", "happy", "thirsty")
            )
            return self.finish(self.clauses.copula(subject, words.adjective(head), "present", question=True), "?")
        if kind < 0.4:
            thing = self.thing()
            return self.finish(
                self.clauses.copula(
                    thing, self.predicate_of(thing), self.chooser.pick(("past", "present")), question=True
                ),
                "?",
            )
        tense = self.chooser.pick(("past", "future", "perfect", "could", "past"))
        if tense == "could":
            request = event_of(self.chooser.pick(REQUESTS))
            you = words.pronoun(PLURAL_YOU, "Nom")
            made = self.clauses.clause(request, tense, subject=you, question=True, rich=False)
            return self.finish(self.clauses.order(made, question=True), "?")
        frame = self.clauses.plain_frame(tense, deliberate=True)
        made = self.clauses.clause(frame, tense, subject=self.asked(), question=True, rich=False)
        return self.finish(self.clauses.order(made, question=True), "?")

    def open_question(self) -> Node:
        """A question with an interrogative word."""
        kind = self.chooser.uniform()
        if kind < 0.15:
            frame = self.clauses.plain_frame("past")
            who = words.interrogative("who")
            who.lexeme = Reference("3", "Sing", "Neut", "person")
            return self.finish(
                self.clauses.order(self.clauses.clause(frame, "past", subject=who, rich=False)), "?"
            )
        if kind < 0.2:
            return self.opinion()
        if kind < 0.4:
            return self.object_question()
        if kind < 0.62:
            form = self.chooser.pick(("where", "when", "why", "how"))
            frame = self.adjunct_frame(form)
            tense = self.chooser.pick(("past", "past", "future")) if form in ("where", "when") else "past"
            if form == "how":
                return self.how_question()
            made = self.clauses.clause(frame, tense, subject=self.asked(), question=True, rich=False)
            made.head.right = [node for node in made.head.right if node.relation != "obl:unmarked"]
            root = self.clauses.order(made, question=True)
            root.left.insert(0, root.tie(words.interrogative(form), "advmod"))
            return self.finish(root, "?")
        if kind < 0.75:
            return self.stranded_question()
        return self.long_question()

    def opinion(self) -> Node:
        """What someone thinks of something."""
        subject = self.asked()
        auxiliaries, root = self.clauses.verb_group(OPINION[0], "present", subject.lexeme, support=True)
        self.clauses.tie_auxiliaries(root, auxiliaries)
        what = root.tie(words.interrogative("what"), "obj")
        root.left = [what, *auxiliaries, root.tie(subject, "nsubj")]
        issue = self.phrases.noun_phrase(self.chooser.pick(self.topic.issues))
        root.after(self.phrases.with_preposition(issue, self.chooser.pick(("of", "about"))), "obl")
        return self.finish(root, "?")

    def how_question(self) -> Node:
        """How old, how long, how much, how far."""
        kind = self.chooser.uniform()
        how = words.interrogative("how")
        if kind < 0.4:
            thing = self.thing()
            _, root = self.clauses.verb_group(verb_of("cost cost cost"), "past", thing.lexeme, support=True)
            auxiliary = root.tie(words.past(DO, thing.lexeme, "AUX"), "aux")
            much = root.tie(words.quantity("much"), "obj")
            much.before(how, "advmod")
            root.tie(thing, "nsubj")
            root.left = [much, auxiliary, thing]
            if thing.lexeme.kind not in (
                "dish",
                "baked",
                "kitchenware",
                "clothes",
                "product",
                "produce",
                "furniture",
                "machine",
                "medicine",
                "tool",
                "plant",
                "office_thing",
                "trip",
                "crop",
                "art",
            ):
                return self.object_question()
            return self.finish(root, "?")
        subject = self.phrases.untitled()
        form = self.chooser.pick(("old", "tall"))
        head = words.adjective(form)
        head.before(how, "advmod")
        copula = head.tie(words.present(BE, subject.lexeme, "AUX"), "cop")
        head.right += [copula, head.tie(subject, "nsubj")]
        return self.finish(head, "?")

    def object_question(self) -> Node:
        """What, which or how many."""
        frame = self.object_frame()
        kind = frame.object.split()[-1].removesuffix(".s")
        tense = self.chooser.pick(("past", "past", "future", "progressive" if "p" in frame.flags else "past"))
        made = self.clauses.clause(frame, tense, subject=self.asked(), gap="object", question=True, rich=False)
        if frame.object.startswith("my"):
            made.head.right = [node for node in made.head.right if node.relation == "compound:prt"]
        root = self.clauses.order(made, question=True)
        asked = self.wh_phrase(kind)
        root.left.insert(0, root.tie(asked, "obj"))
        return self.finish(root, "?")

    def wh_phrase(self, kind: str) -> Node:
        """Return what, who, which and a noun, or how many and a noun."""
        personal = kind in lexicon.PERSON_CLASSES
        if kind in WHICH | MANY and self.chooser.chance(0.5):
            entry = self.phrases.draw(lexicon.NOUNS[kind])
            if entry[-1] not in "~^":
                if kind in MANY:
                    noun = self.phrases.bare_noun(entry, "Plur")
                    many = noun.tie(words.quantity("many"), "amod")
                    many.before(words.interrogative("how"), "advmod")
                    noun.left.insert(0, many)
                    return noun
                noun = self.phrases.bare_noun(entry, "Sing")
                noun.left.insert(0, noun.tie(words.determiner("which"), "det"))
                return noun
        return words.interrogative("who" if personal else "what")

    def stranded_question(self) -> Node:
        """A question that leaves a preposition behind."""
        frame, (preposition, noun) = self.stranding_frame()
        tense = "progressive" if "p" in frame.flags and self.chooser.chance(0.6) else "past"
        made = self.clauses.clause(frame, tense, subject=self.asked(), gap="phrase", question=True, rich=False)
        root = self.clauses.order(made, question=True)
        kind = noun.split()[-1]
        who = kind in lexicon.PERSON_CLASSES or kind in ("mayor", "director", "dentist")
        pronoun = root.tie(words.interrogative("who" if who else "what"), "obl")
        root.left.insert(0, pronoun)
        root.right.append(pronoun.tie(words.preposition(preposition), "case"))
        return self.finish(root, "?")

    def long_question(self) -> Node:
        """A question about something in a clause below."""
        subject = self.asked()
        if self.chooser.chance(0.5):
            verb = verb_of(self.chooser.pick(("want", "plan planned planned", "want")))
            tense = self.chooser.pick(("past", "present"))
            frame = self.object_frame()
            auxiliaries, root = self.clauses.verb_group(verb, tense, subject.lexeme, support=True)
            inner = self.clauses.infinitive(subject.lexeme, frame=frame, gap="object", rich=False)
            kind = frame.object.split()[-1].removesuffix(".s")
            pronoun = inner.tie(self.wh_phrase(kind), "obj")
            if frame.object.startswith("my"):
                inner.right = [node for node in inner.right if node.relation == "compound:prt"]
            relation = "xcomp"
        else:
            auxiliaries, root = self.clauses.verb_group(OPINION[0], "present", subject.lexeme, support=True)
            if self.chooser.chance(0.5):
                tense, event = self.chooser.pick(GUESSED_ACTORS)
                pronoun = words.interrogative("who")
                pronoun.lexeme = Reference("3", "Sing", "Neut", "person")
                inner_clause = self.clauses.clause(
                    event_of(event),
                    tense,
                    reference=pronoun.lexeme,
                    gap="subject",
                    rich=False,
                )
                inner = self.clauses.order(inner_clause)
                inner.tie(pronoun, "nsubj")
            else:
                frame = event_of(self.chooser.pick(GUESSED_OBJECTS))
                inner_clause = self.clauses.clause(
                    frame, self.chooser.pick(("past", "future")), gap="object", rich=False
                )
                inner = self.clauses.order(inner_clause)
                pronoun = inner.tie(self.wh_phrase(frame.object.split()[-1]), "obj")
            relation = "ccomp"
        self.clauses.tie_auxiliaries(root, auxiliaries)
        root.tie(subject, "nsubj")
        root.left = [pronoun, *auxiliaries, subject]
        root.after(inner, relation)
        return self.finish(root, "?")
