"""Thoughts told from answers: what a reasoning model writes before it answers is no part of its answer.

A server keeps thoughts in fields of their own, in parts of a list, or leaves them in the text between two marks; some
chat templates put the first mark into the prompt, so that only the second one comes. All are recognised here, by one
table, in time linear in the text. What is recognised is stored beside the response, read by no oracle and never sent
back (semantics.md §4.1).
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import re2

FIELDS = ("reasoning_content", "reasoning", "thinking", "reasoning_details", "thinking_blocks")
"""Fields of a message that hold thoughts: vLLM, SGLang, llama.cpp, DeepSeek; newer vLLM, OpenRouter and Groq; Ollama;
OpenRouter's list; LiteLLM's list. Where several come they repeat one thought, so the first that holds any counts."""

PARTS = "parts"
"""Stands for the field where thoughts are parts of the content."""
_FIELDS = frozenset(FIELDS)
_THOUGHT_PARTS = frozenset({"thinking", "reasoning", "redacted_thinking", "thought"})
_TEXT_PARTS = frozenset({"text", "output_text"})


class Format(NamedTuple):
    """How one family of models marks its thoughts in a text.

    Attributes:
        name: shown by `models check`, and stored with the evaluation.
        start: mark before a thought; a chat template may put it into the prompt.
        end: mark behind it.
        seen: where it was seen.
        answer: marks around the answer that follows, which are no part of it either.
        first: `start` is plain words, which mean this only at the very beginning.
    """

    name: str
    start: str
    end: str
    seen: str
    answer: tuple[str, str] = ("", "")
    first: bool = False


FORMATS: tuple[Format, ...] = (
    Format("think", "<think>", "</think>", "DeepSeek R1 and V3, Qwen3, QwQ, GLM, MiniMax M2, Nemotron, OLMo 3, Hunyuan",
           ("<answer>", "</answer>")),
    Format("thinking", "<thinking>", "</thinking>", "Reflection, Claude's prompts, many fine-tunes",
           ("<output>", "</output>")),
    Format("thought", "<thought>", "</thought>", "EXAONE Deep, Gemini's OpenAI route, Marco-o1",
           ("<Output>", "</Output>")),
    Format("reasoning", "<reasoning>", "</reasoning>", "models tuned by GRPO recipes", ("<answer>", "</answer>")),
    Format("reason", "<reason>", "</reason>", "Reka Flash 3's relatives", ("<answer>", "</answer>")),
    Format("analysis", "<analysis>", "</analysis>", "prompts that ask for it", ("<answer>", "</answer>")),
    Format("scratchpad", "<scratchpad>", "</scratchpad>", "prompts that ask for it", ("<answer>", "</answer>")),
    Format("reflection", "<reflection>", "</reflection>", "Reflection Llama", ("<output>", "</output>")),
    Format("bracket", "[THINK]", "[/THINK]", "Magistral, Ministral 3 (Mistral)"),
    Format("seed", "<seed:think>", "</seed:think>", "Seed-OSS (ByteDance)"),
    Format("longcat", "<longcat_think>", "</longcat_think>", "LongCat Flash Thinking (Meituan)"),
    Format("lozenge", "◁think▷", "◁/think▷", "Kimi-VL Thinking (Moonshot)"),
    Format("harmony", "<|channel|>analysis<|message|>", "<|channel|>final<|message|>", "gpt-oss with special tokens",
           ("", "<|return|>")),
    Format("harmony, stripped", "analysis", "assistantfinal", "gpt-oss where the server leaves special tokens out",
           first=True),
    Format("channel", "<|channel>thought", "<channel|>", "Gemma 4"),
    Format("medgemma", "<unused94>thought", "<unused95>", "MedGemma"),
    Format("open thoughts", "<|begin_of_thought|>", "<|end_of_thought|>", "Sky-T1, OpenThinker",
           ("<|begin_of_solution|>", "<|end_of_solution|>")),
    Format("command", "<|START_THINKING|>", "<|END_THINKING|>", "Command A Reasoning (Cohere)",
           ("<|START_RESPONSE|>", "<|END_RESPONSE|>")),
    Format("inner", "<|inner_prefix|>", "<|inner_suffix|>", "Apertus (Swiss AI)"),
    Format("piped", "<|think|>", "<|/think|>", "Solar, LiteRT-LM"),
    Format("granite", "Here is my thought process:", "Here is my response:", "Granite 3.2 (IBM)", first=True),
)  # fmt: skip
"""All formats that are known. One more is a line here; one that nobody knows is given in models.yaml (`thinking`)."""


class Split(NamedTuple):
    """A text, split."""

    answer: str
    """What is left; empty where all of it is thought."""
    thought: str | None
    """What was thought, without its marks; None: nothing was."""
    format: str = ""
    """Name of the format by which it was recognised."""
    in_prompt: bool = False
    """The start did not come: the chat template puts it into the prompt."""
    kept: tuple[tuple[int, int], ...] = ()
    """Where in the text the answer stands, piece by piece; empty where nothing was taken out."""

    @property
    def where(self) -> str:
        """The format, with `, start in the prompt`; empty where nothing was thought."""
        return "" if not self.thought else f"{self.format}, start in the prompt" if self.in_prompt else self.format


class MessageParts(NamedTuple):
    """The parts of an assistant's message."""

    text: str | None
    """What it says, thoughts in tags included; None: the message has no text in any shape that is known."""
    thought: str | None
    """What stands in fields or parts for thoughts."""
    refusal: str | None
    """What the API says in place of an answer."""
    field: str = ""
    """Where the thought stood: a field's name, or `PARTS`."""


