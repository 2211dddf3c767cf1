"""Clauses that are arguments of a verb, an adjective or a noun."""

from __future__ import annotations

import sample.english.words as words
from sample.english import lexicon
from sample.english.clauses import (
    ENJOYING,
    PLURAL_YOU,
    SAYING,
    TELLING,
    TIMES,
    WANTING,
    WONDERING,
    Clause,
)
from sample.english.frames import frames_of
from sample.english.sentences.tools import IT, THEY, Tools
from sample.english.sequences import event_of
from sample.english.words import BE, Reference, verb_of
from sample.tree import Node

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
    "notice": ("past_perfect", "past_progressive"),
    "realise": ("past_perfect",),
    "know": ("past_perfect", "would"),
    "remember": ("past_perfect",),
    "hope": ("would",),
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
        tense = self.chooser.pick(
            TENSES.get(root.lemma, ("past_perfect", "past_perfect", "would", "past_progressive"))
        )
        if tense == "would":
            frame = self.clauses.plain_frame("future", deliberate=True)
            other = self.clauses.order(self.clauses.clause(frame, tense, rich=False))
        else:
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
        verb = self.chooser.pick(WONDERING)
        negative = verb.lemma == "know"
        auxiliaries, root = self.clauses.verb_group(verb, "past", subject.lexeme, support=negative)
        made = Clause(root, subject, auxiliaries)
        self.clauses.tie_auxiliaries(root, auxiliaries)
        root.tie(subject, "nsubj")
        if negative:
            made.negation = root.tie(words.negation(contracted=False), "advmod")
        form = self.chooser.pick(("whether", "why", "when", "where", "whether", "what"))
        if form == "what" and self.topic.name not in ("travel", "health"):
            frame = self.object_frame()
            inner = self.clauses.clause(
                frame, self.chooser.pick(("past_perfect", "would")), gap="object", rich=False
            )
            other = self.clauses.order(inner)
            personal = frame.object.split()[-1] in lexicon.PERSON_CLASSES
            other.left.insert(0, other.tie(words.interrogative("who" if personal else "what"), "obj"))
        else:
            other = self.clauses.order(
                self.clauses.clause(
                    self.adjunct_frame("whether" if form == "what" else form),
                    "past_perfect" if form == "why" else self.chooser.pick(("past_perfect", "would")),
                    rich=False,
                )
            )
            mark = words.subordinator("whether" if form == "what" else form)
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
            if verb.lemma in ("want", "try", "hope", "plan", "need", "intend", "promise", "decide")
            else "past"
        )
        if tense == "perfect" and verb.lemma in ("want", "need", "hope", "intend"):
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
        root.after(other, "iobj" if verb.lemma in ("ask", "tell", "advise", "remind", "allow") else "obj")
        inner = self.clauses.infinitive(other.lexeme, mark=verb.lemma != "help" or self.chooser.chance(0.5))
        root.after(inner, "xcomp")
        return self.finish(root)

    def it_is(self) -> Node:
        """It with an adjective, and a clause as subject."""
        adjectives = "easy difficult important nice good hard"
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
            frame = self.own_frame()
            if frame.verb.lemma in ("wait", "stay", "look", "grate", "ask", "answer"):
                return self.plain()
            owner = PLURAL_YOU if self.chooser.chance(0.2) else Reference("1", "Plur", "", "person")
            clause = self.clauses.infinitive(owner, frame=frame, rich=False)
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
            clause, relation = self.clauses.simple("past_perfect"), "ccomp"
            if self.chooser.chance(0.6):
                clause.left.insert(0, clause.tie(words.subordinator("that"), "mark"))
        elif kind < 0.85:
            head = words.adjective(self.phrases.draw("tired busy ill lazy"))
            head.before(words.adverb("too"), "advmod")
            clause, relation = self.clauses.infinitive(subject.lexeme, rich=False), "advcl"
        else:
            head = words.adjective(self.phrases.draw("tired busy ill"))
            head.before(words.adverb("so"), "advmod")
            pronoun = (
                words.pronoun(subject.lexeme, "Nom")
                if subject.lemma not in words.INDEFINITE and subject.lexeme.key in words.PRONOUNS
                else words.pronoun(THEY, "Nom")
            )
            frame = self.clauses.plain_frame("past", deliberate=True)
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
            self.chooser.pick(
                [verb for verb in WANTING if verb.lemma in ("want", "hope", "plan", "try", "promise", "intend")]
            ),
            "past",
            subject.lexeme,
        )
        root.before(subject, "nsubj")
        root.after(self.clauses.infinitive(subject.lexeme, rich=False), "xcomp")
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
