"""Passages with and without a stated link between two events, written for this project: to choose by, not to count on.

Each: the topic, its events (day, how they are told), when the page was published, what it says, and the links that it
states: cause, effect (by their places from 1), relation. None states more.
"""

from __future__ import annotations

Links = list[tuple[int, int, str]]
Passage = tuple[str, list[tuple[str, str]], str, str, Links]

_FIRE = [("2022-05-02", "A fire destroys the Harlow mill"), ("2022-05-20", "The Harlow mill lays off 200 workers"),
         ("2022-06-11", "The town council bans open furnaces")]  # fmt: skip
_FIRE_ZH = [
    ("2022-05-02", "哈洛纺织厂发生火灾"),
    ("2022-05-20", "哈洛纺织厂裁员200人"),
    ("2022-06-11", "市议会禁止使用明火炉"),
]
_FIRE_TW = [
    ("2022-05-02", "哈洛紡織廠發生火災"),
    ("2022-05-20", "哈洛紡織廠裁員200人"),
    ("2022-06-11", "市議會禁止使用明火爐"),
]
_CHIP = [("2023-01-10", "Taleb Chips recalls its T4 processor"), ("2023-01-30", "The chief executive of Taleb Chips resigns"),
         ("2023-03-04", "Norra Motors stops its car plant"), ("2023-04-01", "Taleb Chips sells its phone division")]  # fmt: skip
_CHIP_ZH = [("2023-01-10", "塔勒芯片召回T4处理器"), ("2023-01-30", "塔勒芯片首席执行官辞职"), ("2023-03-04", "诺拉汽车停产"),
            ("2023-04-01", "塔勒芯片出售手机业务")]  # fmt: skip
_CHIP_TW = [("2023-01-10", "塔勒晶片召回T4處理器"), ("2023-01-30", "塔勒晶片執行長辭職"), ("2023-03-04", "諾拉汽車停產"),
            ("2023-04-01", "塔勒晶片出售手機業務")]  # fmt: skip
_LAW = [("2021-02-01", "Parliament passes the water act"), ("2021-09-01", "Farmers block the capital in protest"),
        ("2021-09-15", "The government suspends the water act"), ("2022-02-02", "A dam is approved at Elbec")]  # fmt: skip
_LAW_ZH = [
    ("2021-02-01", "议会通过水法"),
    ("2021-09-01", "农民在首都抗议"),
    ("2021-09-15", "政府暂停实施水法"),
    ("2022-02-02", "埃尔贝克大坝获批"),
]
_LAW_TW = [
    ("2021-02-01", "議會通過水法"),
    ("2021-09-01", "農民在首都抗議"),
    ("2021-09-15", "政府暫停實施水法"),
    ("2022-02-02", "埃爾貝克水壩獲准興建"),
]

