"""What a response answers: yes, no, don't know, refusal, contradictory or unparseable, and the span that says so.

The order of trust: a correction ("wait, no") over what stood before it; an explicit answer in the opening (its first
sentences up to one that speaks of the matter itself), labelled, or drawn at the end; a bare "No," or a verdict on the
statement elsewhere; phrases of not knowing or refusing; the question restated as a claim. Questions, quotations of
the question, thoughts between `<think>` tags, tables and list points hold no answer, unless labelled as one. What is
supposed, attributed to others or takes a mere statement back answers nothing. An opening and an end that are opposed
without a correction are a contradiction (semantics.md section 4.2, row 0c).
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from halluvault_tasks.oracles import phrases, polar
from halluvault_tasks.oracles.polar import Polar
from halluvault_tasks.oracles.restated import restated
from halluvault_tasks.oracles.sentences import LIMIT, Span, points, sentences, without_thoughts
from halluvault_tasks.oracles.silence import SILENCE, WHOLE

Kind = Literal["yes", "no", "dont_know", "refusal", "contradictory", "unparseable"]

_OPENING, _STRONG, _SENTENCE, _WEAK = 4, 3, 2, 1
"""Trust: opening answers and strong ones may contradict each other, the rest only answer where these are missing."""

_LONGEST = 1500
"""Characters of a sentence that are searched for an answer."""

_EXTRA_BULLET = re.compile(r"[ \t>]*(?:[+→»▪▸►✓·○●■➤➢◆◇⁃∙*•–—~-]|=>|->|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4})[.):])[ \t]+")
_ARROW = re.compile(rf"[ \t]*(?:=+>|->|→|⇒|∴)\s*(?:{polar.YES}|{polar.NO}|true|false)\W*", re.IGNORECASE)
_ROW = re.compile(r"[ \t]*\|.*")
_MARKUP = re.compile(
    r"(?<=\S)\*|\*(?=\S)|`|(?<!\w)_|_(?!\w)|^[ \t]*#+|~~|<(?=/?[a-z])[^<>]{0,80}>", re.MULTILINE | re.IGNORECASE
)
_PARTS = re.compile(r"[,:;]\s+|\s(?:and|but|so)\s+|\s*[—–]\s*|\s-+\s|\.\.\.\s*|…\s*|\)\s+")
_NAMES = re.compile(r"(?<![.!?:\"'“‘(\[—–-] )(?<!^)(?<=\s)(?!I\b|I'|AI\b|TL|OK\b)[A-Z][\w’'-]*[a-z]|\d")
_PREDICATE = re.compile(
    rf"(?P<before>\b[\w']+[\"“‘'(]?\s+[\"“‘'(]?|[:—–=>-]\s*)(?:(?P<pos>{polar.YES})|(?P<neg>{polar.NO}))\b(?![-/'’]\w)"
    rf"(?:{polar.STRICT}|(?=[\"'”’)]*\s+(?:from|on|to|here|then|again|it|as|because|since|for|by|at|and|but|after|this|in)\b))",
    re.IGNORECASE,
)
_COPULA = re.compile(
    r"(?:is|be|was|remains?|stays?|says?|answer|vote|reads?|respond|reply|with|to|as|for|on|at|of|towards?|a|an|the|firm|clear|resounding|"
    r"definite|emphatic|solid|hard|big|flat|simple|strong|confident|plain|straight|still|just|again|out|up|down|therefore|then|thus|so|[\w]+ing|:|—|–|=|>|-)$",
    re.IGNORECASE,
)
_HEADING = re.compile(
    r"\W*(?:(?:final|short|direct|my|the|quick)\s+)?(?:answer|verdict|conclusion|finding|ruling|decision)\W*",
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


class _Sentence(NamedTuple):
    """A sentence of the response's prose.

    Attributes:
        opening: it belongs to the response's first words, before anything is said of the matter.
        last: no prose follows.
        listed: it is a list point or a table's row: only a labelled answer counts.
        headed: a heading such as "Answer" stands right before it.
        replies: it follows a question that is not the one asked, or a statement of somebody else.
        foreign: the sentence before it names something that the question does not.
    """

    start: int
    end: int
    text: str
    opening: bool
    last: bool
    listed: bool
    headed: bool
    replies: bool = False
    foreign: bool = False


def parse(text: str, question: str = "") -> Answer:
    """Read the answer of a response.

    Args:
        text: the response, whatever it holds; only its first `LIMIT` characters are read.
        question: the question asked, needed to understand an answer that restates it.
    """
    raw = without_thoughts(text[:LIMIT])
    raw = phrases.SIGNS.sub(_apart, raw)
    without, others = _without_questions(raw, question)
    body = _plain(without)
    said = _sentences(body, raw, others, question)
    if not said:
        return _emoji(raw) or Answer("unparseable", 0, 0, "none")
    marks = _all_marks(raw, said, question)
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


def _blanked(match: re.Match[str]) -> str:
    return " " * len(match.group())


def _apart(match: re.Match[str]) -> str:
    """A sign such as a smile ends a sentence; at the start of a line it is decoration."""
    newline = match.start() == 0 or match.string[match.start() - 1] == "\n"
    return (" " if newline else "\n") + " " * (len(match.group()) - 1)


def _plain(text: str) -> str:
    """The same text, offsets kept: markup blanked, typographic apostrophes and quotation marks made plain."""
    plain = text.replace("’", "'").replace("“", '"').replace("”", '"').replace("\0", " ").replace("\u00a0", " ")
    return _MARKUP.sub(_blanked, plain)


def _without_questions(text: str, question: str) -> tuple[str, list[int]]:
    """Blank out interrogative sentences, quotations of the question and "yes or no": they answer nothing.

    Returns:
        The text, and where questions end that are not the one asked.
    """
    asked = question.strip()
    stated = re.search(r"[“\"'‘](.{12,})[”\"'’]\W*$", asked, re.DOTALL)
    for quoted in filter(None, (asked if len(asked) > 11 else "", stated and stated.group(1))):
        text = _without_quoted(text, quoted, whole=quoted is asked)
    blanked = list(text)
    others = []
    for span in sentences(text):
        piece = text[span.start : span.end]
        if piece.rstrip("\"'”’)]*_ ").endswith("?") and not _answers(piece):
            bullet = _EXTRA_BULLET.match(piece)
            start = span.start + (bullet.end() if bullet else 0)
            blanked[start : span.end] = " " * (span.end - start)
            if _NAMES.search(piece) and not phrases.restates(piece, question):
                others.append(span.end)
    return phrases.CHOICE.sub(_blanked, "".join(blanked)), others


def _without_quoted(text: str, quoted: str, *, whole: bool) -> str:
    parts, position = [], 0
    while (at := text.find(quoted, position)) >= 0:
        around = text[max(0, at - 2) : at].rstrip(" *_")[-1:]
        drop = whole or (at > 0 and around in "\"'“‘:>")
        # A question quoted whole parts what stands before it from the answer.
        blank = "\n" + " " * (len(quoted) - 1) if whole else " " * len(quoted)
        parts += [text[position:at], blank if drop else quoted]
        position = at + len(quoted)
    return "".join([*parts, text[position:]])


def _answers(piece: str) -> bool:
    """Whether a sentence with a question mark answers all the same ("No, why?", "who knows?")."""
    start = phrases.OPEN.match(piece).end()  # type: ignore[union-attr]  # it matches anything
    found = polar.free(_plain(piece), start, len(piece))
    return bool(found or SILENCE.search(piece) or WHOLE.match(piece))


def _sentences(body: str, raw: str, others: Sequence[int] = (), question: str = "") -> list[_Sentence]:
    """Sentences in order, each with its place; the first line counts as prose even as a list point."""
    # A line break that stands for a blanked question begins no list point.
    shape = "".join("_" if a == "\n" != b else a for a, b in zip(body, raw, strict=True)) if "\n" in body else body
    listed = points(shape)
    starts = [point.start for point in listed]
    first = len(body) - len(body.lstrip())
    found: list[tuple[int, int, bool]] = []
    for span in sentences(body):
        start = span.start
        begun = bisect_right(starts, start)
        inside = begun > 0 and start < listed[begun - 1].end
        bullet = listed[begun] if begun < len(starts) and starts[begun] < span.end else None
        line = shape.rfind("\n", 0, start) + 1
        extra = _EXTRA_BULLET.match(body, line)
        if extra and _ARROW.fullmatch(body, line, span.end):
            extra = None
        row = _ROW.match(body, line)
        inside = (
            inside
            or bool(row)
            or bool(extra and start >= line and body[line:start].strip() == body[line : extra.end()].strip())
        )
        if start == first:
            start = max(start, bullet.start if bullet else 0, extra.end() if extra else 0)
            found.append((start, span.end, bool(row)))
        else:
            found.append((max(start, bullet.start if bullet else start), span.end, inside or bool(bullet)))
    prose = [i for i, one in enumerate(found) if not one[2]]
    while len(prose) > 1 and phrases.PARTING.search(body, found[prose[-1]][0], found[prose[-1]][1]):
        prose.pop()
    opening, made, headed = True, [], False
    for index, (start, end, inside) in enumerate(found):
        text = body[start : min(end, start + _LONGEST)]
        opening = opening and not inside
        before = made[-1] if made else None
        asked = bisect_right(others, start) - 1
        replies = asked >= 0 and not body[others[asked] : start].strip(" *_>•-\n")
        if before and not opening and not replies and len(text.split()) <= 7:
            replies = bool(_NAMES.search(before.text) and phrases.DISOWNING.search(before.text))
        foreign = bool(before) and _foreign(before.text, question)
        last = bool(prose) and index >= prose[-1]
        made.append(_Sentence(start, end, text, opening, last, inside, headed, replies, foreign))
        headed = bool(_HEADING.fullmatch(text))
        # The opening ends with the first sentence that speaks of something by name, or is long.
        opening = opening and len(made) < 5 and not _NAMES.search(text) and len(text.split()) <= 18
        asks = bool(re.match(r"\s{10}", body[end : end + 10]))
        opening = opening and not (text.endswith(":") and phrases.INTRODUCING.search(text) and not asks)
    return made


def _unread(said: list[_Sentence]) -> bool:
    """Whether the response opens with a short sentence that nobody could read: perhaps its answer."""
    first = said[0]
    if first.listed or len(said) < 2 or _NAMES.search(first.text[1:]) or first.text.rstrip().endswith((":", "?")):
        return False
    return len(first.text.split()) <= 5


def _all_marks(raw: str, said: list[_Sentence], question: str) -> list[_Mark]:
    """Explicit answers in order; with the first one the opening is over."""
    found: list[_Mark] = []
    for one in said:
        over = any(mark.trust == _OPENING for mark in found)
        found += _marks(raw, one._replace(opening=False) if over else one, question)
    return found


def _marks(raw: str, one: _Sentence, question: str) -> Iterator[_Mark]:
    """Every explicit answer within one sentence."""
    text, base = one.text, one.start
    labelled = list(_labelled(text))
    for found, silent in labelled:
        kind: Kind = "dont_know" if silent else found.sign
        yield _Mark(kind, base + found.start, base + found.end, "labelled", _OPENING if one.opening else _STRONG)
    if one.listed or one.replies:
        return
    for match in phrases.BOLD.finditer(raw, max(0, one.start - 8), min(len(raw), one.start + len(text) + 3)):
        if match.start("word") >= one.start and not phrases.OTHERS.search(raw, one.start, match.start()):
            yield _Mark("yes" if match.group("pos") else "no", match.start("word"), match.end("word"), "bold", _STRONG)
    for match in phrases.AFTER_HEDGE.finditer(text):
        sign: Kind = "yes" if match.group("word").lower() == "yes" else "no"
        yield _Mark(
            sign,
            base + match.start("word"),
            base + match.end("word"),
            "sentence",
            _STRONG if one.opening else _SENTENCE,
        )
    if labelled:
        return
    if both := polar.BOTH.search(text, 0, 200):
        yield _Mark("contradictory", base + both.start(), base + both.end(), "opposed", _OPENING)
        return
    concluding = bool(phrases.CONCLUDING.search(text))
    if found := polar.tending(text) if one.opening or one.last or concluding else None:
        if not phrases.OTHERS.search(text[: found.start]) or _ABOUT.match(text):
            trust = _OPENING if one.opening else _STRONG
            yield _Mark(
                found.sign, base + found.start, base + found.end, "leading" if one.opening else "conclusion", trust
            )
            return
    found = _core(text, plain_only=not one.opening)
    if found:
        kind = _meant(found, question)
        if kind and (trust := _trust(found, text, one, concluding, question)):
            marker = "leading" if one.opening else "conclusion" if concluding else "sentence"
            yield _Mark(
                kind,
                base + found.start,
                base + found.end,
                marker if found.of == "question" else "judgement" if trust < _STRONG else marker,
                trust,
            )
            return
    if found := _predicated(text, one, concluding, question):
        trust = _OPENING if one.opening else _STRONG if one.last or concluding else _SENTENCE
        yield _Mark(found.sign, base + found.start, base + found.end, "leading" if one.opening else "conclusion", trust)
        return
    for found in polar.verdicts(text):
        if (kind := _meant(found, question)) and not phrases.OTHERS.search(text[: found.start]):
            yield _Mark(kind, base + found.start, base + found.end, "judgement", _WEAK)


def _labelled(text: str) -> Iterator[tuple[Polar, bool]]:
    """Answers behind a label: "Verdict: no", "the answer, then, is yes", {"answer": "no"}."""
    for label in phrases.LABEL.finditer(text):
        if phrases.OTHERS.search(text[max(0, label.start() - 60) : label.start()]):
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
        if number and (phrases.OTHERS.search(before) and not _ABOUT.match(before)):
            break
        # Behind a clause that speaks of something by name only a yes or no answers, and only in the opening.
        named = number > 0 and (bool(_NAMES.search(before)) or len(before.split()) > 16)
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


def _foreign(text: str, question: str) -> bool:
    """Whether a text names something that the question does not."""
    return bool({name[:6].casefold() for name in _NAMES_IN.findall(text)} - phrases.words_of(question))


_NAMES_IN = re.compile(r"(?<=[\w,'\"] )[A-Z]\w{2,}|\d{3,}")


def _determines(text: str, found: Polar) -> bool:
    return found.sign == "no" and found.of == "question" and bool(phrases.DETERMINER.match(text, found.end))


_PLAIN_WORDS = frozenset(["yes", "no", "yep", "yeah", "yup", "nope", "nah", "aye", "nay"])


def _trust(found: Polar, text: str, one: _Sentence, concluding: bool, question: str) -> int:
    """How far an answer at this place is to be trusted; 0 not at all."""
    free = found.of == "question"
    if not free and phrases.UNSAYING.search(text):
        return 0
    if found.inner and found.of == "statement" and one.start > 0 and not (one.opening or one.headed):
        return _WEAK  # it asserts a proposition, as the conclusion of an argument does: the answer may be another
    bare = found.of == "question" and text[found.start : found.end].lower().strip() not in _PLAIN_WORDS
    rest = text[found.end :]
    aside = _NAMES.search(rest) and not phrases.restates(rest, question) and _foreign(rest, question)
    if aside and (bare or found.pronoun) and not one.headed:
        return 0  # "Indeed, X …" of something else
    if one.opening or one.headed:
        return _WEAK if found.weak else _OPENING
    if aside and not concluding:
        return 0
    after = text[found.end :]
    whole = len(text.split()) <= 9 and not _NAMES.search(text)
    if found.weak:
        return 0
    label = text[: found.start].rstrip(" \"'([")
    if free and one.last and label.endswith((":", "—", "–")) and len(label.split()) <= 4 and not _NAMES.search(label):
        return 0 if phrases.RETRACTING.search(label) else _STRONG
    if free and one.foreign and phrases.RETRACTING.search(text) and not concluding:
        return 0
    if free and phrases.RETRACTING.search(text) and not concluding:
        return _SENTENCE if phrases.CORRECTION.search(text) else 0
    if concluding and (free or not found.pronoun or whole) and not _NAMES.search(after[:40] if not free else ""):
        return _STRONG
    if free:
        return _SENTENCE
    return 0 if found.of == "ellipsis" or (found.pronoun and (not one.last or one.foreign)) else _WEAK


def _predicated(text: str, one: _Sentence, concluding: bool, question: str) -> Polar | None:
    """A yes or no that ends a clause: "my finding is no", "that makes it a yes"."""
    for match in _PREDICATE.finditer(text):
        before = text[: match.start()] + match.group("before")
        word = match.start("pos") if match.group("pos") else match.start("neg")
        end = match.end()
        bound = before.rstrip(" \"'(“‘")
        strict = bool(re.match(polar.STRICT, text[end:]))
        if phrases.OTHERS.search(before) and not _ABOUT.match(before):
            continue
        if not strict and not _COPULA.search(bound):
            continue
        if match.group("neg") and not _COPULA.search(bound) and not bound.endswith((",", ";")):
            continue
        if not (one.opening or concluding) and _NAMES.search(before[1:]):
            continue
        if not (one.opening or concluding) and phrases.RETRACTING.search(text):
            continue
        if _NAMES.search(before[1:]) and phrases.UNSAYING.search(text, end):
            continue
        rest = text[end:]
        if not one.opening and _NAMES.search(rest) and not phrases.restates(rest, question):
            continue
        return Polar("yes" if match.group("pos") else "no", word, end, "question")
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


def _resolve(text: str, said: list[_Sentence], marks: list[_Mark], question: str) -> Answer:
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


def _of_answer(said: list[_Sentence], earlier: _Mark, later: _Mark, question: str) -> bool:
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


def _silence(text: str, said: list[_Sentence]) -> _Mark | None:
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
