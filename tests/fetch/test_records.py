"""Tables, exports and mails: each row an article, whatever its encoding; what is none is named."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from groundwire.errors import Malformed, OutsideFailure, Unreadable
from groundwire.fetch.extracted import Records
from groundwire.fetch.mail import read_mail, read_mailbox
from groundwire.fetch.tables import read_csv, read_export, read_json, read_lines
from groundwire.words import words

TODAY = date(2026, 11, 16)
EN = "The Lantern Bridge opened to traffic on 4 May 2021 and cost 212 million dollars."
ZH = "灯笼大桥于2021年5月4日正式通车，总造价为2.12亿美元，全部由市政府承担。"
HANT = "燈籠大橋於2021年5月4日正式通車，總造價為2.12億美元，全部由市政府承擔。"


def only(found: Records) -> Any:
    (record,) = found.records
    return record


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        # The usual English names.
        (
            {"title": "Bridge", "text": EN, "url": "https://a.example/1", "author": "Ada",
             "published_at": "2021-05-04T10:00:00Z", "source": "Post"},
            ("Bridge", "https://a.example/1", "Ada", "2021-05-04T10:00:00+00:00", "Post", "en"),
        ),
        # The usual Chinese ones, simplified.
        (
            {"标题": "大桥通车", "正文": ZH, "链接": "https://a.example/2", "作者": "林伟",
             "发布时间": "2021年5月4日 10:00", "来源": "晨报"},
            ("大桥通车", "https://a.example/2", "林伟", "2021-05-04T10:00:00+00:00", "晨报", "zh"),
        ),
        # Traditional.
        (
            {"標題": "大橋通車", "內容": HANT, "連結": "https://a.example/3", "作者": "林偉",
             "發布時間": "2021/5/4 10:00", "來源": "晨報"},
            ("大橋通車", "https://a.example/3", "林偉", "2021-05-04T10:00:00+00:00", "晨報",
             "zh-Hant"),
        ),
        # Other spellings, nested names, seconds since 1970, HTML.
        (
            {"Article Title": "<b>Bridge</b>", "CONTENT_HTML": f"<p>{EN}</p><script>x</script>",
             "Link": "not an address", "authors": [{"name": "Ada"}, "Bo"], "createdAt": 1620122400,
             "source_info": {"name": "Post"}},
            ("Bridge", "", "Ada, Bo", "2021-05-04T10:00:00+00:00", "Post", "en"),
        ),
        # Nothing but a text.
        ({"body": EN}, (EN, "", None, None, "", "en")),
    ],
)  # fmt: skip
def test_fields_are_known_by_their_usual_names(
    row: Mapping[str, object], expected: tuple[Any, ...]
) -> None:
    record = only(read_json(json.dumps([row]).encode(), TODAY))
    found = record.found
    assert (
        found.title,
        record.url,
        found.author,
        found.published_at,
        found.publisher,
        found.language,
    ) == expected
    assert "<" not in found.text
    assert "script" not in found.text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_csv_in_any_encoding_and_with_any_separator(encoding: str, delimiter: str) -> None:
    rows = [["标题", "内容", "日期"], ["通车", f'"{ZH}\n第二行"', "2021-05-04"], ["无", "", ""]]
    text = "\r\n".join(delimiter.join(row) for row in rows)
    found = read_csv(text.encode(encoding), TODAY)
    record = only(found)
    assert record.where == "row 2"
    assert record.found.text == f"{ZH}\n第二行"
    assert record.found.published_at == "2021-05-04T00:00:00+00:00"
    (refused,) = found.refused
    assert refused.where == "row 3"
    assert "no text" in words("en").stored(refused.reason)


def test_big5_csv() -> None:
    found = read_csv(f"標題,內容\n通車,{HANT}\n".encode("big5"), TODAY)
    assert only(found).found.text == HANT


def test_a_table_without_a_text_names_its_columns() -> None:
    with pytest.raises(Unreadable, match="price, volume"):
        read_csv(b"price,volume\n1,2\n")


def test_articles_are_found_at_any_depth() -> None:
    value = {
        "code": "0",
        "data": {"days": [{"date": "2021-05-04", "lives": [{"id": 1, "content": ZH}]}]},
        "articles": [{"title": "t", "body": EN}, {"title": "only a title", "body": None}],
    }
    found = read_json(json.dumps(value).encode(), TODAY)
    assert [each.where for each in found.records] == ["data.days[0].lives[0]", "articles[0]"]
    assert [each.where for each in found.refused] == ["articles[1]"]


def test_lines_that_are_broken_are_named_and_the_rest_is_taken() -> None:
    lines = [json.dumps({"text": EN}), "", "{broken", "[1]", json.dumps({"内容": ZH})]
    found = read_lines("\n".join(lines).encode(), TODAY, before=100)
    assert [each.where for each in found.records] == ["line 101", "line 105"]
    assert [each.where for each in found.refused] == ["line 103", "line 104"]


def test_lines_named_as_one_value_are_read_as_lines() -> None:
    body = f"{json.dumps({'text': EN})}\n{json.dumps({'text': ZH})}\n".encode()
    assert len(read_json(body).records) == 2


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"", Malformed),
        (b"{", Malformed),
        (b"[" * 100_000, Malformed),
        (b"[1, 2, 3]", Unreadable),
        (b'{"price": 1}', Unreadable),
    ],
)
def test_json_without_articles_is_refused(body: bytes, kind: type[OutsideFailure]) -> None:
    with pytest.raises(kind):
        read_json(body)


def test_a_json_feed_in_a_file_gives_its_entries() -> None:
    feed = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": "Notes",
        "items": [{"id": "1", "url": "https://n.example/1", "title": "A", "content_text": EN}],
    }
    record = only(read_json(json.dumps(feed).encode(), TODAY))
    assert (record.url, record.found.publisher) == ("https://n.example/1", "Notes")


def chat(**more: Any) -> dict[str, Any]:
    messages = [
        {"id": 1, "type": "service", "action": "create_channel", "text": ""},
        {
            "id": 2,
            "type": "message",
            "date": "2021-05-04T18:00:00",
            "date_unixtime": "1620122400",
            "from": "晨报频道",
            "text": ["【通车】", {"type": "bold", "text": "灯笼大桥"}, "今日通车，",
                     {"type": "text_link", "text": "详情", "href": "https://x.example/"}],
        },
        {"id": 3, "type": "message", "date": "2021-05-04T18:00:00", "text": "", "photo": "a.jpg"},
        {"id": 4, "type": "message", "date": "2021-05-05T09:00:00", "text": EN},
    ]  # fmt: skip
    return {"name": "晨报频道", "type": "public_channel", "id": 77, "messages": messages, **more}


def test_a_telegram_export_gives_each_message_with_a_text() -> None:
    found = read_json(json.dumps(chat(username="zaobao_ch")).encode(), TODAY)
    first, second = found.records
    assert first.url == "https://t.me/zaobao_ch/2"
    assert first.found.text == "【通车】灯笼大桥今日通车，详情"
    assert first.found.published_at == "2021-05-04T10:00:00+00:00"  # by the count of seconds
    assert (first.found.publisher, first.found.author) == ("晨报频道", "晨报频道")
    assert second.where == "message 4"
    assert dict(found.skipped) == {"skipped.service_message": 1, "skipped.no_text": 1}


def test_without_a_public_name_a_message_has_no_address() -> None:
    assert {each.url for each in read_export(chat(), TODAY).records} == {""}
    assert {each.url for each in read_export(chat(username="a b/../c"), TODAY).records} == {""}


def test_an_export_of_a_whole_account_gives_every_chat() -> None:
    value = {"about": "…", "chats": {"about": "", "list": [chat(), chat(name="另一个", id=78)]}}
    found = read_json(json.dumps(value).encode(), TODAY)
    assert {each.found.publisher for each in found.records} == {"晨报频道", "另一个"}


def test_an_export_without_a_text_is_refused() -> None:
    with pytest.raises(Unreadable):
        read_export(chat(messages=[]))


def mail(text: str = EN, html: str = "", charset: str = "utf-8", **headers: str) -> EmailMessage:
    made = EmailMessage()
    made["From"] = headers.get("sender", "Ada Ruiz <ada@post.example>")
    made["Subject"] = headers.get("subject", "Bridge opens")
    made["Date"] = headers.get("date", "Tue, 04 May 2021 12:00:00 +0200")
    made.set_content(text, charset=charset)
    if html:
        made.add_alternative(html, subtype="html", charset=charset)
    return made


@pytest.mark.parametrize(
    ("text", "charset"), [(EN, "utf-8"), (ZH, "gb2312"), (ZH, "gb18030"), (HANT, "big5")]
)
def test_a_mail_is_its_senders_words(text: str, charset: str) -> None:
    body = mail(text, charset=charset, subject="通车", sender="林伟 <lin@zh.example>").as_bytes()
    found = only(read_mail(body, TODAY)).found
    assert found.text == text
    assert (found.title, found.author, found.publisher) == ("通车", "林伟", "zh.example")
    assert (found.published_at, found.published_how) == ("2021-05-04T12:00:00+02:00", "declared")


def test_a_newsletter_is_read_from_its_html_and_attachments_are_counted() -> None:
    made = mail("View in browser", f"<html><body><p>{EN}</p><p>{EN} Again.</p></body></html>")
    made.add_attachment(b"MZ\x90", maintype="application", subtype="octet-stream", filename="a.exe")
    made.add_attachment("secret words in a file", filename="notes.txt")
    found = read_mail(made.as_bytes(), TODAY)
    assert EN in only(found).found.text
    assert "secret words" not in only(found).found.text
    assert dict(found.skipped) == {"skipped.attachment": 2}


def test_a_header_in_bytes_of_no_declared_charset_is_read() -> None:
    body = b"From: " + "林伟".encode("gb18030") + b" <lin@zh.example>\r\nSubject: "
    body += "灯笼大桥今日正式通车".encode("gb18030") + b"\r\n\r\n" + ZH.encode("gb18030")
    found = only(read_mail(body, TODAY)).found
    assert found.title == "灯笼大桥今日正式通车"
    assert found.text == ZH


@pytest.mark.parametrize("body", [b"", b"no mail at all", b"From: a@b.example\n\n", b"\x00" * 50])
def test_what_is_no_mail_is_refused(body: bytes) -> None:
    with pytest.raises(Unreadable):
        read_mail(body)


@pytest.mark.parametrize(
    "header",
    [
        b"From: =?utf-8?q?=?= <",
        b"From: a@[",
        b'From: "',
        b"From: =?gb18030?B?!!!?=",
        "From: 财经早报 <".encode("gb18030"),
        "Subject: 財經早報".encode("big5"),
    ],
)
def test_a_header_that_is_broken_loses_no_mail(header: bytes) -> None:
    first = b"From a@b Thu Jan  1 00:00:00 2024\nFrom: Ada <a@b.example>\n\nThe bridge is open.\n\n"
    second = b"From c@d Thu Jan  1 00:00:00 2024\n" + header + b"\n\nThe tunnel is shut.\n"
    found = read_mailbox(first + second, TODAY)
    assert [each.found.text for each in found.records] == [
        "The bridge is open.",
        "The tunnel is shut.",
    ]


def test_a_mailbox_gives_its_mails() -> None:
    lines = b"From ada@post.example Tue May  4 12:00:00 2021\n"
    body = lines + mail().as_bytes() + b"\n\n" + lines + mail(ZH).as_bytes()
    body += b"\n\n" + lines + mail(" ").as_bytes()
    found = read_mailbox(body, TODAY)
    assert [each.where for each in found.records] == ["mail 1", "mail 2"]
    assert [each.where for each in found.refused] == ["mail 3"]
    with pytest.raises(Unreadable):
        read_mailbox(b"words")


@pytest.mark.parametrize(
    ("name", "records"),
    [("binance", 0), ("jinse", 20), ("cryptocompare", 10)],
)
def test_recorded_announcements_are_taken_or_refused_by_type(
    payloads: Path, name: str, records: int
) -> None:
    """Against recorded answers, where they are at hand; they are not part of this repository."""
    taken = 0
    for file in sorted((payloads / name).glob("*.json")):
        try:
            taken += len(read_json(file.read_bytes(), TODAY).records)
        except (Malformed, Unreadable):
            continue
    assert taken >= records
