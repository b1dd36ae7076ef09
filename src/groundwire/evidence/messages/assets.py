"""What a message is about: coins, tokens, protocols and exchanges, or the main entity; the main one first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from groundwire.evidence.messages.main_entities import Mention, main_entities
from groundwire.evidence.messages.noise import LINK, is_shouted
from groundwire.evidence.messages.profiles import OTHER, AssetSpelling, Profile
from groundwire.language.names.subjects import chinese_venues, opening
from groundwire.language.text.characters import folded, normalise
from groundwire.language.text.phrases import patterns
from groundwire.language.text.spans import overlaps
from groundwire.language.text.wording import is_han

MOST = 8
_said = patterns("assets.txt", "groundwire.evidence.data")


def assets_in(
    text: str, given: Profile, event_type: str = "", language: str = "en"
) -> tuple[Mention, ...]:
    """Every asset of the text, the one that the event happens to first."""
    written = LINK.sub(" ", text)
    normal = normalise(written)
    flat = normal.text
    if not given.assets:
        entities = main_entities(normal, written, given, event_type, language)
        return tuple(each for each, _ in entities[:MOST])
    known = list(known_assets(flat, given, language))
    every = [*known, *_unknown(flat, given, [(each.start, each.end) for each in known])]
    first: dict[str, Mention] = {}
    for each in sorted(every, key=lambda mention: (mention.aside, mention.start)):
        first.setdefault(each.symbol, each)
    hit = given.type(event_type).happens_to if event_type in given.type_names else ()
    ranked = sorted(
        first.values(),
        key=lambda each: (each.aside, bool(hit) and each.kind not in hit, each.start),
    )
    if event_type not in ("", OTHER) and all(each.aside for each in ranked):
        # A house without a token of its own, or one that no list has.
        taken = [each.start for each in every]
        named = [
            each._replace(kind="unknown")
            for each, weak in main_entities(normal, written, given, event_type, language)
            if not (each.aside or weak or each.start in taken)
        ]
        ranked = [*named[:1], *ranked]
    return tuple(ranked[:MOST])


def asset_signs(text: str, given: Profile) -> float:
    """How far the assets that a text names show that it belongs to the profile.

    One that is named beyond doubt is enough (3), one that what stands around it bears out nearly
    so (2); a token of no list counts as the latter, a company that does much else for little (1).
    """
    flat = normalise(LINK.sub(" ", text)).text
    low = folded(flat)
    index = given.asset_words
    signs: dict[str, float] = {}
    for start, end, word in index.lexicon.find(low):
        form = index.of[word]
        weight = 0.0
        if flat[start - 1 : start] in _TAGS or (
            not form.unsure and _is_written(flat, start, end, form)
        ):
            weight = 3.0
        elif form.unsure and _is_borne_out(flat, low, start, end, form):
            named = not form.symbol and _is_among_chinese(flat, start, end)
            weight = 3.0 if named or form.asset.kind in ("exchange", "wallet") else 2.0
        if form.asset.kind == "issuer":
            weight = min(weight, 1.0)
        signs[form.asset.id] = max(weight, signs.get(form.asset.id, 0.0))
    if _FIELD_NAME.search(flat):
        signs[""] = 3.0
    if is_stablecoin(flat):
        signs["USD"] = 3.0
    venue = any(
        not _said["other venue"].search(flat[at:end]) for at, end, _ in chinese_venues(flat)
    )
    return sum(signs.values()) + (2.0 if venue or _said["token"].search(flat) else 0.0)


def is_stablecoin(flat: str) -> bool:
    """Whether something is named as stablecoins are, after the dollar: USDX, crvUSD."""
    return _DOLLAR_COIN.search(flat) is not None


_DOLLAR_COIN = re.compile(
    r"(?<![A-Za-z0-9])(?:USD[A-Za-z](?![A-Za-z0-9])"
    r"|(?!AUD|EUR|GBP|NZD|XAU|XAG|BTC|ETH)[A-Za-z]{1,4}USD(?![A-Za-z0-9]))"
)
_PAIR_BEFORE = re.compile(r"[a-z0-9][/-]$")
# Where it happened, not what it happened to: on Solana, BSC-based, Solana 生态.
_PLACE_BEFORE = re.compile(r"(?:\bon (?:the )?|基于)$")
_PLACE_AFTER = re.compile(r"-based\b|(?:链)?(?:上的|链上|生态|二层|网络上)")
_TAGS = ("$", "#")
_NEAR = 32
_MANY_LETTERS = 13  # from which capitals may say nothing


def known_assets(flat: str, given: Profile, language: str) -> Iterator[Mention]:
    """Assets of the profile's list in a text in its normal form, in order, each time they are named."""
    low = folded(flat)
    index = given.asset_words
    hits = [(start, end, index.of[word]) for start, end, word in index.lexicon.find(low)]
    sure = {
        form.asset.id
        for start, end, form in hits
        if not form.unsure and _is_written(flat, start, end, form)
    }
    loud = is_shouted(flat, _MANY_LETTERS)
    for start, end, form in hits:
        written = flat[start:end]
        tagged = form.symbol and flat[start - 1 : start] in _TAGS
        if form.unsure and not tagged:
            silent = loud and written.isascii()
            borne_out = form.asset.id in sure or (
                not silent and _is_borne_out(flat, low, start, end, form)
            )
            if not borne_out or written.islower():
                continue
        elif not tagged and not _is_written(flat, start, end, form):
            continue
        before = low[max(0, start - 24) : start]
        aside = bool(
            (_said["amount before"].search(before) and (form.symbol or form.asset.kind == "coin"))
            or _PAIR_BEFORE.search(before)
            or (form.asset.kind != "exchange" and _PLACE_BEFORE.search(before))
            or _PLACE_AFTER.match(low, end)
        )
        asset = form.asset
        yield Mention(asset.id, asset.name_in(language), asset.kind, start, end, aside)


