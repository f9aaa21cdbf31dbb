"""The reader `syntax` on a snapshot: its entities' names, what they are, and Wikidata's words for its properties."""

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.wording.lexicon import Lexicon, load_lexicon
from halluvault_tasks.reading.mentions import Finder
from halluvault_tasks.reading.names import UNTYPED, EntityName, Names
from halluvault_tasks.reading.parser import spacy_parser
from halluvault_tasks.reading.syntax import predicates
from halluvault_tasks.reading.syntax.predicates import Book, Predicates
from halluvault_tasks.reading.syntax.reader import SyntaxReader
from halluvault_tasks.storage.tables import entity, property, statement

_INSTANCE, _SUBCLASS = 31, 279


def load(session: Session, snapshot: str, config_dir: Path, names: Names) -> SyntaxReader:
    """The reader on a snapshot.

    Args:
        session: open session; it is only read.
        snapshot: exact key.
        config_dir: directory of lexicon.yaml and predicates.yaml.
        names: of the snapshot, by `load_names`.
    """
    labels = session.execute(
        select(property.c.pid, property.c.label).where(property.c.snapshot == snapshot).order_by(property.c.pid)
    )
    book, _, file = wordings(config_dir, tuple((pid, label) for pid, label in labels if label))
    return SyntaxReader(names, book, predicates.demonyms(file), spacy_parser())


def finder(config_dir: Path, names: Names) -> Finder:
    """What finds names in texts.

    Args:
        config_dir: directory of predicates.yaml.
        names: of a snapshot.
    """
    _, file = _read(*_versions(config_dir))
    return Finder(names, predicates.demonyms(file))


def load_names(session: Session, snapshot: str, config_dir: Path, also: Collection[int] = ()) -> Names:
    """The names of a snapshot's entities that a response may speak of, and what they are.

    Args:
        session: open session; it is only read.
        snapshot: exact key.
        config_dir: directory of lexicon.yaml and predicates.yaml.
        also: QIDs that the benchmark cites.
    """
    lexicon, file = _read(*_versions(config_dir))
    classes = {qid for several in (*lexicon.kinds.values(), *file.kinds.values()) for qid in several}
    kinds = kinds_by_class(lexicon, file)
    return Names(_entities(session, snapshot, kinds, frozenset(classes), also))


def wordings(config_dir: Path, labels: tuple[tuple[int, str], ...] = ()) -> tuple[Book, Lexicon, Predicates]:
    """The wordings of a configuration, compiled; the same files and labels are compiled once in a process.

    Args:
        config_dir: directory of lexicon.yaml and predicates.yaml.
        labels: Wikidata's name of each property.

    Raises:
        UserError: a wording has no content word, or no path joins its ends; a file is faulty.
    """
    return _compiled(*_versions(config_dir), labels)


def files(config_dir: Path) -> tuple[Lexicon, Predicates]:
    """lexicon.yaml and predicates.yaml of a directory; the same files are read once in a process."""
    return _read(*_versions(config_dir))


def _versions(config_dir: Path) -> tuple[tuple[Path, str], tuple[Path, str]]:
    lexicon, file = (
        (path, hashlib.sha256(path.read_bytes()).hexdigest())
        for path in (config_dir / "lexicon.yaml", config_dir / "predicates.yaml")
    )
    return lexicon, file


@lru_cache(maxsize=2)
def _read(lexicon_file: tuple[Path, str], predicates_file: tuple[Path, str]) -> tuple[Lexicon, Predicates]:
    return load_lexicon(lexicon_file[0]), predicates.load(predicates_file[0])


@lru_cache(maxsize=2)
def _compiled(
    lexicon_file: tuple[Path, str], predicates_file: tuple[Path, str], labels: tuple[tuple[int, str], ...]
) -> tuple[Book, Lexicon, Predicates]:
    lexicon, file = _read(lexicon_file, predicates_file)
    return Book(file, lexicon, spacy_parser(), {pid: (label,) for pid, label in labels}), lexicon, file


def kinds_by_class(lexicon: Lexicon, file: Predicates) -> Mapping[int, frozenset[str]]:
    """Class → the kinds that its instances are of."""
    found: dict[int, set[str]] = defaultdict(set)
    for several in (lexicon.kinds, file.kinds):
        for name, classes in several.items():
            for qid in classes:
                found[qid].add(name)
    return {qid: frozenset(names) for qid, names in found.items()}


def _entities(
    session: Session, snapshot: str, kinds: Mapping[int, frozenset[str]], classes: frozenset[int], also: Collection[int]
) -> Iterable[EntityName]:
    """Entities that a response may speak of: those of a domain, values of properties, and `also`.

    A mere class ("river", "city") is a word, not a name.
    """
    parents: dict[int, set[int]] = defaultdict(set)
    for child, parent in session.execute(
        select(statement.c.s, statement.c.o).where(
            statement.c.snapshot == snapshot, statement.c.p == _SUBCLASS, statement.c.kind == "item"
        )
    ):
        parents[child].add(parent)
    above: dict[int, frozenset[int]] = {}

    def superclasses(klass: int) -> frozenset[int]:
        if klass not in above:
            found, waiting = {klass}, [klass]
            while waiting:
                fresh = parents.get(waiting.pop(), set()) - found
                found |= fresh
                waiting += fresh
            above[klass] = frozenset(found)
        return above[klass]

    values = select(statement.c.o).where(
        statement.c.snapshot == snapshot, statement.c.kind == "item", statement.c.p.not_in([_INSTANCE, _SUBCLASS])
    )
    own = or_(entity.c.seed, entity.c.domain.is_not(None), entity.c.qid.in_(sorted(also)))
    # One set to join, not a subquery beside an "or": Postgres runs that one again for each entity of a large month.
    spoken = entity.c.qid.in_(values.union_all(select(entity.c.qid).where(entity.c.snapshot == snapshot, own)))
    words = {
        qid: label.casefold()
        for qid, label in session.execute(
            select(entity.c.qid, entity.c.label).where(entity.c.snapshot == snapshot, entity.c.label.is_not(None))
        )
    }
    for qid, label, aliases, types in session.execute(
        select(entity.c.qid, entity.c.label, entity.c.aliases, entity.c.types)
        .where(entity.c.snapshot == snapshot, entity.c.label.is_not(None), spoken)
        .order_by(entity.c.qid)
    ):
        # Classes are subclasses of other things, not only instances: a disease's own superclasses say what it is.
        every = {one for klass in (*types, *parents.get(qid, ())) for one in superclasses(klass)}
        found = frozenset(kind for klass in every & classes for kind in kinds[klass])
        nouns = frozenset(words[klass] for klass in types if klass in words)
        yield EntityName(qid, label, aliases, found if every else frozenset([UNTYPED]), nouns)
