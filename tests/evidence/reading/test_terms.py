"""Words with places, the window of a passage, and words that turn a meaning round."""

from __future__ import annotations

import pytest

from groundwire.evidence.reading.meaning import pool
from groundwire.evidence.reading.reversals import (
    negated,
    negated_apart,
    opposed,
    replaced,
    reversals,
    swapped,
    turned,
)
from groundwire.evidence.reading.terms import reading
from groundwire.evidence.reading.windows import Window, window
from groundwire.language.text.opposites import antonyms, opposites
from groundwire.language.text.rarity import UNLISTED, rarity
from groundwire.language.text.wording import stemmed


def seen(claim: str, passage: str) -> Window:
    return window(reading(claim), passage)


@pytest.mark.parametrize(
    ("common", "rare"),
    [("say", "depeg"), ("year", "stablecoin"), ("表示", "脱锚"), ("公司", "逆回购")],
)
def test_a_rare_word_weighs_more_than_a_common_one(common: str, rare: str) -> None:
    assert rarity(common) < rarity(rare) <= UNLISTED


@pytest.mark.parametrize(
    ("word", "text", "match"),
    [
        ("regulator", "New regulations were passed.", 1),  # one root
        ("advertise", "Advertisement is expensive.", 1),
        ("international", "The internet is down.", 0),
        ("bought", "It was acquired.", 1),  # another word for it
        ("halted", "交易已暂停。", 1),  # across languages
        ("暂停", "Trading was halted.", 1),
        ("暂停", "交易已暫停。", 2),  # the other script is the same word
        ("銀行", "他在银行工作。", 2),
        ("银行", "他在学校工作。", 0),
    ],
)
def test_where_a_word_is_found(word: str, text: str, match: int) -> None:
    places, found = reading(text).find(reading(word).terms[0])
    assert found == match
    assert bool(places) == bool(match)


@pytest.mark.parametrize(
    ("claim", "passage", "wanted"),
    [
        (
            "Norvik Bank closed 12 branches.",
            "It rained. Norvik Bank closed 12 branches. Nobody minded.",
            "Norvik Bank closed 12 branches.",
        ),
        (
            "诺维克银行关闭了12家分行。",
            "下雨了。诺维克银行关闭了12家分行。没人在意。",
            "诺维克银行关闭了12家分行。",
        ),
        ("諾維克銀行關閉了分行。", "下雨了。諾維克銀行關閉了分行。", "諾維克銀行關閉了分行。"),
        # Two sentences, when the second adds what the first lacks.
        (
            "Norvik Bank paid a fine of $9 million for money laundering.",
            "Norvik Bank was in court. It paid a fine of $9 million for money laundering. So what.",
            "Norvik Bank was in court. It paid a fine of $9 million for money laundering.",
        ),
        # Across languages: names and figures tell.
        (
            "Circle kept $3.3 billion at Silicon Valley Bank.",
            "天气晴朗。Circle有33亿美元存放在硅谷银行。",
            "Circle有33亿美元存放在硅谷银行。",
        ),
    ],
)
def test_the_window_is_what_speaks_of_the_claim(claim: str, passage: str, wanted: str) -> None:
    found = seen(claim, passage)
    assert passage[found.start : found.end] == wanted


def test_a_figure_in_another_form_is_covered() -> None:
    assert seen("Losses reached 33亿美元.", "Losses reached $3.3 billion.").coverage == 1
    assert seen("It cost 2.5 million euros.", "It cost €2.5 million.").coverage == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Deposits were not lost, but trading stopped.", ["lost"]),
        ("存款没有丢失，但交易停止。", ["丢失"]),
        ("存款沒有丟失，但交易停止。", ["丢失"]),
        ("Not only deposits were lost.", []),
        ("不仅存款丢失。", []),
        ("It was not that nobody came.", []),  # twice negated
    ],
)
def test_a_negation_reaches_to_the_end_of_its_clause(text: str, words: list[str]) -> None:
    read = reading(text)
    flags = negated(read)
    found = [
        read.flat[read.terms[at].start : read.terms[at].end] for at in read.content if flags[at]
    ]
    assert found == words


