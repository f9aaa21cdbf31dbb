"""Answers that leave out what was asked: "She was.", "The war did not.", "I don't think so.", "Certainly not."."""

from collections.abc import Collection
from typing import NamedTuple

from halluvault_tasks.reading import english
from halluvault_tasks.reading.parser import Parse
from halluvault_tasks.reading.rules import rule

_DO = ("do", "have", "be")


class Auxiliary(NamedTuple):
    """The verb that a short answer repeats: "was", "did", "has"."""

    lemma: str
    past: bool


FRAME = Auxiliary("be", False)
"""Of "Is this statement true?" """


def auxiliary(parse: Parse, polar: bool) -> Auxiliary | None:
    """The auxiliary of a proposition; of one without it the "did" that stands for its verb.

    Args:
        parse: of the question or statement.
        polar: it is a question, which begins with it.
    """
    if not parse:
        return None
    if polar:
        return Auxiliary(parse[0].lemma, parse[0].tag == "VBD") if parse[0].lemma in _DO else None
    root = next(index for index, word in enumerate(parse) if word.head == index)
    verbs = [
        one for index, one in enumerate(parse) if (one.head == root and one.dep in ("aux", "auxpass")) or index == root
    ]
    first = verbs[0]
    own = first.pos == "AUX" and first.lemma in _DO
    return Auxiliary(first.lemma if own else "do", first.tag == "VBD") if first.tag.startswith("V") else None


@rule("answers.auxiliary", "Was Ann Lee born in Rome? → She was.", otherwise=None)
def affirms(parse: Parse, asked: Auxiliary | None, first: Collection[str]) -> bool | None:
    """Whether a sentence that is nothing but subject and auxiliary affirms what is asked; None if it is no such answer.

    Args:
        parse: of the sentence.
        asked: the auxiliary that it must repeat.
        first: the words of the question's first argument, any of which may stand for it.
    """
    words = [word for word in parse if word.text[0].isalnum() or word.text == "n't"]
    verb = next((place for place, word in enumerate(words) if word.lemma in _DO and word.pos in ("AUX", "VERB")), 0)
    if asked is None or not verb or asked != (words[verb].lemma, words[verb].tag == "VBD"):
        return None
    subject = [word for word in words[:verb] if word.pos not in ("ADV", "INTJ", "CCONJ", "DET", "SCONJ")]
    pronoun = len(subject) == 1 and subject[0].tag in ("PRP", "EX")
    own = {word.text.casefold() for word in subject} & (english.FIRST_PERSON | english.SECOND_PERSON)
    if own or not subject or not (pronoun or all(_key(word.text, word.lemma) & {*first} for word in subject)):
        return None
    behind = words[verb + 1 :]
    if not all(word.pos in ("ADV", "AUX", "INTJ") or word.dep == "neg" for word in behind):
        return None
    said = {word.lemma.casefold() for word in words}
    if any(word.tag == "MD" for word in words) or said & (english.DOUBT | english.ABLE | english.POLAR):
        return None
    return not sum(word.dep == "neg" or word.lemma in english.NO for word in words) % 2


def _key(text: str, lemma: str) -> set[str]:
    return {text.casefold(), lemma.casefold()}


@rule("answers.opinion", "Was Ann Lee born in Rome? → I don't think so.", otherwise=None)
def thinks(parse: Parse) -> bool | None:
    """ "I think so", "I don't think so", "I think not": whether who answers is for it; None for anything else."""
    words = [word for word in parse if word.text[0].isalnum() or word.text == "n't"]
    if not 3 <= len(words) <= 5 or words[0].lemma.casefold() not in english.FIRST_PERSON:
        return None
    *between, last = words[1:]
    verbs = [word for word in between if word.pos == "VERB"]
    helped = all(word in verbs or word.dep == "neg" or word.lemma == "do" or word.lemma == "would" for word in between)
    if len(verbs) != 1 or verbs[0].lemma not in english.OPINE or last.lemma not in ("so", "not") or not helped:
        return None
    return not sum(word.dep == "neg" or word.lemma == "not" for word in words) % 2
