"""What an event is called where no headline tells it: its sentence without the date, whole words, whole clauses."""

from __future__ import annotations

import pytest
from timeline_pages import read

from groundwire.jobs.timeline.clauses import clause_of
from groundwire.jobs.timeline.titles import marked, shortened, undated


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
        " morning of the day on which its inquiry had found that data were sent abroad without any consent of the users",
        "北方公司当天发布的新一代模型的接口价格定为每百万词元一元并且承诺两年之内不再上调任何一项收费标准也不改变已经签订的合同条款",
        "北方公司當天發布的新一代模型的介面價格定為每百萬詞元一元並且承諾兩年之內不再調高任何一項收費標準也不改變已經簽訂的合約條款",
    ],
)
def test_a_long_sentence_is_cut_between_words_and_says_so(sentence: str) -> None:
    title = shortened(sentence)
    assert len(title) <= 111
    assert title.endswith("…")
    assert sentence.startswith(title.rstrip("…"))


@pytest.mark.parametrize(
    ("sentence", "day", "title"),
    [
        ("Orlo, the maker of the chip, said late on Friday 10 March 2023 that it would close its plant.", "2023-03-10",
         "Orlo said that it would close its plant"),
        ("The start-up, Orlo, had released its chip on 20 January 2023 under a free licence.", "2023-01-20",
         "Orlo had released its chip under a free licence"),
        ("Shares in Orlo fell about 60% on Thursday 9 March 2023 after the maker told of a loss.", "2023-03-09",
         "Shares in Orlo fell about 60%"),
        ("The treaty, agreed in talks in December 2022, was endorsed by members on 3 May 2023.", "2022-12",
         "The treaty was agreed in talks"),
        ("The treaty, agreed in talks in December 2022, was endorsed by members on 3 May 2023.", "2023-05-03",
         "The treaty was endorsed by members"),
        ("Orders open on Friday 13 January 2023, and the phones go on sale on 20 January 2023.", "2023-01-20",
         "the phones go on sale"),
        ("The ministry began its inquiry on 3 March 2023 and sent Orlo a letter on 31 March 2023.", "2023-03-31",
         "The ministry sent Orlo a letter"),
        ("The bans apply from 2 February 2023, the rules for boats from 2 August 2023 and most others from 2 October 2023.",
         "2023-08-02", "the rules for boats apply"),
        ("The bans apply from 2 February 2023, the rules for boats from 2 August 2023 and most others from 2 October 2023.",
         "2023-02-02", "The bans apply"),
        ("All the money has been returned, the bank said on Monday 3 April 2023.", "2023-04-03",
         "All the money has been returned"),
        ("On Monday 13 March 2023 the ministry gave China Mobile, China Telecom and China Unicom a licence.", "2023-03-13",
         "the ministry gave China Mobile, China Telecom and China Unicom a licence"),
        ("各项规定分阶段适用：禁令从2023年2月2日起执行，船舶的规则从2023年8月2日起执行，其余从2023年10月2日起执行。",
         "2023-08-02", "船舶的规则执行"),
        ("各項規定分階段適用：禁令從2023年2月2日起執行，船舶的規則從2023年8月2日起執行，其餘從2023年10月2日起執行。",
         "2023-02-02", "禁令執行"),
        ("清河银行在大明银行倒闭两天之后，于2023年3月12日被监管部门关闭。", "2023-03-12", "清河银行被监管部门关闭"),
        ("交易委员会2023年5月23日批准申请，7月22日又宣布文件生效。", "2023-07-22", "交易委员会宣布文件生效"),
        ("北方公司于2023年5月6日发布的第二版模型，把价格定在一元。", "2023-05-06", "北方公司发布第二版模型"),
        ("北方公司於2023年5月6日發布的第二版模型，把價格定在一元。", "2023-05-06", "北方公司發布第二版模型"),
        ("根据协议，第一银行以折扣买入资产，大明银行的网点将于2023年3月27日开门营业。", "2023-03-27",
         "大明银行的网点将开门营业"),
        ("Trading will resume as normal when banks open on Monday 13 March 2023.", "2023-03-13",
         "Trading will resume as normal"),
        ("The price of the coin rose fast, and it reached its peak when banks opened on 13 March 2023.", "2023-03-13",
         "The price of the coin reached its peak"),
        ("The board began to look into Orlo when it opened in May 2022 and sent it a list on 13 March 2023.", "2023-03-13",
         "The board sent it a list"),
        ("Orlo, the largest exchange, said it was closing its desk over the weekend, and that it planned to open another on"
         " 13 March 2023.", "2023-03-13", "Orlo planned to open another"),
        ("北方公司表示，银行于2023年3月13日开门后，兑换将恢复。", "2023-03-13", "银行开门后，兑换将恢复"),
        ("北方公司表示，銀行於2023年3月13日開門後，兌換將恢復。", "2023-03-13", "銀行開門後，兌換將恢復"),
        ("大明銀行（Daming Bank）2023年3月10日遭監管機關關閉，是最大的倒閉案。", "2023-03-10", "大明銀行遭監管機關關閉"),
    ],
)  # fmt: skip
def test_a_title_is_the_clause_of_its_date(sentence: str, day: str, title: str) -> None:
    account = read(sentence, "2023-12-01").accounts[-1]
    own = [each for each in account.times if each.first.isoformat().startswith(day)]
    assert clause_of(marked(account, own)) == title


@pytest.mark.parametrize(
    ("sentence", "title"),
    [
        ("Orlo, the largest exchange for coins in the United States, said it was closing its desk over the weekend while"
         " banks are shut, and that it planned to open it again.", "Orlo said it was closing its desk over the weekend"),
        ("北方公司的旗舰产品，采用全新的十二核处理器，续航时间比上一代延长三成以上，并且支持在零下四十度的环境里连续工作。",
         "北方公司的旗舰产品，采用全新的十二核处理器，续航时间比上一代延长三成以上"),
        ("北方公司的旗艦產品，採用全新的十二核處理器，續航時間比上一代延長三成以上，並且支援在零下四十度的環境裡連續工作。",
         "北方公司的旗艦產品，採用全新的十二核處理器，續航時間比上一代延長三成以上"),
    ],
)  # fmt: skip
def test_a_cut_title_keeps_its_verb(sentence: str, title: str) -> None:
    assert shortened(sentence) == title
