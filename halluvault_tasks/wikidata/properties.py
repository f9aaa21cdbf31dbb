"""Wikidata's properties that code names, each once, and the sets of them that code needs, each with its reason.

A property is a `Pid`: its number, which is what tables, JSON and Prolog hold. No other module makes one from a literal,
but for `config/`, where people write `P131`, and tests (`tests/wikidata/test_properties.py` sees to it). The comment
beside a property is its English label in Wikidata.

What contains what, what is dated and who made what stand in several sets. Where two differ, they stand side by side,
the wider one built on the narrower, with what the difference is for.
"""

from collections.abc import Mapping
from typing import NewType

Pid = NewType("Pid", int)
"""A property by its number: 131 is P131."""

HEAD_OF_GOVERNMENT = Pid(6)  # head of government
COUNTRY = Pid(17)  # country
BIRTHPLACE = Pid(19)  # place of birth
DEATHPLACE = Pid(20)  # place of death
SEX = Pid(21)  # sex or gender
FATHER = Pid(22)  # father
MOTHER = Pid(25)  # mother
SPOUSE = Pid(26)  # spouse
CITIZENSHIP = Pid(27)  # country of citizenship
CONTINENT = Pid(30)  # continent
INSTANCE_OF = Pid(31)  # instance of
HEAD_OF_STATE = Pid(35)  # head of state
CAPITAL = Pid(36)  # capital
OFFICIAL_LANGUAGE = Pid(37)  # official language
POSITION = Pid(39)  # position held
CHILD = Pid(40)  # child
BORDER = Pid(47)  # shares border with
AUTHOR = Pid(50)  # author
DIRECTOR = Pid(57)  # director
SCREENWRITER = Pid(58)  # screenwriter
DISCOVERER = Pid(61)  # discoverer or inventor
DISCOVERY_SITE = Pid(65)  # site of astronomical discovery
EDUCATED_AT = Pid(69)  # educated at
COMPOSER = Pid(86)  # composer
PARTY = Pid(102)  # member of political party
TAXON_RANK = Pid(105)  # taxon rank
OCCUPATION = Pid(106)  # occupation
EMPLOYER = Pid(108)  # employer
FOUNDER = Pid(112)  # founded by
BURIAL_PLACE = Pid(119)  # place of burial
OWNER = Pid(127)  # owned by
LOCATED_IN = Pid(131)  # located in the administrative territorial entity
NAMED_AFTER = Pid(138)  # named after
BASED_ON = Pid(144)  # based on
ADMINISTERS = Pid(150)  # contains the administrative territorial entity
FOLLOWS = Pid(155)  # follows
FOLLOWED_BY = Pid(156)  # followed by
HEADQUARTERS = Pid(159)  # headquarters location
CAST_MEMBER = Pid(161)  # cast member
AWARD = Pid(166)  # award received
CHIEF_EXECUTIVE = Pid(169)  # chief executive officer
CREATOR = Pid(170)  # creator
PARENT_TAXON = Pid(171)  # parent taxon
PERFORMER = Pid(175)  # performer
MANUFACTURER = Pid(176)  # manufacturer
DEVELOPER = Pid(178)  # developer
SERIES = Pid(179)  # part of the series
DOCTORAL_ADVISOR = Pid(184)  # doctoral advisor
DOCTORAL_STUDENT = Pid(185)  # doctoral student
TWIN_TOWN = Pid(190)  # twinned administrative body
WATERS = Pid(206)  # located in or next to body of water
RECORD_LABEL = Pid(264)  # record label
LOCATION = Pid(276)  # location
SUBCLASS_OF = Pid(279)  # subclass of
SUBSIDIARY = Pid(355)  # child organization or unit
PART_OF = Pid(361)  # part of
PARENT_BODY = Pid(397)  # parent astronomical body
CHILD_BODY = Pid(398)  # child astronomical body
RIVER_MOUTH = Pid(403)  # mouth of the watercourse
PARTNER = Pid(451)  # unmarried partner
SAID_SAME = Pid(460)  # said to be the same as
MEMBER_OF = Pid(463)  # member of
COUNTRY_OF_ORIGIN = Pid(495)  # country of origin
CAUSE_OF_DEATH = Pid(509)  # cause of death
HAS_PART = Pid(527)  # has part(s)
DIPLOMATIC_RELATION = Pid(530)  # diplomatic relation
RESIDENCE = Pid(551)  # residence
BIRTH = Pid(569)  # date of birth
DEATH = Pid(570)  # date of death
INCEPTION = Pid(571)  # inception
DISCOVERED = Pid(575)  # time of discovery or invention
DISSOLUTION = Pid(576)  # dissolved, abolished or demolished date
PUBLICATION = Pid(577)  # publication date
START = Pid(580)  # start time
END = Pid(582)  # end time
POINT_IN_TIME = Pid(585)  # point in time
CHARACTER = Pid(674)  # characters
LANDFORM = Pid(706)  # located in/on physical feature
INFLUENCED_BY = Pid(737)  # influenced by
FORMED_IN = Pid(740)  # location of formation
PARENT_ORGANIZATION = Pid(749)  # parent organization or unit
SYMPTOM = Pid(780)  # symptoms and signs
NOTABLE_WORK = Pid(800)  # notable work
STUDENT = Pid(802)  # student
JURISDICTION = Pid(1001)  # applies to jurisdiction
RELATIVE = Pid(1038)  # relative
STUDENT_OF = Pid(1066)  # student of
POPULATION = Pid(1082)  # population
ATOMIC_NUMBER = Pid(1086)  # atomic number
MANNER_OF_DEATH = Pid(1196)  # manner of death
HELD_BY = Pid(1308)  # position holder
DISPUTED_BY = Pid(1310)  # statement disputed by
REPLACES = Pid(1365)  # replaces
REPLACED_BY = Pid(1366)  # replaced by
CAPITAL_OF = Pid(1376)  # capital of
PRESENT_IN_WORK = Pid(1441)  # present in work
CIRCUMSTANCES = Pid(1480)  # sourcing circumstances
OPENING = Pid(1619)  # date of official opening
INVERSE = Pid(1696)  # inverse property
OWNS = Pid(1830)  # owner of
DIFFERENT_FROM = Pid(1889)  # different from
NUMBER_OF_CHILDREN = Pid(1971)  # number of children
SPECIALTY = Pid(1995)  # health specialty
TREATS = Pid(2175)  # medical condition treated
TREATED_BY = Pid(2176)  # drug or therapy used for treatment
CONSTRAINT = Pid(2302)  # property constraint
SIBLING = Pid(3373)  # sibling
SEPARATOR = Pid(4155)  # separator
NATURE = Pid(5102)  # nature of statement
GREATER_THAN = Pid(5135)  # greater than

