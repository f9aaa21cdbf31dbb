"""What a model is given beside the question: nothing, the evidence, or recent events.

`with-evidence` is the papers' retrieval experiment (HalluVault §5.3: relevant knowledge is reintroduced, after which
answers recover). `out-of-distribution` is their other one: recent events, which no training data has, are given as an
unordered list and acknowledged, and only then asked about.
"""

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import Any, NamedTuple

from halluvault_tasks.benchmark.cases.case import told

RECENT_MONTHS = 36
"""An event is recent if its date is within this many months before the snapshot's date."""

RECENT_EVENTS = 6
"""Events in one list; what a question depends on comes first, others fill up as far as there are."""

_DATE = re.compile(r"(-?\d{4,})(?:-(\d\d))?(?:-(\d\d))?")


class AskedCase(NamedTuple):
    """What a prompt is made from, beside the date: the frozen part of a case."""

    id: str
    question: str
    suite: str
    group_id: str
    domain: str
    premises: Sequence[Mapping[str, Any]]
    fact: Mapping[str, Any] = MappingProxyType({})
    """Of a suite whose prompts show more than a question: its texts, by the names of their slots (`{fact.NAME}`)."""

    @property
    def wants(self) -> str:
        """In which form it wants its answer: a name, a date, a number; empty where that is not said of cases."""
        return str(self.fact.get("wanted", {}).get("guide", ""))


class Events:
    """The recent events that the cases of a part depend on.

    Args:
        cases: all of them: of one part, so that another suite of the month changes no list.
        as_of: the snapshot's date.
        seed: of draws and orders; the part's.
    """

    def __init__(self, cases: Iterable[AskedCase], as_of: date, seed: int) -> None:
        self._as_of = as_of
        self._seed = seed
        by_domain: dict[str, set[str]] = defaultdict(set)
        for case in cases:
            for premise in case.premises:
                if self._is_recent(premise["object"].get("date", "")):
                    by_domain[case.domain].add(premise["sentence"])
        self._by_domain = {domain: sorted(sentences) for domain, sentences in by_domain.items()}
        self._all = sorted({sentence for sentences in by_domain.values() for sentence in sentences})

    def told(self, case: AskedCase) -> list[str]:
        """What the first turn tells: the case's own evidence among other recent events, in an order drawn by hash.

        Empty where the case depends on nothing recent: then it is no out-of-distribution question. The order is the
        same for all wordings of a group, so that they differ in nothing but their words.
        """
        if not any(self._is_recent(premise["object"].get("date", "")) for premise in case.premises):
            return []
        own = list(dict.fromkeys(premise["sentence"] for premise in case.premises))
        others = [one for one in self._by_domain[case.domain] if one not in own]
        if len(own) + len(others) < RECENT_EVENTS:
            others += [one for one in self._all if one not in own and one not in others]
        drawn = sorted(others, key=lambda one: self._order(case.group_id, "drawn", one))
        told = own + drawn[: max(0, RECENT_EVENTS - len(own))]
        return sorted(told, key=lambda one: self._order(case.group_id, "order", one))

    def _order(self, *key: str) -> str:
        return hashlib.sha256("|".join((str(self._seed), *key)).encode()).hexdigest()

    def _is_recent(self, text: str) -> bool:
        """Whether a date, as in the evidence, is entirely within the months before `as_of`."""
        match = _DATE.fullmatch(text)
        if match is None:
            return False
        year, month, day = int(match[1]), int(match[2] or 1), int(match[3] or 1)
        first = year * 12 + month - 1
        latest = self._as_of.year * 12 + self._as_of.month - 1
        known = (year, month, day) <= (self._as_of.year, self._as_of.month, self._as_of.day)
        return known and latest - first <= RECENT_MONTHS


def numbered(sentences: Sequence[str]) -> str:
    """Sentences point by point, one a line; line breaks within a sentence are closed up."""
    return "\n".join(f"{number}. {' '.join(sentence.split())}" for number, sentence in enumerate(sentences, 1))


def evidence(case: AskedCase) -> str:
    """The case's evidence point by point, each sentence once, in the order of its proof."""
    return numbered(list(dict.fromkeys(told(case.premises, case.fact))))
