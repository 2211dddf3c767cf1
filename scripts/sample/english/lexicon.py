"""The vocabulary of the English sample, by classes that verbs and adjectives select.

Notation of nouns: ``apple`` has a regular plural, ``child/children`` an irregular one, ``rice~`` is a mass noun,
``scissors^`` has a plural only, ``bus_stop`` is a compound. Names have no article.
"""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


NOUNS = {
    # people
    "relative": "mother father sister brother aunt uncle cousin grandmother grandfather niece nephew",
    "child": "daughter son grandson granddaughter",
    "friend": "friend neighbour roommate colleague friend",
    "guest": "guest visitor customer tourist",
    "cook": "cook chef baker waiter waitress",
    "staff": "manager secretary assistant accountant engineer lawyer director programmer intern receptionist",
    "customer": "customer client buyer shopper",
    "seller": "farmer butcher grocer baker florist fishmonger stallholder",
    "pupil": "pupil student girl boy",
    "teacher": "teacher professor headmistress tutor",
    "athlete": "player runner goalkeeper captain striker swimmer defender midfielder sprinter",
    "medic": "doctor nurse dentist surgeon specialist pharmacist",
    "patient": "patient man/men woman/women boy girl",
    "worker": "plumber electrician carpenter painter builder gardener mechanic",
    "traveller": "traveller tourist passenger hiker cyclist",
    "artist": "artist painter singer actor actress writer musician photographer dancer pianist",
    "citizen": "resident pensioner shopkeeper driver cyclist",
    "official": "mayor minister councillor spokesman/spokesmen spokeswoman/spokeswomen inspector senator",
    "expert": "economist analyst expert scientist professor researcher",
    "forecaster": "meteorologist forecaster expert scientist",
    "officer": "policeman/policemen detective guard firefighter",
    "stranger": "man/men woman/women stranger boy girl tourist driver",
    "profession": "teacher nurse lawyer dentist engineer plumber journalist carpenter architect pilot "
    "librarian vet "
    "photographer gardener translator",
    # animals and plants
    "pet": "dog cat rabbit puppy kitten hamster parrot",
    "bird": "bird robin blackbird crow owl sparrow duck",
    "farm_animal": "cow sheep/sheep goat pig horse hen donkey lamb",
    "wild": "fox squirrel hedgehog deer/deer rabbit badger mouse/mice",
    "plant": "rose tulip sunflower daisy lily daffodil bush fern",
    "tree": "apple_tree cherry_tree oak willow pear_tree chestnut birch",
    "crop": "potato/potatoes tomato/tomatoes carrot bean onion pumpkin strawberry leek",
    # food and drink
    "produce": "apple carrot onion potato/potatoes tomato/tomatoes pear lemon mushroom cucumber "
    "pepper plum courgette",
    "dish": "soup stew salad omelette curry lasagne risotto pie casserole",
    "baked": "cake apple_pie loaf/loaves cherry_tart biscuit muffin birthday_cake pizza bun",
    "cake_kind": "cake apple_pie birthday_cake loaf/loaves pizza cherry_tart",
    "drink": "coffee~ tea~ lemonade~ orange_juice~ water~ milk~ cocoa~ cider~",
    "ingredient": "flour~ sugar~ butter~ salt~ pepper~ rice~ cream~ honey~ garlic~ vinegar~ cinnamon~ cheese~",
    "seasoning": "salt~ pepper~ cream~ garlic~ butter~ cheese~",
    "grocery": "bread~ cheese~ rice~ fish~ ham~ yoghurt~ fruit~ chocolate~ jam~ pasta~ olive_oil~",
    "meal": "breakfast~ lunch~ dinner~ supper~",
    "kitchenware": "pan pot bowl plate saucepan dish jug tray",
    "cutting": "knife/knives peeler grater",
    "portable": "box basket bag parcel vase suitcase rucksack",
    "container": "box basket bag drawer cupboard suitcase rucksack",
    "vessel": "cup glass bottle mug jug",
    # places
    "room": "kitchen bedroom living_room bathroom hall attic cellar garage study",
    "in_place": "garden park library museum village café forest restaurant square courtyard",
    "at_place": "station airport hotel market theatre supermarket bus_stop post_office cinema harbour",
    "to_place": "station park library museum beach market church zoo theatre post_office bank cinema airport",
    "shop_kind": "shop supermarket bakery bookshop pharmacy market department_store florist",
    "building": "house church school hotel bridge library hospital town_hall castle tower station",
    "sight": "cathedral castle museum palace tower zoo aquarium gallery",
    "painted": "door window_frame wall fence ceiling gate bench staircase",
    "reviewed": "film play exhibition documentary opera novel",
    "outing": "picnic excursion party match concert festival",
    "home": "house flat cottage apartment bungalow",
    "landscape": "valley hill lake river coast forest mountain island bay",
    "street_place": "corner crossing bridge roundabout traffic_light",
    "work_place": "office factory warehouse laboratory studio workshop",
    "institution": "council government ministry",
    "company": "company firm factory bank airline publisher supplier brewery",
    # things
    "furniture": "table chair sofa bed desk bookcase wardrobe armchair bench cupboard shelf/shelves",
    "lost": "key wallet phone umbrella passport ring glove scarf/scarves purse handbag watch",
    "clothes": "coat jacket shirt jumper hat scarf/scarves suit pullover raincoat cardigan anorak",
    "footwear": "shoe boot sandal slipper sock trainer",
    "present": "book watch necklace scarf/scarves bicycle toy game camera teapot puzzle bracelet",
    "reading": "book newspaper magazine novel letter article poem report comic diary",
    "library_item": "book novel comic magazine atlas dictionary",
    "writing": "letter report essay poem article e-mail postcard note story",
    "document": "report contract invoice letter form budget proposal agenda schedule brochure",
    "signed": "contract form letter agreement",
    "office_thing": "computer printer screen keyboard telephone photocopier scanner laptop projector",
    "machine": "washing_machine dishwasher fridge boiler radio heater lawnmower oven toaster",
    "vehicle": "car van motorcycle bicycle",
    "road_vehicle": "car van lorry motorcycle taxi tractor",
    "transport": "train bus plane ferry tram coach",
    "tool": "hammer screwdriver saw spade rake ladder drill brush spanner wheelbarrow",
    "house_part": "roof door window wall floor ceiling chimney gate fence staircase",
    "school_thing": "exercise lesson test poem chapter question experiment project equation",
    "subject": "history~ geography~ mathematics~ biology~ French~ music~ chemistry~ physics~ Latin~",
    "instrument": "piano violin guitar flute trumpet cello drum clarinet",
    "music": "song symphony sonata opera concerto melody",
    "show": "film play concert exhibition musical documentary opera comedy series/series",
    "broadcast": "film series/series documentary comedy thriller",
    "art": "painting portrait statue photograph drawing sculpture landscape",
    "ticket": "ticket",
    "luggage": "suitcase bag rucksack trunk",
    "view": "view sunset lighthouse waterfall ruin cathedral palace",
    "medicine": "tablet medicine pill painkiller antibiotic",
    "body_part": "arm leg knee back shoulder ankle finger wrist",
    "complaint": "cough headache fever cold toothache rash allergy stomach_ache",
    "gear": "ball racket helmet bicycle whistle stopwatch",
    "competition": "match race tournament final championship marathon",
    "goods": "wheat~ oil~ coffee~ steel~ copper~ cotton~ gas~ sugar~ timber~ rubber~",
    "product": "phone car laptop toy bicycle camera watch washing_machine",
    "price_kind": "price rate rent cost wage",
    "figure": "demand~ inflation~ unemployment~ production~ turnover~ income~ consumption~",
    "law": "law plan budget bill proposal tax reform",
    "public_work": "bridge road school tunnel hospital stadium car_park swimming_pool playground cycle_path",
    "event": "meeting party wedding concert fair festival conference picnic ceremony lecture",
    "office_event": "meeting conference interview presentation training_course workshop",
    "trip": "journey trip flight holiday voyage tour excursion",
    "weather": "rain~ snow~ fog~ wind~ hail~ sunshine~ frost~",
    "storm": "storm thunderstorm gale",
    "damage": "tree roof fence road power_line crop",
    # abstract
    "news": "news~ decision accident wedding result holiday exam plan election",
    "problem": "problem mistake delay difficulty question complaint misunderstanding",
    "fault": "delay mistake misunderstanding noise~ mess~",
    "idea": "idea plan suggestion proposal solution answer",
    "feeling": "surprise~ joy~ relief~ anger~ disappointment~",
    "skill": "talent patience~ experience~ courage~",
    "cause": "noise~ cost delay weather~ traffic~ rain~",
    "help": "help~ advice~ support~",
    "job": "job",
    "amount": "box bag basket jar bottle tin packet",
    "group": "group team crowd class family/families",
    "morning": "morning afternoon evening",
    "season": "spring~ summer~ autumn~ winter~",
    "duration": "minute hour day week month year",
}

