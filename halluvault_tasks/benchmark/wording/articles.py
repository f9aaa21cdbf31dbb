"""The English articles: which proper names take "the", which common nouns take "a", "an" or none.

Rules of thumb about endings, with lists where English has no rule; `names` in config/lexicon.yaml overrules both.
"""

import re

_THE_LAST = re.compile(
    r"(?:academy|agency|agenda|airlift|alliance|alps|area|armistice|army|assembly|association|award|awards|bank|basin|"
    r"bay|campaign|canal|cathedral|channel|church|coalition|commission|committee|commonwealth|"
    r"confederation|conference|congress|consortium|constitution|convention|council|crisis|cross|"
    r"crusade|crusades|cup|desert|dynasty|elections?|emirates|empire|expedition|factory|federation|forum|"
    r"force|forces|foundation|front|fund|gallery|games|genocide|gulf|hotel|islands|isles|institute|institution|"
    r"invasion|kingdom|landings|league|library|massacre|medal|ministry|mountains|movement|museum|nations|"
    r"navy|observatory|observatories|ocean|offensive|olympics|orchestra|monarchy|order|organisation|organization|palatinate|"
    r"parliament|party|range|"
    r"peninsula|plague|prize|railroad|railway|rebellion|reformation|region|renaissance|republic|revolt|revolution|river|"
    r"sea|senate|society|staff|states|strait|straits|summit|system|treaty|tribes|trophy|trust|"
    r"tunnel|union|uprising|war|wars|zoo)"
)
_THE_FIRST = re.compile(
    r"(?:[\w'’.-]+ ){0,2}(?:academy|allies|association|bank|battle|bay|church|city|college|colony|commission|committee|"
    r"commonwealth|company|conference|federation|group|initiative|"
    r"congress|council|declaration|department|district|duchy|empire|gulf|house|institute|invasion|isle|islands?|kingdom|"
    r"league|legion|library|massacre|ministry|museum|order|organi[sz]ation|parliament|peace|principality|province|raid|republic|school|sea|siege|"
    r"society|states?|strait|sultanate|treaty|tower|union|university|war|wars) (?:of|for|on)\b",
    re.IGNORECASE,
)
_THE_WHOLE = frozenset(
    {
        "Acropolis", "Alps", "Americas", "Andes", "Bahamas", "Balkans", "Bastille", "Bible", "Brandenburg Gate",
        "Bundeswehr", "Kriegsmarine", "Luftwaffe", "Red Army", "Wehrmacht",
        "Bronx", "Bundestag", "Caribbean", "Carpathians", "Colosseum", "Comoros", "Crusades", "Czech Republic",
        "Eiffel Tower", "Enlightenment", "Gambia", "German Reich", "Hague", "Himalayas", "Holocaust", "Holy See",
        "Internet", "Kremlin", "Levant", "Louvre", "Maldives", "Middle East", "Milky Way", "Moon", "Netherlands",
        "Austrian Netherlands", "Spanish Netherlands", "Panthéon", "Pantheon", "Parthenon", "Philippines", "Pyrenees",
        "Quran", "Renaissance", "Rockies", "Russian SFSR", "Sahara", "Seychelles", "Statue of Liberty", "Sun",
        "Space Shuttle", "Third Reich", "Ukrainian SSR", "Vatican", "White House", "Berlin Wall",
    }
)  # fmt: skip
_THE_START = ("River ", "United ", "Royal Society", "International ", "World Health ", "World Trade ")
_OF_AN_ORGANISATION = re.compile(r"(?:[\w'’.-]+ ){0,3}[A-Za-z]*[a-rt-z] (?:of|for|on) .+")
"""The System of …, the Leadership Agenda for …; but Friends of the Earth."""

_CORPORATION = re.compile(r"(?:\S+ ){2,}(?:Corporation|Company)")
_NOT_AN = re.compile(r"(?:eu|ew|one|once|uni(?!n|m)|use|usu|ut[aeio]|ur[aio]|uk)", re.IGNORECASE)
_MASS_ENDING = re.compile(
    r"(?:itis|osis|a?emia|ism|ology|graphy|[^aeiou]ics|ness|pathy|algia|plegia|uria|rrho?ea|phobia|therapy|pnea|metry|"
    r"nomy|sophy|[^aeiou]ity|generation|disease|syndrome|influenza|malaria|cholera|cancer|fever|infection|music|metal|"
    r"algebra|geometry|logic|art|law|medicine|surgery|engineering|history|poetry|literature|fiction|water|software|"
    r"hardware|pain|blood|fatigue|nausea|insulin|mathematics|physics|acid|oxide|chloride|jazz|rock|pop|blues|neurodegeneration)$"
)
_MASS_WORD_BOUNDARY = frozenset({
    "art",
    "law",
    "rock",
    "pop",
    "metal",
    "music",
    "water",
    "pain",
    "blood",
    "acid",
    "logic",
})
_PLURAL = re.compile(r"(?:[^siu]s|ies)$")
_SINGULAR_S = re.compile(
    r"(?:ss|is|chess|series|species|caries|diabetes|fungoides|glanders|herpes|measles|mumps|obliterans|rabies|rickets|"
    r"scabies|shingles|tabes)$"
)


