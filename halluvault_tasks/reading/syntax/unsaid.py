"""What joins two ends and says nothing of them: bounds of a date, other pairs of a row, what holds a denied place."""

from halluvault_tasks.reading.english import wordset
from halluvault_tasks.reading.syntax.graph import Graph
from halluvault_tasks.reading.syntax.paths import Path
from halluvault_tasks.reading.syntax.polarity import CLAUSES, excluded
from halluvault_tasks.reading.syntax.sentence import Sentenced

_MOST = ("earliest", "latest")
_ASPECT = wordset("already yet long since still")
_INSIDE = (" in ", " in the ", ", ")


def bounds(graph: Graph, path: Path) -> bool:
    """Whether a date only bounds an event, or is an anniversary's: "at the latest in 1961", "40th birthday"."""
    parse = graph.parse
    for one in path.joints:
        if any(parse[each].text in _MOST for each in graph.subtree(one, CLAUSES)):
            return True
        below = [parse[each] for each in graph.children[one]]
        before = parse[one].lemma == "be" or any(each.dep == "aux" and each.text.casefold() == "had" for each in below)
        if before and any(each.dep == "advmod" and each.lemma in _ASPECT for each in below):
            return True
        nth = (each.tag == "JJ" and (parse[one].lemma == "birthday" or _nth(each.text)) for each in below)
        if parse[one].pos == "NOUN" and any(nth):  # "her last birthday"
            return True
    return False


def _nth(word: str) -> bool:
    """Whether a word is an ordinal; not "first", since what happens once happens first."""
    return word in ("second", "third") or word.endswith("th") or (word[:-2].isdecimal() and not word.isdecimal())


def pairs(graph: Graph, one: int, other: int) -> bool:
    """Whether two ends belong together where rows are matched: "tin and gold have the numbers 50 and 79"."""
    parse = graph.parse
    rows = [_row(graph, end) for end in (one, other)]
    matched = any(word.lemma == "respectively" for word in parse)
    if min(map(len, rows)) < 2 or not (matched or all(parse[end].pos == "NUM" for end in rows[1])):
        return True
    return len(rows[0]) == len(rows[1]) and rows[0].index(one) == rows[1].index(other)


def has_nearer(graph: Graph, noun: int, date: int) -> bool:
    """Whether a noun has a nearer date, and the date a nearer noun: "the birth in 1901 and death in 1994"."""
    if graph.parse[noun].pos != "NOUN" or graph.parse[date].pos != "NUM":
        return False
    between = range(min(noun, date) + 1, max(noun, date))
    nouns = [abs(one - noun) for one in between if graph.parse[one].pos == "NOUN"]
    return any(abs(one - noun) < max(nouns, default=0) for one in between if graph.parse[one].pos == "NUM")


def _row(graph: Graph, end: int) -> list[int]:
    top = end
    while graph.parse[top].dep == "conj" and graph.parse[graph.parse[top].head].pos not in ("VERB", "AUX"):
        top = graph.parse[top].head
    return sorted({end, top, *graph.conjuncts(top)})


def parted(said: Sentenced, one: int, other: int) -> bool:
    """Whether an end belongs to what follows: "ended in 1948, 1951 was …", "Ann died in 1950; in 1954, Bob"."""
    parse = said.graph.parse
    begins = parse[other].pos == "NUM" and other > 0 and parse[other - 1].text == ","
    if begins and one < other and [word.pos for word in parse[other + 1 : other + 2]] in (["AUX"], ["VERB"]):
        return True
    stops = [index for index in range(one, other) if parse[index].text == ";"]
    behind = parse[stops[-1] :] if stops else ()
    return bool(behind) and all(word.pos not in ("VERB", "AUX") for word in behind)


def within_excluded(said: Sentenced, number: int) -> bool:
    """Whether a place only says where a denied one lies: "not in Orange County in California"."""
    for first, second in said.masked.neighbours():
        between = said.masked.text[said.masked.spans[first].end : said.masked.spans[second].start]
        if second == number and between in _INSIDE and "place" in said.mentions[first].kinds:
            word = said.words[first]
            return (word >= 0 and excluded(said.graph, word)) or within_excluded(said, first)
    return False