FEMALE = (
    "Anna Emma Clara Sophie Julia Helen Alice Grace Maria Ruth Nina Laura Rosa Hannah Eva "
    "Lucy Margaret Olivia Sarah "
    "Irene Amira Priya Chloe Ingrid Yuki Carmen Martha Esther Zoe Leila Fiona Beatrice"
)
MALE = (
    "Tom Peter David Oliver Max Paul Henry James Simon Daniel Felix George Martin Leo "
    "Adam Robert Frank Oscar Victor "
    "Hugo Ahmed Ravi Carlos Kenji Samuel Edward Patrick Louis Walter Colin Dennis Theo"
)
SURNAMES = (
    "Baker Carter Miller Keller Hughes Morgan Foster Bennett Sullivan Walsh Murray "
    "Fischer Rossi Novak Larsen Chen "
    "Patel Okafor Garcia Dubois Ellis Marsh Harper Whitfield Lawson Pearce Tanaka Sharma Ortega Quinn Holt Abbott"
)
CITIES = (
    "London Paris Berlin Vienna Dublin Leeds Oslo Madrid Lisbon Prague Boston Chicago Toronto Bristol York Geneva "
    "Hamburg Naples Athens Copenhagen Sydney Tokyo Edinburgh Cardiff Rome Seattle Krakow Antwerp Seville Bergen"
)
COUNTRIES = (
    "Italy Spain France Norway Canada Portugal Greece Scotland Ireland Poland Japan Brazil Kenya Chile Iceland"
)
COMPANIES = "Norvatek Bellwood Harrow Lumina Castellan Brightway Oakfield Solaro Trenton Meridian Quantrix Falkner"
STREETS = "Park Mill Church Station Castle Bridge Victoria Garden Market River Orchard Abbey"
TEAMS = "Rovers United Wanderers Athletic City Rangers"
SAINTS = "Mary Peter Paul John Anne Andrew"
LANGUAGES = "Spanish Italian German French Japanese Polish Arabic Portuguese"
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
MONTHS = "January February March April May June July August September October November December"
NUMBER_WORDS = "two three four five six seven eight nine ten twelve"