PASSAGES: list[Passage] = [
    ("Harlow mill", _FIRE, "2022-05-21", "The fire of 2 May led to the dismissal of 200 workers on 20 May.", [(1, 2, "caused")]),
    ("Harlow mill", _FIRE, "2022-05-21", "The Harlow mill laid off 200 workers because of the fire that destroyed the mill.", [(1, 2, "caused")]),
    ("Harlow mill", _FIRE, "2022-06-12", "In response to the fire at the mill, the town council banned open furnaces on 11 June 2022.", [(1, 3, "responded_to")]),
    ("Harlow mill", _FIRE, "2022-06-12", "The council banned open furnaces on 11 June 2022. The mill had laid off 200 workers on 20 May 2022.", []),
    ("Harlow mill", _FIRE, "2022-06-12", "The dismissals of 20 May 2022 were not caused by the fire of 2 May 2022, the firm said.", []),
    ("Harlow mill", _FIRE, "2022-06-12", "A fire destroyed the mill on 2 May 2022, and on 20 May 2022 it laid off 200 workers.", []),
    ("Harlow mill", _FIRE, "2022-06-12", "Rain on 3 May 2022 led to floods in the valley on 4 May 2022.", []),
    ("Harlow mill", _FIRE, "2022-06-12", "Did the fire of 2 May 2022 lead to the ban of open furnaces on 11 June 2022?", []),
    ("哈洛纺织厂", _FIRE_ZH, "2022-05-21", "5月2日的火灾导致工厂5月20日裁员200人。", [(1, 2, "caused")]),
    ("哈洛纺织厂", _FIRE_ZH, "2022-06-12", "为应对5月2日的火灾，市议会6月11日禁止使用明火炉。", [(1, 3, "responded_to")]),
    ("哈洛纺织厂", _FIRE_ZH, "2022-06-12", "由于5月2日发生火灾，工厂在5月20日裁员200人。", [(1, 2, "caused")]),
    ("哈洛纺织厂", _FIRE_ZH, "2022-06-12", "5月2日工厂发生火灾，5月20日裁员200人，6月11日市议会禁止使用明火炉。", []),
    ("哈洛纺织厂", _FIRE_ZH, "2022-06-12", "公司否认5月20日的裁员是由5月2日的火灾导致的。", []),
    ("哈洛紡織廠", _FIRE_TW, "2022-05-21", "5月2日的火災導致工廠5月20日裁員200人。", [(1, 2, "caused")]),
    ("哈洛紡織廠", _FIRE_TW, "2022-06-12", "2022年5月2日工廠發生火災。為此，市議會6月11日禁止使用明火爐。", [(1, 3, "responded_to")]),
    ("哈洛紡織廠", _FIRE_TW, "2022-06-12", "有人說5月2日的火災可能導致了5月20日的裁員，廠方沒有證實。", []),
    ("Taleb Chips", _CHIP, "2023-02-01", "The recall of the T4 processor on 10 January led to the resignation of the chief executive on 30 January.", [(1, 2, "caused")]),
    ("Taleb Chips", _CHIP, "2023-03-05", "Norra Motors stopped its car plant on 4 March 2023 because of the recall of the T4 processor.", [(1, 3, "caused")]),
    ("Taleb Chips", _CHIP, "2023-04-02", "The resignation of its chief executive paved the way for the sale of the phone division on 1 April 2023.", [(2, 4, "enabled")]),
    ("Taleb Chips", _CHIP, "2023-04-02", "The sale of the phone division on 1 April 2023 was prompted by falling demand for phones.", []),
    ("Taleb Chips", _CHIP, "2023-04-02", "The chief executive resigned on 30 January 2023, two months before the sale of the phone division.", []),
    ("Taleb Chips", _CHIP, "2023-04-02", "Analysts fear that the recall of 10 January 2023 may have caused the halt at Norra Motors on 4 March 2023.", []),
    ("塔勒芯片", _CHIP_ZH, "2023-02-01", "T4处理器1月10日被召回，引发了一连串反应：首席执行官1月30日辞职。", [(1, 2, "caused")]),
    ("塔勒芯片", _CHIP_ZH, "2023-03-05", "诺拉汽车2023年3月4日停产，原因是T4处理器被召回。", [(1, 3, "caused")]),
    ("塔勒芯片", _CHIP_ZH, "2023-04-02", "首席执行官1月30日辞职，为4月1日出售手机业务铺平道路。", [(2, 4, "enabled")]),
    ("塔勒芯片", _CHIP_ZH, "2023-04-02", "塔勒芯片4月1日出售手机业务，这与1月10日的召回无关。", []),
    ("塔勒芯片", _CHIP_ZH, "2023-04-02", "需求下滑导致塔勒芯片2023年4月1日出售手机业务。", []),
    ("塔勒晶片", _CHIP_TW, "2023-02-01", "1月10日的召回迫使執行長1月30日辭職。", [(1, 2, "caused")]),
    ("塔勒晶片", _CHIP_TW, "2023-03-05", "受T4處理器召回影響，諾拉汽車3月4日停產。", [(1, 3, "caused")]),
    ("塔勒晶片", _CHIP_TW, "2023-04-02", "執行長1月30日辭職，諾拉汽車3月4日停產，公司4月1日出售手機業務。", []),
    ("water act", _LAW, "2021-09-02", "The water act passed on 1 February 2021 sparked protests: farmers blocked the capital on 1 September 2021.", [(1, 2, "caused")]),
    ("water act", _LAW, "2021-09-16", "Farmers blocked the capital on 1 September 2021. In response the government suspended the act on 15 September 2021.", [(2, 3, "responded_to")]),
    ("water act", _LAW, "2022-02-03", "The suspension of the act on 15 September 2021 enabled the approval of a dam at Elbec on 2 February 2022.", [(3, 4, "enabled")]),
    ("water act", _LAW, "2022-02-03", "A dam was approved at Elbec on 2 February 2022, a year after the act was passed on 1 February 2021.", []),
    ("water act", _LAW, "2022-02-03", "Drought led to water rationing in the south in July 2021.", []),
    ("水法", _LAW_ZH, "2021-09-02", "议会2月1日通过的水法引发抗议，农民9月1日堵住首都的道路。", [(1, 2, "caused")]),
    ("水法", _LAW_ZH, "2021-09-16", "农民9月1日在首都抗议。对此，政府9月15日暂停实施水法。", [(2, 3, "responded_to")]),
    ("水法", _LAW_ZH, "2022-02-03", "政府没有因为农民9月1日的抗议而在9月15日让步，暂停实施只是程序需要。", []),
    ("水法", _LAW_TW, "2021-09-16", "農民9月1日的抗議迫使政府9月15日暫停實施水法。", [(2, 3, "caused")]),
    ("水法", _LAW_TW, "2022-02-03", "政府9月15日暫停實施水法；2022年2月2日，埃爾貝克水壩獲准興建。", []),
]  # fmt: skip
