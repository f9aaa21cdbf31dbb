"""What stands around a whole response and is none of it, taken off layer by layer.

Special tokens of chat templates, fences, code and quotation marks, tags, TeX, JSON with one value: each is known by its
shape, whatever it is called. Only what wraps the whole goes; what stands inside is `markup`'s business.
"""

from collections.abc import Callable

import re2

from halluvault_tasks.reading import english
from halluvault_tasks.reading.letters import Placed, lettered

TOKEN = r"<\|[^<>|\n]{1,60}\|>|<</?[A-Z]{2,12}>>|\[/[A-Z_]{2,20}\]|<0x[0-9A-Fa-f]{2}>"
"""A special token: `<|im_end|>`, `<<SYS>>`, `[/INST]`, `<0x0A>`."""

_DEEPEST = 16
"""Layers that are taken off."""

_SHORT = 200
"""Characters between quotation marks or brackets, beyond which they may close something else than they opened."""

_ROLE = r"(?:assistant|model|final|bot)"
_ALONE = r"\[(?:INST|BOS|EOS|EOT|CLS|SEP|PAD|UNK|END|DONE|STOP)\]"
_TAG = r"</?([a-z][\w:.-]*)(?:\s[^<>]*)?/?>"
_FRONT = re2.compile(rf"(?i)(?:{TOKEN}|{_ALONE}|{_TAG})\s*(?:{_ROLE}\s*(?:<\||\n|:))?|{_ROLE}[ \t]*\n")
_BACK = re2.compile(rf"(?i)(?:{TOKEN}|{_ALONE}|{_TAG}|<\|[^<>|\n]{{0,60}}\|?)\z")
_LONGEST_TAG, _LONGEST_TOKEN = 300, 64
_MEANT = frozenset(["s", "del", "strike", "table", "thead", "tbody", "tr", "td", "th"])
"""Tags that say something of what they hold; but a text that begins with `<s>` or ends with `</s>` was tokenised."""

_FENCED = re2.compile(r"(?s)(?:`{3,}|~{3,})[ \t]*([^\n`]*)\n(.*?)(?:\n?[ \t]*(?:`{3,}|~{3,}))?")
_TEXTS = english.wordset(
    "text txt plain plaintext markdown md json jsonc html xml yaml yml tex latex output answer result"
)
"""What a fence is called that holds a text or data; another name is a programming language's."""
FEW_WORDS = re2.compile(r"\s*(?:[\p{L}'’]+ ?){1,4}[.!]?\s*")
"""What no code consists of."""

_FENCE = re2.compile(r"(?m)^[ \t]*(?:```|~~~)")
_CODE = re2.compile(r"(?s)`{1,3}(?:json\b)?([^`]+)`{1,3}")
_TEX = re2.compile(r"(?s)\\[a-zA-Z]+\s?\{(.*)\}|\$\$?([^$]+)\$\$?|\\\[(.*)\\\]|\\\((.*)\\\)|\{([^{}:\"]*)\}")
_OBJECT = re2.compile(r"(?s)\{\s*(\"(?:[^\"\\\n]|\\.)+\"|'[^'\n]+'|[\p{L}_][\p{L}\p{N}_ -]*?)\s*[:=]\s*(.*?)\s*,?\s*\}")
_MEMBERS = re2.compile(r"(?s)\[?\s*\{\s*\".*\}\s*\]?\z")
_VALUE = re2.compile(r"(?s)\"(?:[^\"\\]|\\.)*\"|'[^'\n]*(?:\p{L}'\p{L}[^'\n]*)?'|[{\[].*[}\]]|[^\"'{}\[\],:]+")
_LIST = re2.compile(r"(?s)\[\s*(.*?)\s*,?\s*\]")
_ESCAPED = re2.compile(r"(\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u[0-9a-fA-F]{4})|\\[a-zA-Z]{2,}\s?\{|\\(.)")
"""JSON's escapes, and TeX in strings that were never escaped."""
_ESCAPES = {"n": "\n", "t": "\t", "r": "\n"}
_EMPHASIS, _SNAKE = re2.compile(r"\*{1,3}|_{1,3}"), re2.compile(r"[\p{L}\p{N}]_+[\p{L}\p{N}]")
_LINE_MARK = re2.compile(r"(?:>|#{1,6} )\s*([^\n]+)")
_TRUTHS = {"true": "yes", "false": "no"}
_KEY_WORD = re2.compile(r"\p{Lu}?\p{Ll}+|\p{Lu}+")
_VERDICTS = english.wordset("answer verdict response result conclusion decision judgement judgment reply")
_PAIRS = {'"': '"', "'": "'", "‘": "’", "(": ")", "[": "]", "*": "*", "_": "_"}
_OPENING = frozenset("<[`~$\\{\"'‘(*_>#")
_CLOSING = frozenset(">|]`~$}\"'’)*_")
_STOPS = ".!"


def unwrapped(text: Placed) -> Placed:
    """A text without what stands around all of it."""
    for _ in range(_DEEPEST):
        text = _stripped(text)
        inner = _inner(text)
        if inner is None and text.text[-1:] in _STOPS and text.text[:1] in _OPENING:
            inner = _inner(_stripped(text.part(0, len(text.text) - 1)))
        if inner is None:
            break
        text = inner
    return unescaped(text, quotes=False) if _MEMBERS.match(text.text) else text


def _stripped(text: Placed) -> Placed:
    start = len(text.text) - len(text.text.lstrip())
    return text.part(start, max(start, len(text.text.rstrip())))


