"""Pairs whose label is known because they were made: true sentences of any text, edited in one way each.

Each kind gives a claim, a passage and what the passage says of it. Sentences come from the sample archive and, where
the folder of development sets is given, from articles there; nothing of them is kept. Every fourth template of a list
is for probes only, which show how the reader does on wordings that it never learned.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType

from groundwire.language.amounts.numbers import figures
from groundwire.language.text.characters import simplify
from groundwire.language.text.script import traditional
from groundwire.language.text.sentences import sentences
from groundwire.sample import documents
from lab.training import chinese, english

LANGUAGES = ("en", "zh", "zh-Hant")
_LENGTHS = {"en": (40, 260), "zh": (14, 110)}
_FACTORS = (0.2, 0.3, 0.5, 1.4, 1.7, 2.0, 2.5, 3.0)


@dataclass(frozen=True, slots=True)
class Pair:
    """A claim, a passage, and what the passage says of it: a stance, or `other` for another party."""

    kind: str
    language: str
    claim: str
    passage: str
    label: str
    group: str  # the article: pairs of one article stay in one fold
    unseen: bool = False  # made with a template that training leaves out


@dataclass(frozen=True, slots=True)
class Article:
    """The sentences of a text that can be edited."""

    name: str
    language: str  # en or zh
    sentences: tuple[str, ...]


def articles(folder: Path | None, most: int = 220) -> list[Article]:
    """Collect the sample's articles, and up to `most` of each set below the folder."""
    found = [
        article_of(f"sample-{document.id}", document.text)
        for document in documents(datetime(2025, 1, 1, tzinfo=UTC))
    ]
    if folder is not None:
        for name, texts in _development(folder):
            chosen = random.Random(name).sample(texts, min(most, len(texts)))
            found.extend(article_of(f"{name}-{number}", text) for number, text in enumerate(chosen))
    return [article for article in found if article.sentences]


def _development(folder: Path) -> Iterator[tuple[str, list[str]]]:
    news = sorted((folder / "timeline" / "entities").glob("articles_*.jsonl"))
    texts = [joined(row["text"]) for path in news for row in _rows(path, 40)]
    if texts:
        yield "entities", texts
    for name, path, key in (
        ("zh_news", folder / "timeline" / "zh_unlabelled" / "articles.jsonl", "content"),
        ("drcd", folder / "ask" / "drcd_hant" / "docs.jsonl", "text"),
        ("cmrc", folder / "ask" / "cmrc_zh" / "docs.jsonl", "text"),
        ("xquad", folder / "ask" / "xquad_en" / "docs.jsonl", "text"),
    ):
        if path.is_file():
            yield name, [str(row[key]) for row in _rows(path, 4000)]


def _rows(path: Path, most: int) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for _, line in zip(range(most), lines, strict=False)]


def joined(text: str) -> str:
    """Join text that was cut into tokens, the way people write it."""
    text = (
        re.sub(r" ([.,;:?!%)\]])", r"\1", text)
        .replace("( ", "(")
        .replace(" n't", "n't")
        .replace(" - ", "-")
    )
    return re.sub(r" '(s|re|ve|ll|d|m)\b", r"'\1", text)


def article_of(name: str, text: str) -> Article:
    """Pick the sentences of a text that can be edited."""
    flat = simplify(text) if re.search("[\u4e00-\u9fff]{6}", text) else text
    language = "zh" if flat is not text else "en"
    low, high = _LENGTHS[language]
    parts = (
        [text[a:b] for a, b in sentences(text)]
        if language == "en"
        else [flat[a:b] for a, b in sentences(flat)]
    )
    if language == "zh":
        parts = [part.replace(",", "，").replace(":", "：") for part in parts]
    good = tuple(part for part in parts if low <= len(part) <= high and _plain(part, language))
    return Article(name, language, good)


