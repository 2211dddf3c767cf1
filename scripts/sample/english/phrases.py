"""Noun phrases, prepositional phrases and adjuncts of the English sample.

A noun phrase is drawn from a specification such as ``a small hotel`` or ``my relative``: see topics.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import sample.english.words as words
from sample.choices import Chooser
from sample.english import lexicon
from sample.english.lexicon import word_set
from sample.english.words import Reference
from sample.tree import Node

HELD_OUT = 3  # every so many words of a class are not in train
ATTRIBUTE = 0.2  # nouns with an adjective
ROOM = 2  # prepositional phrases of a sentence that it could do without
NOUN_PHRASE = 0.46  # nouns with a prepositional phrase, where the lexicon has one
DEFINITE_PLURAL = 0.06
LITERAL_NUMBERS = ("ninety", "thirty", "twenty")
PREPOSITIONS = word_set(
    "of from to in on at with by for about against over near behind under across through along into "
    "during before after because_of out_of next_to above towards around opposite without as up despite "
    "until since among per"
)
DETERMINERS = word_set("a an the my some more no one her")
ALL_ADJECTIVES = frozenset(
    [
        *" ".join(
            [*lexicon.ADJECTIVES.values(), *lexicon.PERSON_ADJECTIVES.values(), *lexicon.PREDICATES.values()]
        ).split(),
        *("modern", "curly", "extra", "front", "high", "lower", "higher", "larger", "stolen", "back"),
    ]
)
RELATIONAL = word_set("friend neighbour roommate colleague classmate cousin")  # always someone's
PAIRED = word_set("relative friend crop produce plant")  # nouns that often come in pairs
EACH = word_set("lost body_part clothes luggage leg ankle finger knee passport umbrella pencil suitcase coat book")
PLACES = word_set(
    "room in_place at_place to_place shop_kind building home landscape work_place street_place sight"
)
FEMININE = word_set(
    "mother sister aunt grandmother niece daughter granddaughter waitress headmistress actress woman girl "
    "spokeswoman"
)
MASCULINE = word_set("father brother uncle grandfather nephew son grandson waiter man boy spokesman policeman")
PEOPLE = frozenset(
    token.partition("/")[0] for kind in lexicon.PERSON_CLASSES for token in lexicon.NOUNS[kind].split()
) | word_set("critic witness journalist thief driver firefighter editor")
SINGULAR = word_set("event office_event competition show music news problem weather home")
PLURALS = dict(entry.split("/") for entries in lexicon.NOUNS.values() for entry in entries.split() if "/" in entry)
SPELLINGS = {"front_row": ("front", "row"), "back_row": ("back", "row")}


@dataclass(frozen=True)
class Person:
    """A person of a document."""

    first: str
    last: str
    gender: str
    title: str  # Mr., Mrs., Dr., or empty

    @property
    def reference(self) -> Reference:
        """Return the reference of the person's name."""
        return Reference("3", "Sing", self.gender, "person")


@dataclass
class Scene:
    """What stays the same within a document."""

    people: tuple[str, ...]  # classes of the topic
    cast: list[Person]
    narrator: Reference | None = None
    informal: bool = True
    public: bool = False  # a report of what newspapers write about
    rare: bool = False  # may use the words that train does not have
    mentioned: list[Person] = field(default_factory=list)


