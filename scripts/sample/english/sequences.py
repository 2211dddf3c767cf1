"""Events of the English sample that belong together: one after the other, or at the same time.

An event is written as in topics, with at most one phrase, which is always there. In SEQUENCES, one person does the
first thing and then the second; ``it`` and ``them`` are the object of the first. In MEANWHILE, a person does the
first thing while something else happens; without a subject, it is the same person who does the second thing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from sample.english.frames import Frame, frame_of

SEQUENCES = {
    "kitchen": """
peel | the potato/potatoes.s | > boil | them | for twenty minute.s
chop chopped chopped | the onion.s | > fry fried fried | them | in butter~
wash | the lettuce~ | > make made made | a salad
lay laid laid | the table | > call | the child/children.s | to dinner~
bake | a birthday_cake | > decorate | it | with cream~
cook | a dish | > invite | my neighbour.s | to supper~
make made made | some coffee~ | > slice | the apple_pie
mix | the flour~ | with the butter~ > add | some sugar~
beat beat beaten | NUMBERWORD egg.s | > pour | them | into a hot pan
burn | the first cake | > make made made | a second cake
finish | my soup~ | > order | a dessert
read read read | the menu | > order | a dish
clear | the table | > wash | the plate.s
open | the oven | > take took taken +out | the cake
buy bought bought | some produce.s | at the market > make made made | a soup
taste | the sauce | > add | some salt~
drop dropped dropped | a glass | > sweep swept swept +up | the piece.s
""",
    "office": """
print | the document | > sign | it
write wrote written | a letter | to the customer > send sent sent | it | by e-mail~
read read read | the contract | > call | the lawyer
check | the number.s | > find found found | a mistake
copy copied copied | the report | > give gave given | it | to the director
switch +on | the computer | > answer | my e-mail.s
finish | the presentation | > go went gone | | to lunch~
prepare | the meeting | > book | a conference_room
attend | the office_event | > write wrote written | a short report
repair | the printer | > test | it
apply applied applied | | for the job > get got got | an interview
leave left left | the office | > take took taken | the bus
discuss | the budget | > reject | it
make made made | some tea~ | > start | the computer
meet met met | the client | > explain | the contract
lose lost lost | the invoice | > ask | the accountant | for a copy
""",
    "travel": """
pack | my suitcase | > call | a taxi
buy bought bought | a ticket | > get got got | | on the train
arrive | | at the hotel > unpack | my luggage
miss | the train | > take took taken | the bus
climb | the tower | > take took taken | some photograph.s
rent | a car | > drive drove driven | | to the coast
book | a flight to city | > reserve | a hotel_room
visit | the cathedral | > have had had | lunch~ | in the square
lose lost lost | my passport | > go went gone | | to the embassy
walk | | along the beach > watch | the sunset
leave left left | the hotel | > walk | | to the station
change | some money~ | > buy bought bought | a map
spend spent spent | NUMBERWORD day.s | in city > travel travelled travelled | | to country
swim swam swum | | in the lake > lie lay lain | | in the sun
ask | a policeman | for the way > find found found | the museum
cross | the border | > stop stopped stopped | | for the night
""",
    "school": """
read read read | the chapter | > write wrote written | an essay
do did done | my homework~ | > play | football~
learn learned learned | the poem | > recite | it | in class~
solve | the equation | > check | the result
open | my book | > read read read | the first page
pass | the exam | > celebrate | | with my friend.s
fail | the test | > repeat | it | in June
study studied studied | physics~ | in city > find found found | a job
practise | the song | > perform | it | at the concert
forget forgot forgotten | my pencil | > borrow | a pen
draw drew drawn | a horse | > colour | it
finish | the test | > leave left left | the room
ask | the teacher | for help~ > understand understood understood | the exercise
visit | the museum | > write wrote written | a report
""",
    "sports": """
warm +up > run ran run | | for an hour
win won won | the race | > receive | a medal
score | the first goal | > celebrate | | with the fan.s
miss | a penalty | > leave left left | the pitch
catch caught caught | the ball | > throw threw thrown | it | to the captain
hurt hurt hurt | my ankle | > miss | the final
train | | for NUMBERWORD month.s > run ran run | a marathon
buy bought bought | a racket | > join | the tennis_club
win won won | NUMBERWORD match/matches.s | > reach | the final
swim swam swum | NUMBERWORD length.s | > have had had | a shower
lose lost lost | the match | > congratulate | the winner
put put put +on | my boot.s | > run ran run | | onto the pitch
take took taken | the ball | > shoot shot shot | | at the goal
watch | the match | > go went gone | | to the pub
""",
    "home": """
