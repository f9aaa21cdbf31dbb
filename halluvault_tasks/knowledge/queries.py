"""The SPARQL of a pull: standard 1.1, explicit prefixes, VALUES batches, no hints and no label service.

Ids are numbers until here and rendered by this module alone, so no text from outside ever becomes query text;
statement names are matched against Wikidata's alphabet first. Ids are sorted: the same batch is the same text,
and the text's hash is the batch's key.
"""

from collections.abc import Iterable, Sequence

from halluvault_tasks.knowledge.iris import DATA_SET, PREFIXES

START, END, POINT = 580, 582, 585
TIME_QUALIFIERS = (START, END, POINT)
HEDGES = (1480, 5102, 1310)
"""Sourcing circumstances, nature of statement, statement disputed by: such a statement grounds nothing."""

_LANGUAGES = 'FILTER(LANG(?x) IN ("en", "mul"))'
# English, or the default that Wikidata keeps for names alike in all languages.


def _query(body: str) -> str:
    used = sorted(name for name in PREFIXES if f"{name}:" in body)
    return "".join(f"PREFIX {name}: <{PREFIXES[name]}>\n" for name in used) + body


def _items(numbers: Iterable[int]) -> str:
    return " ".join(f"wd:Q{number}" for number in sorted(numbers))


def _properties(numbers: Iterable[int]) -> str:
    return " ".join(f"wd:P{number}" for number in sorted(numbers))


def _everything_of(subjects: Iterable[int]) -> str:
    """Read each subject once, whole, and choose properties afterwards.

    To look every pair of subject and property up instead costs as many index probes as there are pairs, nearly all
    of them in vain: a subject has a fifth of the properties that its domain asks for.
    """
    return f"{{ SELECT ?s ?c ?st WHERE {{ VALUES ?s {{ {_items(subjects)} }} ?s ?c ?st }} }}"


def _any_of(*predicates: str) -> str:
    """`?e ?k ?x` for few predicates, each fixed, so that every engine finds its index."""
    return " UNION ".join(f"{{ ?e {name} ?x BIND({name} AS ?k) }}" for name in predicates)


def stated_date() -> str:
    """Column d: the day to which the source says its data goes, as Wikidata's dumps and query service state it."""
    return _query(f"SELECT ?d WHERE {{ <{DATA_SET}> schema:dateModified ?d }}")


def metadata_terms(properties: Iterable[int]) -> str:
    """Columns p, k, x: label (en, mul), datatype, inverse (P1696) and classes (P31) of properties."""
    return _query(
        f"""SELECT ?p ?k ?x WHERE {{
  VALUES ?p {{ {_properties(properties)} }}
  VALUES ?k {{ rdfs:label wikibase:propertyType wdt:P1696 wdt:P31 }}
  ?p ?k ?x . FILTER(!ISLITERAL(?x) || LANG(?x) IN ("en", "mul"))
}}"""
    )


def metadata_constraints(properties: Iterable[int]) -> str:
    """Columns p, type, separator, rank: constraint statements (P2302) with their separators (P4155)."""
    return _query(
        f"""SELECT ?p ?type ?separator ?rank WHERE {{
  VALUES ?p {{ {_properties(properties)} }}
  ?p p:P2302 ?st . ?st ps:P2302 ?type ; wikibase:rank ?rank .
  OPTIONAL {{ ?st pq:P4155 ?separator }}
}}"""
    )


def subclasses(classes: Iterable[int]) -> str:
    """Column s: classes directly below the given ones."""
    return _query(f"SELECT DISTINCT ?s WHERE {{ VALUES ?c {{ {_items(classes)} }} ?s wdt:P279 ?c }}")


def seeds(classes: Iterable[int], mode: str, sitelinks: int) -> str:
    """Columns s, n, labelled: members of classes with enough sitelinks (or without that figure).

    Args:
        classes: the classes, already closed downward.
        mode: `instance` (P31), `subclass` (P279) or `occupation` (P106).
        sitelinks: least number.
    """
    via = {"instance": "wdt:P31", "subclass": "wdt:P279", "occupation": "wdt:P106"}[mode]
    return _query(
        f"""SELECT DISTINCT ?s ?n ?labelled WHERE {{
  VALUES ?c {{ {_items(classes)} }}
  ?s {via} ?c .
  OPTIONAL {{ ?s wikibase:sitelinks ?n }}
  FILTER(!BOUND(?n) || ?n >= {int(sitelinks)})
  BIND(EXISTS {{ ?s rdfs:label ?x {_LANGUAGES} }} AS ?labelled)
}}"""
    )


