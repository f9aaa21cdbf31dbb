"""The hand-checked sample of facts: its form, its references, its agreement with independent data."""

import re
from collections import Counter
from pathlib import Path

from tests.require import require

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "halluvault_tasks" / "local" / "sample" / "checked"
SHARED = ROOT.parent / "shared" / "data"

DOMAINS = {
    "culture",
    "geography",
    "health",
    "history",
    "people",
    "mathematics",
    "natural_science",
    "society",
    "technology",
}
ITEM = r"Q[1-9]\d*"
TIME = r"(?:-?\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?|-?\d{3}x|-?\d\dxx)"
QUANTITY = rf"=-?\d+(?:\.\d+)?(?: {ITEM})?"
VALUE = re.compile(rf"^(?:{ITEM}|{TIME}|{QUANTITY}|\?|!)$")
QUALIFIER = re.compile(rf"^(?:(?:P580|P582|P585)=({TIME}|\?|!)|P1480={ITEM})$")
TIME_ONLY = re.compile(rf"^{TIME}$")
DATATYPE_FORMS = {
    "Item": re.compile(rf"^(?:{ITEM}|\?|!)$"),
    "Time": re.compile(rf"^(?:{TIME}|\?|!)$"),
    "Quantity": re.compile(rf"^(?:{QUANTITY}|\?|!)$"),
}
COUNTRY_CLASSES = {"Q3624078", "Q6256"}
SYMMETRIC = "Q18647518"


def read(path):
    header, *lines = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
    names = header.split("\t")
    rows = [line.split("\t") for line in lines]
    assert all(len(row) == len(names) for row in rows), f"uneven rows in {path.name}"
    return [dict(zip(names, row, strict=True)) for row in rows]


def shared(*parts):
    path = SHARED.joinpath(*parts)
    require(path.exists(), "the shared reference data is not beside the repository")
    return [line.split("\t") for line in path.read_text(encoding="utf-8").split("\n")[1:] if line]


ENTITIES = read(SAMPLE / "entities.tsv")
STATEMENTS = read(SAMPLE / "statements.tsv")
PROPERTIES = read(SAMPLE.parent / "properties.tsv")
REDIRECTS = {r["old"]: r["new"] for r in read(SAMPLE / "redirects.tsv")}
BY_QID = {e["qid"]: e for e in ENTITIES}
BY_PID = {p["pid"]: p for p in PROPERTIES}


def parts(text):
    return [p for p in text.split("|") if p]


def is_item(value):
    return re.fullmatch(ITEM, value) is not None


def values(pid):
    return [(s["subject"], s["value"]) for s in STATEMENTS if s["property"] == pid]


def test_labels_said_to_come_from_the_label_list_stand_there():
    known = {row[0]: row[1] for row in shared("qid-labels.tsv")}
    wrong = [e["qid"] for e in ENTITIES if e["source"] == "qid-labels" and known.get(e["qid"]) != e["label"]]
    assert wrong == []


def test_labels_said_to_come_from_codex_stand_there():
    known = {(row[0], row[1]) for row in shared("wikidata-codex-s", "entities.tsv")}
    known |= {(row[1], row[2]) for row in shared("wikidata-codex-s", "types.tsv") if len(row) > 2}
    wrong = [e["qid"] for e in ENTITIES if e["source"] == "codex-s" and (e["qid"], e["label"]) not in known]
    assert wrong == []


def test_no_label_contradicts_the_label_list():
    known = {row[0]: row[1] for row in shared("qid-labels.tsv")}
    assert [e["qid"] for e in ENTITIES if known.get(e["qid"], e["label"]) != e["label"]] == []


def test_properties_agree_with_the_property_list():
    known = {row[0]: row for row in shared("properties.tsv")}
    wrong = [
        p["pid"]
        for p in PROPERTIES
        if known[p["pid"]][1:3] != [p["label"], p["datatype"]] or p["inverse"] not in ("", known[p["pid"]][3])
    ]
    assert wrong == []


def test_no_statement_stands_among_the_checked_negatives():
    negatives = {tuple(row[:3]) for row in shared("wikidata-codex-s", "negatives.tsv")}
    assert [s for s in STATEMENTS if (s["subject"], s["property"], s["value"]) in negatives] == []


def test_statements_said_to_stand_in_codex_stand_there():
    triples = {tuple(row[:3]) for row in shared("wikidata-codex-s", "statements.tsv")}
    claimed = [s for s in STATEMENTS if "codex-s" in s["source"]]
    assert claimed
    assert [s for s in claimed if (s["subject"], s["property"], s["value"]) not in triples] == []


def test_the_sample_is_large_enough_and_covers_the_nine_domains():
    assert len(STATEMENTS) >= 1500
    per_domain = Counter(s["domain"] for s in STATEMENTS)
    assert set(per_domain) == DOMAINS
    assert min(per_domain.values()) >= 30
    assert len({s["property"] for s in STATEMENTS}) >= 60
    assert sum(bool(TIME_ONLY.match(s["value"]) or "P58" in s["qualifiers"]) for s in STATEMENTS) >= 400


