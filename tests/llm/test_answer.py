"""The ladder: call, check, one repair, next model, typed failures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import httpx2
import pytest
from pydantic import BaseModel
from tests.llm.server import Server, chat

from groundwire.errors import AuthRejected, BudgetReached, OutsideFailure, Timeout
from groundwire.llm.answer import Answered, Unanswered, answer, wrong_language
from groundwire.llm.model import ModelCall, send
from groundwire.llm.prompts import load, render
from groundwire.llm.spec import ModelSpec
from groundwire.llm.tiers import parse
from groundwire.model.base import Json, JsonObject, fingerprint
from groundwire.model.phrase import Phrase, phrase

A, B = parse("openai:a"), parse("deepseek:b")
RENDERED = render(
    load("search/plan_queries", "en"),
    {"question": "q", "language": "en", "today": "2026-11-16", "max_queries": "4", "earlier": ""},
)


class Quote(BaseModel):
    passage: int
    quote: str


class Output(BaseModel):
    text: str
    quotes: tuple[Quote, ...] = ()
    words: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    aside: str | None = None
    kind: Literal["plain and simple fact of the matter"] | None = None


class Gateway:
    """Replies in order and records the calls. An exception in the list is raised."""

    def __init__(self, *replies: Json | OutsideFailure) -> None:
        self.replies = list(replies)
        self.calls: list[tuple[str, str, ModelCall]] = []

    async def __call__(self, spec: ModelSpec, request: JsonObject, occasion: str) -> JsonObject:
        self.calls.append((spec.label, occasion, ModelCall.read(request)))
        reply = self.replies.pop(0)
        if isinstance(reply, OutsideFailure):
            raise reply
        return {"output": reply, "usage": {}, "finish": "stop", "model": "m"}


async def ask(
    gateway: Gateway,
    *models: ModelSpec,
    language: str = "en",
    check: Callable[[Output], Phrase | None] = lambda _answer: None,
    most: int | None = None,
) -> Answered[Output] | Unanswered:
    return await answer(
        models,
        RENDERED,
        Output,
        call=gateway,
        occasion="r1",
        language=language,
        check=check,
        prose=lambda output: output.text,
        most=most,
    )


GOOD: Json = {"text": "It held its peg."}
BAD: Json = {"txt": "no"}


async def test_a_good_answer_takes_one_call() -> None:
    gateway = Gateway(GOOD)
    found = await ask(gateway, A, B)
    assert found == Answered(Output(text="It held its peg."), "openai:a")
    [(model, occasion, call)] = gateway.calls
    assert (model, occasion) == ("openai:a", "r1")
    assert ("openai:a", RENDERED.prompt, RENDERED.sha256) == (
        call.model,
        call.prompt,
        call.prompt_sha256,
    )


@pytest.mark.parametrize(
    "output", ['{"text": "Yes."}', '```json\n{"text": "Yes."}\n```', '```\n{"text": "Yes."}```']
)
async def test_text_is_read_as_json_with_a_fence_taken_off(output: str) -> None:
    found = await ask(Gateway(output), A)
    assert isinstance(found, Answered) and found.value.text == "Yes."


@pytest.mark.parametrize(
    "output",
    ["no json", 'Sure! {"text": "Yes."}', '{"text": "Yes."', "[1]", None, [1], 3, BAD, {"text": 1},
     "[" * 100_000, '{"text": "\\ud800"}'],
)  # fmt: skip
async def test_nothing_else_is_mended_but_repaired_by_one_new_call(output: Json) -> None:
    gateway = Gateway(output, GOOD)
    found = await ask(gateway, A)
    assert isinstance(found, Answered)
    assert [occasion for _, occasion, _ in gateway.calls] == ["r1", "r1:repair"]
    first, second = (call for _, _, call in gateway.calls)
    assert second.user.startswith(first.user) and first.user != second.user
    assert f"{RENDERED.prompt}+llm/repair@1" == second.prompt
    assert fingerprint(first.request()) != fingerprint(second.request())


async def test_the_repair_shows_the_complaint_and_the_answer() -> None:
    gateway = Gateway(BAD, GOOD)
    await ask(gateway, A)
    assert "text: Field required" in gateway.calls[1][2].user
    assert '{"txt":"no"}' in gateway.calls[1][2].user


async def test_a_second_bad_answer_goes_to_the_next_model() -> None:
    gateway = Gateway(BAD, BAD, GOOD)
    found = await ask(gateway, A, B)
    assert isinstance(found, Answered)
    assert found.model == "deepseek:b"
    assert [(each.model, each.code) for each in found.failures] == [("openai:a", "bad_output")]
    assert [occasion for _, occasion, _ in gateway.calls] == ["r1", "r1:repair", "r1"]


async def test_an_outside_failure_goes_to_the_next_model_without_a_repair() -> None:
    gateway = Gateway(Timeout(), GOOD)
    found = await ask(gateway, A, B)
    assert isinstance(found, Answered) and [each.code for each in found.failures] == ["timeout"]
    assert [occasion for _, occasion, _ in gateway.calls] == ["r1", "r1"]


async def test_when_all_fail_the_failures_are_typed() -> None:
    found = await ask(Gateway(AuthRejected("key invalid"), BAD, BudgetReached()), A, B)
    assert isinstance(found, Unanswered)
    assert [(each.model, each.code) for each in found.failures] == [
        ("openai:a", "auth"),
        ("deepseek:b", "quota"),
    ]
    assert Unanswered(()) == await ask(Gateway())


@pytest.mark.parametrize(
    ("most", "asked"),
    [(None, "aabbaa"), (4, "aabb"), (3, "aab"), (1, "a")],
)
async def test_a_question_takes_no_more_requests_than_it_may(most: int | None, asked: str) -> None:
    gateway = Gateway(*[{"wrong": 1}] * 6)
    found = await ask(gateway, A, B, A, most=most)
    assert isinstance(found, Unanswered)
    assert "".join(label[-1] for label, _, _ in gateway.calls) == asked


async def test_a_check_can_complain_about_a_well_formed_answer() -> None:
    gateway = Gateway(GOOD, {"text": "It fell."})
    found = await ask(
        gateway, A, check=lambda answer: phrase("too rosy") if "held" in answer.text else None
    )
    assert isinstance(found, Answered) and found.value.text == "It fell."
    assert "too rosy" in gateway.calls[1][2].user
    lost = await ask(Gateway(GOOD, GOOD), A, check=lambda _: phrase("never"))
    assert isinstance(lost, Unanswered) and [x.code for x in lost.failures] == ["failed_check"]


async def test_an_answer_in_another_language_is_repaired_in_the_right_one() -> None:
    gateway = Gateway({"text": "USDC lost its peg in March."}, {"text": "USDC 在三月脱锚。"})
    found = await ask(gateway, A, language="zh")
    assert isinstance(found, Answered)
    assert "你上一次的回答无法使用" in gateway.calls[1][2].user
    lost = await ask(Gateway({"text": "脱锚了一次"}, {"text": "脱锚了一次"}), A)
    assert isinstance(lost, Unanswered) and [x.code for x in lost.failures] == ["wrong_language"]


@pytest.mark.parametrize(
    ("text", "language", "fits"),
    [
        ("USDC 于2023年3月11日一度跌至0.87美元。", "zh", True),
        ("穩定幣一度脫錨。", "zh", True),
        ("穩定幣一度脫錨。", "zh-Hant", True),
        # Names in Latin letters do not make a Chinese sentence English.
        ("Circle 表示 Silicon Valley Bank 持有其 33 亿美元储备。", "zh", True),
        ("Circle CEO Jeremy Allaire 在 X 上发文", "zh", True),
        ("Circle said that 33 亿 was held.", "zh", False),
        ("The Fed (美联储) and Caixin (财新) reported the same.", "en", True),
        ("美联储加息25个基点", "en", False),
        ("ビットコインが上昇したと発表した", "zh", False),
        ("Биткоин вырос сегодня утром снова", "en", False),
        # Too little to tell.
        ("USDC", "zh", True),
        ("脱锚", "en", True),
        ("2023-03-11", "zh", True),
        ("", "zh", True),
    ],
)
def test_the_lock_goes_by_the_share_of_each_script(text: str, language: str, fits: bool) -> None:
    assert (None if fits else text) == wrong_language([text], language)


async def test_a_question_can_say_itself_which_texts_are_locked() -> None:
    gateway = Gateway({"text": "All of this is English.", "notes": ["这一段是中文写的"]})
    found = await answer(
        [A], RENDERED, Output, call=gateway, occasion="r1", language="zh",
        prose=lambda output: "\n".join(output.notes), check=lambda _answer: None,
    )  # fmt: skip
    assert isinstance(found, Answered)
    assert len(gateway.calls) == 1


async def test_the_ladder_stands_on_real_exchanges(
    server: Server, client: httpx2.AsyncClient, spec: ModelSpec
) -> None:
    """First model: 500; second: bad, then repaired. Three requests in all."""
    server.replies = [
        chat(text="x", finish="length"),
        chat(arguments='{"text": 1}', tool="Said"),
        chat(arguments='{"text": "It held."}', tool="Said"),
    ]

    async def call(spec: ModelSpec, request: JsonObject, occasion: str) -> JsonObject:
        sent = await send(spec, request, client=client, idempotency_key=occasion)
        return sent.response()

    second = spec.model_copy(update={"name": "other"})
    found = await answer(
        [spec, second],
        RENDERED,
        Output,
        call=call,
        occasion="r1",
        language="en",
        check=lambda _answer: None,
        prose=lambda output: output.text,
    )
    assert isinstance(found, Answered)
    assert (found.value.text, found.model) == ("It held.", "openai:other")
    assert [each.code for each in found.failures] == ["malformed"]
    assert [got.headers["idempotency-key"] for got in server.received] == ["r1", "r1", "r1:repair"]


class Strict(BaseModel, extra="forbid"):
    text: str


async def test_a_name_of_the_models_making_is_not_repeated_to_people() -> None:
    """Law 1: a failure is shown, and a field that nobody asked for can be called anything."""
    bad: Json = {"https://evil.example/x": 1, "请访问evil": 2, "note": 3}
    found = await answer(
        [A], RENDERED, Strict, call=Gateway(bad, bad), occasion="r1", language="en",
        check=lambda _answer: None, prose=lambda output: output.text,
    )  # fmt: skip
    assert isinstance(found, Unanswered)
    [failure] = found.failures
    assert "evil" not in failure.message
    assert failure.message == "fault.form"
    assert "evil" not in str(failure.params)
