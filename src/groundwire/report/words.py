"""The words and shapes of results, one set over terminal, reports and pages, in zh and en."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from groundwire.language.text.script import traditional

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    Table = TypeVar("Table", bound=DataclassInstance)

# A verdict is always shape and word (and colour where there is one), never colour alone.
SHAPES: Mapping[str, str] = {
    "supported": "●",
    "contradicted": "✕",
    "contested": "◐",
    "qualified": "◔",
    "insufficient": "○",
    "stale": "◷",
    "unverified": "▨",
}


@dataclass(frozen=True)
class Words:
    """Every label that a reader of a result sees."""

    verdicts: Mapping[str, str]
    states: Mapping[str, str]
    tiers: Mapping[str, str]
    flags: Mapping[str, str]
    lineage: Mapping[str, str]
    reasons: Mapping[str, str]
    hints: Mapping[str, str]
    phases: Mapping[str, str]
    counts: Mapping[str, str]
    answer: str
    no_answer: str
    contested: str
    missing: str
    unsupported: str
    degraded: str
    instead: str
    sources: str
    recalled: str
    learned: str
    changes: Mapping[str, str]
    kinds: Mapping[str, str]
    memory: Mapping[str, str]
    origins: str
    checks: str
    also_read: str
    flagged: str
    undated: str
    credibility: str
    local_file: str
    reasoner: str
    embedded: str
    calls: str
    cached: str
    repeated: str
    run: str
    next: str
    status: str
    made_by: str
    colon: str

    def verdict(self, name: str) -> str:
        return f"{SHAPES.get(name, '▨')} {self.verdicts.get(name, name)}"

    def listed(self, names: tuple[str, ...]) -> list[str]:
        return [self.flags.get(name, name) for name in names]

    def origin_line(self, articles: int, origins: int) -> str:
        return self.origins.format(
            articles=articles,
            origins=origins,
            a="" if articles == 1 else "s",
            o="" if origins == 1 else "s",
        )

    def count(self, name: str, n: int) -> str:
        one, _, many = self.counts[name].partition("|")
        return (one if n == 1 or not many else many).format(n=n)

    def why(self, reason: str) -> str:
        """A reason of our own in the reader's language; any other as it is."""
        return self.reasons.get(reason, reason)

    def changed(self, why: str) -> str:
        """Why a belief fell (`figure: 4.2% → 4.5%`), its first word in the reader's language."""
        kind, colon, values = why.partition(": ")
        return f"{self.kinds.get(kind, kind)}{self.colon}{values}" if colon else why

    def memory_of(self, name: str) -> str:
        """A label of what is remembered."""
        return self.memory.get(name, name)

    def hint(self, text: str) -> str:
        return self.hints.get(text, text)


_EN = Words(
    verdicts={name: name for name in SHAPES},
    states={
        name: name
        for name in ("queued", "running", "waiting", "complete", "degraded", "failed", "cancelled")
    },
    tiers={},
    flags={"analyst": "judged by an analyst"},
    lineage={},
    reasons={},
    hints={},
    phases={},
    counts={
        "queries": "{n} query|{n} queries",
        "searches": "{n} search|{n} searches",
        "hits": "{n} hit|{n} hits",
        "failed": "{n} failed",
        "pages": "{n} page|{n} pages",
        "snippets": "{n} only as snippet|{n} only as snippets",
        "unread": "{n} not readable",
        "passages": "{n} passage|{n} passages",
        "sentences": "{n} sentence|{n} sentences",
        "gaps": "{n} missing",
        "round": "round {n}",
    },
    answer="Answer",
    no_answer="No sentence could be supported by a quote.",
    contested="Contested",
    missing="What is missing",
    unsupported="Unsupported, kept apart",
    degraded="Degraded",
    instead="instead",
    sources="Sources",
    recalled="Believed before",
    learned="learned",
    changes={
        "": "not addressed here",
        "confirmed": "confirmed again",
        "changed": "changed since",
        "disputed": "disputed here",
        "withdrawn": "said again, though it was withdrawn",
    },
    kinds={},
    memory={
        "again": "seen {n} times, last {at}",
        "as of": "as it was believed on",
        "nothing": "nothing is remembered about this",
        "nothing then": "nothing was believed about this then",
        "off": "memory is off",
        "unavailable": "memory cannot be asked",
        "not back": "what it had replaced does not come back by itself: {text}",
    },
    origins="{articles} article{a} → {origins} origin{o}",
    checks="supported {supported} · qualified {qualified} · contested {contested} · "
    "unsupported {unsupported} · dropped {dropped}",
    also_read="also read",
    flagged="flagged",
    undated="undated",
    credibility="credibility",
    local_file="local file",
    reasoner="written by",
    embedded="the embedded reasoner",
    calls="calls",
    cached="cached",
    repeated="repeated",
    run="run",
    next="next",
    status="status",
    made_by="Made by Groundwire; every quote stands in the page that it names.",
    colon=": ",
)

