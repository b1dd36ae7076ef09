"""The reader of adjustable skill: right by its key, wrong at its rate on the same items, always in form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx2
import pytest
from lab.stubs import running_stubs
from lab.stubs.faults import Fault, malformed, rate_limited, refusal, wrong_schema
from lab.stubs.keys import Keys, MessageKey, PageKey, PageReading, QuestionKey
from lab.stubs.models import ModelRequest, compose
from lab.stubs.passages import claims_meant
from lab.stubs.reader import Reader, ReaderOptions
from lab.stubs.skill import Skill

from groundwire.jobs import examined
from groundwire.jobs.ask import write_answer
from groundwire.jobs.verify import (
    classify_message,
    decide_tools,
    extract_claims,
    read_again,
    weigh_message,
)
from groundwire.llm.prompts import load, render
from groundwire.model.source import NumberedPassage
from groundwire.reasoning import plan_queries
from groundwire.reasoning.exam import paper
from groundwire.reasoning.question import Question

SEED = "5eed" * 8
MESSAGE = "Norvik Bank closed 12 branches in Oslo on Monday and fired its chief executive."
CLAIMS = (
    "Norvik Bank closed 12 branches in Oslo on Monday",
    "Norvik Bank fired its chief executive",
)
PAGES = (
    PageKey(
        title="Norvik closes branches",
        text="Norvik Bank shut a dozen Oslo branches on Monday. Its chief executive stays, it said.",
        readings=(
            PageReading(claim=1, stance="supports", quote="shut a dozen Oslo branches on Monday"),
            PageReading(claim=2, stance="contradicts", quote="Its chief executive stays, it said."),
        ),
    ),
    PageKey(
        title="Talk of a change at Norvik",
        text="Somebody on a forum writes that the chief executive of Norvik Bank was fired.",
        readings=(PageReading(claim=2, stance="rumour", quote="was fired"),),
    ),
    PageKey(
        title="Weather in Oslo",
        text="It rained in Oslo on Monday. Trams stood still.",
        readings=(PageReading(claim=1, stance="unrelated"),),
    ),
)
ZH = "诺维克银行周一关闭了奥斯陆的12家分行。"
HANT = "諾維克銀行週一關閉了奧斯陸的12家分行。"
ASKED = "How many branches did Norvik Bank close?"
KEYS = Keys(
    [
        MessageKey(
            message=MESSAGE,
            event_type=("corporate",),
            assets=(("Norvik Bank", "Norvik"),),
            claims=CLAIMS,
            pages=PAGES,
        ),
        MessageKey(message=ZH, event_type=("corporate",), claims=(ZH.rstrip("。"),)),
        MessageKey(message=HANT, event_type=("corporate",), claims=(HANT.rstrip("。"),)),
        MessageKey(message="Good morning everybody", claims=()),
    ],
    [
        QuestionKey(
            question=ASKED,
            words=(("Norvik",), ("branches", "分行")),
            languages=("zh", "en"),
            facts=(("a dozen", "12"),),
            first=("a dozen",),
            never=("40",),
        )
    ],
)


def reader(skill: float = 1.0, seed: int = 0, keys: Keys = KEYS) -> Reader:
    return Reader(keys, Skill(skill, seed))


def passage(number: int, page: PageKey) -> NumberedPassage:
    names = {"passage_id": f"p{number}", "evidence_id": f"e{number}", "origin_id": f"o{number}"}
    return NumberedPassage(
        number=number,
        **names,
        title=page.title,
        publisher="P",
        date="2025-06-03",
        language="en",
        tier="trade",
        flags=(),
        relevance=0.5,
        text=page.text,
    )


def answer_of(
    question: Question[Any, Any], given: Any, who: Reader, fault: Fault | None = None
) -> Any:
    """Parse the reader's answer as the question's own output, which refuses a wrong form."""
    rendered = render(load(question.prompt, "en"), question.variables(given, SEED))
    schema = question.output.model_json_schema()
    request = ModelRequest([rendered.user], [rendered.system, rendered.user], None, schema)
    draft = compose(request, fault, who)
    assert draft.text is not None
    return question.output.model_validate_json(draft.text)


def weigh_input(*pages: PageKey) -> weigh_message.WeighInput:
    shown = enumerate(pages or PAGES, start=1)
    return weigh_message.WeighInput(
        message=MESSAGE,
        language="en",
        claims=CLAIMS,
        passages=tuple(weigh_message.ShownPassage(passage=passage(n, each)) for n, each in shown),
    )


def decide_input(**more: Any) -> decide_tools.DecideInput:
    values = {
        "message": MESSAGE,
        "language": "en",
        "event_type": "corporate",
        "allowed": ("search",),
    }
    return decide_tools.DecideInput(**{**values, **more})


def test_a_perfect_reader_gives_the_stances_and_words_of_the_key() -> None:
    given = weigh_input()
    found = answer_of(weigh_message.QUESTION, given, reader())
    assert [(each.passage, each.claim, each.stance, each.quote) for each in found.stances] == [
        (1, 1, "supports", "shut a dozen Oslo branches on Monday"),
        (1, 2, "contradicts", "Its chief executive stays, it said."),
        (2, 2, "rumour", "was fired"),
        (3, 1, "unrelated", ""),
    ]
    assert weigh_message.QUESTION.fault_of(given, found) is None


def test_a_passage_without_the_words_of_its_page_shows_nothing() -> None:
    cut = PageKey(title=PAGES[0].title, text="Its chief executive stays, it said.")
    found = answer_of(weigh_message.QUESTION, weigh_input(cut), reader())
    assert [(each.claim, each.stance) for each in found.stances] == [(2, "contradicts")]


def test_words_of_the_headline_are_told_by_a_sentence_of_the_passage() -> None:
    page = PageKey(
        title="Bank in Oslo closed",
        text="Nothing moved at the counters. More soon.",
        readings=(PageReading(stance="supports", quote="Bank in Oslo closed"),),
    )
    keys = Keys([MessageKey(message=MESSAGE, claims=CLAIMS, pages=(page,))])
    given = weigh_input(page)
    found = answer_of(weigh_message.QUESTION, given, reader(keys=keys))
    assert [(each.claim, each.stance) for each in found.stances] == [(1, "supports")]
    assert weigh_message.QUESTION.fault_of(given, found) is None


def test_what_is_read_again_is_read_pair_by_pair() -> None:
    first = weigh_message.Weighed(passage=1, claim=2, stance="supports", quote="stays")
    disputed = read_again.Disputed(passage=passage(1, PAGES[0]), model=first, rules=first)
    given = read_again.AgainInput(
        message=MESSAGE, language="en", claims=CLAIMS, disputed=(disputed,)
    )
    found = answer_of(read_again.QUESTION, given, reader())
    assert [(each.passage, each.claim, each.stance) for each in found.stances] == [
        (1, 2, "contradicts")
    ]
    assert read_again.QUESTION.fault_of(given, found) is None


@pytest.mark.parametrize(
    ("message", "claims"),
    [
        (MESSAGE, CLAIMS),
        (ZH, (ZH.rstrip("。"),)),
        (HANT, (HANT.rstrip("。"),)),
        ("Good morning everybody", ()),
    ],
)
def test_claims_are_those_of_the_key_and_half_of_them_when_wrong(
    message: str, claims: tuple[str, ...]
) -> None:
    given = extract_claims.ClaimsInput(message=message, language="en")
    assert answer_of(extract_claims.QUESTION, given, reader()).claims == claims
    wrong = answer_of(extract_claims.QUESTION, given, reader(0.0)).claims
    assert wrong != claims
    assert len(wrong) == 1


@pytest.mark.parametrize("message", [MESSAGE, ZH, HANT])
def test_the_event_type_is_that_of_the_key_and_another_of_its_profile_when_wrong(
    message: str,
) -> None:
    given = classify_message.ClassifyInput(message=message, language="en")
    right = answer_of(classify_message.QUESTION, given, reader())
    wrong = answer_of(classify_message.QUESTION, given, reader(0.0))
    assert (right.profile, right.event_type) == ("general", "corporate")
    assert wrong.event_type != "corporate"
    for found in (right, wrong):
        assert classify_message.QUESTION.fault_of(given, found) is None


def test_key_words_find_the_pages_and_lack_the_main_name_when_wrong() -> None:
    right = answer_of(decide_tools.QUESTION, decide_input(), reader())
    assert right.tools == ("search",)
    assert {"Norvik", "branches", "Talk"} <= set(right.search_keywords.split())
    wrong = answer_of(decide_tools.QUESTION, decide_input(), reader(0.0))
    assert wrong.tools == ()
    assert "Norvik" not in wrong.search_keywords
    later = answer_of(decide_tools.QUESTION, decide_input(round=2), reader())
    assert later.tools == ()


def test_queries_hold_the_words_of_the_key_in_both_languages() -> None:
    given = plan_queries.PlanInput(question=ASKED, language="en", today="2025-06-03", max_queries=4)
    right = answer_of(plan_queries.QUESTION, given, reader())
    assert [(each.text, each.language) for each in right.queries] == [
        ("Norvik 分行", "zh"),
        ("Norvik branches", "en"),
    ]
    wrong = answer_of(plan_queries.QUESTION, given, reader(0.0))
    assert all("Norvik" not in each.text for each in wrong.queries)


def test_an_answer_is_a_sentence_with_the_fact_and_a_false_one_when_wrong() -> None:
    given = write_answer.WriteInput(
        question=ASKED,
        language="en",
        today="2025-06-03",
        max_sentences=4,
        passages=(passage(1, PAGES[2]), passage(2, PAGES[0])),
    )
    right = answer_of(write_answer.QUESTION, given, reader())
    said = "Norvik Bank shut a dozen Oslo branches on Monday."
    assert [(each.text, each.quotes[0].passage) for each in right.sentences] == [(said, 2)]
    wrong = answer_of(write_answer.QUESTION, given, reader(0.0))
    assert [each.text for each in wrong.sentences] == [f"It is not true that {said}"]
    for found in (right, wrong):
        assert write_answer.QUESTION.fault_of(given, found) is None


def test_it_errs_at_its_rate_on_the_same_items_every_time() -> None:
    items = [f"item {number}" for number in range(500)]
    skill = Skill(0.8)
    wrong = [item for item in items if skill.errs("weigh_message", item)]
    assert len(wrong) == 113
    assert wrong == [item for item in items if Skill(0.8).errs("weigh_message", item)]
    assert wrong != [item for item in items if skill.errs("read_again", item)]
    assert wrong != [item for item in items if Skill(0.8, seed=1).errs("weigh_message", item)]
    # Whoever is better errs on nothing that the worse one has right.
    assert {item for item in items if Skill(0.9).errs("weigh_message", item)} < set(wrong)
    assert not any(Skill(1.0).errs("weigh_message", item) for item in items)
    assert all(Skill(0.0).errs("weigh_message", item) for item in items)


def exam_score(question: Question[Any, Any], skill: float) -> float:
    """Return the reader's mean over the items of an exam; an answer out of form raises."""
    exam = question.exam
    assert exam is not None
    who = ReaderOptions(skill=skill).open()
    scores: list[float] = []
    for item in paper(exam.items).items:
        given = exam.read(item.given)
        scores.append(exam.score(given, answer_of(question, given, who), item.expect))
    return sum(scores) / len(scores)


