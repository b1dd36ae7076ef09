"""Events that are told more than once are one; what only resembles one stays another."""

from __future__ import annotations

from pathlib import Path

import pytest
from lab.evaluation.told_twice import FILE, Pair, are_joined, measure_pairs

from groundwire.jobs.timeline.likeness import SIGNS, weights

CASES = [
    # in other words
    (True, "2024-05-02", "Lorne Ferries buys two electric ships",
     "Lorne Ferries said it had ordered two electric ships for €90 million.",
     "2024-05-02", "Shipyard gets order for two electric ferries",
     "The order from Lorne Ferries, for two electric ships, is worth €90 million."),
    (True, "2024-05-02", "罗恩轮渡订购两艘电动船", "罗恩轮渡公司2日宣布以9000万欧元订购两艘电动船。",
     "2024-05-03", "罗恩轮渡买下两艘电动船", "罗恩轮渡周四以9000万欧元订购了两艘电动船。"),
    (True, "2024-05-02", "羅恩渡輪訂購兩艘電動船", "羅恩渡輪公司2日宣布以9000萬歐元訂購兩艘電動船。",
     "2024-05-02", "罗恩渡轮买下两艘电动船", "罗恩渡轮以9000万欧元订购了两艘电动船。"),
    # in another language
    (True, "2024-12-26", "DeepSeek releases its V3 model",
     "DeepSeek released its V3 model on 26 December 2024 with open weights.",
     "2024-12-26", "深度求索发布V3模型", "2024年12月26日，深度求索发布V3模型并开源权重。"),
    # another model, another party, its denial, its plan, its end
    (False, "2024-12-26", "DeepSeek releases its V3 model",
     "DeepSeek released its V3 model on 26 December 2024 with open weights.",
     "2025-01-20", "深度求索发布R1模型", "2025年1月20日，深度求索发布R1模型并开源权重。"),
    (False, "2023-06-05", "Regulator sues Arkado", "The regulator sued the exchange Arkado on 5 June 2023.",
     "2023-06-06", "Regulator sues Belmar", "The regulator sued the exchange Belmar on 6 June 2023."),
    (False, "2024-01-09", "监管机构否认批准基金", "监管机构2024年1月9日否认已经批准飞马基金。",
     "2024-01-10", "监管机构批准基金", "监管机构2024年1月10日批准飞马基金上市。"),
    (False, "2024-01-09", "監管機構否認批准基金", "監管機構2024年1月9日否認已經批准飛馬基金。",
     "2024-01-10", "監管機構批准基金", "監管機構2024年1月10日批准飛馬基金上市。"),
    # what only mentions it
    (False, "2024-08-10", "Regulator closes Nordo Bank", "Nordo Bank was closed by the regulator on 10 August 2024.",
     "2024-08-12", "Ilva Bank is closed", "Ilva Bank was closed by the regulator on 12 August 2024, in the weekend after"
     " Nordo Bank failed."),
    (False, "2024-08-10", "监管机构关闭诺多银行", "监管机构2024年8月10日关闭诺多银行。",
     "2024-08-12", "伊尔瓦银行被关闭", "伊尔瓦银行在诺多银行倒闭两天之后，于2024年8月12日被监管机构关闭。"),
    (False, "2024-08-10", "監管機關關閉諾多銀行", "監管機關2024年8月10日關閉諾多銀行。",
     "2024-08-12", "伊爾瓦銀行被關閉", "伊爾瓦銀行在諾多銀行倒閉兩天之後，於2024年8月12日被監管機關關閉。"),
    (False, "2024-06-01", "Strike at Halden begins", "Dockers at Halden walked out on 1 June 2024 over pay.",
     "2024-06-09", "Strike at Halden ends", "Dockers at Halden returned to work on 9 June 2024."),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_an_event_told_twice_is_one(case: tuple[bool, ...]) -> None:
    assert are_joined(pair(*case)) is case[0]
    same, *sides = case
    assert are_joined(pair(same, *sides[3:], *sides[:3])) is same  # whichever comes first


def pair(same: bool, *sides: object) -> Pair:
    a, b = (
        {"date": day, "precision": "day", "title": title, "text": text, "publisher": name}
        for name, (day, title, text) in zip(("one", "other"), (sides[:3], sides[3:]), strict=True)
    )
    return Pair.model_validate(
        {"id": "t", "language": "", "topic": "", "a": a, "b": b, "same": same}
    )


def test_no_sign_speaks_for_the_other_side() -> None:
    learned = weights()
    assert all(learned[name] * side >= 0 for name, side in SIGNS.items())


def test_pairs_are_counted_as_a_run_joins_them(tmp_path: Path) -> None:
    pairs = [pair(*case).model_copy(update={"language": "en"}) for case in (CASES[0], CASES[5])]
    rows = "\n".join(each.model_dump_json() for each in pairs)
    (tmp_path / FILE).write_text(rows, encoding="utf-8")
    figures, _ = measure_pairs(tmp_path, 0)
    found = {each.metric: (each.value, each.sample) for each in figures}
    assert found["joined_rightly"] == (1.0, 1)
    assert found["joined"] == (1.0, 1)
    assert found["told_apart_en"] == (1.0, 2)
