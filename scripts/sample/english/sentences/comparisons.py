"""Comparisons; the standard belongs to an adjective before the noun, so that some trees are not projective."""

from __future__ import annotations

import sample.english.words as words
from sample.english import lexicon
from sample.english.clauses import (
    Clause,
)
from sample.english.frames import frames_with
from sample.english.sentences.tools import FIRST, IT, THEY, Tools
from sample.english.words import BE, Reference, verb_of
from sample.tree import Node

# What is compared by topic: one thing, adjectives, and another thing.
COMPARED = {
    "kitchen": (
        ("the soup", "good hot salty", "the stew"),
        ("the cake", "good sweet", "the apple_pie"),
        ("the curry", "good spicy", "last time"),
        ("the kitchen", "small clean", "the dining_room"),
        ("the pan", "heavy expensive", "the pot"),
    ),
    "office": (
        ("the meeting", "long boring short", "last time"),
        ("the new printer", "noisy fast expensive", "the old model"),
        ("the report", "long detailed", "the proposal"),
        ("the budget", "small large", "last year"),
    ),
    "travel": (
        ("the train", "slow cheap comfortable", "the bus"),
        ("the hotel", "expensive comfortable", "last time"),
        ("the flight", "long expensive", "the ferry"),
        ("the island", "beautiful quiet", "the coast"),
        ("the castle", "old interesting", "the cathedral"),
    ),
    "school": (
        ("the test", "difficult easy long", "last time"),
        ("the poem", "short beautiful", "the story"),
        ("the second question", "difficult easy", "the first question"),
    ),
    "sports": (
        ("the final", "exciting boring", "last year"),
        ("the race", "hard long", "last time"),
        ("the stadium", "full noisy", "last week"),
    ),
    "home": (
        ("the sofa", "comfortable heavy old", "the armchair"),
        ("the bathroom", "small clean warm", "the kitchen"),
        ("the new dishwasher", "quiet expensive", "the old model"),
        ("the attic", "cold dark", "the cellar"),
    ),
    "garden": (
        ("the tomato/tomatoes.s", "sweet large", "last year"),
        ("the rose.s", "beautiful tall", "the tulip.s"),
        ("the harvest", "good bad", "last year"),
        ("the oak", "tall old", "the willow"),
    ),
    "market": (
        ("the price.s", "high low", "last year"),
        ("the wage.s", "high low", "last year"),
        ("the result.s", "good bad", "last year"),
        ("the rent.s", "high", "last year"),
    ),
    "health": (
        ("the cough", "bad", "last week"),
        ("the injection", "effective expensive", "the tablet.s"),
        ("the operation", "short difficult", "last time"),
    ),
    "culture": (
        ("the film", "good long boring", "the book"),
        ("the play", "good funny", "the film"),
        ("the exhibition", "interesting small", "last year"),
        ("the concert", "good long", "last time"),
    ),
    "town": (
        ("the bridge", "wide beautiful expensive", "the tunnel"),
        ("the debate", "long calm", "last time"),
        ("the hospital", "large modern", "the school"),
    ),
    "weather": (
        ("the winter", "cold mild long", "last year"),
        ("the storm", "bad", "last year"),
        ("the summer", "hot wet dry", "last year"),
    ),
    "shopping": (
        ("the coat", "warm expensive elegant", "the jacket"),
        ("the market", "cheap crowded", "the supermarket"),
        ("the queue", "long short", "last week"),
        ("the pear.s", "ripe cheap sweet", "the plum.s"),
    ),
}
SKILLS = {"driver": ("good", "careful", "bad"), "teacher": ("good", "patient"), "player": ("good", "bad")}
COMING = tuple(verb_of(forms) for forms in ("come came come", "arrive"))


