"""Laws 1, 2, 5, 6 and 7: what may be written, and what every written thing stands on."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from lab.stubs import Rule, Stubs
from lab.stubs.brain import Prompt, write
from lab.stubs.faults import empty, lying

from groundwire.app import App
from groundwire.errors import NoEvidence
from groundwire.jobs.ask import write_answer
from groundwire.jobs.ask.answer import AskResult
from groundwire.model.result import Sentence
from groundwire.model.run import Run
from tests.laws.house import URL, WHY, WHY_ZH, House, ask, journal, result
from tests.laws.scripted import Model, scripted


def _first(prompt: Prompt) -> dict[str, Any]:
    """Return a true sentence with its quote."""
    drafts: Any = write(prompt, 1)
    return drafts[0]


def _dispute(prompt: Prompt, point: str) -> list[dict[str, Any]]:
    drafts: Any = write(prompt, 2)
    return [{"point": point, "sides": drafts}]


LINK = "https://invented.example/proof"


def _in_sentence(link: str) -> Callable[[Prompt], dict[str, Any]]:
    def say(prompt: Prompt) -> dict[str, Any]:
        true = _first(prompt)
        return {"sentences": [true, {**true, "text": f"{true['text']} {link}"}]}

    return say


def _in_gap(field: str) -> Callable[[Prompt], dict[str, Any]]:
    def say(prompt: Prompt) -> dict[str, Any]:
        gap = {"what": "the date", "why": "not mentioned", field: f"see {LINK}"}
        return {"sentences": [_first(prompt)], "gaps": [gap]}

    return say


def _in_point(prompt: Prompt) -> dict[str, Any]:
    return {"sentences": [_first(prompt)], "contested": _dispute(prompt, f"see {LINK}")}


INVENTIONS = {
    "sentence": _in_sentence(LINK),
    "sentence, no scheme": _in_sentence("invented.example/proof"),
    "sentence, other scheme": _in_sentence("ftp://invented.example/proof"),
    "sentence in a wrong language": lambda prompt: {
        "sentences": [{**_first(prompt), "text": f"详情请见官方公告 {LINK}"}]
    },
    "sentence without quotes": lambda _: {"sentences": [{"text": f"See {LINK}", "quotes": []}]},
    "what is missing": _in_gap("what"),
    "why it is missing": _in_gap("why"),
    "contested point": _in_point,
}


class TestLaw1:
    """No URL comes from a model: it answers with numbers, code fills every link."""

    @pytest.mark.parametrize("lie", ["", "url", "passage", "quote", "injection"])
    async def test_every_link_of_a_result_was_found_by_a_search_and_is_the_stored_pages(
        self, house: House, stubs: Stubs, lie: str
    ) -> None:
        house.stubs, house.model_url = stubs, stubs.url("model")
        stubs.faults(Rule(lying(lie), stub="model"))
        async with house.open() as app:
            run = await ask(app)
            known = await _known_urls(app, run)
            journalled = "".join(event.model_dump_json() for event in await journal(app, run.id))
            await _links_are_stored(app, result(run))
        assert "invented.example" not in json.dumps(run.result) + journalled
        assert set(URL.findall(json.dumps(run.result))) <= known
        assert set(URL.findall(journalled)) <= known

    @pytest.mark.parametrize("where", sorted(INVENTIONS))
    async def test_a_link_that_the_model_invented_is_shown_nowhere(
        self, house: House, where: str
    ) -> None:
        async with scripted(Model(write=INVENTIONS[where])) as model:
            house.model_url = model.url
            async with house.open() as app:
                await app.archive.add_sample()
                run = await ask(app)
                journalled = "".join(
                    event.model_dump_json() for event in await journal(app, run.id)
                )
        assert model.count("write") == 2  # the answer and its repair
        assert "invented" not in json.dumps(run.result) + journalled

    @pytest.mark.parametrize("query", [LINK, "usdc site:invented.example", "www.invented.com usdc"])
    async def test_an_address_in_a_planned_query_is_neither_searched_for_nor_shown(
        self, house: House, query: str
    ) -> None:
        plan = {"queries": [{"text": query, "language": "en"}]}
        async with scripted(Model(plan=lambda _: plan)) as model:
            house.model_url = model.url
            async with house.open() as app:
                await app.archive.add_sample()
                run = await ask(app)
                journalled = "".join(
                    event.model_dump_json() for event in await journal(app, run.id)
                )
                searched = json.dumps(await _searched(app, run))
        assert "invented" not in json.dumps(run.result) + journalled + searched
        assert "usdc" in searched.lower()

    async def test_the_model_sees_numbers_and_no_address(self, house: House) -> None:
        async with scripted() as model:
            house.model_url = model.url
            async with house.open() as app:
                await app.archive.add_sample()
                run = await ask(app)
        hosts = {each.url.split("/")[2] for each in result(run).evidence}
        written = [each for each in model.requests if each.question == "write"]
        assert [number for number, _ in written[0].prompt.passages][:3] == [1, 2, 3]
        assert not [host for host in hosts if host in written[0].body]


async def _searched(app: App, run: Run) -> list[Any]:
    records = await app.store.ledger.records(run.id)
    return [record.request for record in records if "search" in record.request]


async def _known_urls(app: App, run: Run) -> set[str]:
    """List the addresses that searches found and documents are known by."""
    found: set[str] = set()
    for record in await app.store.ledger.records(run.id):
        response = record.response or {}
        found |= {hit["url"] for hit in response.get("hits", [])}
        if "document_id" in response:
            document = await app.store.index.get(response["document_id"])
            assert document is not None
            found.add(document.canonical_url)
    return found


async def _links_are_stored(app: App, found: AskResult) -> None:
    documents = {each.id: each.document_id for each in found.evidence}
    sides = [side for each in found.contested for side in each.sides]
    citations = [c for sentence in (*found.answer, *sides) for c in sentence.citations]
    for citation in citations:
        document = await app.store.index.get(documents[citation.evidence_id])
        assert document is not None
        assert citation.url == document.canonical_url
        assert document.text[citation.start : citation.end] == citation.quote


ENGLISH = "The bank failed on Friday 10 March 2023, far more than the insured $250,000 was at stake"
CHINESE = "2023年3月11日（星期六），市值第二大的稳定币USDC与美元脱锚"
# Question, a real quote, a sentence that stands on it, and sentences that do not.
CLAIMS = {
    "en": (
        WHY,
        ENGLISH,
        "The bank failed on 10 March 2023, with more than $250,000 at stake.",
        [
            "The bank failed on 10 March 2023, with more than $290,000 at stake.",
            "The bank failed on 10 March 2023, with more than $250 million at stake.",
            "The bank failed on 14 March 2023, with more than $250,000 at stake.",
            "Signature Bank failed on 10 March 2023, with more than $250,000 at stake.",
        ],
    ),
    "zh": (
        WHY_ZH,
        CHINESE,
        "2023年3月11日，USDC与美元脱锚。",
        [
            "2023年3月14日，USDC与美元脱锚。",
            "2023年3月11日，USDC与美元脱锚，跌去95%。",
            "2023年3月11日，Tether与美元脱锚。",
        ],
    ),
}
INVENTED = {"en": "The issuer repaid every holder in full.", "zh": "发行方已经全额赔付所有持有者。"}


def _claims(language: str) -> Callable[[Prompt], dict[str, Any]]:
    _, quote, good, bad = CLAIMS[language]

    def say(prompt: Prompt) -> dict[str, Any]:
        number = next(n for n, text in prompt.passages if quote in text)
        real = [{"passage": number, "quote": quote}]
        made_up = [{"passage": number, "quote": INVENTED[language]}]
        sentences = [{"text": text, "quotes": real} for text in (good, *bad)]
        return {"sentences": [*sentences, {"text": INVENTED[language], "quotes": made_up}]}

    return say


@pytest.mark.parametrize("language", ["en", "zh"])
class TestLaw2:
    """Quote or drop."""

    async def test_what_no_quote_carries_stands_apart_with_its_reason(
        self, house: House, language: str
    ) -> None:
        question, quote, good, bad = CLAIMS[language]
        found = await _answer(house, question, Model(write=_claims(language)))
        assert [each.text for each in found.answer] == [good]
        assert found.answer[0].citations[0].quote == quote
        assert [each.text for each in found.unsupported] == [*bad, INVENTED[language]]
        assert all(each.problems for each in found.unsupported)
        assert found.checks.supported == 1
        assert found.checks.unsupported == len(bad) + 1

    async def test_strict_leaves_it_out_and_counts_it(self, house: House, language: str) -> None:
        question, _, good, bad = CLAIMS[language]
        found = await _answer(house, question, Model(write=_claims(language)), strict=True)
        shown = found.model_dump_json()
        assert [each.text for each in found.answer] == [good]
        assert not [text for text in (*bad, INVENTED[language]) if text in shown]
        assert (found.unsupported, found.checks.dropped) == ((), len(bad) + 1)

    async def test_every_shown_quote_stands_in_the_stored_text(
        self, house: House, language: str
    ) -> None:
        async with house.open() as app:
            await app.archive.add_sample()
            found = result(await ask(app, CLAIMS[language][0]))
            await _links_are_stored(app, found)
        assert found.answer


async def _answer(house: House, question: str, script: Model, **given: Any) -> AskResult:
    async with scripted(script) as model:
        house.model_url = model.url
        async with house.open(**{"ask.pages": 20}) as app:
            await app.archive.add_sample()
            return result(await ask(app, question, **given))


class TestLaw5:
    """No evidence, no writing."""

    @pytest.mark.parametrize("answered_by", ["embedded", "model"])
    def test_a_question_without_passages_raises(self, answered_by: str) -> None:
        given = write_answer.WriteInput(
            question=WHY, language="en", today="2026-11-16", max_sentences=8, passages=()
        )
        with pytest.raises(NoEvidence):
            if answered_by == "embedded":
                write_answer.QUESTION.embedded(given)
            else:
                write_answer.QUESTION.variables(given, "5eed")

    async def test_nothing_found_asks_no_writer_and_says_what_is_missing(
        self, house: House, stubs: Stubs
    ) -> None:
        stubs.faults(Rule(empty(), stub="tavily"))
        async with scripted() as model:
            house.stubs, house.model_url = stubs, model.url
            async with house.open() as app:
                run = await ask(app)
        found = result(run)
        assert (model.count("plan"), model.count("write")) == (1, 0)
        assert (found.answer, found.unsupported, found.contested) == ((), (), ())
        assert [(gap.what, gap.why) for gap in found.gaps] == [(WHY, "gap.nothing_found")]


class TestLaw7:
    """Corroboration counts independent origins, not links."""

    async def test_wire_copies_are_one_origin_and_quoted_once(self, house: House) -> None:
        async with house.open(**{"ask.pages": 20, "ask.queries": 5}) as app:
            await app.archive.add_sample()
            run = await ask(app, "How much of its reserves did Circle hold at Silicon Valley Bank?")
        found = result(run)
        origin = {each.id: each.origin_id for each in found.evidence}
        lineage = [line for each in found.origins for line in each.lineage]
        copies = [line for line in lineage if line.how == "wire copy of"]
        assert copies
        for line in copies:
            assert origin[line.evidence_id] == origin[line.of]
        assert len(found.origins) < len(found.evidence)
        assert {each.id for each in found.origins} == set(origin.values())
        for sentence in found.answer:
            assert _origins_once(sentence, origin)


def _origins_once(sentence: Sentence, origin: dict[str, str]) -> bool:
    cited = [origin[each.evidence_id] for each in sentence.citations]
    return len(cited) == len(set(cited))
