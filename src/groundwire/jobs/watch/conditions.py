"""What a person wants to be told of: `price < 2`, `verdict turns contradicted`, `origins >= 2`."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import Literal, NamedTuple, get_args

from groundwire.errors import Unfit
from groundwire.language.amounts.numbers import figures
from groundwire.language.text.characters import simplify
from groundwire.model.base import Value
from groundwire.model.claim import Verdict

Relation = Literal["<", "<=", ">", ">=", "="]

_SIGNS: dict[str, Relation] = {
    "<": "<", "＜": "<", "<=": "<=", "≤": "<=", "=<": "<=", ">": ">", "＞": ">", ">=": ">=",
    "≥": ">=", "=>": ">=", "=": "=", "==": "=", "＝": "=",
    "低于": "<", "小于": "<", "少于": "<", "不足": "<", "不到": "<", "跌破": "<",
    "高于": ">", "大于": ">", "多于": ">", "超过": ">", "突破": ">",
    "不高于": "<=", "不大于": "<=", "不超过": "<=", "至多": "<=", "最多": "<=",
    "不低于": ">=", "不小于": ">=", "不少于": ">=", "至少": ">=", "等于": "=",
    "below": "<", "under": "<", "less than": "<", "above": ">", "over": ">", "more than": ">",
    "at most": "<=", "at least": ">=", "is": "=", "equals": "=",
}  # fmt: skip


def _whole(sign: str) -> str:
    """Match a sign; one of letters is a word of its own: "over" in "turnover" is none."""
    return (
        rf"(?<![a-z]){re.escape(sign)}(?![a-z])"
        if sign[0].isascii() and sign[0].isalpha()
        else re.escape(sign)
    )


_SIGN = "|".join(_whole(each) for each in sorted(_SIGNS, key=len, reverse=True))
_COMPARES = re.compile(
    rf"\A(?P<what>.+?)\s*(?:\bis\s+)?(?P<sign>{_SIGN})\s*(?P<value>\S.*)\Z", re.IGNORECASE
)
_TURNS = re.compile(
    r"\A(?:(?P<what>.+?)(?:'s|的)?\s*)?(?:verdict|结论|判定|判断)\s*"
    r"(?:turns(?: into)?|becomes|变为|变成|转为|成为)\s*(?P<verdict>\S.*)\Z",
    re.IGNORECASE,
)
_VERDICTS_ZH: dict[str, Verdict] = {
    "属实": "supported", "证实": "supported", "有依据": "supported", "不实": "contradicted", "被否定": "contradicted",
    "被反驳": "contradicted", "有争议": "contested", "存疑": "contested", "部分属实": "qualified",
    "证据不足": "insufficient", "过时": "stale", "未核实": "unverified",
}  # fmt: skip
_ORIGINS = frozenset({"origins", "independent origins", "sources", "来源", "独立来源", "来源数"})


class Condition(Value):
    """A comparison with what a claim says of an attribute, with its origins, or with its verdict."""

    text: str  # as it was written
    kind: Literal["value", "origins", "verdict"]
    attribute: str = ""  # as a person names it; "": any
    relation: Relation = "="
    value: str = ""  # of an attribute: as it was written

    def holds_for(self, number: Decimal | int) -> bool:
        """Tell whether a number is what is waited for."""
        wanted = measured(self.value)
        if wanted is None:
            return False
        return {
            "<": number < wanted.value,
            "<=": number <= wanted.value,
            ">": number > wanted.value,
            ">=": number >= wanted.value,
            "=": number == wanted.value,
        }[self.relation]

    def says(self, text: str) -> bool:
        """Tell whether a text is what is waited for."""
        same = simplify(text).casefold().strip() == simplify(self.value).casefold().strip()
        return same and self.relation == "="


class Measured(NamedTuple):
    """A number with its scale and its unit: "$2.5 million", 250 万元."""

    value: Decimal
    unit: str


def measured(text: str) -> Measured | None:
    """Return the first number of a text; None where it has none."""
    found = figures(text)
    if found:
        return Measured(Decimal(found[0].value), found[0].unit)
    try:
        return Measured(Decimal(text.replace(",", "").strip()), "")
    except InvalidOperation:
        return None


def parsed(text: str) -> Condition:
    """Parse a condition; what cannot be read is refused in one sentence."""
    flat = " ".join(simplify(text).split())
    turns = _TURNS.match(flat)
    if turns:
        said = turns["verdict"].strip(" 。.").casefold()
        verdict = _VERDICTS_ZH.get(said, said)
        if verdict not in get_args(Verdict):
            raise Unfit("watch.input.verdict", text=said[:40])
        return Condition(text=text, kind="verdict", attribute=turns["what"] or "", value=verdict)
    compares = _COMPARES.match(flat)
    if compares is None:
        raise Unfit("watch.input.condition", text=text.strip()[:60])
    what, value = compares["what"].strip(), compares["value"].strip()
    relation = _SIGNS[compares["sign"].casefold()]
    of_origins = what.casefold() in _ORIGINS
    unread = (of_origins or relation != "=") and measured(value) is None
    if unread or value[0] in _SIGNS:
        raise Unfit("watch.input.condition", text=text.strip()[:60])
    if of_origins:
        return Condition(text=text, kind="origins", relation=relation, value=value)
    return Condition(text=text, kind="value", attribute=what, relation=relation, value=value)
