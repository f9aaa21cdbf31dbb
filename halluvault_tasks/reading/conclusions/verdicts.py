"""Verdicts on the statement, claim or question, or on the answer given: "the statement is false", "that is right"."""

from collections.abc import Iterator

from halluvault_tasks.reading import english
from halluvault_tasks.reading.base import AnswerKind
from halluvault_tasks.reading.clauses import Clause
from halluvault_tasks.reading.conclusions.sentences import ResponseSentence, Sign
from halluvault_tasks.reading.echoes import OPPOSITE
from halluvault_tasks.reading.propositions.comparison import compared
from halluvault_tasks.reading.propositions.proposition import UnderstoodQuestion, stated
from halluvault_tasks.reading.propositions.restated import is_pronoun
from halluvault_tasks.reading.rules import rule

_OBJECTS = ("dobj", "ccomp", "advcl")
_SAID = ("ccomp", "csubj", "xcomp", "acl")
_BETWEEN = ("neg", "advmod", "aux", "xcomp")


@rule("answers.verdict", "Is this statement true? “Ann Lee was born in Rome.” → The statement is false.", otherwise=())
def verdicts(sentence: ResponseSentence, number: int, asked: UnderstoodQuestion) -> Iterator[Sign]:
    """Verdicts that a sentence gives; `number`: its own in the response."""
    for clause in sentence.clauses:
        nouns = _judged_nouns(sentence, clause) if clause.asserted else set()
        truth = _truth(sentence, clause, own="answer" in nouns) if nouns else None
        more = clause.denied and sentence.lemmas(clause.words) & english.ONLY  # "not just an error but …"
        if truth is None or more or _judges_another(sentence, clause, asked):
            continue
        kind: AnswerKind = "yes" if truth ^ clause.denied ^ _opposes(sentence, clause, asked) ^ asked.inverted else "no"
        first = sentence.lowered[clause.subject[0]]
        if len(clause.subject) == 1 and first in english.OWN | {"it"}:
            if (
                clause.over < 0
                and sentence.folded[clause.predicate] in english.COPULA
                and not _governs(sentence, clause)
            ):
                yield sentence.sign(number, kind, "pronoun", clause.words)
        elif "answer" in nouns and first in english.OWN:
            if truth == clause.denied:
                yield sentence.sign(number, "no", "retracted", clause.words)
        elif nouns & _JUDGED or (nouns == {"one"} and first in english.OWN):
            yield sentence.sign(number, kind, "verdict", (*clause.subject, *clause.words))


_JUDGED = english.STATED | {"answer"}


def _governs(sentence: ResponseSentence, clause: Clause) -> bool:
    """ "It would be wrong to say", "a mistake to say": what is judged comes behind."""
    return any(
        word.dep in _SAID
        or (word.dep, word.tag) == ("relcl", "VB")
        or (word.dep, word.head) == ("prep", clause.predicate)
        for word in sentence.parse
        if clause.predicate in (word.head, sentence.parse[word.head].head)
    )


def _judged_nouns(sentence: ResponseSentence, clause: Clause) -> set[str]:
    """What a clause speaks of: "the statement that …", and no part or time of it, as "the year in the question" is."""
    heads = [sentence.parse[word] for word in clause.subject if sentence.parse[word].head not in clause.subject]
    if any(word.pos == "VERB" for word in heads):
        return set()  # "Strike the word “France”, and the sentence is true"
    nouns = [sentence.parse[word] for word in clause.subject if sentence.parse[word].pos in ("NOUN", "PRON")]
    tops = [word for word in nouns if word.dep != "pobj"]
    return {word.lemma.casefold() for word in tops or nouns}


