"""What the encoders are given: pieces of words, marks of what meets, Chinese as English words; and what they give."""

from __future__ import annotations

import pytest

from groundwire.evidence.reading.alignment import Claim
from groundwire.evidence.reading.analysis import analyse
from groundwire.evidence.reading.encoder import CLAIM, PAIR, encode, vocabulary, weigh
from groundwire.evidence.reading.gloss import gloss
from groundwire.evidence.reading.marks import AGAINST, ALIKE, NONE, SAME, marks
from groundwire.evidence.reading.pieces import Pieces


@pytest.fixture
def pieces() -> Pieces:
    return Pieces(["[UNK]", "[CLS]", "[SEP]", "bank", "##s", "cafe", "£", "14", "银", "行", "."])


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Banks", [3, 4]),
        ("Café.", [5, 10]),
        ("£14", [6, 7]),
        ("银行bank", [8, 9, 3]),
        ("banker", [0]),
        ("b" * 100, [0]),
        ("", []),
    ],
)
def test_a_word_is_cut_into_the_longest_pieces_that_are_known(
    pieces: Pieces, text: str, numbers: list[int]
) -> None:
    assert [number for number, _ in pieces.cut(text)] == numbers


def test_each_piece_knows_where_its_word_begins(pieces: Pieces) -> None:
    assert list(pieces.cut("a banks")) == [(0, 0), (3, 2), (4, 2)]


@pytest.mark.parametrize(
    ("claim", "passage", "word", "mark"),
    [
        ("Tessera shares rose", "Tessera shares fell", "fell", AGAINST),
        ("Tessera shares rose", "Tessera shares fell", "shares", SAME),
        ("The chief resigned", "The chief stepped down, he quit", "quit", ALIKE),
        ("They took $70 million", "They took $41 million", "$41 million", AGAINST),
        ("They took 3.2亿美元", "They took $320 million", "$320 million", SAME),
        ("They met on 3 May 2024", "They met on May 3, 2024", "May 3, 2024", SAME),
        ("The lake is dry", "It rained", "rained", NONE),
        ("泰瑟拉股价上涨", "泰瑟拉股价下跌", "下跌", AGAINST),
        ("市议会批准了大桥", "市议会没有批准大桥", "批准", SAME),
        ("杰克辞去职务", "杰克已请辞", "请辞", ALIKE),
        ("損失1.5億元", "损失1.5亿元", "1.5亿元", SAME),
    ],
)
def test_words_and_values_that_meet_are_marked(
    claim: str, passage: str, word: str, mark: int
) -> None:
    _, there = marks(Claim(analyse(claim, whole=True)), analyse(passage, whole=True).lead)
    at = passage.index(word)
    assert set(there[at : at + len(word)]) == {mark}


@pytest.mark.parametrize(
    ("chinese", "english", "said"),
    [
        ("该公司起诉了银行", "The bank was sued", "sued"),
        ("該公司起訴了銀行", "The bank was sued", "sued"),
        ("罚款3.2亿美元", "a fine", "320 million $"),
        ("3月5日倒闭", "It failed", "march 5"),
        ("首席执行官辞职", "The CEO quit", "ceo quit"),
    ],
)
def test_chinese_is_put_into_the_words_of_the_text_beside_it(
    chinese: str, english: str, said: str
) -> None:
    assert said in gloss(chinese, english)


def test_a_name_that_no_dictionary_has_stays_as_it_is() -> None:
    assert "哈洛威" in gloss("哈洛威辞职", "Halloway quit")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_pair_fits_the_encoder_whatever_its_length(language: str) -> None:
    ids, kinds = encode(language, "bank 银行 " * 90, "", "loss 损失 " * 400)  # type: ignore[arg-type]
    assert len(ids) == len(kinds) == PAIR
    assert sum(kind % 2 == 0 for kind in kinds) == CLAIM + 2
    assert max(ids) < len(vocabulary(language))  # type: ignore[arg-type]


@pytest.mark.parametrize("claim", ["", "。", "🚀", "9" * 300])
@pytest.mark.parametrize("text", ["", "\n", "русский", "中文", "b" * 3_000])
def test_odd_texts_are_weighed_all_the_same(claim: str, text: str) -> None:
    assert sum(weigh(claim, "", text).model_dump().values()) == pytest.approx(1.0, abs=0.001)


def test_the_same_pair_always_weighs_the_same() -> None:
    pair = ("The council approved the bridge.", "Bridge", "The council did not approve it.")
    first = weigh(*pair)
    weigh.cache_clear()
    assert weigh(*pair) == first


@pytest.mark.parametrize(
    ("chinese", "english"),
    [
        ("央行宣布降息", "rate cut"),
        ("該公司並未裁員", "did not cut jobs"),
        ("网传该厂关闭，不实", "online rumours say that"),
    ],
)
def test_a_gloss_is_of_whole_words_and_keeps_its_negation(chinese: str, english: str) -> None:
    assert english in gloss(chinese, "")


@pytest.mark.parametrize("claim", ["Euler Finance 沒有被駭", "Euler Finance 没有被黑客攻击"])
def test_a_claim_mostly_in_latin_letters_keeps_its_chinese_not(claim: str) -> None:
    text = "The lending protocol Euler Finance was attacked on Monday and lost about $197 million."
    said = weigh(claim, "", text)
    assert said.contradicts > said.supports, said
