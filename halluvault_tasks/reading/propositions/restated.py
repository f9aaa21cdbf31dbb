"""What is asked, affirmed or denied in a clause of a response, or dated, or denied of a part."""

from collections.abc import Iterator, Sequence
from typing import Literal

from halluvault_tasks.reading import english
from halluvault_tasks.reading.clauses import Clause
from halluvault_tasks.reading.conclusions.sentences import ResponseSentence, Sign
from halluvault_tasks.reading.parser import Parse
from halluvault_tasks.reading.propositions.comparison import compared, excludes, worded
from halluvault_tasks.reading.propositions.proposition import Proposition, UnderstoodQuestion, key, stated
from halluvault_tasks.reading.rules import rule

_PARTS = frozenset(",(–—-")
_OF_DATES, _WHEN = ("PROPN", "NUM"), ("in", "on")


def restated(text: Sequence[ResponseSentence], number: int, asked: UnderstoodQuestion) -> Iterator[Sign]:
    """What a sentence's clauses say of what is asked."""
    for clause in text[number].clauses:
        if _is_said(text[number], clause):
            yield from _of_clause(text, number, clause, asked)


def _is_said(sentence: ResponseSentence, clause: Clause) -> bool:
    """Whether a clause is one that speaks of the world: no fragment, supposition, quotation, nor who answers."""
    fragment = not clause.subject and sentence.parse[clause.predicate].pos not in ("VERB", "AUX")
    persons = _persons(sentence, clause) & (english.FIRST_PERSON | english.SECOND_PERSON)
    told = sentence.lemmas(clause.subject) & english.TOLD or persons
    return not (fragment or told or clause.modality not in ("asserted", "hedged"))


def _persons(sentence: ResponseSentence, clause: Clause) -> set[str]:
    return {sentence.lowered[word] for word in clause.subject if sentence.parse[word].pos == "PRON"}


def _of_clause(
    text: Sequence[ResponseSentence], number: int, clause: Clause, asked: UnderstoodQuestion
) -> Iterator[Sign]:
    sentence, question = text[number], asked.proposition
    pronoun = is_pronoun(sentence, clause, question)
    pronoun &= question.exists or not _speaks_of_another(text, number, clause, question)
    said = stated(sentence.parse, clause)
    apart = _contrasts(sentence, clause) or _is_aside(sentence, clause, question)
    side = None if apart else compared(question, said, pronoun=pronoun)
    words = (*clause.subject, *clause.words)
    if side and not (clause.asserted or _is_own_view(sentence, clause)):
        yield sentence.sign(number, "dont_know", "unknown", words)
    elif side:
        yield sentence.sign(number, "yes" if (side == "same") != asked.inverted else "no", "restated", words)
    elif clause.asserted and (when := dated(question, said, sentence.parse, clause, pronoun=pronoun)):
        yield sentence.sign(number, "yes" if (when == "inside") != asked.inverted else "no", "dated", words)
    elif (pronoun or _ends_in_name(sentence, clause)) and excludes(question, said, sentence.parse):
        yield sentence.sign(number, "no", "excluded", words)


def _is_own_view(sentence: ResponseSentence, clause: Clause) -> bool:
    """Whether it is what who answers thinks: "I believe that she was"."""
    over = next((each for each in sentence.clauses if each.predicate == clause.over), None)
    own = over is not None and sentence.lemmas(over.subject) & english.FIRST_PERSON
    return bool(own) and over is not None and sentence.folded[over.predicate] in english.OPINE and not over.denied


def _ends_in_name(sentence: ResponseSentence, clause: Clause) -> bool:
    return bool(clause.subject) and sentence.parse[clause.subject[-1]].pos == "PROPN"


