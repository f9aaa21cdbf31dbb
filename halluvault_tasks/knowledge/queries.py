"""The SPARQL of a pull: standard 1.1, explicit prefixes, VALUES batches, no hints and no label service.

Ids are numbers up to here and rendered by this module alone, so no text from outside ever becomes query text;
statement names are matched against Wikidata's alphabet first. Ids are sorted: the same batch is the same text,
and the text's hash is the batch's key.

Every query counts itself: a second branch of a UNION has one row, `?total`, with the number of rows (or of distinct
keys) that the first must have. This needs no extra request, and both halves see one state of the source; a separate
COUNT could meet another replica of the service, or an edit in between.

Shapes are chosen so that engines of every make start at the given ids and read little else (measured on Blazegraph,
Fuseki, Virtuoso and pyoxigraph; docs/knowledge.md has the counts):

- ids, first step and second step are in one subselect of their own, predicates in `FILTER(?p IN (…))`;
- each triple of a found node is one OPTIONAL outside that subselect, with BOUND where it is required: required triples
  there make Blazegraph begin at the predicate, with every date of the store;
- the subject of such an OPTIONAL is always bound, for otherwise it matches every node;
- no UNDEF in VALUES, no VALUES that has to bind inside a UNION, no branch of a UNION that is VALUES alone.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, assert_never

from halluvault_tasks.knowledge import requests as r
from halluvault_tasks.knowledge.store_shape import OF_ITEMS, SAMPLES, USUAL, StoreShape
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.iris import DATA_SET, PREFIXES

TOTAL = "total"
"""Column of the service's own count."""

_LANGUAGES = '"en", "mul"'
# English, or the default that Wikidata keeps for names alike in all languages.

_CLASS_PATH = {mode: f"wdt:P{pid}" for mode, pid in wd.MEMBERSHIP.items()}


class SelectQuery(NamedTuple):
    """One SELECT query."""

    text: str
    key: tuple[str, ...] = ()
    """Columns whose distinct values the service counts as `?total`; empty: it counts every row."""


def render(request: r.ServiceRequest, shape: StoreShape = USUAL) -> SelectQuery:
    """The query that puts a request to a service whose store has that shape."""
    path = shape.sitelinks.path
    match request:
        case r.StoreSamples(kinds):
            return samples(kinds)
        case r.KnownItems(ids):
            return known(ids)
        case r.PropertyTerms(ids):
            return metadata_terms(ids)
        case r.PropertyConstraints(ids):
            return metadata_constraints(ids)
        case r.Subclasses(ids):
            return subclasses(ids)
        case r.ClassMembers(ids, mode, sitelinks):
            return seeds(ids, mode, sitelinks, path)
        case r.MembersBySitelinks(ids, mode, of_class):
            return seeds_with(ids, mode, of_class, path)
        case r.MembersWithoutSitelinks(ids, mode):
            return seeds_without_sitelinks(ids, mode, path)
        case r.TailMembers(ids, mode, sitelinks, ending):
            return tail_seeds(ids, mode, sitelinks, ending, path)
        case r.ItemsInTail(ids, mode, of_class, sitelinks):
            return listed_tail_seeds(ids, mode, of_class, sitelinks, path)
        case r.ListedItems(ids):
            return listed_seeds(ids, path)
        case r.SubjectStatements(ids, properties):
            return statements(ids, properties) if shape.statements.shown else truthy(ids, properties)
        case r.SubjectTimes(ids, properties):
            return times(ids, properties)
        case r.SubjectQuantities(ids, properties):
            return quantities(ids, properties)
        case r.StatementQualifiers(guids):
            return qualifiers(guids)
        case r.EntityTerms(ids):
            return entities(ids, path)
        case _:
            assert_never(request)


def _query(columns: str, pattern: str, *, counted: str = "", key: str = "") -> SelectQuery:
    """A query that counts itself.

    Args:
        columns: as SELECT takes them.
        pattern: what they are taken from.
        counted: the pattern to count, where a shorter one tells as well; needs `key`.
        key: columns that tell the counted things apart, in the rows.
    """
    body = f"""SELECT {columns} ?{TOTAL} WHERE {{
  {{ {pattern} }}
  UNION
  {{ SELECT (COUNT(*) AS ?{TOTAL}) WHERE {{ {counted or pattern} }} }}
}}"""
    used = sorted(name for name in PREFIXES if f"{name}:" in body)
    prefixes = "".join(f"PREFIX {name}: <{PREFIXES[name]}>\n" for name in used)
    return SelectQuery(prefixes + body, tuple(key.split()))


