"""What a sentence tells of a company, in zh, zh-Hant and en."""

from __future__ import annotations

import pytest

from groundwire.language.text.business import Topic, told_of

CASES: tuple[tuple[str, Topic], ...] = (
    # prices: a word for one, or an amount that is charged
    ("The savings rate of Harbor Light Bank is 4.2%.", "price"),
    ("Quill cut its list price by a third on Monday.", "price"),
    ("The plan starts at $20 a month for each seat.", "price"),
    ("Marlow charges 12 cents per kWh.", "price"),
    ("海角渡轮公司的单程票价为12元。", "price"),
    ("海角渡輪公司的單程票價為12元。", "price"),
    ("青禾科技宣布会员费下调三成。", "price"),
    ("青禾科技的手機起售價為3,999元。", "price"),
    ("这款音箱每台卖299元。", "price"),
    # money that is none
    ("Quill lost $12 million to a fraud in March.", ""),
    ("青禾科技三月亏损1200万元。", ""),
    ("青禾科技三月虧損1200萬元。", ""),
    ("The share price of Quill fell by 4%.", ""),
    ("青禾科技的股票价格下跌4%。", ""),
    # people: who holds an office, and who leaves it
    ("Quill named Ada Brandt as its chief executive officer.", "people"),
    ("Ada Brandt is the chair of Harbor Light Bank.", "people"),
    ("Harbor Light's president resigned on 3 March 2026.", "people"),
    ("The bank was founded in 1987 by two brothers.", "people"),
    ("青禾科技任命李伟为首席技术官。", "people"),
    ("青禾科技任命李偉為首席技術官。", "people"),
    ("陈静辞去港灯银行行长一职。", "people"),
    ("港燈銀行董事長王濤於三月辭職。", "people"),
    ("该公司由陈静于2011年创立。", "people"),
    # what an officer says tells of no office
    ("Chief executive Ada Brandt said the audit was clean.", ""),
    ("董事长王涛表示审计结果良好。", ""),
    ("董事長王濤表示審計結果良好。", ""),
    # products
    ("Quill launched a pocket translator on 4 May 2026.", "product"),
    ("Quill released version 3 under an open licence.", "product"),
    ("青禾科技推出第二代翻译机。", "product"),
    ("青禾科技發布新款翻譯機。", "product"),
    ("青禾科技已将代码开源。", "product"),
    ("The handset of Quill weighs 140 g.", "product"),
    ("青禾科技的手机重140克。", "product"),
    # a statement that is released is no product
    ("Quill released a statement on Monday.", ""),
    ("青禾科技发布声明称一切正常。", ""),
    ("青禾科技發布公告稱一切正常。", ""),
    # moves
    ("Quill acquired a rival in Oslo for $40 million.", "move"),
    ("Harbor Light Bank suspended withdrawals on Friday.", "move"),
    ("Quill bought a software firm in Oslo.", "move"),
    ("青禾科技收购了海灯软件公司。", "move"),
    ("青禾科技收購了海燈軟體公司。", "move"),
    ("青禾科技完成两亿元融资。", "move"),
    ("青禾科技完成兩億元融資。", "move"),
    ("港燈銀行宣布裁員三百人。", "move"),
    ("港灯银行于周五暂停提款。", "move"),
    # none of them
    ("The bank is based in Marlow.", ""),
    ("港灯银行总部位于临江。", ""),
    ("港燈銀行總部位於臨江。", ""),
)


@pytest.mark.parametrize(("sentence", "topic"), CASES)
def test_what_a_sentence_tells_of(sentence: str, topic: Topic) -> None:
    assert told_of(sentence) == topic
