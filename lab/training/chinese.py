"""Edits of Chinese sentences (simplified) that change what they say in a known way; None where an edit does not fit."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from functools import cache

import rjieba

from groundwire.evidence.reading.synonyms import thesaurus
from groundwire.language.data import data_lines
from groundwire.language.names.chinese_names import chinese_names
from groundwire.language.text.wording import is_han

Rng = random.Random

_SAYING = frozenset(
    [
        "表示",
        "称",
        "说",
        "指出",
        "认为",
        "透露",
        "报道",
        "强调",
        "介绍",
        "宣布",
        "显示",
        "告诉",
        "据",
        "是",
        "有",
        "在",
        "到",
        "来",
        "去",
        "让",
        "使",
        "会",
        "能",
        "可",
        "可以",
        "要",
        "想",
        "应",
        "应该",
        "可能",
        "没有",
    ]
)
VERBS = (
    "收购", "起诉", "批评", "称赞", "邀请", "聘用", "解雇", "处罚", "封禁", "警告", "击败", "访问", "逮捕", "支持", "调查", "资助",
    "攻击", "取代", "投资", "赞助",
)  # fmt: skip
HEDGES = (
    "{s_}，但尚待证实。", "可能{s}", "据说，{s}", "有分析认为，{s_}的可能性不小。", "疑似{s}", "市场猜测{s}", "似乎{s}", "或许{s}",
    "初步估计，{s}", "目前尚不清楚是否{s}", "不排除{s_}的可能。",
)  # fmt: skip
RETOLD = (
    "网传{s}", "有网友称，{s}", "一则在朋友圈流传的消息说，{s}", "近日，社交媒体上有人声称{s}", "有传言称，{s}", "网上疯传一段视频称，{s}",
    "某帖文写道：{s}",
)  # fmt: skip
CHECKED = (
    "网传“{s_}”的说法不实。", "“{s_}”是谣言。", "关于{s_}的消息系捏造。", "没有证据表明{s}", "经核实，{s_}并非事实。",
    "有传言称{s_}，这一说法毫无根据。", "流言：{S}真相：这是假的。", "{S}该说法是错误的。", "专家表示，所谓{s_}纯属误传。",
    "{S}这一消息与事实不符。",
)  # fmt: skip
DENIED = (
    "发言人否认{s}", "官方否认了{s_}的报道。", "该机构驳斥{s_}的说法。", "有关部门辟谣：{s_}的消息不属实。", "负责人对{s_}一事予以否认。",
)  # fmt: skip
CONFIRMED = (
    "官方证实，{s}",
    "发言人表示，{s}",
    "据报道，{s}",
    "该机构宣布，{s}",
    "资料显示，{s}",
    "事实上，{s}",
)
ASKED = ("{s_}吗？", "{s_}是真的吗？", "{s_}，是不是这样？", "是否{s_}？")
SUPPOSED = ("如果{s_}，情况将会不同。", "一旦{s_}，后果难料。", "假如{s_}，一切都会改变。")
NOISE = (
    "当天没有下雨。", "他没有接受采访。", "并非所有人都满意。", "事故没有造成伤亡。", "该部门否认了另一则关于税收的报道。",
    "另有一种关于物价的说法是谣言。", "公司尚未公布账目。", "这里七月从不下雪。",
)  # fmt: skip
TAILS = (
    "，但没有透露更多细节。",
    "，不过其他计划被否决。",
    "，没有人受伤。",
    "，尽管并非所有人都满意。",
)


def tagged(text: str) -> list[tuple[str, str, int]]:
    """Cut a text into words, each with its part of speech and offset."""
    found: list[tuple[str, str, int]] = []
    at = 0
    for word, tag in rjieba.tag(text):
        found.append((word, tag, at))
        at += len(word)
    return found


def _verb(text: str) -> tuple[str, int, int] | None:
    """Find the first verb of action, not of saying: the word, its offset, and its index among the words."""
    words = tagged(text)
    for at, (word, tag, place) in enumerate(words):
        if (
            tag == "v"
            and len(word) > 1
            and word not in _SAYING
            and at > 0
            and words[at - 1][1] not in ("uj", "x", "m", "q", "a")
        ):
            following = words[at + 1][1] if at + 1 < len(words) else ""
            if following not in ("uj", "v"):
                return word, place, at
    return None


def negate(text: str, rng: Rng) -> str | None:
    """Negate the main verb."""
    for old, new in (("将会", ["不会"]), ("没有", []), ("不", []), ("未", [])):
        if old in text and not new:
            return None
        if old in text:
            return text.replace(old, rng.choice(new), 1)
    found = _verb(text)
    if found is None:
        match = re.search(r"(?<=[\u4e00-\u9fff])是(?=[\u4e00-\u9fff])(?!否|不是)", text)
        if match:
            return (
                text[: match.start()]
                + rng.choice(["不是", "并非", "从来不是"])
                + text[match.end() :]
            )
        return None
    word, place, _ = found
    before, after = text[:place], text[place + len(word) :]
    for old in ("将", "会", "已经", "已", "曾", "正在"):
        if before.endswith(old):
            before = before.removesuffix(old)
            if old in ("将", "会"):
                return before + rng.choice(["不会", "无意", "将不"]) + word + after
            break
    form = rng.choice(["没有", "并未", "未", "从未", "并没有", "未能", "拒绝", "尚未", "没能"])
    after = after.removeprefix("了")
    return before + form + word + after


def plan(text: str, rng: Rng) -> str | None:
    """Turn what was done into something that is only planned."""
    found = _verb(text)
    if found is None or any(word in text for word in ("将", "计划", "拟", "会", "没", "未")):
        return None
    word, place, _ = found
    before = re.sub("(?:已经|已|曾|正在)$", "", text[:place])
    return (
        before
        + rng.choice(["计划", "将", "拟", "打算", "有意", "考虑", "可能"])
        + word
        + text[place + len(word) :].removeprefix("了")
    )


def shorten(text: str, rng: Rng) -> str:
    """Reduce a sentence to its main statement, where clauses around it can be told apart."""
    body = text.rstrip("。")
    parts = body.split("，")
    whole = not re.match(
        "据|在|随着|当|为了?|除了?|由于|因|虽|尽管|对|从|根据|如", parts[0]
    ) and _verb(parts[0])
    if len(parts) > 1 and len(parts[0]) >= 10 and whole and rng.random() < 0.7:
        body = parts[0]
    elif len(parts) > 1 and len(parts[0]) <= 8 and len(parts[1]) >= 8:
        body = "，".join(parts[1:])
    return body + "。"


def paraphrase(text: str, rng: Rng) -> str | None:
    """Replace one or two words by synonyms."""
    words = [word for word, _, _ in tagged(text)]
    changed = 0
    for at, word in enumerate(words):
        others = [other for other in _same().get(word, ()) if len(other) == len(word)]
        if others and len(word) > 1 and changed < 2:
            words[at] = rng.choice(others)
            changed += 1
    return "".join(words) if changed else None


@cache
def _same() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for line in thesaurus():
        forms = [form for form in line.split("|") if is_han(form)]
        for form in forms:
            found.setdefault(form, []).extend(other for other in forms if other != form)
    return {form: tuple(others) for form, others in found.items()}


def oppose(text: str, rng: Rng) -> str | None:
    """Replace one word by its opposite."""
    words = [word for word, _, _ in tagged(text)]
    for at in rng.sample(range(len(words)), len(words)):
        others = _antonyms().get(words[at], ())
        if others and len(words[at]) > 1:
            words[at] = rng.choice(others)
            return "".join(words)
    return None


@cache
def _antonyms() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for name in ("opposites.tsv", "antonyms.tsv"):
        for line in data_lines(name):
            sides = [[w for w in side.split("|") if is_han(w)] for side in line.split("\t")]
            for words, opposites in ((sides[0], sides[1]), (sides[1], sides[0])):
                if opposites:
                    found.update((word, tuple(opposites)) for word in words)
    return found


def names(text: str) -> list[tuple[int, int]]:
    """Find the names of people, places and organisations."""
    spans = {
        (at, at + len(word))
        for word, tag, at in tagged(text)
        if tag in ("nr", "ns", "nt", "nz") and len(word) > 1
    }
    whole = chinese_names(text)
    kept = [span for span in spans if not any(a <= span[0] and span[1] <= b for a, b in whole)]
    return sorted([*whole, *kept])


def other_day(text: str, rng: Rng) -> str | None:
    """Change the month, the year or the weekday."""
    match = re.search(r"(?<!\d)(\d{1,2})月(?:(\d{1,2})日)?", text)
    if match:
        month = rng.choice([m for m in range(1, 13) if str(m) != match[1]])
        return text[: match.start(1)] + str(month) + text[match.end(1) :]
    match = re.search(r"(?<!\d)((?:1[89]|20)\d\d)年", text)
    if match:
        year = int(match[1]) + rng.choice([-7, -3, -2, -1, 1, 2, 4, 9])
        return text[: match.start(1)] + str(year) + text[match.end(1) :]
    match = re.search(r"(?:周|星期)([一二三四五六日])", text)
    if match:
        day = rng.choice([d for d in "一二三四五六日" if d != match[1]])
        return text[: match.start(1)] + day + text[match.end(1) :]
    return None


def small(text: str) -> str:
    return text


def scene(people: Sequence[str], rng: Rng) -> tuple[str, str, str, str]:
    """Draw two parties and an act: (first, second, when, verb)."""
    first, second = rng.sample(list(people), 2)
    when = rng.choice(["", f"{rng.randint(1, 12)}月", f"{rng.randint(1995, 2024)}年", "上周"])
    return first, second, when, rng.choice(VERBS)
