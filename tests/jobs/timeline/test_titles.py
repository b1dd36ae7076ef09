"""What an event is called where no headline tells it: its sentence without the date, whole words, whole clauses."""

from __future__ import annotations

import pytest
from timeline_pages import read

from groundwire.jobs.timeline.titles import shortened, undated


@pytest.mark.parametrize(
    ("sentence", "title"),
    [
        ("The board dismissed Ana Ruiz as chief executive on Friday 17 November 2023.",
         "The board dismissed Ana Ruiz as chief executive"),
        ("On 12 March 2023, regulators closed the bank.", "Regulators closed the bank"),
        ("In May 2024 the bridge opened.", "The bridge opened"),
        ("The firm released its model on 3 May 2024, with its weights.", "The firm released its model, with its weights"),
        ("为查明原因，5月3日，由市长带队检查。", "为查明原因，由市长带队检查"),
        ("The vote of 3 May 2024 was void.", "The vote of 3 May 2024 was void"),
        ("国家金融局2024年3月8日宣布，该行存款自即日起受到保护。", "国家金融局宣布，该行存款自即日起受到保护"),
        ("深度求索于2024年5月6日发布第二版模型。", "深度求索发布第二版模型"),
        ("2024年5月6日，新桥通车。", "新桥通车"),
        ("銀行於2024年5月6日（星期一）關閉所有分行；", "銀行關閉所有分行"),
        ("The frame is the likely reason why the new phone of the maker gets hot in use, an analyst who follows the supply chain"
         " wrote on 3 May 2024.", "The frame is the likely reason why the new phone of the maker gets hot in use"),
        ("公司发布的新模型，把接口价格定在每百万输入词元一元、每百万输出词元两元，远低于当时的市场水平和同行2024年5月6日的价格。",
         "公司发布的新模型，把接口价格定在每百万输入词元一元、每百万输出词元两元"),
        ("公司發布的新模型，把介面價格定在每百萬輸入詞元一元、每百萬輸出詞元兩元，遠低於當時的市場水準和同業2024年5月6日的價格。",
         "公司發布的新模型，把介面價格定在每百萬輸入詞元一元、每百萬輸出詞元兩元"),
        ("法院维持2024年5月6日的判决。", "法院维持2024年5月6日的判决"),
    ],
)  # fmt: skip
def test_a_title_has_no_date(sentence: str, title: str) -> None:
    (account,) = read(sentence, "2024-06-01").accounts
    assert shortened(undated(account, account.times)) == title


@pytest.mark.parametrize(
    "sentence",
    [
        "The commission announced that all new downloads of the app have been suspended in the whole country since the"
        " morning after its inquiry had found that data were sent abroad without consent",
        "北方公司当天发布的新一代模型的接口价格定为每百万词元一元并且承诺两年之内不再上调任何一项收费标准",
        "北方公司當天發布的新一代模型的介面價格定為每百萬詞元一元並且承諾兩年之內不再調高任何一項收費標準",
    ],
)
def test_a_long_sentence_is_cut_between_words_and_says_so(sentence: str) -> None:
    title = shortened(sentence)
    assert len(title) <= 111
    assert title.endswith("…") or title == "The commission announced that all new downloads of the app have been suspended in the whole country since the morning"  # fmt: skip
    assert sentence.startswith(title.rstrip("…"))
