"""How an event is told: the main sentence, in the reader's language, whole, once, on the most exact date."""

from __future__ import annotations

from datetime import date

import pytest
from timeline_pages import held, read

from groundwire.jobs.timeline.proposal import Plan
from groundwire.jobs.timeline.result import Node
from groundwire.jobs.timeline.skeleton import candidates_of, skeleton_of
from groundwire.jobs.timeline.threads import usual_threads
from groundwire.jobs.timeline.wholes import begins, is_told_beside
from groundwire.model.source import Evidence

TODAY = date(2025, 12, 1)


def nodes(pages: tuple[Evidence, ...], topic: str, language: str) -> tuple[Node, ...]:
    plan = Plan(
        topic=topic, language=language, level="light", threads=usual_threads("light", language)
    )
    return skeleton_of(plan, candidates_of(plan, pages, {}, language, TODAY)).nodes


RELEASE = (
    held("深度求索2025年1月20日发布推理模型R1，并公开模型权重。", "2025-01-20", "深度求索发布推理模型R1"),
    held("深度求索2025年1月20日發布推理模型R1，並公開模型權重。", "2025-01-20", "深度求索發布推理模型R1"),
    held("DeepSeek released its reasoning model R1 on 20 January 2025 with open weights.", "2025-01-20",
         "DeepSeek releases its reasoning model R1"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("topic", "language", "text", "title"),
    [
        ("DeepSeek", "en", "DeepSeek released its", "DeepSeek releases its reasoning model R1"),
        ("深度求索", "zh", "深度求索2025年1月20日发布", "深度求索发布推理模型R1"),
        ("深度求索", "zh-Hant", "深度求索2025年1月20日發布", "深度求索發布推理模型R1"),
    ],
)  # fmt: skip
def test_an_event_is_told_once_and_in_the_language_of_the_reader(
    topic: str, language: str, text: str, title: str
) -> None:
    (node,) = nodes(RELEASE, topic, language)
    assert node.title == title
    assert [each.text.startswith(text) for each in node.description] == [True]


@pytest.mark.parametrize(
    ("pages", "topic", "language", "day"),
    [
        ((held("Rolf Dahl founded Norvind in Bergen in 2019.", "2022-05-02"),
          held("Rolf Dahl founded Norvind in Bergen in July 2019.", "2020-02-01")), "Norvind", "en", "2019-07"),
        ((held("罗尔夫2019年在卑尔根创立诺风能源。", "2022-05-02"),
          held("罗尔夫2019年7月在卑尔根创立诺风能源。", "2020-02-01")), "诺风能源", "zh", "2019-07"),
        ((held("羅爾夫2019年在卑爾根創立諾風能源。", "2022-05-02"),
          held("羅爾夫2019年7月在卑爾根創立諾風能源。", "2020-02-01")), "諾風能源", "zh-Hant", "2019-07"),
    ],
)  # fmt: skip
def test_the_most_exact_date_that_agrees_is_that_of_the_event(
    pages: tuple[Evidence, ...], topic: str, language: str, day: str
) -> None:
    assert [each.date for each in nodes(pages, topic, language)] == [day]


@pytest.mark.parametrize(
    ("text", "title", "topic", "language"),
    [
        ("Orlo can be downloaded again in Korea. The app was back in the stores on Monday 28 April 2025.",
         "Orlo returns to Korean app stores", "Orlo", "en"),
        ("奥罗在韩国可以重新下载。该应用2025年4月28日重回韩国应用商店。", "奥罗重回韩国应用商店", "奥罗", "zh"),
        ("奧羅在韓國可以重新下載。該應用程式2025年4月28日重回韓國應用程式商店。", "奧羅重回韓國應用程式商店", "奧羅",
         "zh-Hant"),
    ],
)  # fmt: skip
def test_what_goes_on_about_the_headline_is_an_event(
    text: str, title: str, topic: str, language: str
) -> None:
    (node,) = nodes((held(text, "2025-04-28", title),), topic, language)
    assert (node.date, node.title) == ("2025-04-28", title)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Orlo sold its ships. It bought two planes on 3 May 2024.", 0),
        ("Orlo sold its ships on 1 March 2024. It bought two planes on 3 May 2024.", None),
        ("Orlo sold its ships. Orlo bought two planes on 3 May 2024.", 1),
        ("奥罗卖掉了全部轮船。它2024年5月3日购买两架飞机用于货运。", 0),
        ("奥罗2024年3月1日卖掉轮船。它2024年5月3日购买两架飞机用于货运。", None),
        ("奧羅賣掉了全部輪船。它2024年5月3日購買兩架飛機用於貨運。", 0),
    ],
)  # fmt: skip
def test_a_sentence_that_speaks_of_it_begins_with_the_one_that_names_it(
    text: str, first: int | None
) -> None:
    found = begins(read(text, "2024-05-04").accounts[-1])
    assert (found.order if found else None) == first