# ---------------------------------------------------------------- what contains what

PLACING = (LOCATED_IN, COUNTRY)
"""The two steps of a chain that shows where a place lies (semantics.md §1.3)."""

COMPOSED = (LOCATED_IN, PARENT_TAXON, SUBCLASS_OF)
"""Transitive, but not with every statement: `rule_typing.composing` finds those that lead on to a third thing."""

CHAINED = (LOCATED_IN, PART_OF, SUBCLASS_OF, PARENT_TAXON)
"""Those, and parts: a pull follows them upward to the root. "Part of" is not transitive (it mixes component, member and
portion), but a "No" about two values needs to know that neither is part of the other."""

CLIMBED = (*CHAINED, GREATER_THAN)
"""Those, and the order of numbers, which is transitive, too: a judge reads upward by them what responses may chain."""

LIES_IN = (LOCATED_IN, LOCATION, COUNTRY, CONTINENT)
"""Ways of lying in a place: who says one of two things has said the other of them."""

LIES_WITHIN = (*LIES_IN, PART_OF)
"""Those, and parts: true of everything above the stated value as well. To be part of something is a claim of its own,
and no way to say where the thing lies."""

CLASSES = (SUBCLASS_OF, PARENT_TAXON)
"""True of everything above, too; and what has one member only may be the same as that member."""

CONTAINERS = (*LIES_WITHIN, LANDFORM, *CLASSES)
"""All of these, and stretches of land: of two values, one inside the other, both may be given as one and the same."""

ABOVE = (*CONTAINERS, INSTANCE_OF, PARENT_BODY, RIVER_MOUTH)
"""Those, and whatever else has its object above its subject: neither of two such things rules the other out. They are
two values, though: where a river and the sea that it flows into are recorded as the mouth, one of them is wrong."""

PARTS = (ADMINISTERS, HAS_PART)
"""`CONTAINERS` read from the other end."""

BELOW = (*PARTS, SUBSIDIARY, CHILD_BODY)
"""Those, and what a company or a planet has below it without being given for it: `ABOVE` read from the other end, as
far as there is a property for it."""

FOLLOWED = (LOCATED_IN, COUNTRY, BIRTHPLACE, DEATHPLACE, CAPITAL, HEADQUARTERS, LOCATION)
"""Whose values a pull follows upward: a "No" about places is licensed only against complete chains."""

PLACES = frozenset({
    BIRTHPLACE, DEATHPLACE, BURIAL_PLACE, LOCATED_IN, LOCATION, FORMED_IN, HEADQUARTERS, RESIDENCE, CONTINENT, COUNTRY,
    COUNTRY_OF_ORIGIN, WATERS, CITIZENSHIP,
})  # fmt: skip
"""Whose values are places, so that what lies above the stated one supports a claim."""

# ---------------------------------------------------------------- what is too close to be opposed, or joins nobody