def _items(numbers: Iterable[int]) -> str:
    return " ".join(f"wd:Q{number}" for number in sorted(numbers))


def _properties(numbers: Iterable[int]) -> str:
    return " ".join(f"wd:P{number}" for number in sorted(numbers))


def _statement(guid: str) -> str:
    # A name with `$` or an end that a prefixed name cannot have is written out.
    return f"wds:{guid}" if guid[-1:].isalnum() and "$" not in guid else f"<{PREFIXES['wds']}{guid}>"


def _terms(subject: str, ids: str, predicates: Iterable[str]) -> str:
    # Two filters, not one: an engine must fetch the text of a label to see its language, and then fetches no other.
    return (
        f"VALUES ?{subject} {{ {ids} }} ?{subject} ?k ?x . FILTER(?k IN ({', '.join(predicates)})) "
        f'FILTER(!ISLITERAL(?x) || LANG(?x) IN ("", {_LANGUAGES}))'
    )


def probe() -> SelectQuery:
    """Column x: the least that a healthy service can be asked."""
    return _query("?x", "BIND(1 AS ?x)")


def samples(kinds: Iterable[str]) -> SelectQuery:
    """Columns k, s: of each kind of triple (`store_shape.SAMPLES`) that the store has, the subject of one."""
    some = (f'{{ SELECT ("{kind}" AS ?k) ?s WHERE {{ {SAMPLES[kind]} }} LIMIT 1 }}' for kind in sorted(kinds))
    return _query("?k ?s", " UNION ".join(some))


def stated_date() -> SelectQuery:
    """Column d: the day to which the source says its data goes, as Wikidata's dumps and query service state it."""
    return _query("?d", f"<{DATA_SET}> schema:dateModified ?d")


def known(items: Iterable[int]) -> SelectQuery:
    """Columns e, target: which items the source knows, and what those stand for that were merged into another."""
    # What points at an item is asked only where nothing is said of it: at Q5 point millions.
    named = f"VALUES ?e {{ {_items(items)} }}"
    return _query(
        "?e ?target",
        f"{{ {named} FILTER(EXISTS {{ ?e ?p ?o }}) }} UNION "
        f"{{ {named} FILTER(NOT EXISTS {{ ?e ?p ?o }}) FILTER(EXISTS {{ ?s ?q ?e }}) }} "
        "OPTIONAL { ?e owl:sameAs ?target }",
    )


def metadata_terms(properties: Iterable[int]) -> SelectQuery:
    """Columns p, k, x: label (en, mul), datatype, inverse (P1696) and classes (P31) of properties."""
    names = ("rdfs:label", "wikibase:propertyType", f"wdt:P{wd.INVERSE}", f"wdt:P{wd.INSTANCE_OF}")
    return _query("?p ?k ?x", _terms("p", _properties(properties), names))


def metadata_constraints(properties: Iterable[int]) -> SelectQuery:
    """Columns p, type, separator, rank: constraint statements (P2302) with their separators (P4155)."""
    return _query(
        "?p ?type ?separator ?rank",
        f"""VALUES ?p {{ {_properties(properties)} }}
  ?p p:P{wd.CONSTRAINT} ?st . ?st ps:P{wd.CONSTRAINT} ?type ; wikibase:rank ?rank .
  OPTIONAL {{ ?st pq:P{wd.SEPARATOR} ?separator }}""",
    )


def subclasses(classes: Iterable[int]) -> SelectQuery:
    """Column s: classes directly below the given ones."""
    pattern = f"SELECT DISTINCT ?s WHERE {{ VALUES ?c {{ {_items(classes)} }} ?s wdt:P{wd.SUBCLASS_OF} ?c }}"
    return _query("?s", pattern)


def seeds(classes: Iterable[int], mode: str, sitelinks: int, path: str = OF_ITEMS.path) -> SelectQuery:
    """Columns s, n: members of classes with enough sitelinks (or without that figure).

    Args:
        classes: the classes, already closed downward.
        mode: `instance` (P31), `subclass` (P279) or `occupation` (P106).
        sitelinks: least number.
        path: from an item to its sitelinks.
    """
    return _seeds(
        f"VALUES ?c {{ {_items(classes)} }} ?s {_CLASS_PATH[mode]} ?c . "
        f"OPTIONAL {{ ?s {path} ?n }} FILTER(!BOUND(?n) || ?n >= {int(sitelinks)})"
    )


