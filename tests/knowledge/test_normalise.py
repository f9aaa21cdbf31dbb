from collections import Counter
from decimal import Decimal

import pytest

from halluvault_tasks.knowledge.normalise import (
    NormaliserTally,
    StatementRow,
    StatementValue,
    entity_texts,
    statement_rows,
)
from halluvault_tasks.knowledge.plan import Group
from halluvault_tasks.wikidata.days import day_number
from halluvault_tasks.wikidata.iris import PREFIXES

GREGORIAN = PREFIXES["wd"] + "Q1985727"


def uri(name: str) -> dict[str, str]:
    prefix, _, local = name.partition(":")
    return {"type": "uri", "value": PREFIXES[prefix] + local}


def literal(text: str, **more: str) -> dict[str, str]:
    return {"type": "literal", "value": text, **more}


def row(value: dict | None, st: str = "Q1-a", p: str = "P19", rank: str = "NormalRank", **more: dict) -> dict:
    found = {"s": uri("wd:Q1"), "c": uri(f"p:{p}"), "st": uri(f"wds:{st}"), "rank": uri(f"wikibase:{rank}"), **more}
    return found | ({"v": value} if value else {})


def time(text: str, precision: int = 9, st: str = "Q1-a") -> dict:
    return {"st": uri(f"wds:{st}"), **node(text, precision)}


def node(text: str, precision: int = 9) -> dict:
    return {"t": literal(text), "precision": literal(str(precision)), "calendar": {"type": "uri", "value": GREGORIAN}}


def qualifier(pid: int, text: str | None, value: str = "x", st: str = "Q1-a") -> tuple[dict, ...]:
    """The rows of one qualifier: its plain value, and the full one where it is a time."""
    said = {"st": uri(f"wds:{st}"), "k": uri(f"pq:P{pid}"), "node": literal(text or value)}
    full = {"st": uri(f"wds:{st}"), "k": uri(f"pqv:P{pid}"), "node": uri(f"wdv:{text}")}
    return (said, full | node(text)) if text else (said,)


def one(*rows: dict, times: tuple = (), quantities: tuple = (), qualifiers: tuple = ()) -> tuple[StatementRow, Counter]:
    tally = NormaliserTally()
    (found,) = statement_rows(Group(list(rows), list(times), list(quantities), list(qualifiers)), tally)
    return found, +tally.faults


UNKNOWN = {"type": "uri", "value": "http://www.wikidata.org/.well-known/genid/0123abcd"}


def test_an_item_is_its_number_and_rank_is_kept() -> None:
    found, faults = one(row(uri("wd:Q64"), rank="PreferredRank"))
    assert (found.s, found.p, found.rank, found.value) == (1, 19, "preferred", StatementValue("item", o=64))
    assert one(row(uri("wd:Q64"), rank="DeprecatedRank"))[0].rank == "deprecated"
    assert not faults


def test_without_a_rank_that_is_known_a_statement_supports_nothing_and_is_counted() -> None:
    bare = row(uri("wd:Q64"))
    del bare["rank"]
    strange = row(uri("wd:Q64"), rank="BestRank")
    elsewhere = row(uri("wd:Q64")) | {"rank": {"type": "uri", "value": "http://example.org/#NormalRank"}}
    for rows in ([bare], [strange], [elsewhere], [row(uri("wd:Q64")), strange]):
        tally = NormaliserTally()
        (found,) = statement_rows(Group(rows, [], [], []), tally)
        assert (found.rank, found.value) == ("deprecated", StatementValue("item", o=64))
        assert (tally.statements, tally.rankless) == (1, 1)
    # Of two ranks, which nothing says apart, the less trusted.
    both = [row(uri("wd:Q64"), rank=rank) for rank in ("NormalRank", "DeprecatedRank")]
    assert one(*both)[0].rank == "deprecated" and one(both[0], bare)[0].rank == "normal"


def test_unknown_and_no_value_are_kept_apart() -> None:
    assert one(row(UNKNOWN))[0].value == StatementValue("unknown")
    assert one(row({"type": "bnode", "value": "b0"}))[0].value == StatementValue("unknown")
    assert one(row(None, no=uri("wdno:P19")))[0].value == StatementValue("none")


def test_a_statement_without_any_value_is_counted_and_grounds_nothing() -> None:
    found, faults = one(row(None))
    assert found.value == StatementValue("unknown") and faults == {"statement without value": 1}


def test_two_values_on_one_statement_ground_nothing() -> None:
    found, faults = one(row(uri("wd:Q64")), row(uri("wd:Q90")))
    assert found.value == StatementValue("unknown") and faults == {"statement with several values": 1}


