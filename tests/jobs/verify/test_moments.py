"""Which pages count at the time of a message, what came after it, and what overtook what."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from lab.archives import document
from tests.evidence.builders import evidence

from groundwire.jobs.verify.event_dates import event_day
from groundwire.jobs.verify.feature_types import Moment
from groundwire.jobs.verify.moments import first_told, is_denial, later_notes, sort_by_time
from groundwire.model.result import Origin
from groundwire.model.source import Evidence
from groundwire.model.stance import Stance, StanceLabel, StanceScores

SUPPORTS: StanceLabel = "supports"
CONTRADICTS: StanceLabel = "contradicts"
Statements = tuple[tuple[str, StanceLabel, str | None], ...]
NONE = StanceScores(supports=0, contradicts=0, qualifies=0, unrelated=1)
NOW = Moment(datetime(2026, 1, 1, tzinfo=UTC))


def moment_of(at: str, as_of: str | None = None) -> Moment:
    until = None if as_of is None else datetime.fromisoformat(as_of)
    said = datetime.fromisoformat(at)
    return Moment(said, until, said)


def pages(
    *statements: tuple[str, StanceLabel, str | None],
) -> tuple[list[Evidence], dict[str, StanceLabel], dict[str, Stance]]:
    """Build pages of one sentence each, with their day and the side that they take."""
    found = [
        evidence(text, url=f"https://{number}.example/a", published=day)
        for number, (text, _, day) in enumerate(statements)
    ]
    sides: dict[str, StanceLabel] = {
        each.id: label for each, (_, label, _) in zip(found, statements, strict=True)
    }
    stances = {
        each.id: Stance(label=label, scores=NONE, quote=text, start=0, end=len(text))
        for each, (text, label, _) in zip(found, statements, strict=True)
    }
    return found, sides, stances


def outcome(moment: Moment, *statements: tuple[str, StanceLabel, str | None]) -> list[str]:
    """Tell for each page that it counts, or why it does not, in any order."""
    found, sides, stances = pages(*statements)
    result = sort_by_time(found, stances, sides, (), moment)
    assert result == sort_by_time(found[::-1], stances, sides, (), moment)
    assert {**result.counted, **result.aside}.keys() == sides.keys()
    return [result.aside.get(each.id, "counts") for each in found]


@pytest.mark.parametrize(
    ("statements", "kept"),
    [
        # "Not yet" of a week before does not deny what has happened since.
        ([("a", CONTRADICTS, "2024-01-02"), ("b", SUPPORTS, "2024-01-10")], "b"),
        # Yesterday's denial stands against one report, and falls to two.
        ([("a", CONTRADICTS, "2024-01-09"), ("b", SUPPORTS, "2024-01-10")], "ab"),
        (
            [
                ("a", CONTRADICTS, "2024-01-09"),
                ("b", SUPPORTS, "2024-01-10"),
                ("c", SUPPORTS, "2024-01-10"),
            ],
            "bc",
        ),
        # A denial of the same day, or of later, is one.
        ([("a", CONTRADICTS, "2024-01-10"), ("b", SUPPORTS, "2024-01-10")], "ab"),
        ([("a", CONTRADICTS, "2024-01-12"), ("b", SUPPORTS, "2024-01-10")], "ab"),
        # A denial long after it, in a message of which nobody knows when it was said.
        ([("a", SUPPORTS, "2022-05-01"), ("b", CONTRADICTS, "2024-01-10")], "ab"),
        ([("a", SUPPORTS, "2024-01-02"), ("b", CONTRADICTS, "2024-01-10")], "ab"),
        # Pages without a date are never overtaken and overtake nothing.
        ([("a", CONTRADICTS, None), ("b", SUPPORTS, "2024-01-10")], "ab"),
        ([("a", CONTRADICTS, "2023-01-09"), ("b", SUPPORTS, None)], "ab"),
        ([("a", SUPPORTS, "2020-01-09")], "a"),
    ],
)
def test_what_still_counts(
    statements: list[tuple[str, StanceLabel, str | None]], kept: str
) -> None:
    became = outcome(NOW, *statements)
    assert [
        name for (name, _, _), how in zip(statements, became, strict=True) if how == "counts"
    ] == [*kept]
    assert all(how in ("counts", "overtaken") for how in became)


def test_a_party_that_says_so_overtakes_the_denial_of_the_day_before() -> None:
    found, sides, stances = pages(("a", CONTRADICTS, "2024-01-09"), ("b", SUPPORTS, "2024-01-10"))
    result = sort_by_time(found, stances, sides, (found[1].id,), NOW)
    assert result.aside == {found[0].id: "overtaken"}


@pytest.mark.parametrize(
    ("said", "supports", "denied", "kept"),
    [
        # Old news told again as new, and denied then.
        ("2024-01-10T12:00+00:00", "2022-05-01", "2024-01-10", "b"),
        # Of the message's own time, however late something is denied.
        ("2025-01-21T00:00+00:00", "2025-01-20", "2025-03-11", "ab"),
        # The denial is as old as the reports: all speak of the same old time.
        ("2024-01-10T12:00+00:00", "2022-05-01", "2022-07-01", "ab"),
    ],
)
def test_what_was_reported_long_before_the_message_was_another_event(
    said: str, supports: str, denied: str, kept: str
) -> None:
    found, sides, stances = pages(
        ("It happened in town.", SUPPORTS, supports), ("It is not so.", CONTRADICTS, denied)
    )
    moment = moment_of(said)
    result = sort_by_time(found, stances, sides, (), moment)
    assert "".join("ab"[n] for n, each in enumerate(found) if each.id in result.counted) == kept
    # A party's own word is never set aside so, nor where nobody knows when it was said.
    for officials, when in (((found[0].id,), moment), ((), moment._replace(event=None))):
        assert not sort_by_time(found, stances, sides, officials, when).aside


@pytest.mark.parametrize(
    ("claim", "denial"),
    [
        ("Coinbase will not list the token", True),
        ("Coinbase不会上线该代币", True),
        ("Coinbase否認將上架該代幣", True),
        ("Coinbase will list the token", False),
        ("Coinbase将上线该代币", False),
        ("Coinbase將上架該代幣", False),
    ],
)
def test_a_claim_that_says_that_something_is_not_so(claim: str, denial: bool) -> None:
    assert is_denial(claim) == denial


@pytest.mark.parametrize(
    "text",
    [
        "The exchange opened to the token on 25 February 2019, a year after it denied a rumour.",
        "该交易所2019年2月25日上线该代币，一年前曾否认传言。",
        "該交易所2019年2月25日上架該代幣，一年前曾否認傳言。",
    ],
)
def test_what_happened_later_does_not_look_back_on_a_denial(text: str) -> None:
    # Said in 2018: the exchange will not list it.
    moment = moment_of("2018-01-05T00:00+00:00")
    found, sides, stances = pages((text, CONTRADICTS, "2019-02-26T12:00"))
    denied = sort_by_time(found, stances, sides, (), moment, on_denials=[found[0].id])
    assert denied.aside == {found[0].id: "later_change"}
    assert not sort_by_time(found, stances, sides, (), moment).aside
    notes = later_notes(found, stances, denied.aside, (), (), moment.said)
    assert [(each.kind, each.day.isoformat()) for each in notes] == [
        ("changed_later", "2019-02-25")
    ]


@pytest.mark.parametrize(
    ("how", "text"),
    [
        ("wire copy of", "The regulator approved eleven funds on 10 January."),
        ("wire copy of", "监管机构1月10日批准11只基金上市。"),
        ("translation of", "主管機關1月10日核准11檔基金上市。"),
    ],
)
def test_a_copy_takes_the_day_of_its_original(how: str, text: str) -> None:
    found, sides, stances = pages(
        (text, SUPPORTS, "2024-01-10T22:30"), (text, SUPPORTS, "2025-03-02T13:00")
    )
    first, copy = found
    line = {"evidence_id": copy.id, "of": first.id, "how": how}
    origin = {"id": "o", "lead": first.id, "members": (first.id, copy.id), "lineage": (line,)}
    told = first_told(found, [Origin.model_validate(origin)])
    assert told == {copy.id: first.document.published_at}
    after = moment_of("2024-01-11T08:00+00:00")
    assert not sort_by_time(found, stances, sides, (), after, told).aside
    assert sort_by_time(found, stances, sides, (), after).aside == {copy.id: "later_event"}
    before = moment_of("2024-01-05T08:00+00:00")
    aside = sort_by_time([copy], stances, {copy.id: SUPPORTS}, (), before, told).aside
    notes = later_notes([copy], stances, aside, (), (), before.said, told)
    assert [(each.kind, each.day.isoformat()) for each in notes] == [
        ("came_true_later", "2024-01-10")
    ]


class TestAtTheTimeOfTheMessage:
    """Said on 9 January in the evening; the regulator denied it that evening, and approved on the 10th."""

    moment = moment_of("2024-01-09T21:11+00:00")

    @pytest.mark.parametrize(
        ("denial", "event", "denied"),
        [
            (
                "The regulator said on Tuesday that it had not approved the funds.",
                "The regulator approved eleven funds on Wednesday 10 January 2024.",
                "2024-01-09",
            ),
            (  # in Beijing and Taipei the page is of the next morning
                "监管机构9日表示并未批准这些基金。",
                "监管机构当地时间2024年1月10日批准11只基金上市。",
                "2024-01-10",
            ),
            (
                "主管機關9日表示並未核准這些基金。",
                "主管機關當地時間2024年1月10日核准11檔基金上市。",
                "2024-01-10",
            ),
        ],
    )
    def test_a_denial_looks_back_and_a_later_event_does_not(
        self, denial: str, event: str, denied: str
    ) -> None:
        statements: Statements = (
            (denial, CONTRADICTS, "2024-01-09T22:30"),
            (event, SUPPORTS, "2024-01-10T22:30"),
        )
        assert outcome(self.moment, *statements) == ["counts", "later_event"]
        found, sides, stances = pages(*statements)
        result = sort_by_time(found, stances, sides, (), self.moment)
        notes = later_notes(found, stances, result.aside, (found[0].id,), (), self.moment.said)
        assert [(each.kind, each.day.isoformat(), each.evidence_id) for each in notes] == [
            ("denied_later", denied, found[0].id),
            ("came_true_later", "2024-01-10", found[1].id),
        ]
        known = later_notes(
            found, stances, result.aside, (found[0].id,), (), self.moment.said, supported=True
        )
        assert [each.kind for each in known] == ["denied_later"]

    def test_said_after_the_event_the_denial_is_overtaken(self) -> None:
        statements: Statements = (
            ("The regulator had not approved the funds.", CONTRADICTS, "2024-01-09T22:30"),
            ("The regulator approved them on Wednesday.", SUPPORTS, "2024-01-10T21:15"),
            ("Eleven funds were approved on 10 January.", SUPPORTS, "2024-01-10T22:00"),
        )
        after = moment_of("2024-01-11T08:00+00:00")
        assert outcome(after, *statements) == ["overtaken", "counts", "counts"]
        assert outcome(self.moment, *statements) == ["counts", "later_event", "later_event"]

    @pytest.mark.parametrize(
        ("text", "at", "became"),
        [
            # Minutes or hours later, of what has happened already.
            ("The bridge has closed, the city says.", "2024-01-09T22:00", "counts"),
            ("The bridge closed on Tuesday.", "2024-01-10T09:00", "counts"),
            ("1月9日，大桥已经关闭。", "2024-01-12T09:00", "counts"),
            ("大橋9日關閉。", "2024-01-12T09:00", "counts"),
            ("The bridge closed on 8 January.", "2024-03-12T09:00", "counts"),
            # Days later, of days later.
            ("The bridge closed on Thursday.", "2024-01-11T20:00", "later_event"),
            ("大桥11日关闭。", "2024-01-12T09:00", "later_event"),
            ("大橋於1月11日關閉。", "2024-01-12T09:00", "later_event"),
            # Days later, and no word of when.
            ("The bridge is closed.", "2024-01-12T09:00", "later_report"),
            ("The bridge closed in January 2024.", "2024-02-12T09:00", "later_report"),
        ],
    )
    def test_what_a_later_page_says_of_that_time_counts(
        self, text: str, at: str, became: str
    ) -> None:
        assert outcome(self.moment, (text, SUPPORTS, at)) == [became]

    @pytest.mark.parametrize(
        ("text", "became"),
        [
            ("On Friday the company said that it had never bought the mine.", "counts"),
            ("该公司12日否认收购该矿。", "counts"),
            ("該公司12日否認收購該礦。", "counts"),
            ("On Friday the company sold the mine.", "later_change"),
            ("该公司12日出售该矿。", "later_change"),
            ("The company, in fact, sold the mine in 2022.", "counts"),
        ],
    )
    def test_denials_look_back_and_later_acts_do_not(self, text: str, became: str) -> None:
        assert outcome(self.moment, (text, CONTRADICTS, "2024-01-13T09:00")) == [became]

    @pytest.mark.parametrize("side", [SUPPORTS, CONTRADICTS])
    @pytest.mark.parametrize(
        "text", ["The city has 45 million people.", "该市有4500万人。", "該市有4500萬人。"]
    )
    def test_both_sides_are_dated_alike(self, side: StanceLabel, text: str) -> None:
        # Long after the message: a page without a date is not known to be later, one with a date is.
        long_ago = moment_of("2020-10-01T12:00+00:00")
        assert outcome(long_ago, (text, side, None)) == ["counts"]
        assert outcome(long_ago, (text, side, "2021-05-01T09:00")) == ["later_report"]

    @pytest.mark.parametrize(
        ("text", "day"),
        [
            ("The city has 41 million people.", "2021-05-01T09:00"),
            ("The council sold the land on 12 January 2024.", "2024-01-13T09:00"),
        ],
    )
    def test_what_speaks_against_it_is_never_told_as_come_true(self, text: str, day: str) -> None:
        moment = moment_of("2020-10-01T12:00+00:00")
        found, sides, stances = pages((text, CONTRADICTS, day))
        aside = sort_by_time(found, stances, sides, (), moment).aside
        notes = later_notes(found, stances, aside, (), (), moment.said)
        assert [each.kind for each in notes] == ["changed_later"]


@pytest.mark.parametrize(
    ("published", "as_of", "became"),
    [
        ("2024-01-09", "2024-01-09T23:59:59+00:00", "counts"),
        ("2024-01-10", "2024-01-09T23:59:59+00:00", "unpublished"),
        # Without a date: as of when it was first seen, which is 20 March 2023 here.
        (None, "2023-03-19T23:59:59+00:00", "unpublished"),
        (None, "2023-03-20T00:00+00:00", "counts"),
    ],
)
@pytest.mark.parametrize("side", [SUPPORTS, CONTRADICTS])
def test_only_what_was_published_by_then_counts(
    side: StanceLabel, published: str | None, as_of: str, became: str
) -> None:
    moment = moment_of(as_of, as_of)
    if published and published > "2023-03-20":
        # The archive saw it in 2023: what was seen was there.
        page = evidence("It is so.", published=published)
        later = page.document.model_copy(update={"fetched_at": datetime(2026, 1, 1, tzinfo=UTC)})
        page = page.model_copy(update={"document": later})
    else:
        page = evidence("It is so.", published=published)
    stance = Stance(label=side, scores=NONE, quote="It is so.", start=0, end=9)
    result = sort_by_time([page], {page.id: stance}, {page.id: side}, (), moment)
    assert (result.aside.get(page.id) or "counts") == became


@pytest.mark.parametrize(
    ("text", "language", "published", "day"),
    [
        ("天山公司昨日宣布收购海河集团。", "zh", "2024-05-02T07:00:00+08:00", "2024-05-01"),
        ("天山公司昨日宣布收购海河集团。", "zh", "2024-05-01T23:00:00Z", "2024-05-01"),
        ("天山公司昨天宣布收購海河集團。", "zh-Hant", "2024-05-01T23:00:00Z", "2024-05-01"),
        ("Acme bought Beta yesterday.", "en", "2024-05-06T22:00:00-05:00", "2024-05-05"),
        # A Chinese page from New York, before its midnight and after that of Beijing.
        ("天山公司昨日宣布收购海河集团。", "zh", "2024-05-02T20:00:00-04:00", "2024-05-01"),
    ],
)
def test_yesterday_is_that_of_the_page(text: str, language: str, published: str, day: str) -> None:
    page = document(
        "https://a.example/x", "", text, NOW.said, language=language, published_at=published
    )
    found = event_day(page, text)
    assert found is not None
    assert str(found.day) == day
