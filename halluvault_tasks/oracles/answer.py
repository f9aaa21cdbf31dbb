"""What a response answers: yes, no, don't know, refusal, contradictory or unparseable, and the span that says so.

The order of trust: a correction ("wait, no") over what stood before it; an explicit answer in the opening (its first
sentences up to one that speaks of the matter itself), labelled, or drawn at the end; a bare "No," or a verdict on the
statement elsewhere; phrases of not knowing or refusing; the question restated as a claim. Questions, quotations of
the question, thoughts between `<think>` tags, tables and list points hold no answer, unless labelled as one. What is
supposed, attributed to others or takes a mere statement back answers nothing. An opening and an end that are opposed
without a correction are a contradiction (semantics.md section 4.2, row 0c).
"""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from halluvault_tasks.oracles import phrases, polar
from halluvault_tasks.oracles.boxed import boxed
from halluvault_tasks.oracles.gist import gist
from halluvault_tasks.oracles.layout import NAMES, Sentence, foreign, lay_out
from halluvault_tasks.oracles.polar import Polar
from halluvault_tasks.oracles.restated import restated
from halluvault_tasks.oracles.sentences import LIMIT, Span, without_thoughts
from halluvault_tasks.oracles.silence import SILENCE, WHOLE

Kind = Literal["yes", "no", "dont_know", "refusal", "contradictory", "unparseable"]

_OPENING, _STRONG, _SENTENCE, _WEAK = 4, 3, 2, 1
"""Trust: opening answers and strong ones may contradict each other, the rest only answer where these are missing."""

_PARTS = re.compile(r"[,:;]\s+|\s(?:and|but|so)\s+|\s*[—–]\s*|\s-+\s|\.\.\.\s*|…\s*|\)\s+")
_PREDICATE = re.compile(
    rf"(?P<before>\b[\w']+[\"“‘'(]?\s+[\"“‘'(]?|[:—–=>-]\s*)(?:(?P<pos>{polar.YES})|(?P<neg>{polar.NO}))\b(?![-/'’]\w)"
    rf"(?:{polar.STRICT}|(?=[\"'”’)]*\s+(?:from|on|to|here|then|again|it|as|because|since|for|by|at|and|but|after|this|in|without|with|whatever|every|all|once|now|today|too|though|based|given|there|over|straight|hands|instead|when|until|under|or\s+rather|if\s+(?:i|you|we)|\w+ly)\b))",
    re.IGNORECASE,
)
_COPULA = re.compile(
    r"(?:is|be|was|remains?|stays?|says?|answer|vote|reads?|respond|reply|with|to|as|for|on|at|of|towards?|a|an|the|firm|clear|resounding|"
    r"definite|emphatic|solid|hard|big|flat|simple|strong|confident|plain|straight|still|just|again|out|up|down|therefore|then|thus|so|[\w]+ing|:|—|–|=|>|-)$",
    re.IGNORECASE,
)


class Answer(NamedTuple):
    """An answer and where it stands.

    Attributes:
        kind: what is answered.
        start: first character of the deciding span in the response; 0 with `end` 0 when there is none.
        end: end of the span, exclusive.
        marker: how it was recognised: leading, labelled, bold, conclusion, sentence, judgement, corrected, sign,
            phrase, restated, opposed, foreign (yes or no in another language: unparseable, but seen) or none.
    """

    kind: Kind
    start: int
    end: int
    marker: str


class _Mark(NamedTuple):
    kind: Kind
    start: int
    end: int
    marker: str
    trust: int


def parse(text: str, question: str = "") -> Answer:
    """Read the answer of a response.

    Args:
        text: the response, whatever it holds; only its first `LIMIT` characters are read.
        question: the question asked, needed to understand an answer that restates it.
    """
    raw, body, said = lay_out(without_thoughts(text[:LIMIT]), question)
    set_apart = boxed(raw)
    if not said and not set_apart:
        return _emoji(raw) or Answer("unparseable", 0, 0, "none")
    marks = _all_marks(raw, said, question)
    marks += [_Mark(each.kind, each.start, each.end, "labelled", _STRONG) for each in set_apart]
    if not said:
        return _resolve(body, said, marks, question)
    prose = [Span(one.start, one.end) for one in said if not one.listed]
    silence = _silence(body, said)
    first = said[0]
    if marks and not (silence and silence.start <= first.end and not any(mark.trust >= _STRONG for mark in marks)):
        return _resolve(body, said, marks, question)
    found = restated(body, prose, question, _unread(said))
    refused = silence and silence.kind == "refusal" and silence.start <= first.end
    if refused and found and not phrases.EVEN_SO.search(body, first.end, found.end):
        found = None
    if found and not (silence and phrases.KNOW.search(body, silence.start, silence.end)):
        return Answer(found.sign, found.start, found.end, "restated")
    if silence:
        return Answer(silence.kind, silence.start, silence.end, "phrase")
    if sign := _emoji(raw):
        return sign
    if foreign := phrases.FOREIGN.match(body, first.start):
        return Answer("unparseable", foreign.start(), foreign.end(), "foreign")
    return Answer("unparseable", 0, 0, "none")