clean | the bathroom | > wash | the floor
feed fed fed | the cat | > go went gone | | to work~
lock | the door | > go went gone | | to bed~
wash | my shirt.s | > iron | them
build built built | a bookcase | > paint | it
repair | the washing_machine | > wash | the sheet.s
open | the window | > look | | into the garden
wake woke woken +up > make made made | breakfast~
switch +off | the television | > read read read | a book
move | | to city > rent | a small flat
hear heard heard | a noise | > switch +on | the light
sell sold sold | the sofa | > buy bought bought | an armchair
paint | the door | > clean | the brush.s
take took taken +off | my shoe.s | > sit sat sat +down | | on the sofa
wrap wrapped wrapped +up | the present | > hide hid hidden | it | under the bed
tidy tidied tidied | the room | > throw threw thrown +away | the old newspaper.s
find found found | the key | > open | the cellar
""",
    "garden": """
dig dug dug | a hole | > plant | a tree
pick | the crop.s | > sell sold sold | them | at the market
cut cut cut | the grass~ | > water | the plant.s
rake | the leaf/leaves.s | > burn | them
feed fed fed | the hen.s | > collect | the egg.s
sow sowed sown | some carrot.s | > water | them
prune | the tree | > carry carried carried | the branch.s | to the compost~
build built built | a fence | > paint | it
see saw seen | a fox | > close | the gate
milk | the cow.s | > have had had | breakfast~
pick | some flower.s | > put put put | them | in a vase
buy bought bought | some rose.s | > plant | them | by the gate
repair | the shed | > clean | the tool.s
sit sat sat +down | | on the bench > listen | | to the bird.s
water | the tomato/tomatoes.s | > close | the greenhouse
""",
    "market": """
analyse | the number.s | > publish | a report
found founded founded | a small firm | in city > sell sold sold | it | to companyname
buy bought bought | NUMBER share.s | > sell sold sold | them | at a profit
borrow | PRICE_MILLION | > build built built | a factory
study studied studied | the result.s | > warn | | of a crisis
leave left left | companyname | > found founded founded | a small business
criticise | the reform | > propose | a new tax
visit | the factory | > speak spoke spoken | | to the employee.s
discuss | the merger | > sign | the contract
""",
    "health": """
catch caught caught | a cold | > stay | | in bed~
break broke broken | my leg | > spend spent spent | NUMBERWORD week.s | in hospital~
call | the doctor | > make made made | an appointment
take took taken | a tablet | > go went gone | | to bed~
measure | my temperature | > call | the doctor
fall fell fallen | | from a ladder > go went gone | | to the doctor
leave left left | the hospital | > take took taken | a taxi
drink drank drunk | some tea~ | > lie lay lain +down | | on the sofa
cut cut cut | my finger | > call | the nurse
have had had | an operation | > recover | | at home~
give gave given +up | cigarette.s | > join | a gym
wait | | for an hour > see saw seen | the doctor
go went gone | | to the pharmacy > buy bought bought | some cough_syrup~
visit | my grandmother | in hospital~ > bring brought brought | some flower.s
""",
    "culture": """
write wrote written | a song | > sing sang sung | it | at a wedding
read read read | the novel | > watch | the film
buy bought bought | NUMBERWORD ticket.s | > invite | my friend.s | to the concert
paint | a portrait | > sell sold sold | it | to a museum
see saw seen | the play | > write wrote written | a review
finish | my first novel | > send sent sent | it | to a publisher
practise | the sonata | > play | it | at the concert
visit | the exhibition | > buy bought bought | a catalogue
study studied studied | music~ | in city > join | an orchestra
compose | an opera | > conduct | it | in city
win won won | a prize | > thank | the audience
take took taken | some photograph.s | > show showed shown | them | to a gallery
leave left left | the theatre | > go went gone | | to a bar
learn learned learned | the part | > rehearse | it | with the director
""",
    "town": """
see saw seen | the accident | > call | the police^
read read read | the proposal | > sign | the petition
park | my car | > walk | | to the town_hall
find found found | a wallet | > take took taken | it | to the police_station
attend | the meeting | > ask | NUMBERWORD question.s
lose lost lost | my job | > move | | to city
write wrote written | a letter | to the mayor > receive | a polite answer
hear heard heard | a loud bang | > run ran run | | to the window
collect | NUMBER signature.s | > give gave given | them | to the council
leave left left | the town_hall | > talk | | to the journalist.s
vote | | against the plan > explain | my decision
witness | the robbery | > describe | the thief
""",
    "weather": """
see saw seen | the cloud.s | > close | the window.s
clear | the snow~ | > drive drove driven | | to work~
hear heard heard | the forecast | > cancel cancelled cancelled | the picnic
forget forgot forgotten | my umbrella | > catch caught caught | a cold
put put put +on | a warm coat | > go went gone | | for a walk
watch | the storm | > go went gone | | to bed~
check | the roof | > repair | it
light lit lit | a fire | > make made made | some tea~
look | | at the sky > take took taken | an umbrella
slip slipped slipped | | on the ice~ > go went gone | | to the doctor
""",
    "shopping": """
