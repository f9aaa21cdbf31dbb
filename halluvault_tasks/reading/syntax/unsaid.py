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
        if parse[one].lemma == "birthday" and any(each.tag == "JJ" for each in below):  # "her last birthday"
            return True
    return False