def _unread(said: list[Sentence]) -> bool:
    """Whether the response opens with a short sentence that nobody could read: perhaps its answer."""
    first = said[0]
    if first.listed or len(said) < 2 or NAMES.search(first.text[1:]) or first.text.rstrip().endswith((":", "?")):
        return False
    return len(first.text.split()) <= 5


def _all_marks(raw: str, said: list[Sentence], question: str) -> list[_Mark]:
    """Explicit answers in order; with the first one the opening is over."""
    found: list[_Mark] = []
    for one in said:
        over = any(mark.trust == _OPENING for mark in found)
        found += _marks(raw, one._replace(opening=False) if over else one, question)
    return found


def _marks(raw: str, one: Sentence, question: str) -> Iterator[_Mark]:
    """Every explicit answer within one sentence."""
    text, base = one.text, one.start

    def mark(found: Polar, kind: Kind, marker: str, trust: int) -> _Mark:
        return _Mark(kind, base + found.start, base + found.end, marker, trust)

    labelled = [
        mark(found, "dont_know" if silent else found.sign, "labelled", _OPENING if one.opening else _STRONG)
        for found, silent in _labelled(text)
    ]
    yield from labelled
    if one.listed or one.replies:
        return
    for match in phrases.BOLD.finditer(raw, max(0, base - 8), min(len(raw), base + len(text) + 3)):
        if match.start("word") >= base and not phrases.OTHERS.search(raw, base, match.start()):
            yield _Mark("yes" if match.group("pos") else "no", match.start("word"), match.end("word"), "bold", _STRONG)
    for match in phrases.AFTER_HEDGE.finditer(text):
        sign: polar.Sign = "yes" if match.group("word").lower() == "yes" else "no"
        word = Polar(sign, match.start("word"), match.end("word"), "question")
        yield mark(word, sign, "sentence", _STRONG if one.opening else _SENTENCE)
    if not labelled:
        yield from (mark(*each) for each in _unlabelled(text, one, question))


def _unlabelled(text: str, one: Sentence, question: str) -> Iterator[tuple[Polar, Kind, str, int]]:
    """What a sentence answers without a label, with the way it was recognised and its trust."""
    if both := polar.BOTH.search(text, 0, 200):
        yield Polar("yes", both.start(), both.end(), "question"), "contradictory", "opposed", _OPENING
        return
    concluding = bool(phrases.CONCLUDING.search(text))
    marker = "leading" if one.opening else "conclusion" if concluding or one.last else "sentence"
    named = polar.tending(text) if one.opening or one.last or concluding else None
    if named and (not phrases.OTHERS.search(text[: named.start]) or _ABOUT.match(text)):
        yield named, named.sign, marker, _OPENING if one.opening else _STRONG
        return
    found = _core(text, plain_only=not one.opening)
    if phrases.UNANSWERED.search(text):
        return  # "No, sorry, I just don't know"
    whole = _gist(text, one, concluding, found.end if found and found.of == "question" else 0, question)
    if found and whole and whole.sign != found.sign and not found.weak and _gives_way(text, found):
        found = whole
    kind = _meant(found, question) if found else None
    if found and kind and (trust := _trust(found, text, one, concluding, question)):
        yield found, kind, marker if found.of == "question" or trust >= _STRONG else "judgement", trust
        return
    if ending := _predicated(text, one, concluding, question):
        trust = _OPENING if one.opening else _STRONG if one.last or concluding else _SENTENCE
        yield ending, ending.sign, marker, trust
        return
    if whole:
        trust = _OPENING if one.opening or one.headed else _STRONG if concluding else _WEAK
        yield whole, whole.sign, marker if trust >= _STRONG else "judgement", trust
        return
    for verdict in polar.verdicts(text):
        if (kind := _meant(verdict, question)) and not phrases.OTHERS.search(text[: verdict.start]):
            yield verdict, kind, "judgement", _WEAK


