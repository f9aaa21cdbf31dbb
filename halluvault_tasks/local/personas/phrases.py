"""The words of simulated models: openings, knowledge in other words, false steps. Only phrase tables.

Written without reference to the pipeline's lexicon or aliases and never imported by it; wordings that the oracles do
not know are intended.
"""

from collections.abc import Mapping

OPENINGS: Mapping[str, tuple[str, ...]] = {
    "yes": (
        "Yes, that is right.",
        "Yes, this is correct.",
        "Yes, that is the case.",
        "Yes, the facts I know agree with this.",
        "Yes, {told}",
    ),
    "no": (
        "No, that is not right.",
        "No, this is not correct.",
        "No, that is not the case.",
        "No, the facts I know speak against it.",
        "No, {told}",
    ),
    "dont_know": (
        "I don't know.",
        "I don't know the answer to this question.",
        "I don't know; I have no reliable information about {subject}.",
        "I don't know, and I would rather not guess.",
    ),
}

HEADINGS = (
    "The key knowledge points used in this reasoning process are:",
    "The key knowledge points used in this reasoning process are:",
    "Knowledge used in my reasoning:",
    "Here is the knowledge I used, point by point:",
)

UNSURE = (
    "The key knowledge points used in this reasoning process are:\n1. I am not certain about the details of {subject}.",
    "I would need a source on {subject} to answer.",
    "",
)

ACKNOWLEDGED = "Understood. I will keep that in mind."

VERDICTS = {"yes": "yes", "no": "no", "dont_know": "don't know"}
"""Answer of a plan → what is said where the verdict alone is asked for."""

NOTHING_KNOWN = "I don't know. I cannot connect this question with anything that I know for certain."

FRAMES = (
    "It is well documented that {lower}",
    "{plain} This is generally accepted.",
    "As is known, {lower}",
    "According to what I have learned, {lower}",
)
"""Ways to say any sentence: `{lower}` is the sentence inside a sentence, `{plain}` unchanged."""

OTHER_WORDS: Mapping[str, tuple[str, ...]] = {
    "was born in": ("{s} came into the world in {o}.", "The birthplace of {s} is {o}.", "{s} is a native of {o}."),
    "died in": ("{s} passed away in {o}.", "The place of death of {s} is {o}.", "{o} is where the life of {s} ended."),
    "was buried in": ("{s} lies buried in {o}.", "The grave of {s} is in {o}."),
    "has as father": ("{o} is the father of {s}.", "{s} was fathered by {o}.", "The father of {s} is {o}."),
    "has as mother": ("{o} is the mother of {s}.", "The mother of {s} is {o}."),
    "has as child": ("{o} is a child of {s}.", "{s} is a parent of {o}.", "Among the children of {s} is {o}."),
    "has been married to": ("{s} and {o} were married.", "{o} was a spouse of {s}.", "{s} shared a marriage with {o}."),
    "is a sibling of": ("{s} and {o} are siblings.", "{s} and {o} grew up as children of the same family."),
    "has been a citizen of": ("{s} held the citizenship of {o}.", "{s} was a national of {o}."),
    "was educated at": ("{s} studied at {o}.", "{o} is the alma mater of {s}.", "{s} attended {o}."),
    "worked as": ("{s} earned a living as {o}.", "The occupation of {s} was {o}."),
    "has been employed by": ("{s} worked for {o}.", "{o} was an employer of {s}."),
    "held the office of": ("{s} served as {o}.", "The office of {o} was once in the hands of {s}."),
    "has been a member of": ("{s} belonged to {o}.", "Among the members of {o} was {s}."),
    "received": ("{s} won {o}.", "{o} was given to {s}.", "{s} is a laureate of {o}."),
    "was a student of": ("{s} studied under {o}.", "{o} was a teacher of {s}."),
    "was written by": ("{o} wrote {s}.", "The author of {s} is {o}.", "{s} came from the pen of {o}."),
    "was directed by": ("{o} directed {s}.", "The director of {s} is {o}."),
    "has in its cast": ("{o} acted in {s}.", "{s} features {o}."),
    "was performed by": ("{o} performed {s}.", "The performer of {s} is {o}."),
    "was created by": ("{o} created {s}.", "{s} is a creation of {o}."),
    "was composed by": ("{o} composed {s}.", "The music of {s} is by {o}."),
    "is based on": ("{s} was adapted from {o}.", "{o} served as the source of {s}."),
    "is named after": ("{s} takes its name from {o}.", "{o} gave {s} its name."),
    "was discovered or invented by": ("{o} discovered or invented {s}.", "We owe {s} to {o}."),
    "was founded by": ("{o} founded {s}.", "{s} owes its foundation to {o}."),
    "has had as its capital": ("{o} is the capital of {s}.", "The capital of {s} is {o}."),
    "has been the capital of": ("The capital of {o} is {s}.", "{s} serves as capital of {o}."),
    "has shared a border with": ("{s} and {o} are neighbours.", "{s} borders {o}."),
    "flows into": ("{s} empties into {o}.", "The mouth of {s} is at {o}."),
    "lies at least partly in": ("{s} is located in {o}.", "{s} can be found in {o}."),
    "has been within the territory of": ("{s} is located in {o}.", "{s} belongs to the territory of {o}."),
    "is a kind of": ("{s} is a type of {o}.", "{s} counts among {o}."),
    "is part of": ("{s} belongs to {o}.", "{o} includes {s}."),
    "belongs to the taxon": ("{s} is classified under {o}.", "{o} is a parent taxon of {s}."),
    "orbits": ("{s} revolves around {o}.", "{o} is orbited by {s}."),
    "was developed by": ("{o} developed {s}.", "The developer of {s} is {o}."),
    "was manufactured by": ("{o} built {s}.", "{s} is a product of {o}."),
    "has been owned by": ("{o} owned {s}.", "{s} was a property of {o}."),
    "has had its headquarters in": ("{s} is headquartered in {o}.", "The head office of {s} is in {o}."),
    "replaced": ("{s} came after {o}.", "{o} was succeeded by {s}."),
    "took part in": ("{s} participated in {o}.", "{o} saw the participation of {s}."),
    "had as a participant": ("{o} participated in {s}.", "{s} involved {o}."),
    "was born": ("The birth of {s} was {on}.", "{s} came into the world {on}."),
    "died": ("The death of {s} was {on}.", "{s} passed away {on}."),
    "began to exist": ("{s} was established {on}.", "{s} came into being {on}."),
    "ceased to exist": ("{s} was dissolved {on}.", "{s} came to its end {on}."),
    "was published": ("{s} came out {on}.", "{s} was released {on}."),
    "began": ("{s} started {on}.", "The start of {s} was {on}."),
    "ended": ("{s} was over {on}.", "The end of {s} was {on}."),
    "took place": ("{s} happened {on}.", "{s} was held {on}."),
}
"""Relation → sentences with {s} and {o}, or {on} for a date with its preposition."""