def test_the_difficulties_of_real_data_are_all_there():
    terms = Counter((s["subject"], s["property"], s["value"]) for s in STATEMENTS if "P580" in s["qualifiers"])
    assert sum(n > 1 for n in terms.values()) >= 5  # the same office or marriage twice
    assert sum("P582" in s["qualifiers"] for s in STATEMENTS) >= 60
    ranks = Counter(s["rank"] for s in STATEMENTS)
    assert ranks["preferred"] >= 4 and ranks["deprecated"] >= 3
    times = [s["value"] for s in STATEMENTS if TIME_ONLY.match(s["value"])]
    precisions = Counter(
        "century" if v.endswith("xx") else "decade" if v.endswith("x") else v.lstrip("-").count("-") for v in times
    )
    assert min(precisions[kind] for kind in ("century", "decade", 0, 1, 2)) >= 3, precisions
    assert sum(v.startswith("-") for v in times) >= 15
    same = Counter((e["label"], e["types"]) for e in ENTITIES)
    assert sum(n > 1 for (_, types), n in same.items() if types) >= 5  # homonyms of one type
    assert Counter(s["value"] for s in STATEMENTS)["!"] >= 10
    assert sum(s["value"] == "?" for s in STATEMENTS) >= 2
    assert sum("P1480" in s["qualifiers"] for s in STATEMENTS) >= 2
    assert any(s["value"] in REDIRECTS for s in STATEMENTS)
    assert all(old not in BY_QID and new in BY_QID for old, new in REDIRECTS.items())


def test_every_item_mentioned_is_an_entity_and_every_property_is_described():
    items = {s["subject"] for s in STATEMENTS} | {s["value"] for s in STATEMENTS if is_item(s["value"])}
    items |= {t for e in ENTITIES for t in parts(e["types"])}
    items |= {q.split("=")[1] for s in STATEMENTS for q in parts(s["qualifiers"]) if is_item(q.split("=")[1])}
    assert sorted(items - set(BY_QID) - set(REDIRECTS)) == []
    used = {s["property"] for s in STATEMENTS}
    used |= {q.split("=")[0] for s in STATEMENTS for q in parts(s["qualifiers"])}
    used |= {p["inverse"] for p in PROPERTIES if p["inverse"]} | {q for p in PROPERTIES for q in parts(p["separators"])}
    assert sorted(used - set(BY_PID)) == []


def test_every_entity_is_used():
    used = {s["subject"] for s in STATEMENTS} | {s["value"] for s in STATEMENTS}
    used |= {t for e in ENTITIES for t in parts(e["types"])} | set(REDIRECTS.values())
    used |= {q.split("=")[1] for s in STATEMENTS for q in parts(s["qualifiers"])}
    assert sorted(set(BY_QID) - used) == []


def test_every_value_and_qualifier_parses_in_the_form_of_its_property():
    for s in STATEMENTS:
        assert VALUE.match(s["value"]), s
        assert DATATYPE_FORMS[BY_PID[s["property"]]["datatype"]].match(s["value"]), s
        assert s["rank"] in {"normal", "preferred", "deprecated"}, s
        for q in parts(s["qualifiers"]):
            assert QUALIFIER.match(q), s


def test_columns_of_entities_and_properties_parse():
    for e in ENTITIES:
        assert is_item(e["qid"]) and e["label"].strip() == e["label"] != "", e
        assert e["sitelinks"].isdigit(), e
        assert all(is_item(t) for t in parts(e["types"])), e
    for p in PROPERTIES:
        assert re.fullmatch(r"P[1-9]\d*", p["pid"]) and p["label"] and p["datatype"] in DATATYPE_FORMS, p
        assert all(is_item(c) for c in parts(p["classes"]) + parts(p["constraints"])), p


def test_the_special_values_all_occur():
    seen = [s["value"] for s in STATEMENTS]
    for pattern in (r"\?", "!", r"\d{3}x", r"\d\dxx", r"-\d{4}.*", r"=\d+"):
        assert any(re.fullmatch(pattern, v) for v in seen), pattern
    assert {s["rank"] for s in STATEMENTS} == {"normal", "preferred", "deprecated"}
    assert any(n > 1 for n in Counter(e["label"] for e in ENTITIES).values())


def bounds(text):
    """First and last possible day of a time value, as (year, month, day)."""
    if text.startswith("-") and text.endswith("x"):
        span = 100 if text.endswith("xx") else 10
        far = int(text.strip("-x")) * span + span
        return (-far, 1, 1), (-far + span, 12, 31)
    if text.endswith("xx"):
        century = int(text[:2]) * 100
        return (century + 1, 1, 1), (century + 100, 12, 31)
    if text.endswith("x"):
        return (int(text[:3]) * 10, 1, 1), (int(text[:3]) * 10 + 9, 12, 31)
    sign, body = (-1, text[1:]) if text.startswith("-") else (1, text)
    year, *rest = (int(n) for n in body.split("-"))
    return (sign * year, *rest, *(1, 1)[len(rest) :]), (sign * year, *rest, *(12, 31)[len(rest) :])


