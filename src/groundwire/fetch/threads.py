"""The posts of a forum thread: a page of many short texts, where an article reader sees one."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from urllib.parse import urlsplit

from pydantic import BaseModel, TypeAdapter, ValidationError

from groundwire.fetch.tree import Node, drop, parse, size_of, text_of
from groundwire.language.text.phrases import patterns

_pattern = patterns("threads.txt", "groundwire.fetch.data")
# How threads are addressed, by what most forum programs do.
_ADDRESS = re.compile(_pattern("address"), re.IGNORECASE)
_PROGRAMS = re.compile(_pattern("programs"), re.IGNORECASE)
_KINDS = re.compile(r"DiscussionForumPosting|QAPage", re.IGNORECASE)
# What the programs call the text of one post; matched against whole class names.
_POST = re.compile(_pattern("post"), re.IGNORECASE)
_TAGS = ("div", "article", "section", "td", "li", "blockquote", "p", "span")
_LEAST = 30  # bytes of a post, on the average
_LEAST_PROSE = 80  # bytes of a paragraph
_COVERS = 0.55
_MOST_NAMES = 20


def is_thread(tree: Node, url: str) -> bool:
    """Tell whether the address, the program or the page's own description says so."""
    parts = urlsplit(url)
    if _ADDRESS.search(f"{parts.netloc}{parts.path}?{parts.query}"):
        return True
    for meta in tree.iter("meta"):
        name = (meta.get("name") or "").lower()
        if name == "generator" and _PROGRAMS.search(meta.get("content") or ""):
            return True
    return any(
        each.get("type") == "application/ld+json" and _KINDS.search(each.text or "")
        for each in tree.iter("script")
    )


def read_thread(tree: Node) -> list[str]:
    """Return the posts in order, one text each; empty where the page shows no repeated posts."""
    return _preloaded(tree) or _posts(tree)


def _posts(tree: Node) -> list[str]:
    """Return the posts under the recurring class name that covers them most closely.

    A post's frame holds its author and its buttons too; the innermost name that still covers most
    of the text is the text of the posts.
    """
    body = tree.find("body")
    if body is None:
        return []
    drop(body, "script", "style", "template")
    groups: dict[str, list[Node]] = {}
    for element in body.iter(*_TAGS):
        for name in dict.fromkeys((element.get("class") or "").split()):
            if _POST.fullmatch(name):
                groups.setdefault(name, []).append(element)
    posts = {name: _outermost(group) for name, group in groups.items() if len(group) > 1}
    sizes = {name: sum(map(size_of, found.values())) for name, found in posts.items()}
    fit = [n for n in posts if len(posts[n]) > 1 and sizes[n] >= _LEAST * len(posts[n])]
    most = max((sizes[name] for name in fit), default=0)
    closely = sorted((sizes[name], name) for name in fit if sizes[name] >= most * _COVERS)
    names = [name for _, name in closely[:_MOST_NAMES]]
    whole = (n for n in names if not any(_leaves_out(posts[n], posts[other]) for other in names))
    closest = next(whole, names[0] if names else None)
    if closest is None or _prose_outside(body, posts[closest]) > sizes[closest]:
        return []
    return list(posts[closest].values())


def _outermost(group: list[Node]) -> dict[Node, str]:
    """Return the elements that have text, with it, without those inside others of the group."""
    members = set(group)
    return {
        element: text
        for element in group
        if not _is_inside(element, members) and (text := text_of(element))
    }


def _leaves_out(some: Mapping[Node, str], all_posts: Mapping[Node, str]) -> bool:
    """Tell whether each of some holds one of the posts, and other posts are elsewhere.

    A question's text has the class of its answers, which have frames of their own.
    """
    frames = [next((e for e in (post, *_above(post)) if e in some), None) for post in all_posts]
    return None in frames and len({each for each in frames if each is not None}) == len(some)


def _prose_outside(body: Node, posts: Mapping[Node, str]) -> int:
    """Measure prose outside the posts: an article with comments has more of it than they."""
    texts = (text_of(each) for each in body.iter("p") if not _is_inside(each, posts))
    return sum(size for text in texts if (size := size_of(text)) >= _LEAST_PROSE)


def _is_inside(element: Node, members: Container[Node]) -> bool:
    return any(above in members for above in _above(element))


def _above(element: Node) -> Iterator[Node]:
    above = element.getparent()
    while above is not None:
        yield above
        above = above.getparent()


def _preloaded(tree: Node) -> list[str]:
    """Return Discourse's posts, which it sends as data beside an empty page."""
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
