"""Answers that leave out what was asked: "She was.", "The war did not.", "I don't think so.", "Certainly not."."""

from collections.abc import Collection, Sequence

from halluvault_tasks.reading import english
from halluvault_tasks.reading.base import AnswerKind
from halluvault_tasks.reading.conclusions.sentences import ResponseSentence
from halluvault_tasks.reading.parser import Parse, Token
from halluvault_tasks.reading.propositions.proposition import Auxiliary, UnderstoodQuestion
from halluvault_tasks.reading.rules import rule

_HELPING = ("do", "have", "be")
_FRAME = Auxiliary("be", False)
"""Of "Is this statement true?" """

_NO_SUBJECT = ("ADV", "INTJ", "CCONJ", "DET", "SCONJ")
_UNSURE = english.DOUBT | english.ABLE | english.POLAR
_OTHER = english.ABLE | english.DOUBT | english.RELATION


@rule("answers.elliptic", "Was Ann Lee born in Rome? → She was.", otherwise=None)
def elliptic(text: Sequence[ResponseSentence], number: int, asked: UnderstoodQuestion) -> AnswerKind | None:
    """A short answer that leaves out what was asked; it speaks of the question only where nothing else was said."""
    sentence = text[number]
    if sentence.asks:
        return None
    if len(sentence.bare) <= 4 and not sentence.has_verb:
        return "no" if _is_bare_no(sentence, asked) else None
    concludes = not english.CONCLUDE.isdisjoint(sentence.folded[:2])  # no "It is not so."
    if not concludes and any(before.asks or before.has_verb for before in text[:number]):
        return None
    true = _thinks(sentence.parse)
    if true is None and (affirmed := _affirms(sentence.parse, asked.auxiliary, asked.proposition.first)) is not None:
        true = affirmed ^ asked.proposition.denied
    framed = _affirms(sentence.parse, _FRAME, english.STATED) if asked.statement else None
    if framed is not None and sentence.folded[0] in english.POINTING:
        true = framed if true in (None, framed) else None
    return None if true is None else "yes" if true ^ asked.inverted else "no"


def _is_bare_no(sentence: ResponseSentence, asked: UnderstoodQuestion) -> bool:
    """ "Certainly not."; but no "1952, not 1955", "not before", nor "Oslo, not Rome" where "not in Rome" is asked."""
    agrees = asked.proposition.denied and any(word.pos == "PROPN" for word in sentence.parse)
    numbered = any(word.text.isdecimal() for word in sentence.parse)
    return not numbered and not agrees and "not" in sentence.bare and _OTHER.isdisjoint(sentence.bare)


@rule("answers.auxiliary", "Was Ann Lee born in Rome? → She was.", otherwise=None)
def _affirms(parse: Parse, asked: Auxiliary | None, first: Collection[str]) -> bool | None:
    """Whether a sentence that is nothing but subject and auxiliary affirms what is asked; None if it is no such answer.

    Args:
        parse: of the sentence.
        asked: the auxiliary that it must repeat.
        first: the words of the question's first argument, any of which may stand for it.
    """
    words = _words(parse)
    verb = next((at for at, word in enumerate(words) if word.lemma in _HELPING and word.pos in ("AUX", "VERB")), 0)
    if asked is None or not verb or asked != (words[verb].lemma, words[verb].tag == "VBD"):
        return None
    subject = [word for word in words[:verb] if word.pos not in _NO_SUBJECT]
    bare = all(word.pos in ("ADV", "AUX", "INTJ") or word.dep == "neg" for word in words[verb + 1 :])
    sure = not any(word.tag == "MD" or word.lemma.casefold() in _UNSURE for word in words)
    return not _denials(words) % 2 if bare and sure and _is_asked(subject, first) else None


def _is_asked(subject: Sequence[Token], first: Collection[str]) -> bool:
    """Whether a subject is whom the question is about: a pronoun, or words of its first argument."""
    forms = [{word.text.casefold(), word.lemma.casefold()} for word in subject]
    if not subject or any(form & (english.FIRST_PERSON | english.SECOND_PERSON) for form in forms):
        return False
    return (len(subject) == 1 and subject[0].tag in ("PRP", "EX")) or all(form & {*first} for form in forms)


@rule("answers.opinion", "Was Ann Lee born in Rome? → I don't think so.", otherwise=None)
def _thinks(parse: Parse) -> bool | None:
    """ "I think so", "I don't think so", "I think not": whether who answers is for it; None for anything else."""
    words = _words(parse)
    if not 3 <= len(words) <= 5 or words[0].lemma.casefold() not in english.FIRST_PERSON:
        return None
    *between, last = words[1:]
    verbs = [word.lemma for word in between if word.pos == "VERB"]
    helped = all(word.pos == "VERB" or word.dep == "neg" or word.lemma in ("do", "would") for word in between)
    if len(verbs) != 1 or verbs[0] not in english.OPINE or last.lemma not in ("so", "not") or not helped:
        return None
    return not _denials(words) % 2


def _words(parse: Parse) -> list[Token]:
    return [word for word in parse if word.text[0].isalnum() or word.text == "n't"]


def _denials(words: Sequence[Token]) -> int:
    return sum(word.dep == "neg" or word.lemma in english.NO for word in words)