@pytest.mark.parametrize(
    ("text", "beside"),
    [
        ("奥罗5月3日推出的飞船在技术圈引起反响。", True),
        ("奧羅5月3日推出的飛船在技術圈引起迴響。", True),
        ("Ana Ruiz, who led Orlo until 3 May 2024, is an author.", True),
        ("奥罗5月3日推出飞船，价格不变。", False),
        ("奧羅5月3日推出飛船，價格不變。", False),
        ("Orlo released the ship on 3 May 2024.", False),
    ],
)
def test_a_remark_names_its_day_beside_what_it_tells(text: str, beside: bool) -> None:
    (account,) = read(text, "2024-05-04").accounts
    assert is_told_beside(account, date(2024, 5, 3)) is beside


@pytest.mark.parametrize(
    ("pages", "topic", "language"),
    [
        (
            (
                held("Liang Wenfeng, who founded DeepSeek in 2023, is the corresponding author of the paper.", "2025-09-18"),
                held("The company DeepSeek, based in Hangzhou, was founded in 2023 by Liang Wenfeng and is funded by a hedge fund.", "2024-12-27"),
                held("Quantitative investor Liang Wenfeng set up the new company DeepSeek in Hangzhou in July 2023.", "2023-11-03"),
            ),
            "DeepSeek",
            "en",
        ),
        (
            (
                held("托尔克2023年在奥兰创立的维尔登实验室发表了论文。", "2025-09-17"),
                held("2023年，托尔克在奥兰创立维尔登实验室。", "2024-05-02"),
                held("2023年7月，托尔克在奥兰创立了维尔登实验室。", "2024-06-03"),
            ),
            "维尔登实验室",
            "zh",
        ),
        (
            (
                held("托爾克2023年在奧蘭創立的維爾登實驗室發表了論文。", "2025-09-17"),
                held("2023年，托爾克在奧蘭創立維爾登實驗室。", "2024-05-02"),
                held("2023年7月，托爾克在奧蘭創立了維爾登實驗室。", "2024-06-03"),
            ),
            "維爾登實驗室",
            "zh-Hant",
        ),
    ],
)  # fmt: skip
def test_a_year_and_a_month_in_it_are_told_once(
    pages: tuple[Evidence, ...], topic: str, language: str
) -> None:
    assert [each.date for each in nodes(pages, topic, language)] == ["2023-07"]


