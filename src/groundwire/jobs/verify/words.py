"""What verify says in its own words, in the signal's language."""

from __future__ import annotations

from groundwire.language.text.script import in_script

_TEXTS: dict[str, tuple[str, str]] = {
    "notes": (
        "preliminary {before:.2f} → final {after:.2f}, because {why}",
        "初步 {before:.2f} → 最终 {after:.2f}，因为{why}",
    ),
    "joint": ("; ", "；"),
    # Why nothing was searched, or no further.
    "never_searched": ("messages of this kind are not searched", "这类消息不作搜索"),
    "nothing_to_use": ("no tool is switched on", "没有启用任何工具"),
    "remembered": ("an event like it has a known outcome", "已有结局明确的类似事件"),
    "quota": ("the day's tool calls are used up", "当天的工具调用次数已用完"),
    "cap": ("the most rounds were made", "已达到最多轮次"),
    "decided": ("nothing more was worth its price", "再查已不值得花费"),
    "tools_off": ("tools are switched off", "工具已关闭"),
    "gated": ("it did not pass the gate: {}", "没有通过筛选：{}"),
    "duplicate": ("it says again what {} is about", "与 {} 说的是同一件事"),
    "no_claim": ("it states nothing that can be checked", "其中没有可以核查的说法"),
    # What is missing.
    "gap_no_evidence": ("nothing that was found speaks of it", "找到的内容都没有提到这件事"),
    "gap_search_failed": ("every search failed", "所有搜索都失败了"),
    "gap_single_source": ("only one independent origin supports it", "只有一个独立来源支持"),
    "gap_not_searched": ("it was not searched", "没有进行搜索"),
}


def word(code: str, language: str, *parts: str, **named: object) -> str:
    """A text of ours; a code that has none is itself the text."""
    if code not in _TEXTS:
        return code  # others' words: no pattern, whatever braces they have
    en, zh = _TEXTS[code]
    if not language.startswith("zh"):
        return en.format(*parts, **named)
    # Only our own words change their script; what is quoted stays as it was written.
    return in_script(zh, language).format(*parts, **named)
