"""What a claim passes over makes it doubtful: a clause belongs to whom it is nearest to (semantics.md section 4.2).

A parser hangs "(born 1939)" of "the sister of Paul (born 1939)" on the sister or on Paul by chance. Where somebody or
something of whom a clause may be said as well stands between it and what it was hung on, nothing is said beyond doubt.
"""

from collections.abc import Iterator

from halluvault_tasks.reading.rules import rule
from halluvault_tasks.reading.syntax.match import Matched
from halluvault_tasks.reading.syntax.paths import same
from halluvault_tasks.reading.syntax.polarity import excluded
from halluvault_tasks.reading.syntax.sentence import Sentenced

_HANG = frozenset(["acl", "appos", "relcl"])
"""Relations by which a clause is hung on a noun before it."""


@rule(
    "doubt.nearer",
    "She is the younger sister of Paul Carr (born 1939).",
    "Anna Bates, who studied under Paul Carr, was born in 1939.",
    otherwise=False,
)
def passes_over(said: Sentenced, matched: Matched) -> bool:
    """Whether a claim's clause is hung on a noun over what is nearer and of its subject's kind."""
    subject = said.mentions[matched.subject]
    skipped = {one for gap in _gaps(said, matched) for one in gap if one != said.words[matched.subject]}
    skipped = {one for one in skipped if not excluded(said.graph, one)}  # "it was Ann, not Bob, who died"
    named = dict(zip(said.words, said.mentions, strict=True))
    return any(
        named[one].may_be(subject) if one in named else one not in said.covered and _is_proper(said, one)
        for one in skipped
    )


def _gaps(said: Sentenced, matched: Matched) -> Iterator[range]:
    """The words between whom a claim is about, or the noun that a clause of it was hung on, and that clause."""
    graph, subject = said.graph, said.words[matched.subject]
    own = {one.word for one in same(graph, subject)} if subject >= 0 else set()
    for joint in matched.path.joints:
        word = graph.parse[joint]
        if word.dep in _HANG and word.head < joint:
            first = word.head if word.head in own else min(word.head, max(subject, 0))
            yield range(first + 1, min(one for one in graph.subtree(joint) if one > word.head))


def _is_proper(said: Sentenced, index: int) -> bool:
    word = said.graph.parse[index]
    return word.tag in ("NNP", "NNPS") and word.text[:1].isupper()