def listed_seeds(items: Iterable[int]) -> str:
    """Columns s, n, labelled, as `seeds`, of single items: those that the source knows at all."""
    return _query(
        f"""SELECT DISTINCT ?s ?n ?labelled WHERE {{
  VALUES ?s {{ {_items(items)} }}
  FILTER(EXISTS {{ ?s ?any ?thing }})
  OPTIONAL {{ ?s wikibase:sitelinks ?n }}
  BIND(EXISTS {{ ?s rdfs:label ?x {_LANGUAGES} }} AS ?labelled)
}}"""
    )


def statements(subjects: Iterable[int], properties: Sequence[int]) -> str:
    """Columns s, c, st, v, rank, no: every statement of any rank; `v` unbound and `no` bound is "no value"."""
    claims = " ".join(f"(p:P{p} ps:P{p} wdno:P{p})" for p in sorted(properties))
    return _query(
        f"""SELECT ?s ?c ?st ?v ?rank ?no WHERE {{
  {_everything_of(subjects)}
  VALUES (?c ?ps ?n) {{ {claims} }}
  OPTIONAL {{ ?st wikibase:rank ?rank }}
  OPTIONAL {{ ?st ?ps ?v }}
  OPTIONAL {{ ?st a ?n . BIND(?n AS ?no) }}
}}"""
    )


def times(subjects: Iterable[int], properties: Sequence[int]) -> str:
    """Columns st, t, precision, calendar: the full time values of statements."""
    claims = " ".join(f"(p:P{p} psv:P{p})" for p in sorted(properties))
    return _query(
        f"""SELECT ?st ?t ?precision ?calendar WHERE {{
  {_everything_of(subjects)}
  VALUES (?c ?psv) {{ {claims} }}
  ?st ?psv ?node .
  ?node wikibase:timeValue ?t ; wikibase:timePrecision ?precision ; wikibase:timeCalendarModel ?calendar
}}"""
    )


def quantities(subjects: Iterable[int], properties: Sequence[int]) -> str:
    """Columns st, amount, unit: the full quantity values of statements."""
    claims = " ".join(f"(p:P{p} psv:P{p})" for p in sorted(properties))
    return _query(
        f"""SELECT ?st ?amount ?unit WHERE {{
  {_everything_of(subjects)}
  VALUES (?c ?psv) {{ {claims} }}
  ?st ?psv ?node .
  ?node wikibase:quantityAmount ?amount ; wikibase:quantityUnit ?unit
}}"""
    )


def qualifiers(guids: Iterable[str]) -> str:
    """Columns st, q, x, t, precision, calendar: times and hedges that qualify statements.

    `x` alone, without `t`, is an unknown value (for a time) or any value (for a hedge).
    """
    names = " ".join(f"<{PREFIXES['wds']}{guid}>" for guid in sorted(guids))
    wanted = " ".join(f"(wd:P{q} pq:P{q} pqv:P{q})" for q in (*TIME_QUALIFIERS, *HEDGES))
    return _query(
        f"""SELECT ?st ?q ?x ?t ?precision ?calendar WHERE {{
  VALUES (?q ?pq ?pqv) {{ {wanted} }}
  VALUES ?st {{ {names} }}
  ?st ?pq ?x .
  OPTIONAL {{
    ?st ?pqv ?node .
    ?node wikibase:timeValue ?t ; wikibase:timePrecision ?precision ; wikibase:timeCalendarModel ?calendar
  }}
}}"""
    )


def texts(entities: Iterable[int]) -> str:
    """Columns e, k, x: labels, aliases and descriptions, English or language-independent."""
    return _query(
        f"""SELECT ?e ?k ?x WHERE {{
  VALUES ?e {{ {_items(entities)} }}
  {_any_of("rdfs:label", "skos:altLabel", "schema:description")} {_LANGUAGES}
}}"""
    )


def types(entities: Iterable[int]) -> str:
    """Columns e, k, x: types (P31, best rank) and the number of sitelinks."""
    return _query(
        f"""SELECT ?e ?k ?x WHERE {{
  VALUES ?e {{ {_items(entities)} }}
  {_any_of("wdt:P31", "wikibase:sitelinks")}
}}"""
    )
