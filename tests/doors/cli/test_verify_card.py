"""The card of a signal: verdict first, a receipt that adds up, every quote in sight."""

from __future__ import annotations

import io
import json
import re
from typing import Any, get_args

import pytest
from rich.console import Console
from rich.theme import Theme

from groundwire.doors.cli.render import STYLES
from groundwire.evidence.messages.profiles import Direction, Timeframe
from groundwire.jobs.verify.confidence import judge
from groundwire.jobs.verify.feature_types import Features, Side, Timeliness
from groundwire.jobs.verify.signal import Action, RiskFlag, Signal, Strength
from groundwire.model.outcome import Calibration
from groundwire.report import markdown, terminal
from groundwire.report.terminal import bar, signed
from groundwire.words import Language, words
from tests.catalogues import catalogue
from tests.made_reports import reported, run_of
from tests.made_signals import AT, contradicted, plain, supported

from .conftest import Gw


def card(signal: Signal, width: int = 100) -> str:
    out = io.StringIO()
    report = reported(run_of(signal.model_dump(mode="json"), "verify"))
    Console(file=out, width=width, theme=Theme(STYLES), highlight=False, markup=False).print(
        terminal.card(report)
    )
    return out.getvalue()


def signal_markdown(signal: Signal) -> str:
    return markdown.text(reported(run_of(signal.model_dump(mode="json"), "verify")))


@pytest.mark.parametrize(
    ("signal", "head"),
    [
        (supported(), "● SUPPORTED · 0.71"),
        (contradicted(), "✕ 相悖 · 0.20"),
        (contradicted("zh-Hant"), "✕ 相悖 · 0.20"),
        (plain(), "▨ UNVERIFIED · 0.55"),
    ],
)
def test_the_verdict_and_its_confidence_come_first(signal: Signal, head: str) -> None:
    lines = card(signal).splitlines()
    assert lines[1].startswith(head)
    assert lines[2] == signal.summary


@pytest.mark.parametrize("width", [60, 80, 100])
@pytest.mark.parametrize(
    "signal", [supported(), contradicted(), contradicted("zh-Hant"), plain()], ids=str
)
def test_no_line_is_wider_than_the_terminal(signal: Signal, width: int) -> None:
    from rich.cells import cell_len

    assert max(cell_len(line.rstrip()) for line in card(signal, width).splitlines()) <= width


@pytest.mark.parametrize(
    "signal", [supported(), contradicted(), plain()], ids=["en", "zh", "plain"]
)
def test_the_receipt_adds_up_to_the_score_as_it_is_shown(signal: Signal) -> None:
    found = re.findall(r"([+−±])(\d\.\d+) [█▏▎▍▌▋▊▉·]{10} (\d\.\d\d)", card(signal))
    assert len(found) == len(signal.waterfall)
    total = sum(float(size) * {"+": 1, "−": -1, "±": 0}[sign] for sign, size, _ in found)
    assert total == pytest.approx(signal.confidence, abs=1e-9)
    assert found[-1][2] == f"{signal.confidence:.2f}"


def test_every_quote_stands_with_its_publisher_its_day_and_its_link() -> None:
    shown = " ".join(card(supported()).split())
    assert (
        "● supports “the bridge was exploited; about $42 million are gone” [1] — Aurora · 2026-11-10"
        in shown
    )
    assert shown.count("the bridge was exploited") == 1, "the sources do not say it again"
    for part in ("https://aurora.example/3", "https://chaindaily.example/1", "official"):
        assert part in shown
    assert shown.index("[1][2]") < shown.index("Sources")


def test_origins_name_their_lead_and_what_descends_from_it() -> None:
    shown = card(supported())
    assert "4 articles → 3 origins · 3 support · 0 contradict" in shown
    assert "↳ Coin Wire: Story 2 of Coin Wire — wire copy of Chain Daily" in shown
    assert "2 篇文章 → 2 个独立来源 · 0 个支持 · 1 个反驳" in card(contradicted())


