"""Which tools to look into a message with, and which words to search for: within the policy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pydantic import Field

from groundwire.evidence.messages.profiles import Bilingual, profiles
from groundwire.evidence.sources.official import entities_in
from groundwire.jobs.verify.messages import excerpt
from groundwire.jobs.verify.signal import Preliminary
from groundwire.language.text.links import has_link, without_links
from groundwire.language.text.script import in_script
from groundwire.model.base import JsonObject, Value
from groundwire.model.history import PastEvent
from groundwire.model.phrase import Phrase, phrase
from groundwire.model.tool import ToolName
from groundwire.reasoning.exam import Exam
from groundwire.reasoning.exam_words import clean_share, share
from groundwire.reasoning.passages import enclosed
from groundwire.reasoning.plan_queries import in_both_languages
from groundwire.reasoning.question import Question

LONGEST_KEYWORDS = 380  # Tavily refuses more than 400 characters
_MOST_NAMES, _MOST_EVENT_WORDS = 4, 4
_MOST_EVENTS = 3  # of memory
# Every page of the press calls itself news or a report: such words find nothing.
_FILLER = frozenset(
    {
        *("news", "message", "report", "reports", "reported", "breaking", "latest", "rumor"),
        *("rumour", "update", "消息", "新闻", "报道", "快讯", "最新", "突发", "传闻", "据悉"),
        *("网传", "爆料", "独家", "刚刚", "消息人士", "消息", "新聞", "報道", "報導", "快訊"),
    }
)


class DecideInput(Value):
    """A message with its first impression, what the policy allows, and what is known so far."""

    message: str
    language: str
    claim: str = ""  # its main one
    event_type: str
    confidence: float = 0.0  # of the first impression
    memory: tuple[PastEvent, ...] = ()  # similar events, the nearest first
    asset: str = ""
    names: tuple[str, ...] = ()  # of assets and parties, the main one first
    amounts: tuple[str, ...] = ()
    event_words: tuple[str, ...] = ()  # of the type, in both languages
    official_words: tuple[str, ...] = ()
    forced: tuple[ToolName, ...] = ()
    allowed: tuple[ToolName, ...] = ()
    searched: bool = False
    so_far: str = ""  # counts of evidence by stance; no text of pages
    claims: tuple[str, ...] = ()  # all of them, the main one first
    searches: tuple[str, ...] = ()  # what was searched before, and how much it brought
    pages: tuple[str, ...] = ()  # the best pages so far: day, publisher, title, stance
    calls_left: int = 0
    search_usd: float = 0.0
    round: int = 1
    max_rounds: int = 3


class decide_next_tools(Value):
    """Which tools run next; its name is that of the function that models call."""

    tools: tuple[str, ...] = Field(description="names among the allowed tools, or none")
    search_keywords: str = Field(
        description="words for the search in Chinese and English; always given"
    )
    reason: str = Field(description="one short sentence")


def _variables(given: DecideInput, seed: str) -> Mapping[str, str]:
    before = (*given.searches, *given.pages)
    return {
        "message": enclosed(_told(given), seed),
        "language": given.language,
        "event_type": given.event_type,
        "confidence": f"{given.confidence:.2f}",
        "memory": _remembered(given, seed),
        "asset": given.asset or "-",
        "forced": ", ".join(given.forced) or "-",
        "allowed": ", ".join(given.allowed) or "-",
        "so_far": given.so_far or "-",
        "before": enclosed("\n".join(before), seed) if before else "-",
        "calls_left": str(given.calls_left),
        "search_usd": f"{given.search_usd:.3f}",
        "round": str(given.round),
        "max_rounds": str(given.max_rounds),
    }


def _told(given: DecideInput) -> str:
    """Return the message; of a long one its claims and its beginning."""
    short = excerpt(given.message)
    if short == given.message:
        return short
    return "\n".join((*(f"- {each}" for each in given.claims), short))


def _remembered(given: DecideInput, seed: str) -> str:
    """List similar events, one a line: their verdict, and how they ended where known.

    Their summaries come from messages, so they are enclosed as data like the message itself.
    """
    lines = [
        f"- {event.similarity:.2f} | {event.verdict} {event.confidence:.2f}"
        f" | {event.outcome or '?'} | {event.age_hours:.0f} h | {' '.join(event.summary.split())}"
        for event in given.memory[:_MOST_EVENTS]
    ]
    return enclosed("\n".join(lines), seed) if lines else "-"


def _fault_of(given: DecideInput, found: decide_next_tools) -> Phrase | None:
    if has_link(found.search_keywords) or has_link(found.reason):
        return phrase("fault.link")
    if len(found.search_keywords) > LONGEST_KEYWORDS:
        return phrase("fault.long_keywords", n=LONGEST_KEYWORDS)
    searching = "search" in given.forced or "search" in found.tools
    if searching and not keywords_of(found.search_keywords):
        return phrase("fault.no_keywords")
    return None


def search_names(preliminary: Preliminary, text: str) -> tuple[str, ...]:
    """Return both names of the asset, then the parties named in the message, in both languages."""
    parties = [
        name.removeprefix("~")
        for party in entities_in(text)
        # Whoever is known by the asset's ticker makes it: BTC names no Bitcoin Core.
        if preliminary.asset not in party.tickers
        for name in (*party.en[:1], *party.zh_hans[:1])
    ]
    names = (preliminary.asset_name, preliminary.asset, *parties)
    return tuple(dict.fromkeys(name for name in names if name))


def keywords_of(text: str) -> str:
    """Clean words for a search: no address, no filler, short enough for every provider."""
    kept: dict[str, str] = {}
    for long in without_links(text).split():
        word = long[:LONGEST_KEYWORDS]
        bare = word.strip(",.;:!?，。；：！？、").casefold()
        if not bare or bare in _FILLER or bare in kept:
            continue
        if len(" ".join((*kept.values(), word))) > LONGEST_KEYWORDS:
            break
        kept[bare] = word
    return " ".join(kept.values())


# The kinds of event that each measuring tool can say something about.
_MEASURES: dict[str, tuple[str, ...]] = {
    "price": ("depeg", "liquidation", "market"),
    "onchain": ("depeg", "hack"),
    "macro": ("macro", "market", "policy"),
}


def _embedded(given: DecideInput) -> decide_next_tools:
    """Search once for everything that the policy leaves open, never twice for the same words."""
    tools = tuple(
        tool
        for tool in given.allowed
        if not given.searched and (tool == "search" or given.event_type in _MEASURES[tool])
    )
    return decide_next_tools(
        tools=tools,
        search_keywords=keywords_of(" ".join(_words(given))),
        reason="searched_already" if given.searched else "not_searched_yet",
    )


def _words(given: DecideInput) -> Iterator[str]:
    """Yield what the message says in both languages, then names, amounts, words of its type."""
    own_words, translated = in_both_languages(given.claim or given.message)
    yield own_words
    yield from (name for name in given.names[:_MOST_NAMES] if name)
    yield translated
    yield from given.amounts[:2]
    yield from given.event_words[:_MOST_EVENT_WORDS]
    yield from given.official_words[:_MOST_EVENT_WORDS]


def _read(given: JsonObject) -> DecideInput:
    """Read an item, with the words of its type of event that a run would give."""
    item = DecideInput.model_validate(given)
    kinds = [kind for each in profiles() for kind in each.types if kind.name == item.event_type]
    if not kinds or item.event_words or item.official_words:
        return item
    return item.model_copy(
        update={
            "event_words": _bilingual(kinds[0].queries, item.language),
            "official_words": _bilingual(kinds[0].official, item.language),
        }
    )


def _bilingual(words: Bilingual, language: str) -> tuple[str, ...]:
    return (*words.en, *in_script(words.zh, language))


class _Expected(Value):
    keywords: tuple[tuple[str, ...], ...] = ()  # of each group one
    without: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    not_tools: tuple[str, ...] = ()


_WORDS_WORTH, _TOOLS_WORTH, _CLEAN_WORTH = 0.6, 0.25, 0.15


def _score(given: DecideInput, found: decide_next_tools, expect: JsonObject) -> float:
    """Score the words that the search would use, and the tools beside those that are forced."""
    expected = _Expected.model_validate(expect)
    words = keywords_of(found.search_keywords)
    running = {*given.forced, *found.tools}
    judged = [tool in running for tool in expected.tools]
    judged += [tool not in running for tool in expected.not_tools]
    tools = sum(judged) / len(judged) if judged else 1.0
    covered = share(words, expected.keywords)
    clean = clean_share(words, expected.without) if words else 0.0
    return _WORDS_WORTH * covered + _TOOLS_WORTH * tools + _CLEAN_WORTH * clean


QUESTION: Question[DecideInput, decide_next_tools] = Question(
    prompt="verify/decide_tools",
    tier="light",
    output=decide_next_tools,
    variables=_variables,
    embedded=_embedded,
    fault_of=_fault_of,
    prose=lambda _found: "",  # keywords are in both languages on purpose
    exam=Exam(items="verify/decide_tools", read=_read, score=_score),
)