try tried tried +on | the jacket | > buy bought bought | it
choose chose chosen | a present | > wrap wrapped wrapped | it | in red paper~
compare | the price.s | > choose chose chosen | a new camera
weigh | the apple.s | > put put put | them | in a bag
fill | the trolley | > go went gone | | to the till
lose lost lost | my purse | > call | the shop
buy bought bought | a clothes | > wear wore worn | it | to the party
order | a book | > collect | it | on Friday
keep kept kept | the receipt | > return | the shoe.s
pay paid paid | the bill | > carry carried carried | the bag.s | to the car
taste | the cheese~ | > buy bought bought | a large piece
write wrote written | a shopping_list | > drive drove driven | | to the supermarket
forget forgot forgotten | the milk~ | > go went gone +back | | to the shop
visit | the market | > buy bought bought | some grocery
""",
}

MEANWHILE = {
    "kitchen": """
cook | dinner~ | > the telephone: ring rang rung
make made made | breakfast~ | > listen | | to the radio
wash | the plate.s | > the guest.s: talk | | in the living_room
peel | the potato/potatoes.s | > my relative: lay laid laid | the table
wait | | for the soup~ > read read read | the menu
""",
    "office": """
write wrote written | the report | > the computer: crash
wait | | for the client > check | my e-mail.s
talk | | on the telephone > the director: come came come +in
print | the contract | > the printer: break broke broken +down
""",
    "travel": """
wait | | for the bus > buy bought bought | a newspaper
travel travelled travelled | | through country > meet met met | an old friend
pack | my suitcase | > the taxi: arrive
sleep slept slept | | on the train > a thief: steal stole stolen | a camera
""",
    "school": """
solve | the equation | > the bell: ring rang rung
do did done | my homework~ | > listen | | to music~
write wrote written | the test | > the teacher: read read read | a newspaper
study studied studied | | in city > work | | in a café
""",
    "sports": """
train | | for the marathon > hurt hurt hurt | my knee
celebrate | | on the pitch > the fan.s: sing sang sung
run ran run | | through the park > a dog: run ran run | | across the path
watch | the final | > the television: break broke broken +down
wait | | for the race > warm +up
""",
    "home": """
clean | the kitchen | > find found found | an old photograph
paint | the ceiling | > fall fell fallen | | from the ladder
read read read | the newspaper | > the doorbell: ring rang rung
watch | a film | > the cat: sleep slept slept | | on the sofa
repair | the roof | > my neighbour: hold held held | the ladder
have had had | a bath | > the telephone: ring rang rung
""",
    "garden": """
dig dug dug | a hole | > find found found | an old coin
water | the plant.s | > the dog: chase | the hen.s
pick | the apple.s | > sing sang sung | an old song
sit sat sat | | under the tree > a bird: land | | on the bench
""",
    "market": """
analyse | the number.s | > find found found | NUMBERWORD mistake.s
discuss | the merger | > the share.s: fall fell fallen | | by PERCENT
speak spoke spoken | | at the conference > the employee.s: protest | | in the street
""",
    "health": """
wait | | for the doctor > read read read | a magazine
recover | | at home~ > my neighbour: look +after | the dog
lie lay lain | | in hospital~ > my friend: water | the plant.s
sleep slept slept | > the nurse: change | the bandage
""",
    "culture": """
paint | the portrait | > listen | | to music~
visit | the museum | > lose lost lost | my coat
wait | | for the concert > drink drank drunk | a glass of wine~
rehearse | the play | > the light.s: go went gone +out
""",
    "town": """
cross | the road | > see saw seen | the accident
wait | | at the town_hall > read read read | the petition
park | my car | > a motorcycle: hit hit hit | the gate
speak spoke spoken | | to the voter.s > a photographer: take took taken | NUMBERWORD picture.s
""",
    "weather": """
clear | the snow~ | > slip slipped slipped | | on the ice~
drive drove driven | | to work~ > the storm: begin began begun
sleep slept slept | > the river: flood | the cellar
""",
    "shopping": """
wait | | at the till > count | my money~
compare | the price.s | > meet met met | a neighbour
look | | for a present > find found found | an old map
""",
}


@dataclass(frozen=True)
class Pair:
    """Two events that belong together."""

    first: Frame
    second: Frame


def event_of(line: str) -> Frame:
    """Return the frame of an event, whose phrase must be there."""
    subject, separator, rest = line.partition(":")
    if not separator:
        subject, rest = "person", line
    fields = [field.strip() for field in rest.split("|")]
    if len(fields) > 2 and fields[2]:
        fields[2] = "!" + fields[2]
    return frame_of(f"{subject.strip()}: " + " | ".join(fields))


@cache
def pairs_of(lines: str) -> tuple[Pair, ...]:
    """Return the pairs of events of a topic."""
    pairs = (line.split(">") for line in lines.strip().splitlines())
    return tuple(Pair(event_of(first), event_of(second)) for first, second in pairs)
