"""What the documents of the English sample are about: people, frames of verbs, headings.

A frame is one line: ``subject: verb past participle [flags] +particle | object | phrases | adverbs``. Phrases and
adverbs are separated by semicolons. Phrases are optional, but one of those with an exclamation mark must be there.
A noun phrase is a determiner and a class of the lexicon (or a noun): ``a`` and ``the`` as usual, ``my`` for a
possessive that agrees with the subject, none for a free choice; ``.s`` is a bare plural.

Flags: p has a natural progressive, s is stative, n is not done on purpose, x has no passive, h is a plausible
habit, i has an indirect object before its object, which is then the first phrase. y is
dated by months and years, not by days. A phrase with + belongs to the object.
"""

from __future__ import annotations

from dataclasses import dataclass

ANYWHERE = """
person: meet met met [hx] | my friend | at the at_place; in the in_place; in front~ of the station
person: call [hp] | my relative | from the airport
person: thank | the staff | !for the help
person: wait [ph] | | !for the transport; at the at_place | patiently
person: talk [ph] | | !about the news; with my relative | quietly
person: look [p] | | !for my lost; in the room
person: lose lost lost [nx] | my lost | at the at_place; on the bus
person: find found found [n] | my lost | under the bed; behind the sofa
person: invite | my friend | !to the party; !to the wedding; !to the concert
person: buy bought bought [p] | a present | for my relative; at the shop
person: give gave given [i] | my relative | a present; for Christmas
person: write wrote written [ph] | a letter | !to my relative; !to the newspaper
person: read read read [ph] | the reading | on the train; in the garden
person: remember [s] | the event | |
person: visit [h] | my relative | in city; in country
person: go went gone [hx] | | !to the to_place; with my friend; by bus~
person: come came come [sx] | | !from city; !from the U.S.
person: listen [ph] | | !to the music | carefully
person: borrow | a library_item | from my friend; from the library
person: sell sold sold [p] | my vehicle | to my friend; for a good price
person: live [sx] | | !in city; !with my relative
person: leave left left [n] | my lost | !on the bus; !in the room
person: send sent sent [i] | my relative | a postcard; from country
person: laugh [pn] | | !about the misunderstanding
person: argue [pn] | | !about money~; !about the bill; with my friend
person: dream [pn] | | !of a new home; !of a journey to country
person: apologise | | !for the fault |
person: show showed shown [i] | my friend | the photograph
"""


@dataclass(frozen=True)
class Topic:
    """A subject that a document is about."""

    name: str
    people: str  # classes of the people who act
    frames: str
    things: str  # classes of things that predicates and existential clauses describe
    headings: tuple[str, ...]
    issues: tuple[str, ...]  # what people talk about