_PERCENT = re.compile(r"\b\d{1,3}\s?%")


def _hidden(match: re.Match[str]) -> str:
    return " " * len(match.group())


_STATED = re.compile(rf"\b(?:{polar.NAMED}|deny|denies|den(?:y|ying)\s+it|you)\b", re.IGNORECASE)


def _gist(text: str, one: Sentence, concluding: bool, begin: int, question: str) -> Polar | None:
    """What a sentence that names nothing says as a whole, where an answer is due: in the opening or at the end."""
    if not (one.opening or one.headed or one.last) or NAMES.search(_PERCENT.sub(_hidden, text[1:])):
        return None
    if phrases.words_of(text[begin:]) & phrases.words_of(question):
        return None  # it names what was asked about: asthma, a violin
    if not (one.opening or one.headed or concluding) and (one.foreign and not _STATED.search(text)):
        return None
    sign = gist(text[begin:])
    return Polar(sign, begin, len(text.rstrip()), "statement", pronoun=True) if sign else None


_GIVING_WAY = re.compile(
    r"\W*(?:and\s+|so\s+|but\s+)?(?:(?:yes|yeah?|yep|indeed|sure|true(?:\s+enough)?)\b.*\b(?:but|yet|no|not|myth|misconception|false|wrong|untrue|hoax|fake|legend|rumou?r|fiction)\b|"
    r"(?:yes|yeah?|yep|indeed)\b[^.]*n't\b|no(?:pe)?\b,?\s+(?:you|your|that|this|it)\b[^,;]*(?:\bnot|n't)\s+(?:\w+\s+)?(?:wrong|mistaken|imagining|incorrect|misremember\w*|false|untrue|crazy|a\s+(?:myth|legend|joke|hoax))|"
    r"(?:without|beyond|no)\b[^,:]*\b(?:doubt|question)\b|i\s+(?:do\s+not|don't)\b|the\s+claim\b|indeed\b)",
    re.IGNORECASE,
)
"""Openings whose first word is taken up by what follows: "Yes, it's a myth", "No, you are not wrong"."""


def _gives_way(text: str, found: Polar) -> bool:
    return bool(_GIVING_WAY.match(text)) or found.of == "statement"


_DENIED = re.compile(
    r"\b(?:not|cannot|never|wrong\s+to|incorrect\s+to|mistake\s+to|hardly)\b[^,:;]*$|n't\b[^,:;]*$", re.IGNORECASE
)
_RESOLVED = re.compile(r"hesita|doubt|surpris|\bonly\b|\bbut\b|\brefuse\b", re.IGNORECASE)


def _clause(before: str) -> str:
    """What stands before an answer, from its last colon or "but" on: "if you thought so, you were right: it is …"."""
    turns = list(phrases.BUT.finditer(before))
    if turns:
        before = before[turns[-1].end() :]
    parts = re.split(r"[:;](?=\s+\w)", before)
    return parts[-1] if len(parts[-1].split()) > 1 or len(parts) == 1 else parts[-2]


def _labelled(text: str) -> Iterator[tuple[Polar, bool]]:
    """Answers behind a label: "Verdict: no", "the answer, then, is yes", {"answer": "no"}."""
    for label in phrases.LABEL.finditer(text):
        if phrases.OTHERS.search(_clause(text[max(0, label.start() - 60) : label.start() + 1])):
            continue
        at = label.end()
        tail = text[label.start() : at]
        if not re.search(r"[:=–—|>→⇒\"-]|\b(?:is|was|be|remains|stays|stands|a|an|of)\b|\{", tail[3:]):
            continue
        if match := polar.answer_word(text, at):
            yield match, False
        elif match2 := phrases.ONE_WORD.match(text, at):
            if match2.group("silent"):
                yield Polar("no", match2.start("word"), match2.end("word"), "question"), True
            else:
                turned = bool(re.match(r"not\b", match2.group("word"), re.IGNORECASE))
                sign: polar.Sign = "yes" if bool(match2.group("pos")) != turned else "no"
                yield Polar(sign, match2.start("word"), match2.end("word"), "question"), False


