"""The posts of a forum thread: a page of many short texts, where an article reader sees one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from pydantic import BaseModel, TypeAdapter, ValidationError

from groundwire.fetch.tree import Node, parse, text_of

# How threads are addressed, by what most forum programs do.
_ADDRESS = re.compile(
    r"^(?:[\w.-]+\.)?(?:forums?|boards?|community|discuss|bbs|tieba)\.[\w-]+\.[\w.-]+/"
    r"|/(?:forums?|threads?|topics?|discussions?|questions|community|t|d|talk|boards?)/[^/]"
    r"|/(?:showthread|viewtopic|thread-\d)|[?&](?:topic|tid)=\d",
    re.IGNORECASE,
)
_PROGRAMS = re.compile(
    r"discourse|xenforo|phpbb|vbulletin|flarum|invision|smf|simple machines|nodebb|mybb|discuz|vanilla",
    re.IGNORECASE,
)
_KINDS = re.compile(r"DiscussionForumPosting|QAPage", re.IGNORECASE)
# What the programs call the text of one post; matched against whole class names.
_POST = re.compile(
    r".*(?:post|message|comment|reply|answer|usertext|richtext|usercontent|bbwrapper|prose|cooked"
    r"|t_f$|t_msgfont|pcb$|entry|item-?body).*",
    re.IGNORECASE,
)
_TAGS = ("div", "article", "section", "td", "li", "blockquote", "p", "span")
_LEAST = 30  # bytes of a post, on the average
_COVERS = 0.55


def is_thread(tree: Node, url: str) -> bool:
    """Whether the address, the program or the page's own description says so."""
    parts = urlsplit(url)
    if _ADDRESS.search(f"{parts.netloc}{parts.path}?{parts.query}"):
        return True
    for meta in tree.iter("meta"):
        name = (meta.get("name") or "").lower()
        if name == "generator" and _PROGRAMS.search(meta.get("content") or ""):
            return True
    return any(_KINDS.search(script.text or "") for script in _data_scripts(tree))


def read_thread(tree: Node) -> list[str]:
    """The posts in order, one text each; empty where the page shows no repeated posts."""
    return _preloaded(tree) or _posts(tree)


def _data_scripts(tree: Node) -> Iterator[Node]:
    return (each for each in tree.iter("script") if each.get("type") == "application/ld+json")


def _posts(tree: Node) -> list[str]:
    """Of the class names that recur, the one that covers the posts most closely.

    A post's frame holds its author and its buttons too; the innermost name that still covers most
    of the text is the text of the posts.
    """
    groups: dict[str, list[Node]] = {}
    for element in tree.iter(*_TAGS):
        for name in dict.fromkeys((element.get("class") or "").split()):
            if _POST.fullmatch(name):
                groups.setdefault(name, []).append(element)
    texts = {name: _outermost(group) for name, group in groups.items() if len(group) > 1}
    sizes = {name: sum(map(_bytes, found)) for name, found in texts.items()}
    fit = {
        name: size
        for name, size in sizes.items()
        if len(texts[name]) > 1 and size >= _LEAST * len(texts[name])
    }
    if not fit:
        return []
    most = max(fit.values())
    closest = min(fit, key=lambda name: (fit[name] < most * _COVERS, fit[name], name))
    return texts[closest]


def _outermost(group: list[Node]) -> list[str]:
    """Their texts; one that stands inside another of the group is part of that one."""
    members = set(group)
    return [
        text
        for element in group
        if not any(above in members for above in _above(element)) and (text := text_of(element))
    ]


def _above(element: Node) -> Iterator[Node]:
    above = element.getparent()
    while above is not None:
        yield above
        above = above.getparent()


def _preloaded(tree: Node) -> list[str]:
    """Discourse's posts, which it sends as data beside an empty page."""
    for element in tree.iter("discourse-assets", "div", "meta"):
        for child in (element, *element):
            raw = child.get("data-preloaded")
            if raw:
                return list(_cooked(raw))
    return []


class _Post(BaseModel):
    cooked: str = ""


class _Stream(BaseModel):
    posts: list[_Post] = []


class _Topic(BaseModel):
    post_stream: _Stream = _Stream()


_STORES = TypeAdapter(dict[str, str])


def _cooked(raw: str) -> Iterator[str]:
    try:
        stores = _STORES.validate_json(raw)
        topics = [
            _Topic.model_validate_json(text)
            for name, text in stores.items()
            if name.startswith("topic_")
        ]
    except ValidationError:
        return
    for topic in topics:
        for post in topic.post_stream.posts:
            if post.cooked.strip():
                yield text_of(parse(post.cooked))


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "replace"))