FALSE_STEPS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "symmetric": {
        "no": ("This relation holds in one direction only, so it cannot be turned round.",),
        "yes": ("Whatever the facts say of one of them must be true of the other, whoever is asked about.",),
    },
    "inverse": {
        "no": ("One of these statements says nothing about the opposite direction, so it does not follow.",),
        "yes": ("The opposite direction holds for anyone, so it holds here as well.",),
    },
    "transitive": {
        "no": ("Such a relation does not carry over from one link to the next, so the chain proves nothing.",),
        "yes": ("Such a relation carries over to everything mentioned, so it holds here as well.",),
    },
    "composite": {
        "no": ("These facts cannot be combined with each other, so the statement does not follow.",),
        "yes": ("Any two of these facts can be combined, so the statement follows.",),
    },
    "negation.value": {
        "no": ("Having one value leaves every other value impossible, the true one included.",),
        "yes": ("There can be several such values at once, so the other one is true as well.",),
    },
    "negation.polarity": {
        "no": ("A statement and its denial can both fail, so this one fails.",),
        "yes": ("A statement and its denial can both hold, so this one holds.",),
    },
}
"""Rule kind → answer → false steps that lead to it."""

FALSE_STEPS_ELSEWHERE: Mapping[str, tuple[str, ...]] = {
    "no": ("From these facts it follows that the statement in the question is false.",),
    "yes": ("From these facts it follows that the statement in the question is true.",),
}

FALSE_ORDER = (
    "{later} comes before {earlier}, so the order of events is the other way round.",
    "Since {later} is earlier than {earlier}, the periods must be compared in that order.",
    "There are no years between {earlier} and {later}.",
)
"""Steps that are false for any two years, the second after the first."""

FALSE_OVERLAP = (
    "Both are given for the year {earlier}, so there is a difference of {wrong} years to count.",
    "Counting from {earlier}, the year {earlier} lies {wrong} years later.",
)
"""Steps that are false with a single year."""

CONCLUSIONS: Mapping[str, tuple[str, ...]] = {
    "yes": ("Therefore the answer is yes.", "So the statement holds.", ""),
    "no": ("Therefore the answer is no.", "So the statement does not hold.", ""),
}