@pytest.mark.parametrize("question", examined(), ids=lambda each: each.prompt)
def test_every_exam_is_answered_in_form_and_the_better_the_skill_the_better(
    question: Question[Any, Any],
) -> None:
    perfect, good, bad = (exam_score(question, skill) for skill in (1.0, 0.8, 0.0))
    assert perfect == 1.0 > good > bad


def test_a_claim_that_includes_others_means_all_of_them() -> None:
    assert claims_meant(CLAIMS[1], CLAIMS) == [2]
    assert claims_meant(MESSAGE, CLAIMS) == [1, 2]
    assert claims_meant("the chief executive", CLAIMS) == [2]
    found = answer_of(
        weigh_message.QUESTION,
        weigh_input(PAGES[0]).model_copy(update={"claims": (MESSAGE,)}),
        reader(),
    )
    assert [each.stance for each in found.stances] == ["contradicts"]


def test_without_a_key_it_answers_as_the_plain_stub() -> None:
    given = classify_message.ClassifyInput(message="$NOVA bridge hacked on-chain", language="en")
    nobody = reader(keys=Keys())
    assert answer_of(classify_message.QUESTION, given, nobody).event_type == "hack"


def package(folder: Path) -> Path:
    """Write one exam item of a package."""
    item = {
        "id": "one",
        "language": "en",
        "given": {"message": MESSAGE, "language": "en"},
        "expect": {"claims": CLAIMS},
    }
    exams = folder / "exams"
    exams.mkdir()
    (exams / "extract_claims.jsonl").write_text(json.dumps(item), encoding="utf-8")
    return folder


