"""Orders, quotations, short answers, lines of letters, headings."""

from __future__ import annotations

import sample.english.words as words
from sample.english import lexicon
from sample.english.clauses import (
    PLURAL_YOU,
)
from sample.english.frames import general_frames
from sample.english.sentences.tools import FIRST, IT, THEY, Tools
from sample.english.sequences import SEQUENCES, event_of, pairs_of
from sample.english.words import DO, Reference, verb_of
from sample.tree import Node

ORDERS = (
    "close | the door",
    "open | the window",
    "wait | | for me",
    "call | the doctor",
    "call | my relative",
    "listen | | to me",
    "buy bought bought | some grocery",
    "bring brought brought | some drink",
    "write wrote written | | to my relative",
    "read read read | the document",
    "look | | at the sky",
    "take took taken | an umbrella",
    "ask | the manager",
    "come came come | | to the party",
    "sit sat sat +down",
    "go went gone | | to bed~",
    "put put put +on | my coat",
    "lock | the door",
    "stay | | at home~",
    "send sent sent | a postcard | from city",
    "give gave given | the book | to my relative",
    "visit | the museum",
    "take took taken | the bus",
    "turn +off | the light",
)

WARNINGS = (
    "forget forgot forgotten | my lost",
    "open | the window",
    "close | the door",
    "wait | | for me",
    "call | the police^",
    "touch | the oven",
    "lose lost lost | my ticket",
    "forget forgot forgotten | the bread~",
    "miss | the last bus",
    "drop dropped dropped | the vessel",
    "worry worried worried | | about the noise~",
    "worry worried worried | | about the money~",
)


