"""Write Python values as Prolog text that reads back as exactly those values.

Labels and model output are hostile: they enter Prolog only through `atom`, and most code passes integers alone.
"""

from halluvault_tasks.wikidata.relation import Predicate, Relation


def atom(text: str) -> str:
    """A quoted atom: `'` + text with backslash and quote escaped + `'` (ISO 6.4.2). NUL becomes U+FFFD."""
    escaped = text.replace("\0", "\ufffd").replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    return f"'{escaped}'"


def number(value: int) -> str:
    """An integer; anything else is refused rather than written.

    Raises:
        TypeError: the value is not an `int` (or is a `bool`).
    """
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r} is not an integer")
    return str(value)


def term(p: Predicate) -> str:
    """The p of p(s, o): a property as its number, another relation as `share([57])`, `chain([19, 131])`."""
    if isinstance(p, Relation):
        return f"{p.kind}([{', '.join(map(number, p.properties))}])"
    return number(p)


def comment(text: str) -> str:
    """A one-line comment; line breaks cannot end it early."""
    return "% " + " ".join(text.split())


def fact(name: str, *arguments: int | str) -> str:
    """A fact: integers as they are, any text as a quoted atom.

    Args:
        name: of the predicate; a plain atom of ours.
        arguments: in order.
    """
    written = ", ".join(atom(one) if isinstance(one, str) else number(one) for one in arguments)
    return f"{name}({written})."
