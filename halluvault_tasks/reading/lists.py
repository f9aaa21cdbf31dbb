"""spaCy's own lists of English words, read at first use.

To import spaCy takes a second; who needs no more than a profile's name, as all of results does, is spared that.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache


@contextmanager
def without_torch() -> Iterator[None]:
    """Import spaCy in here: its library thinc imports torch where that is installed, for two seconds and 150 MB.

    The small model computes with NumPy. Whoever needs torch imports it afterwards as ever.
    """
    if "torch" in sys.modules:
        yield
        return
    sys.modules["torch"] = None  # type: ignore[assignment]  # what makes an import fail (Python's reference, 5.3.1)
    try:
        yield
    finally:
        del sys.modules["torch"]


@cache
def stop_words() -> frozenset[str]:
    """Words that mean nothing by themselves, folded."""
    with without_torch():
        from spacy.lang.en.stop_words import STOP_WORDS

    return frozenset(STOP_WORDS)


@cache
def abbreviations() -> frozenset[str]:
    """Words that end with a stop of their own, so that cutting and tokens agree; casefolded."""
    with without_torch():
        from spacy.lang.en.tokenizer_exceptions import TOKENIZER_EXCEPTIONS

    return frozenset(form.casefold() for form in TOKENIZER_EXCEPTIONS if form.endswith(".")) - {"i."}
