"""Relative clauses and phrases, next to their noun or away from it."""

from __future__ import annotations

import sample.english.words as words
from sample.english import lexicon
from sample.english.clauses import MOVING, Clause
from sample.english.frames import frames_of
from sample.english.sentences.tools import IT, THEY, Tools
from sample.english.sequences import event_of
from sample.english.words import verb_of
from sample.tree import Node

EXTRAPOSED = tuple(verb_of(forms) for forms in ("arrive", "appear", "come came come"))
ERRANDS = (
    "rent | a room",
    "talk | | to the manager",
    "see saw seen | the director",
    "buy bought bought | the car",
    "borrow | some money~",
    "apologise | | for the noise~",
    "look | | at the flat",
    "use | the telephone",
    "see saw seen | the house",
)

# Things, what people do with them, and how they are.
STRANDED = (
    ("the transport", "wait | | for it", "late full crowded"),
    ("the music", "listen | | to it", "beautiful sad wonderful"),
    ("the programme", "listen | | to it", "interesting boring funny"),
    ("the book", "talk | | about it", "interesting funny long"),
    ("the film", "talk | | about it", "exciting boring sad"),
    ("the trip", "talk | | about it", "expensive long exhausting"),
    ("the lost", "look | | for it", "old expensive black"),
    ("the house", "look | | at it", "old beautiful empty"),
    ("the photograph.s", "look | | at them", "old beautiful funny"),
    ("the noise~", "complain | | about it", "terrible"),
    ("the problem~", "talk | | about it", "serious small difficult"),
    ("the project", "work | | on it", "important difficult interesting"),
    ("the job", "apply applied applied | | for it", "interesting difficult"),
    ("the letter", "wait | | for it", "important"),
    ("the chair", "sit sat sat | | on it", "uncomfortable old broken"),
    ("the hotel", "stay | | at it", "expensive quiet small"),
)


SURPRISING = (
    "win",
    "beat",
    "fail",
    "lose",
    "cancel",
    "reject",
    "approve",
    "close",
    "raise",
    "cut",
    "donate",
    "break",
    "burn",
)


