"""How well a reader finds the claims of labelled real sentences: recall and precision, by property, with errors.

Lines are those of `sentences-labelled.jsonl` or `facts-labelled.jsonl` (../shared/data/real-answers/README.md). The
names that stand in a line's claims are given to the reader with the kinds that their properties ask for; which claims
they stand in is not. A claim is found if property and both ends agree; what is given and neither asked for nor
`also_fine` is wrong.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from scipy.stats import binomtest

from halluvault_tasks.benchmark.lexicon import load_lexicon
from halluvault_tasks.reading.base import Claim, Given
from halluvault_tasks.reading.dates import find
from halluvault_tasks.reading.names import EntityName, Names, words
from halluvault_tasks.reading.parser import Parser, spacy_parser
from halluvault_tasks.reading.syntax import predicates
from halluvault_tasks.reading.syntax.predicates import Book, Predicates
from halluvault_tasks.reading.syntax.reader import SyntaxReader
from halluvault_tasks.wikidata.relation import Relation

_ARTICLES = frozenset(["the", "a", "an"])
_SAME = {"actress": "actor", "united states of america": "united states", "us": "united states"}
_CONFIG = Path(__file__).parents[2] / "config"
_DATED = frozenset(["P569", "P570", "P571", "P576", "P577", "P580", "P582", "P585"])


class Line(NamedTuple):
    """A labelled text."""

    id: str
    text: str
    topic: str
    claims: list[dict[str, Any]]
    also_fine: list[dict[str, Any]]


class Outcome(NamedTuple):
    """What a reader made of a line: labelled claims found and missed, and claims that nobody labelled."""

    line: Line
    found: list[dict[str, Any]]
    missed: list[dict[str, Any]]
    wrong: list[str]
    fine: int


def folded(name: str) -> str:
    """A name without case, articles, punctuation and plural s."""
    said = [word.folded for word in words(name)]
    said = said[1:] if said and said[0] in _ARTICLES and len(said) > 1 else said
    text = " ".join(said)
    return _SAME.get(text, text.removesuffix("s") if len(text) > 4 else text)


def lines(path: Path) -> list[Line]:
    """Labelled lines of a file; a property given as `P131,P17` may be either."""
    found = []
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines()):
        row = json.loads(text)
        claims = []
        for claim in row["claims"]:
            if claim["p"] == "P27":
                claim["o"] = _DEMONYMS.get(claim["o"].rpartition("-")[2].casefold(), claim["o"])
            first, *others = claim["p"].split(",")
            alternatives = [claim | {"p": p} for p in others] + claim.get("alt", [])
            claims.append(claim | {"p": first, "alt": alternatives})
        found.append(Line(str(row.get("id", number)), row["text"], row["topic"], claims, row.get("also_fine", [])))
    return found


class Setting(NamedTuple):
    """A line's names as entities."""

    names: Names
    demonyms: dict[str, tuple[int, ...]]
    topic: int
    labels: Mapping[int, str]


def setting(line: Line, file: Predicates) -> Setting:
    """Give every name of a line's claims an entity, of the kinds that its properties ask for first."""
    kinds: dict[str, set[str]] = {}
    unsure: dict[str, set[str]] = {}
    spelled: dict[str, str] = {}
    demonyms = {one.casefold(): qid for qid, several in file.demonyms.items() for one in several}
    for claim in [*line.claims, *line.also_fine, *(alt for one in line.claims for alt in one.get("alt", ()))]:
        if claim.get("derived"):
            continue
        stated = file.properties.get(int(claim["p"][1:]))
        for end, asked in (("s", stated.subject if stated else ()), ("o", stated.object if stated else ())):
            name = claim[end]
            if end == "o" and claim["p"] in _DATED:
                continue
            spelled.setdefault(folded(name), name)
            several = kinds if len(asked) == 1 or end == "o" else unsure
            several.setdefault(folded(name), set()).update(asked[:1])
            if "country" in asked[:1]:
                several[folded(name)].add("place")
    kinds = unsure | kinds
    spelled.setdefault(folded(line.topic), line.topic)
    kinds.setdefault(folded(line.topic), set(["human"]))
    entities, numbers = [], {}
    for number, (key, name) in enumerate(sorted(spelled.items()), 10**9):
        qid = demonyms.get(name.casefold(), 0) or _country(name, file) or number
        numbers[key] = qid
        entities.append(EntityName(qid, name, (), frozenset(kinds[key])))
    merged = {one.qid: one for one in entities}
    return Setting(Names(merged.values()), predicates.demonyms(file), numbers[folded(line.topic)], {q: e.label for q, e in merged.items()})


def _country(name: str, file: Predicates) -> int:
    return _COUNTRIES.get(folded(name), 0)


_COUNTRIES: dict[str, int] = {}


