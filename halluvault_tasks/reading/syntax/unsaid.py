"""What joins two ends and says nothing of them: bounds of a date, anniversaries, dates of something nearer."""

from halluvault_tasks.reading.english import wordset
from halluvault_tasks.reading.rules import rule
from halluvault_tasks.reading.syntax.graph import Graph
from halluvault_tasks.reading.syntax.paths import Path
from halluvault_tasks.reading.syntax.polarity import CLAUSES

_MOST = ("earliest", "latest")
_ASPECT = wordset("already yet long since still")


@rule("doubt.bound", "Ann Lee was born in 1961 at the latest.", "Ann Lee was born in 1961.", otherwise=False)
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
        again = (each.tag == "JJ" and (parse[one].lemma == "birthday" or _nth(each.text)) for each in below)
        if parse[one].pos == "NOUN" and any(again):  # "her last birthday"
            return True
    return False


def _nth(word: str) -> bool:
    """Whether a word is an ordinal; not "first", since what happens once happens first."""
    return word in ("second", "third") or word.endswith("th") or (word[:-2].isdecimal() and not word.isdecimal())


@rule("doubt.nearer_noun", "", otherwise=False)
def has_nearer(graph: Graph, noun: int, date: int) -> bool:
    """Whether a noun has a nearer date, and the date a nearer noun: "the birth in 1901 and death in 1994"."""
    if graph.parse[noun].pos != "NOUN" or graph.parse[date].pos != "NUM":
        return False
    between = range(min(noun, date) + 1, max(noun, date))
    nouns = [abs(one - noun) for one in between if graph.parse[one].pos == "NOUN"]
    return any(abs(one - noun) < max(nouns, default=0) for one in between if graph.parse[one].pos == "NUM")
