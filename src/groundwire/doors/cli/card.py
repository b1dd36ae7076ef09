"""The answer card: at most 100 columns, readable without colour, every quote in sight."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from groundwire.doors.cli.pieces import (
    bullets,
    cut,
    degraded,
    missing,
    next_rows,
    section,
    verdict_text,
)
from groundwire.doors.cli.prose import Prose
from groundwire.doors.cli.render import clean, shown
from groundwire.evidence.citations.problems import problems_text
from groundwire.jobs.ask.answer import AskResult
from groundwire.model.result import Contested, EvidenceView, Sentence
from groundwire.report.links import local_name, web_link
from groundwire.report.outline import (
    Source,
    flagged,
    marks,
    numbered,
    publishers,
    sources,
    uncited,
    who,
)
from groundwire.report.plain import day
from groundwire.report.words import Words, words

_CHANGED = {"changed": "contested", "disputed": "contested", "withdrawn": "contradicted"}


def ask_card(
    result: AskResult, *, links: bool = True, next_steps: Sequence[tuple[str, str]] = ()
) -> Group:
    """The whole card; `links` puts addresses behind titles, where the terminal can follow them."""
    say = words(result.language)
    cited = sources(result)
    parts: list[RenderableType] = [
        Rule(style="faint", characters="─"),
        Prose(shown(result.question, "bold")),
        _state_line(result, say),
        *section(None, _answer(result, cited, say)),
        *section(say.contested, _contested(result.contested, cited, say)),
        *section(say.missing, missing(result.gaps, say)),
        *section(say.unsupported, _unsupported(result)),
        *section(say.recalled, _recalled(result, say)),
        *section(say.degraded, degraded(result.degraded, say)),
        *section(say.sources, _sources(cited, say, links)),
        Rule(style="faint", characters="─"),
        *_foot(result, say),
        *next_rows(next_steps, say.next, say.hint),
    ]
    return Group(*parts)


def _state_line(result: AskResult, say: Words) -> Text:
    line = Text(say.states[result.status], result.status)
    if result.evidence:
        articles = say.origin_line(len(result.evidence), len(result.origins))
        line.append(f" · {articles}", "soft")
    return line


def _marked(sentence: Sentence, cited: tuple[Source, ...]) -> Text:
    line = shown(sentence.text)
    numbers = "".join(f"[{number}]" for number in marks(sentence, numbered(cited)))
    return line.append(f" {numbers}", "accent") if numbers else line


def _answer(result: AskResult, cited: tuple[Source, ...], say: Words) -> Iterator[RenderableType]:
    if not result.answer:
        yield Text(say.no_answer, "soft")
        return
    rows = Table.grid(padding=(0, 2, 0, 0))
    rows.add_column(no_wrap=True)
    rows.add_column(ratio=1)
    for sentence in result.answer:
        rows.add_row(verdict_text(sentence.verdict, say), Prose(_marked(sentence, cited)))
    yield rows


def _contested(
    contested: tuple[Contested, ...], cited: tuple[Source, ...], say: Words
) -> Iterator[RenderableType]:
    """The sides next to each other, as wide as each other: none is the right one."""
    for each in contested:
        yield Prose(Text.assemble(("◐ ", "contested"), shown(each.point)))
        sides = Table.grid(padding=(0, 2, 0, 0), expand=True)
        for _ in each.sides:
            sides.add_column(ratio=1)
        sides.add_row(*(Prose(_side(side, cited, say)) for side in each.sides))
        yield Padding(sides, (0, 0, 0, 2))


def _side(side: Sentence, cited: tuple[Source, ...], say: Words) -> Text:
    behind = " · ".join(clean(each) for each in who(side, say.undated))
    return Text.assemble(_marked(side, cited), "\n", (behind, "soft"))


def _unsupported(result: AskResult) -> Iterator[RenderableType]:
    return bullets(
        Text.assemble(
            ("▨ ", "unverified"),
            shown(each.text),
            (" — " + clean(problems_text(each.problems, result.language)), "soft"),
        )
        for each in result.unsupported
    )


def _recalled(result: AskResult, say: Words) -> Iterator[RenderableType]:
    """What memory held, apart from the answer: it supports nothing there."""
    return bullets(
        Text.assemble(
            shown(each.text, "soft"),
            (f" — {say.learned} {each.learned_at:%Y-%m-%d} · ", "faint"),
            (say.changes[each.change], _CHANGED.get(each.change, "soft")),
            (f" ({clean(say.changed(each.why))})" if each.why else "", "soft"),
        )
        for each in result.recalled
    )


def _sources(cited: tuple[Source, ...], say: Words, links: bool) -> Iterator[RenderableType]:
    if not cited:
        return
    rows = Table.grid(padding=(0, 1, 0, 0))
    rows.add_column(justify="right", no_wrap=True)
    rows.add_column(ratio=1)
    for source in cited:
        rows.add_row(Text(f"[{source.number}]", "accent"), Prose(_source(source, say, links)))
    yield rows


def _source(source: Source, say: Words, links: bool) -> Text:
    link = web_link(source.url)
    about = [day(source.published_at) or say.undated, say.tiers.get(source.tier, source.tier)]
    about += [clean(flag) for flag in say.listed(source.flags)]
    if source.credibility is not None:
        about.append(f"{say.credibility} {source.credibility:.2f}")
    lines = Text.assemble(
        shown(source.publisher, "bold"),
        (" · " + " · ".join(about), "soft"),
        "\n",
        shown(source.title or source.url, link=link if links else None),
    )
    for quote in source.quotes:
        lines.append_text(Text.assemble("\n", ("“", "soft"), shown(cut(quote), "italic")))
        lines.append("”", "soft")
    name = local_name(source.url)
    where = f"{say.local_file} {clean(name)}" if name else clean(link or "")
    if where:
        lines.append(f"\n{where}", "faint")
    return lines


def _foot(result: AskResult, say: Words) -> Iterator[RenderableType]:
    cost = result.cost
    mind = say.embedded if result.reasoner == "embedded" else clean(result.reasoner)
    counted = [
        f"${cost.usd:.4f}",
        f"{cost.calls} {say.calls}",
        f"{cost.cached} {say.cached}",
        f"{result.latency_ms / 1000:.1f} s",
        result.run_id,
    ]
    if cost.repeated:
        counted.insert(3, f"{cost.repeated} {say.repeated}")
    yield Prose(Text(say.checks.format(**result.checks.model_dump()), "soft"))
    yield Prose(Text(f"{say.reasoner} {mind} · " + " · ".join(counted), "soft"))
    if more := uncited(result):
        yield Prose(Text(f"{say.also_read}{say.colon}{_publishers(more)}", "soft"))
    if found := flagged(result):
        listed = " · ".join(
            f"{clean(say.flags.get(name, name))} ({_publishers(each)})" for name, each in found
        )
        yield Prose(Text.assemble((f"{say.flagged}{say.colon}", "degraded"), (listed, "soft")))


def _publishers(evidence: Sequence[EvidenceView]) -> str:
    return ", ".join(clean(each) for each in publishers(evidence))