def _is_written(flat: str, start: int, end: int, form: AssetSpelling) -> bool:
    """Whether it stands here in a spelling that counts: symbols of two letters in capitals."""
    written = flat[start:end]
    return not form.symbol or len(written) > 2 or written.isupper()


def _is_borne_out(flat: str, low: str, start: int, end: int, form: AssetSpelling) -> bool:
    """Whether an ambiguous name is spelled as the asset's and stands by a word of its field."""
    if flat[start:end] not in (form.written, form.written.upper()) or len(form.written) < 2:
        return False
    if not form.symbol and len(form.written) > _SHORT and _is_among_chinese(flat, start, end):
        return True
    around = low[max(0, start - _NEAR) : start] + " \n " + low[end : end + _NEAR]
    return _said["by an asset"].search(around) is not None


_SHORT = 4


def _is_among_chinese(flat: str, start: int, end: int) -> bool:
    """Whether Chinese stands on a side: a word with a capital is a name there."""
    return is_han(flat[max(0, start - 1) : start]) or is_han(flat[end : end + 1])


# Tokens and protocols that no list has.
_WORDS = r"[A-Z][A-Za-z0-9]*(?:\.[a-z]{2,8})?(?:[ -][A-Z][A-Za-z0-9]*){0,2}"
_CASHTAG = re.compile(r"\$([A-Za-z][A-Za-z0-9]{1,11})(?![A-Za-z0-9])")
# Houses of the field often carry its name: CoinDash, BitPay, CryptoPunks.
_FIELD_NAME = re.compile(
    r"(?<![A-Za-z0-9])(?:Coin|Crypto|Bit(?!Torrent|Locker|Bucket|Keeper|Warden))[A-Z][A-Za-z]{2,}"
)
_NAMED = re.compile(
    r"(?:协议|跨链桥|交易所|公链|平台)([A-Z][A-Za-z0-9]{1,20}(?: [A-Z][A-Za-z0-9]{1,20})?)(?![A-Za-z0-9])"
)
_BRACKET = re.compile(rf"({_WORDS}) \(\$?([A-Z][A-Z0-9]{{1,9}})\)")


def _unknown(flat: str, given: Profile, taken: Sequence[tuple[int, int]]) -> Iterator[Mention]:
    taken = list(taken)
    for match in _BRACKET.finditer(flat):
        start, end = match.span()
        name, symbol = _said["openers"].sub("", match[1]), match[2]
        if folded(symbol) in given.no_assets or overlaps((start, end), taken):
            continue
        taken.append((start, end))
        yield Mention(symbol, name or symbol, "unknown", start, end, False)
    for pattern in (_CASHTAG, _said["token"], _NAMED, _said["listed"]):
        for match in pattern.finditer(flat):
            start, end = match.span(match.lastindex or 0)
            written = match[match.lastindex or 0]
            common = _said["openers"].match(written)
            size = common.end() if common else 0
            size += opening(written[size:])
            start, written = start + size, written[size:]
            if not written or folded(written) in given.no_assets:
                continue
            if overlaps((start, end), taken):
                continue
            symbol = written.upper() if pattern is _CASHTAG else written
            yield Mention(symbol, written, "unknown", start, end, False)