def _core(text: str, *, plain_only: bool) -> Polar | None:
    """The answer at a place in the sentence where a clause begins, fillers and plain adverbial clauses left out."""
    weak: Polar | None = None
    starts = [0, *(match.end() for match in list(_PARTS.finditer(text, 0, 400))[:6])]
    for number, begin in enumerate(starts):
        before = text[:begin]
        if number and (phrases.OTHERS.search(_clause(before)) and not _ABOUT.match(before)):
            break
        # Behind a clause that speaks of something by name only a yes or no answers, and only in the opening.
        named = number > 0 and (bool(NAMES.search(before)) or len(before.split()) > 16)
        if named and plain_only:
            break
        position = phrases.OPEN.match(text, begin).end()  # type: ignore[union-attr]  # it matches anything
        for _ in range(7):
            found = polar.free(text, position, len(text)) if named else polar.core(text, position, len(text))
            if named and found and phrases.RETRACTING.search(text, position):
                return None
            if found and not _determines(text, found):
                if not found.weak:
                    return found
                weak = weak or found
            filler = phrases.FILLER.match(text, position)
            if not filler or filler.end() <= position:
                break
            position = filler.end()
    return weak


_ABOUT = re.compile(
    r"\W*(?:(?:as\s+)?(?:to|for)|regarding|concerning|on|about|with\s+regard\s+to|in\s+answer\s+to)\s+(?:the\s+question\s+(?:of\s+)?)?whether\b",
    re.IGNORECASE,
)


_OUTER = re.compile(r"(?:\w+\s+)?(?:it|this|that)(?:'s|\s+(?:\w+\s+){0,2}(?:is|isn't))\b", re.IGNORECASE)


def _determines(text: str, found: Polar) -> bool:
    return found.sign == "no" and found.of == "question" and bool(phrases.DETERMINER.match(text, found.end))


_PLAIN_WORDS = frozenset(["yes", "no", "yep", "yeah", "yup", "nope", "nah", "aye", "nay"])


def _trust(found: Polar, text: str, one: Sentence, concluding: bool, question: str) -> int:
    """How far an answer at this place is to be trusted; 0 not at all."""
    free = found.of == "question"
    if not free and phrases.UNSAYING.search(text):
        return 0
    if found.inner and found.of == "statement" and one.start > 0 and not (one.opening or one.headed):
        return _WEAK  # it asserts a proposition, as the conclusion of an argument does: the answer may be another
    bare = found.of == "question" and text[found.start : found.end].lower().strip() not in _PLAIN_WORDS
    rest = text[found.end :]
    aside = NAMES.search(rest) and not phrases.restates(rest, question) and foreign(rest, question)
    if aside and (bare or found.pronoun) and not one.headed:
        return 0  # "Indeed, X …" of something else
    if free and found.sign == "yes" and _begins_statement(one, rest, question):
        return 0 if phrases.is_negated(rest) else _WEAK
    if one.opening or one.headed:
        return _WEAK if found.weak else _OPENING
    if aside and not concluding:
        return 0
    after = text[found.end :]
    whole = len(text.split()) <= 9 and not NAMES.search(text)
    if found.weak:
        return 0
    label = text[: found.start].rstrip(" \"'([")
    if free and one.last and label.endswith((":", "—", "–")) and len(label.split()) <= 4 and not NAMES.search(label):
        return 0 if phrases.RETRACTING.search(label) else _STRONG
    if free and one.foreign and phrases.RETRACTING.search(text) and not concluding:
        return 0
    if free and phrases.RETRACTING.search(text) and not concluding:
        return _SENTENCE if phrases.CORRECTION.search(text) else 0
    if concluding and (free or not found.pronoun or whole) and not NAMES.search(after[:40] if not free else ""):
        return _STRONG
    if free:
        return _SENTENCE
    return 0 if found.of == "ellipsis" or (found.pronoun and (not one.last or one.foreign)) else _WEAK


def _begins_statement(one: Sentence, rest: str, question: str) -> bool:
    """ "So yeah, X is …": such a yes only begins a later sentence, which may answer either way."""
    if one.start == 0 or (one.opening and not phrases.is_negated(rest)):
        return False
    return bool(NAMES.search(rest) or phrases.words_of(rest) & phrases.words_of(question))


