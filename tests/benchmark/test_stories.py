"""How a question about several events of one story calls a film whose maker it has named already."""

from halluvault_tasks.benchmark.suites.temporal.stories import called_once
from halluvault_tasks.benchmark.wording.identifying_names import Named
from halluvault_tasks.temporal.story_forms import Story, worded
from halluvault_tasks.temporal.verbalise import Phrase


def born(name: str) -> Phrase:
    return Phrase(name, "was born", "Was", "born", point=True)


def released(name: str) -> Phrase:
    return Phrase(name, "was first released", "Was", "first released", point=True)


def asked(story: Story, phrases: dict[str, Phrase], *named: Named) -> str:
    return worded(story, called_once(story, phrases, named)).question


def test_who_made_a_film_is_not_named_twice() -> None:
    story = Story("age", ("birth_Q1",), ("publication_Q2",), 50)
    phrases = {"birth_Q1": born("James Cameron"), "publication_Q2": released("James Cameron's film “Avatar”")}
    question = asked(story, phrases, Named("James Cameron", "James Cameron"), Named("…", "Avatar"))
    assert question == "Had James Cameron already turned fifty when the film “Avatar” was first released?"


def test_who_played_in_a_film_stands_beside_who_made_it() -> None:
    story = Story("age", ("birth_Q1",), ("publication_Q2",), 30)
    phrases = {"birth_Q1": born("Zoe Saldana"), "publication_Q2": released("James Cameron's film “Avatar”")}
    question = asked(story, phrases, Named("Zoe Saldana", "Zoe Saldana"), Named("…", "Avatar"))
    assert question == "Had Zoe Saldana already turned thirty when James Cameron's film “Avatar” was first released?"


def test_of_two_films_both_are_said_to_be_their_directors() -> None:
    story = Story("apart", ("publication_Q1",), ("publication_Q2",), 15)
    phrases = {
        "publication_Q1": released("Ridley Scott's film “Alien”"),
        "publication_Q2": released("Ridley Scott's film “Gladiator”"),
    }
    question = asked(story, phrases, Named("…", "Alien"), Named("…", "Gladiator"))
    assert (
        question
        == "Was “Alien” first released more than fifteen years before “Gladiator”, another film by Ridley Scott?"
    )


def test_what_joins_two_films_is_not_said_where_their_titles_say_it() -> None:
    story = Story("apart", ("publication_Q1",), ("publication_Q2",), 5)
    phrases = {
        "publication_Q1": released("Sam Raimi's film “Spider-Man”"),
        "publication_Q2": released("Sam Raimi's film “Spider-Man 2”"),
    }
    question = asked(story, phrases, Named("…", "Spider-Man"), Named("…", "Spider-Man 2"))
    assert question == "Was Sam Raimi's film “Spider-Man” first released more than five years before “Spider-Man 2”?"