def seeds_with(counts: Sequence[int], mode: str, of_class: int, path: str = OF_ITEMS.path) -> SelectQuery:
    """As `seeds`, for a class too large to ask at once: only members with one of these numbers of sitelinks."""
    numbers = " ".join(str(int(count)) for count in counts)
    return _seeds(
        f"VALUES ?n {{ {numbers} }} ?s {path} ?n . FILTER(EXISTS {{ ?s {_CLASS_PATH[mode]} wd:Q{int(of_class)} }})"
    )


def seeds_without_sitelinks(classes: Iterable[int], mode: str, path: str = OF_ITEMS.path) -> SelectQuery:
    """As `seeds`: members without a number of sitelinks in the source."""
    return _seeds(
        f"VALUES ?c {{ {_items(classes)} }} ?s {_CLASS_PATH[mode]} ?c . OPTIONAL {{ ?s {path} ?n }} FILTER(!BOUND(?n))"
    )


def listed_seeds(items: Iterable[int], path: str = OF_ITEMS.path) -> SelectQuery:
    """As `seeds`, for single items: those that the source has."""
    return _seeds(f"VALUES ?s {{ {_items(items)} }} FILTER(EXISTS {{ ?s ?any ?thing }}) OPTIONAL {{ ?s {path} ?n }}")


def tail_seeds(
    classes: Iterable[int], mode: str, sitelinks: tuple[int, int], ending: str, path: str = OF_ITEMS.path
) -> SelectQuery:
    """As `seeds`: members whose number ends so, with few sitelinks.

    The ending comes before the sitelinks: of a large class, an engine looks up those of a thousandth.

    Args:
        classes: the classes, already closed downward.
        mode: as in `seeds`.
        sitelinks: fewest and most.
        ending: digits; empty for every number.
        path: from an item to its sitelinks.
    """
    if ending and not ending.isdecimal():
        raise ValueError(f"an ending has digits alone, not {ending!r}")
    so = f' FILTER(STRENDS(STR(?s), "{ending}"))' if ending else ""
    members = f"SELECT DISTINCT ?s WHERE {{ VALUES ?c {{ {_items(classes)} }} ?s {_CLASS_PATH[mode]} ?c .{so} }}"
    return _seeds(f"{{ {members} }} {_few(sitelinks, path)}")


def listed_tail_seeds(
    items: Iterable[int], mode: str, of_class: int, sitelinks: tuple[int, int], path: str = OF_ITEMS.path
) -> SelectQuery:
    """As `tail_seeds`, for a class too large even for a part of it: which of these items belong to it."""
    return _seeds(
        f"VALUES ?s {{ {_items(items)} }} FILTER(EXISTS {{ ?s {_CLASS_PATH[mode]} wd:Q{int(of_class)} }}) "
        + _few(sitelinks, path)
    )


def _few(sitelinks: tuple[int, int], path: str) -> str:
    least, most = map(int, sitelinks)
    return f"OPTIONAL {{ ?s {path} ?n }} FILTER(BOUND(?n) && ?n >= {least} && ?n <= {most})"


def _seeds(members: str) -> SelectQuery:
    return _query(
        "?s ?n",
        f"SELECT DISTINCT ?s ?n WHERE {{ {members} }}",
        counted=f"SELECT DISTINCT ?s WHERE {{ {members} }}",
        key="s",
    )


def _names(prefix: str, properties: Iterable[int]) -> str:
    return ", ".join(f"{prefix}:P{number}" for number in sorted(properties))


def statements(subjects: Iterable[int], properties: Sequence[int]) -> SelectQuery:
    """Columns s, c, st, v, rank, no: every statement of any rank; `v` unbound and `no` bound is "no value"."""
    claims = (
        f"SELECT ?s ?c ?st WHERE {{ VALUES ?s {{ {_items(subjects)} }} ?s ?c ?st . "
        f"FILTER(?c IN ({_names('p', properties)})) }}"
    )
    paths = " ".join(f"(p:P{p} ps:P{p} wdno:P{p})" for p in sorted(properties))
    return _query(
        "?s ?c ?st ?v ?rank ?no",
        f"""{{ {claims} }}
  VALUES (?c ?ps ?n) {{ {paths} }}
  OPTIONAL {{ ?st wikibase:rank ?rank }}
  OPTIONAL {{ ?st ?ps ?v }}
  OPTIONAL {{ ?st a ?n . BIND(?n AS ?no) }}""",
        counted=claims,
        key="s c st",
    )


