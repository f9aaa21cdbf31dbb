"""Terms of N-Triples as they stand in a dump's lines: `<iri>`, `"text"@en`, `"text"^^<datatype>`, `_:node`."""

import re
from typing import NamedTuple

from halluvault_tasks.wikidata.iris import PREFIXES

_PLAIN_TEXT, _IN_A_LANGUAGE = PREFIXES["xsd"] + "string", PREFIXES["rdf"] + "langString"
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))")
_CHARACTERS = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}


class DumpTerm(NamedTuple):
    """What a term is, as SPARQL's JSON has it."""

    kind: str
    """`uri`, `bnode` or `literal`."""
    value: str
    datatype: str
    """IRI; empty for what is no literal."""
    language: str = ""


def term(token: str) -> DumpTerm:
    """Read a term; a triple in a triple's place, which RDF 1.2 has and Wikidata has not, is an empty IRI."""
    if token.startswith('"'):
        end = token.rindex('"')
        value, rest = text(token[1:end]), token[end + 1 :]
        if rest.startswith("@"):
            return DumpTerm("literal", value, _IN_A_LANGUAGE, rest[1:].lower())
        return DumpTerm("literal", value, rest[3:-1] or _PLAIN_TEXT)
    if token.startswith("_:"):
        return DumpTerm("bnode", token[2:], "")
    return DumpTerm("uri", "" if token.startswith("<<") else token[1:-1], "")


def text(escaped: str) -> str:
    """What stands between a literal's quotes, without escapes; without NUL, too, which Postgres cannot store."""
    return _ESCAPE.sub(_character, escaped).replace("\0", "") if "\\" in escaped or "\0" in escaped else escaped


def _character(match: re.Match[str]) -> str:
    code = match[1] or match[2]
    return chr(int(code, 16)) if code else _CHARACTERS.get(match[3], match[3])