# One page opens with the fire in a roundabout way, three tell it in like words below other news.
FIRE = {
    "en": (
        "Velden",
        "Boats leave every hour for the islands.",
        (
            "Velden, where the old mill stands since the war, saw flames on 5 May 2024 as firemen fought the mill fire.",
            "A fire destroyed the old mill of Velden on 5 May 2024 and killed two firemen.",
            "Two firemen were killed when fire destroyed the old mill of Velden on 5 May 2024.",
            "On 5 May 2024 a fire destroyed the old mill of Velden, killing two firemen.",
        ),
    ),
    "zh": (
        "维尔登",
        "每小时都有船开往各岛，游客众多。",
        (
            "维尔登老磨坊战后以来一直矗立，2024年5月5日可见火光，消防员在磨坊火灾中奋战。",
            "2024年5月5日，维尔登老磨坊毁于火灾，两名消防员丧生。",
            "维尔登老磨坊2024年5月5日毁于火灾，两名消防员丧生。",
            "2024年5月5日的火灾烧毁维尔登老磨坊，两名消防员丧生。",
        ),
    ),
    "zh-Hant": (
        "維爾登",
        "每小時都有船開往各島，遊客眾多。",
        (
            "維爾登老磨坊戰後以來一直矗立，2024年5月5日可見火光，消防員在磨坊火災中奮戰。",
            "2024年5月5日，維爾登老磨坊毀於火災，兩名消防員喪生。",
            "維爾登老磨坊2024年5月5日毀於火災，兩名消防員喪生。",
            "2024年5月5日的火災燒毀維爾登老磨坊，兩名消防員喪生。",
        ),
    ),
}


@pytest.mark.parametrize("language", sorted(FIRE))
def test_an_event_is_told_as_most_tell_it(language: str) -> None:
    topic, above, (odd, *told) = FIRE[language]
    pages = (held(odd, "2024-05-06"), *(held(f"{above} {text}", "2024-05-07") for text in told))
    (node,) = nodes(pages, topic, language)
    assert node.description[0].text in told


DISMISSED = {
    "en": ("Orlo", (
        ("Orlo fires chief executive Ana Ruiz",
         "The board of Orlo dismissed Ana Ruiz as chief executive on Friday 17 November 2023."),
        ("Ana Ruiz out at Orlo", "Orlo's board dismissed Ana Ruiz as its chief executive on 17 November 2023."),
        ("Ana Ruiz is back at Orlo with a new board",
         "Orlo and Ana Ruiz have agreed in principle that she returns as chief executive, the company said late on Tuesday"
         " 21 November 2023, four days after its board had thrown her out."),
        ("Ana Ruiz returns to Orlo as chief executive",
         "Ana Ruiz returns to Orlo as chief executive, the company said on Tuesday 21 November 2023, after the board had"
         " dismissed her."))),
    "zh": ("北方公司", (
        ("北方公司董事会解除安娜首席执行官职务", "北方公司2023年11月17日宣布，董事会解除安娜的首席执行官职务。"),
        ("安娜被解除首席执行官职务", "北方公司董事会2023年11月17日解除安娜的首席执行官职务。"),
        ("安娜重返北方公司任首席执行官",
         "北方公司2023年11月21日宣布，安娜重返首席执行官职位，董事会改组，解除安娜职务的董事离开。"),
        ("安娜重返北方公司", "北方公司2023年11月21日宣布，安娜重返公司担任首席执行官，解除她职务的董事会改组。"))),
    "zh-Hant": ("北方公司", (
        ("北方公司董事會解除安娜執行長職務", "北方公司2023年11月17日宣布，董事會解除安娜的執行長職務。"),
        ("安娜被解除執行長職務", "北方公司董事會2023年11月17日解除安娜的執行長職務。"),
        ("安娜重返北方公司任執行長", "北方公司2023年11月21日宣布，安娜重返執行長職位，董事會改組，解除安娜職務的董事離開。"),
        ("安娜重返北方公司", "北方公司2023年11月21日宣布，安娜重返公司擔任執行長，解除她職務的董事會改組。"))),
}  # fmt: skip


@pytest.mark.parametrize("language", sorted(DISMISSED))
def test_what_several_date_on_two_days_is_two_events(language: str) -> None:
    topic, told = DISMISSED[language]
    pages = tuple(
        held(text, "2023-11-18" if "17" in text else "2023-11-22", title, origin=title)
        for title, text in told
    )
    found = nodes(pages, topic, language)
    assert [each.date for each in found] == ["2023-11-17", "2023-11-21"]
    assert all({d.date for d in each.date_sources} == {each.date} for each in found)
    assert len({each.description[0].text for each in found}) == 2
