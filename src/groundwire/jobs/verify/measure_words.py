"""What measured numbers say of a claim, in a sentence: one list of texts, in both languages."""

from __future__ import annotations

from groundwire.language.text.script import in_script

_TEXTS: dict[str, tuple[str, str]] = {
    "unknown": ("{} is not known to the source", "数据源中没有{}"),
    "no_claim": (
        "the message states nothing that these numbers could show",
        "消息没有提出这些数据能够印证的说法",
    ),
    "not_stated": (
        "the message only expects, asks or denies it",
        "消息只是预测、提问或否认，并未断言",
    ),
    "past": (
        "the message speaks of the past, of which today's numbers say nothing",
        "消息说的是过去的事，现在的数据无法说明",
    ),
    "apart": (
        "the numbers are more than 6 hours away from the message",
        "数据与消息相隔超过6小时",
    ),
    "peg_lost": ("{} trades at {}, {} % from its peg", "{}现价{}，偏离锚定价{}%"),
    "peg_kept": ("{} trades at {}, only {} % from its peg", "{}现价{}，仅偏离锚定价{}%"),
    "peg_between": (
        "{} trades at {}, {} % from its peg: neither lost nor kept",
        "{}现价{}，偏离锚定价{}%：既不算脱锚，也不算持稳",
    ),
    "peg_not_so_far": (
        "{} trades at {}, {} % from its peg, not as far as the message says",
        "{}现价{}，偏离锚定价{}%，没有消息所说的那么多",
    ),
    "peg_passing": (
        "{} trades at {}, at its peg; a passing or local deviation would not show",
        "{}现价{}，处于锚定价；短暂或局部的偏离看不出来",
    ),
    "no_peg": ("{} is not pegged to a currency", "{}不锚定任何货币"),
    "beyond": ("{} trades at {}, beyond {} as the message says", "{}现价{}，确已越过{}"),
    "not_beyond": ("{} trades at {}, not beyond {}", "{}现价{}，并未越过{}"),
    "near_level": (
        "{} trades at {}, too near {} to tell",
        "{}现价{}，离{}太近，无法判断",
    ),
    "at_level": ("{} trades at {}, near {} as the message says", "{}现价{}，与所说的{}相近"),
    "not_at": ("{} trades at {}, not at {}", "{}现价{}，不在{}"),
    "touched": (
        "{} trades at {}, but it may have been beyond {} for a while",
        "{}现价{}，但可能曾短暂越过{}",
    ),
    "long_beyond": (
        "{} trades at {}, far beyond {} for more than a day",
        "{}现价{}，早已远远越过{}",
    ),
    "moved": ("{} moved {} % in 24 hours, as the message says", "{} 24小时涨跌{}%，与消息相符"),
    "moved_other": (
        "{} moved {} % in 24 hours, the message says {} %",
        "{} 24小时涨跌{}%，消息说的是{}%",
    ),
    "no_change": ("what {} moved in 24 hours is not known", "{} 24小时的涨跌未知"),
    "theft_listed": ("{} is listed as hacked on {}{}", "{}被列入{}的黑客攻击名单{}"),
    "theft_amount": (", {} lost", "，损失{}"),
    "theft_other": (
        "{} is listed as hacked on {} with {}, the message says {}",
        "{}被列入{}的黑客攻击名单，损失{}，消息说的是{}",
    ),
    "theft_uncounted": (
        "{} is listed as hacked on {}, its loss cannot be compared",
        "{}被列入{}的黑客攻击名单，损失金额无法比较",
    ),
    "not_listed": (
        "no entry in the list of hacks, which says nothing of a new one",
        "黑客攻击名单中没有记录，但这不能说明新近的事件",
    ),
    "drained": (
        "{} holds {} % less than a day before, at least what the message says",
        "{}的锁仓量比一天前少{}%，不少于消息所说",
    ),
    "not_drained": (
        "{} holds {} % compared with a day before",
        "{}的锁仓量与一天前相比变动{}%",
    ),
    "series_same": ("{}: {} for {}, as the message says", "{}：{}（{}），与消息相符"),
    "series_other": (
        "{}: {} for {}, the message says {}",
        "{}：{}（{}），消息说的是{}",
    ),
    "series_elsewhen": (
        "{}: {} for {}, which need not be the period that the message means",
        "{}：{}（{}），未必是消息所指的时期",
    ),
    "nothing_measured": ("nothing was measured", "没有测得任何数据"),
}


def measured(code: str, language: str, *parts: str | int) -> str:
    """The text of a finding, in the script of the language."""
    english, chinese = _TEXTS[code]
    if not language.startswith("zh"):
        return english.format(*parts)
    return in_script(chinese, language).format(*parts)