AMOUNTS = (
    ("buy bought bought", "produce", "need"),
    ("order", "baked", "eat ate eaten"),
    ("bake", "baked", "eat ate eaten"),
    ("buy bought bought", "ticket", "need"),
    ("pick", "crop", "carry carried carried"),
    ("bring brought brought", "produce", "need"),
    ("receive", "writing", "expect"),
    ("borrow", "library_item", "read read read"),
)
EVALUATED = (
    "see",
    "read",
    "eat",
    "taste",
    "watch",
    "visit",
    "hear",
    "write",
    "attend",
    "play",
    "cook",
    "buy",
    "take",
)


class Comparisons(Tools):
    """Comparisons."""

    def comparative(self) -> Node:
        """A comparison of two things or people."""
        if self.chooser.chance(0.3):
            return self.better_cook()
        thing, adjectives, standard = self.chooser.pick(COMPARED[self.topic.name])
        subject = self.phrases.noun_phrase(thing, plain=True)
        form = self.phrases.draw(adjectives)
        choice = self.chooser.uniform()
        if choice < 0.3:
            head = words.adjective(form)
            head.before(words.adverb("as"), "advmod")
            other, relation = self.than_phrase(standard, "as"), "obl"
        else:
            head = words.adjective(form, "Cmp")
            if self.chooser.chance(0.3):
                measure = head.tie(words.adverb(self.chooser.pick(("much", "even", "far"))), "advmod")
                head.left.insert(0, measure)
            if choice < 0.65:
                other, relation = self.than_phrase(standard, "than"), "obl"
            else:
                other, relation = self.than_expected(), "advcl"
        root = self.clauses.copula(subject, head, "past")
        root.after(other, relation)
        return self.finish(root)

    def than_phrase(self, standard: str, form: str) -> Node:
        """Return a standard of comparison."""
        tokens = standard.split()
        noun = self.phrases.time_noun(tokens) if tokens[0] == "last" else self.phrases.noun_phrase(standard)
        return self.phrases.with_preposition(noun, form)

    def than_expected(self) -> Node:
        """Return "than we had expected" and the like."""
        if self.scene.narrator:
            subject = words.pronoun(Reference("1", "Plur", "", "person"), "Nom")
        elif self.chooser.chance(0.5):
            subject = words.indefinite("anyone")
        else:
            subject = self.phrases.person("Nom", pronouns=False)
        reference = subject.lexeme
        verb = self.chooser.pick([verb_of(forms) for forms in ("expect", "think thought thought", "expect")])
        auxiliaries, head = self.clauses.verb_group(verb, "past_perfect", reference)
        self.clauses.tie_auxiliaries(head, auxiliaries)
        head.tie(subject, "nsubj")
        made = Clause(head, subject, auxiliaries)
        node = self.clauses.order(made)
        node.left.insert(0, node.tie(words.subordinator("than"), "mark"))
        return node

    def better_cook(self) -> Node:
        """A comparison of people: the standard belongs to the adjective, which is before the noun."""
        subject = self.phrases.untitled()
        noun = self.phrases.bare_noun(
            self.phrases.draw("cook swimmer driver singer player teacher dancer writer"), "Sing"
        )
        better = noun.before(words.adjective(self.chooser.pick(SKILLS.get(noun.lemma, ("good",))), "Cmp"), "amod")
        noun.lexeme = THEY
        self.phrases.add_article(noun)
        root = self.clauses.copula(subject, noun, "present")
        if self.chooser.chance(0.5):
            other = self.phrases.with_preposition(
                self.phrases.noun_phrase("my relative", subject.lexeme, plain=True), "than"
            )
            better.tie(other, "obl")
        elif self.chooser.chance(0.5):
            other = self.phrases.with_preposition(self.phrases.named(), "than")
            better.tie(other, "obl")
        else:
            other = words.present(BE, FIRST, "AUX")
            other.before(words.pronoun(FIRST, "Nom"), "nsubj")
            other.left.insert(0, other.tie(words.subordinator("than"), "mark"))
            better.tie(other, "advcl")
        root.right.append(other)
        return self.finish(root)

    def more_people(self) -> Node:
        """A comparison of numbers: the clause belongs to "more" and follows the verb."""
        noun = self.phrases.bare_noun(
            self.phrases.draw("people^ guest visitor student tourist customer child/children volunteer"), "Plur"
        )
        noun.lexeme = THEY
        more = noun.before(words.quantity(self.chooser.pick(("more", "more", "fewer"))), "amod")
        if more.lemma == "more" and self.chooser.chance(0.5):
            form = self.chooser.pick(("many", "far", "even"))
            more.before(words.quantity(form) if form == "many" else words.adverb(form), "advmod")
        _, root = self.clauses.verb_group(self.chooser.pick(COMING), "past", THEY)
        root.before(noun, "nsubj")
        if root.lemma == "come" and self.chooser.chance(0.4):
            event = self.chooser.pick(("party", "concert", "meeting", "market"))
            root.after(self.phrases.prepositional("to the " + event, None), "obl")
        other = more.tie(self.than_expected(), "advcl")
        root.right.append(other)
        return self.finish(root)

    def more_than_needed(self) -> Node:
        """A comparison of amounts of an object."""
        forms, kind, standard = self.chooser.pick(AMOUNTS)
        subject = self.phrases.person("Nom")
        noun = self.phrases.bare_noun(self.phrases.draw(lexicon.NOUNS[kind]), "Plur")
        more = noun.tie(words.quantity("more"), "amod")
        noun.left.insert(0, more)
        _, root = self.clauses.verb_group(verb_of(forms), "past", subject.lexeme)
        root.before(subject, "nsubj")
        root.after(noun, "obj")
        again = self.again(subject)
        tense = {"need": "past", "expect": "past_perfect"}.get(standard.split()[0], "could")
        auxiliaries, other = self.clauses.verb_group(verb_of(standard), tense, again.lexeme)
        self.clauses.tie_auxiliaries(other, auxiliaries)
        other.tie(again, "nsubj")
        other = self.clauses.order(Clause(other, again, auxiliaries))
        other.left.insert(0, other.tie(words.subordinator("than"), "mark"))
        more.tie(other, "advcl")
        root.right.append(other)
        return self.finish(root)

    def superlative(self) -> Node:
        """The best of its kind, with a relative clause."""
        kind = self.chooser.pick(self.topic.things.split())
        frames = [
            frame for frame in frames_with("object", kind) if frame.personal and frame.verb.lemma in EVALUATED
        ]
        if not frames:
            return self.comparative()
        form = self.chooser.pick(("good", "good", "bad", "expensive", "beautiful", "strange", "interesting"))
        if kind in ("document", "office_event", "medicine", "law"):
            form = self.chooser.pick(("important", "good", "bad"))
        head = self.phrases.bare_noun(self.phrases.draw(lexicon.NOUNS[kind]), "Sing")
        if head.features["Number"] != "Sing":
            return self.comparative()
        head.left.insert(0, head.tie(words.adjective(form, "Sup"), "amod"))
        head.left.insert(0, head.tie(words.determiner("the"), "det"))
        subject = words.pronoun(self.scene.narrator or self.scene.cast[0].reference, "Nom")
        frame = self.chooser.pick(frames)
        past = self.scene.narrator is None
        made = self.clauses.clause(
            frame, "past_perfect" if past else "perfect", subject=subject, gap="object", rich=False
        )
        made.middle = [made.head.tie(words.adverb("ever"), "advmod")]
        if frame.needed:
            made.head.right = [node for node in made.head.right if node.relation == "compound:prt"]
        clause = self.clauses.order(made)
        pronoun = clause.tie(words.relative("that"), "obj")
        if self.chooser.chance(0.5):
            clause.left.insert(0, pronoun)
        demonstrative = (
            words.word("this", "PRON", "DT", Number="Sing", PronType="Dem")
            if not past
            else words.pronoun(IT, "Nom")
        )
        demonstrative.lexeme = IT
        root = self.clauses.copula(demonstrative, head, "past" if past else self.chooser.pick(("present", "past")))
        root.after(clause, "acl:relcl")
        return self.finish(root)
