"""Bytes to text: the charsets that real pages come in, with and without a declaration."""

from __future__ import annotations

import pytest

from groundwire.errors import Unreadable
from groundwire.fetch.charset import decode

SIMPLIFIED = (
    "央行今日宣布，将存款准备金率下调零点五个百分点，以保持流动性合理充裕。这是今年以来的第二次下调，"
    "市场对此早有预期。分析人士认为，此举有利于降低企业融资成本，并对实体经济起到支持作用。"
)
TRADITIONAL = (
    "中央銀行今天宣布，將存款準備率調降半個百分點，以維持市場流動性。這是今年以來的第二次調降，"
    "市場對此早有預期。分析師認為，這項措施有助於降低企業的融資成本，並對實體經濟發揮支持作用。"
)
JAPANESE = (
    "日本銀行は金融政策決定会合で、現在の金融緩和策を維持することを決めました。総裁は記者会見で、"
    "物価の見通しについて説明し、必要があれば追加の対応をとる考えを示しました。"
)
KOREAN = "한국은행은 오늘 기준금리를 동결하기로 결정했다. 총재는 기자회견에서 물가 전망을 설명했다."
RUSSIAN = (
    "Центральный банк сегодня объявил о снижении ключевой ставки на половину процентного пункта."
)
FRENCH = (
    "La Banque centrale a annoncé une baisse des taux; les marchés s'y attendaient déjà, à l'été."
)

SPANISH = "El presidente señaló que la economía creció más rápido de lo previsto en el último año."
PORTUGUESE = "O candidato não falou às rádios em São Paulo; as eleições são amanhã, e há dúvidas."
CZECH = "Předseda vlády řekl, že se situace zlepšuje a že příští rok bude pro občany lepší."


def page(text: str, meta: str = "") -> str:
    return f"<html><head>{meta}<title>x</title></head><body><p>{text}</p></body></html>"


@pytest.mark.parametrize(
    ("text", "encoding", "header", "meta"),
    [
        (SIMPLIFIED, "utf-8", "", ""),
        (SIMPLIFIED, "utf-8", "text/html; charset=gbk", ""),  # the header is wrong
        (SIMPLIFIED, "gb18030", "", ""),  # nothing is declared
        (SIMPLIFIED, "gb18030", "text/html; charset=utf-8", ""),  # the header is wrong
        (SIMPLIFIED, "gb18030", "text/html; charset=iso-8859-1", ""),  # a server's default
        (SIMPLIFIED, "gb18030", "text/html; charset=nonsense", ""),
        (SIMPLIFIED, "gb2312", "", '<meta charset="gb2312">'),
        (
            SIMPLIFIED + "㐀㐁𠀀",
            "gb18030",
            "",
            '<meta http-equiv="Content-Type" content="text/html; charset=gb2312">',
        ),
        (SIMPLIFIED, "gbk", "text/html; charset=GBK", ""),
        (TRADITIONAL, "big5", "", ""),
        (TRADITIONAL, "big5", "text/html; charset=Big5", ""),
        (TRADITIONAL, "big5", "text/html; charset=iso-8859-1", ""),
        (TRADITIONAL, "utf-8", "text/html; charset=big5", ""),
        (TRADITIONAL, "gb18030", "text/html; charset=gb2312", ""),
        (SIMPLIFIED, "utf-16", "", ""),  # with BOM
        (TRADITIONAL, "utf-16-le", "", ""),  # without
        (SIMPLIFIED, "utf-16-be", "", ""),
        (SIMPLIFIED, "utf-8-sig", "text/html; charset=gbk", ""),
        (SIMPLIFIED, "utf-32", "", ""),
        (JAPANESE, "shift_jis", "", ""),
        (JAPANESE, "shift_jis", "text/html; charset=Shift_JIS", ""),
        (JAPANESE, "euc_jp", "", ""),
        (JAPANESE, "iso2022_jp", "text/html; charset=iso-2022-jp", ""),
        (KOREAN, "euc_kr", "", '<meta charset="euc-kr">'),
        (KOREAN, "cp949", "", ""),
        (RUSSIAN, "cp1251", "text/html; charset=windows-1251", ""),
        (FRENCH, "cp1252", "text/html; charset=iso-8859-1", ""),
        (FRENCH, "utf-8", "text/html; charset=iso-8859-1", ""),
        (FRENCH, "cp1252", "", ""),  # nothing is declared
        (SPANISH, "cp1252", "", ""),
        (PORTUGUESE, "cp1252", "", ""),
        (CZECH, "cp1250", "", ""),
        (RUSSIAN, "cp1251", "", ""),
        # Header and page contradict each other: the bytes decide.
        (SIMPLIFIED, "gb18030", "text/html; charset=big5", '<meta charset="gbk">'),
        (TRADITIONAL, "big5", "text/html; charset=gbk", '<meta charset="big5">'),
        (TRADITIONAL, "utf-8", "text/html; charset=gbk", '<meta charset="big5">'),
        (SIMPLIFIED, "gb18030", "text/html; charset=gb2312", '<meta charset="utf-8">'),
        ("plain ASCII", "ascii", "", ""),
    ],
)
def test_the_text_comes_out_as_it_was_written(
    text: str, encoding: str, header: str, meta: str
) -> None:
    markup = page(text, meta)
    assert decode(markup.encode(encoding), header) == markup


def test_a_damaged_byte_does_not_turn_utf8_into_something_else() -> None:
    body = SIMPLIFIED.encode() + b"\xff" + SIMPLIFIED.encode()
    assert decode(body) == f"{SIMPLIFIED}\ufffd{SIMPLIFIED}"


def test_a_cut_in_the_middle_of_a_character_is_survived() -> None:
    assert decode(SIMPLIFIED.encode()[:-1]).startswith(SIMPLIFIED[:-1])
    assert decode(page(SIMPLIFIED).encode("gb18030")[:-36]).startswith("<html>")


@pytest.mark.parametrize(
    "body",
    [
        b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 10,
        b"PK\x03\x04" + b"\x00" * 100,
        b"\x7fELF\x02\x01\x01" + b"\x00" * 60,
        bytes(range(256)) * 40,
        b"text and then " + b"\x00\x01\x02\x03" * 100,
        b"%PDF-1.7 pretending",
    ],
)
def test_binary_in_a_text_file_is_refused(body: bytes) -> None:
    with pytest.raises(Unreadable, match="binary"):
        decode(body, "text/plain", markup=False)


def test_line_ends_and_control_characters_are_made_plain() -> None:
    assert decode(b"a\r\nb\rc\x0bd") == "a\nb\ncd"
