"""What is asked, affirmed or denied in a clause of a response, or dated, or denied of a part."""

from collections.abc import Iterator, Sequence
from typing import Literal

from halluvault_tasks.reading import english
from halluvault_tasks.reading.clauses import Clause
from halluvault_tasks.reading.parser import Parse
from halluvault_tasks.reading.propositions import (
    Proposition,
    UnderstoodQuestion,
    compared,
    excludes,
    key,
    stated,
    worded,
)
from halluvault_tasks.reading.rules import rule
from halluvault_tasks.reading.said import ResponseSentence, Sign

_PARTS = frozenset(",(–—-")
_OF_DATES, _WHEN = ("PROPN", "NUM"), ("in", "on")


def restated(text: Sequence[ResponseSentence], number: int, asked: UnderstoodQuestion) -> Iterator[Sign]:
    """What a sentence's clauses say of what is asked."""
    for clause in text[number].clauses:
        if _is_said(text[number], clause):
            yield from _of_clause(text, number, clause, asked)


def _is_said(one: ResponseSentence, clause: Clause) -> bool:
    """Whether a clause is one that speaks of the world: no fragment, supposition, quotation, nor who answers."""
    fragment = not clause.subject and one.parse[clause.head].pos not in ("VERB", "AUX")
    persons = _persons(one, clause) & (english.FIRST_PERSON | english.SECOND_PERSON)
    told = one.lemmas(clause.subject) & english.TOLD or persons
    supposed = any(one.lowered[each] == "would" for each in clause.words)  # "it would be no injustice to say so"
    return not (fragment or told or supposed or clause.guard not in ("", "hedge") or one.quoted(clause.head))


def _persons(one: ResponseSentence, clause: Clause) -> set[str]:
    return {one.lowered[each] for each in clause.subject if one.parse[each].pos == "PRON"}


def _of_clause(
    text: Sequence[ResponseSentence], number: int, clause: Clause, asked: UnderstoodQuestion
) -> Iterator[Sign]:
    one, question = text[number], asked.proposition
    pronoun = is_pronoun(text, number, clause, question)
    own = stated(one.parse, clause)
    others = _taken_up(one, clause, _persons(one, clause), own)
    said = stated(one.parse, clause, others) if others else own
    found = None if _is_apart(one, clause, others, asked) else compared(question, said, pronoun=pronoun)
    words = (*clause.subject, *clause.words)
    if found and clause.guard:
        yield one.sign(number, "dont_know", "unknown", words)
    elif found:
        yield one.sign(number, "yes" if (found == "same") != asked.inverted else "no", "restated", words)
    elif not clause.guard and (when := dated(question, said, one.parse, clause, pronoun=pronoun)):
        yield one.sign(number, "yes" if (when == "inside") != asked.inverted else "no", "dated", words)
    elif (pronoun or (clause.subject and one.parse[clause.subject[-1]].pos == "PROPN")) and excludes(
        question, own, one.parse
    ):
        yield one.sign(number, "no", "excluded", words)


def _is_apart(one: ResponseSentence, clause: Clause, others: Sequence[Clause], asked: UnderstoodQuestion) -> bool:
    """Whether what is asked stands beside what a clause says: denied of a part, an aside, or a bound."""
    had = asked.auxiliary is not None and asked.auxiliary.lemma == "have"
    if any(_contrasts(one, each) for each in (clause, *others)) or _is_aside(one, clause, asked.proposition):
        return True
    return not had and _bounds(one, clause)


@rule("answers.contrast", "", otherwise=False)
def _contrasts(one: ResponseSentence, clause: Clause) -> bool:
    """ "In Oslo, not Bergen", "rather than in Bergen": it is denied of a part, which no parse tells surely."""
    own = (*clause.subject, *clause.words)
    nots = [index for index in own if one.lowered[index] in ("not", "neither", "nor") and index]
    but = (each for each in clause.words if one.lowered[each] == "but" and one.parse[each].dep == "cc")
    before = [one.parse[index - 1] for index in nots]
    parted = any(word.text in _PARTS or word.dep == "cc" or word.lemma in english.CONCLUDE for word in before)
    instead = any(one.lowered[each] in ("rather", "instead") for each in clause.words)
    return parted or instead or (bool(nots) and max(but, default=-1) > nots[0])


@rule("answers.bound", "Was Ann Lee born in 1961? → By 1961 Ann Lee had already been born.", otherwise=False)
def _bounds(one: ResponseSentence, clause: Clause) -> bool:
    """ "By 1961 he had already been born" says when it was over, and not when it was."""
    had = any(one.lowered[each] == "had" and one.parse[each].dep == "aux" for each in clause.words)
    return had and not {"already", "yet", "long", "by"}.isdisjoint(one.lowered[each] for each in clause.words)


