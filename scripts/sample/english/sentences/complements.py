"""Clauses that are arguments of a verb, an adjective or a noun."""

from __future__ import annotations

import sample.english.words as words
from sample.english.clauses import (
    ENJOYING,
    PLURAL_YOU,
    SAYING,
    TELLING,
    TIMES,
    WANTING,
    Clause,
)
from sample.english.frames import frames_of
from sample.english.sentences.tools import IT, THEY, Tools
from sample.english.sequences import event_of
from sample.english.words import BE, Reference, verb_of
from sample.tree import Node

TIRING = (  # what people are too tired for
    "go went gone | | to the cinema",
    "cook | dinner~",
    "read read read | the newspaper",
    "go went gone | | to the party",
    "play | football~",
    "wash | the plate.s",
    "answer | the telephone",
    "walk | | to the station",
    "clean | the room",
    "work | | in the garden",
    "write wrote written | a letter",
)
JUDGED = (  # adjectives, and what it is easy or important to do
    ("easy difficult hard", "find found found | the house"),
    ("easy difficult hard", "learn learned learned | language"),
    ("easy difficult hard", "understand understood understood | the question"),
    ("difficult hard easy", "find found found | a cheap hotel"),
    ("difficult hard easy", "park | | in streetname"),
    ("easy difficult hard", "play | the instrument"),
    ("important good", "check | the price.s"),
    ("important good", "lock | the door"),
    ("important good", "drink drank drunk | some water~"),
    ("important good", "help | my neighbour.s"),
    ("nice good", "see saw seen | my relative"),
    ("nice good", "walk | | along the river"),
    ("nice good", "sit sat sat | | in the garden"),
    ("nice good", "meet met met | my friend.s"),
    ("important difficult", "protect | the plant.s | from the frost~"),
    ("difficult hard", "repair | the machine"),
)
GOOD_NEWS = (
    "pass | the exam",
    "find found found | my lost",
    "win won won | the race",
    "get got got | the job",
    "come came come | | to the party",
    "win won won | a prize",
    "finish | the work~",
    "the rain~: stop stopped stopped",
    "catch caught caught | the train",
    "remember | my birthday",
    "the train: arrive | | on time~",
    "the police^: find found found | the thief/thieves",
)
TROUBLES = (
    "lose lost lost | my lost",
    "miss | the transport",
    "forget forgot forgotten | my lost",
    "break broke broken | the window",
    "the oven: break broke broken +down",
    "the car: break broke broken +down",
    "forget forgot forgotten | the bread~",
    "the train: arrive | | with a delay",
    "the shop: close",
    "hurt hurt hurt | my body_part",
    "the price.s: rise rose risen",
    "catch caught caught | a cold",
    "lose lost lost | the letter",
)
# Tenses of clauses, for verbs that do not go with all of them.
TENSES = {
    "notice": ("past_progressive",),
    "know": ("past_perfect",),
    "think": ("past_progressive",),
    "believe": ("past_progressive",),
}