class Displaced(Tools):
    """Relative clauses and phrases, next to their noun or away from it."""

    def cleft(self) -> Node:
        """It was someone who did it."""
        subject = words.pronoun(IT, "Nom")
        head = self.phrases.named()
        frame = self.clauses.plain_frame("past", personal=True)
        clause = self.clauses.subject_relative(frame, words.relative("who"), head.lexeme)
        root = self.clauses.copula(subject, head, "past")
        subject.relation = "expl"
        root.after(clause, "advcl:relcl")
        return self.finish(root)

    def extraposed(self) -> Node:
        """A relative clause that follows the verb, or a phrase that does."""
        if self.chooser.chance(0.25):
            return self.extraposed_phrase()
        kind = self.chooser.pick(("stranger", "guest", "stranger", "letter", "parcel", "traveller"))
        noun = self.phrases.noun_phrase("a " + kind, plain=True)
        thing = kind in ("letter", "parcel")
        verb = verb_of("arrive") if thing else self.chooser.pick(EXTRAPOSED)
        _, root = self.clauses.verb_group(verb, "past", noun.lexeme)
        root.before(noun, "nsubj")
        if verb.lemma == "come":
            root.after(words.particle("in"), "compound:prt")
        node, relation = self.phrases.timed(
            ("yesterday", "yesterday", "this morning", "last night", "on Monday", "last week", "DAYPART")
        )
        root.after(node, relation)
        if thing:
            clause = self.unexpected_relative(noun) if self.chooser.chance(0.5) or kind == "letter" else None
            if clause is None:
                head = words.adjective(self.chooser.pick(("heavy", "damp", "enormous")))
                pronoun = words.relative("that")
                pronoun.lexeme = noun.lexeme
                clause = self.clauses.copula(pronoun, self.degree(head.lemma), "past")
        else:
            clause = self.knowing_relative(noun) if self.chooser.chance(0.5) else self.wanting_relative(noun)
        noun.tie(clause, "acl:relcl")
        root.right.append(clause)
        return self.finish(root)

    def unexpected_relative(self, noun: Node) -> Node:
        """Return a relative clause about something that was not expected, or was sent from somewhere."""
        pronoun = words.relative(self.chooser.pick(("that", "which")))
        if self.chooser.chance(0.5):
            subject = words.indefinite("nobody")
            auxiliaries, clause = self.clauses.verb_group(verb_of("expect"), "past_perfect", subject.lexeme)
            self.clauses.tie_auxiliaries(clause, auxiliaries)
            clause.tie(subject, "nsubj")
            clause.left = [clause.tie(pronoun, "obj"), subject, *auxiliaries]
            return clause
        auxiliaries, clause = self.clauses.verb_group(
            verb_of("send sent sent"), "past_perfect", noun.lexeme, passive=True
        )
        self.clauses.tie_auxiliaries(clause, auxiliaries, passive=True)
        clause.left = [clause.tie(pronoun, "nsubj:pass"), *auxiliaries]
        clause.after(
            self.phrases.prepositional(self.chooser.pick(("from city", "from country", "by my relative")), None),
            "obl",
        )
        if clause.right[-1].left[0].form == "by":
            clause.right[-1].relation = "obl:agent"
        return clause

    def wanting_relative(self, noun: Node) -> Node:
        """Return a relative clause about what a person wants."""
        who = words.relative("who")
        _, clause = self.clauses.verb_group(verb_of("want"), "past", noun.lexeme)
        clause.before(who, "nsubj")
        errand = event_of(self.chooser.pick(ERRANDS))
        clause.after(self.clauses.infinitive(noun.lexeme, frame=errand, rich=False), "xcomp")
        return clause

    def knowing_relative(self, noun: Node) -> Node:
        """Return a relative clause about a person whom someone knows or not."""
        verb = self.chooser.pick([verb_of(forms) for forms in ("know knew known", "recognise", "expect")])
        subject = (
            words.indefinite("nobody")
            if self.chooser.chance(0.6)
            else words.pronoun(self.scene.narrator or self.scene.cast[0].reference, "Nom")
        )
        negative = subject.lemma != "nobody"
        auxiliaries, head = self.clauses.verb_group(verb, "past", subject.lexeme, support=negative)
        made = Clause(head, subject, auxiliaries)
        self.clauses.tie_auxiliaries(head, auxiliaries)
        head.tie(subject, "nsubj")
        if negative:
            made.negation = head.tie(words.negation(contracted=False), "advmod")
        clause = self.clauses.order(made)
        clause.left.insert(0, clause.tie(words.relative(self.chooser.pick(("who", "whom", "who"))), "obj"))
        return clause

    def extraposed_phrase(self) -> Node:
        """A noun whose phrase follows the verb."""
        self.phrases.room = 0
        noun, phrase, verb = self.chooser.pick(
            (
                ("a review", "of the show", "appear"),
                ("a report", "on the accident", "appear"),
                ("a rumour", "about the mayor", "spread spread spread"),
                ("a photograph", "of the event", "appear"),
                ("a new book", "about country", "appear"),
            )
        )
        subject = self.phrases.noun_phrase(noun)
        _, root = self.clauses.verb_group(verb_of(verb), "past", subject.lexeme)
        root.before(subject, "nsubj")
        node, relation = self.phrases.timed(("yesterday", "last week", "this morning", "on Monday", "last month"))
        root.after(node, relation)
        other = subject.tie(self.phrases.prepositional(phrase, None), "nmod")
        root.right.append(other)
        return self.finish(root)

    def stranded_relative(self) -> Node:
        """A relative clause with its preposition left behind."""
        thing, event, adjectives = self.chooser.pick(STRANDED)
        frame = event_of(event)
        preposition = frame.needed[0].split()[0]
        node = self.phrases.noun_phrase(thing, plain=True)
        made = self.clauses.clause(
            frame,
            self.chooser.pick(("past_progressive", "past")),
            gap="phrase",
            rich=False,
        )
        clause = self.clauses.order(made)
        case = words.preposition(preposition)
        if self.chooser.chance(0.75):
            pronoun = clause.tie(words.relative(self.chooser.pick(("that", "which"))), "obl")
            clause.left.insert(0, pronoun)
            clause.right.append(pronoun.tie(case, "case"))
        else:
            clause.after(case, "obl")
        node.after(clause, "acl:relcl")
        adjective = self.phrases.draw(adjectives)
        return self.finish(self.clauses.copula(node, self.degree(adjective), "past"))

    def sentential_relative(self) -> Node:
        """A statement with a comment on it."""
        frames = [
            frame
            for frame in frames_of(self.topic)
            if frame.verb.lemma in SURPRISING and not set("sp") & set(frame.flags)
        ]
        if not frames:
            return self.plain()
        root = self.clauses.order(self.clauses.clause(self.chooser.pick(frames), "past", rich=False))
        pronoun = words.relative("which")
        pronoun.lexeme = IT
        if self.chooser.chance(0.6):
            verb = verb_of(self.chooser.pick(("surprise", "surprise", "shock")))
            _, clause = self.clauses.verb_group(verb, "past", IT)
            clause.before(pronoun, "nsubj")
            clause.after(
                words.indefinite("everyone")
                if self.chooser.chance(0.5)
                else self.phrases.noun_phrase("my relative", self.scene.narrator),
                "obj",
            )
        else:
            clause = self.clauses.copula(
                pronoun, self.degree(self.phrases.draw("strange unusual surprising")), "past"
            )
        clause.left.insert(0, clause.tie(words.punctuation(","), "punct"))
        root.after(clause, "advcl:relcl")
        return self.finish(root)

    def reduced_relative(self) -> Node:
        """A subject with a participle behind it."""
        frames = [
            frame
            for frame in frames_of(self.topic)
            if frame.passive
            and frame.personal
            and frame.object.split()[-1].removesuffix(".s") in lexicon.ADJECTIVE_CLASS
            and not frame.particle
        ]
        frames = [
            frame
            for frame in frames
            if lexicon.ADJECTIVE_CLASS[frame.object.split()[-1].removesuffix(".s")] in lexicon.PREDICATES
            and frame.verb.lemma
            in (
                "bake",
                "cook",
                "write",
                "paint",
                "build",
                "grow",
                "compose",
                "prepare",
                "publish",
                "plant",
                "repair",
                "rent",
                "print",
                "choose",
                "order",
            )
        ]
        if not frames:
            return self.predicate()
        frame = self.chooser.pick(frames)
        noun = self.phrases.noun_phrase("the " + frame.object.split()[-1], plain=True)
        clause = words.past_participle(frame.verb, passive=True)
        agent = self.phrases.person("Acc", pronouns=False)
        clause.after(self.phrases.with_preposition(agent, "by"), "obl:agent")
        noun.after(clause, "acl")
        return self.finish(self.clauses.copula(noun, self.predicate_of(noun), "past"))

    def apposition(self) -> Node:
        """A name that is explained."""
        person = self.chooser.pick([person for person in self.scene.cast if not person.title])
        self.phrases.used.add(person.first)
        subject = words.name(person.first)
        subject.after(words.name(person.last), "flat")
        subject.lexeme = person.reference
        noun = self.phrases.noun_phrase("a profession", plain=True)
        if not noun.right:
            noun.after(self.phrases.prepositional("from city", None), "nmod")
        noun.left.insert(0, noun.tie(words.punctuation(","), "punct"))
        subject.after(noun, "appos")
        subject.after(words.punctuation(","), "punct")
        self.phrases.used |= MOVING
        return self.finish(self.clauses.simple("past", subject=subject, rich=self.chooser.chance(0.5)))

    def examples(self) -> Node:
        """A list of examples behind "such as" or "e.g."."""
        groups = {
            "garden": (("vegetable", "crop"), ("animal", "farm_animal"), ("tool", "tool"), ("plant", "plant")),
            "kitchen": (("kitchen_utensil", "kitchenware"),),
            "home": (("tool", "tool"), ("kitchen_utensil", "kitchenware"), ("present", "present")),
            "culture": (("instrument", "instrument"),),
            "travel": (("bird", "bird"), ("present", "present")),
        }
        group, kind = self.chooser.pick(groups.get(self.topic.name, (("present", "present"),)))
        subject = self.phrases.person("Nom")
        verbs = {
            "animal": "keep kept kept",
            "bird": "see saw seen",
            "instrument": "play",
            "vegetable": "grow grew grown",
            "plant": "grow grew grown",
        }
        _, root = self.clauses.verb_group(verb_of(verbs.get(group, "buy bought bought")), "past", subject.lexeme)
        root.before(subject, "nsubj")
        noun = root.after(self.phrases.bare_noun(group, "Plur"), "obj")
        noun.left.insert(0, noun.tie(words.quantity(self.chooser.pick(("many", "several"))), "amod"))
        items = []
        for _ in range(2 + self.chooser.chance(0.4)):
            item = self.phrases.bare_noun(self.phrases.draw(lexicon.NOUNS[kind]), "Plur")
            item.lexeme = THEY
            items.append(item)
        if len({item.lemma for item in items}) < len(items):
            return self.plain()
        example = self.phrases.coordinate(items)
        if self.chooser.chance(0.5):
            case = words.word("such", "ADJ", "JJ", Degree="Pos", ExtPos="ADP")
            case.after(words.preposition("as"), "fixed")
            example.left.insert(0, example.tie(case, "case"))
            relation = "nmod"
        else:
            example.left.insert(0, example.tie(words.word("e.g.", "ADV", "FW"), "advmod"))
            example.left.insert(0, example.tie(words.punctuation(","), "punct"))
            relation = "appos"
        noun.after(example, relation)
        return self.finish(root)
