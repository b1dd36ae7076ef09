"""Why a confidence is what it is: one list of texts, in both languages, for the rows of a waterfall."""

from __future__ import annotations

from groundwire.language.text.script import in_script

_TEXTS: dict[str, tuple[str, str]] = {
    "preliminary": (
        "first impression of the message, before any check",
        "消息的初步印象，尚未核查",
    ),
    "not_searched": ("nothing was searched", "没有进行搜索"),
    "not_searched_because": ("nothing was searched: {}", "没有进行搜索：{}"),
    "search_failed": (
        "every search failed, which says nothing of the message",
        "所有搜索都失败了，这说明不了消息的真假",
    ),
    "search_failed_because": (
        "every search failed, which says nothing of the message: {}",
        "所有搜索都失败了，这说明不了消息的真假：{}",
    ),
    "primary_contradicts": (
        "a party to the event contradicts it itself, and no origin supports it",
        "事件当事方亲自否认，且没有任何独立来源支持",
    ),
    "contested": (
        "independent origins on both sides: {} support, {} contradict",
        "正反双方都有独立来源：{}个支持，{}个反驳",
    ),
    "only_contradicting": (
        "only contradicting origins: {}",
        "只有反驳的独立来源：{}个",
    ),
    "multi_source_official": (
        "{} independent origins support it, a party to the event among them; mean relevance {}",
        "{}个独立来源支持，其中有事件当事方；平均相关度{}",
    ),
    "official_primary": (
        "a party to the event supports it itself",
        "事件当事方亲自证实",
    ),
    "multi_source": (
        "{} independent origins support it, none of them a party to the event; mean relevance {}",
        "{}个独立来源支持，均非事件当事方；平均相关度{}",
    ),
    "numbers_confirm": ("measured numbers confirm it", "实测数据证实了这一说法"),
    "numbers_confirm_because": ("measured numbers confirm it: {}", "实测数据证实了这一说法：{}"),
    "only_qualifying": (
        "the sources say only a part of it, or give estimates: {} origins",
        "各来源只说到一部分，或只是估计：{}个独立来源",
    ),
    "under_threshold": (
        "{} independent origins support it, fewer than the {} that are asked for",
        "{}个独立来源支持，少于要求的{}个",
    ),
    "single_source": ("only one independent origin supports it", "只有一个独立来源支持"),
    "no_evidence": (
        "the search worked, and nothing that was found supports it",
        "搜索正常，但没有找到任何支持的内容",
    ),
    "own_page": (
        "{}; a page that is the message itself is not counted",
        "{}；消息本身所在的页面不计入",
    ),
    "cap": ("may not exceed {} with this verdict", "在此结论下不得超过{}"),
    "cap_preliminary": (
        "may not exceed the first impression ({}) without a search",
        "没有搜索结果时不得超过初步印象（{}）",
    ),
    "memory": (
        "a past event like it (similarity {}) ended at {}",
        "相似的过往事件（相似度{}）最终为{}",
    ),
    "memory_about": (
        "a past event like it (similarity {}) ended at {}: {}",
        "相似的过往事件（相似度{}）最终为{}：{}",
    ),
    "retrospective": ("the message looks back: “{}”", "这条消息是回顾：“{}”"),
    "opinion": (
        "the message is an opinion or a forecast: “{}”",
        "这条消息是观点或预测：“{}”",
    ),
    "planned": ("the event is still to come: “{}”", "事件尚未发生：“{}”"),
    "fresh": ("the event was less than an hour old", "事件发生不到一小时"),
    "hours_old": ("the event was at least {} hours old", "事件至少已过{}小时"),
    "days_old": ("the event was at least {} days old", "事件至少已过{}天"),
    "by_message": ("{} (by the message: “{}”)", "{}（据消息：“{}”）"),
    "by_evidence": ("{} (by what was found: {})", "{}（据查到的内容：{}）"),
    "data_conflict": ("measured numbers contradict it", "实测数据与之矛盾"),
    "data_conflict_because": ("measured numbers contradict it: {}", "实测数据与之矛盾：{}"),
    "clamp": ("a confidence lies between 0 and 1", "置信度介于0和1之间"),
    "calibration": (
        "calibrated on {} signals with a known outcome, {}",
        "按{}条已知结果的信号校准，{}",
    ),
    "calibration_capped": (
        "calibrated on {} signals with a known outcome, {}; may not exceed {}",
        "按{}条已知结果的信号校准，{}；不得超过{}",
    ),
}


def reason(code: str, language: str, *parts: str | int) -> str:
    """The text of a code in the desk's language: zh, zh-Hant, or English for all others."""
    english, chinese = _TEXTS[code]
    if not language.startswith("zh"):
        return english.format(*parts)
    # Only our own words change their script; what is quoted stays as it was written.
    return in_script(chinese, language).format(*parts)


def reason_codes() -> tuple[str, ...]:
    """Every code that has a text."""
    return tuple(_TEXTS)
