"""Signals for tests: a supported one in English, a contradicted one in Chinese, a plain one."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from groundwire.jobs.verify.confidence import VERSION, judge
from groundwire.jobs.verify.feature_types import Features, Side, Timeliness
from groundwire.jobs.verify.signal import Preliminary, Signal, SignalClaim, SignalEvidence
from groundwire.model.base import short_id
from groundwire.model.claim import CitationView
from groundwire.model.history import PastEvent
from groundwire.model.message import Message, MessageSighting
from groundwire.model.result import Cost, Degraded, Gap, Lineage, Origin
from groundwire.model.source import Document
from groundwire.model.stance import StanceLabel
from groundwire.model.tool import ToolFailure, ToolResult

AT = datetime(2026, 11, 10, 9, 30, tzinfo=UTC)
RUN = "verify-0123456789"


def page(number: int, publisher: str, text: str, language: str = "en") -> Document:
    """Build a page of a made-up site, with an id made from its content."""
    import hashlib

    url = f"https://{publisher.lower().replace(' ', '')}.example/{number}"
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    return Document(
        id=short_id("doc", [url, sha256]),
        url=url,
        canonical_url=url,
        publisher=publisher,
        title=f"Story {number} of {publisher}",
        published_at=AT,
        language=language,
        text=text,
        sha256=sha256,
        fetched_at=AT,
    )


def evidence(document: Document, stance: StanceLabel, quote: str, **more: Any) -> SignalEvidence:
    """Build what a signal lists of a page; the quote is looked up in its text."""
    start = document.text.index(quote)
    return SignalEvidence(
        id=short_id("ev", ["page", document.canonical_url, document.sha256]),
        document_id=document.id,
        kind="page",
        url=document.canonical_url,
        title=document.title,
        publisher=document.publisher,
        published_at=document.published_at,
        language=document.language,
        origin_id=more.pop("origin_id", "o1"),
        tier=more.pop("tier", "trade"),
        flags=more.pop("flags", ()),
        stance=stance,
        quote=quote,
        start=start,
        end=start + len(quote),
        relevance=more.pop("relevance", 0.8),
        **more,
    )


def citation(view: SignalEvidence) -> CitationView:
    return CitationView(
        evidence_id=view.id,
        url=view.url,
        title=view.title,
        publisher=view.publisher,
        published_at=view.published_at,
        quote=view.quote,
        start=view.start,
        end=view.end,
    )


def pages(language: str = "en") -> tuple[Document, ...]:
    if language.startswith("zh"):
        return (
            page(1, "Bridge News", "跨链桥项目方今日表示，并未遭到黑客攻击，资金安全。", "zh"),
            page(2, "Chain Daily", "有传言称该跨链桥被盗4200万美元，项目方尚未回应。", "zh"),
        )
    return (
        page(1, "Chain Daily", "Aurora Bridge lost $42 million in an exploit on Monday, it said."),
        page(2, "Coin Wire", "Aurora Bridge lost $42 million in an exploit on Monday, it said. AP"),
        page(3, "Aurora", "We confirm that the bridge was exploited; about $42 million are gone."),
        page(4, "Ledger Post", "Investigators traced the $42 million to two wallets on Tuesday."),
    )


def supported(**more: Any) -> Signal:
    """Build a signal on four articles of three origins, the party itself among them."""
    found = pages()
    views = (
        evidence(found[0], "supports", "Aurora Bridge lost $42 million in an exploit"),
        evidence(found[1], "supports", "Aurora Bridge lost $42 million in an exploit"),
        evidence(
            found[2],
            "supports",
            "the bridge was exploited; about $42 million are gone",
            origin_id="o2",
            official=True,
            round="preferred",
            tier="primary",
        ),
        evidence(
            found[3],
            "supports",
            "traced the $42 million to two wallets",
            origin_id="o3",
            tier="established",
        ),
    )
    ids = tuple(sorted(view.id for view in views))
    features = Features(
        preliminary=0.62,
        search="worked",
        supports=Side(origins=("o1", "o2", "o3"), evidence_ids=ids, primary_ids=(views[2].id,)),
        mean_relevance=0.8,
        timeliness=Timeliness(age_hours=2.0, dated_by="message", reason="on Monday"),
    )
    judged = judge(features)
    message = Message(
        id="msg_1",
        text="BREAKING: Aurora Bridge drained of $42M, team says users should revoke approvals.",
        language="en",
        source="telegram:alerts",
        author="watcher",
        published_at=AT,
        received_at=AT,
    )
    values: dict[str, Any] = {
        "run_id": RUN,
        "status": "degraded",
        "path": "deep",
        "message": message,
        "language": "en",
        "summary": "Aurora Bridge was exploited and lost about $42 million.",
        "event_type": "hack",
        "asset": "AURORA",
        "asset_name": "Aurora Bridge",
        "action": "sell",
        "direction": "short",
        "confidence": judged.confidence,
        "verdict": judged.verdict,
        "strength": "high",
        "timeframe": "short",
        "risk_flags": judged.risk_flags,
        "claims": (
            SignalClaim(
                text="Aurora Bridge lost $42 million.",
                verdict="supported",
                citations=(citation(views[2]), citation(views[0])),
            ),
            SignalClaim(text="Users should revoke approvals.", verdict="insufficient"),
        ),
        "notes": "preliminary 0.62 → final 0.71, because three independent origins support it [1].",
        "links": (views[2].url, views[0].url),
        "waterfall": judged.waterfall,
        "confidence_version": VERSION,
        "supporting_origins": 3,
        "origins": (
            Origin(
                id="o1",
                lead=views[0].id,
                members=(views[0].id, views[1].id),
                lineage=(Lineage(evidence_id=views[1].id, of=views[0].id, how="wire copy of"),),
            ),
            Origin(id="o2", lead=views[2].id, members=(views[2].id,)),
            Origin(id="o3", lead=views[3].id, members=(views[3].id,)),
        ),
        "evidence": views,
        "tools": (
            ToolResult(
                tool="search",
                source="tavily",
                timestamp=AT,
                success=True,
                triggered=True,
                data={
                    "keyword": "Aurora Bridge hack exploit 黑客攻击 $42M",
                    "source_count": 8,
                    "unique_domains": 5,
                    "independent_origins": 3,
                },
            ),
            ToolResult(
                tool="price",
                source="coingecko",
                timestamp=AT,
                success=False,
                error=ToolFailure(code="rate_limit", message="too many requests"),
            ),
        ),
        "memory": (
            PastEvent(
                run_id="verify-aaaaaaaaaa",
                summary="Aurora Bridge pauses after a suspected exploit.",
                event_type="hack",
                asset="AURORA",
                verdict="insufficient",
                confidence=0.41,
                at=AT,
                outcome="true",
                similarity=0.84,
                age_hours=50.0,
            ),
        ),
        "preliminary": Preliminary(
            profile="crypto",
            event_type="hack",
            asset="AURORA",
            confidence=0.62,
            summary="Aurora Bridge was drained.",
            risk_flags=("hedged",),
        ),
        "sightings": (
            MessageSighting(
                message_id="msg_2",
                source="telegram:other",
                received_at=AT,
                layer="near",
                similarity=0.91,
                why="nearly the same text",
            ),
        ),
        "degraded": (
            Degraded(
                part="price:coingecko", code="rate_limit", reason="too many requests", instead="—"
            ),
        ),
        "gaps": (Gap(what="on-chain data", why="the tool is off"),),
        "cost": Cost(usd=0.0123, calls=6, cached=1),
        "latency_ms": 4210,
        "node_latency_ms": {"executor": 2100},
    }
    return Signal(**{**values, **more})


def contradicted(language: str = "zh", **more: Any) -> Signal:
    """Build a signal that the party itself denies."""
    found = pages("zh")
    views = (
        evidence(
            found[0], "contradicts", "并未遭到黑客攻击，资金安全", official=True, tier="primary"
        ),
        evidence(found[1], "qualifies", "有传言称该跨链桥被盗4200万美元", origin_id="o2"),
    )
    features = Features(
        preliminary=0.7,
        search="worked",
        contradicts=Side(origins=("o1",), evidence_ids=(views[0].id,), primary_ids=(views[0].id,)),
        qualifies=Side(origins=("o2",), evidence_ids=(views[1].id,)),
        mean_relevance=0.7,
    )
    judged = judge(features)
    base = supported()
    values: dict[str, Any] = {
        **{name: getattr(base, name) for name in Signal.model_fields},
        "status": "complete",
        "message": base.message.model_copy(
            update={"text": "突发：某跨链桥被盗4200万美元！", "language": language, "author": ""}
        ),
        "language": language,
        "summary": "传言称跨链桥被盗4200万美元，项目方否认。",
        "action": "observe",
        "direction": "neutral",
        "strength": "medium",
        "confidence": judged.confidence,
        "verdict": judged.verdict,
        "risk_flags": judged.risk_flags,
        "waterfall": judged.waterfall,
        "claims": (
            SignalClaim(
                text="跨链桥被盗4200万美元。",
                verdict="contradicted",
                citations=(citation(views[0]),),
            ),
        ),
        "notes": "初判0.70 → 最终0.20，因为当事方亲自否认[1]。",
        "links": (views[0].url,),
        "supporting_origins": 0,
        "contradicting_origins": 1,
        "origins": tuple(
            Origin(id=view.origin_id, lead=view.id, members=(view.id,)) for view in views
        ),
        "evidence": views,
        "tools": base.tools[:1],
        "memory": (),
        "sightings": (),
        "degraded": (),
        "gaps": (),
    }
    return Signal(**{**values, **more})


def plain(**more: Any) -> Signal:
    """Build a signal that was gated out: the first impression as it is."""
    judged = judge(Features(preliminary=0.55, search="not_searched"))
    base = supported()
    values: dict[str, Any] = {
        **{name: getattr(base, name) for name in Signal.model_fields},
        "status": "complete",
        "path": "plain",
        "confidence": judged.confidence,
        "verdict": judged.verdict,
        "risk_flags": judged.risk_flags,
        "waterfall": judged.waterfall,
        "action": "observe",
        "notes": "",
        **dict.fromkeys(
            ("claims", "links", "origins", "evidence", "tools", "memory", "sightings"), ()
        ),
        "degraded": (),
        "gaps": (),
        "supporting_origins": 0,
    }
    return Signal(**{**values, **more})
