"""A first brief begins with what came last, and says how old that is."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from lab.archives import document

from groundwire.evidence.pages.passages import split
from groundwire.jobs.watch.brief import Reader, draft
from groundwire.jobs.watch.ledger.claims import Compared, Ledger
from groundwire.jobs.watch.report import REPORT
from groundwire.jobs.watch.result import AgentState, Section, WatchEvidence, WatchResult
from groundwire.language.text.characters import detect_language
from groundwire.model.base import short_id
from groundwire.model.result import Sentence
from groundwire.model.run import Run, Versions
from groundwire.model.source import Evidence

NOW = datetime(2026, 11, 18, 12, tzinfo=UTC)


def page(day: str, title: str, text: str, *flags: str) -> Evidence:
    found = document(
        f"https://{short_id('h', [day, text])}.example/a",
        title,
        text,
        NOW,
        language=detect_language(text),
        published_at=f"{day}T00:00:00Z",
    )
    name = short_id("ev", [found.id])
    return Evidence(
        id=name, kind="page", document=found, passages=split(found), origin_id="one", flags=flags
    )


@pytest.mark.parametrize(
    ("halted", "back", "name"),
    [
        (
            "Norvale stopped its ferries in Leith.",
            "Norvale runs its ferries in Leith again.",
            "Norvale",
        ),
        ("诺维尔停运了利斯的渡轮。", "诺维尔在利斯的渡轮重新开航。", "诺维尔"),
        ("諾維爾停駛了利斯的渡輪。", "諾維爾在利斯的渡輪重新開航。", "諾維爾"),
    ],
)
def test_the_newest_page_comes_first_and_a_repost_is_as_old_as_what_it_repeats(
    halted: str, back: str, name: str
) -> None:
    pages = [
        page("2025-02-17", f"{name} 1", halted),
        page("2025-04-28", f"{name} 2", back),
        page("2025-09-02", f"{name} 3", halted),  # a repost
        page("2025-09-03", f"{name} 4", f"{name} 5", "opinion"),
    ]
    reader = Reader("en", {each.id: each for each in pages})
    nothing = Compared(ledger=Ledger())
    found = draft(nothing, reader, first=True, names=(name,))
    assert found.claims[0].text == back
    assert f"{name} 5" not in {each.text for each in found.claims}
    assert not draft(nothing, reader, first=False, names=(name,)).claims
    assert not draft(nothing, reader, first=True, names=("Halden",)).claims


def told(language: str, day: str) -> str:
    """Return the report of a first run as text: its newest page is of a day."""
    sentence = Sentence(text="Norvale runs again.", verdict="supported", citations=())
    other = Sentence(text="Norvale has 500 people.", verdict="supported", citations=())
    newest = datetime.fromisoformat(f"{day}T08:00:00+00:00")
    result = WatchResult(
        run_id="r",
        status="complete",
        command="Norvale",
        subject="Norvale",
        language=language,
        as_of=NOW,
        end="planned",
        summary=(sentence,),
        sections=(Section(name="new", sentences=(sentence, other)),),
        evidence=(
            WatchEvidence(
                id="ev", document_id="d", kind="page", url="https://a.example/", title="t",
                publisher="a", published_at=newest, language="en", tier="established", origin_id="o", flags=(),
            ),
        ),
        state=AgentState(task_id="r", original_command="Norvale", current_phase="completed"),
    )  # fmt: skip
    run = Run(
        id="r",
        kind="watch",
        input={"command": "Norvale"},
        settings={},
        now=NOW,
        seed="s",
        versions=Versions(code="c", prompts="p", data="d"),
        updated_at=NOW,
        state="complete",
        created_at=NOW,
        result=result.model_dump(mode="json"),
    )
    return REPORT.report(run).model_dump_json()


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("en", "the newest page read is of 2025-09-18"),
        ("zh", "读到的最新页面发布于 2025-09-18"),
        ("zh-Hant", "讀到的最新頁面發布於 2025-09-18"),
    ],
)
def test_a_report_says_how_old_its_newest_page_is(language: str, says: str) -> None:
    assert says in told(language, "2025-09-18")
    assert says.partition("2025")[0] not in told(language, "2026-11-01")


def test_a_first_run_tells_each_sentence_once() -> None:
    text = told("en", "2026-11-01")
    assert text.count("Norvale runs again.") == 1
    assert "Also known" in text
    assert "What is new" not in text