class _Mark(NamedTuple):
    format: Format
    opens: bool
    start: int
    end: int


def split(text: str, own: Format | None = None, opened: str = "") -> Split:
    """Tell a reply's thoughts from its answer.

    A mark in code marks or quotation marks is none. Thoughts may nest, and several may stand in a reply.

    Args:
        text: as the server sent it.
        own: a format that models.yaml gives; it goes before those that are known.
        opened: name of the format whose start is known to stand in the prompt: what has no end is thought then.
    """
    if not opened and not _may_have_marks(text, own):
        return Split(text, None)  # most answers; the pattern costs many times this look
    marks = [mark for mark in _marks(text, own) if not _quoted(text, mark)]
    ends = {mark.format: place for place, mark in enumerate(marks) if not mark.opens}
    """The last end of each format."""
    thoughts: list[str] = []
    kept: list[tuple[int, int]] = []
    used: Format | None = None
    in_prompt = False
    place = at = 0
    nothing_yet = _blank_to(text, 0)
    """Up to here there are only blanks and special tokens: the answer has not begun."""
    while at < len(marks):
        mark = marks[at]
        closing: int | None
        if mark.opens:
            closing = _closing(marks, at) if ends.get(mark.format, -1) > at else None
            if closing is None and mark.start > nothing_yet:
                at += 1  # in the middle of an answer, and never ended: words that only look like a mark
                continue
            kept.append((place, mark.start))
            begins = mark.end
        elif thoughts:
            at += 1  # an answer that speaks of a mark
            continue
        else:
            # An end without a start: whatever came before it is the thought, up to the last such end.
            following = next((n for n in range(at, len(marks)) if marks[n].opens), len(marks))
            closing = max(n for n in range(at, following) if marks[n].format is mark.format)
            begins, in_prompt = place, True
        thoughts.append(text[begins:] if closing is None else text[begins : marks[closing].start])
        place, at = (len(text), len(marks)) if closing is None else (marks[closing].end, closing + 1)
        if mark.start <= nothing_yet or not mark.opens:
            nothing_yet = _blank_to(text, place)
        used = mark.format
    kept.append((place, len(text)))
    if used is None:
        return Split("", text.strip(), opened, True) if opened else Split(text, None)
    pieces = [text[start:end] for start, end in kept]
    if _BEFORE.fullmatch(pieces[0]):
        pieces[0], kept[0] = "", (0, 0)
    thought = "\n\n".join(stripped for one in thoughts if (stripped := one.strip()))
    answer = _unwrapped("".join(pieces), used)
    return Split(answer, thought or None, used.name, in_prompt and bool(thought), tuple(kept))


def without(text: str) -> str:
    """The answer that a text holds."""
    return split(text).answer


def blanked(text: str) -> str:
    """A text with empty lines in the place of its thoughts, so that the answer keeps its places."""
    kept = split(text).kept
    if not kept:
        return text
    made: list[str] = []
    place = 0
    for start, end in kept:
        made += ["\n" * (start - place), text[start:end]]
        place = end
    return "".join([*made, "\n" * (len(text) - place)])


def of_message(message: object) -> MessageParts:
    """The parts of an assistant's message as any OpenAI-compatible server sends it.

    Args:
        message: parsed JSON of `choices[].message`, or of a stream's `delta`.
    """
    if not isinstance(message, Mapping):
        return MessageParts(None, None, None)
    content, refusal = message.get("content"), message.get("refusal")
    if isinstance(content, str) and not refusal and (_FIELDS.isdisjoint(message) or not any(map(message.get, FIELDS))):
        return MessageParts(content, None, None)  # most messages
    texts, thoughts, refusals = _parts(content)
    text = "".join(texts) if isinstance(content, (str, list)) else None
    field = PARTS if thoughts else ""
    if not thoughts:
        field, thoughts = next(((name, found) for name in FIELDS if (found := _told(message.get(name)))), ("", []))
    if isinstance(refusal, str) and refusal:
        refusals = [refusal]
    # A model that still thinks has no content yet, and one whose API refuses never will.
    if text is None and (thoughts or refusals or ("content" in message and content is None)):
        text = ""
    return MessageParts(text, "".join(thoughts) or None, "".join(refusals) or None, field)