HOPES = (
    "the rain~: stop stopped stopped",
    "the train: arrive | | on time~",
    "find found found | my lost",
    "pass | the exam",
    "win won won | a prize",
    "get got got | the job",
    "the price.s: fall fell fallen",
    "the weather~: improve",
    "recover | | before the wedding",
    "get got got | a better room",
    "meet met met | some old friend.s",
    "the shop: open | | before noon~",
    "catch caught caught | the last bus",
)
REMINDERS = (
    "lock | the door",
    "buy bought bought | some milk~",
    "feed fed fed | the pet",
    "close | the window.s",
    "pay paid paid | the bill",
    "bring brought brought | the key.s",
    "switch +off | the light",
    "call | the dentist",
    "sign | the form",
    "take took taken | an umbrella",
    "water | the plant.s",
    "return | the library_item",
)
ADVICE = (
    "see saw seen | a doctor",
    "take took taken | the transport",
    "stay | | at home~",
    "apply applied applied | | for the job",
    "sell sold sold | the car",
    "talk | | to the manager",
    "buy bought bought | a new laptop",
    "learn learned learned | language",
    "call | the police^",
    "wait | | for NUMBERWORD day.s",
    "rent | a car",
)
ADVISED = {"remind": REMINDERS, "advise": ADVICE, "persuade": ADVICE}
# What people wonder, by the word of the question: tense, and what happens.
WONDERED = {
    "whether": (
        ("would", "the train: arrive | | on time~"),
        ("would", "get got got | the job"),
        ("would", "come came come | | to the party"),
        ("would", "the shop: close | | during the holiday.s"),
        ("past_perfect", "pass | the exam"),
        ("past_perfect", "lock | the door"),
        ("past_perfect", "find found found | my lost"),
        ("past_perfect", "pay paid paid | the bill"),
        ("past_perfect", "hear heard heard | the news~"),
        ("past_perfect", "receive | the letter"),
        ("past_perfect", "the bus: leave left left"),
    ),
    "why": (
        ("past_perfect", "sell sold sold | my car"),
        ("past_perfect", "miss | the meeting"),
        ("past_perfect", "cancel cancelled cancelled | the trip"),
        ("past_perfect", "the train: stop stopped stopped"),
        ("past_perfect", "move | | to city"),
        ("past_perfect", "leave left left | the party"),
        ("past_perfect", "the shop: close"),
        ("past_perfect", "change | the plan"),
        ("past_perfect", "refuse | the offer"),
    ),
    "when": (
        ("would", "the meeting: begin began begun"),
        ("would", "the train: leave left left"),
        ("would", "the shop: open"),
        ("would", "return | | from city"),
        ("would", "the guest.s: arrive"),
        ("would", "finish | the work~"),
    ),
    "where": (
        ("past_perfect", "park | the car"),
        ("past_perfect", "leave left left | my lost"),
        ("past_perfect", "hide hid hidden | the present"),
        ("past_perfect", "put put put | my lost"),
        ("past_perfect", "buy bought bought | the clothes"),
        ("past_perfect", "find found found | the key"),
    ),
    "what": (
        ("past_perfect", "say said said | it"),
        ("past_perfect", "buy bought bought | it"),
        ("past_perfect", "order | it"),
        ("past_perfect", "find found found | it"),
        ("past_perfect", "see saw seen | it"),
        ("past_perfect", "lose lost lost | it"),
        ("past_perfect", "do did done | it"),
    ),
}
WONDERING = {
    "wonder": ("whether", "why", "when", "where", "what"),
    "ask": ("whether", "why", "when", "where", "what"),
    "know knew known": ("whether", "why", "when", "where", "what"),
    "forget forgot forgotten": ("where",),
}


