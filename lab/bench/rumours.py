"""The world of `gw bench verify`: made-up events, the messages that tell of them, and their press.

Sites are loopback addresses: those of `PREFERRED` are on the list that is searched first. Half of
the messages are English, half Chinese.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

PREFERRED = tuple(f"127.0.0.{number}" for number in range(2, 8))
OTHERS = tuple(f"127.0.0.{number}" for number in range(8, 14))
SPREAD = 13  # addresses of the small web
SITES = 6  # reports of one event
_LETTERS = "aeioukmnprstvwxz"
_AGE = timedelta(minutes=20)


@dataclass(frozen=True, slots=True)
class Rumour:
    """One message, and how much of the preferred list reports what it tells of."""

    number: int
    listed: int = SITES

    @property
    def name(self) -> str:
        letters = [_LETTERS[self.number // 16**place % 16] for place in range(4)]
        return f"Q{''.join(letters)}x"

    @property
    def chinese(self) -> bool:
        return self.number % 2 == 1

    @property
    def million(self) -> int:
        return 11 + self.number % 80

    @property
    def text(self) -> str:
        if self.chinese:
            amount = f"{self.million * 100} 万美元"
            return f"DeFi 协议 {self.name} 遭黑客攻击，损失 {amount}，团队已暂停提款。"
        return (
            f"DeFi protocol {self.name} was hacked and lost ${self.million} million;"
            " the team has paused withdrawals."
        )


# One report a site, each in words and with details of its own: copies would be one origin.
_ENGLISH = (
    (
        "{name} Protocol hacked, ${million} million lost",
        "{name} Protocol was hacked on {day} and lost ${million} million, its developers told us."
        " The team has paused withdrawals.\n\n"
        "Our reporter watched three transfers leave the main vault within nine minutes. Each of"
        " them called the same redemption function with a forged price.\n\n"
        "An engineer of the project said that the flaw came with an upgrade in spring and had"
        " passed two reviews.",
    ),
    (
        "Attackers drain ${million} million from {name}",
        "Attackers hacked {name} Protocol and drained ${million} million, records of the chain"
        " that we examined show. Withdrawals have been paused by the team.\n\n"
        "The coins were split over forty addresses and partly swapped for ether. Two exchanges"
        " say that they have frozen what reached them.\n\n"
        "Depositors gathered in the project's forum and asked for a list of affected pools.",
    ),
    (
        "{name} loses ${million} million in a hack",
        "{name} Protocol lost ${million} million in a hack, according to our own count of the"
        " stolen coins. The team paused withdrawals shortly afterwards.\n\n"
        "Security researchers whom we asked rebuilt the attack on a test network in half an"
        " hour: a loan, a false quotation, and a swap back.\n\n"
        "Insurance covers a fifth of the deposits, a person who knows the contract told us.",
    ),
    (
        "How {name} was hacked for ${million} million",
        "Someone hacked {name} Protocol and took ${million} million out of its lending pools."
        " Withdrawals are paused, the team confirmed to this newspaper.\n\n"
        "A former auditor of the code showed us a warning that he had filed in January about"
        " rounding in the pools' arithmetic.\n\n"
        "Lawyers expect that the first suits will be filed in Singapore.",
    ),
    (
        "{name} pauses withdrawals after ${million} million hack",
        "{name} Protocol has paused withdrawals after it was hacked and lost ${million} million,"
        " the project's lead said when we called.\n\n"
        "She described a night of telephone calls with validators, of whom nine agreed to hold"
        " back blocks that moved the loot further.\n\n"
        "A reward of one tenth has been offered to whoever returns the rest.",
    ),
    (
        "Market wrap: {name} hacked",
        "Traders sold after {name} Protocol was hacked and lost ${million} million; the team has"
        " paused withdrawals.\n\n"
        "Volumes on the venues that we track rose to three times the usual. Market makers whom"
        " we reached had pulled their orders within a quarter of an hour.\n\n"
        "Options desks quoted the highest premium since last autumn.",
    ),
)
_CHINESE = (
    (
        "{name} 协议遭攻击，损失 {amount} 万美元",
        "{name} 协议于{day}遭黑客攻击，损失 {amount} 万美元，开发人员向本报证实。团队已暂停提款，"
        "正在清点损失。\n\n"
        "本报记者看到，主金库在九分钟内有三笔转账流出，每一笔都用伪造的价格调用同一个赎回函数。\n\n"
        "一名工程师说，漏洞来自今年春天的一次升级，此前两次审计都没有发现。",
    ),
    (
        "黑客从 {name} 盗走 {amount} 万美元",
        "黑客攻击了 {name} 协议，造成 {amount} 万美元损失，我们查阅的链上记录显示如此。提款已被团队暂停。\n\n"
        "赃款被分散到四十个地址，一部分换成了以太币。两家交易所表示已冻结流入的部分。\n\n"
        "存款人聚集在项目论坛，要求公布受影响资金池的名单。",
    ),
    (
        "{name} 被盗 {amount} 万美元",
        "据本刊自行统计，{name} 协议在一次黑客攻击中损失 {amount} 万美元。团队随后暂停了提款。\n\n"
        "我们请教的安全研究员用半个小时在测试网上重现了过程：借入、报假价、再换回。\n\n"
        "知情人士告诉我们，保险只覆盖存款的五分之一。",
    ),
    (
        "{name} 如何被攻击",
        "有人攻击 {name} 协议，从借贷池中取走 {amount} 万美元，协议因此损失 {amount} 万美元。"
        "团队向本台确认提款已暂停。\n\n"
        "一位曾参与审计的人士出示了他一月提交的警告，内容是资金池计算中的舍入问题。\n\n"
        "律师预计首批诉讼将在新加坡提起。",
    ),
    (
        "{name} 遭黑客攻击后暂停提款",
        "{name} 协议遭黑客攻击并损失 {amount} 万美元，随后暂停提款，项目负责人在电话中告诉我们。\n\n"
        "她讲述了与验证节点彻夜通话的经过，其中九家同意扣住继续转移赃款的区块。\n\n"
        "项目方悬赏十分之一，给归还其余款项的人。",
    ),
    (
        "市场综述：{name} 遭攻击",
        "{name} 协议遭黑客攻击、损失 {amount} 万美元之后，交易员纷纷卖出；团队已暂停提款。\n\n"
        "我们跟踪的平台成交量升至平时的三倍，做市商在一刻钟内撤走了挂单。\n\n"
        "期权柜台报出去年秋天以来最高的溢价。",
    ),
)


# What else a page tells, so that it is as long as a page is; no two tell the same.
_SUBJECTS = (
    ("The regional cooperative", "区域合作社"),
    ("A committee of residents", "居民委员会"),
    ("The harbour office", "港务办公室"),
    ("The school board", "学校董事会"),
    ("An association of growers", "种植者协会"),
    ("The museum's curator", "博物馆馆长"),
    ("The bus company", "公交公司"),
    ("A group of volunteers", "一群志愿者"),
)
_VERBS = (
    ("opened", "开放了"),
    ("repainted", "重新粉刷了"),
    ("measured", "测量了"),
    ("described", "介绍了"),
    ("visited", "参观了"),
    ("catalogued", "登记了"),
    ("moved", "迁移了"),
    ("photographed", "拍摄了"),
)
_OBJECTS = (
    ("the old lighthouse", "旧灯塔"),
    ("a row of orchards", "一排果园"),
    ("the winter garden", "冬季花园"),
    ("two wooden bridges", "两座木桥"),
    ("the reading rooms", "阅览室"),
    ("a collection of maps", "一批地图"),
    ("the northern footpath", "北侧步道"),
    ("several fountains", "几处喷泉"),
)
_PLACES = (
    ("beside the river", "在河边"),
    ("near the railway station", "在火车站附近"),
    ("behind the town hall", "在市政厅后面"),
    ("on the hill above the village", "在村子上方的山坡"),
    ("along the eastern shore", "沿东岸"),
    ("at the edge of the forest", "在森林边缘"),
    ("opposite the market", "在集市对面"),
    ("not far from the mill", "离磨坊不远处"),
)
_ASIDES = 24  # sentences


def _asides(seed: str, chinese: bool) -> str:
    dice = Random(seed)
    lines: list[str] = []
    for _ in range(_ASIDES):
        who, did, what, where = (
            dice.choice(words)[chinese] for words in (_SUBJECTS, _VERBS, _OBJECTS, _PLACES)
        )
        lines.append(f"{where}，{who}{did}{what}。" if chinese else f"{who} {did} {what} {where}.")
    joint = "" if chinese else " "
    return "\n\n".join(joint.join(lines[at : at + 4]) for at in range(0, len(lines), 4))


def chatter(number: int) -> str:
    """A message that no gate lets through, and none that repeats another."""
    dice = Random(f"chatter/{number}")
    words = ["".join(dice.choices(_LETTERS, k=dice.randrange(4, 9))) for _ in range(6)]
    one, two, three, four, five, six = words
    if number % 2:
        return f"早上好，{one} 和 {two} 周末去 {three} 吗？我想带 {four} 看 {five}，顺便吃 {six}。"
    return (
        f"Morning {one} and {two}, who joins us at {three}? We sing {four} and {five} with {six}."
    )


def write_press(folder: Path, rumours: Sequence[Rumour], now: datetime) -> None:
    """The articles of the world, as the stubs read them."""
    for rumour in rumours:
        for site in range(SITES):
            name = f"r-{rumour.number:05d}-{site}.md"
            (folder / name).write_text(_article(rumour, site, now), encoding="utf-8")


def _article(rumour: Rumour, site: int, now: datetime) -> str:
    host = PREFERRED[site] if site < rumour.listed else OTHERS[site]
    at = now - _AGE
    title, body = (_CHINESE if rumour.chinese else _ENGLISH)[site]
    parts = {
        "name": rumour.name,
        "million": rumour.million,
        "amount": rumour.million * 100,
        "day": f"{at.month} 月 {at.day} 日" if rumour.chinese else f"{at.day} {at:%B}",
    }
    head = {
        "url": f"http://{host}/{rumour.name.lower()}/{site}",
        "title": title.format(**parts),
        "publisher": f"Site {host.rpartition('.')[2]}",
        "published_at": at.isoformat(),
        "language": "zh" if rumour.chinese else "en",
        "event": rumour.name,
    }
    lines = "\n".join(f"{key}: {value}" for key, value in head.items())
    more = _asides(f"{rumour.number}/{site}", rumour.chinese)
    return f"---\n{lines}\n---\n\n{body.format(**parts)}\n\n{more}\n"
