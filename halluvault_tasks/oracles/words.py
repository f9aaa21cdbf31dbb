"""Word lists of `gaps`: what is dropped, what denies, what doubts, and the forms that no rule of spelling gives."""

NEGATIONS = frozenset(
    [
        "cannot", "neither", "never", "no", "nobody", "none", "nor", "not", "nowhere", "without",
    ]
)  # fmt: skip
"""They deny; each counts."""

UNTRUTHS = frozenset(
    [
        "baseless", "bogus", "erroneous", "erroneously", "fabrication", "fallacy", "false", "falsehood", "falsely",
        "inaccurate", "incorrect", "incorrectly", "misconception", "mistaken", "mistakenly", "myth", "unfounded",
        "untrue", "untruth", "wrong", "wrongly",
    ]
)  # fmt: skip
"""So do these, of a whole clause."""

HEDGES = frozenset(
    [
        "alleged", "allegedly", "almost", "apocryphal", "apparently", "arguably", "barely", "conceivably",
        "contested", "could", "debatable", "debated", "disputed", "doubt", "doubtful", "guess", "hardly",
        "hypothetical", "hypothetically", "indirectly", "informally", "likelihood", "likely", "may", "maybe", "might",
        "nearly", "ostensibly", "perhaps", "plausible", "plausibly", "possible", "possibly", "potential",
        "potentially", "practically", "presumably", "presumed", "probability", "probable", "probably", "purported",
        "purportedly", "putative", "putatively", "questionable", "reportedly", "reputed", "reputedly", "rumored",
        "rumoured", "scarcely", "seem", "seemed", "seemingly", "seems", "so-called", "speculated", "speculation",
        "speculative", "supposed", "supposedly", "suspect", "suspected", "tentative", "tentatively", "theoretically",
        "uncertain", "unclear", "unconfirmed", "unlikely", "unofficially", "unproven", "unsure", "unverified",
        "virtually",
    ]
)  # fmt: skip
"""Words of doubt: a claim that has one is unverifiable."""

DROPPED = frozenset(
    [
        "a", "actually", "administratively", "again", "ago", "already", "also", "always", "an", "any",
        "astronomically", "automatically", "back", "basically", "bigger", "biologically", "both", "broader", "can",
        "centuries", "certainly", "clearly", "commonly", "considered", "contemporary", "currently", "decades",
        "definitely", "definition", "did", "directly", "do", "does", "each", "effectively", "entire", "entirely",
        "essentially", "eventually", "ever", "exactly", "fact", "famous", "famously", "finally", "first", "formerly",
        "furthermore", "general", "generally", "geographically", "hence", "her", "herself", "him", "himself", "his",
        "historically", "however", "immediately", "indeed", "initially", "its", "itself", "jointly", "just", "known",
        "largely", "larger", "later", "long", "longer", "mainly", "merely", "modern", "modern-day", "months",
        "moreover", "must", "namely", "now", "officially", "once", "one", "one's", "only", "originally", "other",
        "overarching", "particular", "personally", "precisely", "present-day", "previously", "primarily", "publicly",
        "quite", "rather", "really", "right", "shall", "simply", "so", "solely", "some", "specific", "still",
        "straight", "strictly", "subsequently", "technically", "that", "the", "their", "then", "there", "therefore",
        "these", "this", "those", "thus", "today", "today's", "todays", "together", "too", "truly", "very", "well",
        "well-known", "which", "who", "whole", "wider", "will", "would", "years",
    ]
)  # fmt: skip
"""Articles, adverbs, pronouns and the like, which change no relation."""

