"""What a claim is about, when it was true, and that its id is its content."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from groundwire.evidence.memory.beliefs import belief, normal_words, span_of
from groundwire.model.claim import Claim

PUBLISHED = date(2026, 11, 16)


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("The line opened on 3 March 2026.", "2026-03-03"),
        ("该线路于2026年3月3日开通。", "2026-03-03"),
        ("該線路於2026年3月3日開通。", "2026-03-03"),
        ("Sales rose in the third quarter of 2026.", "2026-Q3"),
        ("2026年第三季度销售额上升。", "2026-Q3"),
        ("It was founded in 2019.", "2019"),
        ("公司成立于2019年。", "2019"),
        # From a day on, and up to one: the other end is open.
        ("Since March 2025 the fee is waived.", "2025-03/.."),
        ("自2025年3月起，该行不再收取手续费。", "2025-03/.."),
        ("自2025年3月起，該行不再收取手續費。", "2025-03/.."),
        ("They will finish by 2027.", "../2027"),
        ("The plant was closed from 3 May 2026 to 9 May 2026.", "2026-05-03/2026-05-09"),
        ("2023年至2025年营收翻倍。", "2023/2025"),
        # A count as of a day is true on that day.
        ("截至2026年11月10日，用户达到300万。", "2026-11-10"),
        # Days without a year are read near the day of the page.
        ("USDC traded at $0.88 on Saturday.", "2026-11-14"),
        ("该币昨日跌至0.88美元。", "2026-11-15"),
        ("The rate is 4.2%.", ""),
        ("利率为4.2%。", ""),
    ],
)
def test_when_a_claim_was_true_comes_from_its_own_dates(text: str, time: str):
    assert span_of(text, PUBLISHED)[1] == time


def test_a_span_holds_both_ends_of_its_days():
    span, _ = span_of("Prices fell in May 2026.")
    assert span.true_from == datetime(2026, 5, 1, tzinfo=UTC)
    assert span.true_to == datetime(2026, 5, 31, 23, 59, 59, 999999, tzinfo=UTC)
    assert span.precision == "month"


@pytest.mark.parametrize(
    ("text", "subject", "key"),
    [
        ("Harbor Light Bank's rate is 4.2%.", "Harbor Light Bank", "harbor light bank"),
        ("According to Reuters, Harbor Light Bank raised it.", "Harbor Light Bank", None),
        ("港灯银行把存款利率提高到4.5%。", "港灯银行", "港灯银行"),
        ("港燈銀行把存款利率提高到4.5%。", "港燈銀行", "港灯银行"),
        ("中国人民银行宣布降息。", "中国人民银行", "pboc"),
        ("海象机器人公司的首席执行官是李伟。", "海象机器人公司", None),
        ("The price rose again.", "", ""),
    ],
)
def test_a_claim_is_about_the_first_name_in_it(text: str, subject: str, key: str | None):
    found = belief(Claim(text=text))
    assert found.subject == subject
    if key is not None:
        assert found.subject_key == key


def test_the_same_claim_in_another_script_width_or_case_is_the_same_belief():
    forms = ["港灯银行的利率为4.2%。", "港燈銀行的利率為4.2%", "港灯银行的利率为４.２％。"]
    assert len({belief(Claim(text=text)).id for text in forms}) == 1
    assert normal_words("Rates ROSE.") == normal_words("rates rose")


def test_the_same_words_of_two_days_are_two_beliefs():
    text = "The price fell by 5% yesterday."
    ids = {belief(Claim(text=text), day).id for day in (date(2026, 11, 3), date(2026, 11, 4))}
    assert len(ids) == 2


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The rate is 4.2%.", "figure"),
        ("票价为12元。", "figure"),
        ("The minister said that the bridge is safe.", "statement"),
        ("部长表示大桥安全。", "statement"),
        ("部長表示大橋安全。", "statement"),
        ("The bridge opened in May 2026.", "date"),
        ("The bridge is painted red.", "fact"),
    ],
)
def test_the_kind_of_a_claim_is_read_from_its_words(text: str, kind: str):
    assert belief(Claim(text=text)).kind == kind


def test_what_the_writer_names_is_kept():
    given = Claim(text="It rose.", kind="opinion", subject="Acme", predicate="price", value="$5")
    found = belief(given)
    assert (found.kind, found.subject, found.predicate, found.value) == (
        "opinion", "Acme", "price", "$5",
    )  # fmt: skip