def _plain(text: str, language: str) -> bool:
    if re.search(r"[?？\"“”\n\[\]{}|#*]|http|@", text):
        return False
    if language == "zh":
        return text.endswith("。") and not re.search(
            "没|不|未|无|非|可能|网传|据说|否认|如果", text
        )
    return (
        text.endswith(".")
        and text[:1].isupper()
        and not re.search(
            r"\b(?:not|never|no|if|may|might|could|would|denied|claims?|whether)\b|n't", text
        )
    )


def generate(found: Sequence[Article], seed: int, most: int = 700) -> list[Pair]:
    """Generate pairs of every kind in every language, editing up to `most` sentences of each language."""
    made: list[Pair] = []
    for language in LANGUAGES:
        rng = random.Random(f"{seed}-{language}")
        in_language = [article for article in found if article.language == language[:2]]
        vocabulary = frozenset(
            word for a in in_language for s in a.sentences for word in re.findall("[a-z]+", s)
        )
        maker = _Maker(language, rng, vocabulary, in_language)
        chosen = [(article, at) for article in in_language for at in range(len(article.sentences))]
        for article, at in rng.sample(chosen, min(most, len(chosen))):
            made.extend(maker.pairs(article, at))
        made.extend(maker.scenes(most // 3))
    return made


class _Maker:
    def __init__(
        self, language: str, rng: random.Random, vocabulary: frozenset[str], own: Sequence[Article]
    ) -> None:
        self.language = language
        self.rng = rng
        self.edits: ModuleType = english if language == "en" else chinese
        self.vocabulary = vocabulary
        self.own = own
        self.people = sorted(
            {
                s[a:b]
                for article in rng.sample(list(own), min(80, len(own)))
                for s in article.sentences[:12]
                for a, b in self.edits.names(s)
                if 2 <= b - a <= 24
            }
        )

    def negate(self, text: str) -> str | None:
        return (
            english.negate(text, self.rng, self.vocabulary)
            if self.language == "en"
            else chinese.negate(text, self.rng)
        )

    def plan(self, text: str) -> str | None:
        return (
            english.plan(text, self.rng, self.vocabulary)
            if self.language == "en"
            else chinese.plan(text, self.rng)
        )

    def fill_template(self, templates: Sequence[str], text: str) -> tuple[str, bool]:
        at = self.rng.randrange(len(templates))
        body = self.edits.small(text)
        bare = body.rstrip(".。")
        return templates[at].format(
            s=body, s_=bare, S=text + ("" if self.language != "en" else " ")
        ), at % 4 == 3

    def in_context(self, article: Article, at: int, passage: str) -> str:
        """Return the passage alone, before a sentence of noise, or between its neighbours."""
        how = self.rng.random()
        glue = " " if self.language == "en" else ""
        wide = self.rng.randint(1, 3)
        before = glue.join(article.sentences[max(0, at - wide) : at])
        after = glue.join(article.sentences[at + 1 : at + 1 + wide])
        if how < 0.45:
            return passage
        if how < 0.6:
            return glue.join(filter(None, (passage, self.rng.choice(self.edits.NOISE))))
        return glue.join(filter(None, (before, passage, after)))

    def unrelated_passage(self, article: Article, at: int, other: str) -> str:
        """Pick another sentence of the article, or several in a row that leave this one out."""
        first = self.rng.randrange(len(article.sentences))
        row = [
            s
            for n, s in enumerate(article.sentences[first : first + self.rng.randint(2, 6)], first)
            if n != at
        ]
        return (
            (" " if self.language == "en" else "").join(row)
            if row and self.rng.random() < 0.6
            else other
        )

    def pairs(self, article: Article, at: int) -> Iterator[Pair]:
        text = article.sentences[at]
        claim = self.edits.shorten(text, self.rng)
        if self.rng.random() < 0.4:
            claim = self.edits.paraphrase(claim, self.rng) or claim
        for kind, one, passage, label, unseen in self._made(article, at, text, claim):
            if one == passage and kind != "same" and not kind.endswith("_both"):
                continue
            if kind not in ("checked_false", "asked", "unrelated"):
                passage = self.in_context(article, at, passage)
            yield self._pair(kind, one, passage, label, article.name, unseen)

    def _pair(
        self, kind: str, claim: str, passage: str, label: str, group: str, unseen: bool = False
    ) -> Pair:
        if self.language == "zh-Hant":
            claim, passage = traditional(claim), traditional(passage)
        return Pair(kind, self.language, claim, passage, label, group, unseen)

    def _made(
        self, article: Article, at: int, text: str, claim: str
    ) -> Iterator[tuple[str, str, str, str, bool]]:
        rng, edits = self.rng, self.edits
        yield "same", claim, text, "supports", False
        tail = text.rstrip(".。") + rng.choice(edits.TAILS)
        yield "other_clause_negated", claim, tail, "supports", False
        negative = self.negate(claim)
        if negative:
            yield "negated_claim", negative, text, "contradicts", False
            yield "negated_both", negative, self.negate(claim) or negative, "supports", False
        against = self.negate(text)
        if against and self.negate(claim):
            yield "negated_passage", claim, against, "contradicts", False
        templates: list[tuple[str, Sequence[str], str]] = [
            ("hedged", edits.HEDGES, "qualifies"), ("retold", edits.RETOLD, "qualifies"),
            ("checked_false", edits.CHECKED, "contradicts"), ("denied", edits.DENIED, "contradicts"),
            ("confirmed", edits.CONFIRMED, "supports"), ("asked", edits.ASKED, "qualifies"),
            ("supposed", edits.SUPPOSED, "qualifies"),
        ]  # fmt: skip
        for kind, texts, label in rng.sample(templates, 4):
            passage, unseen = self.fill_template(texts, claim if rng.random() < 0.7 else text)
            yield kind, claim, passage, label, unseen
        other = article.sentences[
            (at + 1 + rng.randrange(max(1, len(article.sentences) - 1))) % len(article.sentences)
        ]
        if other != text:
            denied, unseen = self.fill_template(edits.DENIED, edits.shorten(other, rng))
            yield (
                "denied_other",
                claim,
                text + (" " if self.language == "en" else "") + denied,
                "supports",
                unseen,
            )
            yield "unrelated", claim, self.unrelated_passage(article, at, other), "unrelated", False
        if len(text) > 1.4 * len(claim):
            yield "part", text, claim, "qualifies", False
        planned = self.plan(claim)
        if planned:
            yield "planned", claim, planned, "qualifies", False
            yield "planned_both", planned, planned, "supports", False
        for kind, texts in (("hedged_both", edits.HEDGES), ("denied_both", edits.DENIED)):
            told, unseen = self.fill_template(texts, claim)
            yield kind, told, told, "supports", unseen
        reworded = edits.paraphrase(claim, rng)
        if reworded:
            yield "paraphrase", reworded, text, "supports", False
        opposite = edits.oppose(claim, rng)
        if opposite:
            yield "opposite", opposite, text, "contradicts", False
        day = edits.other_day(claim, rng)
        if day:
            yield "date", day, text, "contradicts", False
        yield from self._figure(claim, text)
        yield from self._names(claim, text)

    def _figure(self, claim: str, text: str) -> Iterator[tuple[str, str, str, str, bool]]:
        found = [figure for figure in figures(claim) if re.search(r"\d", figure.text)]
        if not found:
            return
        figure = self.rng.choice(found)
        match = re.search(r"\d[\d,]*(?:\.\d+)?", figure.text)
        assert match is not None
        changed = other_number(match.group(), self.rng)
        rest = figure.text.replace(match.group(), changed, 1)
        wrong = claim[: figure.start] + rest + claim[figure.end :]
        yield "figure", wrong, text, "contradicts", False
        form = (
            self.rng.choice(
                ("{}, not {}", "{} rather than {}", "{}, and not {}", "{} instead of {}")
            )
            if self.language == "en"
            else self.rng.choice(("{}而不是{}", "{}，而非{}", "{}，不是{}"))
        )
        bare, other = (
            re.sub(r"^\D{2,}(?=[\d$])", "", figure.text),
            re.sub(r"^\D{2,}(?=[\d$])", "", rest),
        )
        corrected = text.replace(figure.text, form.format(bare, other), 1)
        if corrected != text:
            yield "not_that_figure", wrong, corrected, "contradicts", False
            yield "this_figure", claim, corrected, "supports", False

    def _names(self, claim: str, text: str) -> Iterator[tuple[str, str, str, str, bool]]:
        spans = self.edits.names(claim)
        if not spans or not self.people:
            return
        a, b = self.rng.choice(spans)
        stranger = self.rng.choice(self.people)
        if stranger not in text and claim[a:b] not in stranger:
            yield "name", claim[:a] + stranger + claim[b:], text, "other", False

    def scenes(self, most: int) -> Iterator[Pair]:
        """Yield pairs about two parties and an act in few words, where roles are plain."""
        for number in range(most):
            if len(self.people) < 4:
                return
            first, second, when, verb = self.edits.scene(self.people, self.rng)
            if first in second or second in first:
                continue
            made = (
                _english_scene(first, second, when, verb)
                if self.language == "en"
                else _chinese_scene(first, second, when, verb)
            )
            for kind, claim, passage, label in made:
                tail = self.rng.choice(["", "", " " + self.rng.choice(self.edits.NOISE)])
                yield self._pair(
                    kind, claim, passage + tail, label, f"scene-{self.language}-{number}"
                )


def other_number(written: str, rng: random.Random) -> str:
    value = float(written.replace(",", ""))
    changed = value * rng.choice(_FACTORS)
    if "." in written:
        found = f"{changed:.{len(written.split('.')[1])}f}"
    else:
        found = f"{round(changed):,}" if "," in written else str(round(changed))
    return found if found != written else written + "5"


def _english_scene(
    a: str, b: str, when: str, verb: tuple[str, str, str]
) -> list[tuple[str, str, str, str]]:
    bare, past, done = verb
    active, passive = f"{a} {past} {b}{when}.", f"{b} was {done} by {a}{when}."
    return [
        ("scene_same", active, active, "supports"), ("passive", active, passive, "supports"), ("passive", passive, active, "supports"),
        ("roles", f"{b} {past} {a}{when}.", active, "contradicts"), ("roles_passive", f"{a} was {done} by {b}{when}.", active, "contradicts"),
        ("scene_negated", active, f"{a} did not {bare} {b}{when}.", "contradicts"),
        ("scene_negated", f"{a} never {past} {b}{when}.", active, "contradicts"),
        ("failed", active, f"{a} failed to {bare} {b}{when}.", "contradicts"),
        ("failed", active, f"{a} refused to {bare} {b}{when}.", "contradicts"),
        ("scene_planned", active, f"{a} plans to {bare} {b}{when}.", "qualifies"),
    ]  # fmt: skip


def _chinese_scene(a: str, b: str, when: str, verb: str) -> list[tuple[str, str, str, str]]:
    active, passive = f"{when}{a}{verb}了{b}。", f"{when}{b}被{a}{verb}。"
    return [
        ("scene_same", active, active, "supports"), ("passive", active, passive, "supports"), ("passive", passive, active, "supports"),
        ("roles", f"{when}{b}{verb}了{a}。", active, "contradicts"), ("roles_passive", f"{when}{a}被{b}{verb}。", active, "contradicts"),
        ("scene_negated", active, f"{when}{a}没有{verb}{b}。", "contradicts"), ("scene_negated", f"{when}{a}从未{verb}{b}。", active, "contradicts"),
        ("failed", active, f"{when}{a}未能{verb}{b}。", "contradicts"), ("failed", active, f"{when}{a}拒绝{verb}{b}。", "contradicts"),
        ("scene_planned", active, f"{when}{a}计划{verb}{b}。", "qualifies"),
    ]  # fmt: skip


Heads = tuple[int | None, int | None, int | None]
# same matter, against it, the whole of it stated; None where a head learns nothing from it.
HEADS: dict[str, Heads] = {
    "supports": (1, 0, 1), "contradicts": (1, 1, None), "qualifies": (1, 0, 0), "unrelated": (0, None, None), "other": (None, 0, 0),
}  # fmt: skip
