"""Ways in which models and servers wrap a word: each takes a text and gives the text as it may come."""

import json
from collections.abc import Callable

from hypothesis import strategies as st

Wrap = Callable[[str], str]

INVISIBLE = [
    "\u200b",
    "\ufeff",
    "\u00a0",
    "\u00ad",
    "\u202a",
    "\u202c",
    "\u2066",
    "\u2060",
    "\u3000",
    " ",
    "\n",
    "\u200e",
]
TOKENS = [
    "<|im_end|>", "<|eot_id|>", "</s>", "[/INST]", "<|return|>", "<end_of_turn>", "<|endoftext|>", "<eos>", "<0x0A>",
    "<｜end▁of▁sentence｜>", "<|END_OF_TURN_TOKEN|>", "<|assistant_end_7|>", "<end_of_utterance>",
]  # fmt: skip
HEADS = [
    "<s>", "<|im_start|>assistant\n", "<|start_header_id|>assistant<|end_header_id|>\n\n", "<start_of_turn>model\n",
    "<|channel|>final<|message|>", "[/INST]", "<｜Assistant｜>", "<bos>", "assistant\n",
]  # fmt: skip
CODE = ["`{}`", "```\n{}\n```", "```json\n{}\n```", "~~~\n{}\n~~~", "```text\n{}"]
TAGS = [
    "<p>{}</p>", "<b>{}</b>", "<answer>{}</answer>", "<final_answer>\n{}\n</final_answer>", "<answer>{}", "{}</answer>",
    '<div class="a">{}</div>', "<div>{}<br/></div>",
]  # fmt: skip
EMPHASIS = ["**{}**", "*{}*", "__{}__", "_{}_", "***{}***"]
MATH = ["\\boxed{{{}}}", "\\text{{{}}}", "$\\boxed{{{}}}$", "$${}$$", "\\({}\\)", "\\[{}\\]"]
LABELS = [
    "My answer is {}", "Answer: {}", "The answer is: {}", "### Answer\n{}", "Final answer: {}",
    "Verdict: {}", "The final answer is {}.", "So, the answer is {}", "{}.", "{}!", "{}\n",
]  # fmt: skip
KEYS = ["answer", "verdict", "final_verdict", "finalAnswer", "x", "is it true"]


def full_width(text: str) -> str:
    """ASCII letters as they stand between Chinese characters."""
    return "".join(chr(ord(one) + 0xFEE0) if one.isalpha() and one.isascii() else one for one in text)


def bold(text: str) -> str:
    """Mathematical bold letters."""
    first = {True: 0x1D400 - ord("A"), False: 0x1D41A - ord("a")}
    return "".join(chr(ord(one) + first[one.isupper()]) if one.isalpha() and one.isascii() else one for one in text)


def _form(form: str) -> Wrap:
    return lambda text: form.replace("{{{}}}", "{" + text + "}").replace("{}", text)


def _object(key: str, ascii_only: bool) -> Wrap:
    return lambda text: json.dumps({key: text}, ensure_ascii=ascii_only)


def _list(ascii_only: bool) -> Wrap:
    return lambda text: json.dumps([text], ensure_ascii=ascii_only)


def _before(sign: str) -> Wrap:
    return lambda text: sign + text


def _behind(sign: str) -> Wrap:
    return lambda text: text + sign


def wraps(without: str = "") -> st.SearchStrategy[list[Wrap]]:
    """Some wrappers, from the innermost to the outermost, one of a kind; `without` names a kind that is left out."""
    flag = st.booleans()
    kinds: dict[str, st.SearchStrategy[Wrap]] = {
        "invisible before": st.sampled_from(INVISIBLE).map(_before),
        "invisible behind": st.sampled_from(INVISIBLE).map(_behind),
        "token": st.sampled_from(TOKENS).map(_behind),
        "head": st.sampled_from(HEADS).map(_before),
        "object": st.builds(_object, st.sampled_from(KEYS), flag),
        "list": st.builds(_list, flag),
        "code": st.sampled_from(CODE).map(_form),
        "tag": st.sampled_from(TAGS).map(_form),
        "emphasis": st.sampled_from(EMPHASIS).map(_form),
        "math": st.sampled_from(MATH).map(_form),
        "label": st.sampled_from(LABELS).map(_form),
    }
    chosen = st.lists(st.sampled_from(sorted({*kinds} - {without})), unique=True, max_size=4)
    return chosen.flatmap(lambda names: st.tuples(*(kinds[name] for name in names))).map(list)


def wrapped(text: str, several: list[Wrap]) -> str:
    """A text in all of them."""
    for wrap in several:
        text = wrap(text)
    return text
