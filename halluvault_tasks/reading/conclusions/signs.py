"""What in a response says something about its answer: explicit answers, and not knowing.

An explicit answer is a leading or labelled yes or no, or a verdict on the statement, claim or question; a sign, too,
is the question's proposition, affirmed or denied in a clause that is asserted (`propositions.restated`).
"""

from collections.abc import Iterator, Sequence

from halluvault_tasks.reading import english
from halluvault_tasks.reading.conclusions.polar import polar
from halluvault_tasks.reading.conclusions.sentences import EXPLICIT, ResponseSentence, Sign
from halluvault_tasks.reading.conclusions.silence import is_silent, silence
from halluvault_tasks.reading.conclusions.verdicts import verdicts
from halluvault_tasks.reading.propositions.proposition import UnderstoodQuestion, key
from halluvault_tasks.reading.propositions.restated import restated


def signs(text: Sequence[ResponseSentence], asked: UnderstoodQuestion) -> list[Sign]:
    """Everything in a response that says something about its answer, in order."""
    made: list[Sign] = []
    questioned = -1  # the paragraph in which the text asked something of its own, which a yes or no may answer
    for number, sentence in enumerate(text):
        if sentence.skipped or sentence.label & english.STATED:
            continue
        apart = sentence.sentence.block == questioned and not (sentence.label or sentence.concludes)
        tag = sentence.asks and len(sentence.parse) == 2 and bool(sentence.bare)  # "Right?"
        if sentence.asks and not tag:
            questioned = sentence.sentence.block if _asks_else(sentence, asked) else -1
        before = next((sign for sign in reversed(made) if sign.how != "unknown"), None)
        here = _of_sentence(text, number, asked, apart=apart, tag=tag)
        made += (referred for sign in here if (referred := _referred(sentence, sign, before, asked)))
    return made


def _of_sentence(
    text: Sequence[ResponseSentence], number: int, asked: UnderstoodQuestion, *, apart: bool, tag: bool
) -> Iterator[Sign]:
    """What one sentence says.

    Args:
        text: all sentences.
        number: of this one.
        asked: the question.
        apart: its paragraph asks something else, which a yes or no would answer.
        tag: it only asks for assent.
    """
    sentence = text[number]
    if not apart and not tag:
        yield from polar(text, number, asked)
    if not sentence.asks:
        yield from (sign for sign in verdicts(sentence, number, asked) if not (apart and sign.how == "pronoun"))
        yield from restated(text, number, asked)
    for clause in sentence.clauses:
        if is_silent(sentence, clause):
            yield sentence.sign(number, silence(sentence, clause), "unknown", clause.words)


def _referred(sentence: ResponseSentence, sign: Sign, before: Sign | None, asked: UnderstoodQuestion) -> Sign | None:
    """ "This is false": of the answer just given, which it takes back, else of what is to be judged."""
    if sign.how != "pronoun":
        return sign
    adjoins = before is not None and before.sentence == sign.sentence - 1
    if not adjoins and (asked.statement or sign.sentence == 0):
        return None if before and before.how in EXPLICIT else sign._replace(how="verdict")
    again = before is not None and before.kind == "no" and not sentence.corrects  # "No. It is false."
    return sign._replace(how="retracted") if sign.kind == "no" and not again else None


def _asks_else(sentence: ResponseSentence, asked: UnderstoodQuestion) -> bool:
    """Whether a yes or no may answer it that is not the one asked for: no "When?", "Yes or no?" or "Born in 1931?"."""
    if any(word.tag in ("WDT", "WP", "WP$", "WRB") for word in sentence.parse[:2]):
        return False
    known = asked.proposition.first | asked.proposition.core | asked.proposition.words
    own = {key(word) for word in sentence.parse if word.pos not in ("ADP", "DET", "AUX", "PUNCT")}
    bare = set() if asked.proposition.denied else known
    return not (english.POLAR | english.JOINS | bare).issuperset(own)