def _parts(content: object) -> tuple[list[str], list[str], list[str]]:
    """Texts, thoughts and refusals of a content: a text, or a list of parts."""
    if isinstance(content, str):
        return [content], [], []
    texts: list[str] = []
    thoughts: list[str] = []
    refusals: list[str] = []
    for part in content if isinstance(content, list) else ():
        kind = part.get("type") if isinstance(part, Mapping) else None
        if isinstance(part, str):
            texts.append(part)
        elif kind in _THOUGHT_PARTS or (isinstance(part, Mapping) and part.get("thought") is True):
            thoughts += _told(part)
        elif kind == "refusal":
            refusals += _told(part.get("refusal"))
        elif isinstance(part, Mapping) and (kind is None or kind in _TEXT_PARTS):
            texts += _told(part.get("text"))
    return texts, thoughts, refusals


def _told(value: object) -> list[str]:
    """The texts in a field for thoughts: a text, a part with a text or a summary, or a list of such."""
    if isinstance(value, str):
        return [value] if value else []
    if isinstance(value, list):
        return [text for one in value for text in _told(one)]
    if isinstance(value, Mapping):
        return next((found for name in ("thinking", "text", "reasoning", "summary", "content")
                     if (found := _told(value.get(name)))), [])  # fmt: skip
    return []


def _may_have_marks(text: str, own: Format | None) -> bool:
    """Whether a text has what any mark has."""
    characters, words = _signs(own)
    return any(map(text.__contains__, characters)) or any(map(text.lower().__contains__, words))


@lru_cache(maxsize=64)
def _signs(own: Format | None) -> tuple[Sequence[str], Sequence[str]]:
    """First characters of marks that are no letters, and whole marks, in small letters, that are words."""
    marks = [mark.lower() for each in ((own,) if own else ()) + FORMATS for mark in (each.start, each.end) if mark]
    characters = {mark[0] for mark in marks if not mark[0].isalnum()}
    return tuple(characters), tuple({mark for mark in marks if mark[0].isalnum()})


@lru_cache(maxsize=64)
def _pattern(own: Format | None) -> tuple[Any, Sequence[tuple[Format, bool]]]:
    """One pattern for all marks, and what each of its groups is."""
    groups: list[tuple[Format, bool]] = []
    forms: list[str] = []
    for each in ((own,) if own else ()) + FORMATS:
        start = re2.escape(each.start)
        if each.first:
            start = rf"\A\s*{start}" + ("" if each.start.endswith(":") else r"[\"“'(]?\p{Lu}")
        for form, opens in ((start, True), (re2.escape(each.end), False)):
            if form:
                groups.append((each, opens))
                forms.append(f"({form})" if each.first and opens else f"((?i:{form}))")
    return re2.compile("|".join(forms)), groups


def _marks(text: str, own: Format | None) -> Iterator[_Mark]:
    pattern, groups = _pattern(own)
    for match in pattern.finditer(text):
        format_, opens = groups[match.lastindex - 1]
        start, end = match.span()
        if format_.first and opens:
            end = text.index(format_.start, start) + len(format_.start)
        yield _Mark(format_, opens, start, end)


_QUOTES = {"`": "`", '"': '"', "'": "'", "“": "”", "‘": "’", "«": "»"}


def _quoted(text: str, mark: _Mark) -> bool:
    """Whether quotation or code marks stand right around a mark: then the text speaks of it."""
    return mark.start > 0 and _QUOTES.get(text[mark.start - 1], "") == text[mark.end : mark.end + 1] != ""


def _closing(marks: Sequence[_Mark], opening: int) -> int | None:
    """The mark that ends a thought; where nesting does not come out even, the last one of its format."""
    mine, depth, last = marks[opening].format, 0, None
    for place in range(opening, len(marks)):
        mark = marks[place]
        if mark.format is not mine:
            continue
        depth += 1 if mark.opens else -1
        if not mark.opens:
            last = place
        if depth == 0:
            return place
    return last


_BEFORE = re2.compile(r"(?:\s|<\|[a-z_]{1,30}\|>|<s>|assistant)*")
"""Blanks and special tokens, which may stand before a thought."""


def _blank_to(text: str, place: int) -> int:
    """Where the blanks and special tokens end that begin at a place, if they are few."""
    return place + int(_BEFORE.match(text[place : place + 200]).end())


def _unwrapped(answer: str, used: Format) -> str:
    """The answer without the marks that its format puts around it, and blanks at its ends."""
    answer = answer.strip()
    opening, closing = used.answer
    if opening and answer.startswith(opening):
        answer = answer[len(opening) :].lstrip()
    if closing and answer.endswith(closing):
        answer = answer[: -len(closing)].rstrip()
    return answer