def test_no_span_ends_before_it_starts():
    spans = [dict(q.split("=") for q in parts(s["qualifiers"])) for s in STATEMENTS]
    spans = [(q["P580"], q["P582"]) for q in spans if "P580" in q and "P582" in q]
    for start, end in (("P569", "P570"), ("P571", "P576"), ("P580", "P582")):
        ends = dict(values(end))
        spans += [(v, ends[s]) for s, v in values(start) if s in ends]
    assert len(spans) > 100
    assert [s for s in spans if bounds(s[0])[0] > bounds(s[1])[1]] == []


def test_positions_are_held_and_marriages_last_within_the_life():
    births = {s: v[:4] for s, v in values("P569") if not v.startswith("-")}
    deaths = {s: v for s, v in values("P570") if not v.startswith("-")}
    for s in STATEMENTS:
        if s["property"] in {"P39", "P26"} and s["qualifiers"]:
            q = dict(part.split("=") for part in parts(s["qualifiers"]))
            assert births[s["subject"]] < q["P580"][:4], s
            if s["subject"] in deaths and "P582" in q:
                assert q["P582"][:4] <= deaths[s["subject"]][:4], s


def test_every_place_of_an_event_reaches_its_country_by_containment():
    above = {}
    for s, v in values("P131"):
        above.setdefault(s, set()).add(v)
    country = {}
    for s, v in values("P17"):
        country.setdefault(s, set()).add(v)
    places = {v for pid in ("P19", "P20", "P119", "P159", "P276", "P740") for _, v in values(pid) if is_item(v)}
    assert len(places) > 60
    for place in places:
        seen, todo = set(), [place]
        while todo:
            here = todo.pop()
            if here not in seen:
                seen.add(here)
                todo += above.get(here, ())
        reached = {q for q in seen if set(parts(BY_QID[q]["types"])) & COUNTRY_CLASSES}
        assert len(reached) == 1, (place, BY_QID[place]["label"], reached)
        assert country.get(place) == reached, (place, BY_QID[place]["label"])


def test_containment_and_subclasses_have_no_cycle():
    for pid in ("P131", "P279", "P171", "P361", "P155", "P156"):
        edges = {}
        for s, v in values(pid):
            edges.setdefault(s, set()).add(v)
        for start in edges:
            seen, todo = set(), list(edges[start])
            while todo:
                here = todo.pop()
                assert here != start, (pid, start)
                if here not in seen:
                    seen.add(here)
                    todo += edges.get(here, ())


def test_properties_functional_by_nature_have_one_value_of_rank_normal_or_better():
    for pid in ("P19", "P20", "P22", "P25", "P569", "P570", "P1086", "P577"):
        count = Counter(s["subject"] for s in STATEMENTS if s["property"] == pid and s["rank"] != "deprecated")
        assert [s for s, n in count.items() if n > 1] == [], pid


def test_symmetric_properties_are_nearly_closed():
    for p in PROPERTIES:
        if SYMMETRIC in parts(p["classes"]):
            pairs = {(s, v) for s, v in values(p["pid"]) if is_item(v)}
            if pairs:
                assert sum((v, s) in pairs for s, v in pairs) >= 0.95 * len(pairs), p["pid"]


def test_a_father_or_mother_and_a_child_agree_in_age():
    births = {s: int(v[:4]) for s, v in values("P569") if v[:4].isdigit()}
    pairs = [(v, s) for pid in ("P22", "P25") for s, v in values(pid)]
    pairs += [(s, v) for s, v in values("P40")]
    pairs = [(parent, child) for parent, child in pairs if is_item(parent) and is_item(child)]
    assert len(pairs) > 30
    assert [p for p in pairs if not 14 <= births[p[1]] - births[p[0]] <= 70] == []


def test_some_inverse_facts_are_stated_in_one_direction_only():
    for pid, inverse in (("P40", "P22"), ("P156", "P155"), ("P36", "P1376")):
        stated = {(s, v) for s, v in values(pid) if is_item(v)}
        assert stated - {(v, s) for s, v in values(inverse)}, pid


def test_there_are_no_duplicates():
    assert len(BY_QID) == len(ENTITIES) and len(BY_PID) == len(PROPERTIES)
    keys = Counter((s["subject"], s["property"], s["value"], s["qualifiers"]) for s in STATEMENTS)
    assert [k for k, n in keys.items() if n > 1] == []


def test_files_are_sorted():
    assert [int(e["qid"][1:]) for e in ENTITIES] == sorted(int(e["qid"][1:]) for e in ENTITIES)
    keys = [(s["domain"], int(s["subject"][1:]), int(s["property"][1:])) for s in STATEMENTS]
    assert keys == sorted(keys)


def test_every_row_names_its_source():
    for row in ENTITIES + STATEMENTS + PROPERTIES:
        assert row["source"].strip(), row
