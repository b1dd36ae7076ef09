"""An answer as Markdown: for people to keep, with every quote as a footnote."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from groundwire.evidence.citations.problems import problems_text
from groundwire.evidence.sources.publishers import shown_publisher
from groundwire.jobs.ask.answer import AskResult, Recalled
from groundwire.model.result import Contested, EvidenceView, Origin, Sentence
from groundwire.report.links import destination, local_name, web_link
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

# `1. ` and `- ` at the start of a line, `*`, `_`, brackets and tags anywhere: only these can
# turn text into structure. Dots and hyphens inside a line are left readable.
_INLINE = re.compile(r"([\\`*_\[\]<>|~])")
_OPENING = re.compile(r"^([#+=-])")
_NUMBERED = re.compile(r"^(\d+)([.)])(?=\s|$)")
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)


def ask_markdown(result: AskResult) -> str:
    """The whole answer; text from outside is escaped, and only http(s) addresses become links."""
    say = words(result.language)
    cited = sources(result)
    numbers = numbered(cited)
    parts: list[str] = [
        f"# {escaped(result.question)}",
        _state_line(result, say),
        *_answer(result, numbers, say),
        *_contested(result.contested, numbers, say),
        *listed(say.missing, [_pair(gap.what, say.why(gap.why), say) for gap in result.gaps]),
        *listed(
            say.unsupported,
            [
                _pair(each.text, problems_text(each.problems, result.language), say)
                for each in result.unsupported
            ],
        ),
        *listed(say.recalled, [_recalled(each, say) for each in result.recalled]),
        *_degraded(result, say),
        *_origins(result, say),
        *_flagged(result, say),
        *_footnotes(cited, say),
        f"---\n\n{_foot(result, say)}",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def escaped(text: str) -> str:
    """Text that reads as it is: no Markdown, no HTML, no unseen characters, one line."""
    line = " ".join(_UNSEEN.sub(" ", text).split())
    line = _INLINE.sub(r"\\\1", line).replace("&", "&amp;")
    # An address that stands in the text must not become a link of its own accord.
    line = re.sub(r"(?i)\b(https?|ftp|mailto|javascript|data):", r"\1&#58;", line)
    line = re.sub(r"(?i)\bwww\.", "www&#46;", line)
    return _NUMBERED.sub(r"\1\\\2", _OPENING.sub(r"\\\1", line))


def _state_line(result: AskResult, say: Words) -> str:
    state = say.states.get(result.status, result.status)
    return f"*{say.status}{say.colon}{state} · {_origin_line(result, say)}*"


def _origin_line(result: AskResult, say: Words) -> str:
    return say.origin_line(len(result.evidence), len(result.origins))


def _answer(result: AskResult, numbers: Mapping[str, int], say: Words) -> Iterator[str]:
    yield f"## {say.answer}"
    if not result.answer:
        yield say.no_answer
    for sentence in result.answer:
        yield f"{_sentence(sentence, numbers)}  \n<sub>{say.verdict(sentence.verdict)}</sub>"


def _sentence(sentence: Sentence, numbers: Mapping[str, int]) -> str:
    return escaped(sentence.text) + "".join(f"[^{number}]" for number in marks(sentence, numbers))


def _contested(
    contested: tuple[Contested, ...], numbers: Mapping[str, int], say: Words
) -> Iterator[str]:
    if not contested:
        return
    yield f"## {say.contested}"
    for each in contested:
        yield f"**{escaped(each.point)}**"
        head = " | ".join(escaped(" · ".join(who(side, say.undated))) for side in each.sides)
        rule = " | ".join("---" for _ in each.sides)
        row = " | ".join(_sentence(side, numbers) for side in each.sides)
        yield f"| {head} |\n| {rule} |\n| {row} |"


def _recalled(each: Recalled, say: Words) -> str:
    """What memory held, apart from the answer: it supports nothing there."""
    change = say.changes[each.change] + (f" ({say.changed(each.why)})" if each.why else "")
    about = f"{say.learned} {each.learned_at:%Y-%m-%d} · {change}"
    return _pair(each.text, about, say)


def _pair(first: str, second: str, say: Words) -> str:
    return f"{escaped(first)} — {escaped(second)}" if second else escaped(first)


def listed(title: str, items: list[str]) -> Iterator[str]:
    """A section of points; without any it leaves no trace."""
    if items:
        yield f"## {title}"
        yield "\n".join(f"- {item}" for item in items)


def _degraded(result: AskResult, say: Words) -> Iterator[str]:
    items = [
        f"{escaped(each.part)} ({escaped(each.code)}){say.colon}{escaped(each.reason)} — "
        f"{say.instead}{say.colon}{escaped(each.instead)}"
        for each in result.degraded
    ]
    yield from listed(say.degraded, items)


def _origins(result: AskResult, say: Words) -> Iterator[str]:
    """Only origins with descendants say something that the list of sources does not."""
    names = {each.id: _named(each) for each in result.evidence}
    lines = [line for origin in result.origins for line in _lineage(origin, names, say)]
    yield from listed(_origin_line(result, say), lines)


def _lineage(origin: Origin, names: dict[str, str], say: Words) -> Iterator[str]:
    for each in origin.lineage:
        how = say.lineage.get(each.how, each.how)
        yield f"{names.get(each.evidence_id, '?')} — *{how}* — {names.get(each.of, '?')}"


def _flagged(result: AskResult, say: Words) -> Iterator[str]:
    items = [
        f"{say.flags.get(name) or escaped(name)}{say.colon}"
        + ", ".join(_named(each) for each in found)
        for name, found in flagged(result)
    ]
    yield from listed(say.flagged[:1].upper() + say.flagged[1:], items)


def _named(evidence: EvidenceView) -> str:
    return escaped(f"{shown_publisher(evidence.publisher, evidence.url)}: {evidence.title}")


def _footnotes(cited: tuple[Source, ...], say: Words) -> Iterator[str]:
    if not cited:
        return
    yield f"## {say.sources}"
    for source in cited:
        about = [escaped(source.publisher), day(source.published_at) or say.undated]
        about.append(say.tiers.get(source.tier, source.tier))
        about += [escaped(flag) for flag in say.listed(source.flags)]
        if source.credibility is not None:
            about.append(f"{say.credibility} {source.credibility:.2f}")
        head = f"[^{source.number}]: {_titled(source, say)} — {' · '.join(about)}"
        quotes = "".join(f"\n\n    > “{escaped(quote)}”" for quote in source.quotes)
        yield head + quotes


def _titled(source: Source, say: Words) -> str:
    title = escaped(source.title or source.url)
    link = web_link(source.url)
    if link is None:
        name = local_name(source.url)
        return f"{title} ({say.local_file} {escaped(name)})" if name else title
    return f"[{title}]({destination(link)})"


def _foot(result: AskResult, say: Words) -> str:
    checks = say.checks.format(**result.checks.model_dump())
    mind = say.embedded if result.reasoner == "embedded" else escaped(result.reasoner)
    more = uncited(result)
    lines = [
        checks,
        f"{say.reasoner}{say.colon}{mind} · ${result.cost.usd:.4f} · "
        f"{result.cost.calls} {say.calls} · {result.cost.cached} {say.cached} · "
        f"{say.run} `{result.run_id}`",
    ]
    if more:
        named = ", ".join(escaped(each) for each in publishers(more))
        lines.append(f"{say.also_read}{say.colon}{named}")
    lines.append(say.made_by)
    return "  \n".join(lines)