class Phrases:
    """Draws phrases; one object, one stream of choices."""

    def __init__(self, chooser: Chooser, scene: Scene) -> None:
        self.chooser = chooser
        self.scene = scene
        self.used: set[str] = set()  # lemmas and names of the sentence, which are not repeated
        self.room = 0  # how many more prepositional phrases the sentence may have
        self.taken: set[str] = set()  # their prepositions

    def begin(self) -> None:
        """Begin a sentence."""
        self.used.clear()
        self.taken.clear()
        self.room = ROOM

    # words

    def draw(self, items: str) -> str:
        """Return one of several words that the sentence does not have yet."""
        every = items.split()
        allowed = [item for index, item in enumerate(every) if self.scene.rare or index % HELD_OUT != HELD_OUT - 1]
        for _ in range(8):
            item = self.chooser.pick(allowed)
            if item not in self.used:
                break
        self.used.add(item)
        return item

    def adjective_of(self, kind: str, *, predicate: bool = False) -> str:
        """Return an adjective that goes with nouns of a class, or an empty string."""
        default = "person" if kind in lexicon.PERSON_CLASSES or kind == "person" else "thing"
        group = lexicon.ADJECTIVE_CLASS.get(kind, default)
        if predicate and group == "" and kind in ("relative", "child"):
            group = "person"
        if predicate and kind in lexicon.PREDICATES:
            group = kind
        table = lexicon.PREDICATES if predicate else lexicon.ADJECTIVES
        return self.draw(table[group]) if group in table else ""

    # names and numbers

    def full_name(self) -> Node:
        """Return a first name and a surname."""
        first = words.name(self.draw(self.chooser.pick((lexicon.FEMALE, lexicon.MALE))))
        first.after(words.name(self.draw(lexicon.SURNAMES)), "flat")
        return first

    def price(self) -> Node:
        """Return an amount of money."""
        amount = self.chooser.pick(
            ("12", "25", "49.90", "18.50", "80", "150", "65", "35", "22.50", "9.99", "30", "120")
        )
        if self.chooser.chance(0.35):
            form = self.chooser.pick(("euro", "dollar", "pound"))
            head = words.noun(form + "s", form, "Plur")
            head.before(words.number_digits(amount), "nummod")
            return head
        head = words.word("$", "SYM", "$")
        head.after(words.number_digits(amount), "nummod")
        return head

    def millions(self) -> Node:
        """Return a large amount of money."""
        head = words.word("$", "SYM", "$")
        million = head.after(words.number_word("million"), "nummod")
        million.before(
            words.number_digits(self.chooser.pick(("1.2", "3", "4.5", "12", "20", "2.8", "75", "6.1"))), "compound"
        )
        return head

    def percent(self) -> Node:
        """Return a percentage."""
        if self.chooser.chance(0.5):
            head = words.noun("percent", "percent", "Sing")
        else:
            head = words.word("%", "SYM", "NN", Number="Sing")
        head.before(words.number_digits(self.digits()), "nummod")
        return head

    def digits(self) -> str:
        """Return a small number in digits."""
        return self.chooser.pick(("2", "3.5", "4", "1.2", "6", "7.5", "10", "15", "20", "0.5", "30", "12"))

    def clock(self) -> Node:
        """Return a time of the day."""
        kind = self.chooser.uniform()
        if kind < 0.35:
            head = words.number_word(self.chooser.pick(lexicon.NUMBER_WORDS.split()))
            head.after(words.word("o'clock", "ADV", "RB"), "advmod")
            return head
        half = self.chooser.pick(("a.m.", "p.m."))
        hour = 7 + int(self.chooser.uniform() * 5) if half == "a.m." else 1 + int(self.chooser.uniform() * 9)
        head = words.number_digits(f"{hour}:{self.chooser.pick(('00', '15', '30', '45'))}")
        if kind < 0.9:
            head.after(words.noun(half, half, "Sing"), "nmod:unmarked")
        return head

    def proper(self, kind: str) -> Node | None:
        """Return a name of a class, or None."""
        table = {
            "city": lexicon.CITIES,
            "country": lexicon.COUNTRIES,
            "companyname": lexicon.COMPANIES,
            "language": lexicon.LANGUAGES,
        }
        if kind in table:
            return words.name(self.draw(table[kind]))
        if kind == "fullname":
            return self.full_name()
        if kind in ("saintname", "saintschool"):
            saint = words.name(self.draw(lexicon.SAINTS))
            saint.before(words.name("St."), "nmod:desc")
            saint.after(words.word("'s", "PART", "POS"), "case").joined = True
            head = words.name("School" if kind == "saintschool" else "Hospital")
            head.before(saint, "nmod:poss")
            return head
        if kind in ("teamname", "streetname"):
            team = kind == "teamname"
            head = words.name(
                self.draw(lexicon.TEAMS) if team else self.chooser.pick(("Street", "Road", "Street", "Avenue"))
            )
            head.before(words.name(self.draw(lexicon.CITIES if team else lexicon.STREETS)), "compound")
            return head
        amounts = {
            "PRICE": self.price,
            "PRICE_MILLION": self.millions,
            "PERCENT": self.percent,
            "CLOCK": self.clock,
        }
        return amounts[kind]() if kind in amounts else None

    # nouns

    def bare_noun(self, entry: str, number: str) -> Node:
        """Return the noun of an entry of the lexicon, with the first part of a compound."""
        entry, forced = (entry[:-1], entry[-1]) if entry[-1] in "~^" else (entry, "")
        singular, _, plural = entry.partition("/")
        plural = plural or PLURALS.get(singular, "")
        *modifiers, last = SPELLINGS.get(singular, tuple(singular.split("_")))
        if forced == "^":
            node = words.noun(last, last, "Plur" if last in words.PLURAL_NAMES else "Ptan")
        elif number == "Plur" and forced != "~":
            node = words.noun(plural or words.with_s(last), last, "Plur")
        else:
            node = words.noun(last, last, "Sing")
        for modifier in modifiers:
            if modifier in ALL_ADJECTIVES:
                node.before(words.adjective(modifier), "amod")
            else:
                part = ("sales", "sale", "Plur") if modifier == "sales" else (modifier, modifier, "Sing")
                node.before(words.noun(*part), "compound")
        return node

    def noun_phrase(self, specification: str, owner: Reference | None = None, *, plain: bool = False) -> Node:
        """Return the noun phrase of a specification; ``owner`` is whom "my" refers to."""
        tokens = specification.split()
        determiner = tokens.pop(0) if tokens[0] in DETERMINERS else ""
        end = next((index for index, token in enumerate(tokens) if token in PREPOSITIONS), len(tokens))
        core, rest = tokens[:end], tokens[end:]
        node = self.core(determiner, core, owner, plain=plain or bool(rest))
        if rest:
            node.after(self.prepositional(" ".join(rest), owner), "nmod")
        return node

    def core(self, determiner: str, core: list[str], owner: Reference | None, *, plain: bool) -> Node:
        """Return a noun with its determiner, numbers and adjectives."""
        if core in (["it"], ["them"]):
            return words.pronoun(Reference("3", "Sing" if core == ["it"] else "Plur", "Neut"), "Acc")
        if core == ["me"]:
            return words.pronoun(Reference("1", "Sing", "", "person"), "Acc")
        if core == ["person"]:
            return self.person("Acc")
        flat = core.pop() if core[-1] == "NUMBER" and len(core) > 1 else ""
        kind = core[-1]
        name = self.proper(kind)
        if name:
            name.lexeme = Reference(kind=kind)
            return name
        numeral = next(
            (token for token in core[:-1] if token.startswith("NUMBER") or token in LITERAL_NUMBERS), ""
        )
        adjectives = [token for token in core[:-1] if token != numeral]
        plural = kind.endswith(".s")
        kind = kind.removesuffix(".s")
        known = kind in lexicon.NOUNS
        entry = self.draw(lexicon.NOUNS[kind]) if known else kind
        countable = entry[-1] not in "~^"
        if (
            countable
            and known
            and not plural
            and not numeral
            and determiner in ("the", "")
            and kind not in PLACES | SINGULAR
        ):
            plural = self.chooser.chance(DEFINITE_PLURAL)
        if determiner == "my" and owner is not None and owner.number == "Plur" and kind in EACH:
            plural = True  # people have one each
        number = "Plur" if (plural and countable) or entry[-1] == "^" else "Sing"
        node = self.bare_noun(entry, number)
        self.used.add(node.lemma)
        number = node.features["Number"]
        node.lexeme = Reference(
            "3",
            "Sing" if number == "Sing" else "Plur",
            self.gender(node.lemma, kind),
            kind if known else node.lemma,
        )
        if known and not plain and not adjectives and not flat:
            self.attributes(node, kind, entry)
        for adjective in reversed(adjectives):
            node.left.insert(0, node.tie(self.literal_adjective(adjective), "amod"))
        if numeral:
            digits = self.chooser.pick(("40", "120", "300", "15", "2,000", "12", "1,500", "60", "25"))
            quantity = (
                words.number_digits(digits)
                if numeral == "NUMBER"
                else words.number_word(numeral if numeral in LITERAL_NUMBERS else self.draw(lexicon.NUMBER_WORDS))
            )
            node.left.insert(0, node.tie(quantity, "nummod"))
        if flat:
            node.after(words.number_digits(str(1 + int(self.chooser.uniform() * 40))), "flat")
        elif not numeral:
            self.determine(node, determiner, owner, countable=countable, known=known)
        return node

    @staticmethod
    def literal_adjective(form: str) -> Node:
        """Return an adjective that a specification names."""
        if form == "more":
            return words.quantity("more")
        if form in ("first", "second", "third", "eighteenth", "last"):
            ordinal = {} if form == "last" else {"NumForm": "Word", "NumType": "Ord"}
            return words.word(form, "ADJ", "JJ", Degree="Pos", **ordinal)
        if form in ("higher", "lower", "larger"):
            lemma = form[:-1] if form == "larger" else form[:-2]
            return words.adjective(lemma, "Cmp")
        return words.adjective(form)

    def gender(self, lemma: str, kind: str) -> str:
        """Return the gender of a noun's pronoun."""
        if lemma in PEOPLE and lemma not in FEMININE | MASCULINE:
            return self.chooser.pick(("Masc", "Fem"))
        if lemma in FEMININE:
            return "Fem"
        if lemma in MASCULINE:
            return "Masc"
        return self.chooser.pick(("Masc", "Fem")) if kind in lexicon.PERSON_CLASSES else "Neut"

    def attributes(self, node: Node, kind: str, entry: str) -> None:
        """Add an adjective and a prepositional phrase, sometimes."""
        if self.chooser.chance(ATTRIBUTE) and (self.room > 0 or kind not in lexicon.PERSON_CLASSES):
            if kind in lexicon.PERSON_CLASSES:
                pairs = lexicon.PERSON_ADJECTIVES.get(node.lemma, "")
                form = self.draw(pairs) if pairs else ""
            else:
                form = self.adjective_of(kind)
            if "-" in form:
                node.left.insert(0, node.tie(*words.hyphenated(form)))
            elif form:
                adjective = node.tie(words.adjective(form), "amod")
                node.left.insert(0, adjective)
        options = lexicon.NOUN_PHRASES.get(entry.partition("/")[0].rstrip("~"), ()) or lexicon.CLASS_PHRASES.get(
            kind, ()
        )
        many = node.lexeme.number == "Plur" and kind in lexicon.PERSON_CLASSES
        options = tuple(
            option
            for option in options
            if option.split()[0] not in self.taken and not (many and option.split()[1] == "a")
        )
        attributed = any(child.relation == "amod" for child in node.left)
        if options and self.room > 0 and not attributed and self.chooser.chance(NOUN_PHRASE):
            self.room -= 1
            node.after(self.prepositional(self.chooser.pick(options), None), "nmod")

    def determine(
        self, node: Node, determiner: str, owner: Reference | None, *, countable: bool, known: bool
    ) -> None:
        """Add a determiner that fits."""
        chance = self.chooser.chance
        plural = node.lexeme.number == "Plur"
        if determiner == "my" or node.lemma in RELATIONAL or node.lexeme.kind in ("relative", "child"):
            self.possess(node, owner)
            return
        if determiner == "" and (not known or not countable or plural):
            if known and plural and chance(0.12):
                node.left.insert(0, node.tie(words.quantity(self.chooser.pick(("several", "many"))), "amod"))
            return
        if determiner == "" or (determiner == "a" and not countable):
            determiner = "a" if chance(0.5) else "the"
        if determiner in ("some", "a", "an") and (plural or not countable):
            determiner = "some"
        if determiner in ("a", "an"):
            self.add_article(node)
        elif determiner == "one":
            node.left.insert(0, node.tie(words.number_word("one"), "nummod"))
        elif determiner == "more":
            node.left.insert(0, node.tie(words.quantity("more"), "amod"))
        else:
            node.left.insert(0, node.tie(words.determiner(determiner), "det"))

    @staticmethod
    def add_article(node: Node) -> None:
        """Add the indefinite article in the form that the next word asks for."""
        following = next(node.surface()).form
        article = words.determiner("a")
        article.form = words.article_form(following)
        node.left.insert(0, node.tie(article, "det"))

    def possess(self, node: Node, owner: Reference | None) -> None:
        """Add a possessive pronoun or a name with 's."""
        if owner is not None and owner.gender == "Neut" and owner.kind not in ("pet", "bird", "person"):
            owner = None  # things have no friends
        owner = owner or self.scene.narrator
        if owner is not None and (owner.kind, owner.gender, owner.number) == ("person", "Neut", "Sing"):
            owner = Reference("3", "Plur", "", "person")  # everyone and their
        others = [person for person in self.scene.cast if person.first not in self.used] or self.scene.cast
        shared = node.lexeme.kind in (
            "relative",
            "friend",
            "child",
            "pet",
            "vehicle",
        )
        if others and (owner is None or (shared and self.chooser.chance(0.1))):
            person = self.chooser.pick(others)
            self.used.add(person.first)
            holder = words.name(person.first)
            clitic = holder.after(words.word("'s", "PART", "POS"), "case")
            clitic.joined = True
            node.left.insert(0, node.tie(holder, "nmod:poss"))
        elif owner is None:
            node.left.insert(0, node.tie(words.determiner("the"), "det"))
        else:
            node.left.insert(0, node.tie(words.pronoun(owner, "Gen"), "nmod:poss"))

    def prepositional(self, specification: str, owner: Reference | None) -> Node:
        """Return a prepositional phrase as its noun, with the preposition as case."""
        form, rest = specification.split(maxsplit=1)
        node = self.noun_phrase(rest, owner)
        kind = rest.split()[-1]
        if kind in PAIRED and rest.split()[0] in ("the", "my") and not node.right and self.chooser.chance(0.2):
            other = self.noun_phrase(rest, owner, plain=True)
            if other.lemma != node.lemma:
                node = self.coordinate([node, other])
        return self.with_preposition(node, form)

    @staticmethod
    def with_preposition(node: Node, form: str) -> Node:
        """Put a preposition before a noun phrase."""
        if form in ("because_of", "next_to"):
            first, second = form.split("_")
            case = words.word(first, *(("ADP", "IN") if first == "because" else ("ADV", "RB")), ExtPos="ADP")
            case.after(words.preposition(second), "fixed")
            node.left.insert(0, node.tie(case, "case"))
        else:
            parts = [node.tie(words.preposition(part), "case") for part in form.split("_")]
            node.left[:0] = parts
        return node

    # people

    def person(self, case: str, *, pronouns: bool = True) -> Node:
        """Return a noun phrase for someone, as subject (Nom) or object (Acc)."""
        chooser, scene = self.chooser, self.scene
        kind = chooser.uniform()
        if scene.narrator and pronouns and kind < 0.3 and "narrator" not in self.used:
            self.used.add("narrator")
            narrator = scene.narrator
            if narrator.number == "Sing" and chooser.chance(0.25):
                narrator = Reference("1", "Plur", "", "person")
            return words.pronoun(narrator, case)
        recent = [person for person in scene.mentioned if person.first not in self.used]
        if recent and pronouns and kind < 0.5:
            self.used.add(recent[-1].first)
            return words.pronoun(recent[-1].reference, case)
        if kind < 0.56 and scene.mentioned and pronouns:
            return words.pronoun(Reference("3", "Plur", "", "person"), case)
        if kind < 0.8:
            return self.named()
        if kind < 0.84 and len([person for person in scene.cast if person.first not in self.used]) > 1:
            return self.coordinate([self.named(), self.named()])
        role = chooser.pick(scene.people)
        if role in ("relative", "friend") or chooser.chance(0.1):
            return self.noun_phrase("my " + (role if role == "friend" else "relative"), scene.narrator)
        return self.noun_phrase("the " + role)

    def untitled(self) -> Node:
        """Return a first name of the cast."""
        person = self.chooser.pick([person for person in self.scene.cast if not person.title])
        self.used.add(person.first)
        return self.name_of(person)

    def named(self) -> Node:
        """Return the name of someone of the cast."""
        chooser = self.chooser
        others = [person for person in self.scene.cast if person.first not in self.used] or self.scene.cast
        person = chooser.pick(others)
        self.used.add(person.first)
        if person in self.scene.mentioned:
            self.scene.mentioned.remove(person)
        self.scene.mentioned.append(person)
        return self.name_of(person)

    def name_of(self, person: Person) -> Node:
        """Return a name: first name, full name, or title and surname."""
        if person.title:
            node = words.name(person.last)
            node.before(words.name(person.title), "nmod:desc")
        else:
            node = words.name(person.first)
            if self.chooser.chance(0.1):
                node.after(words.name(person.last), "flat")
        node.lexeme = person.reference
        return node

    def coordinate(self, items: list[Node], form: str = "and") -> Node:
        """Return a coordination; its reference is plural."""
        head, *others = items
        for index, item in enumerate(others):
            if index == len(others) - 1:
                item.left.insert(0, item.tie(words.coordinator(form), "cc"))
            else:
                item.left.insert(0, item.tie(words.punctuation(","), "punct"))
            head.after(item, "conj")
        first = any(item.lexeme.person == "1" for item in items)
        number = "Plur" if form == "and" else items[-1].lexeme.number
        head.lexeme = Reference("1" if first else "3", number, "", head.lexeme.kind)
        return head

    # adjuncts of time

    def time(self, tense: str, *, years: bool = False, clock: bool = False) -> tuple[Node, str]:
        """Return an adjunct of time that fits a tense, and its relation."""
        if tense in ("future", "going"):
            if years:
                return self.timed(
                    (
                        "next month",
                        "next year",
                        "in MONTH",
                        "next summer",
                        "soon",
                    )
                )
            return self.timed(
                (
                    "tomorrow",
                    "tomorrow morning",
                    "next week",
                    "on Friday",
                    "tonight",
                    "DAY",
                    "on Saturday",
                    "tomorrow evening",
                    "at the weekend",
                    "in the afternoon",
                )
            )
        if tense == "present":
            return self.timed(
                (
                    "every day",
                    "every week",
                    "every morning",
                    "on Sundays",
                    "in summer",
                    "once a week",
                    "every year",
                    "in the evening",
                    "twice a month",
                )
            )
        if tense == "progressive":
            return self.timed(("now", "at the moment", "right now", "today"))
        if tense == "perfect":
            return self.timed(("this year", "this month") if years else ("today", "this week"))
        if years:
            return self.timed(
                (
                    "AGO",
                    "in MONTH",
                    "DATE",
                    "DATE",
                    "YEAR",
                    "YEAR",
                    "last year",
                    "last month",
                    "this year",
                    "last summer",
                    "last autumn",
                ),
                years=True,
            )
        return self.timed(
            (
                "yesterday",
                "last week",
                "last night",
                "on Monday",
                "DAY",
                "DAYPART",
                "AGO",
                *(("CLOCK", "CLOCK", "CLOCK", "CLOCK", "DATE") if clock else ()),
                "this morning",
                "in the morning",
                "last Saturday",
                "after lunch",
                "in the afternoon",
                "in the evening",
                "at noon",
                "yesterday morning",
            )
        )

    def timed(self, options: tuple[str, ...], *, years: bool = False) -> tuple[Node, str]:
        """Return one of several adjuncts of time."""
        chooser = self.chooser
        option = chooser.pick(options)
        day, month = chooser.pick(lexicon.DAYS.split()), chooser.pick(lexicon.MONTHS.split())
        if option == "AGO":
            ago = words.adverb("ago")
            unit = self.chooser.pick(("month", "year") if years else ("day", "day", "week"))
            measure = ago.before(words.noun(unit + "s", unit, "Plur"), "obl:unmarked")
            measure.before(words.number_word(chooser.pick(("two", "three", "four", "five", "six"))), "nummod")
            return ago, "advmod"
        if option == "DATE":
            return self.with_preposition(self.date(years=years), "on"), "obl"
        if option == "YEAR":
            return self.with_preposition(words.number_digits(str(2005 + int(chooser.uniform() * 20))), "in"), "obl"
        if option == "CLOCK":
            return self.with_preposition(self.clock(), "at"), "obl"
        if option == "DAYPART":
            part = words.noun(*[chooser.pick(("morning", "afternoon", "evening"))] * 2, "Sing")
            part.before(words.name(day), "compound")
            return self.with_preposition(part, "on"), "obl"
        if option in ("DAY", "in MONTH"):
            form = "on" if option == "DAY" else "in"
            return self.with_preposition(words.name(day if form == "on" else month), form), "obl"
        return self.fixed_time(option)

    def date(self, *, years: bool = False) -> Node:
        """Return a date, such as 5 May 2019 or May 5."""
        chooser = self.chooser
        month = words.name(chooser.pick(lexicon.MONTHS.split()))
        day = words.number_digits(str(1 + int(chooser.uniform() * 28)))
        if chooser.chance(0.6):
            day.after(month, "nmod:unmarked")
            if chooser.chance(0.5) and years:
                day.after(words.number_digits(str(2005 + int(chooser.uniform() * 20))), "nmod:unmarked")
        else:
            day.before(month, "nmod:unmarked")
        return day

    def fixed_time(self, option: str) -> tuple[Node, str]:
        """Return the adjunct of a few words that are written out."""
        tokens = option.split()
        if option in ("now", "soon", "twice"):
            return words.adverb(option), "advmod"
        if option == "right now":
            now = words.adverb("now")
            now.before(words.adverb("right"), "advmod")
            return now, "advmod"
        if tokens[0] in ("once", "twice"):
            often = words.adverb(tokens[0])
            unit = often.after(words.noun(tokens[2], tokens[2], "Sing"), "obl:unmarked")
            unit.before(words.determiner("a"), "det")
            return often, "advmod"
        if tokens[0] in PREPOSITIONS:
            return self.with_preposition(self.time_noun(tokens[1:]), tokens[0]), "obl"
        return self.time_noun(tokens), "obl:unmarked"

    @staticmethod
    def time_noun(tokens: list[str]) -> Node:
        """Return a noun of time with its determiner."""
        *before, last = tokens
        if last == "Sundays":
            head = words.word("Sundays", "PROPN", "NNPS", "Sunday", Number="Plur")
        elif last == "weeks":
            head = words.noun(last, "week", "Plur")
        elif last[0].isupper():
            head = words.name(last)
        else:
            head = words.noun(last, last, "Sing")
        for token in before:
            if token in ("the", "this", "every"):
                head.before(words.determiner(token), "det")
            elif token == "two":
                head.before(words.number_word(token), "nummod")
            elif token in ("last", "next"):
                head.before(words.word(token, "ADJ", "JJ", Degree="Pos"), "amod")
            else:
                head.before(words.noun(token, token, "Sing"), "compound")
        return head
