"""Times that a sentence names beside its own do not date it; a sentence that only says when dates the next."""

from __future__ import annotations

import pytest
from timeline_pages import read


@pytest.mark.parametrize(
    ("text", "day", "dated"),
    [
        # what it is compared with
        ("Unlike in January 2024, no commissioner voted.", "2024-05-24", []),
        ("Sales rose to 5 million, more than in March 2023.", "2024-05-24", []),
        ("与1月批准时不同，这次没有委员投票。", "2024-05-24", []),
        ("與1月批准時不同，這次沒有委員投票。", "2024-05-24", []),
        ("The town was quieter than usual on 3 May 2024.", "2024-05-24", ["2024-05-03"]),
        # from when it is to hold, as somebody announced
        ("The bank announced that depositors would have their money from 13 March 2023.", "2023-03-13", []),
        ("三家机构宣布储户自3月13日起可以取款。", "2023-03-13", []),
        ("三家機構宣布儲戶自3月13日起可以提款。", "2023-03-13", []),
        ("公司5月3日宣布自5月6日起降价。", "2024-05-04", ["2024-05-03"]),
        # it had begun when that was said
        ("委员会表示，该应用自2月15日起暂停下载。", "2025-02-17", ["2025-02-15"]),
        # a report of what is planned
        ("外电2月底曾引述知情人士说法，指公司打算在5月初推出新机。", "2025-03-11", ["2025-05-01"]),
        ("外電2月底曾引述知情人士說法，指公司打算在5月初推出新機。", "2025-03-11", ["2025-05-01"]),
        ("Reuters reported in late February that the phone is due in May 2025.", "2025-03-11", ["2025-05-01"]),
        ("外电2月底曾报道该公司裁员。", "2025-03-11", ["2025-02-21"]),
        # what unnamed media had heard, in a page that tells other news
        ("公司否认了传言。外电2月底曾引述知情人士说法，指公司打算在5月初推出新机。", "2025-03-11", ["", ""]),
        ("公司否認了傳言。外電2月底曾引述知情人士說法，指公司打算在5月初推出新機。", "2025-03-11", ["", ""]),
        ("The firm denied it. A report in February said that it had planned the phone for early May.", "2025-03-11", ["", ""]),
        # a year of a name, and since when nothing was larger
        ("行政令依据的是1950年的《国防生产法》。", "2025-01-22", []),
        ("行政命令依據的是1950年的《國防生產法》。", "2025-01-22", []),
        ("The order rests on the Defense Production Act of 1950.", "2025-01-22", []),
        ("这是2008年以来最大的银行倒闭事件。", "2023-03-11", []),
        ("這是2008年以來最大的銀行倒閉事件。", "2023-03-11", []),
        ("It is the largest failure since 2008.", "2023-03-11", []),
        ("成交低于美国同类产品1月首日的金额。", "2024-04-30", []),
        # just now
        ("USDC刚刚失去锚定。", "2023-03-11", []),
        # a scene
        ("转折点出现在3月12日。财政部发表声明，储户不受损失。", "2023-03-13", ["2023-03-12"]),
        ("轉折點出現在3月12日。財政部發表聲明，儲戶不受損失。", "2023-03-13", ["2023-03-12"]),
        ("The turn came on 12 March. The Treasury said that all deposits were safe.", "2023-03-13", ["2023-03-12"]),
        ("The bridge opened on 12 March. The Treasury said that all deposits were safe.", "2023-03-13",
         ["2023-03-12", ""]),
    ],
)  # fmt: skip
def test_what_dates_a_sentence(text: str, day: str, dated: list[str]) -> None:
    found = [
        each.times[0].first.isoformat() if each.times else "" for each in read(text, day).accounts
    ]
    assert found == (dated or [""])
