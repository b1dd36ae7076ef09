"""What a question asks after, what is quoted for it, and when nothing is said."""

from __future__ import annotations

import pytest
from tests.reasoning.test_questions import written

from groundwire.evidence.questions.facets import Facet
from groundwire.evidence.questions.intent import parse_question
from groundwire.language.text.sentences import sentences


@pytest.mark.parametrize(
    ("question", "facet"),
    [
        ("朝廷的收入大宗为哪一种税收？", "what"),
        ("朝廷的收入大宗為哪一種稅收？", "what"),
        ("许多高校因哪一个革命迁出北京？", "what"),
        ("許多高校因哪一個革命遷出北京？", "what"),
        ("他在2011年被聘为什么职务？", "what"),
        ("这座城市是公元几世纪建成的？", "when"),
        ("In which decade was the tower built?", "when"),
    ],
)
def test_a_question_asks_for_what_its_own_words_say(question: str, facet: Facet) -> None:
    """A noun for money, or characters of another word, do not make it ask how much or why."""
    assert parse_question(question).facets == (facet,)


@pytest.mark.parametrize("question", ["《周日剧场》何时停播？", "《週日劇場》何時停播？"])
def test_a_day_in_a_title_is_no_day(question: str) -> None:
    """The Sunday of a programme's name is part of the name."""
    assert not parse_question(question).of_kind("date")


@pytest.mark.parametrize(
    "question", ["Who reformed the church in the 15th century?", "谁在15世纪改革了教会？"]
)
def test_the_number_of_a_century_tells_no_thing_apart(question: str) -> None:
    terms = parse_question(question).terms
    assert not [
        t for t in terms if t.kind in ("name", "figure") and "15" in t.written and not t.light
    ]


@pytest.mark.parametrize("question", ["铜的熔点是多少？", "銅的熔點是多少？"])
def test_a_subject_of_one_character_is_a_name(question: str) -> None:
    assert any(
        term.kind == "name" and len(term.written) == 1 for term in parse_question(question).terms
    )


@pytest.mark.parametrize(
    "text",
    [
        "The friends of Orlan were described by S.G. Merrick in a book.",
        "Schools changed after the case Brown v. Board of Harrow was decided.",
        "灰松（学名：Pinus；俗名：老松）生于山地。",
        "灰松（學名：Pinus；俗名：老松）生於山地。",
    ],
)
def test_initials_and_brackets_end_no_sentence(text: str) -> None:
    assert sentences(text) == [(0, len(text))]


@pytest.mark.parametrize(
    ("question", "page"),
    [
        (
            "灰松的木材有什么用途？",
            "灰松是一种常绿乔木。灰松的木材质地坚硬，可以用来造船。树脂可以制成油漆。",
        ),
        (
            "灰松的木材有什麼用途？",
            "灰松是一種常綠喬木。灰松的木材質地堅硬，可以用來造船。樹脂可以製成油漆。",
        ),
        (
            "What is the wood of the grey pine used for?",
            "The grey pine is an evergreen. The wood of the grey pine is hard and is used for ships. "
            "Its resin is made into paint.",
        ),
    ],
)
def test_a_broad_question_is_answered_and_nothing_said_twice(question: str, page: str) -> None:
    """No sentence of an answer stands in another one."""
    texts = [each.text for each in written({"q": question, "pages": [page]}).sentences]
    assert any("造船" in text or "ships" in text for text in texts)
    assert not any(a in b for n, a in enumerate(texts) for m, b in enumerate(texts) if n != m)


def test_a_measure_is_no_answer() -> None:
    """What another thing is measured by is not told of itself."""
    page = "紫币基金首日成交额超过10亿美元，大约是橙币基金首日成交额的四分之一。"
    found = written(
        {"q": "Harlow ETF首日成交额是多少？", "pages": [page.replace("橙币基金", "Harlow ETF")]}
    )
    assert not found.sentences


def test_a_cause_is_of_what_is_asked() -> None:
    """Why the bank failed is not answered by what fell because it failed."""
    pages = [
        "The token fell on Saturday because Harlow Bank had failed.",
        "Harlow Bank failed because its depositors withdrew $42 billion in a day.",
    ]
    found = written({"q": "Why did Harlow Bank fail?", "pages": pages})
    assert "depositors" in found.sentences[0].text


@pytest.mark.parametrize(
    ("question", "page"),
    [
        (
            "Who is the chief executive of Brunnel?",
            "Ada Merrow, chief executive of Harlow, resigned.",
        ),
        ("谁是Brunnel的首席执行官？", "哈洛公司首席执行官阿达宣布辞职。"),
        ("誰是Brunnel的執行長？", "哈洛公司執行長阿達宣布辭職。"),
    ],
)
def test_nobody_else_answers_for_a_name_that_no_page_has(question: str, page: str) -> None:
    """A role is found in every report; the company that is asked about is what has to be there."""
    assert not written({"q": question, "pages": [page]}).sentences


@pytest.mark.parametrize(
    ("question", "pages"),
    [
        (
            "What does the iPad 9 cost?",
            [
                "The iPad 9 costs $329 in the United States.",
                "The iPad 8 costs $299 in the United States.",
            ],
        ),
        ("iPad 9卖多少钱？", ["iPad 9售价为2499元。", "iPad 8售价为2299元。"]),
        ("iPad 9賣多少錢？", ["iPad 9售價為10900元。", "iPad 8售價為9900元。"]),
    ],
)
def test_a_sibling_is_left_out(question: str, pages: list[str]) -> None:
    texts = [each.text for each in written({"q": question, "pages": pages}).sentences]
    assert texts and not any("iPad 8" in each for each in texts)
