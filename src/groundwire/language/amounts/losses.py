"""The amount in dollars that a text says was lost, stolen or moved away; nothing where it says none."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from groundwire.language.amounts.numbers import Figure, figures
from groundwire.language.text.characters import folded, normalise
from groundwire.language.text.sentences import sentences

# Stablecoins are counted as the dollars that they stand for; other coins need a price.
_DOLLARS = frozenset({"USD", "USDC", "USDT", "DAI"})
# Programs and addresses state no loss; the words of a link may.
_NO_PROSE = re.compile(r"```.*?(?:```|\Z)|(?:https?://|www\.)[^\s)\]]+", re.DOTALL)
_SCALE_APART = re.compile(r"(\$ ?\d[\d,.]*) (?=[kmb]\b)", re.IGNORECASE | re.ASCII)


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.ASCII)


_LOST_BEFORE = _any(
    r"\b(?:lost|los(?:es|ing)|loss(?:es)?|stole|stealing|steals|theft|drain(?:ed|ing|s)?|siphon(?:ed|ing|s)?)\b",
    r"\b(?:hacked|exploit(?:ed)?|attack(?:ed)?|hit|heist|breach|extract(?:ed|ing|s)?|profit(?:ed|ing|s)?)\b",
    r"\b(?:net(?:ted|ting|s)|made off with|g[eo]t away with|looted|laundered|damages?|gain(?:ed|ing|s)?)\b",
    r"\b(?:moved|transferred|withdrew|withdrawn|withdrawing|outflows?|missing|walk(?:ed|ing) away with)\b",
    r"\b(?:ke(?:eps?|pt|eping)|pocket(?:ed|ing|s)?|swe(?:ep|eps|pt)|releas(?:e|es|ed|ing)|traced|vanished)\b",
    r"\b(?:paid out|proceeds|swindled|defrauded|scammed|rugged|pulled|cash(?:ed|ing) out|took|take[ns]?)\b",
    "损失|被盗|盗走|盗取|失窃|转走|卷走|抽走|流失|流出|转移|转出|掏空|骗走|获利|蒸发|亏损|窃取|丢失|提走|卷款|被黑|遭攻击|攻击|漏洞",
)
_LOST_AFTER = _any(
    r"^[^.;!?]{0,40}?\b(?:(?:was|were|been|is|are|being|has been)? ?(?:stolen|lost|drained|siphoned|looted|taken"
    r"|moved out|missing|extracted|withdrawn|gone|wiped)|loss(?:es)?|hack|exploit|heist|theft|breach|drain|profit"
    r"|rug pull|attack)\b",
    "^[^。;!?,]{0,16}?(?:被盗|失窃|被转走|被转移|被卷走|流失|流出|的损失|损失|不翼而飞|被抽走|被掏空|遭窃|被骗|盗窃|被黑)",
)
# What else is counted in dollars where something was stolen.
_OTHER_MONEY = "|".join(
    (
        r"\b(?:flash[- ]?loan(?:ed|s|ing)?|flash[- ]?borrow(?:ed|s|ing)?|borrow(?:ed|s|ing)?|deposit(?:ed|s|ing)?)\b",
        r"\b(?:tvl|total value locked|liquidity|market cap(?:italization)?|recover(?:ed|s|ing|y)?|return(?:ed|s|ing)?)\b",
        r"\b(?:refund(?:ed|s)?|fr(?:oze|ozen|eezes?)|bounty|reward|price[ds]?|trad(?:es|ing|ed) at|raised|raises)\b",
        r"\b(?:funding|valuation|reserves?|supply|saved|rescued|secured|repa(?:id|y|ying)|fees?|cost|fell to|below)\b",
        r"\b(?:above|peg|revenue|volume|holds|holding|compensat(?:e|ed|ion)|insur(?:ed|ance)|fined?|penalty)\b",
        r"\b(?:invest(?:ed|ment)?|suppl(?:ied|ying)|mint(?:ed|ing)?|seed(?:ed)?|blocked|prevented|averted)\b",
        "追回|返还|归还|退还|冻结|锁仓|市值|价格|跌至|跌破|涨至|赏金|悬赏|融资|估值|闪电贷|借出|借入|借款|赔付|补偿|储备|追讨",
        "拦截|罚款|成交|募集|持有|投资|发行|挽回|总锁仓|保险",
    )
)
_NOT_BEFORE = _any(rf"(?:{_OTHER_MONEY})[^.;!?。,$\d]{{0,28}}$")
_NOT_AFTER = _any(
    r"^[^.;!?,]{0,30}?\b(?:flash[- ]?loan|tvl|total value locked|in liquidity|market cap|(?:was|were|been|has been|have been)? ?"
    r"(?:recovered|returned|refunded|frozen|saved|rescued|repaid)|bounty|reward|per token|a token|each|ransom|fine|settlement"
    r"|funding|valuation|raised|deposit|collateral|remain(?:s|ed|ing)?)\b",
    "^[^。;!?,]{0,12}?(?:已追回|被追回|追回|返还|归还|被冻结|冻结|赏金|的市值|市值|锁仓|融资|估值|罚款|的TVL|tvl|一枚|每枚)",
)
_PART = _any(
    r"\b(?:including|of which|another|additional|further|remaining|the rest|only|initially|partial(?:ly)?|each|net|copycat|follow-up)\b"
    r"[^.;!?]{0,16}$",
    "(?:其中|另有|另外|剩余|部分|包括|仅|最初)[^。;!?,]{0,10}$",
)
_WHOLE = _any(
    r"\b(?:total(?:l?ing|s)?|in all|altogether|overall|combined|worth|estimated|approximately|around|over|more than|nearly)\b[^.;!?]{0,16}$",
    "(?:总计|共计|合计|总额|累计|总损失|约|超过|近|逾|高达|价值)[^。;!?]{0,6}$",
)
_DENIED = _any(
    r"\b(?:no|not|without|zero|never|den(?:y|ies|ied)|prevent(?:s|ed)?|avoid(?:s|ed)?|could have|would have|at risk|up to)\b"
    r"[^.;!?,]{0,30}$",
    "(?:没有|并未|未造成|无|否认|避免|防止|险些|差点|可能|或致|潜在|面临)[^。;!?,]{0,10}$",
)
# What a text about a theft is told by, wherever it says so.
_THEFT = _any(
    r"\b(?:hack(?:ed|ers?|s)?|exploit(?:ed|er|ers|s)?|attack(?:ed|ers?|s)?|stolen|stole|drain(?:ed|ing|s)?|theft|heist|breach"
    r"|rug ?pull(?:ed|s)?|siphoned|looted)\b",
    "黑客|攻击|被盗|盗取|盗走|失窃|漏洞|跑路|卷款|掏空",
)
_WORTH = re.compile(r"[(\[][^()\[\]]{0,24}$")  # in brackets: what the coins before it are worth
_UNLOST = _any(
    r"\b(?:no|not|never|without|nothing|none)\b[^,.;!?]{0,24}$",
    "(?:没有|并未|未|无)[^,。;!?]{0,6}$",
)
_NEAR_BEFORE = 70
_NEAR_AFTER = 60
_FAR = 400
_ENOUGH = 2.0
_LATER = 0.12  # each sentence further down counts a little less
_LAST = 8


@dataclass(frozen=True, slots=True)
class StatedLoss:
    """What was lost, in dollars, as the text writes it and as exactly as it says."""

    usd: Decimal
    qualifier: str  # '', about, over, under
    text: str


def stated_loss(text: str) -> StatedLoss | None:
    """The loss that the text states; none when it states none, or only what else is in dollars."""
    flat = _prose(text)
    money = _dollars(flat)
    if not money:
        return None
    spans = sentences(flat)
    rated = [(_rate(flat, figure, spans, money), -figure.start, figure) for figure in money]
    score, _, best = max(rated, key=lambda each: each[:2])
    if score < _ENOUGH:
        return None
    return StatedLoss(best.value, best.qualifier, best.text)


def dollars_in(text: str) -> list[Figure]:
    """Every amount of the text in dollars, or in a stablecoin that stands for them."""
    return _dollars(_prose(text))


def _prose(text: str) -> str:
    return _SCALE_APART.sub(r"\1", normalise(_NO_PROSE.sub(" ", text)).text)


def _dollars(flat: str) -> list[Figure]:
    return [figure for figure in figures(flat) if figure.unit in _DOLLARS and figure.value > 0]


def _rate(flat: str, figure: Figure, spans: list[tuple[int, int]], money: list[Figure]) -> float:
    number, (first, last) = _sentence(figure, spans)
    # What stands far off in a text without sentences says nothing of this figure.
    start, end = max(first, figure.start - _FAR), min(last, figure.end + _FAR)
    low = folded(flat[start:end])
    before = low[: figure.start - start][-_NEAR_BEFORE:]
    after = low[figure.end - start :][:_NEAR_AFTER]
    score = 0.0
    leading = next(reversed(list(_LOST_BEFORE.finditer(before))), None)
    if leading is not None and _UNLOST.search(before, 0, leading.start()):
        leading = None  # "no funds were lost; the $30M vault is safe"
    if leading is not None:
        score += 3.0 - (len(before) - leading.end()) / _NEAR_BEFORE
    if _LOST_AFTER.search(after):
        score += 2.5
    others = [other for other in money if start <= other.start < end]
    # "2,000 ETH worth $7 million": the dollars are what the coins are worth.
    if figure.unit == "USD":
        score += 0.6
    if not score >= _ENOUGH and _THEFT.search(low):
        # The only dollars of a sentence about a theft, or those in brackets behind its coins.
        score += 2.0 if len(others) == 1 or _WORTH.search(before) else 0.0
    if _WHOLE.search(before):
        score += 0.4
    if _NOT_BEFORE.search(before) and not _closer(before, leading):
        score -= 3.0
    if _NOT_AFTER.search(after):
        score -= 3.0
    if _PART.search(before):
        score -= 1.0
    if _DENIED.search(before):
        score -= 2.0
    if len(others) > 1 and figure.value == max(other.value for other in others):
        score += 0.3
    return score - _LATER * min(number, _LAST)


def _closer(before: str, leading: re.Match[str] | None) -> bool:
    """Whether the word of loss stands nearer to the figure than what speaks against it."""
    if leading is None:
        return False
    against = _NOT_BEFORE.search(before)
    return against is not None and leading.start() > against.start()


def _sentence(figure: Figure, spans: list[tuple[int, int]]) -> tuple[int, tuple[int, int]]:
    for number, (start, end) in enumerate(spans):
        if start <= figure.start < end:
            return number, (start, end)
    return len(spans), (max(0, figure.start - _NEAR_BEFORE), figure.end + _NEAR_AFTER)