# Attributive adjectives by class; a class without a line takes those of "thing".
ADJECTIVES = {
    "animal": "small black old brown young hungry friendly grey little noisy",
    "plant": "beautiful yellow red small white tiny",
    "food": "fresh delicious homemade huge tasty",
    "produce": "fresh ripe large small sweet green",
    "mass_food": "fresh cheap good local cold",
    "place": "small old quiet busy nearby famous crowded pretty new little",
    "view": "beautiful famous magnificent",
    "building": "old new tall modern empty beautiful large ancient grey",
    "lost": "new old red black expensive",
    "thing": "new old small expensive beautiful cheap red heavy useful blue green second-hand black",
    "clothes": "warm new red elegant woollen expensive blue old grey thick green",
    "text": "long short interesting important funny boring brilliant",
    "document": "new important final detailed short confidential",
    "show": "new wonderful boring exciting French long popular",
    "event": "long annual successful short small",
    "abstract": "serious small difficult good new simple important strange",
    "company": "large small foreign local successful new private",
    "institution": "local new",
    "machine": "new old noisy modern expensive reliable",
    "storm": "heavy violent sudden severe terrible",
    "trip": "long short wonderful exhausting pleasant",
    "complaint": "bad mild terrible slight",
    "law": "new controversial unpopular sensible strict",
    "art": "famous valuable old small beautiful",
}
# People have adjectives only in pairs that are often said together.
PERSON_ADJECTIVES = {
    "man": "young old tall elderly",
    "woman": "young old tall elderly",
    "boy": "little shy clever",
    "girl": "little shy clever",
    "neighbour": "friendly elderly kind",
    "roommate": "new",
    "colleague": "new friendly",
    "waiter": "friendly",
    "waitress": "friendly",
    "assistant": "new",
    "intern": "new",
    "teacher": "new young patient",
    "singer": "young famous well-known",
    "actor": "young famous well-known",
    "actress": "young famous well-known",
    "writer": "young famous well-known",
    "pianist": "young famous well-known",
}
# Adjectives of predicates.
PREDICATES = {
    "person": "tired happy busy late ill nervous proud angry hungry ready surprised worried "
    "disappointed excited bored "
    "grateful lucky curious thirsty calm sad lonely",
    "animal": "hungry quiet friendly sleepy noisy",
    "food": "delicious cold ready excellent salty tasteless wonderful",
    "baked": "delicious excellent wonderful burnt",
    "cake_kind": "delicious excellent wonderful burnt",
    "place": "crowded empty closed quiet open full lovely noisy clean deserted",
    "building": "empty beautiful closed open old",
    "thing": "broken expensive useful heavy cheap dirty",
    "clothes": "comfortable wet expensive elegant dirty cheap warm",
    "text": "interesting boring long funny excellent",
    "document": "ready incomplete long correct confidential",
    "show": "excellent boring wonderful superb disappointing",
    "event": "successful boring short long interesting",
    "abstract": "serious important small",
    "price_kind": "high low stable",
    "school_thing": "difficult easy interesting long",
    "machine": "broken noisy reliable old",
    "trip": "long exhausting wonderful expensive pleasant",
    "law": "unpopular controversial necessary unfair",
    "plant": "beautiful tall dry healthy",
    "weather": "cold warm wet windy sunny foggy mild stormy cloudy hot humid",
    "transport": "late full slow crowded punctual",
    "view": "beautiful impressive magnificent disappointing",
    "medicine": "expensive effective bitter",
    "complaint": "bad mild terrible painful",
    "produce": "fresh ripe cheap sweet expensive",
    "mass_food": "fresh cheap expensive",
    "gear": "new broken expensive old",
    "house_part": "dirty new white old",
    "landscape": "beautiful peaceful magnificent",
    "competition": "exciting boring dramatic unfair",
    "art": "beautiful famous valuable strange",
    "music": "beautiful sad boring wonderful",
    "public_work": "new modern expensive closed",
}
# The class of adjectives for each class of nouns.
ADJECTIVE_CLASS = {
    "relative": "",
    "child": "",
    "view": "view",
    "lost": "lost",
    "pet": "animal",
    "bird": "animal",
    "farm_animal": "animal",
    "wild": "animal",
    "plant": "plant",
    "tree": "plant",
    "crop": "produce",
    "produce": "produce",
    "dish": "food",
    "baked": "food",
    "cake_kind": "food",
    "signed": "",
    "drink": "",
    "ingredient": "",
    "seasoning": "salt~ pepper~ cream~ garlic~ butter~ cheese~",
    "grocery": "mass_food",
    "meal": "",
    "room": "",
    "in_place": "place",
    "at_place": "place",
    "to_place": "place",
    "shop_kind": "place",
    "building": "building",
    "home": "building",
    "landscape": "place",
    "work_place": "place",
    "street_place": "",
    "institution": "institution",
    "company": "company",
    "clothes": "clothes",
    "footwear": "clothes",
    "reading": "text",
    "writing": "text",
    "document": "document",
    "machine": "machine",
    "office_thing": "machine",
    "school_thing": "text",
    "subject": "",
    "instrument": "",
    "music": "text",
    "show": "show",
    "broadcast": "show",
    "ticket": "",
    "medicine": "",
    "body_part": "",
    "complaint": "complaint",
    "competition": "event",
    "goods": "",
    "price_kind": "",
    "figure": "",
    "law": "law",
    "event": "event",
    "office_event": "event",
    "trip": "trip",
    "outing": "event",
    "sight": "building",
    "painted": "",
    "reviewed": "show",
    "weather": "",
    "storm": "storm",
    "news": "",
    "problem": "abstract",
    "fault": "",
    "art": "art",
    "idea": "abstract",
    "feeling": "",
    "skill": "",
    "cause": "",
    "help": "",
    "job": "",
    "season": "",
    "transport": "transport",
    "house_part": "",
    "damage": "",
    "product": "thing",
    "public_work": "institution",
    "amount": "",
    "morning": "",
}
PERSON_CLASSES = word_set(
    "relative child friend guest cook staff customer seller pupil teacher athlete medic patient worker "
    "traveller artist citizen official expert forecaster officer stranger profession"
)
IRREGULAR_DEGREES = {"good": ("better", "best"), "bad": ("worse", "worst")}
# Longer adjectives take more and most; these are short enough to take -er and -est.
SHORT_ADJECTIVES = word_set(
    "old young kind tall clever polite quiet small black brown hungry friendly grey little noisy yellow "
    "red white tiny fresh cold hot warm simple sweet spicy huge tasty ripe large green cheap fine busy "
    "pretty new heavy blue thick long short funny high low light severe mild strict shy happy late lucky "
    "angry calm sad dirty wet dry full slow clean windy sunny foggy cloudy thirsty sleepy salty lovely "
    "lonely proud fast wide dark easy hard"
)
# Adjectives without a comparative.
ABSOLUTE = word_set(
    "broken empty closed open full left right foreign local national private annual final confidential "
    "ready homemade woollen second-hand superb ancient daily French elderly nearby latest average black "
    "white grey brown red yellow blue green burnt deserted excellent wonderful huge delicious incomplete "
    "correct necessary exhausted sudden tiny little brilliant terrible"
)

