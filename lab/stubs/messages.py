"""How the model stub answers the questions of verify: event type, tools, stances of passages."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

from lab.stubs.brain import Prompt, Schema
from lab.stubs.terms import Json, is_chinese, sentences, terms

_BLOCK = re.compile(r"<<data (\w+)>>\n(.*?)\n<</data \1>>", re.DOTALL)
_CLAIM = re.compile(r"^\((\d+)\) (.+)$", re.MULTILINE)
_PAIR = re.compile(r"^【 ?(\d+)】→ \((\d+)\)$", re.MULTILINE)
_ALLOWED = re.compile(r"(?m)^(?:Allowed tools|可用工具|允许的工具)[:：] *(.*)$")
_NAME = re.compile(r"\$?[A-Z][A-Za-z0-9.]+(?: [A-Z][A-Za-z0-9.]+)*")
_SYMBOL = re.compile(r"\$([A-Z]{2,6})\b|[(（]([A-Z]{2,6})[)）]")
_LOUD = frozenset({"JUST", "BREAKING", "NEW", "NOW", "THE", "UPDATE", "IN", "ALERT", "URGENT"})
_LISTED = re.compile(r'(?m)^(?:"([a-z0-9_]+)" \(|- ([a-z0-9_]+): )')
_COINS = re.compile(
    r"(?i)crypto|token|coin|\b(?:btc|eth|usd[ct])\b|defi|on-?chain|[币幣]|链上|鏈上|\$[A-Z]{2,6}\b"
)
_LINK = "https://invented.example/proof"
_SAME, _NEAR = 0.45, 0.25  # share of a claim's words found in a sentence

# Not the product's own word lists: the stub should make mistakes of its own.
_TYPES: dict[str, list[str]] = json.loads(
    Path(__file__).with_name("event_words.json").read_text(encoding="utf-8")
)
_DENIED = re.compile(
    r"(?i)\bdenie[sd]?\b|\bdeny|\bfalse\b|\bnot true\b|\bno plans?\b|\bfake\b|\bhoax\b|retract"
    r"|否认|不实|谣言|辟谣|假消息|撤回|并未|从未|澄清|否認|謠言|闢謠"
)
_HEDGED = re.compile(
    r"(?i)\bmay\b|\bmight\b|\bcould\b|\breportedly\b|\bunconfirmed\b|\brumou?r|\bestimat|\bproposed?\b"
    r"|\bat least\b|\bexpected\b|可能|或将|据传|传闻|未证实|未经证实|估计|预计|拟|至少|傳聞|未證實|預計"
)


def answer_verify(schema: Schema, prompt: Prompt, lie: str | None = None) -> dict[str, Json] | None:
    """Answer a question of verify with its fields; return None for any other question."""
    known = schema.get("properties")
    if not isinstance(known, dict):
        return None
    if {"tools", "search_keywords"} <= known.keys():
        return choose_tools(prompt, lie)
    if "stances" in known:
        return judge_stances(prompt, lie, with_sentences="sentences" in known)
    if known.keys() == {"claims"}:
        return {"claims": extract_claims(prompt, lie)}
    if {"profile", "event_type"} <= known.keys():
        return classify(prompt, lie)
    if known.keys() == {"text"}:
        return {"text": message_of(prompt)}
    return None


def message_of(prompt: Prompt) -> str:
    """Return the message: the first block of data in the prompt."""
    found = _BLOCK.search(prompt.text)
    return found[2].strip() if found else prompt.question


def classify(prompt: Prompt, lie: str | None) -> dict[str, Json]:
    """Form a first impression from a few words; a lying model is always sure."""
    text = message_of(prompt)
    low = text.lower()
    offered = offered_types(prompt.text.replace(text, ""))
    coins = "crypto" in offered and _COINS.search(text)
    profile = "crypto" if coins else next(reversed(offered), "general")
    counts = {name: sum(word in low for word in words) for name, words in _TYPES.items()}
    known = [name for name in offered.get(profile, ()) if counts.get(name)]
    names = [match[0] for match in _NAME.finditer(text)]
    symbols = [match[1] or match[2] for match in _SYMBOL.finditer(text)]
    main = (symbols or [name for name in names if name.split()[0].upper() not in _LOUD] or [""])[0]
    confidence = 0.45 if _HEDGED.search(text) else 0.7
    keywords: list[Json] = [*dict.fromkeys(names)]
    return {
        "profile": profile,
        "event_type": max(known, key=lambda name: counts[name]) if known else "other",
        "assets": [main] if main else [],
        "asset_name": main,
        "action": "observe",
        "direction": "neutral",
        "confidence": confidence if lie is None else 1.0,
        "summary": f"{text[:120]} {_LINK}" if lie == "url" else text[:160],
        "keywords": keywords[:6],
    }


def offered_types(text: str) -> dict[str, list[str]]:
    """List the event types of each profile that the prompt offers."""
    found: dict[str, list[str]] = {}
    for match in _LISTED.finditer(text):
        if match[1]:
            found[match[1]] = []
        elif found:
            found[next(reversed(found))].append(match[2])
    return found


def choose_tools(prompt: Prompt, lie: str | None) -> dict[str, Json]:
    """Choose every allowed tool; a lying model also names tools that do not exist."""
    found = _ALLOWED.search(prompt.text)
    allowed = [each.strip() for each in (found[1] if found else "").split(",")]
    tools: list[Json] = [each for each in allowed if each not in ("", "-")]
    text = message_of(prompt)
    words = [*(match[0] for match in _NAME.finditer(text)), *dict.fromkeys(terms(text))]
    keywords = " ".join(dict.fromkeys(words))[:300]
    if lie is not None:
        tools = ["shell", "browser", *tools]
    if lie == "url":
        keywords = f"{_LINK} {keywords}"
    return {"tools": tools, "search_keywords": keywords, "reason": "not looked at yet"}


def extract_claims(prompt: Prompt, lie: str | None) -> list[Json]:
    """Take the first sentences of the message for its claims; a lying model makes one up."""
    if lie is not None:
        return ["The issuer repaid all users in full"]
    found: list[Json] = [each.strip() for each in sentences(message_of(prompt))]
    return found[:2]


def judge_stances(prompt: Prompt, lie: str | None, *, with_sentences: bool) -> dict[str, Json]:
    """Give each passage a stance by shared words, denials and hedges; a lying model supports all."""
    claims = {int(match[1]): match[2] for match in _CLAIM.finditer(prompt.text)}
    texts = dict(prompt.passages)
    listed = [(int(match[1]), int(match[2])) for match in _PAIR.finditer(prompt.text)]
    stances: list[Json] = []
    quotes: list[tuple[int, str]] = []
    for number, place in listed or [(number, 0) for number in texts]:
        text = texts[number]
        claim = place or _nearest_claim(claims, text)
        label, quote = _stance(claims.get(claim, message_of(prompt)), text)
        if lie is not None:
            first = next((each for each in sentences(text) if len(each) > 8), "")
            label, quote = "supports", first
        stances.append({"passage": number, "claim": claim, "stance": label, "quote": quote})
        if quote and is_chinese(quote) == is_chinese(message_of(prompt)):
            quotes.append((number, quote))
    answer: dict[str, Json] = {"stances": stances}
    if with_sentences:
        answer["sentences"] = _write_sentences(quotes, lie)
    return answer


def _nearest_claim(claims: dict[int, str], text: str) -> int:
    """Return the number of the claim that shares most words with a passage."""
    shared = {n: len(set(terms(claim)) & set(terms(text))) for n, claim in claims.items()}
    return max(shared, key=lambda number: (shared[number], -number), default=1)


def _write_sentences(quotes: Sequence[tuple[int, str]], lie: str | None) -> Json:
    drafts: list[Json] = []
    for number, quote in quotes[:3]:
        text = " ".join(quote.split())
        if lie in ("", "quote"):
            text = (
                "官方已全额赔付。" if is_chinese(quote) else "The issuer repaid all users in full."
            )
        if lie == "url":
            text = f"{text} {_LINK}"
        drafts.append({"text": text, "passage": number, "quote": quote})
    return drafts


def _stance(claim: str, text: str) -> tuple[str, str]:
    wanted = set(terms(claim))
    best, quote = 0.0, ""
    for sentence in sentences(text):
        share = len(wanted & set(terms(sentence))) / max(len(wanted), 1)
        if share > best:
            best, quote = share, sentence
    if best < _NEAR:
        return "unrelated", ""
    if _DENIED.search(quote) and not _DENIED.search(claim):
        return "contradicts", quote
    if best < _SAME or (_HEDGED.search(quote) and not _HEDGED.search(claim)):
        return "qualifies", quote
    return "supports", quote
