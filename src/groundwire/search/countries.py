"""Countries by their code and their names, because every engine asks for another form."""

from __future__ import annotations

from functools import cache

# ISO 3166-1 code, English name in the spelling that Tavily takes, Chinese name.
_COUNTRIES = (
    ("ae", "united arab emirates", "阿联酋"),
    ("ar", "argentina", "阿根廷"),
    ("at", "austria", "奥地利"),
    ("au", "australia", "澳大利亚"),
    ("bd", "bangladesh", "孟加拉国"),
    ("be", "belgium", "比利时"),
    ("bg", "bulgaria", "保加利亚"),
    ("br", "brazil", "巴西"),
    ("ca", "canada", "加拿大"),
    ("ch", "switzerland", "瑞士"),
    ("cl", "chile", "智利"),
    ("cn", "china", "中国"),
    ("co", "colombia", "哥伦比亚"),
    ("cz", "czech republic", "捷克"),
    ("de", "germany", "德国"),
    ("dk", "denmark", "丹麦"),
    ("eg", "egypt", "埃及"),
    ("es", "spain", "西班牙"),
    ("fi", "finland", "芬兰"),
    ("fr", "france", "法国"),
    ("gb", "united kingdom", "英国"),
    ("gr", "greece", "希腊"),
    ("hk", "hong kong", "香港"),
    ("hu", "hungary", "匈牙利"),
    ("id", "indonesia", "印度尼西亚"),
    ("ie", "ireland", "爱尔兰"),
    ("il", "israel", "以色列"),
    ("in", "india", "印度"),
    ("ir", "iran", "伊朗"),
    ("it", "italy", "意大利"),
    ("jp", "japan", "日本"),
    ("ke", "kenya", "肯尼亚"),
    ("kr", "south korea", "韩国"),
    ("kz", "kazakhstan", "哈萨克斯坦"),
    ("mo", "macau", "澳门"),
    ("mx", "mexico", "墨西哥"),
    ("my", "malaysia", "马来西亚"),
    ("ng", "nigeria", "尼日利亚"),
    ("nl", "netherlands", "荷兰"),
    ("no", "norway", "挪威"),
    ("nz", "new zealand", "新西兰"),
    ("pe", "peru", "秘鲁"),
    ("ph", "philippines", "菲律宾"),
    ("pk", "pakistan", "巴基斯坦"),
    ("pl", "poland", "波兰"),
    ("pt", "portugal", "葡萄牙"),
    ("ro", "romania", "罗马尼亚"),
    ("ru", "russia", "俄罗斯"),
    ("sa", "saudi arabia", "沙特阿拉伯"),
    ("se", "sweden", "瑞典"),
    ("sg", "singapore", "新加坡"),
    ("th", "thailand", "泰国"),
    ("tr", "turkey", "土耳其"),
    ("tw", "taiwan", "台湾"),
    ("ua", "ukraine", "乌克兰"),
    ("us", "united states", "美国"),
    ("vn", "vietnam", "越南"),
    ("za", "south africa", "南非"),
)
_OTHER_NAMES = {
    "uk": "gb",
    "britain": "gb",
    "great britain": "gb",
    "england": "gb",
    "usa": "us",
    "america": "us",
    "united states of america": "us",
    "korea": "kr",
    "uae": "ae",
    "czechia": "cz",
    "türkiye": "tr",
    "俄国": "ru",
    "沙特": "sa",
    "印尼": "id",
}


@cache
def _codes() -> dict[str, str]:
    names = {name: row[0] for row in _COUNTRIES for name in row} | _OTHER_NAMES
    return {_folded(name): code for name, code in names.items()}


def _folded(name: str) -> str:
    # Deferred: most searches name no country.
    from groundwire.language.text.characters import normalise

    return normalise(name, fold=True).text.strip()


def country_code(asked: str | None) -> str | None:
    """The ISO code, in lower case, of a code or a name; None for one that is not known here."""
    return _codes().get(_folded(asked)) if asked else None


def country_name(asked: str | None) -> str | None:
    """The English name, in lower case."""
    code = country_code(asked)
    return next((name for known, name, _ in _COUNTRIES if known == code), None)
