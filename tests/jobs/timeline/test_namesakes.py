"""Pages that fall apart into several of one name say so; pages of one person with many sides do not."""

from __future__ import annotations

import pytest
from timeline_pages import held

from groundwire.jobs.timeline.namesakes import namesakes

ENGLISH = (
    "The striker Jan Corvel scored twice for Arden on 3 May 2024 and Arden won the cup final.",
    "Jan Corvel, the striker of Arden, signed for Belmont on 1 July 2024 for a fee of 20 million.",
    "The chemist Jan Corvel published a paper on catalysts for ammonia on 9 June 2024.",
    "Jan Corvel, a chemist in Lund, won the Berzelius medal on 5 September 2024 for work on ammonia.",
)
CHINESE = (
    "歌手张维宁2024年5月3日在上海举行演唱会，门票售罄。",
    "歌手张维宁2024年7月1日发行新专辑。",
    "教授张维宁2024年6月9日发表论文，提出新的催化剂。",
    "教授张维宁2024年9月5日获化学奖。",
)
TAIWAN = (
    "歌手張維寧2024年5月3日在台北舉行演唱會，門票售罄。",
    "歌手張維寧2024年7月1日發行新專輯。",
    "教授張維寧2024年6月9日發表論文，提出新的催化劑。",
    "教授張維寧2024年9月5日獲化學獎。",
)


@pytest.mark.parametrize(
    ("texts", "topic", "called"),
    [
        (ENGLISH, "Jan Corvel", ["striker Jan Corvel", "chemist Jan Corvel"]),
        (CHINESE, "张维宁", ["歌手张维宁", "教授张维宁"]),
        (TAIWAN, "張維寧", ["歌手張維寧", "教授張維寧"]),
        # a trade that begins a sentence has a capital
        (
            (*ENGLISH[1:], "Striker Jan Corvel retired from football on 6 June 2025."),
            "Jan Corvel",
            ["striker Jan Corvel", "chemist Jan Corvel"],
        ),
        # one of them alone
        (ENGLISH[:2], "Jan Corvel", []),
        # one who is called by two trades in one page is one
        ((*ENGLISH, "The striker Jan Corvel is also the chemist Jan Corvel."), "Jan Corvel", []),
        (
            ("Corvel opened a plant on 3 May 2024.", "Corvel shares fell on 4 June 2024."),
            "Corvel",
            [],
        ),
    ],
)
def test_a_name_of_several(texts: tuple[str, ...], topic: str, called: list[str]) -> None:
    pages = [held(text, "2024-10-01") for text in texts]
    assert [each.called for each in namesakes(pages, topic)] == called
