"""The words of signals, over terminal, reports and pages, in zh and en."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from groundwire.report.words import SHAPES, Words, in_traditional, words

# A stance looks like the verdict that it leads to.
STANCES: Mapping[str, str] = {
    "supports": "supported",
    "contradicts": "contradicted",
    "qualifies": "qualified",
    "unrelated": "unverified",
}


@dataclass(frozen=True)
class SignalWords:
    """Every label of a signal that other results do not have."""

    verdicts: Mapping[str, str]
    rules: Mapping[str, str]
    risks: Mapping[str, str]
    traits: Mapping[str, str]  # of the message's text
    types: Mapping[str, str]
    actions: Mapping[str, str]
    directions: Mapping[str, str]
    strengths: Mapping[str, str]
    timeframes: Mapping[str, str]
    stances: Mapping[str, str]
    tools: Mapping[str, str]
    bearings: Mapping[str, str]
    outcomes: Mapping[str, str]
    paths: Mapping[str, str]
    layers: Mapping[str, str]
    rounds: Mapping[str, str]
    phases: Mapping[str, str]
    counts: Mapping[str, str]
    hints: Mapping[str, str]
    labels: Mapping[str, str]

    def shaped(self, verdict: str) -> str:
        """A verdict as the head of a card has it: its shape and its word."""
        return f"{SHAPES.get(verdict, '▨')} {self.verdicts.get(verdict, verdict.upper())}"

    def stance(self, name: str) -> str:
        return f"{SHAPES[STANCES.get(name, 'unverified')]} {self.stances.get(name, name)}"

    def listed(self, names: tuple[str, ...]) -> list[str]:
        """Warnings in words: of the judgement, or of the text."""
        known = {**self.traits, **self.risks}
        return [known.get(name, name.replace("_", " ")) for name in names]

    def type(self, name: str) -> str:
        return self.types.get(name, name.replace("_", " "))

    def rule(self, name: str) -> str:
        return self.rules.get(name, name.replace("_", " "))

    def count(self, name: str, n: int) -> str:
        one, _, many = self.counts[name].partition("|")
        return (one if n == 1 or not many else many).format(n=n)

    def age(self, hours: float) -> str:
        """How long ago, in the largest unit that fits."""
        for size, unit in ((24.0, "days"), (1.0, "hours")):
            if hours >= size:
                return self.count(unit, int(hours // size))
        return self.count("minutes", int(hours * 60))

    def hint(self, text: str) -> str:
        return self.hints.get(text, text)


_EN = SignalWords(
    verdicts={name: name.upper() for name in SHAPES},
    rules={
        "preliminary": "first impression",
        "not_searched": "not searched",
        "search_failed": "the search failed",
        "primary_contradicts": "denied by a party",
        "contested": "both sides",
        "only_contradicting": "only contradicted",
        "multi_source_official": "several and official",
        "official_primary": "official",
        "multi_source": "several origins",
        "numbers_confirm": "numbers confirm it",
        "only_qualifying": "only in part",
        "under_threshold": "too few origins",
        "single_source": "one origin only",
        "no_evidence": "nothing supports it",
        "cap": "upper limit",
        "memory": "memory",
        "timeliness": "age of the event",
        "data_conflict": "numbers contradict it",
        "clamp": "kept in 0–1",
        "calibration": "calibration",
    },
    risks={
        "not_searched": "not searched",
        "search_failed": "the search failed",
        "data_incomplete": "data incomplete",
        "single_source": "one independent origin only",
        "no_evidence": "nothing found that supports it",
        "stale_event": "old news",
        "analysis_not_news": "analysis, not news",
        "data_conflict": "numbers contradict it",
        "confidence_low": "low confidence",
    },
    traits={},
    types={},
    actions={},
    directions={},
    strengths={},
    timeframes={"short": "short term", "medium": "medium term", "long": "long term"},
    stances={},
    tools={"onchain": "on-chain data", "macro": "economic series"},
    bearings={"confirms": "confirms it", "contradicts": "contradicts it", "silent": ""},
    outcomes={"true": "came true", "false": "did not come true", "partly": "came true in part"},
    paths={
        "deep": "",
        "plain": "only a first impression: it was not looked into",
        "duplicate": "the same event as an earlier signal",
    },
    layers={
        "exact": "the same text",
        "hash": "the same text",
        "near": "nearly the same text",
        "signal": "the same event",
    },
    rounds={"preferred": "preferred list", "open": "", "archive": "archive"},
    phases={
        "preliminary": "impression",
        "context_gather": "memory",
        "planner": "plan",
        "executor": "tools",
        "read": "read",
        "synthesis": "signal",
    },
    counts={
        "remembered": "{n} similar event|{n} similar events",
        "round": "round {n}",
        "calls": "{n} call|{n} calls",
        "failed": "{n} failed",
        "results": "{n} result|{n} results",
        "sites": "{n} site|{n} sites",
        "origins": "{n} origin|{n} origins",
        "supporting": "{n} supports|{n} support",
        "contradicting": "{n} contradicts|{n} contradict",
        "more": "{n} more",
        "days": "{n} day ago|{n} days ago",
        "hours": "{n} hour ago|{n} hours ago",
        "minutes": "{n} minute ago|{n} minutes ago",
        "sightings": "seen {n} more time|seen {n} more times",
        "messages": "{n} message|{n} messages",
        "unread": "{n} line not read|{n} lines not read",
        "waiting": "{n} under way",
    },
    hints={},
    labels={
        "waterfall": "Why",
        "claims": "Claims",
        "findings": "What the pages say",
        "against": "What contradicts it",
        "tools": "Tools",
        "memory": "Similar events",
        "sightings": "Seen again",
        "links": "Sources",
        "action": "action",
        "direction": "direction",
        "strength": "strength",
        "flags": "flags",
        "official": "official",
        "failed": "failed",
        "outcome unknown": "outcome not known",
        "same as": "see",
        "version": "confidence function",
        "message": "message",
        "type": "type",
        "verdict": "verdict",
        "confidence": "conf.",
        "cost": "cost",
        "no claims": "No claim of the message could be looked into.",
        "rule": "Rule",
        "delta": "Delta",
        "sum": "Sum",
        "reason": "Reason",
        "made by": "Made by Groundwire; confidence is computed by code, every quote stands in the "
        "page that it names.",
    },
)

_ZH = SignalWords(
    verdicts={
        "supported": "有据",
        "contradicted": "相悖",
        "contested": "有争议",
        "qualified": "部分有据",
        "insufficient": "证据不足",
        "stale": "过时",
        "unverified": "未核实",
    },
    rules={
        "preliminary": "初步印象",
        "not_searched": "未搜索",
        "search_failed": "搜索失败",
        "primary_contradicts": "当事方否认",
        "contested": "正反皆有",
        "only_contradicting": "只有反驳",
        "multi_source_official": "多源且有官方",
        "official_primary": "官方证实",
        "multi_source": "多个独立来源",
        "numbers_confirm": "数据证实",
        "only_qualifying": "仅部分相符",
        "under_threshold": "来源不够多",
        "single_source": "仅一个来源",
        "no_evidence": "无人支持",
        "cap": "上限",
        "memory": "过往记忆",
        "timeliness": "事件新旧",
        "data_conflict": "数据矛盾",
        "clamp": "限于 0–1",
        "calibration": "校准",
    },
    risks={
        "not_searched": "未搜索",
        "search_failed": "搜索失败",
        "data_incomplete": "资料不全",
        "single_source": "仅一个独立来源",
        "no_evidence": "没有找到支持的内容",
        "stale_event": "旧闻",
        "analysis_not_news": "分析而非新闻",
        "data_conflict": "数据与之矛盾",
        "confidence_low": "置信度低",
    },
    traits={
        "hedged": "措辞含糊",
        "anonymous_source": "匿名消息源",
        "promotional": "推广性质",
        "forwarded": "转发",
        "question": "疑问",
        "rumour": "传闻",
        "sensational": "夸张",
        "opinion": "观点",
        "retrospective": "回顾",
        "denial": "否认",
        "unsourced": "没有出处",
        "injection": "含诱导指令",
        "satire": "讽刺",
    },
    types={
        "hack": "黑客攻击",
        "depeg": "脱锚",
        "liquidation": "清算",
        "regulation": "监管",
        "listing": "上线",
        "delisting": "下架",
        "partnership": "合作",
        "unlock": "解锁",
        "funding": "融资",
        "macro": "宏观",
        "governance": "治理",
        "airdrop": "空投",
        "celebrity": "名人",
        "scam_alert": "诈骗警示",
        "other": "其他",
        "product": "产品",
        "corporate": "公司",
        "policy": "政策",
        "legal": "法律",
        "disaster": "灾害",
        "conflict": "冲突",
        "health": "健康",
        "science": "科学",
        "personnel": "人事",
        "market": "市场",
    },
    actions={"buy": "买入", "sell": "卖出", "observe": "观察"},
    directions={"long": "看多", "short": "看空", "neutral": "中性"},
    strengths={"low": "弱", "medium": "中", "high": "强"},
    timeframes={"short": "短期", "medium": "中期", "long": "长期"},
    stances={
        "supports": "支持",
        "contradicts": "反驳",
        "qualifies": "部分相符",
        "unrelated": "无关",
    },
    tools={"search": "搜索", "price": "价格", "onchain": "链上数据", "macro": "经济数据"},
    bearings={"confirms": "证实", "contradicts": "与之矛盾", "silent": ""},
    outcomes={"true": "事后属实", "false": "事后不实", "partly": "事后部分属实"},
    paths={
        "deep": "",
        "plain": "仅初步印象，未深入核查",
        "duplicate": "与先前的信号是同一事件",
    },
    layers={
        "exact": "原文相同",
        "hash": "原文相同",
        "near": "文字相近",
        "signal": "同一事件",
    },
    rounds={"preferred": "优先名单", "open": "", "archive": "资料库"},
    phases={
        "preliminary": "初判",
        "context_gather": "记忆",
        "planner": "规划",
        "executor": "工具",
        "read": "阅读",
        "synthesis": "成文",
    },
    counts={
        "remembered": "{n} 个相似事件",
        "round": "第 {n} 轮",
        "calls": "{n} 次调用",
        "failed": "{n} 次失败",
        "results": "{n} 条结果",
        "sites": "{n} 个网站",
        "origins": "{n} 个独立来源",
        "supporting": "{n} 个支持",
        "contradicting": "{n} 个反驳",
        "more": "另有 {n} 个",
        "days": "{n} 天前",
        "hours": "{n} 小时前",
        "minutes": "{n} 分钟前",
        "sightings": "又出现 {n} 次",
        "messages": "{n} 条消息",
        "unread": "{n} 行无法读取",
        "waiting": "{n} 条进行中",
    },
    hints={
        "says what came of it": "告知事后结果",
        "raise what is used up, then verify it again": "提高已用尽的限额，再核查一次",
        "keeps the signal as a report": "把信号存为报告",
        "the earlier signal of the same event": "同一事件先前的信号",
        "looks into it, without the gate": "不经筛选，深入核查",
        "looks into it, with tools": "用工具深入核查",
    },
    labels={
        "waterfall": "由来",
        "claims": "逐条核对",
        "findings": "页面所述",
        "against": "反驳的内容",
        "tools": "工具",
        "memory": "相似事件",
        "sightings": "再次出现",
        "links": "来源",
        "action": "操作",
        "direction": "方向",
        "strength": "强度",
        "flags": "标记",
        "official": "官方",
        "failed": "失败",
        "outcome unknown": "结果未知",
        "same as": "参见",
        "version": "置信度函数",
        "message": "消息",
        "type": "类型",
        "verdict": "结论",
        "confidence": "置信",
        "cost": "费用",
        "no claims": "消息中没有可核查的说法。",
        "rule": "规则",
        "delta": "增减",
        "sum": "累计",
        "reason": "理由",
        "made by": "由 Groundwire 生成；置信度由代码计算，每条引文都能在所列页面中逐字找到。",
    },
)


@cache
def _hant() -> SignalWords:
    return in_traditional(_ZH)


def signal_words(language: str) -> tuple[SignalWords, Words]:
    """The words of signals, and those that all results share; English where there are none."""
    code = language.lower()
    if code.startswith("zh-hant"):
        return _hant(), words(language)
    return (_ZH if code.startswith("zh") else _EN), words(language)