# Nouns that a prepositional phrase often goes with: "preposition determiner class".
NOUN_PHRASES = {
    "letter": ("from my friend", "from the institution", "to the editor", "about the news"),
    "e-mail": ("from my friend", "about the office_event", "to the customer"),
    "postcard": ("from country", "from city"),
    "report": ("on the accident", "about the delay"),
    "article": ("about the election", "on the history of city"),
    "book": ("about bird.s", "about country", "about plant.s", "with picture.s"),
    "novel": ("by fullname", "about a detective", "about a murder"),
    "story": ("about a pet", "about a ghost", "about a pirate"),
    "poem": ("about the sea", "about love~", "by fullname"),
    "film": ("about a bank_robbery", "about a wedding", "with fullname"),
    "play": ("by fullname", "about a family"),
    "documentary": ("about whale.s", "about the ocean", "about country"),
    "exhibition": ("of painting.s", "about the history of city"),
    "key": ("to the house", "to the garage", "for the car"),
    "ticket": ("for the concert", "for the match"),
    "house": ("by the lake", "on the hill", "in streetname"),
    "flat": ("with a balcony", "in city", "near the park"),
    "cottage": ("by the sea", "with a view of the bay"),
    "hotel": ("near the station", "by the lake", "in the centre"),
    "restaurant": ("on the corner", "near the theatre"),
    "café": ("on the corner", "opposite the station"),
    "bakery": ("on the corner", "in streetname"),
    "bridge": ("over the river", "across the river"),
    "road": ("to the village",),
    "train": ("to city", "from city"),
    "plane": ("to city", "from city"),
    "flight": ("to city", "from city"),
    "ferry": ("to the island",),
    "journey": ("to country", "through country"),
    "trip": ("to city", "to country", "to the coast"),
    "holiday": ("in country", "by the sea"),
    "man": ("with a beard", "in a grey suit", "with a stick"),
    "woman": ("in a red coat", "with a large hat", "with curly hair~"),
    "boy": ("with red hair~", "in the front_row"),
    "girl": ("with long hair~", "in the back_row"),
    "teacher": ("from country",),
    "professor": ("of subject", "from city"),
    "friend": ("from city", "from school~", "from country"),
    "doctor": ("from the hospital", "from city"),
    "mayor": ("of city",),
    "director": ("of the company", "of the museum"),
    "minister": ("of education~", "of health~", "of transport~"),
    "manager": ("of the shop", "of the company"),
    "captain": ("of the team",),
    "resident": ("of streetname",),
    "coat": ("with a hood", "with big button.s"),
    "dress": ("with long sleeve.s", "for the wedding"),
    "table": ("by the window", "in the corner"),
    "chair": ("by the window", "next_to the door"),
    "desk": ("by the window",),
    "bag": ("of apple.s", "with the shopping~"),
    "box": ("of chocolate.s", "with the book.s"),
    "basket": ("of egg.s", "of strawberry.s"),
    "bowl": ("of soup~",),
    "cake": ("with cream~", "with strawberry.s"),
    "soup": ("with mushroom.s",),
    "salad": ("with tomato.s", "with goat_cheese~"),
    "omelette": ("with cheese~", "with mushroom.s"),
    "meeting": ("with the director", "with the customer", "about the budget"),
    "conference": ("in city", "on climate_change~"),
    "interview": ("with the mayor", "for the job"),
    "presentation": ("of the result.s", "about the project"),
    "lecture": ("on modern art~", "about the Romans^"),
    "plan": ("for the weekend", "for the new road"),
    "proposal": ("for a new bridge", "of the committee"),
    "idea": ("for a present", "for the project"),
    "problem": ("with the car", "with the computer", "with the heating~"),
    "question": ("about the exam", "about the money~"),
    "mistake": ("in the invoice", "in the report"),
    "answer": ("to the question", "to my letter"),
    "contract": ("with the supplier", "with the customer"),
    "law": ("against noise~", "on data_protection~"),
    "tax": ("on sugar~", "on petrol~"),
    "price": ("of goods", "of bread~", "of petrol~"),
    "export": ("to country",),
    "painting": ("of the harbour", "by fullname", "from the eighteenth century"),
    "portrait": ("of a young woman", "by fullname"),
    "photograph": ("of my relative", "of the old town"),
    "statue": ("of a king", "of a lion"),
    "view": ("of the sea", "from the tower"),
    "match": ("against teamname",),
    "test": ("in subject", "on Friday"),
    "exercise": ("on page NUMBER",),
    "pain": ("in my back", "in my knee"),
    "song": ("about love~", "by fullname"),
    "tree": ("in the garden",),
    "hole": ("in the roof", "in the fence"),
    "shower": ("of rain~",),
    "ring": ("with a diamond",),
    "watch": ("with a leather_strap",),
    "suitcase": ("with wheel.s",),
    "garden": ("behind the house",),
    "park": ("near the river",),
    "room": ("with a balcony",),
    "university": ("of city",),
}