def indefinite(noun: str) -> str:
    """The noun with its indefinite article; plurals and mass nouns get none."""
    last = noun.split()[-1] if noun.split() else noun
    if noun[:1].islower() and not last[:1].islower():
        last = ""  # "neighborhood in New York City", "town in the Netherlands": it ends in another's name
    ending = _MASS_ENDING.search(last)
    whole_word = ending is not None and (ending[0] not in _MASS_WORD_BOUNDARY or ending[0] == last)
    if noun[:1].islower() and whole_word:
        return noun
    if _PLURAL.search(last) and not _SINGULAR_S.search(last):
        return noun
    return f"{'an' if _takes_an(noun) else 'a'} {noun}"


def _takes_an(noun: str) -> bool:
    first = noun.split()[0] if noun.split() else noun
    if len(first) > 1 and first.isupper():  # spelled out: an FBI agent, a UN envoy
        return first[0] in "AEFHILMNORSX"
    if re.match(r"(?:hour|honest|honou?r|heir)", first, re.IGNORECASE):
        return True
    return first[:1].lower() in "aeiou" and not _NOT_AN.match(first)


_PLURAL_NAME = re.compile(
    r"^the (?:(?!.* of ).* )?(?:Allies|Alps|Andes|Balkans|Carpathians|Crusades|Games|Himalayas|[Ll]andings|Mountains|"
    r"Olympics|Pyrenees|Rockies|Troubles|Wars)(?: of .*)?,?$"
)


def is_plural(name: str) -> bool:
    """Whether a proper name takes its verb in the plural: the 1948 Summer Olympics were, the Netherlands was."""
    return bool(_PLURAL_NAME.match(name))


_AFTER_HEAD = re.compile(r" (?:of|in|for|on|by|with|from|at|to) .*")


def head(phrase: str) -> str:
    """The noun that a noun phrase is about: "diseases" of "diseases of the brain"."""
    return _AFTER_HEAD.sub("", phrase).rpartition(" ")[2]


def names_several(noun: str) -> bool:
    """Whether a common noun is in the plural: "brain diseases"."""
    last = head(noun)
    return bool(_PLURAL.search(last)) and not _MASS_ENDING.search(last) and not _SINGULAR_S.search(last)


def of_organisation(label: str) -> str:
    """An organisation's name with "the" where English wants it: the Confederation of …, the Vanguard Group."""
    if label.startswith("The "):
        return f"the {label[4:]}"
    if is_plural(f"the {label}") and not _THE_FIRST.match(label):  # one firm, whatever its name ends in: PopCap Games
        return label
    wants = _OF_AN_ORGANISATION.fullmatch(label) or _CORPORATION.fullmatch(label)
    return f"the {label}" if wants and label.isascii() else definite(label)


_HAPPENING = re.compile(
    r"(?!Operation\b)(?:[\w'’.-]+ ){0,3}[\w'’.-]*[A-Za-z] of .+|(?:Attack|Assault|Raid) on .+|"
    r"(?:\S+ )+(?:Days|Affair|Incident|Purge|Putsch|Strikes?|Raid|Mutiny|Riots?|Bombings?|Siege|Campaign|Accords?|Coup)"
)
"""The Fall of Saigon, the 1953 Storming of …, the Barcelona May Days."""


def of_event(label: str) -> str:
    """An event's name with "the" where English wants it: the Fall of Saigon; but Operation Torch."""
    wants = _HAPPENING.fullmatch(label) and not label.lower().startswith("the ")
    return f"the {label}" if wants else definite(label)


_NATIONAL_TEAM = re.compile(r".+ national .*(?:team|side|squad)\b.*")
_TEAM_OF_ONE = frozenset({"Avalanche", "Heat", "Jazz", "Kraken", "Lightning", "Magic", "Thunder", "Wild"})


def of_team(label: str) -> str:
    """A team's name with "the" where it is called by what its players are: the Houston Rockets, FC Bayern Munich."""
    words = label.split()
    several = len(words) > 1 and (words[-1] in _TEAM_OF_ONE or re.fullmatch(r"[A-Z][a-z]+(?:s|x)", words[-1]))
    called = several and not re.match(r"\W*[A-Z]{2,}\b", label)
    return f"the {label}" if _NATIONAL_TEAM.fullmatch(label) or called else of_organisation(label)


def definite(label: str) -> str:
    """A proper name with "the" where English wants it: the Netherlands, the Battle of Hastings, the Nile River."""
    words = label.split()
    if words and words[0] == "The" and " ".join(words[1:]) in _THE_WHOLE:
        return f"the {' '.join(words[1:])}"
    if not words or words[0].lower() == "the":
        return label
    several = len(words) > 1
    wants = (
        label in _THE_WHOLE
        or label.startswith(_THE_START)
        or bool(_THE_FIRST.match(label))
        or (several and bool(_THE_LAST.fullmatch(words[-1].lower())))
    )
    possessive = words[0].endswith(("'s", "’s"))
    return f"the {label}" if wants and not possessive else label
