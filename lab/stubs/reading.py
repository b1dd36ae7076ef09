"""How the reader of adjustable skill answers the questions about a message."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lab.stubs.brain import Prompt
from lab.stubs.keys import (
    STANCES,
    MessageKey,
    PageKey,
    Stance,
    fold,
    knowing,
    stretch_in,
)
from lab.stubs.messages import choose_tools, classify, offered_types
from lab.stubs.passages import (
    Shown,
    asked_pairs,
    best_sentence,
    claims_in,
    claims_meant,
    first_sentence,
    message_in,
    page_of,
    passages_in,
)
from lab.stubs.skill import Skill
from lab.stubs.terms import Json, is_chinese, terms

_ROUND = re.compile(r"(?m)^(?:Round |第)(\d+)")
_MONEY = re.compile(
    r"(?i)(?:[$€£¥]|US\$|NT\$|HK\$)\s?\d[\d,.]*\d?(?:\s?(?:million|billion|trillion|bn|[mkb])\b)?"
    r"|\d[\d,.]*\s?[万亿萬億]*\s?(?:美元|欧元|歐元|英镑|英鎊|元)"
)
_FIGURE = re.compile(r"\d+")
_HEDGED = re.compile(
    r"(?i)\b(?:may|might|could|reportedly|rumou?r\w*|unconfirmed|allegedly)\b|或将|或將|据传|據傳|传闻|傳聞|疑似"
)
_LONGEST_KEYWORDS = 380
_MOST_SENTENCES = 3
_NEAR = 0.3  # share of the words of a claim, or of the key's quote, that a sentence must have


def classified(prompt: Prompt, keys: Sequence[MessageKey], skill: Skill) -> dict[str, Json] | None:
    """Give the event type of the key; wrong: another type of the same profile, and no asset."""
    key = knowing(keys, "event_type")
    if key is None:
        return None
    message = message_in(prompt.text)
    offered = offered_types(prompt.text.replace(message, ""))
    first = classify(prompt, None)
    right = key.event_type[0]
    profile = _profile(key, offered, right, str(first["profile"]))
    named = [next((n for n in names if stretch_in(n, message)), "") for names in key.assets]
    assets: list[Json] = [each for each in named if each]
    if not assets and isinstance(first["assets"], list):
        assets = first["assets"]
    wrong = [each for each in offered.get(profile, ()) if each not in key.event_type]
    erring = bool(wrong) and skill.errs("classify_message", message)
    amounts: list[Json] = [*dict.fromkeys(match[0].strip() for match in _MONEY.finditer(message))]
    hedged = bool(_HEDGED.search(message))
    return {
        **first,
        "profile": profile,
        "event_type": skill.pick(wrong, "classify_message", message) if erring else right,
        "assets": [] if erring else assets,
        "asset_name": "" if erring or not assets else assets[0],
        "confidence": 0.4 if hedged else 0.65 if amounts else 0.5,
        "risk_flags": ["hedged"] if hedged else [],
        "amounts": amounts,
    }


def _profile(key: MessageKey, offered: dict[str, list[str]], kind: str, guessed: str) -> str:
    """Return the profile that the type belongs to; of several, the one that the words speak for."""
    fitting = [name for name, types in offered.items() if kind in types]
    known = [name for name in key.profile or fitting if name in offered]
    return guessed if guessed in known or not known else known[0]


def extracted(prompt: Prompt, keys: Sequence[MessageKey], skill: Skill) -> list[str] | None:
    """List the claims of the key; wrong: half of them, of a single one or of the message its first half."""
    key = knowing(keys, "claims")
    if key is None:
        return None
    message = message_in(prompt.text)
    if not skill.errs("extract_claims", message):
        return list(key.claims)
    if len(key.claims) > 1:
        return list(key.claims[: len(key.claims) // 2])
    return [_first_half(claim) for claim in key.claims or (message,)]


def _first_half(claim: str) -> str:
    words = claim.split()
    if len(words) > 3:
        return " ".join(words[: len(words) // 2])
    return claim[: max(2, len(claim) // 2)]


def chosen_tools(
    prompt: Prompt, keys: Sequence[MessageKey], skill: Skill
) -> dict[str, Json] | None:
    """Choose tools and key words; wrong: no tool, and key words without the main name."""
    key = knowing(keys, "keywords", "tools", "claims")
    if key is None:
        return None
    message = message_in(prompt.text)
    plain = choose_tools(prompt, None)
    allowed = plain["tools"] if isinstance(plain["tools"], list) else []
    erring = skill.errs("decide_tools", message)
    round_found = _ROUND.search(prompt.text)
    looks = ("search", *key.measured) if round_found is None or round_found[1] == "1" else ()
    wanted = looks if key.tools is None else key.tools
    keywords = _keywords(key, message)
    if erring:
        keywords = _without_main_name(keywords, key, message)
    return {
        "tools": [] if erring else [each for each in allowed if each in wanted],
        "search_keywords": keywords,
        "reason": "not looked at yet" if looks else "nothing new to expect",
    }


def _keywords(key: MessageKey, message: str) -> str:
    """Write the words of the key; without any, those that find the pages that take a side."""
    parts = [names[0] for names in key.keywords]
    if not parts:
        sided = [page for page in key.pages if any(r.stance != "unrelated" for r in page.readings)]
        texts = [*(key.claims or (message,)), *(page.title for page in sided)]
        parts = [word for text in texts for word in _words(text)]
    kept: list[str] = []
    for word in dict.fromkeys(parts):
        if len(" ".join((*kept, word))) <= _LONGEST_KEYWORDS:
            kept.append(word)
    return " ".join(kept)


def _words(text: str) -> list[str]:
    """Split into words without stop words; Chinese at its punctuation."""
    pieces = re.split(r"[\s,;:!?()\"“”‘’，。；：！？（）、《》「」]+", text)
    return [piece.strip(".'") for piece in pieces if terms(piece)]


def _without_main_name(keywords: str, key: MessageKey, message: str) -> str:
    names = [each for group in (*key.keywords[:1], *key.assets[:1]) for each in group]
    names += [match[0] for match in re.finditer(r"[A-Z][\w.]+(?: [A-Z][\w.]+)*", keywords)][:1]
    for name in (*names, *_words(" ".join(names))):
        keywords = keywords.replace(name, " ")
    left = " ".join(keywords.split())
    return left or " ".join(terms(message)[-3:]) or "official"


def weighed(
    prompt: Prompt, keys: Sequence[MessageKey], skill: Skill, question: str
) -> dict[str, Json] | None:
    """Read each passage beside its claims; wrong: another stance, with words that do stand there.

    Where every claim is to be read, only those that a passage bears on are listed.
    """
    if knowing(keys, "pages") is None:
        return None
    shown = {each.number: each for each in passages_in(prompt.text)}
    message = message_in(prompt.text)
    claims = claims_in(prompt.text) or {1: message}
    listed = asked_pairs(prompt.text)
    pairs = listed or [(number, claim) for number in shown for claim in claims]
    rows: dict[tuple[int, int], tuple[Stance, str]] = {}
    for number, claim in pairs:
        if number in shown:
            asked = claims.get(claim, message)
            rows[number, claim] = read_passage(shown[number], asked, keys, skill, question)
    bearing = {number for (number, _), (label, _) in rows.items() if label != "unrelated"}
    stances: list[Json] = [
        {"passage": number, "claim": claim, "stance": label, "quote": quote}
        for (number, claim), (label, quote) in rows.items()
        if listed or label != "unrelated" or (number not in bearing and claim == min(claims))
    ]
    same = is_chinese(message)
    told = [(number, q) for (number, _), (_, q) in rows.items() if q and is_chinese(q) == same]
    return {"stances": stances, "sentences": _told(told, message, skill)}


def read_passage(
    shown: Shown, asked: str, keys: Sequence[MessageKey], skill: Skill, question: str
) -> tuple[Stance, str]:
    """Say what a passage says of a claim, with the words that show it."""
    found = page_of(shown, keys)
    label: Stance = "unrelated"
    quote = ""
    page_text = shown.text
    if found is not None:
        key, page = found
        page_text = page.text
        places = claims_meant(asked, key.claims)
        label, quote = _joined([_one_reading(page, place, asked, shown) for place in places])
    item = (fold(asked)[0], fold(page_text)[0])
    if not skill.errs(question, *item):
        return label, quote
    _, near = best_sentence(shown.text, asked)
    quote = quote or near or first_sentence(shown.text)
    wrong: list[Stance] = [each for each in STANCES if each != label]
    wrong = [each for each in wrong if quote or each == "unrelated"]
    if not wrong:
        return label, quote
    label = skill.pick(wrong, question, *item)
    return label, "" if label == "unrelated" else quote


def _one_reading(page: PageKey, claim: int, asked: str, shown: Shown) -> tuple[Stance, str]:
    """Take the reading whose words are shown; else one with the best sentence, where it comes near.

    A key without words, or with those of the headline, is for the whole passage: the best sentence
    stands for it, however far.
    """
    sides = [each for each in page.readings if each.claim == claim and each.stance != "unrelated"]
    for each in sides:
        if quote := stretch_in(each.quote, shown.text):
            return each.stance, quote
    best = _NEAR
    chosen: tuple[Stance, str] = ("unrelated", "")
    for each in sides:
        share, quote = best_sentence(shown.text, each.quote, asked)
        if not each.quote or stretch_in(each.quote, shown.head):
            return each.stance, quote or first_sentence(shown.text)
        if share >= best:
            best = share
            chosen = (each.stance, quote)
    return chosen


def _joined(readings: Sequence[tuple[Stance, str]]) -> tuple[Stance, str]:
    """Read a claim of several parts: one part that is contradicted sinks it, all must be supported."""
    labels = {label for label, _ in readings}
    if len(labels) == 1:
        return readings[0]
    against = [row for row in readings if row[0] == "contradicts"]
    if against:
        return against[0]
    quote = next(quote for label, quote in readings if label != "unrelated")
    return "rumour" if labels == {"rumour", "unrelated"} else "qualifies", quote


def _told(sided: Sequence[tuple[int, str]], message: str, skill: Skill) -> Json:
    """Tell what the quotes say; wrong: with another figure, or as if it were denied."""
    drafts: list[Json] = []
    told: list[str] = []
    for number, quote in sided:
        if quote in told or len(told) == _MOST_SENTENCES:
            continue
        told.append(quote)
        text = " ".join(quote.split())
        if skill.errs("sentences", message, quote):
            text = falsified(text)
        drafts.append({"text": text, "passage": number, "quote": quote})
    return drafts


def falsified(text: str) -> str:
    """Make a sentence false: another figure, or its denial."""
    if _FIGURE.search(text):
        return _FIGURE.sub(lambda found: str(int(found[0]) * 3 + 7), text, count=1)
    return f"并非如此：{text}" if is_chinese(text) else f"It is not true that {text}"