def _predicated(text: str, one: Sentence, concluding: bool, question: str) -> Polar | None:
    """A yes or no that ends a clause: "my finding is no", "that makes it a yes"."""
    for match in _PREDICATE.finditer(text):
        before = text[: match.start()] + match.group("before")
        word = match.start("pos") if match.group("pos") else match.start("neg")
        end = match.end()
        bound = before.rstrip(" \"'(“‘")
        strict = bool(re.match(polar.STRICT, text[end:]))
        if phrases.OTHERS.search(_clause(before)) and not _ABOUT.match(before):
            continue
        if not strict and not _COPULA.search(bound):
            continue
        if match.group("neg") and not _COPULA.search(bound) and not bound.endswith((",", ";")):
            continue
        if not (one.opening or concluding) and NAMES.search(before[1:]):
            continue
        if not (one.opening or concluding) and phrases.RETRACTING.search(text):
            continue
        if NAMES.search(before[1:]) and phrases.UNSAYING.search(text, end):
            continue
        rest = text[end:]
        if not one.opening and NAMES.search(rest) and not phrases.restates(rest, question):
            continue
        if match.group("pos") and _begins_statement(one, rest, question):
            continue
        turned = bool(_DENIED.search(before)) and not _RESOLVED.search(before)
        return Polar("yes" if bool(match.group("pos")) != turned else "no", word, end, "question")
    return None


def _meant(found: Polar, question: str) -> Kind | None:
    """What a polar expression answers, the way the question is put taken into account."""
    if found.of == "question":
        return found.sign
    denied = phrases.is_negated(question)
    if found.of == "ellipsis":
        # "It is." answers "Is it true that …?"; "He was not." speaks of what is asked underneath.
        outer = phrases.is_framed(question) and _OUTER.match(found.inner)
        turn = denied and not outer
    elif found.inner.strip("\"' "):
        if not phrases.restates(found.inner, question):
            return None
        turn = phrases.is_negated(found.inner) != denied
    else:
        turn = False
    if not turn:
        return found.sign
    return "no" if found.sign == "yes" else "yes"


def _resolve(text: str, said: list[Sentence], marks: list[_Mark], question: str) -> Answer:
    """One answer out of several: corrections first, then the highest trust, opposed ones are a contradiction."""
    ordered = sorted(marks, key=lambda mark: (mark.start, -mark.trust))
    strong = [mark for mark in ordered if mark.trust >= _SENTENCE]
    for earlier, later in zip(strong[-2::-1], strong[:0:-1], strict=True):
        if earlier.kind != later.kind:
            if phrases.CORRECTION.search(text, earlier.end, _line_end(text, later.end)) and _of_answer(
                said, earlier, later, question
            ):
                return Answer(later.kind, later.start, later.end, "corrected")
            break
    top = [mark for mark in ordered if mark.trust >= _STRONG]
    best = top or [mark for mark in ordered if mark.trust == max(one.trust for one in ordered)]
    opposed = next((mark for mark in best if mark.kind != best[0].kind), None)
    if opposed and (top or best[0].trust == _SENTENCE):
        return Answer("contradictory", best[0].start, opposed.end, "opposed")
    return Answer(*best[0][:4])


def _of_answer(said: list[Sentence], earlier: _Mark, later: _Mark, question: str) -> bool:
    """Whether a correction is one of the answer, not of some other statement before it."""
    if later.trust >= _STRONG:
        return True
    index = next(i for i, one in enumerate(said) if one.end >= later.start)
    if index == 0 or said[index].start <= earlier.end:
        return True
    before = said[index - 1]
    return before.start <= earlier.end or not said[index].foreign or phrases.restates(before.text, question)


def _line_end(text: str, position: int) -> int:
    """End of the sentence around a position, at most 200 characters on."""
    window = text[position : position + 200]
    match = re.search(r"[.!?\n]", window[1:])
    return position + (match.start() + 1 if match else len(window))


def _silence(text: str, said: list[Sentence]) -> _Mark | None:
    """The first phrase of not knowing or refusing."""
    for one in said:
        if one.listed:
            continue
        match = (WHOLE.match(text, one.start, one.end) if one.opening else None) or SILENCE.search(
            text, one.start, one.end
        )
        if match:
            kind: Kind = "refusal" if match.groupdict().get("refusal") else "dont_know"
            return _Mark(kind, match.start(), match.end(), "phrase", 0)
    return None


def _emoji(raw: str) -> Answer | None:
    """A tick or a cross as first or last sign of the response."""
    lead = len(raw) - len(raw.lstrip())
    end = len(raw.rstrip())
    for match in phrases.EMOJI.finditer(raw, lead, min(end, lead + 40)):
        if not raw[lead : match.start()].strip(" *_#>") or re.fullmatch(
            r"[\w\s:*#_-]{0,30}", raw[lead : match.start()]
        ):
            return Answer("yes" if match.group("pos") else "no", match.start(), match.end(), "sign")
    match2 = phrases.EMOJI.search(raw, max(lead, end - 3), end)
    return Answer("yes" if match2.group("pos") else "no", match2.start(), match2.end(), "sign") if match2 else None
