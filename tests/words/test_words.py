"""The catalogues: whole in every language, and filled in by one rule."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path
from string import Formatter

import pytest
from tests.catalogues import catalogue

import groundwire
from groundwire.language.text.characters import detect_language
from groundwire.model.phrase import phrase
from groundwire.words import LANGUAGES, Language, words

_HAN = re.compile(r"[㐀-鿿]")
_HOUSE = Path(groundwire.__file__).parent


def _fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_each_language_has_the_same_codes_and_parameters(language: Language) -> None:
    english, other = catalogue("en"), catalogue(language)
    assert english.keys() == other.keys()
    assert [code for code in english if _fields(english[code]) != _fields(other[code])] == []


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_each_chinese_text_is_chinese(language: Language) -> None:
    english = catalogue("en")
    assert [
        code
        for code, text in catalogue(language).items()
        if text != english[code]  # a name: PDF, English
        and not _HAN.search(bare := re.sub(r"\{[^}]*\}", "", text))
        and re.search(r"[^\W\d_]", bare)
    ] == []


def test_a_code_stands_in_one_file_and_that_of_a_job_starts_with_its_name() -> None:
    seen: dict[str, Path] = {}
    for file in sorted(_HOUSE.glob("**/words/en.json")):
        job = file.parent.parent.name if file.parent.parent.parent.name == "jobs" else ""
        for code in json.loads(file.read_text("utf-8")):
            assert code not in seen, (code, file, seen[code])
            assert not job or code.startswith(f"{job}."), (code, file)
            seen[code] = file


@pytest.mark.parametrize(
    ("n", "expected"),
    [(0, "0 queries"), (1, "1 query"), (2, "2 queries"), ("1,000", "1,000 queries")],
)
def test_a_plural_is_chosen_by_the_number_before_it(n: int | str, expected: str) -> None:
    assert words("en")("n.queries", n=n) == expected
    assert words("zh")("n.queries", n=n) == f"{n} 个查询"


def test_each_plural_has_its_own_number() -> None:
    say = words("en")
    assert say("report.origins", articles=3, origins=1) == "3 articles → 1 origin"
    assert say("evidence.passages", n=1) == "1 passage is cited by this run"
    assert say("n.supporting", n=1) == "1 supports"


def test_what_is_put_into_a_text_stays_as_it_was_written() -> None:
    assert words("en")("problem.absent", what="{0} page(s)") == "{0} page(s) is in no quote"


@pytest.mark.parametrize(
    "text",
    ["O banco não abre e a taxa sobe em março", "أعلن البنك المركزي", "Банк закрыт", "은행이 닫혔다",
     "銀行は閉まっています", "El banco no abre y la tasa sube", "La banque est fermée et les clients",
     "Die Bank ist nicht offen und der Kurs", "The bank is closed", "银行关门", "銀行關門", "123"],
)  # fmt: skip
def test_every_language_that_is_recognised_has_a_name(text: str) -> None:
    code = f"language.{detect_language(text)}"
    assert all(words(each).has(code) for each in LANGUAGES), code


@pytest.mark.parametrize(
    ("language", "expected"), [("en", "on-chain data"), ("zh", "链上数据"), ("zh-Hant", "鏈上數據")]
)
def test_a_tool_that_failed_has_its_name_in_words(language: Language, expected: str) -> None:
    assert expected in words(language).part("tool:onchain")


def test_an_unknown_code_is_itself_the_text() -> None:
    say = words("zh")
    assert say("every {search} failed(s)") == "every {search} failed(s)"
    assert say.maybe("nothing.kind", "nothing") == "nothing"
    assert say.name("flag", "of_a_plugin") == "of a plugin"
    assert not say.has("nothing.kind") and say.has("shell.archive")


def test_a_phrase_may_hold_phrases_and_lists() -> None:
    inner = phrase("verify.reason.single_source")
    outer = phrase("verify.reason.own_page", reason=inner)
    assert words("zh").phrase(outer) == "只有一个独立来源支持；消息本身所在的页面不计入"
    assert words("en")("problem.absent", what=["1", "2"]) == "1, 2 is in no quote"
    assert words("zh").phrases([inner, "a sentence of old"]) == (
        "只有一个独立来源支持；a sentence of old"
    )


@pytest.mark.parametrize(
    "text", ['{"code": "x', '{"code": "error.no_run"}', '{"code": 1, "params": 2}', "a: b", ""]
)
def test_what_only_begins_like_a_kept_phrase_is_said_as_it_is(text: str) -> None:
    assert words("zh").stored(text) == text


def test_taiwans_words_are_its_own() -> None:
    assert words("zh")("shell.archive") == "档案"
    assert words("zh-Hant")("shell.archive") == "典藏庫"
    assert words("zh-Hant")("settings.database") == "資料庫"
    assert words("zh-Hant")("column.confidence") == "信心"
    assert words("zh-tw").language == "zh"  # a language is en, zh or zh-Hant


# What Taiwan says otherwise; each beside the word that stands in its place.
_MAINLAND = {
    "置信度": "信心", "信號": "訊號", "硅谷": "矽谷", "設置": "設定", "數據庫": "資料庫",
    "程序": "程式", "網絡": "網路", "質量": "品質", "默認": "預設", "用戶": "使用者",
    "文檔": "文件", "信息": "資訊", "搜索": "搜尋", "鏈接": "連結", "保存": "儲存",
    "導出": "匯出", "登錄": "登入", "令牌": "權杖", "服務器": "伺服器", "刷新": "重新整理",
    "加載": "載入", "緩存": "快取", "字符": "字元", "黑客": "駭客", "釋出": "發布",
    "核查": "查證", "反饋": "回饋", "視頻": "影片", "屏幕": "螢幕", "菜單": "選單",
    "郵箱": "信箱", "超時": "逾時", "新建": "建立", "條訊息": "則訊息", "條結果": "筆結果",
}  # fmt: skip
# Where Taiwan has more than one word, the one that the house keeps to.
_CHOSEN = {
    "工作臺": "工作台", "您": "你", "命令": "指令", "查核": "查證", "核實": "查證",
}  # fmt: skip


def test_no_word_of_taiwans_is_a_converted_one() -> None:
    found = [
        (code, word)
        for code, text in catalogue("zh-Hant").items()
        for word in (*_MAINLAND, *_CHOSEN)
        # What people may look for is written as they write it.
        if word in text and not code.endswith(".meanings")
    ]
    assert found == []


def test_no_character_of_taiwans_is_a_simplified_one() -> None:
    simplified = {one for one, many in _table("STCharacters.txt") if one not in many.split()}
    simplified -= {many for _, many in _table("TWVariants.txt")}  # 群, as Taiwan writes it
    found = [
        (code, sorted(simplified & set(text)))
        for code, text in catalogue("zh-Hant").items()
        if simplified & set(text) and not code.startswith("outside.no_text")  # 正文, 内容: columns
    ]
    assert found == []


def _table(name: str) -> list[tuple[str, str]]:
    lines = files("opencc").joinpath("dictionary", name).read_text("utf-8").splitlines()
    return [(line.split("\t")[0], line.split("\t")[1]) for line in lines if "\t" in line]
