"""Topics are those of the texts, the same every time, and none where there is too little."""

from collections import Counter
from random import Random

from halluvault_tasks.results.suites import topics

SUBJECTS = {
    "music": ["singer", "song", "album", "band", "guitar"],
    "war": ["army", "battle", "general", "siege", "treaty"],
}


def texts(count: int) -> tuple[list[str], list[str]]:
    random = Random(5)
    kinds = [random.choice(sorted(SUBJECTS)) for _ in range(count)]
    return kinds, [" ".join(random.choices(SUBJECTS[kind], k=12)) for kind in kinds]


def test_a_topic_holds_texts_of_one_subject_and_the_same_texts_have_the_same() -> None:
    kinds, several = texts(200)
    found = topics.of(several)
    assert found == topics.of(several)
    counts = Counter(zip(found, kinds, strict=True))
    most = sum(max(counts[topic, kind] for kind in SUBJECTS) for topic in set(found))
    assert len(set(found)) <= topics.TOPICS
    assert most / len(kinds) > 0.9


def test_few_texts_or_texts_without_words_have_no_topics() -> None:
    assert topics.of(texts(topics.LEAST - 1)[1]) == []
    assert topics.of(["12 34"] * topics.LEAST) == []