@rule("answers.dated", "Did Ann Lee die in the 1930s? → She died in 1924.", otherwise=None)
def dated(
    question: Proposition, said: Proposition, parse: Parse, clause: Clause, *, pronoun: bool
) -> Literal["inside", "outside"] | None:
    """Where the one year that a clause gives the asked event lies, seen from the asked decade; None if it gives none.

    Only events are asked for their decades (semantics.md section 2.7): what happened in 1924 did not in the 1930s.
    """
    decades = [name for name in question.names if any(one.endswith("0s") for one in name)]
    years = {parse[one].text for one in clause.words if _is_year(parse, one, clause.head)}
    of_whom = {parse[one].tag for one in clause.subject if parse[one].head not in clause.subject}
    plain = not question.denied and of_whom <= {"NNP", "NNPS", "PRP"} and key(parse[clause.head]) in question.words
    if not plain or len(decades) != 1 or len(years) != 1:
        return None
    names = tuple(frozenset(years) if name in decades else name for name in question.names)
    if compared(question._replace(names=names), said, pronoun=pronoun) != "same":
        return None
    return "inside" if years.pop()[:3] == min(decades[0])[:3] else "outside"


def _is_year(parse: Parse, index: int, head: int) -> bool:
    """Whether a word is the year in which a verb happened: not "died after a concert in 1950", "led it since 1950"."""
    above = parse[index].head
    while above not in (head, parse[above].head) and (parse[above].pos in _OF_DATES or parse[above].lemma in _WHEN):
        above = parse[above].head
    return parse[index].text.isdecimal() and len(parse[index].text) == 4 and above == head


@rule("answers.aside", "", otherwise=False)
def _is_aside(one: ResponseSentence, clause: Clause, question: Proposition) -> bool:
    """Whether what is asked stands beside the point: "as opposed to Rome", "far from it", "despite it", in brackets."""
    asked = {word for name in question.names for word in name if not name <= question.first}
    for index in clause.words:
        above = index if one.lowered[index] in asked else clause.head
        while above not in (clause.head, one.parse[above].head):
            above = one.parse[above].head
            word, over = one.parse[above], one.parse[one.parse[above].head]
            measured = any(each.head == above and each.dep == "npadvmod" for each in one.parse)
            if one.lowered[above] in english.APART or (word.dep == "prep" and (over.pos == "ADV" or measured)):
                return True
    return False


def is_pronoun(text: Sequence[ResponseSentence], number: int, clause: Clause, question: Proposition) -> bool:
    """Whether a pronoun, or "the war", stands for what was asked about; "his mother" is somebody else."""
    one = text[number]
    subject = [one.parse[each] for each in clause.subject]
    if len(subject) == 2 and subject[0].text.casefold() in ("the", "this", "that"):
        return subject[1].text.casefold() in question.first
    pronouns = [
        word for word in subject if word.tag in ("PRP", "PRP$") or (word.lemma in english.OWN and word.tag != "WDT")
    ]
    if any(word.tag == "PRP$" for word in pronouns):
        nouns = (word.lemma.casefold() for word in subject if word.pos in ("NOUN", "PROPN"))
        if any("-" in word.text for word in subject) or not all(
            worded(noun, question.words | question.first) for noun in nouns
        ):
            return False
    return bool(pronouns) and (question.exists or not _speaks_of_another(text, number, clause, question))


@rule("answers.another", "", otherwise=False)
def _speaks_of_another(text: Sequence[ResponseSentence], number: int, clause: Clause, question: Proposition) -> bool:
    """Whether the clause before is about somebody by name whom the question does not name."""
    here = [(text[number], each) for each in text[number].clauses if max(each.subject, default=0) < min(clause.subject)]
    before = [(text[number - 1], each) for each in text[number - 1].clauses] if number else []
    names = frozenset(word for name in question.names for word in name)
    for one, each in (here or before)[-1:]:
        heads = [one.parse[word] for word in each.subject if one.parse[word].head not in each.subject]
        if heads and heads[0].pos == "PROPN" and not names & {one.lowered[word] for word in each.subject}:
            return True
    return False


@rule(
    "answers.taken_up",
    "Did Ann Lee and Bob Fox study at Yale? → Ann Lee went to Yale and studied with Bob Fox.",
    otherwise=[],
)
def _taken_up(one: ResponseSentence, clause: Clause, persons: set[str], said: Proposition) -> list[Clause]:
    """Clauses whose names another takes up: a coordinated one by a shared subject or "them", one on existence all."""
    if not said.names:
        return []
    found = _qualifying(one, clause) if said.exists else []
    before = next((each for each in one.clauses if each.head == clause.over), None)
    if before and one.parse[clause.head].dep == "conj":
        shared = before.subject == clause.subject and before.denied == clause.denied
        shared &= not (_numbered(one, before) and _numbered(one, clause))  # "was alive in 1804 and died in 1809"
        found += [before] if shared or persons & {"they", "them"} else []
    return found


def _numbered(one: ResponseSentence, clause: Clause) -> bool:
    return any(one.parse[each].text.isdecimal() for each in clause.words)


def _qualifying(one: ResponseSentence, clause: Clause) -> list[Clause]:
    """What says more of whom there is or is not, in clauses under it: "no one has served with X being his school"."""
    found, heads = [], {clause.head}
    for each in one.clauses:
        marks = one.lemmas(index for index in each.words if one.parse[index].dep == "mark")
        asserted = not each.denied and not one.lemmas(each.words) & english.DOUBT
        apart = one.parse[each.head].dep == "conj" or bool(marks & (english.REASON | english.OPEN))
        if each.over in heads and asserted and not apart:
            heads.add(each.head)
            found.append(each)
    return found
