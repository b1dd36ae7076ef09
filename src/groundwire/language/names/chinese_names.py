"""Chinese names that no glossary knows: people by their surnames, bodies by how their names end."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from groundwire.language.data import data_lines
from groundwire.language.text.characters import HAN

_ACTS = (
    "宣布|表示|辞去|辞职|称|说|指出|透露|认为|强调|出任|担任|当选|获任|卸任|创办|创立|被捕|被判|涉嫌|承认|否认|接任|"
    "告诉|介绍|坦言|回应|任职|兼任|签署|会见|执掌|掌舵|接受|离任|病逝|去世"
)
_ENDINGS = (
    "集团|公司|银行|大学|学院|委员会|基金会|基金|交易所|证券|保险|研究院|研究所|协会|法院|检察院|医院|"
    "控股|科技|资本|实业|汽车|电器|药业|地产|部|局|署|厅"
)
# Any word before these makes a name; before the others it must be a name itself (商业银行).
_STRONG = frozenset({"集团", "大学", "控股", "交易所", "研究院", "基金会"})
_ENDING = re.compile(rf"(?:{_ENDINGS})\Z")
_GENERIC = frozenset(
    [
        "该",
        "本",
        "其",
        "此",
        "这家",
        "那家",
        "各",
        "多家",
        "有关",
        "相关",
        "上市",
        "跨国",
        "大型",
        "国有",
        "民营",
        "外国",
        "美国",
        "中国",
        "我国",
        "中央",
        "地方",
        "母",
        "子",
        "分",
        "商业",
        "科技",
        "监管",
        "加密货币",
        "交易",
        "投资",
        "保险",
        "互联网",
        "全国",
        "当地",
        "政府",
        "执法",
        "两家",
        "三家",
        "四家",
        "五家",
        "一家",
        "发行",
        "大",
        "小",
        "大型企业",
        "财团",
        "央企",
        "国企",
    ]
)
_PROPER = frozenset({"nr", "nrt", "nrfg", "ns", "nt", "nz", "j", "eng"})
_HAN_RUN = re.compile(f"[{HAN}]+")


@cache
def surnames() -> tuple[frozenset[str], frozenset[str]]:
    """Surnames of one character, and of two."""
    found = [word for line in data_lines("surnames.txt") for word in line.split()]
    return (
        frozenset(word for word in found if len(word) == 1),
        frozenset(word for word in found if len(word) == 2),
    )


@cache
def _person() -> re.Pattern[str]:
    one, two = surnames()
    family = "|".join([*sorted(two), f"[{''.join(sorted(one))}]"])
    return re.compile(rf"(?<![{HAN}])(?:{family})[{HAN}]{{1,2}}(?=(?:{_ACTS}))")


@lru_cache(maxsize=256)
def chinese_names(flat: str) -> tuple[tuple[int, int], ...]:
    """Spans of Chinese names in text that is already in its normal form."""
    if not _HAN_RUN.search(flat):
        return ()
    tagged = _tagged(flat)
    spans = [match.span() for match in _person().finditer(flat) if _unknown(match.group())]
    spans.extend(_people(tagged))
    spans.extend(_bodies(tagged))
    kept: list[tuple[int, int]] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return tuple(kept)


def name_stem(name: str) -> str:
    """The part of a body's name that tells it from others: 华星 of 华星集团."""
    stem = _ENDING.sub("", name)
    return stem if len(stem) > 1 else name


def _tagged(flat: str) -> list[tuple[str, str, int]]:
    # Deferred: loading the dictionary takes longer than most commands that never need it.
    import rjieba

    found: list[tuple[str, str, int]] = []
    at = 0
    for word, tag in rjieba.tag(flat):
        found.append((word, tag, at))
        at += len(word)
    return found


def _unknown(name: str) -> bool:
    """Whether no dictionary has it as a common word: 高管, 金价 and 马上 are no people."""
    import rjieba

    return all(tag.startswith("nr") or len(word) == 1 for word, tag in rjieba.tag(name))


def _people(tagged: list[tuple[str, str, int]]) -> list[tuple[int, int]]:
    one, two = surnames()
    spans: list[tuple[int, int]] = []
    for index, (word, tag, at) in enumerate(tagged):
        if not tag.startswith("nr") or not _HAN_RUN.fullmatch(word):
            continue
        if 2 <= len(word) <= 4 and (word[0] in one or word[:2] in two):
            spans.append((at, at + len(word)))
        elif word in one and index + 1 < len(tagged) and tagged[index + 1][1].startswith("nr"):
            spans.append((at, at + 1 + len(tagged[index + 1][0])))
    return spans


def _bodies(tagged: list[tuple[str, str, int]]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for index, (word, tag, at) in enumerate(tagged):
        if tag in ("ns", "nt") and len(word) > 1 and _HAN_RUN.fullmatch(word):
            spans.append((at, at + len(word)))
        ending = _ENDING.search(word)
        if ending is None:
            continue
        if ending.start() > 0 and word not in _GENERIC and tag in ("nt", "nz"):
            spans.append((at, at + len(word)))
            continue
        before = tagged[index - 1] if index and ending.start() == 0 else None
        if before is None or before[0] in _GENERIC or not _HAN_RUN.fullmatch(before[0]):
            continue
        named = before[1] in _PROPER or (word in _STRONG and before[1] in ("n", "vn", "b", "a"))
        if named and len(before[0]) > 1:
            spans.append((before[2], at + len(word)))
    return spans