# The same by class, for nouns without a line above.
CLASS_PHRASES = {
    "produce": ("from the garden", "from country"),
    "plant": ("by the gate", "in the garden"),
    "document": ("for the client", "from the lawyer"),
    "furniture": ("by the window", "in the hall"),
    "art": ("by fullname",),
    "building": ("on the hill", "in streetname", "near the river"),
    "public_work": ("near the river", "in streetname"),
    "school_thing": ("on page NUMBER", "about country"),
    "dish": ("with mushroom.s",),
    "customer": ("from city", "from country"),
    "pupil": ("from country", "with glasses^"),
    "athlete": ("from country", "from city"),
    "patient": ("from city",),
    "stranger": ("in a grey suit", "with a suitcase"),
    "reading": ("about country", "from the library"),
    "writing": ("about my family",),
    "kitchenware": ("with the blue rim",),
    "office_thing": ("in the office",),
    "office_event": ("in city", "with the director", "about the contract"),
    "event": ("at the hotel",),
    "company": ("from city", "in country"),
    "view": ("near city", "on the coast"),
    "competition": ("in city", "on Sunday"),
}

ADVERBS = {
    "manner": "carefully quickly slowly quietly happily calmly immediately patiently",
    "degree": "very really quite rather extremely too so surprisingly",
    "misfortune": "unfortunately sadly",
    "sentence": "apparently eventually",
    "link": "however meanwhile then finally afterwards",
    "frequency": "often usually always sometimes rarely regularly",
    "perfect": "already just finally recently",
}