APPOSITIONS = frozenset(
    [
        "actor", "actress", "album", "american", "ancient", "area", "artist", "asteroid", "band", "book", "borough",
        "british", "category", "chemist", "city", "class", "club", "comet", "commune", "company", "composer",
        "concept", "condition", "count", "country", "county", "discipline", "disease", "district", "domain", "dr",
        "drug", "duke", "dwarf", "earl", "element", "emperor", "english", "european", "family", "famous", "field",
        "film", "french", "galaxy", "game", "genus", "german", "great", "group", "historic", "institution", "island",
        "italian", "king", "kingdom", "lake", "language", "lord", "magazine", "man", "mathematician", "moon",
        "mountain", "movie", "municipality", "museum", "musician", "nation", "newspaper", "novel", "ocean", "opera",
        "order", "organisation", "organization", "painter", "painting", "parish", "person", "philosopher", "phylum",
        "physicist", "piece", "planet", "play", "poet", "politician", "pope", "prince", "princess", "province",
        "queen", "realm", "region", "republic", "river", "russian", "saint", "satellite", "scientist", "sea",
        "series", "singer", "sir", "song", "species", "sphere", "sport", "st", "star", "state", "substance",
        "symphony", "taxon", "team", "television", "territory", "town", "tv", "type", "university", "video",
        "village", "woman", "work", "writer",
    ]
)  # fmt: skip
"""Nouns and adjectives that only say what the thing named next is: "the English town of Portsmouth"."""

PREPOSITIONS = frozenset(
    [
        "about", "after", "around", "as", "at", "back", "before", "between", "by", "circa", "date", "day", "during",
        "early", "for", "from", "in", "into", "late", "month", "near", "of", "on", "since", "through", "till", "to",
        "until", "with", "year",
    ]
)  # fmt: skip
"""What may stand between a verb and a date."""

IRREGULAR = {
    "am": "be", "are": "be", "arisen": "arise", "arose": "arise", "as": "as", "be": "be", "became": "become",
    "been": "be", "began": "begin", "beget": "beget", "begot": "beget", "begun": "begin", "being": "be",
    "belonged": "belong", "bodies": "body", "bore": "bear", "born": "born", "borne": "born", "bred": "breed",
    "broke": "break", "broken": "break", "built": "build", "buried": "bury", "came": "come", "canceled":
    "cancel", "cancelled": "cancel", "children": "child", "chose": "choose", "chosen": "choose", "cinemas":
    "cinema", "cities": "city", "controlled": "control", "dated": "date", "dead": "dead", "die": "die", "died":
    "die", "dies": "die", "drawn": "draw", "drew": "draw", "dying": "die", "ended": "end", "ending": "end",
    "fallen": "fall", "fed": "feed", "fell": "fall", "flew": "fly", "forms": "form", "fought": "fight", "found":
    "found", "gave": "give", "gets": "get", "given": "give", "goes": "go", "gone": "go", "got": "get",
    "governed": "govern", "grew": "grow", "grown": "grow", "had": "have", "hangs": "hang", "has": "have",
    "have": "have", "having": "have", "headquarters": "headquarters", "held": "hold", "his": "his", "honor":
    "honour", "honored": "honour", "honors": "honour", "hung": "hang", "inter": "inter", "interred": "inter",
    "is": "be", "its": "its", "kept": "keep", "knew": "know", "laid": "lay_", "lain": "lie", "lay": "lie",
    "lays": "lay_", "led": "lead", "left": "leave", "lent": "lend", "lie": "lie", "lies": "lie", "lost": "lose",
    "lying": "lie", "made": "make", "met": "meet", "movies": "movie", "neighbor": "neighbour", "neighbors": "neighbour",
    "neighbours": "neighbour", "owed": "owe", "passed": "pass", "premiered": "premiere", "programme": "program",
    "programmed": "program", "put": "put", "ran": "run", "relations": "relations", "remain": "be", "remained":
    "be", "remains": "be", "rose": "rise", "sang": "sing", "sat": "sit", "saw": "see", "seen": "see", "series":
    "series", "showed": "show", "shown": "show", "sired": "sire", "spent": "spend", "spoke": "speak", "spoken":
    "speak", "sprang": "spring", "stood": "stand", "succumbed": "succumb", "sung": "sing", "swore": "swear",
    "sworn": "swear", "taken": "take", "taught": "teach", "theaters": "theater", "theatre": "theater",
    "theatres": "theater", "thesis": "thesis", "this": "this", "tied": "tie", "ties": "tie", "took": "take",
    "us": "us", "was": "be", "wed": "wed", "wedded": "wed", "went": "go", "were": "be", "wives": "wife", "won":
    "win", "woven": "weave", "writing": "write", "written": "write", "wrote": "write",
}  # fmt: skip
"""Form → stem."""

