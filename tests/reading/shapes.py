"""Hostile shapes of text: what made readers slow or fall over, each to be repeated to any length."""

UNITS = [
    " ", "\n", "\t", "\r\n", "\u00a0", "\u2028", "\u0000", "\u0001", "\u202e", "\u200b", "\ufeff", "\ud83d", "a",
    "aB", "é", "漢", "я", "😀", "1", "0,", ".", "!", "?", "…", ",", ";", ":", "-", "—", "_", "*", "#", "`", "```\n",
    "~~", ">", "> ", "<", "<b>", "</b>", "<think>", "</think>", "&amp;", "&", "|", "| a ", "|---", "| a | b |\n", "(",
    ")", "[", "]", "{", "}", "[[", "](", "[a](b)", "[1]", '"', "'", "“", "‘", "“a ", "\\", "\\boxed{", "$", '{"a": "',
    "1. a\n", "- a\n", "  - a\n", "a. ", "Dr. ", "A. ", "no ", "yes ", "not ", "Yes. No. ", "yes or no ", "it is ",
    "that which ", "he said that ", "if ", "Ada Lovelace ", "and ", "e\u0301", "A\u0308da ", "שלום ", "مرحبا. ",
    "$\\frac{1}{2}$ ", "\\text{no} ", "def f(x):\n    return x\n", "1 < 2 ", "1812 to 1870: 3 years ",
]  # fmt: skip


def filled(unit: str, length: int) -> str:
    """A response that begins with an answer and goes on with the shape."""
    return ("Yes. " + unit * (length // len(unit) + 1))[:length]