@pytest.mark.parametrize(
    ("claim", "passage", "apart"),
    [
        ("Deposits were lost.", "Deposits were not lost.", True),
        ("Deposits were not lost.", "Deposits were not lost.", False),
        ("存款已经丢失。", "存款并未丢失。", True),
        ("存款並未丟失。", "存款並未丟失。", False),
    ],
)
def test_one_sided_negation(claim: str, passage: str, apart: bool) -> None:
    assert (negated_apart(reading(claim), seen(claim, passage)) > 0) == apart


@pytest.mark.parametrize(
    ("claim", "passage", "instead"),
    [
        ("Shares rose.", "Shares fell.", 1),
        ("产能扩大。", "产能缩小。", 1),
        ("產能擴大。", "產能縮小。", 1),
        ("Shares rose.", "Shares climbed.", 0),
        ("The law is strict.", "The law is lenient.", 1),
    ],
)
def test_antonyms_in_the_place_of_a_word(claim: str, passage: str, instead: int) -> None:
    found = seen(claim, passage)
    here, there = pool(reading(claim).flat).wording, pool(found.reading.flat).wording
    assert opposed(reading(claim), found, here, there)[0] == instead


@pytest.mark.parametrize(
    ("claim", "passage", "count"),
    [
        ("中间价上调。", "中间价下调。", 1),
        ("中間價上調。", "中間價下調。", 1),
        ("药物有效。", "药物无效。", 1),
        ("中间价上调。", "中间价上调。", 0),
        ("Rates rose.", "Rates fell.", 0),  # a rule for Chinese words
    ],
)
def test_chinese_words_with_one_character_turned_round(
    claim: str, passage: str, count: int
) -> None:
    assert turned(reading(claim), seen(claim, passage)) == count


@pytest.mark.parametrize(
    ("claim", "passage", "wanted"),
    [
        ("会议在苏州举行。", "会议在杭州举行。", ["苏州"]),
        ("會議在蘇州舉行。", "會議在杭州舉行。", ["苏州"]),
        ("The summit opened in Lisbon yesterday.", "It opened in Madrid yesterday.", ["lisbon"]),
        ("The summit of Lisbon mayors.", "The summit of Madrid mayors.", ["lisbon"]),
        ("会议在苏州举行。", "会议在苏州举行。", []),
    ],
)
def test_a_word_replaced_between_the_same_neighbours(
    claim: str, passage: str, wanted: list[str]
) -> None:
    assert [term.key for term in replaced(reading(claim), seen(claim, passage))] == wanted


@pytest.mark.parametrize(
    ("claim", "passage", "is_swapped"),
    [
        ("Tessera acquired Valor.", "Valor acquired Tessera.", True),
        ("Tessera acquired Valor.", "Valor was acquired by Tessera.", False),
        ("微软收购了谷歌。", "谷歌收购了微软。", True),
        ("微軟收購了谷歌。", "谷歌被微軟收購。", False),
    ],
)
def test_who_did_it_to_whom(claim: str, passage: str, is_swapped: bool) -> None:
    assert swapped(reading(claim), seen(claim, passage)) == is_swapped


def test_a_reversal_that_both_texts_have_is_none() -> None:
    read = reading("The exchange halted withdrawals.")
    assert reversals(read) == 1
    assert reversals(read, frozenset(range(len(read.terms)))) == 0


@pytest.mark.parametrize(
    ("word", "other"),
    [("rose", "fell"), ("上调", "下调"), ("批准", "驳回"), ("confirmed", "denied")],
)
def test_opposites_are_antonyms_too(word: str, other: str) -> None:
    assert any(stemmed(other) in side for side in opposites(word))
    assert any(stemmed(other) in side for side in antonyms(word))


@pytest.mark.parametrize(
    ("word", "other"), [("warm", "cold"), ("加强", "削弱"), ("optimistic", "gloomy")]
)
def test_antonyms_prove_nothing_alone(word: str, other: str) -> None:
    assert not any(stemmed(other) in side for side in opposites(word))
    assert any(stemmed(other) in side for side in antonyms(word))
