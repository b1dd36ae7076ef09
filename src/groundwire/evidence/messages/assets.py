"""What a message is about: coins, tokens, protocols, exchanges or other entities, the main first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from groundwire.evidence.messages.main_entities import Mention, main_entities
from groundwire.evidence.messages.noise import LINK, is_shouted
from groundwire.evidence.messages.profiles import OTHER, AssetSpelling, Profile
from groundwire.language.names.subjects import chinese_venues, opening_length
from groundwire.language.text.characters import folded, normalise
from groundwire.language.text.phrases import patterns
from groundwire.language.text.spans import overlaps
from groundwire.language.text.wording import is_han

MOST = 8
_patterns = patterns("assets.txt", "groundwire.evidence.data")


def assets_in(
    text: str, profile: Profile, event_type: str = "", language: str = "en"
) -> tuple[Mention, ...]:
    """List every asset of the text, the one that the event happens to first."""
    written = LINK.sub(" ", text)
    normal = normalise(written)
    flat = normal.text
    if not profile.assets:
        entities = main_entities(normal, written, profile, event_type, language)
        return tuple(each for each, _ in entities[:MOST])
    known = list(known_assets(flat, profile, language))
    mentions = [*known, *_unknown(flat, profile, [(each.start, each.end) for each in known])]
    first_mentions: dict[str, Mention] = {}
    for each in sorted(mentions, key=lambda mention: (mention.aside, mention.start)):
        first_mentions.setdefault(each.symbol, each)
    affected = profile.type(event_type).happens_to if event_type in profile.type_names else ()
    ranked = sorted(
        first_mentions.values(),
        key=lambda each: (each.aside, bool(affected) and each.kind not in affected, each.start),
    )
    if event_type not in ("", OTHER) and all(each.aside for each in ranked):
        # A company without a token, or one that no list has.
        taken = [each.start for each in mentions]
        unlisted = [
            each._replace(kind="unknown")
            for each, weak in main_entities(normal, written, profile, event_type, language)
            if not (each.aside or weak or each.start in taken)
        ]
        ranked = [*unlisted[:1], *ranked]
    return tuple(ranked[:MOST])


def asset_signs(text: str, profile: Profile) -> float:
    """Measure how far the assets that a text names show that it belongs to the profile.

    One named beyond doubt is enough (3), one that its surroundings confirm nearly so (2); an
    unlisted token counts as the latter, a company that does much else counts little (1).
    """
    flat = normalise(LINK.sub(" ", text)).text
    low = folded(flat)
    index = profile.asset_words
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
        not _patterns["other venue"].search(flat[at:end]) for at, end, _ in chinese_venues(flat)
    )
    return sum(signs.values()) + (2.0 if venue or _patterns["token"].search(flat) else 0.0)


def is_stablecoin(flat: str) -> bool:
    """Tell whether something is named as stablecoins are, after the dollar: USDX, crvUSD."""
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
_MANY_LETTERS = 13  # letters from which capitals may mean nothing


def known_assets(flat: str, profile: Profile, language: str) -> Iterator[Mention]:
    """Yield each mention of a listed asset in a text in its normal form, in order."""
    low = folded(flat)
    index = profile.asset_words
    hits = [(start, end, index.of[word]) for start, end, word in index.lexicon.find(low)]
    sure = {
        form.asset.id
        for start, end, form in hits
        if not form.unsure and _is_written(flat, start, end, form)
    }
    shouted = is_shouted(flat, _MANY_LETTERS)
    for start, end, form in hits:
        written = flat[start:end]
        tagged = form.symbol and flat[start - 1 : start] in _TAGS
        if form.unsure and not tagged:
            uninformative = shouted and written.isascii()
            borne_out = form.asset.id in sure or (
                not uninformative and _is_borne_out(flat, low, start, end, form)
            )
            if not borne_out or written.islower():
                continue
        elif not tagged and not _is_written(flat, start, end, form):
            continue
        before, asset = low[max(0, start - 24) : start], form.asset
        counted = form.symbol or asset.kind == "coin"
        aside = bool(
            (counted and _patterns["amount before"].search(before))
            or _PAIR_BEFORE.search(before)
            or (asset.kind != "exchange" and _PLACE_BEFORE.search(before))
            or _PLACE_AFTER.match(low, end)
        )
        yield Mention(asset.id, asset.name_in(language), asset.kind, start, end, aside)


def _is_written(flat: str, start: int, end: int, form: AssetSpelling) -> bool:
    """Tell whether it stands here in a spelling that counts: two-letter symbols need capitals."""
    written = flat[start:end]
    return not form.symbol or len(written) > 2 or written.isupper()


def _is_borne_out(flat: str, low: str, start: int, end: int, form: AssetSpelling) -> bool:
    """Tell whether an ambiguous name is spelled as the asset's, by a word of its field."""
    if flat[start:end] not in (form.written, form.written.upper()) or len(form.written) < 2:
        return False
    if not form.symbol and len(form.written) > _SHORT and _is_among_chinese(flat, start, end):
        return True
    around = low[max(0, start - _NEAR) : start] + " \n " + low[end : end + _NEAR]
    return _patterns["by an asset"].search(around) is not None


_SHORT = 4


def _is_among_chinese(flat: str, start: int, end: int) -> bool:
    """Tell whether Chinese stands beside it: there, a capitalised word is a name."""
    return is_han(flat[max(0, start - 1) : start]) or is_han(flat[end : end + 1])


_WORDS = r"[A-Z][A-Za-z0-9]*(?:\.[a-z]{2,8})?(?:[ -][A-Z][A-Za-z0-9]*){0,2}"
_CASHTAG = re.compile(r"\$([A-Za-z][A-Za-z0-9]{1,11})(?![A-Za-z0-9])")
# Companies of the field often carry its name: CoinDash, BitPay, CryptoPunks.
_FIELD_NAME = re.compile(
    r"(?<![A-Za-z0-9])(?:Coin|Crypto|Bit(?!Torrent|Locker|Bucket|Keeper|Warden))[A-Z][A-Za-z]{2,}"
)
_NAMED = re.compile(
    r"(?:协议|跨链桥|交易所|公链|平台)([A-Z][A-Za-z0-9]{1,20}(?: [A-Z][A-Za-z0-9]{1,20})?)(?![A-Za-z0-9])"
)
_BRACKET = re.compile(rf"({_WORDS}) \(\$?([A-Z][A-Z0-9]{{1,9}})\)")


def _unknown(flat: str, profile: Profile, taken: Sequence[tuple[int, int]]) -> Iterator[Mention]:
    taken = list(taken)
    for match in _BRACKET.finditer(flat):
        start, end = match.span()
        name, symbol = _patterns["openers"].sub("", match[1]), match[2]
        if folded(symbol) in profile.no_assets or overlaps((start, end), taken):
            continue
        taken.append((start, end))
        yield Mention(symbol, name or symbol, "unknown", start, end, False)
    for pattern in (_CASHTAG, _patterns["token"], _NAMED, _patterns["listed"]):
        for match in pattern.finditer(flat):
            start, end = match.span(match.lastindex or 0)
            written = match[match.lastindex or 0]
            common = _patterns["openers"].match(written)
            size = common.end() if common else 0
            size += opening_length(written[size:])
            start, written = start + size, written[size:]
            if not written or folded(written) in profile.no_assets:
                continue
            if overlaps((start, end), taken):
                continue
            symbol = written.upper() if pattern is _CASHTAG else written
            yield Mention(symbol, written, "unknown", start, end, False)