@rule("answers.contrast", "", otherwise=False)
def _contrasts(sentence: ResponseSentence, clause: Clause) -> bool:
    """ "In Oslo, not Bergen", "rather than in Bergen": it is denied of a part, which no parse tells surely."""
    own = (*clause.subject, *clause.words)
    nots = [word for word in own if sentence.lowered[word] in ("not", "neither", "nor") and word]
    but = (word for word in clause.words if sentence.lowered[word] == "but" and sentence.parse[word].dep == "cc")
    before = [sentence.parse[word - 1] for word in nots]
    parted = any(word.text in _PARTS or word.dep == "cc" or word.lemma in english.CONCLUDE for word in before)
    instead = any(sentence.lowered[word] in ("rather", "instead") for word in clause.words)
    return parted or instead or (bool(nots) and max(but, default=-1) > nots[0])


@rule("answers.dated", "Did Ann Lee die in the 1930s? → She died in 1924.", otherwise=None)
def dated(
    question: Proposition, said: Proposition, parse: Parse, clause: Clause, *, pronoun: bool
) -> Literal["inside", "outside"] | None:
    """Where the one year that a clause gives the asked event lies, seen from the asked decade; None if it gives none.

    Only events are asked for their decades (semantics.md section 2.7): what happened in 1924 did not in the 1930s.
    """
    decades = [name for name in question.names if any(word.endswith("0s") for word in name)]
    years = {parse[word].text for word in clause.words if _is_year(parse, word, clause.predicate)}
    of_whom = {parse[word].tag for word in clause.subject if parse[word].head not in clause.subject}
    plain = not question.denied and of_whom <= {"NNP", "NNPS", "PRP"} and key(parse[clause.predicate]) in question.words
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
def _is_aside(sentence: ResponseSentence, clause: Clause, question: Proposition) -> bool:
    """Whether what is asked stands beside the point: "as opposed to Rome", "far from it", "despite it", in brackets."""
    asked = {word for name in question.names for word in name if not name <= question.first}
    for index in clause.words:
        above = index if sentence.lowered[index] in asked else clause.predicate
        while above not in (clause.predicate, sentence.parse[above].head):
            above = sentence.parse[above].head
            word, over = sentence.parse[above], sentence.parse[sentence.parse[above].head]
            measured = any(each.head == above and each.dep == "npadvmod" for each in sentence.parse)
            if sentence.lowered[above] in english.APART or (word.dep == "prep" and (over.pos == "ADV" or measured)):
                return True
    return False


@rule("answers.another", "", otherwise=False)
def _speaks_of_another(text: Sequence[ResponseSentence], number: int, clause: Clause, question: Proposition) -> bool:
    """Whether the clause before is about somebody by name whom the question does not name."""
    begins = min(clause.subject, default=0)
    here = [(text[number], each) for each in text[number].clauses if max(each.subject, default=0) < begins]
    before = [(text[number - 1], each) for each in text[number - 1].clauses] if number else []
    names = frozenset(word for name in question.names for word in name)
    for sentence, each in (here or before)[-1:]:
        heads = [sentence.parse[word] for word in each.subject if sentence.parse[word].head not in each.subject]
        if heads and heads[0].pos == "PROPN" and not names & {sentence.lowered[word] for word in each.subject}:
            return True
    return False


def is_pronoun(sentence: ResponseSentence, clause: Clause, question: Proposition) -> bool:
    """Whether a pronoun, or "the war", stands for what was asked about; "his mother" is somebody else."""
    subject = [sentence.parse[word] for word in clause.subject]
    if len(subject) == 2 and subject[0].text.casefold() in ("the", "this", "that"):
        return subject[1].text.casefold() in question.first
    pronouns = {word.tag for word in subject if word.tag in ("PRP", "PRP$")}
    pointing = any(word.lemma in english.OWN and word.tag != "WDT" for word in subject)
    if "PRP$" in pronouns:
        known = question.words | question.first
        nouns = (word.lemma.casefold() for word in subject if word.pos in ("NOUN", "PROPN"))
        if any("-" in word.text for word in subject) or not all(worded(noun, known) for noun in nouns):
            return False
    return bool(pronouns) or pointing