def test_a_time_has_bounds_and_a_malformed_one_is_counted() -> None:
    text = "1945-01-01T00:00:00Z"
    found, _ = one(row(literal(text), p="P569"), times=(time(text),))
    assert found.value == StatementValue(
        "time", earliest=day_number(1945, 1, 1), latest=day_number(1945, 12, 31), precision=9
    )
    found, faults = one(row(literal(text), p="P569"), times=(time("1945-02-31T00:00:00Z", 12), time("nonsense")))
    assert found.value == StatementValue("unknown") and faults == {"time": 2}


def test_a_date_without_its_precision_bounds_nothing() -> None:
    found, faults = one(row(literal("1945-01-01T00:00:00Z", datatype=PREFIXES["xsd"] + "dateTime"), p="P569"))
    assert found.value == StatementValue("time") and faults == {"time without precision": 1}


def test_a_quantity_has_amount_and_unit() -> None:
    def quantity(amount: str, unit: str) -> dict:
        return {"st": uri("wds:Q1-a"), "amount": literal(amount), "unit": uri(unit)}

    found, _ = one(row(literal("+8848.86")), quantities=(quantity("+8848.86", "wd:Q11573"),))
    assert found.value == StatementValue("quantity", amount=Decimal("8848.86"), unit=11573)
    found, _ = one(row(literal("+79")), quantities=(quantity("+79", "wd:Q199"),))
    assert found.value == StatementValue("quantity", amount=Decimal(79), unit=None)
    found, faults = one(row(literal("+NaN")), quantities=(quantity("NaN", "wd:Q199"),))
    assert found.value == StatementValue("unknown") and faults == {"quantity": 1}


@pytest.mark.parametrize(
    ("low", "high", "bounds", "counted"),
    [
        ("+8848.85", "+8848.87", (Decimal("8848.85"), Decimal("8848.87")), {}),
        ("+8850", "+8860", (None, None), {"quantity's tolerance": 1}),  # does not hold the amount
        ("+8848.85", "NaN", (None, None), {"quantity's tolerance": 1}),
    ],
)
def test_a_quantity_has_its_tolerance_where_that_makes_sense(
    low: str, high: str, bounds: tuple, counted: dict[str, int]
) -> None:
    given = {"st": uri("wds:Q1-a"), "amount": literal("+8848.86"), "unit": uri("wd:Q11573")}
    found, faults = one(row(literal("+8848.86")), quantities=(given | {"low": literal(low), "high": literal(high)},))
    assert (found.value.amount_low, found.value.amount_high) == bounds and faults == counted
    assert found.value.amount == Decimal("8848.86")


def test_an_end_that_is_said_not_to_be_is_neither_missing_nor_unknown() -> None:
    none = {"st": uri("wds:Q1-a"), "k": uri("rdf:type"), "node": uri("wdno:P582")}
    found, faults = one(row(uri("wd:Q1"), p="P39"), qualifiers=(*qualifier(580, "1990-01-01T00:00:00Z"), none))
    assert found.absent_qualifiers == (582,) and found.unknown_qualifiers == ()
    assert found.end == (None, None) and found.start.earliest is not None and not faults


def test_any_other_literal_is_text() -> None:
    assert one(row(literal("Ἀθῆναι")))[0].value == StatementValue("text", text="Ἀθῆναι")
    assert one(row(uri("wd:P31")))[0].value == StatementValue("text", text=PREFIXES["wd"] + "P31")


def test_time_qualifiers_become_bounds() -> None:
    found, _ = one(
        row(uri("wd:Q64")),
        qualifiers=(*qualifier(580, "1837-01-01T00:00:00Z"), *qualifier(582, "1901-01-01T00:00:00Z")),
    )
    assert found.start == (day_number(1837, 1, 1), day_number(1837, 12, 31))
    assert found.end == (day_number(1901, 1, 1), day_number(1901, 12, 31))
    assert found.point == (None, None) and found.unknown_qualifiers == () and not found.hedged


def test_the_calendar_in_which_a_time_is_stated_is_kept() -> None:
    julian = uri("wd:Q1985786")
    born = time("1643-01-04T00:00:00Z", 11)
    stated = literal("1643-01-04T00:00:00Z", datatype=PREFIXES["xsd"] + "dateTime")
    assert one(row(stated, p="P569"), times=(born,))[0].julian == ()
    assert one(row(stated, p="P569"), times=(born | {"calendar": julian},))[0].julian == (569,)
    said, full = qualifier(580, "1702-03-19T00:00:00Z")
    until = qualifier(582, "1714-08-01T00:00:00Z")
    found, _ = one(row(uri("wd:Q64")), qualifiers=(said, full | {"calendar": julian}, *until))
    assert found.julian == (580,)