OF_COUNTRIES = (COUNTRY, CITIZENSHIP, COUNTRY_OF_ORIGIN)
"""Of which country something or somebody is."""

SAME = (SAID_SAME,)
"""Of two values that are said to be the same, both may be given."""

CONFUSABLE = (REPLACES, REPLACED_BY, SAID_SAME, DIFFERENT_FROM)
"""Those, and what took another's place or is easily taken for it: neither of the two rules the other out."""

SEQUENCE = (FOLLOWS, FOLLOWED_BY)
"""Order within a series; of which, only `SERIES` says, stated of both ends."""

RENEWALS = (*SEQUENCE, REPLACES, REPLACED_BY)
"""What is at either end may have been founded again or renamed, so that there is more than one founding of it."""

HOLLOW = (
    INSTANCE_OF, SUBCLASS_OF, COUNTRY, SEX, CITIZENSHIP, OCCUPATION, OWNER, SAID_SAME, INFLUENCED_BY, STUDENT,
    STUDENT_OF, OWNS, DIFFERENT_FROM,
)  # fmt: skip
"""What a thing is, its country, sex and trade; who holds shares in it, who influenced it or gave a course; notes of
editors: two things that one of them joins do not belong together for that."""

WHOLES = (FATHER, MOTHER, SERIES, PART_OF)
"""Parents, series, and what something is part of: who shares them belongs together."""

# ---------------------------------------------------------------- what is dated

ENDS: Mapping[int, Pid] = {BIRTH: DEATH, INCEPTION: DISSOLUTION, START: END}
"""The beginning of a life, an existence, a run → its end."""

OTHER_END: Mapping[int, Pid] = {**ENDS, **{end: Pid(start) for start, end in ENDS.items()}}
"""Either of the two → the other."""

LIFE = (BIRTH, DEATH)

WHOLE_YEARS = (*LIFE, PUBLICATION)
"""Dates of which the year alone is enough: there is one of each. Others are asked about where the day is known."""

DATES = (BIRTH, DEATH, INCEPTION, DISSOLUTION, PUBLICATION, START, END, POINT_IN_TIME, OPENING)
"""Dates of the thing itself. No kind of atom (`temporal.kinds`) is of openings, but a response may give them."""

BEGINNINGS = (BIRTH, INCEPTION, PUBLICATION, START, POINT_IN_TIME, DEATH, DISCOVERED)
"""A year to stand for the thing: the first of these that is stated."""

HAPPENING = (START, POINT_IN_TIME)
"""What has one of them as a value happens, so that it is an event where nothing says its type."""

ENDINGS = (DISSOLUTION, END)
"""Dates after which a thing is over."""

ENDED = (*ENDINGS, REPLACED_BY)
"""Those, and its replacement: what may be over, whatever the date."""

SHOWS_DEATH = (DEATHPLACE, BURIAL_PLACE, CAUSE_OF_DEATH, MANNER_OF_DEATH)
"""Nobody alive has them."""

HEADED = (HEAD_OF_GOVERNMENT, HEAD_OF_STATE, CAPITAL)
"""Of a state or a country, by which its subject has one object at a time, whoever or wherever that is."""

DATED_BY_QUALIFIERS = (POSITION, SPOUSE, AWARD, *HEADED)
"""Terms and awards: their statements are dated by their qualifiers (semantics.md §2.3)."""

TIME_QUALIFIERS = (START, END, POINT_IN_TIME)

PAST_QUALIFIERS = (END, POINT_IN_TIME)
"""A statement with one of them, even of an unknown value, says nothing of the present."""

HEDGES = (CIRCUMSTANCES, NATURE, DISPUTED_BY)
"""A statement with such a qualifier grounds nothing."""

# ---------------------------------------------------------------- people and their works

PARENTS = (FATHER, MOTHER)

PLACES_OF_LIFE = (BIRTHPLACE, DEATHPLACE)
DATE_OF_PLACE: Mapping[int, int] = {BIRTHPLACE: BIRTH, DEATHPLACE: DEATH, FORMED_IN: INCEPTION}
"""Where something happened → when."""

MAKERS = (AUTHOR, DIRECTOR, CREATOR)

OF_THE_SKY = (DISCOVERY_SITE, PARENT_BODY)
"""Of bodies that have no country."""
"""A work that is credited to one of them has no other (rules.yaml), so that two works' makers can be exchanged."""

ARTISTS = (AUTHOR, DIRECTOR, COMPOSER)
"""By whom works are listed: the subject is a work. What a creator made may be anything, a character as well."""

# ---------------------------------------------------------------- members

MEMBERSHIP: Mapping[str, Pid] = {"instance": INSTANCE_OF, "subclass": SUBCLASS_OF, "occupation": OCCUPATION}
"""How something belongs to a class (`modes` in domains.yaml) → the property that says so."""