class Complements(Tools):
    """Clauses that are arguments of a verb, an adjective or a noun."""

    def reported(self) -> Node:
        """A verb of saying or thinking with a clause."""
        subject = self.phrases.person("Nom")
        verb = self.chooser.pick(SAYING)
        _, root = self.clauses.verb_group(verb, "past", subject.lexeme)
        root.before(subject, "nsubj")
        listener = self.chooser.chance(0.2)
        if listener:
            tell = verb_of("tell told told")
            root.form, root.lemma = tell.past, tell.lemma
            root.after(
                self.phrases.noun_phrase("the " + self.chooser.pick(self.scene.people), subject.lexeme), "iobj"
            )
        if root.lemma == "hope":
            other = self.clauses.order(
                self.clauses.clause(event_of(self.chooser.pick(HOPES)), "would", rich=False)
            )
            if self.chooser.chance(0.5):
                other.left.insert(0, other.tie(words.subordinator("that"), "mark"))
            root.after(other, "ccomp")
            return self.finish(root)
        tense = self.chooser.pick(TENSES.get(root.lemma, ("past_perfect", "past_perfect", "past_progressive")))
        other = self.clauses.simple(tense, personal=self.chooser.chance(0.6), rich=False)
        if self.chooser.chance(0.65) or listener:
            other.left.insert(0, other.tie(words.subordinator("that"), "mark"))
        root.after(other, "ccomp")
        if self.chooser.chance(0.3) and tense == "past_perfect":
            self.add_time(other)
        return self.finish(root)

    def wondering(self) -> Node:
        """An indirect question."""
        subject = self.phrases.person("Nom")
        forms = self.chooser.pick(tuple(WONDERING))
        verb = verb_of(forms)
        negative = verb.lemma == "know"
        auxiliaries, root = self.clauses.verb_group(verb, "past", subject.lexeme, support=negative)
        made = Clause(root, subject, auxiliaries)
        self.clauses.tie_auxiliaries(root, auxiliaries)
        root.tie(subject, "nsubj")
        if negative:
            made.negation = root.tie(words.negation(contracted=False), "advmod")
        form = self.chooser.pick(WONDERING[forms])
        tense, event = self.chooser.pick(WONDERED[form])
        frame = event_of(event)
        actor = self.again(subject) if verb.lemma == "forget" and frame.personal else None
        gap = "object" if form == "what" else ""
        other = self.clauses.order(self.clauses.clause(frame, tense, subject=actor, gap=gap, rich=False))
        if form == "what":
            other.left.insert(0, other.tie(words.interrogative("what"), "obj"))
        else:
            mark = words.subordinator(form)
            other.left.insert(0, other.tie(mark, "advmod" if mark.upos == "ADV" else "mark"))
        root.after(other, "ccomp")
        return self.finish(self.clauses.order(made))

    def wanting(self) -> Node:
        """A verb with an infinitive or a gerund."""
        subject = self.phrases.person("Nom")
        gerund = self.chooser.chance(0.2)
        verb = self.chooser.pick(ENJOYING if gerund else WANTING)
        tense = (
            self.chooser.pick(("past", "past", "past", "perfect", "present"))
            if verb.lemma in ("want", "try", "plan", "need", "intend", "promise", "decide")
            else "past"
        )
        if tense == "perfect" and verb.lemma in ("want", "need", "intend"):
            tense = "present"
        if tense == "present" and verb.lemma in ("decide", "promise", "try"):
            tense = "past"
        negative = self.chooser.chance(0.12) and verb.lemma in ("want", "need", "try", "manage", "stop")
        auxiliaries, root = self.clauses.verb_group(verb, tense, subject.lexeme, support=negative)
        made = Clause(root, subject, auxiliaries)
        self.clauses.tie_auxiliaries(root, auxiliaries)
        root.tie(subject, "nsubj")
        if negative and subject.lemma != "nobody":
            made.negation = root.tie(words.negation(contracted=False), "advmod")
        elif negative:
            return self.plain()
        frame = None
        if gerund:
            habits = [
                frame
                for frame in frames_of(self.topic)
                if frame.deliberate and "h" in frame.flags and not frame.object.startswith(("a ", "some "))
            ]
            if not habits:
                return self.plain()
            frame = self.chooser.pick(habits)
        elif verb.lemma == "manage":
            finished = [
                frame
                for frame in frames_of(self.topic)
                if frame.deliberate
                and not {"p", "c"} & set(frame.flags)
                and frame.verb.lemma not in ("cancel", "need")
            ]
            frame = self.chooser.pick(finished) if finished else None
        inner = self.clauses.infinitive(
            subject.lexeme, mark=not gerund, form="Ger" if gerund else "Inf", frame=frame
        )
        root.after(inner, "xcomp")
        if negative:
            self.clauses.some_to_any(inner)
        if self.chooser.chance(0.35) and verb.lemma == "manage":
            self.add_time(root)
        return self.finish(self.clauses.order(made))

    def going(self) -> Node:
        """An intention with "going to"."""
        subject = self.phrases.person("Nom")
        auxiliaries, root = self.clauses.verb_group(verb_of("go went gone"), "progressive", subject.lexeme)
        made = Clause(root, subject, auxiliaries)
        self.clauses.tie_auxiliaries(root, auxiliaries)
        root.tie(subject, "nsubj")
        frame = self.clauses.frame(personal=True, deliberate=True)
        inner = self.clauses.infinitive(subject.lexeme, frame=frame, rich=False)
        if self.chooser.chance(0.5) and not any(
            node.xpos == "CD" or node.lemma in TIMES for node in inner.surface()
        ):
            inner.after(*self.clauses.time("future", frame))
        root.after(inner, "xcomp")
        return self.finish(self.clauses.order(made))

    def telling(self) -> Node:
        """Someone makes someone else do something."""
        subject = self.phrases.person("Nom")
        verb = self.chooser.pick(TELLING)
        _, root = self.clauses.verb_group(verb, "past", subject.lexeme)
        root.before(subject, "nsubj")
        other = (
            self.phrases.named()
            if self.chooser.chance(0.5)
            else self.phrases.noun_phrase("my friend", subject.lexeme)
        )
        root.after(other, "iobj" if verb.lemma in ("ask", "tell", "advise", "remind") else "obj")
        if verb.lemma in ADVISED:
            frame = event_of(self.chooser.pick(ADVISED[verb.lemma]))
        else:
            frames = [
                frame
                for frame in frames_of(self.topic)
                if frame.deliberate
                and frame.object
                and frame.verb.lemma != "watch"
                and "p" in frame.flags
                and not set("xy") & set(frame.flags)
            ]
            frame = self.chooser.pick(frames) if frames else event_of(self.chooser.pick(REMINDERS))
        inner = self.clauses.infinitive(
            other.lexeme, frame=frame, rich=False, mark=verb.lemma != "help" or self.chooser.chance(0.5)
        )
        root.after(inner, "xcomp")
        return self.finish(root)

    def it_is(self) -> Node:
        """It with an adjective, and a clause as subject."""
        adjectives, event = self.chooser.pick(JUDGED)
        subject = words.pronoun(IT, "Nom")
        head = words.adjective(self.phrases.draw(adjectives))
        if self.chooser.chance(0.3):
            head.before(words.adverb(self.chooser.pick(("very", "quite", "really"))), "advmod")
        if self.chooser.chance(0.3):
            head = words.adjective(self.phrases.draw("clear true possible"))
            clause = self.clauses.simple("past", personal=self.chooser.chance(0.6))
            clause.left.insert(0, clause.tie(words.subordinator("that"), "mark"))
            root = self.clauses.copula(subject, head, "present")
        else:
            owner = PLURAL_YOU if self.chooser.chance(0.2) else Reference("1", "Plur", "", "person")
            clause = self.clauses.infinitive(owner, frame=event_of(event), rich=False)
            root = self.clauses.copula(subject, head, self.chooser.pick(("past", "present")))
        subject.relation = "expl"
        root.after(clause, "csubj")
        return self.finish(root)

    def happy_to(self) -> Node:
        """A person and an adjective with a clause."""
        subject = self.phrases.person("Nom")
        kind = self.chooser.uniform()
        if kind < 0.4:
            head = words.adjective(self.phrases.draw("happy ready able glad unable willing"))
            clause, relation = self.clauses.infinitive(subject.lexeme), "xcomp"
        elif kind < 0.65:
            head = words.adjective(self.phrases.draw("sure glad surprised happy"))
            frame = event_of(self.chooser.pick(GOOD_NEWS))
            clause, relation = self.clauses.order(self.clauses.clause(frame, "past_perfect", rich=False)), "ccomp"
            if self.chooser.chance(0.6):
                clause.left.insert(0, clause.tie(words.subordinator("that"), "mark"))
        elif kind < 0.85:
            head = words.adjective(self.phrases.draw("tired busy ill lazy"))
            head.before(words.adverb("too"), "advmod")
            frame = event_of(self.chooser.pick(TIRING))
            clause, relation = self.clauses.infinitive(subject.lexeme, rich=False, frame=frame), "advcl"
        else:
            head = words.adjective(self.phrases.draw("tired busy ill"))
            head.before(words.adverb("so"), "advmod")
            pronoun = (
                words.pronoun(subject.lexeme, "Nom")
                if subject.lemma not in words.INDEFINITE and subject.lexeme.key in words.PRONOUNS
                else words.pronoun(THEY, "Nom")
            )
            frame = event_of(self.chooser.pick(TIRING))
            clause = self.clauses.order(
                self.clauses.clause(frame, "past", subject=pronoun, negative=True, rich=False)
            )
            relation = "advcl"
            clause.left.insert(0, clause.tie(words.subordinator("that"), "mark"))
        root = self.clauses.copula(subject, head, "past")
        root.after(clause, relation)
        return self.finish(root)

    def trouble(self) -> Node:
        """A noun that is explained by a clause."""
        subject = self.phrases.noun_phrase("the " + self.chooser.pick(("problem~", "trouble~", "bad news~")))
        frame = event_of(self.chooser.pick(TROUBLES))
        clause = self.clauses.order(
            self.clauses.clause(frame, self.chooser.pick(("past", "perfect", "past")), rich=False)
        )
        clause.left.insert(0, clause.tie(words.subordinator("that"), "mark"))
        copula = clause.tie(words.present(BE, IT, "AUX"), "cop")
        clause.tie(subject, "nsubj:outer")
        clause.left[:0] = [subject, copula]
        return self.finish(clause)

    def time_to(self) -> Node:
        """A noun with an infinitive, or an object with a purpose."""
        slow = [
            frame
            for frame in frames_of(self.topic)
            if frame.deliberate
            and "p" in frame.flags
            and frame.verb.lemma not in ("pour", "sell", "wear", "wait", "stay", "push")
        ]
        if not slow or self.topic.name in ("market", "town"):
            return self.plain()
        subject = self.phrases.person("Nom")
        forms, noun = self.chooser.pick(
            (
                ("have had had", "no time~"),
                ("find found found", "the time~"),
                ("need", "some time~"),
                ("use", "the weekend"),
            )
        )
        _, root = self.clauses.verb_group(verb_of(forms), "past", subject.lexeme)
        root.before(subject, "nsubj")
        item = root.after(self.phrases.noun_phrase(noun), "obj")
        inner = self.clauses.infinitive(subject.lexeme, frame=self.chooser.pick(slow))
        if forms.split()[0] in ("borrow", "buy", "use"):
            root.after(inner, "advcl")
        else:
            item.after(inner, "acl")
        return self.finish(root)

    def obstacle(self) -> Node:
        """An intention and what prevents it."""
        if self.topic.name == "market":
            return self.plain()
        subject = self.phrases.person("Nom")
        _, root = self.clauses.verb_group(
            self.chooser.pick([verb for verb in WANTING if verb.lemma in ("want", "plan", "intend")]),
            "past",
            subject.lexeme,
        )
        root.before(subject, "nsubj")
        root.after(
            self.clauses.infinitive(subject.lexeme, rich=False, frame=event_of(self.chooser.pick(TIRING))), "xcomp"
        )
        kind = self.chooser.uniform()
        again = self.again(subject)
        if kind < 0.45:
            other = self.clauses.copula(again, self.too(self.chooser.pick(("tired", "ill", "busy"))), "past")
        elif kind < 0.6 and self.topic.name in ("garden", "travel", "sports"):
            other = self.weather_clause("past", bad=True)
        else:
            verb = verb_of("have had had")
            auxiliaries, other = self.clauses.verb_group(verb, "past", again.lexeme, support=True)
            made = Clause(other, again, auxiliaries)
            self.clauses.tie_auxiliaries(other, auxiliaries)
            other.tie(again, "nsubj")
            made.negation = other.tie(words.negation(contracted=False), "advmod")
            noun = other.after(self.phrases.bare_noun(self.chooser.pick(("time~",)), "Sing"), "obj")
            noun.before(words.quantity("enough"), "amod")
            other = self.clauses.order(made)
        self.join(root, other, "but")
        return self.finish(root)