def test_an_unknown_end_is_not_a_missing_end() -> None:
    found, faults = one(row(uri("wd:Q64")), qualifiers=qualifier(582, None, UNKNOWN["value"]))
    assert found.end == (None, None) and found.unknown_qualifiers == (582,)
    assert not faults


def test_two_starts_on_one_statement_bound_nothing() -> None:
    found, _ = one(
        row(uri("wd:Q64")),
        qualifiers=(*qualifier(580, "1837-01-01T00:00:00Z"), *qualifier(580, "1850-01-01T00:00:00Z")),
    )
    assert found.start == (None, None) and found.unknown_qualifiers == (580,)


def test_hedged_statements_are_marked() -> None:
    for pid in (1480, 5102, 1310):
        assert one(row(uri("wd:Q64")), qualifiers=qualifier(pid, None, "http://x/Q5727902"))[0].hedged


def test_names_that_are_no_statements_are_counted_not_read() -> None:
    tally = NormaliserTally()
    bad = row(uri("wd:Q64"))
    bad["st"] = {"type": "uri", "value": PREFIXES["wds"] + "Q1-a> . DROP"}
    assert list(statement_rows(Group([bad], [], [], []), tally)) == []
    assert tally.faults == {"statement name": 1}


def test_english_comes_before_the_default_and_aliases_are_sorted() -> None:
    def text(kind: str, value: str, language: str) -> dict:
        return {"e": uri("wd:Q1"), "k": uri(kind), "x": literal(value, **{"xml:lang": language})}

    found = entity_texts([
        text("rdfs:label", "Aaa", "mul"),
        text("rdfs:label", "Universe", "en"),
        text("skos:altLabel", "the world", "en"),
        text("skos:altLabel", "cosmos", "mul"),
        text("schema:description", "everything", "en"),
    ])
    assert found[1] == (1, "Universe", "everything", ("cosmos", "the world"))
    assert entity_texts([text("rdfs:label", "Ada", "mul")])[1].label == "Ada"


def test_a_name_of_invisible_characters_alone_is_none() -> None:
    def text(kind: str, value: str, language: str = "en") -> dict:
        return {"e": uri("wd:Q1"), "k": uri(kind), "x": literal(value, **{"xml:lang": language})}

    rows = [text("rdfs:label", "\u200b"), text("rdfs:label", "Ada", "mul"), text("skos:altLabel", "\u200e")]
    found = entity_texts(rows)
    assert found[1] == (1, "Ada", None, ())


def test_a_time_that_cannot_be_read_is_counted_beside_those_that_can() -> None:
    tally = NormaliserTally()
    times = [time("1837-01-01T00:00:00Z"), time("944-01-01T00:00:00Z", st="Q1-b")]
    times.append(time("1837-13-01T00:00:00Z", 10, "Q1-c"))
    rows = [row(literal("x"), st=name) for name in ("Q1-a", "Q1-b", "Q1-c")]
    kinds = [found.value.kind for found in statement_rows(Group(rows, times, [], []), tally)]
    assert kinds == ["time", "unknown", "unknown"]
    assert (tally.times, tally.unreadable, tally.faults["time"]) == (3, 2, 2)
    assert tally.examples == ["944-01-01T00:00:00Z", "1837-13-01T00:00:00Z"]


def test_dates_before_christ_of_an_engine_that_gets_them_wrong_are_unknown_and_count_as_no_time() -> None:
    before = ["-044-03-15T00:00:00Z", "0000-01-01T00:00:00Z", "-5000-02-65507T00:00:00Z"]
    tally = NormaliserTally(before_christ=False)
    rows = [row(literal("x"), st=f"Q1-{number}") for number in range(4)]
    times = [time(text, st=f"Q1-{number}") for number, text in enumerate([*before, "0044-01-01T00:00:00Z"])]
    doubted = (*qualifier(580, "-044-03-15T00:00:00Z", st="Q1-3"), *qualifier(582, "0014-01-01T00:00:00Z", st="Q1-3"))
    found = list(statement_rows(Group(rows, times, [], list(doubted)), tally))
    assert [each.value.kind for each in found] == ["unknown", "unknown", "unknown", "time"]
    assert found[3].unknown_qualifiers == (580,) and found[3].end.earliest is not None
    assert (tally.times, tally.unreadable) == (2, 0)