ADVERBS_NOT = frozenset(
    [
        "ally", "anomaly", "apply", "assembly", "belly", "bully", "butterfly", "comply", "costly", "daily", "early",
        "elderly", "family", "fly", "friendly", "holy", "homily", "imply", "italy", "jelly", "july", "lily", "lonely",
        "lovely", "melancholy", "monopoly", "monthly", "multiply", "quarterly", "rally", "rely", "reply", "supply",
        "ugly", "weekly", "yearly",
    ]
)  # fmt: skip
"""What ends in "-ly" and is no adverb; every other such word is dropped."""

HARMLESS = frozenset(
    [
        "academic", "acclaim", "accomplish", "actual", "administrativ", "among", "astronomical", "beautiful",
        "beloved", "big", "biological", "bustl", "busy", "celestial", "central", "century", "certain", "charm",
        "cinematic", "civic", "clinical", "coastal", "comfortable", "common", "considerable", "continental",
        "corporat", "current", "dear", "decade", "distant", "earthly", "eastern", "ecclesiastical", "educational",
        "eminent", "enduring", "entire", "era", "esteem", "eventual", "explicit", "fabl", "federal", "few", "fifth",
        "final", "formal", "former", "fourth", "full", "fully", "geographic", "geographical", "gifted", "global",
        "golden", "grand", "greatest", "high", "historical", "humbl", "iconic", "illustrious", "immediat",
        "important", "imposing", "influential", "institutional", "integral", "international", "large", "last",
        "late", "latest", "legal", "legendary", "lengthy", "literary", "little", "local", "long-tim", "longtim",
        "magnificent", "major", "many", "medical", "medieval", "metropolitan", "mid", "middle-class", "mighty",
        "modest", "month", "more", "most", "much", "municipal", "national", "natural", "new", "next", "nineteenth",
        "nobl", "noble", "north", "northern", "notable", "noted", "official", "old", "older", "original",
        "particular", "physical", "political", "poor", "popular", "powerful", "present", "prestigious", "principal",
        "private", "professional", "prominent", "proper", "prosperous", "proud", "provincial", "public", "quiet",
        "real", "regional", "renown", "renowned", "respectable", "respectiv", "rich", "royal", "rural", "same",
        "scenic", "second", "several", "short", "single", "sixteenth", "sleepy", "small", "south", "southern",
        "sovereign", "splendid", "sprawl", "suburban", "summer", "surrounding", "territorial", "third", "thriv",
        "time", "tiny", "today", "top", "traditional", "true", "twentieth", "universal", "urban", "various", "vast",
        "vener", "venerabl", "vibrant", "wealthy", "well-off", "western", "winter", "wonderful", "working-class",
        "world-famous", "worldwide", "year", "young",
    ]
)  # fmt: skip
"""Stems of what may stand in a clause without turning what its other words say."""

KIN = frozenset(
    [
        "acquaintanc", "ally", "ancestor", "assistant", "aunt", "biographer", "boy", "brother", "child", "colleagu",
        "cousin", "daughter", "descendant", "editor", "enemy", "father", "friend", "girl", "godfather", "grandchild",
        "granddaughter", "grandfather", "grandmother", "grandparent", "grandson", "heir", "hero", "husband", "lover",
        "mentor", "mother", "neighbour", "nephew", "niec", "nurs", "parent", "partner", "publisher", "relativ",
        "rival", "servant", "sibl", "sister", "son", "spous", "teacher", "translator", "uncl", "widow", "wife",
    ]
)  # fmt: skip
"""Stems of words for other people, of whom a clause may speak instead."""