TOPICS = (
    Topic(
        "kitchen",
        "cook friend",
        """
person: peel [p] | the produce.s | with the cutting; for the dish | carefully; slowly
person: bake [ph] | a cake_kind | for my friend; in the oven
person: cook [ph] | a dish | for my friend; in the kitchen
person: wash [p] | the kitchenware.s | in the sink | carefully; quickly
person: cut cut cut [p] +up | the produce.s | with a knife; on the board | carefully; quickly
person: taste | the dish | |
person: prepare [ph] | meal | for the guest.s; in the kitchen
person: serve | the dish | with rice~; on a large plate; to the guest.s
person: burn [n] | the baked | |
person: put put put [x] | the baked | !in the oven
person: mix | the butter~ | !with the sugar~; !with the flour~ | slowly; carefully
person: drink drank drunk [ph] | some drink | with my friend; in the garden | slowly
person: eat ate eaten [ph] | the baked | in the kitchen; with my friend | quickly
person: order | a dish | with a salad; in a small restaurant
person: break broke broken [n] | a vessel | |
person: pour [pn] | some drink | !into a vessel | carefully; slowly
person: add | some seasoning | !to the dish |
person: need [sx] | some seasoning | for the dish
person: like [sx] | dish.s | |
person: lay laid laid | the table | for dinner~; for the guest.s | quickly
person: slice [p] | the produce.s | with a knife | thinly
person: grate | some cheese~ | over the dish |
the dish: smell [s] | | !of garlic~; of onion.s
the dish: need [sx] | some seasoning | |
the cook: recommend | the dish | to the guest |
the guest: praise | the dish | |
the guest: complain [p] | | !about the dish
the oven: break broke broken [n] +down | | during dinner~
the recipe: come came come [sx] | | !from my relative; !from country
""",
        "dish baked kitchenware",
        (
            "a dish for NUMBERWORD guest.s",
            "soup~ of the day",
            "note.s from the kitchen",
            "my best recipe for bread~",
        ),
        ("the recipe", "the bill", "the menu", "the dish"),
    ),
    Topic(
        "office",
        "staff",
        """
person: write wrote written [p] | a report | for the customer; on the computer
person: sign | the signed | in the office | immediately
person: send sent sent [i] | the customer | the document; by e-mail~
person: print [p] | the document | for the meeting; in colour~
person: attend | the office_event | with my colleague
person: cancel cancelled cancelled | the office_event | at short notice~
person: prepare [p] | the office_event | with my colleague; for the director | carefully
person: find found found [n] | a mistake | in the document
person: check [ph] | the document | for mistake.s; before the meeting | carefully; twice
person: work [phx] | | !on the project; with my colleague; from home~ | hard
person: lead led led [xs] | the team | for NUMBERWORD year.s
person: hire | a new staff | for the project
person: repair [p] | the office_thing | in the office; with a screwdriver | quickly
person: order | a new office_thing | for the office; from a firm in city
person: discuss [p] | the document | with the director; during the meeting; at the conference
person: answer [ph] | the customer | by e-mail~ | politely; immediately
person: apply applied applied [x] | | !for the job
person: present | the result.s | to the director; at the conference
person: leave left left [x] | the office | after the meeting | early
person: agree [sx] | | !with the director
person: explain | the problem | to the customer; during the meeting | patiently
person: finish | the document | before lunch~ |
person: translate [p] | the document | !into German
the office_thing: break broke broken [nx] +down | | during the meeting; without warning~
the office_event: begin began begun [nx] | | !at CLOCK
the office_event: last [sx] | | !for NUMBERWORD hour.s
the customer: complain [p] | | !about the delay; about the price
the director: approve | the document | after the meeting
the company: open [ny] | a new office | !in city
""",
        "document office_thing office_event",
        (
            "agenda for the meeting",
            "a new office in city",
            "schedule for the holiday.s",
            "note.s for the director",
        ),
        ("the budget", "the contract", "the schedule", "the interview"),
    ),
    Topic(
        "travel",
        "traveller friend",
        """
person: book | a flight | !+to city; for my relative
person: pack [p] | my luggage | for the trip | quickly; carefully
person: miss [nx] | the transport | by NUMBERWORD minute.s
person: travel travelled travelled [pxy] | | !to country; !to the U.S.; by train~; with my relative
person: arrive [nx] | | !in city; with my friend
person: visit [h] | the sight | in city; with a guide
person: take took taken [x] | the transport | !to city; with my friend
person: climb [p] | the hill | with my friend | slowly
person: swim swam swum [phx] | | !in the lake; with my friend
person: photograph [p] | the view | from the bridge
person: stay [px] | | !at a small hotel; for NUMBERWORD night.s
person: rent [p] | a car | at the airport; for a week
person: ask | a stranger | !for the way
person: carry carried carried [p] | my luggage | to the hotel; up the stair.s
person: cross [x] | the lake | !by boat~
person: return [x] | | !to city; by train~
person: explore [p] | the old town | on foot~; with a map
person: enjoy [x] | the holiday.s | !in country
person: walk [ph] | | !along the river; !through the old town | slowly
person: spend spent spent [xy] | NUMBERWORD day.s | !in city
person: lose lost lost [nx] | my passport | at the airport; in city
person: plan planned planned [p] | a trip | !+to country; with my friend
person: recommend | the hotel | to my friend |
the train: leave left left [nx] | | !at CLOCK; !from platform NUMBER
the transport: arrive [nx] | | !in city; !with a delay of NUMBERWORD minute.s
the trip: cost cost cost [sx] | ninety pound.s | |
the road: lead led led [sx] | | !to the village; !to the coast
the plane: land [nx] | | !in city | safely
""",
        "view at_place transport trip",
        ("a week in city", "my trip to the coast", "by train~ through country", "a weekend by the sea"),
        ("the journey", "the hotel", "the price of the flight", "the delay"),
    ),
    Topic(
        "school",
        "pupil",
        """
the pupil: solve [p] | the equation | on the board; without help~ | quickly; correctly
person: study studied studied [phxy] | subject | at the university
person: learn learned learned [px] | a poem | !by heart~
the teacher: explain [p] | the equation | to the class; on the board | patiently
person: answer | the question | | correctly; politely
person: forget forgot forgotten [n] | my book | !at home~; !on the bus
person: pass [n] | the test | !+in subject
person: fail [nx] | the test | !+in subject
person: write wrote written [p] | an essay | !+about the poem; !+about the holiday.s; !+about country
the teacher: read read read [p] | the chapter | !to the class | slowly; clearly
person: draw drew drawn [p] | a pet | on the board; in my notebook |
the teacher: teach taught taught [phxy] | subject | at a small school; at saintschool; in city
person: help [p] | my classmate | with the homework~; after school~
the teacher: correct [p] | the essay | with a red pen | carefully
person: repeat | the question | | slowly
person: ask [i] | the teacher | a question
the teacher: show showed shown [i] | the class | a film
person: sit sat sat [pxs] | | !in the front_row; !next_to my friend
person: borrow | a pencil | from my classmate |
person: play [ph] | football~ | !in the schoolyard; with my friend
person: understand understood understood [sx] | the question | |
person: practise [phx] | the instrument | at home~; before the concert
person: speak spoke spoken [sx] | language | | fluently
the lesson: begin began begun [nx] | | !at CLOCK; !with a song
the teacher: praise | the pupil | !for the essay
the class: visit | the museum | with the teacher
the test: contain [sx] | NUMBERWORD question.s | !+about subject
the school: organise | a concert | for the parent.s; in the hall
""",
        "school_thing writing",
        ("homework~ for Tuesday", "the last day of term~", "a letter to the parent.s", "visit to the museum"),
        ("the exam", "the homework~", "the mark", "the excursion"),
    ),
    Topic(
        "sports",
        "athlete",
        """
person: win won won [n] | the race | | easily
person: lose lost lost [n] | the final | | narrowly
person: score [n] | NUMBERWORD goal.s | in the second half; against teamname
person: kick | the ball | !into the net; !over the fence | hard
person: catch caught caught [n] | the ball | with one hand; near the line |
person: train [phx] | | !for the race; !in the gym; with a new coach | hard
person: run ran run [phx] | | !through the park; !along the river; before breakfast~
person: hurt hurt hurt [nx] | my body_part | !during the match; !in the race | badly
person: miss [n] | a penalty | in the first half; against teamname
teamname: beat beat beaten [nx] | teamname | in the final; by NUMBERWORD goal.s | easily
person: watch [ph] | the competition | on television~; from the stand; with my friend
person: buy bought bought | a ticket | !+for the competition; at the stadium
person: join [y] | the club | as a goalkeeper
person: break broke broken [n] | the record | by NUMBERWORD second.s
person: replace | the goalkeeper | in the second half; after the injury
person: swim swam swum [phx] | | !across the lake
person: ride rode ridden [phx] | my bicycle | !up the hill; to the stadium
person: encourage | the team | !before the final; !with a short speech
person: warm [p] +up | | !before the match; on the grass~
the referee: blow blew blown [x] | the whistle | !after ninety minute.s
the referee: show showed shown [i] | the striker | a red card
the coach: praise | the team | !for the performance; after the match
the coach: blame | the defender | !for the defeat
teamname: win won won [n] | the match | !+against teamname | deservedly
teamname: sign | a new striker | !from teamname
the crowd: cheer [p] | | after the goal | loudly
the match: end [nx] | | !in a draw; after extra time~
the race: start [nx] | | !at CLOCK; in front~ of the town_hall
""",
        "competition gear",
        (
            "result.s of the weekend",
            "a draw in the rain~",
            "a new coach for teamname",
            "teamname against teamname",
        ),
        ("the match", "the referee", "the final", "the injury"),
    ),
    Topic(
        "home",
        "relative worker",
        """
person: paint [p] | the painted | with a new brush; with my relative | carefully
person: repair [p] | the machine | with a tool; in the garage | quickly; carefully
person: clean [ph] | the room | before the party; with my relative | thoroughly
person: open | the window | in the bedroom | quietly; slowly
person: close | the door | | quietly
person: move [p] | the furniture | !into the room; with my relative | slowly; carefully
person: switch +off | the radio | in the evening | immediately
person: turn +on | the machine | in the kitchen |
person: feed fed fed [ph] | the pet | in the morning; in the kitchen
person: sleep slept slept [phnx] | | !on the sofa; !in the attic
person: wear wore worn [pxn] | a clothes | !to the party; !to the wedding
person: wash [p] | my clothes | by hand~; in cold water~ |
person: hang hung hung | the picture | !above the sofa; !in the hall; !next_to the door
person: throw threw thrown +away | the furniture | after the move |
person: build built built [p] | a shelf | !in the garage; !for the living_room
person: clear [p] +up | the room | after the party; with my relative | quickly
person: watch [ph] | the broadcast | on television~; with my relative; in the living_room
person: celebrate [pxy] | my birthday | with my relative; in the garden
person: look [px] +after | the pet | during the holiday.s
person: wake woke woken [nx] +up | | !in the night
person: put put put [x] | the portable | !on the table; !under the bed
person: own [sx] | a vehicle | |
person: need [sx] | a new machine | |
person: move [pxy] | | !to city; !into a new home; with my relative
person: lock | the front_door | before the trip |
person: break broke broken [n] | the window | !with a ball
the pet: sleep slept slept [phx] | | !on the sofa; !under the table; !in my basket
the pet: chase [p] | a bird | !through the garden | happily
the machine: break broke broken [nx] +down | | during the night
the house: belong [sx] | | !to my relative
the telephone: ring rang rung [pnx] | | !in the hall; during dinner~ | suddenly
""",
        "furniture machine house_part clothes",
        ("a new kitchen", "news~ from the family", "note.s for the babysitter", "table and chair.s for sale~"),
        ("the noise~", "the rent", "the heating~", "the birthday"),
    ),
    Topic(
        "garden",
        "relative worker friend",
        """
person: plant [p] | a tree | in the garden; behind the house; with my relative |
person: water [ph] | the plant.s | in the evening; with a hose
person: pick [p] | the crop.s | for the salad; with my relative |
person: dig dug dug [p] | a hole | !for the tree; !with a spade
person: cut cut cut [p] | the grass~ | with a lawnmower; behind the house
person: grow grew grown [hp] | crop.s | !in the garden; !behind the house; !for the market
person: feed fed fed [ph] | the farm_animal.s | in the morning
person: watch [ph] | the bird.s | from the window
person: build built built [p] | a fence | !around the garden; with my friend
person: collect [p] | some leaf/leaves.s | !for the compost~
person: sell sold sold [h] | crop.s | !at the market; !to my friend
person: see saw seen [nx] | a wild | !in the garden; !near the fence
person: protect | the plant.s | !from the frost~
person: lend lent lent [i] | my friend | a tool
person: sit sat sat [pxs] | | !under the tree; !on the bench
person: prune [h] | the tree | with a saw |
person: love [sx] | plant.s | |
person: milk [ph] | the cow.s | before breakfast~
the bird: sing sang sung [phx] | | !in the tree; !on the roof | loudly
the bird: build built built [p] | a nest | !in the tree; under the roof
the wild: eat ate eaten [x] | the crop.s | during the night
the plant.s: need [sx] | some water~ | |
the plant.s: bloom [pnx] | | !in front~ of the house; !by the gate | early
the farm_animal.s: escape [nx] | | !from the field; !through the gate
the farm_animal.s: stand stood stood [pxs] | | !in the field; !under the tree
the tree: fall fell fallen [nx] | | !on the fence; !across the road
""",
        "plant crop tool farm_animal",
        ("the garden in spring~", "work~ for October", "bird.s at the window", "a year on the farm"),
        ("the fence", "the weather~", "the harvest", "the hedge"),
    ),
    Topic(
        "market",
        "expert official",
        """
the price_kind: rise rose risen [pnxy] | | !by PERCENT | sharply; slightly
the price_kind: fall fell fallen [pnxy] | | !by PERCENT | sharply; again
figure: increase [pnxy] | | !by PERCENT; in country; in the second quarter | slightly; sharply
figure: decline [pnxy] | | !in country; in the first quarter | slightly
companyname: sell sold sold [py] | NUMBER product.s | !in country; !in the U.S.
companyname: buy bought bought [y] | a small company | !in city; for PRICE_MILLION
companyname: announce | the result.s | !+for the first quarter
companyname: open [ny] | a new factory | !in city; !in the U.S.; for PRICE_MILLION
companyname: employ [s] | NUMBER employee.s | !in country
companyname: cut cut cut [y] | NUMBER job.s | !in city; after a bad year
companyname: import [hy] | goods | !from country; by ship~
the company: invest [py] | PRICE_MILLION | !in the factory; in new machine.s
the company: lose lost lost [nxy] | PRICE_MILLION | !in country; !because_of the strike
the company: pay paid paid [y] | a high fine | !+for the delay
the expert: expect [sx] | lower price.s | !in the second quarter; !for goods
the expert: warn [p] | | !of a crisis; !against higher price.s
the expert: predict | a good year | !for the company; !for export.s
the expert: publish [y] | a report | !+on the price of goods
the institution: raise [y] | the tax | !+on goods; by PERCENT
the institution: lower [y] | the rate | !by PERCENT; after the election
the institution: support [s] | the reform | |
the bank: lend lent lent | PRICE_MILLION | !to the company
the employee.s: earn [sx] | twenty euro.s per hour |
the employee.s: strike struck struck [px] | | !for higher wage.s; in city
the customer: pay paid paid | PRICE | !for the toy; !for the glove.s; in the shop
the customer: spend spent spent | PRICE | !on toy.s
exports/exports.s: reach [n] | PRICE_MILLION | in the third quarter
country: export [h] | goods | !to country
person: analyse [p] | the result.s of companyname | in a report
person: sell sold sold | NUMBER share.s | !+in companyname; after the announcement
person: invest [py] | PRICE_MILLION | !in companyname; !in a factory
person: criticise [p] | the reform | in the newspaper; during the debate | sharply
person: welcome | the reform | |
person: buy bought bought | NUMBER share.s | !+in companyname
person: discuss [p] | the crisis | !with the minister; at the conference
person: found founded founded [y] | a small business | !in city; !with a loan from the bank
person: manage [s] | a small factory | !in city
""",
        "price_kind product",
        ("market report", "business~ in country", "a good year for companyname", "work~ and wage.s"),
        ("the crisis", "the strike", "the merger", "the reform"),
    ),
    Topic(
        "health",
        "patient",
        """
the doctor: examine [p] | the patient | in the surgery; after the accident | carefully; immediately
the medic: prescribe | a medicine | !for the complaint
the surgeon: operate [px] | | !on the patient | immediately
person: take took taken [h] | the medicine | !before breakfast~; with a glass of water~ | regularly
person: suffer [pnx] | | !from a complaint
person: break broke broken [nx] | my body_part | !in an accident; !in the mountain.s
person: stay [x] | | !in bed~; for NUMBERWORD day.s
person: visit | my relative | !in the hospital; !at saintname
person: call | the doctor | because_of the fever | immediately
person: make made made | an appointment | !+with the dentist; for Monday
person: catch caught caught [nx] | a cold | !at school~; !on the train
person: recover [pnx] | | !from the operation; at home~ | slowly; quickly
person: give gave given +up | coffee~ | for my health~ |
person: bring brought brought [i] | my relative | some flower.s
person: sleep slept slept [nx] | | !without a tablet | badly; well
person: wait [px] | | !for the result.s; in the waiting_room | patiently
person: drink drank drunk [h] | some tea~ | !with honey~; !before bed~
person: hurt hurt hurt [nx] | my body_part | !in the garden; !on the stair.s
person: take took taken [x] | my relative | !to the hospital; by taxi~
person: ask | the pharmacist | !for a medicine
the nurse: change [p] | the bandage | | carefully
the nurse: measure | the blood_pressure~ of the patient | before lunch~ |
the doctor: recommend | a long rest | !after the operation
the medicine: help [sx] | | !against the complaint
the surgery: close [nx] | | !at CLOCK; on Friday
the operation: last [sx] | | !for NUMBERWORD hour.s
the ambulance: arrive [nx] | | !after NUMBERWORD minute.s
""",
        "medicine complaint",
        ("tip.s for a good night", "after the operation", "cough.s and cold.s", "news~ from the hospital"),
        ("the operation", "the tablet", "the diet", "the pain~"),
    ),
    Topic(
        "culture",
        "artist",
        """
person: play [phx] | the instrument | !in an orchestra; !at the concert | beautifully; badly
person: sing sang sung [p] | a song | !for the audience; !with a choir | beautifully; softly
person: paint [py] | a portrait | !+of my relative; in the studio
person: write wrote written [py] | a novel | !+about a detective; !+about life~ in city
person: see saw seen [nx] | the play | !at the theatre; with my relative
person: visit | the exhibition | !in the museum; with my friend
person: admire [p] | the art | !in the museum
person: buy bought bought | NUMBERWORD ticket.s | !+for the concert; !+for the play; !+for the opera
person: read read read [ph] | a novel | !+by fullname; on the train
person: compose [py] | a sonata | !+for the piano; !+for the violin
person: direct [py] | the play | !at the theatre
person: act [pxy] | | !in a film | brilliantly
person: review | the reviewed | !for the newspaper; !in a magazine
person: collect [hp] | painting.s | !+from country; !+by fullname
person: donate [y] | the art | !to the museum
person: dance [ph] | | !on the stage; !with my friend | gracefully
person: publish [y] | a novel | !+about country; in city
person: rehearse [p] | the play | !with the director
the thief/thieves: steal stole stolen [x] | the art | !from the museum; during the night
person: like [sx] | the show | |
person: win won won [ny] | a prize | !+for the novel
the audience: applaud [p] | | !after the concert; !for NUMBERWORD minute.s | loudly
the museum: show showed shown [p] | art.s | !+from country; !+by fullname
the concert: begin began begun [nx] | | !at CLOCK; !with a sonata
the critic: praise | the singer | !for the performance
the novel: tell told told [s] | the story | !+of a family
the painting: hang hung hung [sx] | | !in the museum; !above the entrance
""",
        "show art music",
        ("a night at the opera", "book.s for the summer", "new painting.s at the museum", "review of a concert"),
        ("the exhibition", "the ending", "the ticket", "the singer"),
    ),
    Topic(
        "town",
        "citizen",
        """
the council: build built built [py] | a new public_work | !in streetname; !near the river; for PRICE_MILLION
the institution: approve | the law | !after a long debate; despite the protest.s
the council: close [p] | the public_work | !for NUMBERWORD week.s
the mayor: open [n] | the public_work | !in streetname; with a short speech
the official: reject | the proposal | !+of the committee | immediately
the mayor: promise [x] | a new public_work | !before the election
the official: discuss [p] | the law | !with the citizen.s
the official: answer | the question.s | !+of the journalist.s | patiently; calmly
the citizen.s: complain [p] | | !about the noise~; !about the traffic~
the citizen.s: protest [px] | | !against the law; in front~ of the town_hall | loudly
the citizen.s: support [sx] | the proposal | |
the citizen.s: collect [px] | signature.s | !+against the law; !+for a new playground
the voter.s: elect [ny] | a new mayor | |
the police^: arrest [x] | a stranger | !in streetname; !after the robbery; !near the station
the police^: find found found [nx] | the stolen road_vehicle | !in the forest; !behind the station
the police^: stop stopped stopped [x] | the driver | !on the bridge; !in streetname
the police^: search [p] | the house | !for the thief/thieves
the detective: question [p] | the stranger | !about the robbery; at the police_station | calmly
the witness: describe | the thief/thieves | !to the police^
the thief/thieves: steal stole stolen | a lost | !from a tourist; at the station
the driver: lose lost lost [nx] | control~ | !+of the road_vehicle
the road_vehicle: hit hit hit [nx] | a tree | !in streetname; !near the school
person: park | my vehicle | !in streetname; !in front~ of the church; !near saintname
person: lose lost lost [nxy] | my job | !at the factory; !after NUMBERWORD year.s
person: report [x] | the accident | !to the police^ | immediately
person: see saw seen [nx] | the accident | !from the window; in streetname
person: vote [x] | | !for the mayor; !against the plan
the journalist: interview [p] | the official | !about the law
the bus: stop stopped stopped [nx] | | !in streetname; !in front~ of the church
the firefighter.s: rescue [x] | a cat | !from the roof; !from a tree
""",
        "public_work law building",
        ("news~ from city", "report of the police^", "letter.s to the editor", "work~ on the bridge"),
        ("the traffic~", "the election", "the tax", "the new road"),
    ),
    Topic(
        "weather",
        "citizen",
        """
the storm: destroy [nx] | NUMBERWORD house.s | !in the village; !near the coast
the storm: damage [n] | the damage | !in the village; near city | badly
the storm: reach [nx] | the coast | !during the night; !before noon~
the storm: move [pnx] | | !towards city; across the country | slowly; quickly
snow~: block [nx] | the road | !to the village; in the mountain.s
the wind: blow blew blown [pnx] | | !from the north
the sun: shine shone shone [pnx] | | !over the lake; !in the south | brightly
the sun: rise rose risen [nx] | | !over the lake; !behind the hill.s
the river: flood [nx] | the village | !after the rain~; !during the night
the temperature: fall fell fallen [pnx] | | !to NUMBERWORD degree.s | sharply
the temperature: rise rose risen [pnx] | | !to thirty degree.s; in the south
the fog: disappear [nx] | | !before noon~
snow~: fall fell fallen [pnx] | | !in the mountain.s; during the night | again
rain~: fall fell fallen [pnx] | | !in the west; !in the north | heavily
person: clear [p] | the snow~ | !from the path; with a shovel
person: need [sx] | an umbrella | |
person: forget forgot forgotten [n] | my umbrella | !on the bus; !at home~
person: wear wore worn [pxn] | a warm clothes | |
person: cancel cancelled cancelled [xn] | the outing | !because_of the storm
person: stay [px] | | !at home~; because_of the storm
person: measure | the temperature | in the garden
person: repair [p] | the roof | !after the storm
person: watch [p] | the storm | !from the window; with my relative
person: ski [px] | | !in the mountain.s; with my friend
the forecaster: predict | more rain~ | !for the weekend; !for the coast
the forecaster: warn [p] | | !of a storm; !of flood.s
the train: stop stopped stopped [nx] | | !because_of the storm
the lake: freeze froze frozen [nx] | | !during the night
""",
        "landscape house_part",
        ("weather~ for the weekend", "a storm over the coast", "snow~ in the mountain.s", "a hot summer"),
        ("the weather~", "the storm", "the forecast", "the cold~"),
    ),
    Topic(
        "shopping",
        "customer",
        """
person: buy bought bought [ph] | some grocery | !at the market; for dinner~; for PRICE
person: buy bought bought | a clothes | !at the market; !at the department_store; !for the wedding
person: try tried tried [p] +on | the clothes | in front~ of the mirror
person: pay paid paid [x] | PRICE | !for the clothes
person: choose chose chosen | a present | !for my relative
person: return | the clothes | !to the shop
person: carry carried carried [p] | the amount | !to the car; !up the stair.s
person: compare [ph] | the price.s | !on the internet
person: order | a present | !on the internet; for my relative
person: sell sold sold [p] | crop.s | !at the market; for PRICE
person: weigh | the produce.s | |
person: wrap wrapped wrapped [p] +up | the present | !in red paper~ | carefully
person: lose lost lost [nx] | my purse | !at the market; in the shop
person: need [sx] | some grocery | for dinner~ |
person: spend spent spent | PRICE | !on clothes^
person: forget forgot forgotten [n] | the milk~ | !at the supermarket; !on the counter
person: exchange | the footwear.s | !for a larger size
person: like [sx] | the clothes | !+in the window
person: taste | the cheese~ | !at the market
person: push [p] | the trolley | !through the supermarket; to the car | slowly
the assistant: advise | the customer | !about the product | politely
the shop: offer [sx] | some fruit~ | !from country
the shop: close [nx] | | !for the holiday.s
the clothes: cost cost cost [sx] | PRICE | |
the clothes: fit fit fit [sx] | my relative | | perfectly
the seller: recommend | the crop.s |
the seller: fill | the basket | !with crop.s
the market: take took taken [x] | place~ | !in the square
""",
        "clothes produce product",
        ("list for the market", "present.s for the family", "opening_hour.s in December", "price.s at the market"),
        ("the price", "the quality~", "the sale", "the receipt"),
    ),
)
