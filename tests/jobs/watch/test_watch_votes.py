"""What a model may change in a watch: a decider within what code checks, an adviser less, a liar nothing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from lab.evaluation.sitting import READER_SETTINGS
from lab.stubs.brain import Prompt, Schema, fit_fields
from lab.stubs.models import Model
from lab.stubs.passages import passages_in
from lab.stubs.reader import Reader, ReaderOptions
from lab.stubs.terms import Json, sentences
from tests.jobs.watch.watch_world import FIRST, WatchWorld, desk, page, watch

from groundwire.errors import NoEvidence
from groundwire.evidence.citations.checker import check
from groundwire.gather.weighing import sentence_of
from groundwire.jobs.watch import (
    brief,
    disputes,
    expanding,
    suggest_keywords,
    write_brief,
)
from groundwire.jobs.watch.find_contradictions import Point, Points
from groundwire.jobs.watch.ledger.claims import Today
from groundwire.jobs.watch.ledger.comparison import compare
from groundwire.jobs.watch.result import Keyword, WatchResult
from groundwire.model.result import Contested, Sentence
from groundwire.reasoning.exam_pages import ExamPage, numbered, places
from groundwire.reasoning.question import EMBEDDED, Answer, Vote
from groundwire.reasoning.quoting import Places, Quoted

DECIDER = "openai:reader"
WATCHED = ("plan_watch", "suggest_keywords", "find_contradictions", "write_brief")


# --- words ---------------------------------------------------------------------------------------

LUMEN = ExamPage(title="A watch", text="Velmora will show the Lumen Band. The weather was fine.")


def suggested(vote: Vote, by: str = DECIDER) -> list[Keyword]:
    shown = numbered(LUMEN, 1)
    given = suggest_keywords.SuggestInput(
        command="Monitor Velmora",
        subject="Velmora",
        language="en",
        tried=("Velmora watch",),
        counted=("weather",),
        passages=(shown,),
    )
    words = ("Lumen Band", "Orbit 4", "watch", "The")
    value = suggest_keywords.Suggested(
        words=tuple(suggest_keywords.Suggestion(word=each, passage=1) for each in words)
    )
    counted = [Keyword(word="weather", found_in=shown.evidence_id, score=0.4)]
    return expanding.merged(counted, Answer(value, by, vote=vote), given)


def test_the_words_of_a_decider_are_searched_for_alone_and_only_those_of_the_pages() -> None:
    assert [each.word for each in suggested("decides")] == ["Lumen Band"]
    assert suggested("decides")[0].by == DECIDER


def test_an_adviser_adds_words_behind_those_that_code_counts() -> None:
    assert [each.word for each in suggested("advises")] == ["weather", "Lumen Band"]


# --- contradictions ------------------------------------------------------------------------------

HOMES = (
    "Storm Ottilie left 40,000 homes in Wexmoor without power, the county said.",
    "Storm Ottilie left 23,000 homes in Wexmoor without power, Northgrid said.",
    "About 40,000 homes in Wexmoor are without power because of storm Ottilie.",
    "Storm Ottilie reached gusts of 140 kilometres an hour.",
)
SUBJECTS = {
    "en": HOMES,
    "zh": (
        "青堰水库7月3日上午8时水位为152.6米，县水利局说。",
        "青堰水库7月3日上午8时水位为158.1米，省防汛办说。",
        "青堰水库7月3日上午8时水位为152.6米。",
        "青堰县过去24小时降雨90毫米。",
    ),
    "zh-Hant": (
        "鷺津港貨櫃輪火災造成7名船員受傷，消防局表示。",
        "鷺津港貨櫃輪火災造成15名船員受傷，港務公司表示。",
        "鷺津港貨櫃輪火災造成7名船員受傷。",
        "鷺津港今年有38座碼頭。",
    ),
}


def told(
    vote: Vote, texts: tuple[str, ...], *pairs: tuple[int, int], point: str = "x"
) -> list[set[str]]:
    """Return the sides of the contradictions that count, where a model sets these passages beside each other."""
    shown = [numbered(ExamPage(title="", text=each), n) for n, each in enumerate(texts, 1)]
    points = tuple(
        Point(
            point=point,
            sides=tuple(Quoted(passage=n, quote=texts[n - 1]) for n in pair),
        )
        for pair in pairs
    )
    found = disputes.counted(
        (), Answer(Points(points=points), DECIDER, vote=vote), places(shown), ""
    )
    return [{side.text for side in each.sides} for each in found]


def dated(texts: Sequence[str]) -> Places:
    """Make a page of each text, all of one day."""
    pages = (ExamPage(title="", text=each, published="2026-07-02") for each in texts)
    return places([numbered(each, n) for n, each in enumerate(pages, 1)])


def contested(names: Sequence[str], texts: Sequence[str]) -> tuple[Contested, ...]:
    """Return what the ledger holds as contested when it reads these texts."""
    pages = tuple(each for each, _ in dated(texts).values())
    today = Today(names=tuple(names), at=datetime(2026, 7, 3, tzinfo=UTC), pages=pages)
    return disputes.of_claims(compare(None, today).ledger.claims)


@pytest.mark.parametrize("language", SUBJECTS)
def test_an_adviser_adds_what_code_reads_as_against_each_other_too(language: str) -> None:
    texts = SUBJECTS[language]
    assert told("advises", texts, (1, 2)) == [{texts[0], texts[1]}]
    assert told("advises", texts, (1, 4)) == []


@pytest.mark.parametrize("language", SUBJECTS)
def test_no_decider_sets_what_says_the_same_against_each_other(language: str) -> None:
    texts = SUBJECTS[language]
    assert told("decides", texts, (1, 2)) == [{texts[0], texts[1]}]
    assert told("decides", (texts[2], texts[2]), (1, 2)) == []


def test_an_invented_quote_is_no_side_and_an_invented_figure_no_title() -> None:
    shown = [numbered(ExamPage(title="", text=each), n) for n, each in enumerate(HOMES, 1)]
    sides = (Quoted(passage=1, quote="The county lied."), Quoted(passage=2, quote=HOMES[1]))
    lie = Points(points=(Point(point="x", sides=sides),))
    assert disputes.counted((), Answer(lie, DECIDER, vote="decides"), places(shown), "") == ()
    sides = (Quoted(passage=1, quote=HOMES[0]), Quoted(passage=2, quote=HOMES[1]))
    named = Points(points=(Point(point="90,000 homes burnt", sides=sides),))
    (found,) = disputes.counted((), Answer(named, DECIDER, vote="decides"), places(shown), "")
    assert found.point == "watch.point.account"


@pytest.mark.parametrize("vote", ["decides", "advises"])
def test_what_the_ledger_holds_as_contested_stands_whatever_a_model_passes_over(vote: Vote) -> None:
    pages = dated(HOMES[:2])
    own = contested(["Storm Ottilie"], HOMES[:2])
    assert [{side.text for side in each.sides} for each in own] == [{HOMES[0], HOMES[1]}]
    nothing = Answer(Points(points=()), DECIDER, vote=vote)
    assert disputes.counted(own, nothing, pages, "Storm Ottilie") == own


@pytest.mark.parametrize(
    "texts",
    [
        ("The Aurin 5 costs $249, Velmora said.", "Velmora's Aurin 5 Pro costs $399."),
        ("山嵐機車的 M3 售價為新臺幣89,800元。", "山嵐機車的 M3 Plus 售價為新臺幣109,800元。"),
        ("云枢的 X9 售价为259,000元。", "云枢的 X9 Max 售价为359,000元。"),
    ],
)
def test_a_thing_beside_its_sibling_is_no_contradiction(texts: tuple[str, str]) -> None:
    assert contested(["Velmora", "山嵐機車", "云枢"], texts) == ()


@pytest.mark.parametrize(
    ("subject", "planned", "came"),
    [
        (
            "Ferrow tunnel",
            "The Ferrow tunnel is to open to traffic on 20 May 2026, its builder said.",
            "The Ferrow tunnel opened to traffic on 14 June 2026, its builder said.",
        ),
        (
            "长屿大桥",
            "长屿大桥计划于2026年5月20日正式通车，建设单位表示。",
            "长屿大桥于2026年6月14日正式通车，建设单位表示。",
        ),
        (
            "長嶼大橋",
            "長嶼大橋預計於2026年5月20日正式通車，施工單位表示。",
            "長嶼大橋於2026年6月14日正式通車，施工單位表示。",
        ),
    ],
)
def test_a_plan_beside_what_came_of_it_is_no_contradiction(
    subject: str, planned: str, came: str
) -> None:
    assert contested([subject], (planned, came)) == ()


# --- the brief -----------------------------------------------------------------------------------

PAGES = (
    ExamPage(title="Aurin 5", text="Velmora's Aurin 5 costs $199 from today."),
    ExamPage(title="用户", text="Velmora 有320万月活跃用户。", language="zh"),
)


def said(text: str, passage: int) -> Sentence:
    pages = places(numbered(each, n) for n, each in enumerate(PAGES, 1))
    checked = check(text, [(passage, PAGES[passage - 1].text)], pages, "Velmora")
    assert checked.result != "unsupported", checked.problems
    return sentence_of(checked, [pages[passage][0]], None)


PRICE, USERS = said(PAGES[0].text, 1), said(PAGES[1].text, 2)
READABLE = said("Velmora has 3.2 million monthly active users.", 2)


def test_an_adviser_tells_only_what_stands_in_another_language() -> None:
    reworded = said("The Aurin 5 of Velmora costs $199.", 1)
    assert brief.translated((PRICE, USERS), (reworded, READABLE), "en") == (PRICE, READABLE)
    assert brief.translated((PRICE, USERS), (reworded, READABLE), "zh") == (PRICE, USERS)


def test_what_changed_and_a_decider_passes_over_is_put_in_front() -> None:
    assert brief.completed((READABLE,), (PRICE,)) == (PRICE, READABLE)
    assert brief.completed((READABLE, PRICE), (PRICE,)) == (READABLE, PRICE)


def test_without_passages_no_brief_is_written() -> None:
    given = write_brief.BriefInput(
        command="x", subject="x", language="en", today="", claims=(), passages=()
    )
    with pytest.raises(NoEvidence):
        write_brief.QUESTION.embedded(given)


# --- whole runs ----------------------------------------------------------------------------------


class Live(Reader):
    """A model that sits its exams with a skill, and lies in the run itself."""

    def answer(self, schema: Schema, prompt: Prompt) -> dict[str, Json] | None:
        known = super().answer(schema, prompt)
        fields = schema.get("properties")
        if known is not None or not isinstance(fields, dict):
            return known
        lies = _lies(prompt)
        found: dict[str, Json] = {name: lies[name] for name in fields if name in lies}
        return fit_fields(found, schema, prompt) if found else None


def _lies(prompt: Prompt) -> dict[str, list[Json]]:
    shown = passages_in(prompt.text) if prompt.passages else []
    false = "Velmora is bankrupt and its Aurin 5 costs $9,999."
    quotes: list[Json] = [{"passage": e.number, "quote": sentences(e.text)[-1]} for e in shown[:2]]
    return {
        "tasks": [
            {"task": f"Rivals {n}", "queries": [f"Tessen {n}"], "days": None, "why": "x"}
            for n in range(5)
        ],
        "queries": [{"text": "Tessen bankrupt", "language": "en"}],
        "words": [{"word": "bankrupt", "passage": each.number} for each in shown],
        "points": [
            {"point": "Velmora is bankrupt", "sides": [{"passage": 1, "quote": false}, *quotes]}
        ],
        "sentences": [{"text": false, "quotes": quotes[:1]}],
    }


DENIED = page(
    "quarry.example",
    1,
    "Velmora has no plan to close its Leipzig plant, a spokesman said on Friday.",
)


async def run(folder: Path, skill: float | None) -> WatchResult:
    """Run the watch: without a model, or with a liar who has sat the exams with this skill."""
    folder.mkdir()
    world = WatchWorld((*FIRST, DENIED))
    more: dict[str, object] = {}
    if skill is not None:
        known = ReaderOptions(skill=skill).open()
        world.mind(Model(Live(known.keys, known.skill, known.watches)))
        more = {**READER_SETTINGS, "models.exam": "first_use"}
    async with desk(folder, world, **more) as app:
        result, _, _ = await watch(app, max_steps=3)
    return result


def votes(result: WatchResult) -> dict[str, tuple[str, str]]:
    return {
        each.question.removeprefix("watch/"): (each.by, each.vote)
        for each in result.decided
        if each.question.startswith("watch/")
    }


async def test_a_model_that_has_earned_it_writes_the_brief_and_every_sentence_is_checked(
    tmp_path: Path,
) -> None:
    world = WatchWorld((*FIRST, DENIED))
    world.mind(Model(ReaderOptions(skill=1.0).open()))
    more: dict[str, object] = {**READER_SETTINGS, "models.exam": "first_use"}
    more["models.exam_usd"] = "none"
    async with desk(tmp_path, world, **more) as app:
        result, _, _ = await watch(app, max_steps=3)
        texts = {each.id: (await app.store.index.get(each.document_id)) for each in result.evidence}
    assert (result.reasoner, result.unsupported) == (DECIDER, ())
    assert not any(each.part.startswith("model:") for each in result.degraded)
    assert result.summary
    for citation in (each for sentence in result.summary for each in sentence.citations):
        document = texts[citation.evidence_id]
        assert document is not None
        assert document.text[citation.start : citation.end] == citation.quote
    assert all(each.citations for each in result.summary)
    assert 3 <= len(result.plan) <= 5
    assert len({each.queries for each in result.plan}) == len(result.plan)
    planned = " ".join(query for task in result.plan for query in task.queries)
    assert any(each.word not in planned for each in result.keywords)


@pytest.mark.parametrize(("skill", "vote"), [(1.0, "decides"), (0.6, "advises")])
async def test_a_liar_brings_nothing_false_whatever_its_marks(
    tmp_path: Path, skill: float, vote: Vote
) -> None:
    alone = await run(tmp_path / "alone", None)
    found = await run(tmp_path / "liar", skill)
    given = votes(found)
    assert set(given) == set(WATCHED)
    assert all(cast == vote or by == EMBEDDED for by, cast in given.values())
    assert all(each.why for each in found.decided)
    own, told = ([s.text for s in each.summary] for each in (alone, found))
    held, read = ([c.text for c in each.claims] for each in (alone, found))
    assert (own[0], bool(held)) == (told[0], True)
    assert set(told) <= set(own)
    assert set(read) <= set(held)
    assert found.contradictions == alone.contradictions
    assert not any(each.word == "bankrupt" for each in found.keywords)
    assert found.plan[0].queries[0] == alone.plan[0].queries[0]
    assert all("Velmora" in query for task in found.plan for query in task.queries)
    shown = found.model_copy(update={"unsupported": ()}).model_dump_json()
    assert "9,999" not in shown
    assert "is bankrupt" not in shown
    if vote == "advises":
        # It changes nothing but searches, which it adds.
        assert (told, read) == (own, held)
        assert [task.task for task in found.plan] == [task.task for task in alone.plan]
