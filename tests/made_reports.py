"""Runs for tests of reports: answers and signals in three languages, tools, failures, and malice."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from groundwire.jobs import report_of
from groundwire.jobs.ask.answer import AskResult
from groundwire.jobs.verify.signal import Signal
from groundwire.model.claim import CitationView
from groundwire.model.result import (
    Checks,
    Contested,
    Cost,
    Degraded,
    EvidenceView,
    Gap,
    Lineage,
    Origin,
    Sentence,
    Unsupported,
)
from groundwire.model.run import Run, Versions, digest
from groundwire.report.blocks import Report
from groundwire.report.forms import FORMS
from tests.made_signals import contradicted, supported

AT = datetime(2026, 11, 10, 9, 30, tzinfo=UTC)
LANGUAGES = ("en", "zh", "zh-Hant")

_TEXTS = {
    "en": (
        "Did USDC lose its peg in March 2023?",
        "USDC fell to about $0.88 on 11 March 2023.",
        "Circle had $3.3 billion at Silicon Valley Bank.",
        "It fell on the 10th.",
        "It fell on the 11th.",
    ),
    "zh": (
        "USDC在2023年3月脱锚了吗？",
        "USDC在2023年3月11日跌至约0.88美元。",
        "Circle有33亿美元存放在硅谷银行。",
        "下跌发生在10日。",
        "下跌发生在11日。",
    ),
    "zh-Hant": (
        "USDC在2023年3月脫鉤了嗎？",
        "USDC於2023年3月11日跌至約0.88美元。",
        "Circle有33億美元存放在矽谷銀行。",
        "下跌發生在10日。",
        "下跌發生在11日。",
    ),
}
# Every result quotes pages of both languages.
QUOTES = (
    "USDC traded as low as $0.88 on Saturday 11 March 2023",
    "约400亿美元储备中有33亿美元存放在刚刚倒闭的硅谷银行",
    "持有人擔心這筆存款未必能夠全數取回",
)
TITLES = ("USDC slips below a dollar", "USDC脱锚的原因", "穩定幣失守一美元")


def citation(number: int, **more: Any) -> CitationView:
    quote = QUOTES[(number - 1) % 3]
    fields = {
        "evidence_id": f"ev_{number}",
        "url": f"https://site{number}.example/a?b=1&c=2",
        "title": TITLES[(number - 1) % 3],
        "publisher": ("Ledger Post", "链上晨报", "港灣日報")[(number - 1) % 3],
        "published_at": datetime(2023, 3, 10 + number % 3, tzinfo=UTC),
        "quote": quote,
        "start": 0,
        "end": len(quote),
    }
    return CitationView(**{**fields, **more})


def evidence(number: int, *flags: str, **more: Any) -> EvidenceView:
    cited = citation(number)
    fields = {
        "id": cited.evidence_id,
        "document_id": f"doc_{number}",
        "kind": "page",
        "url": cited.url,
        "title": cited.title,
        "publisher": cited.publisher,
        "published_at": cited.published_at,
        "language": ("en", "zh", "zh-Hant")[(number - 1) % 3],
        "origin_id": "o1",
        "tier": ("wire", "trade", "established")[(number - 1) % 3],
        "flags": flags,
        "credibility": 0.7,
    }
    return EvidenceView(**{**fields, **more})


def answer(language: str = "en", **more: Any) -> AskResult:
    """Build an answer with every part that it can have."""
    question, first, second, one, other = _TEXTS[language]
    copied = Lineage(evidence_id="ev_2", of="ev_1", how="translation of")
    values: dict[str, Any] = {
        "run_id": "ask-0123456789",
        "status": "degraded",
        "question": question,
        "language": language,
        "answer": (
            Sentence(text=first, verdict="supported", citations=(citation(1), citation(2))),
            Sentence(text=second, verdict="qualified", citations=(citation(2),)),
        ),
        "unsupported": (Unsupported(text="It was 12 %.", problems=("12 % is in no quote",)),),
        "contested": (
            Contested(
                point="the day",
                sides=(
                    Sentence(text=one, verdict="contested", citations=(citation(3),)),
                    Sentence(text=other, verdict="contested", citations=(citation(1),)),
                ),
            ),
        ),
        "gaps": (Gap(what="the amount that was redeemed", why="nothing was found"),),
        "degraded": (
            Degraded(part="search:tavily", code="auth", reason="no key", instead="the archive"),
        ),
        "evidence": (evidence(1, "sample"), evidence(2), evidence(3), evidence(4, "injection")),
        "origins": (
            Origin(id="o1", lead="ev_1", members=("ev_1", "ev_2"), lineage=(copied,)),
            Origin(id="o2", lead="ev_3", members=("ev_3",)),
        ),
        "checks": Checks(supported=1, qualified=1, contested=2, unsupported=1),
        "cost": Cost(usd=0.0123, calls=4, cached=1),
    }
    return AskResult(**{**values, **more})


def run_of(result: AskResult | Signal | dict[str, Any] | None, kind: str, **more: Any) -> Run:
    """Build a finished run with this result."""
    value = result if isinstance(result, dict | None) else result.model_dump(mode="json")
    fields: dict[str, Any] = {
        "id": f"{kind}-0123456789",
        "kind": kind,
        "input": {},
        "settings": {},
        "now": AT,
        "seed": "s",
        "versions": Versions(code="0.1.0+c", prompts="p", data="d"),
        "created_at": AT,
        "updated_at": AT,
        "state": "complete",
        "result": value,
        "digest": None if value is None else digest(value),
    }
    return Run(**{**fields, **more})


def ask_run(language: str = "en", **more: Any) -> Run:
    result = answer(language, **more)
    return run_of(result, "ask", input={"question": result.question, "language": language})


def verify_run(language: str = "en", **more: Any) -> Run:
    signal = supported(**more) if language == "en" else contradicted(language, **more)
    return run_of(signal, "verify", input={"text": signal.message.text})


def failed_run(kind: str, language: str = "en", error: str = "every search failed") -> Run:
    """Build a run that ended without a result."""
    text = _TEXTS[language][0]
    given = {
        "ask": {"question": text},
        "verify": {"text": text, "source": "cli"},
        "tool": {"tool": "search", "arguments": {"query": text}},
    }[kind]
    return run_of(None, kind, input=given, state="failed", error=error)


SEARCHED = {
    "query": {"text": "USDC peg"},
    "hits": [
        {
            "title": TITLES[number],
            "url": f"https://site{number}.example/a",
            "content": QUOTES[number],
            "relevance": 0.9,
            "published_at": "2023-03-11T00:00:00Z",
            "provider": "archive",
            "rank": number,
        }
        for number in range(3)
    ],
    "failures": [{"provider": "tavily", "code": "auth", "message": "the key was refused"}],
    "providers": ["archive", "tavily"],
}
PRICED = {
    "symbol": "USDC",
    "price": 0.9998,
    "pegged": True,
    "points": [{"at": "2023-03-10", "price": 1.0}, {"at": "2023-03-11", "price": 0.88}],
    "nested": {"deep": {"er": [1, 2, {"x": "y"}]}},
    "lines": ["one line", "第二行"],
}


def tool_run(tool: str, output: dict[str, Any] | None, **more: Any) -> Run:
    result = {
        "run_id": "tool-0123456789",
        "status": "complete",
        "tool": tool,
        "output": output,
        "error": more.pop("error", None),
        "cost": {"usd": 0.0, "calls": 1, "cached": 0, "repeated": 0},
        "latency_ms": 5,
    }
    return run_of(result, "tool", input={"tool": tool, "arguments": {"query": "USDC peg"}}, **more)


# --- malice --------------------------------------------------------------------------------------

HOSTILE = (
    '<script>alert(1)</script><img src=x onerror="alert(1)">',
    "<svg onload=alert(1)><a xlink:href='javascript:alert(1)'>x</a></svg>",
    "[click](javascript:alert(1)) ![x](http://evil.example/x.png)",
    '#read("/etc/passwd") #import "@preview/evil:1.0.0": * #eval("1")',
    "$ sum_(i=0) $ #sys.inputs <label> @ref // comment /* x */ = heading",
    "{{ 7*7 }} {% raw %} </style></title></head><body onload=alert(1)>",
    "]]><!-- --><w:p/> &amp; &#x41; &lt;b&gt; <?xml version='1.0'?>",
    "\x1b[31mred\x1b[0m \u202egnp.exe\u202c \u2066a\u2069 \x00\x07\x0b zero\u200bwidth \ufffe",
    '=HYPERLINK("http://evil.example","x")',
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "W" * 3000,
    "e" + "\u0301\u0335\u0489" * 200 + " heap",
    "مرحبا שלום 🚨 안녕 𠮷",
)
LINKS = (
    "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "file:///etc/passwd",
    'https://a.example/"><script>alert(1)</script>',
    "https://a.example/x y\n#z",
    "https://a.example/) [x](javascript:alert(1)",
    "java\nscript:alert(1)",
    "//evil.example/x",
    "vbscript:x",
)


def hostile_answer(language: str = "en", sentences: int = 0) -> Run:
    """Put malice into every field that outside text can reach, and add `sentences` more sentences."""
    views, written = [], []
    for number, text in enumerate(HOSTILE, start=1):
        link = LINKS[number % len(LINKS)]
        fields = {"url": link, "title": text, "publisher": text}
        views.append(evidence(number, text, **fields))
        cited = citation(number, **fields, quote=text)
        written.append(Sentence(text=text, verdict="supported", citations=(cited,)))
    one = citation(1, url=LINKS[0], title=HOSTILE[0], publisher=HOSTILE[0], quote=HOSTILE[0])
    written += [
        Sentence(text=f"Sentence {number} 句。", verdict="supported", citations=(one,))
        for number in range(sentences)
    ]
    result = answer(
        language,
        question=" ".join(HOSTILE[:4]),
        answer=tuple(written),
        unsupported=tuple(Unsupported(text=text, problems=(text,)) for text in HOSTILE),
        contested=(Contested(point=HOSTILE[0], sides=tuple(written[:3])),),
        gaps=tuple(Gap(what=text, why=text) for text in HOSTILE),
        degraded=tuple(Degraded(part=t, code=t, reason=t, instead=t) for t in HOSTILE),
        evidence=tuple(views),
        origins=(
            Origin(
                id="o1",
                lead="ev_1",
                members=("ev_1", "ev_2"),
                lineage=(Lineage(evidence_id="ev_2", of="ev_1", how="cites"),),
            ),
        ),
        reasoner=HOSTILE[0],
    )
    return run_of(result, "ask", error=HOSTILE[0])


def hostile_signal(language: str = "en") -> Run:
    """Put the same into a signal: its message, its claims, its pages, its tools."""
    signal = supported() if language == "en" else contradicted(language)
    views = tuple(
        view.model_copy(
            update={
                "title": HOSTILE[number],
                "publisher": HOSTILE[number + 3],
                "url": LINKS[number],
                "quote": HOSTILE[number],
            }
        )
        for number, view in enumerate(signal.evidence)
    )
    text = "\n".join(HOSTILE)
    changed = signal.model_copy(
        update={
            "message": signal.message.model_copy(update={"text": text, "source": HOSTILE[1]}),
            "summary": " ".join(HOSTILE[:4]),
            "asset": HOSTILE[0],
            "asset_name": HOSTILE[3],
            "notes": f"{HOSTILE[3]} [1][2] {HOSTILE[0]}",
            "evidence": views,
            "links": tuple(view.url for view in views),
            "claims": tuple(
                claim.model_copy(update={"text": HOSTILE[number]})
                for number, claim in enumerate(signal.claims)
            ),
            "waterfall": tuple(
                row.model_copy(update={"reason": HOSTILE[number]})
                for number, row in enumerate(signal.waterfall)
            ),
            "reasoner": HOSTILE[0],
        }
    )
    return run_of(changed, "verify")


def file_as(form: str, run: Run) -> bytes:
    """Export the run in one form."""
    return FORMS[form].render(run, report_of(run))


def reported(run: Run) -> Report:
    """Render the run as blocks."""
    return report_of(run).report(run)