def measure(reader_of: Any, given: list[Line], file: Predicates) -> list[Outcome]:
    """Read every line with its own names."""
    outcomes = []
    for line in given:
        made = setting(line, file)
        reader = reader_of(made)
        asked = Given(line.text, "", topic=made.topic, context=frozenset([made.topic]))
        (reading,) = reader.read([asked])
        outcomes.append(_compared(line, made, list(reading.claims)))
    return outcomes


def _compared(line: Line, made: Setting, claims: list[Claim]) -> Outcome:
    given = {key: one for one in claims for key in [frozenset(_keys(one, made))] if key}
    wanted = [(claim, {_key(one) for one in (claim, *claim.get("alt", ()))}) for claim in line.claims]
    fine = {_key(one) for one in line.also_fine} | {key for _, keys in wanted for key in keys}
    said = {key for keys in given for key in keys}
    found = [claim for claim, keys in wanted if keys & said]
    missed = [claim for claim, keys in wanted if not keys & said]
    wrong = [f"{_shown(one)}" for keys, one in given.items() if not keys & fine]
    return Outcome(line, found, missed, wrong, len(given) - len(wrong))


def _keys(claim: Claim, made: Setting) -> Iterator[tuple[object, ...]]:
    other: object = folded(claim.object)
    if claim.days and not claim.which:
        other = claim.days
    for triple in claim.triples:
        if triple.p and Relation.of(triple.p).is_property:
            yield f"P{triple.p}", folded(claim.subject), other, claim.negative


def _key(claim: Mapping[str, Any]) -> tuple[object, ...]:
    other: object = folded(claim["o"])
    if claim["p"] in _DATED:
        parts = claim["o"].split("-")
        iso = find(claim["o"]) if len(parts) == 1 or not parts[0].isdigit() else None
        found = iso or find("-".join(parts) if len(parts) == 3 else f"{_MONTHS[int(parts[1])]} {parts[0]}")
        other = found[0].days if found else other
    return claim["p"], folded(claim["s"]), other, claim.get("neg", False)


_MONTHS = ["", "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
           "November", "December"]  # fmt: skip
_DEMONYMS: dict[str, str] = {}


def _shown(claim: Claim) -> str:
    sign = "not " if claim.negative else ""
    return f"{sign}{'/'.join(f'P{one.p}' for one in claim.triples)}({claim.subject} | {claim.object}) {','.join(claim.guards)}"


def report(outcomes: list[Outcome], errors: bool) -> str:
    """Recall, precision and both by property; with every miss and wrong claim if asked for."""
    rows = []
    gold, found, wrong, fine = Counter(), Counter(), Counter(), 0
    for one in outcomes:
        gold.update(claim["p"] for claim in (*one.found, *one.missed))
        found.update(claim["p"] for claim in one.found)
        wrong.update(text.removeprefix("not ").split("(")[0] for text in one.wrong)
        fine += one.fine
        if errors and (one.missed or one.wrong):
            rows.append(f"[{one.line.id}] {one.line.topic} :: {one.line.text}")
            rows += [f"    - {claim['p']}({claim['s']} | {claim['o']})" for claim in one.missed]
            rows += [f"    + {text}" for text in one.wrong]
    total, hits, bad = gold.total(), found.total(), wrong.total()
    rows.append(f"recall {hits}/{total} = {_rate(hits, total)}   precision {fine}/{fine + bad} = {_rate(fine, fine + bad)}")
    if errors:
        for p in sorted(gold | wrong, key=lambda p: (-gold[p], p)):
            rows.append(f"  {p:6} found {found[p]:3} of {gold[p]:3}   wrong {wrong[p]:3}")
    return "\n".join(rows)


def _rate(hits: int, total: int) -> str:
    if not total:
        return "–"
    interval = binomtest(hits, total).proportion_ci(method="wilson")
    return f"{hits / total:.1%} [{interval.low:.0%}, {interval.high:.0%}]"


def main() -> None:
    """Print figures for one file."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("file", type=Path)
    arguments.add_argument("--part", choices=["all", "development", "validation"], default="all")
    arguments.add_argument("--errors", action="store_true")
    chosen = arguments.parse_args()
    file = predicates.load(_CONFIG / "predicates.yaml")
    countries = json.loads((Path("/tmp/countries.json")).read_text()) if Path("/tmp/countries.json").exists() else {}
    _COUNTRIES.update({folded(name): qid for name, qid in countries.items()})
    shown = {qid: name for name, qid in countries.items()}
    _DEMONYMS.update({one.casefold(): shown.get(qid, one) for qid, several in file.demonyms.items() for one in several})
    parser: Parser = spacy_parser()
    book = Book(file, load_lexicon(_CONFIG / "lexicon.yaml"), parser)
    given = [line for index, line in enumerate(lines(chosen.file)) if _in(index, chosen.part)]
    outcomes = measure(lambda made: SyntaxReader(made.names, book, made.demonyms, parser), given, file)
    print(report(outcomes, chosen.errors))  # noqa: T201


def _in(index: int, part: str) -> bool:
    return part == "all" or (part == "validation") == (index % 4 == 3)


if __name__ == "__main__":
    main()