_ZH = Words(
    verdicts={
        "supported": "有据",
        "contradicted": "相悖",
        "contested": "有争议",
        "qualified": "部分有据",
        "insufficient": "不足",
        "stale": "过时",
        "unverified": "未核实",
    },
    states={
        "queued": "排队中",
        "running": "进行中",
        "waiting": "待确认",
        "complete": "完成",
        "degraded": "降级完成",
        "failed": "失败",
        "cancelled": "已取消",
    },
    tiers={
        "primary": "一手",
        "wire": "通讯社",
        "established": "主流媒体",
        "trade": "行业媒体",
        "aggregator": "聚合",
        "social": "社交媒体",
        "satire": "讽刺",
        "unknown": "未知来源",
    },
    flags={
        "analyst": "分析员判断",
        "sample": "示例",
        "injection": "含诱导指令",
        "snippet": "仅摘要，未读全文",
        "stored": "存档副本",
        "satire": "讽刺",
        "correction": "含更正",
        "retraction": "已撤稿",
        "opinion": "评论",
        "retrospective": "回顾",
        "stale": "旧闻",
    },
    lineage={
        "wire copy of": "转载自",
        "translation of": "译自",
        "cites": "引用",
        "same source as": "同一出处",
        "same owner as": "同一所有者",
        "same site as": "同一网站",
    },
    reasons={
        "every search failed": "所有搜索都失败了",
        "some searches failed, the rest found nothing": "部分搜索失败，其余没有结果",
        "nothing was found": "没有找到相关内容",
    },
    hints={
        "tries again what failed, and only that": "只重试失败的部分",
        "shows what is configured and what works": "查看配置与可用情况",
        "raise what is used up, then ask again": "提高已用尽的预算，再问一次",
        "keeps the answer as a report": "把回答存为报告",
        "the same run from its records": "用记录重演这次运行",
        "looks for what is missing": "继续查找尚缺的内容",
        "the archive is empty: load the sample, or add your own": "资料库为空：载入示例，或添加自己的资料",
        "only the archive is searched while GROUNDWIRE_OFFLINE is set": "离线模式下只检索资料库",
        "what else could be searched": "还可以启用哪些搜索",
    },
    phases={
        "plan": "规划",
        "search": "搜索",
        "read": "阅读",
        "weigh": "权衡",
        "write": "撰写",
        "check": "核对",
    },
    counts={
        "queries": "{n} 个查询",
        "searches": "{n} 次搜索",
        "hits": "{n} 条结果",
        "failed": "{n} 次失败",
        "pages": "{n} 页",
        "snippets": "{n} 页仅有摘要",
        "unread": "{n} 页无法阅读",
        "passages": "{n} 个段落",
        "sentences": "{n} 句",
        "gaps": "{n} 处尚缺",
        "round": "第 {n} 轮",
    },
    answer="回答",
    no_answer="没有一句话能由引文支持。",
    contested="说法不一",
    missing="尚缺",
    unsupported="未获支持，单独列出",
    degraded="降级",
    instead="改为",
    sources="来源",
    recalled="此前所知",
    learned="得知于",
    changes={
        "": "本次未涉及",
        "confirmed": "再次证实",
        "changed": "已有变化",
        "disputed": "此处说法不同",
        "withdrawn": "再次出现，但曾被撤回",
    },
    memory={
        "similarity": "相似度",
        "text": "文字",
        "embedding": "向量",
        "subject": "主体",
        "recency": "新近",
        "true": "成立时间",
        "learned": "得知",
        "seen again": "再次得知",
        "again": "共 {n} 次，最近 {at}",
        "confidence": "置信度",
        "until": "止于",
        "replaced": "取代",
        "source": "来源",
        "claim": "编号",
        "superseded": "已被取代",
        "withdrawn": "已撤回",
        "as of": "当时所信，截至",
        "nothing": "没有相关记忆",
        "nothing then": "当时没有相关记忆",
        "off": "记忆已关闭",
        "unavailable": "无法读取记忆",
        "not back": "被它取代的说法不会自动恢复：{text}",
    },
    kinds={"figure": "数字", "date": "日期", "name": "名称", "value": "取值", "polarity": "肯否"},
    origins="{articles} 篇文章 → {origins} 个独立来源",
    checks="有据 {supported} · 部分有据 {qualified} · 有争议 {contested} · 无据 {unsupported} · "
    "剔除 {dropped}",
    also_read="另外读过",
    flagged="标记",
    undated="日期不详",
    credibility="可信度",
    local_file="本地文件",
    reasoner="撰写",
    embedded="内置推理器",
    calls="次调用",
    cached="次缓存",
    repeated="次重发",
    run="运行",
    next="接下来",
    status="状态",
    made_by="由 Groundwire 生成；每条引文都能在所列页面中逐字找到。",
    colon="：",
)


@cache
def _hant() -> Words:
    return in_traditional(_ZH)


def in_traditional(table: Table) -> Table:
    """A table of Chinese words in traditional characters."""
    parts = {part.name: _converted(getattr(table, part.name)) for part in fields(table)}
    return type(table)(**parts)


def _converted(value: str | Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return traditional(value)
    return {name: traditional(label) for name, label in value.items()}


def words(language: str) -> Words:
    """The words of a language; English where there are none."""
    code = language.lower()
    if code.startswith("zh-hant"):
        return _hant()
    return _ZH if code.startswith("zh") else _EN