def test_what_contradicts_is_shown_apart_and_named_official() -> None:
    shown = card(contradicted())
    said = shown.split("页面所述")[1]
    assert "✕ 反驳 “并未遭到黑客攻击，资金安全” [1] — Bridge News · 2026-11-10 · 官方" in said
    assert shown.count("并未遭到黑客攻击") == 1


def test_tools_memory_sightings_gaps_and_failures_are_in_words() -> None:
    shown = " ".join(card(supported()).split())
    for part in (
        "search · tavily — 8 results · 5 sites · 3 origins",
        "price · coingecko — failed (rate limit): too many requests",
        "0.84 Aurora Bridge pauses after a suspected exploit. — 2 days ago",
        "came true",
        "telegram:other — 2026-11-10 09:30 UTC · nearly the same text 0.91",
        "on-chain data — the tool is off",
        "coingecko (rate limit): too many requests",
        "$0.0123 · 6 calls · 1 cached · 4.2 s",
        "action: sell · direction: short · short term · strength: high",
    ):
        assert part in shown


def test_flags_are_said_in_the_readers_script() -> None:
    assert "⚑ 置信度低" in card(contradicted())
    assert "⚑ 信心低" in card(contradicted("zh-Hant"))
    assert "說法" in words("zh-Hant")("verify.label.no_claims")
    assert "⚑ not searched" in card(plain())


def test_a_plain_signal_says_that_nothing_was_looked_into() -> None:
    shown = card(plain())
    assert "only a first impression" in shown
    assert "Claims" not in shown
    assert "Sources" not in shown


def test_a_duplicate_names_the_signal_that_it_repeats() -> None:
    shown = card(plain(path="duplicate", duplicate_of="verify-aaaaaaaaaa"))
    assert "the same event as an earlier signal — see verify-aaaaaaaaaa" in shown


def test_foreign_text_moves_nothing() -> None:
    hostile = "\x1b[31mred\x1b]8;;http://x\x07[bold]b[/bold]\u202e"
    base = supported()
    signal = supported(
        summary=hostile,
        notes=hostile,
        message=base.message.model_copy(update={"text": f"a{hostile}", "author": hostile}),
        evidence=tuple(
            each.model_copy(update={"publisher": hostile, "title": hostile})
            for each in base.evidence
        ),
    )
    shown = card(signal)
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "[bold]b[/bold]" in shown
    written = signal_markdown(signal)
    assert "\x1b" not in written
    assert "\\[bold\\]" in written


@pytest.mark.parametrize("language", ["en", "zh", "zh-Hant"])
def test_every_word_of_the_contract_has_its_label(language: Language) -> None:
    known = catalogue(language)
    for family, names in (
        ("risk", get_args(RiskFlag)),
        ("timeframe", get_args(Timeframe)),
        ("action", get_args(Action)),
        ("direction", get_args(Direction)),
        ("strength", get_args(Strength)),
    ):
        assert {f"verify.{family}.{name}" for name in names} <= set(known)


_IDS = ("ev_a",)
_ONE = Side(origins=("a",), evidence_ids=_IDS)
_TWO = Side(origins=("a", "b"), evidence_ids=_IDS)
_MANY = Side(origins=("a", "b", "c"), evidence_ids=_IDS)
_OFFICIAL = Side(origins=("a",), evidence_ids=_IDS, primary_ids=_IDS)
_STEPS = Calibration(fitted_at=AT, samples=30, scores=(0.0,), values=(0.5,))


