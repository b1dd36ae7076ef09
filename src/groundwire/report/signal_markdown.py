"""A signal as Markdown: for people to keep, with its waterfall as a table and quotes as footnotes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from groundwire.evidence.sources.publishers import shown_publisher
from groundwire.jobs.verify.signal import Signal, SignalEvidence
from groundwire.model.history import PastEvent
from groundwire.model.tool import ToolResult
from groundwire.report.links import destination, local_name, web_link
from groundwire.report.markdown import escaped, listed
from groundwire.report.plain import day
from groundwire.report.signal_outline import (
    Cited,
    citations,
    cited,
    families,
    numbers,
    stance_of,
    steps,
    unquoted_against,
)
from groundwire.report.signal_words import SignalWords, signal_words
from groundwire.report.words import Words


def signal_markdown(signal: Signal) -> str:
    """The whole signal; text from outside is escaped, and only http(s) addresses become links."""
    own, say = signal_words(signal.language)
    sources = cited(signal)
    label = own.labels
    parts: list[str] = [
        f"# {own.shaped(signal.verdict)} · {signal.confidence:.2f}",
        f"**{escaped(signal.summary)}**",
        _about(signal, own, say),
        f"> {escaped(signal.message.text)}",
        _noted(signal, sources),
        *_waterfall(signal, own, sources),
        *_claims(signal, own, say, sources),
        *listed(label["against"], [*_against(signal, own, say, sources)]),
        *listed(
            f"{say.origin_line(len(signal.evidence), len(signal.origins))} · "
            f"{own.count('supporting', signal.supporting_origins)} · "
            f"{own.count('contradicting', signal.contradicting_origins)}",
            [*_origins(signal, own, say)],
        ),
        *listed(label["tools"], [_tool(each, own, say) for each in signal.tools]),
        *listed(label["memory"], [_past(each, own, say) for each in signal.memory]),
        *listed(
            label["sightings"],
            [
                f"{escaped(each.source or each.message_id)} · "
                f"{own.layers[each.layer]} {each.similarity:.2f}"
                for each in signal.sightings
            ],
        ),
        *listed(
            say.missing,
            [f"{escaped(gap.what)} — {escaped(say.why(gap.why))}" for gap in signal.gaps],
        ),
        *listed(
            say.degraded,
            [
                f"{escaped(each.part)} ({escaped(each.code)}){say.colon}{escaped(each.reason)} — "
                f"{say.instead}{say.colon}{escaped(each.instead)}"
                for each in signal.degraded
            ],
        ),
        *_footnotes(signal, sources, own, say),
        f"---\n\n{_foot(signal, own, say)}",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _about(signal: Signal, own: SignalWords, say: Words) -> str:
    label = own.labels
    what = [own.type(signal.event_type)]
    what += [escaped(each) for each in dict.fromkeys((signal.asset, signal.asset_name)) if each]
    what += [
        f"{label['action']}{say.colon}{own.actions.get(signal.action, signal.action)}",
        f"{label['direction']}{say.colon}{own.directions.get(signal.direction, signal.direction)}",
        own.timeframes[signal.timeframe],
        f"{label['strength']}{say.colon}{own.strengths.get(signal.strength, signal.strength)}",
        say.states[signal.status],
    ]
    lines = [" · ".join(escaped(each) for each in what)]
    if signal.risk_flags:
        lines.append("⚑ " + " · ".join(escaped(each) for each in own.listed(signal.risk_flags)))
    if path := own.paths[signal.path]:
        same = f"{say.colon}`{escaped(signal.duplicate_of)}`" if signal.duplicate_of else ""
        lines.append(f"{path}{same}")
    return "  \n".join(lines)


def _noted(signal: Signal, sources: Sequence[Cited]) -> str:
    """The notes; their marks become the footnotes that they are."""
    text = escaped(signal.notes)
    for source in sources:
        text = text.replace(f"\\[{source.number}\\]", f"[^{source.number}]")
    return text


def _waterfall(signal: Signal, own: SignalWords, sources: Sequence[Cited]) -> Iterator[str]:
    label = own.labels
    known = {source.view.id: source.number for source in sources}
    rows = [
        f"| {label['rule']} | {label['delta']} | {label['sum']} | {label['reason']} |",
        "| --- | ---: | ---: | --- |",
    ]
    for step in steps(signal.waterfall):
        marks = sorted(known[each] for each in step.row.evidence_ids if each in known)
        rows.append(
            f"| {escaped(own.rule(step.row.rule))} | {step.row.delta:+.4f} | {step.total:.4f} | "
            f"{escaped(step.row.reason)}{_marks(marks)} |"
        )
    yield f"## {label['waterfall']} {signal.confidence:.2f}"
    yield "\n".join(rows)


def _marks(found: Sequence[int]) -> str:
    return "".join(f"[^{number}]" for number in found)


def _claims(
    signal: Signal, own: SignalWords, say: Words, sources: Sequence[Cited]
) -> Iterator[str]:
    claims = [
        f"{say.verdict(each.verdict)}{say.colon}{escaped(each.text)}"
        f"{_marks(numbers(each, sources))}"
        for each in signal.claims
    ]
    findings = [
        f"{own.stance(stance)}{say.colon}{escaped(each.text)}{_marks(numbers(each, sources))}"
        for each in signal.findings
        if (stance := stance_of(each, signal))
    ]
    yield from listed(own.labels["claims"], claims)
    yield from listed(own.labels["findings"], findings)


def _against(
    signal: Signal, own: SignalWords, say: Words, sources: Sequence[Cited]
) -> Iterator[str]:
    for source, _ in unquoted_against(signal, sources):
        official = f" · {own.labels['official']}" if source.view.official else ""
        when = day(source.view.published_at) or say.undated
        yield f"{escaped(source.publisher)}{official} · {when}[^{source.number}]"


def _origins(signal: Signal, own: SignalWords, say: Words) -> Iterator[str]:
    for family in families(signal):
        yield f"{own.stance(family.stance)}{say.colon}{_named(family.lead)}"
        for each in family.descendants:
            how = say.lineage.get(each.how, each.how)
            behind = f" — *{how}* — {_named(each.of)}" if each.of is not None else ""
            yield f"↳ {_named(each.view)}{behind}"


def _named(view: SignalEvidence) -> str:
    return escaped(f"{shown_publisher(view.publisher, view.url)}: {view.title}")


def _tool(result: ToolResult, own: SignalWords, say: Words) -> str:
    parts = [own.tools.get(result.tool, result.tool), escaped(result.source)]
    if result.error is not None:
        said = f"{own.labels['failed']} ({result.error.code}){say.colon}"
        parts.append(f"{said}{escaped(result.error.message)}")
    else:
        parts += [own.bearings[result.bearing], escaped(result.why)]
        parts.append(escaped(str(result.data.get("keyword", ""))))
    return " · ".join(part for part in parts if part)


def _past(event: PastEvent, own: SignalWords, say: Words) -> str:
    outcome = own.outcomes[event.outcome] if event.outcome else own.labels["outcome unknown"]
    return (
        f"{event.similarity:.2f} {escaped(event.summary)} — {own.age(event.age_hours)} · "
        f"{say.verdict(event.verdict)} {event.confidence:.2f} · {outcome} · "
        f"`{escaped(event.run_id)}`"
    )


def _footnotes(
    signal: Signal, sources: Sequence[Cited], own: SignalWords, say: Words
) -> Iterator[str]:
    if not sources:
        return
    yield f"## {own.labels['links']}"
    quotes: dict[str, list[str]] = {}
    for citation in citations(signal):
        quotes.setdefault(citation.evidence_id, []).append(citation.quote)
    for source in sources:
        view = source.view
        about = [escaped(source.publisher), day(view.published_at) or say.undated]
        about.append(say.tiers.get(view.tier, view.tier))
        about += [own.labels["official"]] if view.official else []
        about += [escaped(flag) for flag in say.listed(view.flags)]
        head = f"[^{source.number}]: {_titled(view, say)} — {' · '.join(about)}"
        said: list[str] = [*quotes.get(view.id, []), *([view.quote] if view.quote else [])]
        yield head + "".join(f"\n\n    > “{escaped(quote)}”" for quote in dict.fromkeys(said))


def _titled(view: SignalEvidence, say: Words) -> str:
    title = escaped(view.title or view.url)
    link = web_link(view.url)
    if link is None:
        name = local_name(view.url)
        return f"{title} ({say.local_file} {escaped(name)})" if name else title
    return f"[{title}]({destination(link)})"


def _foot(signal: Signal, own: SignalWords, say: Words) -> str:
    mind = say.embedded if signal.reasoner == "embedded" else escaped(signal.reasoner)
    return "  \n".join(
        (
            f"{say.reasoner}{say.colon}{mind} · ${signal.cost.usd:.4f} · "
            f"{signal.cost.calls} {say.calls} · {own.labels['version']} "
            f"{escaped(signal.confidence_version)} · {say.run} `{signal.run_id}`",
            own.labels["made by"],
        )
    )
