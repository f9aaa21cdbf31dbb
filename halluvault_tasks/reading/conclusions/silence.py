"""Not knowing, and declining: a verb of knowing, finding or telling that is denied of whoever answers."""

from collections.abc import Collection

from halluvault_tasks.reading import english
from halluvault_tasks.reading.base import AnswerKind
from halluvault_tasks.reading.clauses import Clause
from halluvault_tasks.reading.conclusions.sentences import ResponseSentence
from halluvault_tasks.reading.rules import rule

_SHORT, _PLAIN = 5, 8
"""Words of a sentence, and of a clause, that say nothing beside."""


def silence(sentence: ResponseSentence, clause: Clause) -> AnswerKind:
    """ "I cannot answer that" refuses; "I cannot tell" does not know."""
    unable = bool(sentence.lemmas(clause.words) & english.UNABLE)
    verbs = clause.words if unable else (clause.predicate,)
    refuses = any(sentence.folded[verb] in english.REFUSES and sentence.parse[verb].pos == "VERB" for verb in verbs)
    return "refusal" if refuses else "dont_know"


@rule("answers.unknown", "Was Ann Lee born in Rome? → I cannot tell.", otherwise=False)
def is_silent(sentence: ResponseSentence, clause: Clause) -> bool:
    """Whether who answers cannot know or tell, or has nothing that tells; or leaves it at "possible"."""
    if clause.unfound or clause.modality == "quoted":
        return False
    subject = sentence.lemmas(clause.subject)
    if subject & english.FIRST_PERSON and any(sentence.parse[word].pos == "PRON" for word in clause.subject):
        return _is_unable(sentence, clause)
    if _has_none(sentence, clause):
        return True
    words = sentence.lemmas(clause.words)
    passive = any(sentence.parse[word].dep in ("auxpass", "nsubjpass") for word in clause.words)
    known = clause.denied and sentence.folded[clause.predicate] in english.KNOW
    if _is_of_nobody(sentence, subject, passive):
        able = clause.denied and bool(words & english.ABLE)
        return _is_open(sentence, clause) or bool(words & english.UNABLE) or (known and passive) or able
    return known and (passive if subject & (english.TOLD | english.STATED) else bool(words & _TELLING))


_TELLING = english.TOLD | english.EVIDENCE
_CAN = english.ABLE | english.TOLD | {"can", "could", "have"}


def _is_unable(sentence: ResponseSentence, clause: Clause) -> bool:
    words = sentence.lemmas(clause.words)
    able = sentence.folded[clause.predicate] in english.KNOW or bool(words & _CAN)
    return bool(words & english.UNABLE) or (clause.denied and able)


def _has_none(sentence: ResponseSentence, clause: Clause) -> bool:
    """ "No information", "no data"."""
    nouns = (sentence.parse[word].head for word in clause.words if sentence.lowered[word] == "no")
    return any(sentence.parse[noun].lemma in english.TOLD for noun in nouns)


def _is_of_nobody(sentence: ResponseSentence, subject: Collection[str], passive: bool) -> bool:
    """Whether nobody is said to know or not: "it is not known", "a yes cannot be given", "unknown"."""
    given = passive and not english.POLAR.isdisjoint(subject)
    return not {"it", "there"}.isdisjoint(subject) or given or (not subject and len(sentence.bare) <= _SHORT)


def _is_open(sentence: ResponseSentence, clause: Clause) -> bool:
    """ "It is possible", and nothing more."""
    alone = clause.over < 0 and sentence.lowered[0] == "it" and len(clause.words) < _PLAIN
    return clause.modality == "hedged" and alone