def truthy(subjects: Iterable[int], properties: Sequence[int]) -> SelectQuery:
    """Columns s, c, v: values of best rank; `c` is `wdt:`, or `rdf:type` where `v` in `wdno:` is "no value"."""
    return _query(
        "?s ?c ?v",
        f"VALUES ?s {{ {_items(subjects)} }} ?s ?c ?v . FILTER(?c IN ({_names('wdt', properties)}) "
        f"|| (?c = rdf:type && ?v IN ({_names('wdno', properties)})))",
    )


def _nodes(subjects: Iterable[int], properties: Sequence[int]) -> str:
    return (
        f"{{ SELECT ?st ?node WHERE {{ VALUES ?s {{ {_items(subjects)} }} "
        f"?s ?c ?st . FILTER(?c IN ({_names('p', properties)})) "
        f"?st ?psv ?node . FILTER(?psv IN ({_names('psv', properties)})) }} }}"
    )


_TIME = """OPTIONAL { ?node wikibase:timeValue ?t }
  OPTIONAL { ?node wikibase:timePrecision ?precision }
  OPTIONAL { ?node wikibase:timeCalendarModel ?calendar }"""


def times(subjects: Iterable[int], properties: Sequence[int]) -> SelectQuery:
    """Columns st, t, precision, calendar: the full time values of statements."""
    return _query(
        "?st ?t ?precision ?calendar",
        f"""{_nodes(subjects, properties)}
  {_TIME}
  FILTER(BOUND(?t) && BOUND(?precision) && BOUND(?calendar))""",
    )


def quantities(subjects: Iterable[int], properties: Sequence[int]) -> SelectQuery:
    """Columns st, amount, unit, low, high: the full quantity values of statements; bounds where there are any."""
    return _query(
        "?st ?amount ?unit ?low ?high",
        f"""{_nodes(subjects, properties)}
  OPTIONAL {{ ?node wikibase:quantityAmount ?amount }}
  OPTIONAL {{ ?node wikibase:quantityUnit ?unit }}
  OPTIONAL {{ ?node wikibase:quantityLowerBound ?low }}
  OPTIONAL {{ ?node wikibase:quantityUpperBound ?high }}
  FILTER(BOUND(?amount) && BOUND(?unit))""",
    )


def qualifiers(guids: Iterable[str]) -> SelectQuery:
    """Columns st, k, node, t, precision, calendar: what times and hedges qualify statements, one triple a row.

    `k` is `pq:` (any value), `pqv:` (a time's node, with its parts), or `rdf:type`: `node` in `wdno:` is "no value".
    """
    # Each statement is named once a branch and read once: naming it is most of what it costs.
    names = " ".join(map(_statement, sorted(guids)))
    wanted = f"{_names('pq', (*wd.TIME_QUALIFIERS, *wd.HEDGES))}, {_names('pqv', wd.TIME_QUALIFIERS)}"
    marks = (
        f"SELECT ?st ?k ?node WHERE {{ VALUES ?st {{ {names} }} ?st ?k ?node . "
        f"FILTER(?k IN ({wanted}) || ?node IN ({_names('wdno', wd.TIME_QUALIFIERS)})) }}"
    )
    return _query("?st ?k ?node ?t ?precision ?calendar", f"{{ {marks} }}\n  {_TIME}", counted=marks, key="st k node")


def entities(numbers: Iterable[int], path: str = OF_ITEMS.path) -> SelectQuery:
    """Columns e, k, x: what is known of entities besides statements.

    Labels, aliases and descriptions (English or language-independent), types (P31, best rank), the number of
    sitelinks, and for a merged entity what it stands for (owl:sameAs).
    """
    names = (
        "rdfs:label",
        "skos:altLabel",
        "schema:description",
        f"wdt:P{wd.INSTANCE_OF}",
        "wikibase:sitelinks",
        "owl:sameAs",
    )
    pattern = _terms("e", items := _items(numbers), names)
    if path != OF_ITEMS.path:
        elsewhere = f"VALUES ?e {{ {items} }} ?e {path} ?x . BIND(wikibase:sitelinks AS ?k)"
        pattern = f"{{ {pattern} }} UNION {{ {elsewhere} }}"
    return _query("?e ?k ?x", pattern)