def _inner(text: Placed) -> Placed | None:
    """A text without its outermost layer; None where it has none."""
    first, last = text.text[:1], text.text[-1:]
    if first in _OPENING or last in _CLOSING or first.casefold() in "amfb" or "<|" in text.text[-_LONGEST_TOKEN:]:
        for layer in _LAYERS:
            if (inner := layer(text)) is not None:
                return inner
    return None


def _tokens(text: Placed) -> Placed | None:
    """Special tokens and tags at either end, and the role that a template names behind one."""
    whole = text.text
    front = _FRONT.match(whole)
    if front and (not front[1] or front[1].casefold() not in _MEANT or whole.startswith("<s>")):
        end = front.end() - 2 * whole[: front.end()].endswith("<|")
        return text.part(end, len(whole))
    begins = max(whole.rfind("<", -_LONGEST_TAG), whole.rfind("[", -_LONGEST_TAG)) if whole else -1
    while begins > 0 and whole[begins - 1] == "<":
        begins -= 1
    back = _BACK.match(whole, begins) if begins >= 0 else None
    if back and (not back[1] or back[1].casefold() not in _MEANT or back[0] == "</s>"):
        return text.part(0, begins)
    return None


def _fenced(text: Placed) -> Placed | None:
    match = _FENCED.fullmatch(text.text) if text.text[:3] in ("```", "~~~") else None
    if match and not _FENCE.search(match[2]):
        meant = not match[1].strip() or match[1].strip().casefold() in _TEXTS or FEW_WORDS.fullmatch(match[2])
        return text.part(*match.span(2)) if meant else None
    match = _CODE.fullmatch(text.text) if text.text[:1] == "`" else None
    return text.part(*match.span(1)) if match else None


def _tex(text: Placed) -> Placed | None:
    match = _TEX.fullmatch(text.text) if text.text[:1] in ("\\", "$", "{") else None
    if not match or (match.lastindex == 1 and not _balanced(match[1])):
        return None
    return text.part(*match.span(match.lastindex))


def _balanced(inner: str) -> bool:
    depth = 0
    for sign in inner:
        depth += (sign == "{") - (sign == "}")
        if depth < 0:
            return False
    return depth == 0


def _json(text: Placed) -> Placed | None:
    """What a list of one holds or an object's one name stands for; `true` is yes where the name is a verdict's."""
    match = _LIST.fullmatch(text.text) if text.text[:1] == "[" else None
    if match and match[1][:1] in ('"', "'", "[", "{") and _VALUE.fullmatch(match[1]):
        return text.part(*match.span(1))
    match = _OBJECT.fullmatch(text.text) if text.text[:1] == "{" else None
    if not match or not _VALUE.fullmatch(match[2]):
        return None
    name = {word.casefold() for word in _KEY_WORD.findall(match[1])}
    if len(name & {"yes", "no", "not", "know"}) == 1:  # {"no": "yes"}
        return None
    inner = text.part(*match.span(2))
    if (truth := _TRUTHS.get(match[2].casefold())) and name & _VERDICTS:
        place = inner.at[0]
        return Placed(truth, [place] * len(truth), (*text.wide, (place, len(match[2]))))
    return inner


def _quoted(text: Placed) -> Placed | None:
    """A text in quotation marks, brackets or emphasis, or a string of JSON with its escapes read."""
    whole = text.text
    closing, inner = _PAIRS.get(whole[:1]), whole[1:-1]
    if closing is None or not inner or whole[-1] != closing:
        return None
    if whole[0] == '"' and "\\" in inner and _VALUE.fullmatch(whole):
        return unescaped(text.part(1, len(whole) - 1))
    if whole[0] in "*_":
        return _emphasised(text)
    signs = {whole[0], closing} - {"’"}
    apart = inner.replace("n't", "") if closing == "'" else inner
    return text.part(1, len(whole) - 1) if len(inner) <= _SHORT and signs.isdisjoint(apart) else None


def _emphasised(text: Placed) -> Placed | None:
    sign = _EMPHASIS.match(text.text)[0]
    inner = text.part(len(sign), len(text.text) - len(sign))
    apart = _SNAKE.sub("", inner.text) if sign[0] == "_" else inner.text
    return inner if inner.text and text.text.endswith(sign) and sign[0] not in apart else None


def unescaped(text: Placed, quotes: bool = True) -> Placed:
    """A string of JSON, or a text that holds some, with its escapes read; `quotes`: those of quotation marks, too."""
    pieces: list[str] = []
    at: list[int] = []
    wide = list(text.wide)
    position = 0
    for match in _ESCAPED.finditer(text.text):
        start, end = match.span()
        if not match.lastindex or (match[2] in ('"', "\\") and not quotes):
            continue
        pieces += [text.text[position:start], _code_point(match[1]) if match[1] else _ESCAPES.get(match[2], match[2])]
        at += [*text.at[position:start], text.at[start]]
        wide.append((text.at[start], text.at[end - 1] + 1 - text.at[start]))
        position = end
    return lettered(Placed("".join([*pieces, text.text[position:]]), [*at, *text.at[position:]], tuple(wide)))


def _code_point(escape: str) -> str:
    """What JSON writes in one escape, or in two beyond U+FFFF; half a pair is no letter."""
    return bytes.fromhex(escape.replace("\\u", "")).decode("utf-16-be", "replace")


def _marked(text: Placed) -> Placed | None:
    """The one line of a quotation or heading, if it is wrapped in something else as well."""
    match = _LINE_MARK.fullmatch(text.text) if text.text[:1] in (">", "#") else None
    return text.part(*match.span(1)) if match and match[1][0] in _OPENING else None


_LAYERS: tuple[Callable[[Placed], Placed | None], ...] = (_tokens, _marked, _fenced, _json, _tex, _quoted)
