"""The exam and the answers of the second reading of sentences."""

from __future__ import annotations

from groundwire.reasoning.review_sentences import QUESTION, Reading, Review, Reviewed, ReviewInput

GIVEN = ReviewInput(
    sentences=(
        Reviewed(text="One.", grounds=(), carried=True),
        Reviewed(text="Two.", grounds=(), carried=False),
    )
)


def review(*carried: bool) -> Review:
    readings = (Reading(sentence=n, carried=each) for n, each in enumerate(carried, start=1))
    return Review(readings=tuple(readings))


def test_the_embedded_answer_keeps_what_the_checker_found() -> None:
    assert QUESTION.embedded(GIVEN).carried == {1}


def test_each_sentence_needs_one_reading() -> None:
    assert QUESTION.fault_of(GIVEN, review(True, False)) is None
    assert QUESTION.fault_of(GIVEN, review(True)) is not None
    twice = Review(readings=(*review(True).readings, *review(True).readings))
    assert QUESTION.fault_of(GIVEN, twice) is not None


def test_an_answer_is_worth_the_share_of_sentences_that_it_reads_rightly() -> None:
    assert QUESTION.exam is not None
    score = QUESTION.exam.score
    assert score(GIVEN, review(True, False), {"carried": [1]}) == 1
    assert score(GIVEN, review(True, True), {"carried": [1]}) == 0.5
    assert score(GIVEN, review(False, True), {"carried": [1]}) == 0


def test_a_page_shows_its_headline_and_the_sentence_before_the_quote() -> None:
    assert QUESTION.exam is not None
    page = {
        "title": "Ferry aground",
        "published": "2026-02-11",
        "text": "It left at seven. It struck a bank at eight.",
    }
    given = QUESTION.exam.read(
        {
            "language": "en",
            "page": page,
            "quote": "It struck a bank at eight.",
            "sentences": ["It struck a bank."],
        }
    )
    (ground,) = given.sentences[0].grounds
    assert (ground.title, ground.before.strip()) == ("Ferry aground", "It left at seven.")
    assert "It left at seven." in QUESTION.variables(given, "seed")["sentences"]