def test_it_serves_on_loopback_and_misbehaves_on_demand(tmp_path: Path) -> None:
    given = extract_claims.ClaimsInput(message=MESSAGE, language="en")
    question = extract_claims.QUESTION
    rendered = render(load(question.prompt, "en"), question.variables(given, SEED))
    schema = {"name": "answer", "schema": question.output.model_json_schema()}
    body = {
        "model": "reader",
        "messages": [{"role": "user", "content": rendered.user}],
        "response_format": {"type": "json_schema", "json_schema": schema},
    }
    options = ReaderOptions(skill=1.0, exams=package(tmp_path))
    with running_stubs("model", reader=options) as stubs, httpx2.Client(trust_env=False) as http:

        def asked() -> httpx2.Response:
            return http.post(f"{stubs.url('model')}/chat/completions", json=body)

        def content() -> Any:
            return json.loads(asked().json()["choices"][0]["message"]["content"])

        assert content() == {"claims": list(CLAIMS)}
        stubs.faults(rate_limited(3))
        assert (asked().status_code, asked().headers["retry-after"]) == (429, "3")
        stubs.faults(malformed())
        with pytest.raises(UnicodeDecodeError):
            asked().json()
        stubs.faults(wrong_schema())
        assert "claims" not in content()
        stubs.faults(refusal())
        assert asked().json()["choices"][0]["message"]["refusal"]
