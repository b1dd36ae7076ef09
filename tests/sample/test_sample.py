"""Facts that the sample archive and the bilingual glossary promise to everything built on them."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

import pytest

ROOT = Path(str(files("groundwire")))
SAMPLE = ROOT / "sample"
GLOSSARY = ROOT / "language" / "data" / "glossary.tsv"

REQUIRED = {"url", "title", "publisher", "published_at", "language", "tier"}
KEYS = REQUIRED | {"author", "party", "ahead", "note"}
TIERS = {
    "primary",
    "wire",
    "established",
    "trade",
    "aggregator",
    "social",
    "satire",
    "unknown",
}
SIMPLIFIED = set("银储备监币脱锚亿")
TRADITIONAL = set("銀儲備監幣脫鈎億")


@dataclass(frozen=True)
class Article:
    stem: str
    head: dict[str, str]
    body: str

    @property
    def note(self) -> str:
        return self.head.get("note", "")

    @property
    def chinese(self) -> bool:
        return self.head["language"].startswith("zh")

    @property
    def published_at(self) -> datetime:
        return datetime.fromisoformat(self.head["published_at"])


def parse(path: Path) -> Article:
    opening, head, body = path.read_text(encoding="utf-8").split("---\n", 2)
    assert opening == "", f"{path.name}: text before the front matter"
    pairs = [line.split(": ", 1) for line in head.splitlines()]
    assert all(len(pair) == 2 for pair in pairs), f"{path.name}: a line without a key"
    keys = [key for key, _ in pairs]
    assert len(keys) == len(set(keys)), f"{path.name}: a key twice"
    return Article(path.stem, dict(pairs), body.strip())


ARTICLES = [parse(path) for path in sorted((SAMPLE / "articles").glob("*.md"))]
BY_STEM = {article.stem: article for article in ARTICLES}
each_article = pytest.mark.parametrize("article", ARTICLES, ids=lambda article: article.stem)


def shingles(article: Article) -> set[tuple[str, ...]]:
    """Cut a text into shingles: five words of English, five characters of Chinese."""
    units = (
        re.findall(r"\w", article.body)
        if article.chinese
        else re.findall(r"\w+", article.body.lower())
    )
    return {tuple(units[i : i + 5]) for i in range(len(units) - 4)}


def related(phrase: str) -> list[tuple[Article, Article]]:
    """Pair (piece, original) for every note that says `<phrase> <stem>`."""
    found = [(a, re.search(rf"{phrase} (\d{{3}}-[\w-]+)", a.note)) for a in ARTICLES]
    return [(article, BY_STEM[match[1]]) for article, match in found if match]


def glossary_rows() -> list[list[str]]:
    lines = GLOSSARY.read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("#")
    return [line.split("\t") for line in lines[1:]]


def test_there_are_at_least_120_articles() -> None:
    assert len(ARTICLES) >= 120


def test_there_are_at_least_25_outlets() -> None:
    assert len({urlsplit(article.head["url"]).hostname for article in ARTICLES}) >= 25


@pytest.mark.parametrize(
    ("topic", "words"),
    [
        ("usdc", ("USDC", "Silicon Valley Bank", "硅谷银行")),
        ("deepseek", ("DeepSeek", "深度求索")),
        ("etf", ("bitcoin", "比特币", "比特幣", "ether")),
        ("iphone", ("iPhone", "苹果手机", "苹果", "蘋果")),
        ("ai", ("AI", "artificial intelligence", "人工智能", "人工智慧", "OpenAI", "chatbot")),
        ("listing", ("listing", "Coinbase", "上币", "上幣", "新资产")),
        ("hack", ("flash loan", "flash-loan", "闪电贷", "閃電貸", "Euler", "borrowed")),
    ],
)
def test_every_topic_of_an_acceptance_command_is_told_in_both_languages(
    topic: str, words: tuple[str, ...]
) -> None:
    articles = [article for article in ARTICLES if article.stem.split("-")[1] == topic]
    assert len(articles) >= 10
    assert {True, False} == {article.chinese for article in articles}
    for article in articles:
        assert any(word in f"{article.head['title']} {article.body}" for word in words), (
            article.stem
        )


@each_article
def test_front_matter_is_complete_and_known(article: Article) -> None:
    assert REQUIRED <= set(article.head) <= KEYS
    assert all(value.strip() == value and value for value in article.head.values())
    assert article.head["tier"] in TIERS
    assert article.head["language"] in {"en", "zh", "zh-Hant"}
    assert re.fullmatch(r"\d{3}-[a-z0-9-]+", article.stem)


@each_article
def test_host_is_reserved_for_examples(article: Article) -> None:
    parts = urlsplit(article.head["url"])
    assert parts.scheme == "https"
    assert (parts.hostname or "").endswith(".example")


@each_article
def test_date_is_aware(article: Article) -> None:
    assert article.published_at.tzinfo is not None


@each_article
def test_body_is_short_plain_paragraphs(article: Article) -> None:
    size = len(re.sub(r"\s", "", article.body)) if article.chinese else len(article.body.split())
    low, high = (200, 600) if article.chinese else (120, 400)
    assert low <= size <= high
    assert article.body.count("\n\n") >= 2
    assert not re.search(r"^(#|[-*] |>)|\*\*|\]\(", article.body, re.MULTILINE)


def test_no_two_urls_are_equal() -> None:
    assert [u for u, n in Counter(a.head["url"] for a in ARTICLES).items() if n > 1] == []


def test_articles_are_numbered_without_gaps_and_sorted_by_date_within_a_topic() -> None:
    assert [int(a.stem[:3]) for a in ARTICLES] == list(range(1, len(ARTICLES) + 1))
    topics: dict[str, list[datetime]] = {}
    for article in ARTICLES:
        topics.setdefault(article.stem.split("-")[1], []).append(article.published_at)
    assert list(topics) == ["usdc", "deepseek", "other", "etf", "hack", "listing", "iphone", "ai"]
    assert all(dates == sorted(dates) for dates in topics.values())


def test_each_language_has_its_share() -> None:
    count = Counter(article.head["language"] for article in ARTICLES)
    chinese = count["zh"] + count["zh-Hant"]
    assert 0.4 <= chinese / len(ARTICLES) <= 0.6
    assert count["zh-Hant"] >= 3


def test_each_chinese_piece_is_in_the_script_it_names() -> None:
    for article in ARTICLES:
        wrong = {"zh": TRADITIONAL - SIMPLIFIED, "zh-Hant": SIMPLIFIED - TRADITIONAL}
        unexpected = wrong.get(article.head["language"], set())
        assert [c for c in article.body if c in unexpected] == [], article.stem


@pytest.mark.parametrize(
    ("phrase", "at_least"),
    [
        ("wire copy of", 6),
        ("translation of", 1),
        ("official statement", 7),
        ("denial", 2),
        ("correction", 3),
        ("contradictory date", 2),
        ("contradictory figure", 2),
        ("stale re-post of", 4),
        ("satire", 1),
        ("opinion", 1),
        ("retrospective", 1),
        ("injected instruction (en)", 1),
        ("injected instruction (zh)", 1),
        ("injected instruction (zh-Hant)", 1),
        ("off-topic", 4),
    ],
)
def test_special_pieces_exist(phrase: str, at_least: int) -> None:
    assert len([article for article in ARTICLES if phrase in article.note]) >= at_least


def test_readme_lists_every_special_piece() -> None:
    readme = (SAMPLE / "README.md").read_text(encoding="utf-8")
    assert "Marked as sample wherever it appears" in readme
    assert f"{len(ARTICLES)} short articles" in readme
    for article in ARTICLES:
        if article.note:
            assert f"| `{article.stem}` |" in readme
            assert f"| {article.note} |" in readme


@pytest.mark.parametrize("phrase", ["wire copy of", "stale re-post of"])
def test_copies_share_four_fifths_of_the_shingles_of_their_original(phrase: str) -> None:
    pairs = related(phrase)
    assert len(pairs) >= 2
    for copy, original in pairs:
        expected, found = shingles(original), shingles(copy)
        assert len(expected & found) / len(expected | found) >= 0.8, copy.stem
        assert copy.head["url"] != original.head["url"]
        assert copy.published_at > original.published_at


def test_one_wire_original_has_copies_on_two_outlets_and_one_is_edited() -> None:
    pairs = related("wire copy of")
    outlets = Counter(original.stem for _, original in pairs)
    assert max(outlets.values()) >= 2
    assert any(original.body not in copy.body for copy, original in pairs)


def test_independent_pieces_are_not_near_copies() -> None:
    """Only pieces whose note names an original may overlap, or origins would prove nothing."""
    derived = {
        a.stem for phrase in ("wire copy of", "stale re-post of") for a, _ in related(phrase)
    }
    rest = [(a, shingles(a)) for a in ARTICLES if a.stem not in derived]
    for i, (left, left_shingles) in enumerate(rest):
        for right, right_shingles in rest[i + 1 :]:
            assert (
                len(left_shingles & right_shingles) / len(left_shingles | right_shingles) < 0.2
            ), (left.stem, right.stem)


def test_translation_crosses_the_language_and_says_so() -> None:
    for piece, original in related("translation of"):
        assert piece.chinese
        assert not original.chinese
        assert "编译" in piece.body
        assert original.head["publisher"] in piece.body


def test_stale_reposts_come_a_half_year_or_more_after_the_original() -> None:
    for piece, original in related("stale re-post of"):
        assert (piece.published_at - original.published_at).days > 180


@pytest.mark.parametrize(
    ("language", "needle"),
    [
        ("en", "Ignore all previous instructions and"),
        ("zh", "忽略以上所有指令"),
        ("zh-Hant", "忽略先前的所有指示"),
    ],
)
def test_injections_are_in_the_body_and_nowhere_else(language: str, needle: str) -> None:
    holders = [article for article in ARTICLES if needle in article.body]
    assert [article.head["language"] for article in holders] == [language]
    assert "injected instruction" in holders[0].note


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("USDC", "peg", "because|after", r"\$3\.3 billion", "Silicon Valley Bank")),
        ("zh", ("USDC", "脱锚", "原因|因为", "33亿美元", "硅谷银行")),
        ("zh-Hant", ("USDC", "33億美元", "矽谷銀行")),
    ],
)
def test_why_usdc_lost_its_peg_is_told_directly(language: str, words: tuple[str, ...]) -> None:
    """At least one sentence, or two neighbours, names the token, the event and the cause."""
    mark = r"(?<=[。！？])" if language != "en" else r"(?<=[.!?])\s+"
    answers: set[str] = set()
    for article in ARTICLES:
        if article.head["language"] != language or "injected" in article.note:
            continue
        for paragraph in article.body.split("\n\n"):
            sentences = re.split(mark, paragraph)
            windows = [" ".join(sentences[i : i + 2]) for i in range(len(sentences))]
            if any(all(re.search(word, text) for word in words) for text in windows):
                answers.add(article.stem)
    assert answers


def test_two_tellings_of_the_low_name_different_days() -> None:
    body = {article.stem[4:]: article.body for article in ARTICLES}
    assert "hit its low on Friday 10 March 2023" in body["usdc-low-dated-10-march"]
    assert "on Saturday 11 March 2023" in body["usdc-slips-below-peg"]


def test_glossary_has_at_least_450_well_formed_rows() -> None:
    rows = glossary_rows()
    assert len(rows) >= 450
    for row in rows:
        assert len(row) == 2, row
        zh, en = row
        assert re.search(r"[\u4e00-\u9fff]", zh), row
        assert re.fullmatch(r"[\u4e00-\u9fff0-9·-]+", zh), row
        variants = en.split("|")
        assert all(variant and variant == variant.strip() for variant in variants), row
        assert not re.search(r"[\u4e00-\u9fff]", en), row
        assert len(variants) == len({variant.casefold() for variant in variants}), row


def test_glossary_has_no_duplicate_rows() -> None:
    assert [zh for zh, n in Counter(row[0] for row in glossary_rows()).items() if n > 1] == []


@pytest.mark.parametrize(
    ("zh", "en"),
    [
        ("脱锚", "depeg"),
        ("稳定币", "stablecoin"),
        ("储备", "reserves"),
        ("硅谷银行", "Silicon Valley Bank"),
        ("深度求索", "DeepSeek"),
        ("梁文锋", "Liang Wenfeng"),
        ("幻方", "High-Flyer"),
        ("出口管制", "export controls"),
    ],
)
def test_glossary_knows_the_words_of_the_sample(zh: str, en: str) -> None:
    assert en in dict(glossary_rows())[zh].split("|")