@pytest.mark.parametrize(
    "more",
    [
        {"search": "not_searched"},
        {"search": "failed"},
        {"contradicts": _OFFICIAL},
        {"contradicts": _ONE, "supports": _ONE},
        {"contradicts": _ONE},
        {"supports": _MANY.model_copy(update={"primary_ids": _IDS})},
        {"supports": _OFFICIAL},
        {"supports": _MANY},
        {"numbers": "confirms"},
        {"qualifies": _ONE},
        {"supports": _TWO},
        {"supports": _ONE},
        {},
        {"memory_similarity": 0.9, "memory_confidence": 0.9, "calibration": _STEPS},
        {"numbers": "contradicts", "timeliness": Timeliness(kind="opinion", dated_by="message")},
    ],
    ids=str,
)
def test_every_rule_that_can_fire_has_its_words(more: dict[str, Any]) -> None:
    rows = judge(Features(**{"preliminary": 0.5, "search": "worked", **more})).waterfall
    for language in ("en", "zh", "zh-Hant"):
        assert all(words(language).has(f"verify.rule.{row.rule}") for row in rows)


@pytest.mark.parametrize(
    ("delta", "shown"), [(0.8, "+0.80"), (-0.15, "−0.15"), (0.0, "±0.00"), (0.1935, "+0.1935")]
)
def test_a_delta_is_shown_to_its_last_place(delta: float, shown: str) -> None:
    assert signed(delta) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0, "··········"), (1, "██████████"), (0.5, "█████·····"), (1.7, "██████████")],
)
def test_a_bar_is_ten_cells_and_readable_without_colour(value: float, shown: str) -> None:
    assert bar(value) == shown


# --- Markdown --------------------------------------------------------------------------------


def test_markdown_keeps_the_receipt_as_a_table_and_every_quote_as_a_footnote() -> None:
    written = signal_markdown(supported())
    assert written.startswith("# ● SUPPORTED · 0.71\n")
    assert "| several and official | +0.19 | 0.81 |" in written
    assert "a party to the event among them; mean relevance 0.80[^1][^2][^3][^4]" in written
    assert "[^1]: [Story 3 of Aurora](https://aurora.example/3)" in written
    assert "> “the bridge was exploited; about $42 million are gone”" in written
    assert "# ✕ 相悖 · 0.20" in signal_markdown(contradicted("zh-Hant"))


# --- the public contract ---------------------------------------------------------------------


def test_the_schema_keeps_the_names_and_enumerations_of_the_contract(empty: Gw) -> None:
    schema = json.loads(empty("schema", "signal").out)
    fields = [
        "summary",
        "event_type",
        "asset",
        "asset_name",
        "action",
        "direction",
        "confidence",
        "verdict",
        "strength",
        "timeframe",
        "risk_flags",
        "claims",
        "notes",
        "links",
        "waterfall",
        "supporting_origins",
        "contradicting_origins",
        "evidence",
        "preliminary",
        "sightings",
        "degraded",
        "gaps",
        "status",
        "cost",
        "latency_ms",
        "node_latency_ms",
        "run_id",
    ]
    assert set(fields) <= set(schema["properties"])
    for name, values in {
        "action": ["buy", "sell", "observe"],
        "direction": ["long", "short", "neutral"],
        "strength": ["low", "medium", "high"],
        "timeframe": ["short", "medium", "long"],
        "verdict": [
            "supported",
            "contradicted",
            "contested",
            "qualified",
            "insufficient",
            "stale",
            "unverified",
        ],
        "status": ["complete", "degraded", "failed", "cancelled"],
    }.items():
        assert schema["properties"][name]["enum"] == values
    parts = schema["$defs"]
    assert list(parts["WaterfallRow"]["properties"]) == [
        "rule", "delta", "reason", "evidence_ids", "params",
    ]  # fmt: skip
    assert list(parts["SignalClaim"]["properties"]) == ["text", "verdict", "citations"]
    assert parts["SignalEvidence"]["properties"]["stance"]["enum"] == [
        "supports",
        "contradicts",
        "qualifies",
        "unrelated",
    ]
    assert schema["properties"]["risk_flags"]["items"]["enum"] == list(get_args(RiskFlag))
    assert json.loads(empty("schema", "verify").out) == schema