class Speech(Tools):
    """Orders, quotations, short answers, lines of letters, headings."""

    def order(self) -> Node:
        """An imperative."""
        frame = event_of(self.chooser.pick(ORDERS))
        if self.topic.name in ("kitchen", "home", "garden") and self.chooser.chance(0.6):
            own = self.own_frame()
            frame = frame if "y" in own.flags else own
        root = self.clauses.infinitive(PLURAL_YOU, mark=False, form="Imp", rich=False, frame=frame)
        kind = self.chooser.uniform()
        if kind < 0.25:
            root.left.insert(0, root.tie(words.interjection("please"), "discourse"))
        elif kind < 0.4 and self.topic.name in ("kitchen", "home", "garden"):
            root.left.insert(0, root.tie(words.adverb(self.chooser.pick(("then", "first", "now"))), "advmod"))
        elif kind < 0.5:
            frame = event_of(self.chooser.pick(WARNINGS))
            root = self.clauses.infinitive(PLURAL_YOU, mark=False, form="Imp", rich=False, frame=frame)
            do = root.tie(words.imperative(DO, "AUX"), "aux")
            negation = root.tie(words.negation(contracted=True), "advmod")
            root.left[:0] = [do, negation]
            root.features = {"VerbForm": "Inf"}
            self.clauses.some_to_any(root)
        elif kind < 0.6:
            if any(node.lemma in ("I", "your", "sit", "stay") for node in root.surface()):
                return self.finish(root)
            let = words.imperative(verb_of("let let let"))
            us = let.after(words.pronoun(Reference("1", "Plur", "", "person"), "Acc"), "obj")
            us.form, us.joined = "'s", True
            root.features = {"VerbForm": "Inf"}
            let.after(root, "xcomp")
            return self.finish(let, self.chooser.pick((".", "!")))
        return self.finish(root, "." if self.chooser.chance(0.85) else "!")

    def step(self) -> Node:
        """An imperative of a set of instructions."""
        frame = self.own_frame()
        while "y" in frame.flags:
            frame = self.own_frame()
        root = self.clauses.infinitive(PLURAL_YOU, mark=False, form="Imp", rich=False, frame=frame)
        if self.chooser.chance(0.3):
            pair = self.chooser.pick(pairs_of(SEQUENCES[self.topic.name]))
            self.phrases.room = 0
            root = self.clauses.infinitive(PLURAL_YOU, mark=False, form="Imp", rich=False, frame=pair.first)
            other = self.clauses.infinitive(PLURAL_YOU, mark=False, form="Imp", rich=False, frame=pair.second)
            other.left.insert(0, other.tie(words.coordinator("and"), "cc"))
            root.after(other, "conj")
        elif self.chooser.chance(0.3):
            adverb = root.tie(words.adverb(self.chooser.pick(("then", "first", "finally", "next"))), "advmod")
            root.left.insert(0, adverb)
            if self.chooser.chance(0.5):
                self.first_comma(adverb)
        return self.finish(root)

    def speech(self) -> Node:
        """A quotation."""
        saved = self.scene.narrator, self.scene.informal
        speaker = (
            self.phrases.named()
            if self.chooser.chance(0.75) or not self.scene.mentioned
            else words.pronoun(self.scene.mentioned[-1].reference, "Nom")
        )
        reference = speaker.lexeme
        self.scene.narrator, self.scene.informal = FIRST, True
        kind = self.chooser.uniform()
        if kind < 0.3:
            quoted, form = self.chooser.pick((self.yes_no, self.open_question))(), "ask"
        elif kind < 0.45 and self.topic.name != "market":
            quoted, form = self.order(), "say said said"
        elif kind < 0.6:
            quoted, form = self.wanting(), "say said said"
        elif kind < 0.7:
            quoted, form = self.answer(), "answer"
        else:
            quoted, form = (
                self.plain(),
                self.chooser.pick(("say said said", "say said said", "explain")),
            )
        self.scene.narrator, self.scene.informal = saved
        self.capitalise(quoted)
        mark = quoted.right[-1]
        _, root = self.clauses.verb_group(verb_of(form), "past", reference)
        quoted.left.insert(0, quoted.tie(words.punctuation("``"), "punct"))
        root.tie(quoted, "ccomp")
        root.tie(speaker, "nsubj")
        if self.chooser.chance(0.3):
            comma = root.tie(words.punctuation(","), "punct")
            root.left = [speaker]
            quoted.right.append(quoted.tie(words.punctuation("''"), "punct"))
            quoted.left.insert(0, quoted.tie(comma, "punct"))
            root.right.append(quoted)
            return root
        if mark.form == ".":
            mark.form = mark.lemma = mark.xpos = ","
        elif mark.form not in ("?", "!"):
            quoted.after(words.punctuation(","), "punct")
        quoted.right.append(quoted.tie(words.punctuation("''"), "punct"))
        if speaker.upos == "PROPN" and self.chooser.chance(0.5):
            root.left, root.right = [quoted], [speaker]
        else:
            root.left = [quoted, speaker]
        return self.finish(root)

    def answer(self) -> Node:
        """A short answer."""
        kind = self.chooser.uniform()
        positive = self.chooser.chance(0.5)
        first = words.interjection("yes" if positive else "no")
        if kind < 0.6:
            subject = words.pronoun(
                self.chooser.pick((FIRST, PLURAL_YOU, THEY, self.scene.cast[0].reference)), "Nom"
            )
            auxiliary = (
                words.past(DO, subject.lexeme, "AUX")
                if self.chooser.chance(0.5)
                else words.modal("will" if not positive else self.chooser.pick(("will", "can")))
            )
            auxiliary.before(subject, "nsubj")
            if not positive:
                auxiliary.after(words.negation(contracted=True), "advmod")
                if auxiliary.form == "will":
                    auxiliary.form = "wo"
            root = auxiliary
        else:
            subject = words.pronoun(FIRST, "Nom")
            root = self.clauses.copula(
                subject,
                words.adjective(
                    self.chooser.pick(
                        ("sorry", "fine", "sure", "ready") if positive else ("sorry", "busy", "tired", "late")
                    )
                ),
                "present",
            )
            if root.lemma == "sorry":
                first = words.interjection("oh")
        self.first_comma(first)
        root.left.insert(0, root.tie(first, "discourse"))
        return self.finish(root)

    def exclamation(self) -> Node:
        """An exclamation."""
        kind = self.chooser.uniform()
        if kind < 0.5:
            noun, adjectives = self.chooser.pick(
                (
                    ("day", "lovely beautiful terrible wonderful"),
                    ("surprise", "nice wonderful lovely"),
                    ("idea", "good brilliant strange clever"),
                    ("evening", "wonderful lovely quiet"),
                    ("story", "strange funny sad"),
                    ("view", "beautiful wonderful magnificent"),
                    ("shame~", ""),
                    ("mess~", "terrible dreadful"),
                )
            )
            root = self.phrases.bare_noun(noun.rstrip("~"), "Sing")
            if adjectives:
                root.before(words.adjective(self.phrases.draw(adjectives)), "amod")
            self.phrases.add_article(root)
            root.left.insert(0, root.tie(words.determiner("what"), "det:predet"))
        elif kind < 0.75:
            root = words.adjective(self.phrases.draw("kind strange funny beautiful boring exciting clever sad"))
            root.before(words.interrogative("how"), "advmod")
        else:
            greeting = self.chooser.pick(
                ("good luck", "happy birthday", "good night", "good morning", "well done", "see you soon")
            )
            if greeting == "well done":
                root = words.past_participle(DO, passive=True)
                root.before(words.adverb("well"), "advmod")
            elif greeting == "see you soon":
                root = words.imperative(verb_of("see saw seen"))
                root.after(words.pronoun(PLURAL_YOU, "Acc"), "obj")
                root.after(words.adverb("soon"), "advmod")
            else:
                first, second = greeting.split()
                root = words.noun(second, second, "Sing")
                root.before(words.adjective(first), "amod")
            if self.chooser.chance(0.5):
                person = self.chooser.pick(self.scene.cast)
                call = root.after(words.name(person.first), "vocative")
                call.before(words.punctuation(","), "punct")
        return self.finish(root, "!")

    def comment(self) -> Node:
        """A short comment on what was said."""
        subject = words.word("that", "PRON", "DT", Number="Sing", PronType="Dem")
        subject.lexeme = IT
        kind = self.chooser.uniform()
        if kind < 0.45:
            noun = self.chooser.pick(("idea", "plan", "question", "suggestion", "story"))
            head = self.phrases.bare_noun(noun, "Sing")
            head.before(
                words.adjective(self.phrases.draw("good strange interesting wonderful funny terrible")),
                "amod",
            )
            self.phrases.add_article(head)
        elif kind < 0.6:
            head = words.adjective("kind")
            head.before(words.adverb("very"), "advmod")
            head.after(self.phrases.with_preposition(words.pronoun(PLURAL_YOU, "Acc"), "of"), "obl")
        else:
            head = self.degree(self.phrases.draw("true strange interesting nice wonderful funny sad"))
        root = self.clauses.copula(subject, head, "present")
        for node in root.left:
            if node.relation == "cop":
                node.form, node.joined = "'s", True
        return self.finish(root)

    def thanks(self) -> Node:
        """Thanks for something."""
        root = words.noun("thanks", "thanks", "Sing")
        if self.chooser.chance(0.4):
            gerund = self.clauses.infinitive(
                FIRST,
                mark=False,
                form="Ger",
                rich=False,
                frame=next(
                    frame
                    for frame in general_frames()
                    if (frame.verb.lemma in ("invite", "visit") and self.chooser.chance(0.6))
                    or frame.verb.lemma == "send"
                ),
            )
            gerund.left.insert(0, gerund.tie(words.subordinator("for"), "mark"))
            root.after(gerund, "acl")
        else:
            node = self.phrases.noun_phrase(
                self.chooser.pick(
                    (
                        "my letter",
                        "my e-mail",
                        "my postcard",
                        "my help~",
                        "my advice~",
                        "the present",
                        "the invitation",
                    )
                ),
                PLURAL_YOU,
            )
            root.after(self.phrases.with_preposition(node, "for"), "nmod")
        return self.finish(root, self.chooser.pick((".", "!")))

    def address(self) -> Node:
        """Where to write to."""
        person = self.chooser.pick(self.scene.cast)
        root = words.imperative(verb_of(self.chooser.pick(("write wrote written", "reply replied replied"))))
        if self.chooser.chance(0.6):
            root.before(words.interjection("please"), "discourse")
        mail = words.word(f"{person.first.lower()}.{person.last.lower()}@example.org", "PROPN", "ADD")
        root.after(self.phrases.with_preposition(mail, "to"), "obl")
        return self.finish(root)

    def website(self) -> Node:
        """Where to read more."""
        root = words.infinitive(verb_of("find found found"))
        subject = words.pronoun(PLURAL_YOU, "Nom")
        modal = words.modal("can")
        root.before(subject, "nsubj")
        root.before(modal, "aux")
        root.after(
            self.phrases.noun_phrase(
                self.chooser.pick(("more photograph.s", "more information~", "the programme", "the price.s"))
            ),
            "obj",
        )
        site = words.word(
            f"www.{self.topic.name}-{self.chooser.pick(('news', 'today', 'info'))}.example", "PROPN", "ADD"
        )
        root.after(self.phrases.with_preposition(site, "at"), "obl")
        return self.finish(root)

    def salutation(self, person: str) -> Node:
        """The first line of a letter."""
        root = words.name(person)
        root.before(words.adjective("dear"), "amod")
        return self.finish(root, ",")

    def closing(self) -> Node:
        """The last line of a letter before the name."""
        kind = self.chooser.pick(("best wishes", "kind regards", "best regards", "love"))
        if kind == "love":
            root = words.noun("love", "love", "Sing")
            return self.finish(root, ",")
        first, second = kind.split()
        root = words.noun(second, second.removesuffix("es") if second == "wishes" else "regard", "Plur")
        adjective = words.adjective("good", "Sup") if first == "best" else words.adjective(first)
        root.before(adjective, "amod")
        return self.finish(root, ",")

    def heading(self) -> Node:
        """A heading: a noun phrase, or a date."""
        if self.chooser.chance(0.2):
            root = words.name(self.chooser.pick(lexicon.DAYS.split()))
            date = self.phrases.date()
            date.left.insert(0, date.tie(words.punctuation(","), "punct"))
            root.after(date, "appos")
            return root
        option = self.chooser.pick(self.topic.headings)
        if " and " in option:
            first, second = option.split(" and ")
            items = [self.phrases.noun_phrase(item) for item in (first, second)]
            return self.phrases.coordinate(items)
        if option.split()[0] in ("by", "after"):
            return self.phrases.prepositional(option, self.scene.narrator or Reference("1", "Plur", "", "person"))
        return self.phrases.noun_phrase(option, self.scene.narrator or Reference("1", "Plur", "", "person"))
