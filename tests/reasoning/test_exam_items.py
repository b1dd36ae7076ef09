"""The items of exams are whole and balanced; their scorers know a right answer from a wrong one."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, get_args

import pytest

from groundwire.evidence.messages.profiles import profiles
from groundwire.jobs import examined
from groundwire.jobs.ask import write_answer
from groundwire.jobs.ask.write_answer import Dispute, Missing, Proposed, Quoted, Written
from groundwire.jobs.timeline import choose_milestones, find_links, write_detail, write_synthesis
from groundwire.jobs.verify import classify_message, decide_tools
from groundwire.jobs.verify.classify_message import Classified
from groundwire.jobs.watch import find_contradictions, plan_watch, suggest_keywords, write_brief
from groundwire.jobs.watch.proposal import SubTask
from groundwire.model.base import Value
from groundwire.model.stance import StanceLabel
from groundwire.reasoning import plan_queries, quoting
from groundwire.reasoning.exam import (
    Item,
    ahead_interval,
    embedded_row,
    embedded_scores,
    known_scores,
    paper,
    score_of,
)
from groundwire.reasoning.exam_words import clean_share, has, share
from groundwire.reasoning.plan_queries import Plan, PlannedQuery
from groundwire.reasoning.question import Question
from groundwire.reasoning.quoting import Said

FEWEST = {
    "verify/weigh_message": 40,
    "verify/extract_claims": 30,
    "verify/classify_message": 30,
    "verify/decide_tools": 36,
    "search/plan_queries": 24,
    "ask/write_answer": 30,
    "timeline/choose_milestones": 24,
    "timeline/write_detail": 24,
    "timeline/write_synthesis": 24,
    "timeline/find_links": 24,
    "watch/find_contradictions": 27,
    "watch/plan_watch": 24,
    "watch/suggest_keywords": 24,
    "watch/write_brief": 24,
}
QUESTIONS: tuple[Question[Any, Any], ...] = (
    classify_message.QUESTION,
    decide_tools.QUESTION,
    plan_queries.QUESTION,
    write_answer.QUESTION,
    choose_milestones.QUESTION,
    write_detail.QUESTION,
    write_synthesis.QUESTION,
    find_links.QUESTION,
    find_contradictions.QUESTION,
    plan_watch.QUESTION,
    suggest_keywords.QUESTION,
    write_brief.QUESTION,
)
EXAMINED = tuple(each for each in examined() if each.exam is not None)
LANGUAGES = ("zh", "zh-Hant", "en")


def _item(name: str, item: str) -> Item:
    return next(each for each in paper(name).items if each.id == item)


def _score(question: Question[Any, Any], item: str, answer: Value) -> float:
    exam = question.exam
    assert exam is not None
    found = _item(exam.items, item)
    return score_of(exam, exam.read(found.given), answer, found.expect)


@pytest.mark.parametrize("name", FEWEST)
def test_an_exam_has_enough_items_in_each_language(name: str) -> None:
    items = paper(name).items
    assert FEWEST[name] <= len(items) <= 60
    counts = Counter(item.language for item in items)
    assert set(counts) == set(LANGUAGES)
    assert max(counts.values()) - min(counts.values()) <= 3
    assert all(item.given["language"] == item.language for item in items)


def test_every_page_that_is_weighed_has_one_stance() -> None:
    labels: Counter[str] = Counter()
    for item in paper("verify/weigh_message").items:
        stances = item.expect["stances"]
        assert [each["page"] for each in stances] == list(range(1, len(item.given["pages"]) + 1))
        assert all(1 <= each["claim"] <= len(item.given["claims"]) for each in stances), item.id
        labels.update(each["stance"] for each in stances)
    assert set(labels) == set(get_args(StanceLabel))
    assert max(labels.values()) <= 1.5 * min(labels.values())


def test_what_is_no_claim_is_part_of_its_message() -> None:
    for item in paper("verify/extract_claims").items:
        message, claims = item.given["message"], item.expect["claims"]
        for claim in claims:
            letters = Counter(re.findall(r"\w", claim))
            assert not letters - Counter(re.findall(r"\w", message)), (item.id, claim)
    assert any(not item.expect["claims"] for item in paper("verify/extract_claims").items)


def test_expected_event_types_are_types_of_their_profile() -> None:
    types = {each.name: set(each.type_names) for each in profiles()}
    for item in paper("verify/classify_message").items:
        for profile in item.expect["profile"]:
            assert set(item.expect["event_type"]) <= types[profile], item.id


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.prompt)
def test_the_embedded_answer_can_be_scored(
    question: Question[Any, Any], record_property: Any
) -> None:
    scores = embedded_scores(question)
    mean = sum(scores) / len(scores)
    record_property("mean", round(mean, 3))
    assert 0.3 < mean < 1.0  # an exam that the rules pass whole leaves nothing to earn
    assert ahead_interval([1.0] * len(scores), scores)[0] > 0, "who knows everything must decide"


@pytest.mark.parametrize("question", EXAMINED, ids=lambda question: question.prompt)
def test_the_scores_that_ship_are_those_of_the_embedded_answers(
    question: Question[Any, Any],
) -> None:
    """After a change of the reader or of items: `python -m scripts.embedded_scores`."""
    known, scores = known_scores(question), embedded_scores(question)
    assert len(known) == len(scores)
    assert sum(known) / len(known) == pytest.approx(sum(scores) / len(scores), abs=0.005)
    row = embedded_row(question, len(scores), None)
    assert row.score is not None and row.low is not None
    assert row.low < row.score or not any(scores)  # nothing is remembered without a model


@pytest.mark.parametrize(
    ("text", "wanted", "found"),
    [
        ("NT$120億元", "120亿", True),
        ("1200億元", "120億", False),
        ("共5.12人", "12人", False),
        ("acquired by", "acqui", True),
        ("reacquired", "acqui", False),
        ("沒有停發千元鈔", "没有停发", True),
        ("3.25 percent", "3", False),
    ],
)
def test_words_are_found_in_either_script_and_not_within_figures(
    text: str, wanted: str, found: bool
) -> None:
    assert has(text, wanted) is found


def test_shares_of_nothing_are_whole() -> None:
    assert share("a", ()) == clean_share("a", ()) == 1.0
    assert share("gold 金价", (("gold",), ("silver", "白银"))) == 0.5


# --- right and wrong answers -------------------------------------------------------------------


def _impression(profile: str, event_type: str, *assets: str) -> Classified:
    return Classified(
        profile=profile, event_type=event_type, assets=assets, confidence=0.5, summary="x"
    )


@pytest.mark.parametrize(
    ("item", "right", "wrong"),
    [
        ("en-trial", ("general", "legal", "Ines Mallory"), ("general", "personnel", "Castelmere")),
        ("zh-depeg", ("crypto", "depeg", "CUSD"), ("general", "market", "美元")),
        ("hant-smalltalk", ("general", "other"), ("crypto", "other", "晚安")),
    ],
)
def test_a_first_impression_is_scored(
    item: str, right: tuple[str, ...], wrong: tuple[str, ...]
) -> None:
    question = classify_message.QUESTION
    assert _score(question, item, _impression(right[0], right[1], *right[2:])) == 1
    assert _score(question, item, _impression(wrong[0], wrong[1], *wrong[2:])) < 0.5


@pytest.mark.parametrize(
    ("item", "words", "tools"),
    [
        ("en-hack", "Fjordbank hack exploit $14 million 黑客 攻击", ("onchain",)),
        ("zh-quake", "青堰县 地震 5.8级 earthquake", ()),
        ("hant-dengue", "鷺津縣 登革熱 dengue outbreak", ()),
    ],
)
def test_tools_and_key_words_are_scored(item: str, words: str, tools: tuple[str, ...]) -> None:
    answer = decide_tools.decide_next_tools
    right = answer(tools=tools, search_keywords=words, reason="x")
    wrong = answer(tools=("price", "macro"), search_keywords="breaking weather", reason="x")
    assert _score(decide_tools.QUESTION, item, right) == pytest.approx(1)
    assert _score(decide_tools.QUESTION, item, wrong) < 0.5


def _plan(*queries: tuple[str, str]) -> Plan:
    return Plan(queries=tuple(PlannedQuery(text=t, language=lang) for t, lang in queries))


@pytest.mark.parametrize(
    ("item", "right"),
    [
        (
            "en-when",
            (("Merrow Steel Tannock Iron takeover", "en"), ("Merrow Steel 收购 Tannock", "zh")),
        ),
        ("zh-dispute", (("云枢交易所 破产", "zh"), ("Yunshu exchange bankruptcy", "en"))),
        ("hant-gap", (("山嵐 M3 續航", "zh"), ("Shanlan M3 range km", "en"))),
    ],
)
def test_a_plan_is_scored(item: str, right: tuple[tuple[str, str], ...]) -> None:
    question = plan_queries.QUESTION
    assert _score(question, item, _plan(*right)) == pytest.approx(1)
    assert _score(question, item, _plan(("cheap flights", "en"))) < 0.5
    tried = _item("search/plan_queries", item).given.get("tried", ())
    if tried:
        assert _score(question, item, _plan(*((text, "zh") for text in tried))) == 0


def _said(text: str, passage: int, quote: str = "") -> Proposed:
    return Proposed(text=text, quotes=(Quoted(passage=passage, quote=quote or text),))


NOVA = "The Nova 6 costs $799 and is available from today."
FORTY = "Storm Ottilie left 40,000 homes in Wexmoor without power, the county said."
FEWER = "Storm Ottilie left 23,000 homes in Wexmoor without power, the grid operator said."
OPENED = "岚州地铁6号线于2026年3月2日开通，全长28公里。"
LIGHTHOUSE = "鷺津燈塔塔高31公尺，燈光射程20浬。"
ALMANAC = "鷺津燈塔塔高27公尺，適合看日出。"


@pytest.mark.parametrize(
    ("item", "right", "wrong"),
    [
        (
            "en-sibling-price",
            Written(sentences=(_said(NOVA, 2),)),
            Written(sentences=(_said("The Orbiq Nova 5 costs $699.", 1), _said(NOVA, 2))),
        ),
        (
            "en-contested",
            Written(
                sentences=(),
                contested=(Dispute(point="homes", sides=(_said(FORTY, 1), _said(FEWER, 2))),),
            ),
            Written(sentences=(_said(FORTY, 1),)),
        ),
        (
            "zh-two-part-missing",
            Written(sentences=(_said(OPENED, 1),), gaps=(Missing(what="总投资", why="未提及"),)),
            Written(sentences=(_said("岚州地铁6号线于2026年3月5日开通。", 1, OPENED),)),
        ),
        (
            "hant-almanac",
            Written(sentences=(_said(LIGHTHOUSE, 1),)),
            Written(sentences=(_said(ALMANAC, 3),)),
        ),
        (
            "hant-nothing",
            Written(sentences=(), gaps=(Missing(what="電話", why="沒有提到"),)),
            Written(sentences=(_said("松埔鄉新任鄉長今天在鄉公所宣誓就職。", 1),)),
        ),
    ],
)
def test_an_answer_is_scored(item: str, right: Written, wrong: Written) -> None:
    assert _score(write_answer.QUESTION, item, right) == 1
    assert _score(write_answer.QUESTION, item, wrong) < 0.5


def test_a_sentence_that_would_not_be_shown_earns_nothing() -> None:
    lie = Written(
        sentences=(_said("The Nova 6 costs $799 in Paris.", 1, "It has a bright screen"),)
    )
    assert _score(write_answer.QUESTION, "en-sibling-price", lie) == 0


def test_a_needless_dispute_costs_half() -> None:
    sides = (_said(LIGHTHOUSE, 1), _said(ALMANAC, 3))
    told = Written(sentences=(_said(LIGHTHOUSE, 1),), contested=(Dispute(point="x", sides=sides),))
    assert _score(write_answer.QUESTION, "hant-almanac", told) == 0.5


def _event(title: str, *passages: int) -> choose_milestones.Event:
    return choose_milestones.Event(passages=passages, title=title)


@pytest.mark.parametrize(
    ("item", "right", "wrong"),
    [
        (
            "en-denied",
            (
                _event("Tollan Motors opened its second plant in Askerby", 1),
                _event("Tollan Motors denied that it would close the Askerby plant", 3, 2),
            ),
            (_event("Tollan Motors will close its Askerby plant", 2), _event("A handsome van", 4)),
        ),
        (
            "zh-delay",
            (
                _event("临川地铁8号线动工", 1),
                _event("临川地铁8号线宣布延期", 2),
                _event("临川地铁8号线开通", 3, 4),
            ),
            (_event("临川地铁8号线开通", 1, 2),),
        ),
        ("hant-nothing", (), (_event("鷺津港有38座碼頭", 1),)),
    ],
)
def test_chosen_milestones_are_scored(item: str, right: Any, wrong: Any) -> None:
    question, chosen = choose_milestones.QUESTION, choose_milestones.Chosen
    assert _score(question, item, chosen(events=right)) == 1
    assert _score(question, item, chosen(events=wrong)) < 0.5


def test_a_title_that_does_not_stand_earns_nothing() -> None:
    chosen = choose_milestones.Chosen(events=(_event("Tollan Motors opened nine plants", 1),))
    honest = choose_milestones.Chosen(events=(_event("Tollan Motors opened its second plant", 1),))
    question = choose_milestones.QUESTION
    assert _score(question, "en-denied", chosen) < _score(question, "en-denied", honest)


def _told(part: write_detail.Part, text: str, passage: int) -> write_detail.Said:
    quote = quoting.Quoted(passage=passage, quote=text)
    return write_detail.Said(part=part, text=text, quotes=(quote,))


def test_a_detail_is_scored_by_what_would_be_shown_in_its_part() -> None:
    question, written = write_detail.QUESTION, write_detail.Written
    facts = (
        _told("fact", "青禾疫苗2022年5月30日獲巴拉圭核准使用。", 1),
        _told("fact", "首批供應50萬劑。", 1),
    )
    figure = write_detail.NamedFigure(text="50萬劑", passage=1, quote="首批供應50萬劑。")
    assert _score(question, "hant-mixed", written(sentences=facts, figures=(figure,))) == 1
    lie = _told("fact", "首批供應50萬劑。", 1).model_copy(update={"text": "首批供應90萬劑。"})
    assert _score(question, "hant-mixed", written(sentences=(lie,))) == 0
    other = _told("fact", "In 2015 the bridge was painted for $2 million.", 2)
    weight = _told(
        "fact",
        "The Ferrow Bridge was closed on 8 March 2022 after a barge with 900 tonnes of gravel hit"
        " its third pillar.",
        1,
    )
    clean = _score(question, "en-bridge", written(sentences=(weight,)))
    assert _score(question, "en-bridge", written(sentences=(weight, other))) == clean / 2
    misplaced = _told("fact", "The barge had lost its engine in the current.", 1)
    placed = _told("context", "The barge had lost its engine in the current.", 1)
    assert _score(question, "en-bridge", written(sentences=(misplaced,))) == 0
    assert _score(question, "en-bridge", written(sentences=(placed,))) > 0


def _stated(text: str, passage: int, quote: str = "") -> Said:
    quoted = quoting.Quoted(passage=passage, quote=quote or text)
    return Said(text=text, quotes=(quoted,))


CLAIMED = _stated(
    "南嶼漁民求償8,600萬元。", 1, "南嶼漁民2015年6月11日控告海潤化工。他們求償8,600萬元。"
)
AWARDED = _stated("一審法院2017年10月20日判海潤化工賠償5,100萬元。", 2)
REJECTED = _stated("二審法院2019年3月7日駁回海潤化工的上訴。", 3)


def test_a_synthesis_is_scored_by_what_would_be_shown() -> None:
    question, overview = write_synthesis.QUESTION, write_synthesis.Overview
    course = (CLAIMED, AWARDED, REJECTED)
    whole = overview(summary=course, insight=(CLAIMED, AWARDED))
    assert _score(question, "hant-court", whole) == 1
    assert _score(question, "hant-court", overview(summary=course)) == pytest.approx(0.6)
    lie = AWARDED.model_copy(update={"text": AWARDED.text.replace("5,100", "9,100")})
    # What belongs together is shown as a whole or not at all.
    broken = overview(summary=course, insight=(CLAIMED, lie))
    assert _score(question, "hant-court", broken) == pytest.approx(0.6)
    assert _score(question, "hant-court", overview(summary=(lie,))) == 0
    other = overview(summary=course, insight=(CLAIMED, REJECTED))
    assert _score(question, "hant-court", other) == pytest.approx(0.8)


def test_where_nothing_joins_the_events_an_insight_costs() -> None:
    question, overview = write_synthesis.QUESTION, write_synthesis.Overview
    course = (
        _stated("桃溪镇2010年2月14日举办灯会。", 1),
        _stated("桃溪镇2013年6月20日修好了老桥。", 2),
        _stated("桃溪镇2018年9月1日启用新小学。", 3),
    )
    assert _score(question, "zh-nothing", overview(summary=course)) == 1
    joined = overview(summary=course, insight=course[:2])
    assert _score(question, "zh-nothing", joined) == pytest.approx(0.6)


def _joined(*links: tuple[int, int, str, int, str]) -> find_links.Joined:
    names = ("cause", "effect", "relation", "passage", "quote")
    rows = [dict(zip(names, each, strict=True)) for each in links]
    return find_links.Joined.model_validate({"links": rows})


NO_CHOICE = (
    "The crack in the wall had left the engineers no choice but to have the villages evacuated."
)
CRASHED = "南站出軌隔天，鐵路局因這起出軌下令全線停駛；去年北站的追撞當時並未停駛。"
RUMOUR = "网传仓库起火导致港务局长被免职。"
LATE = "6月11日的取款导致泰利银行行长6月10日被捕。"
ALMOST = (
    "Orvane denied that the recall of the heaters had led to the closing of its factory in Dunmore."
)


def test_links_are_scored_by_what_would_be_shown() -> None:
    question = find_links.QUESTION
    assert _score(question, "en-dam", _joined((1, 2, "caused", 1, NO_CHOICE))) == 1
    assert _score(question, "en-dam", _joined((1, 2, "enabled", 1, NO_CHOICE))) == 0.5
    assert _score(question, "en-dam", _joined((2, 1, "caused", 1, NO_CHOICE))) == 0
    assert _score(question, "en-dam", _joined((1, 2, "caused", 2, NO_CHOICE))) == 0
    assert _score(question, "hant-twins", _joined((2, 3, "caused", 1, CRASHED))) == 1
    beside = _joined((2, 3, "caused", 1, CRASHED), (1, 3, "caused", 1, CRASHED))
    assert _score(question, "hant-twins", beside) == pytest.approx(2 / 3)
    assert _score(question, "zh-sequence", _joined()) == 1


@pytest.mark.parametrize(
    ("item", "lie"),
    [
        ("zh-rumour", (1, 2, "caused", 1, RUMOUR)),
        ("zh-backwards", (2, 1, "caused", 1, LATE)),
        ("en-denied", (1, 2, "caused", 1, ALMOST)),
        ("en-dam", (1, 3, "enabled", 1, NO_CHOICE)),
    ],
)
def test_a_link_that_is_denied_rumoured_backwards_or_of_another_event_is_not_shown(
    item: str, lie: tuple[int, int, str, int, str]
) -> None:
    right = _item("timeline/find_links", item).expect["links"]
    told = [tuple(each.values()) for each in right]
    assert _score(find_links.QUESTION, item, _joined(*told, lie)) == 1


# --- watches -----------------------------------------------------------------------------------


def _planned(*tasks: tuple[str, ...]) -> plan_watch.Planned:
    return plan_watch.Planned(tasks=tuple(SubTask(task="t", queries=each) for each in tasks))


@pytest.mark.parametrize(
    ("item", "right"),
    [
        (
            "en-strike",
            (
                ("Port Hallem strike", "哈勒姆港 罢工"),
                ("Port Hallem union talks",),
                ("Port Hallem container backlog",),
            ),
        ),
        ("zh-flood", (("青堰 水位 汛情",), ("青堰 转移 安置",), ("青堰 暴雨 预警", "青堰 受灾"))),
        ("hant-fares", (("瀾海捷運 票價 調漲",), ("瀾海捷運 月票",), ("瀾海捷運 議會 審議 實施",))),
    ],
)
def test_the_plan_of_a_watch_is_scored(item: str, right: tuple[tuple[str, ...], ...]) -> None:
    question = plan_watch.QUESTION
    assert _score(question, item, _planned(*right)) == pytest.approx(1)
    nameless = _planned(("latest news",), ("funding 融资 估值",), ("stock 股价 裁员",))
    assert _score(question, item, nameless) < 0.5


def _words(*found: tuple[str, int]) -> suggest_keywords.Suggested:
    words = tuple(suggest_keywords.Suggestion(word=word, passage=n) for word, n in found)
    return suggest_keywords.Suggested(words=words)


@pytest.mark.parametrize(
    ("item", "right", "wrong"),
    [
        ("en-product", (("Lumen Band", 1), ("Carda Labs", 2)), (("Tessen", 3), ("shops", 1))),
        ("zh-case", (("黄启仁", 1), ("立案调查", 1), ("信息披露", 1)), (("医药板块", 3),)),
        ("hant-place", (("白沙澳", 1), ("漁民", 2)), (("沿海", 3), ("海晏風電", 1))),
        ("hant-nothing", (), (("業者", 1),)),
    ],
)
def test_suggested_words_are_scored(item: str, right: Any, wrong: Any) -> None:
    question = suggest_keywords.QUESTION
    assert _score(question, item, _words(*right)) == 1
    assert _score(question, item, _words(*wrong)) == 0


def test_a_word_that_no_page_has_earns_nothing_and_one_that_was_searched_for_neither() -> None:
    question = suggest_keywords.QUESTION
    right = (("Lumen Band", 1), ("Carda Labs", 2))
    assert _score(question, "en-product", _words(*right, ("Halberg case", 1))) == 1
    assert _score(question, "en-product", _words(("price", 1))) == 0
    assert _score(question, "en-product", _words(("Lumen Band", 3))) == 0


def _opposed(*points: tuple[tuple[int, str], ...]) -> find_contradictions.Points:
    sides = quoting.Quoted
    return find_contradictions.Points(
        points=tuple(
            find_contradictions.Point(
                point="x", sides=tuple(sides(passage=n, quote=quote) for n, quote in each)
            )
            for each in points
        )
    )


CHEAP = "The Aurin 5 costs $249 from today, Velmora said."
DEAR = "Velmora's Aurin 5 Pro costs $399."
LOW = "7月3日上午8时，青堰水库水位为152.6米，县水利局说。"
HIGH = "省防汛办通报，7月3日上午8时青堰水库水位为158.1米。"
DECIDED = "松埔半導體已決定在德勒設立新廠，供應鏈人士透露。"
DENIED = "松埔半導體發言人表示，公司並未決定在德勒設立新廠，市場傳聞與事實不符。"


@pytest.mark.parametrize(
    ("item", "right", "wrong"),
    [
        ("en-sibling", (), (((1, CHEAP), (2, DEAR)),)),
        ("zh-figure", (((1, LOW), (2, HIGH)),), (((1, LOW), (3, "青堰县过去24小时降雨90毫米。")),)),
        ("hant-denial", (((1, DECIDED), (2, DENIED)),), ()),
    ],
)
def test_contradictions_are_scored(item: str, right: Any, wrong: Any) -> None:
    question = find_contradictions.QUESTION
    assert _score(question, item, _opposed(*right)) == 1
    assert _score(question, item, _opposed(*wrong)) == 0


def test_an_invented_quote_makes_no_contradiction() -> None:
    question = find_contradictions.QUESTION
    lie = _opposed(((1, LOW), (2, "青堰水库水位为190米。")))
    assert _score(question, "zh-figure", lie) == 0


def _brief(*told: tuple[str, int, str]) -> write_brief.Brief:
    return write_brief.Brief(
        sentences=tuple(
            Said(text=text, quotes=(quoting.Quoted(passage=n, quote=quote),))
            for text, n, quote in told
        )
    )


CUT = "Velmora's Aurin 5 costs $199 from today, down from $249."
RIDERS = "Velmora has 4.2 million users, it said."
QUARTER = "泽远药业一季度净利润3.1亿元。"
RIVAL = "同行康桥制药亏损9,000万元。"
ORDER = "Halden Rail ordered 42 trains for 1.2 billion euros."
CHIEF = "Halden Rail named Olaf Renn chief executive."


def test_a_brief_is_scored_by_what_would_be_shown_in_the_readers_language() -> None:
    question = write_brief.QUESTION
    assert _score(question, "en-price", _brief((CUT, 1, CUT), (RIDERS, 2, RIDERS))) == 1
    late = _score(question, "en-price", _brief((RIDERS, 2, RIDERS), (CUT, 1, CUT)))
    assert late == pytest.approx(0.8)
    lie = CUT.replace("$199", "$99")
    assert _score(question, "en-price", _brief((lie, 1, CUT))) == 0
    own = _brief(
        ("Halden Rail 以12億歐元訂購42列列車。", 1, ORDER),
        ("Halden Rail 任命 Olaf Renn 為執行長。", 2, CHIEF),
    )
    assert _score(question, "hant-foreign", own) == 1
    foreign = _score(question, "hant-foreign", _brief((ORDER, 1, ORDER), (CHIEF, 2, CHIEF)))
    assert foreign < 0.8
    clean = _score(question, "zh-other", _brief((QUARTER, 1, QUARTER)))
    noisy = _score(question, "zh-other", _brief((QUARTER, 1, QUARTER), (RIVAL, 1, RIVAL)))
    assert noisy < clean / 1.5