@rule("answers.other_statement", "", otherwise=False)
def _judges_another(sentence: ResponseSentence, clause: Clause, asked: UnderstoodQuestion) -> bool:
    """Whether another statement is judged: "he was born in 1820", "without the “not”"; one, where several are put."""
    if english.STATED.isdisjoint(sentence.folded[word] for word in clause.subject):
        return False
    known = {word for name in asked.proposition.names for word in name}
    numbers = {sentence.lowered[word] for word in clause.subject if sentence.lowered[word].isdecimal()}
    heads = [sentence.parse[word] for word in clause.subject if sentence.parse[word].head not in clause.subject]
    if any(sentence.lowered[word] == "without" for word in (*clause.subject, *clause.words)):
        return True
    return bool(numbers - known) or (asked.several and not any(word.tag == "NNS" for word in heads))


def _truth(sentence: ResponseSentence, clause: Clause, *, own: bool) -> bool | None:
    """Whether a clause's predicate calls its subject true or false, its negations left aside."""
    lemma = sentence.folded[clause.predicate]
    if lemma == "follow" and not own and not clause.denied:  # "so the statement follows"; denied, it is no verdict
        governed = (word for word in sentence.parse[clause.predicate + 1 :] if word.head == clause.predicate)
        return None if any(word.dep in _OBJECTS for word in governed) else True
    if lemma in english.HOLDS | english.FAILS and not own:
        return None if sentence.lemmas(clause.words) & {"can", "could"} else lemma in english.HOLDS
    if lemma in english.COPULA:
        for place in (
            place for place in clause.words if place > clause.predicate and _is_complement(sentence, clause, place)
        ):
            if (called := _called(sentence, place, own=own)) is not None:
                return called
    return None


def _is_complement(sentence: ResponseSentence, clause: Clause, place: int) -> bool:
    between = sentence.parse[clause.predicate + 1 : place]
    return sentence.parse[place].head == clause.predicate or all(word.dep in _BETWEEN for word in between)


def _called(sentence: ResponseSentence, place: int, *, own: bool) -> bool | None:
    """Whether a complement is true or false: "false", "a true statement", "a claim that has been verified"."""
    word, told = sentence.parse[place], _told(sentence, place)
    if word.lemma in english.TRUE | english.FALSE and (word.pos == "ADJ" or not own):
        return word.lemma in english.TRUE and told is not False
    if word.dep != "attr" or word.lemma not in english.STATED or own:
        return None
    below = (other for other, each in enumerate(sentence.parse) if (each.head, each.dep) == (place, "amod"))
    adjectives = sentence.lemmas(below) & (english.TRUE | english.FALSE)
    return bool(adjectives & english.TRUE) if told is None and adjectives else told


@rule(
    "answers.told",
    "Is this statement true? “Ann Lee was born in Rome.” → This is a claim that has been verified.",
    otherwise=None,
)
def _told(sentence: ResponseSentence, noun: int) -> bool | None:
    """What a clause on a noun calls it: "a claim that has been verified", "a fact that was shown to be false"."""
    modal = {word.head for word in sentence.parse if word.tag == "MD"}
    for place, word in enumerate(sentence.parse):
        if word.head != noun or word.dep not in ("relcl", "acl") or place in modal:
            continue
        below = sentence.below(place)
        subjects = [sentence.parse[each] for each in below if sentence.parse[each].dep.startswith("nsubj")]
        false = bool(sentence.lemmas(below) & (english.FALSE | english.FAILS))
        if (false or word.lemma in english.HOLDS) and all(each.tag in ("WDT", "WP") for each in subjects):
            return not false  # its negations count with the clause's own
    return None


@rule("answers.opposite", "", otherwise=False)
def _opposes(sentence: ResponseSentence, clause: Clause, asked: UnderstoodQuestion) -> bool:
    """Whether what is judged is quoted or told as the opposite of what is asked."""
    under = (
        each
        for each in sentence.clauses
        if each.over == clause.predicate and sentence.parse[each.predicate].dep == "acl"
    )
    question = asked.proposition
    told = (
        compared(question, stated(sentence.parse, each), pronoun=is_pronoun(sentence, each, question)) for each in under
    )
    return any(sentence.parse[word].text == OPPOSITE for word in clause.subject) or "opposite" in told
