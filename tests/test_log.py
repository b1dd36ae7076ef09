"""Logs are events with fields, cost nothing while quiet, and hold no secret in any usual form."""

from __future__ import annotations

import base64
import html
import io
import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from urllib.parse import quote, quote_plus

import pytest
from jinja2 import Environment

from groundwire.log import MASK, Redactor, configure, get_logger, mask_url

SECRET = "pl@nted/secret+key=="


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """Capture the stream that records go to; afterwards logging is quiet again."""
    stream = io.StringIO()
    configure("debug", "json", Redactor([SECRET, "db-password"]), stream)
    yield stream
    configure()


def records(stream: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


# --- redactor ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "form",
    [
        SECRET,
        quote(SECRET, safe=""),
        quote(SECRET),
        quote_plus(SECRET),
        quote(SECRET, safe="").lower(),
        base64.b64encode(SECRET.encode()).decode(),
        base64.urlsafe_b64encode(SECRET.encode()).decode(),
        json.dumps(SECRET),
    ],
)
def test_a_registered_secret_is_found_in_its_usual_encodings(form: str) -> None:
    shown = Redactor([SECRET]).text(f"before {form} after")
    assert MASK in shown
    assert form not in shown
    assert shown.startswith("before ")
    assert shown.endswith(" after")


@pytest.mark.parametrize("user", ["", "a", "ab", "abc", "abcd", "用户"])
def test_a_password_is_found_inside_basic_authentication(user: str) -> None:
    token = base64.b64encode(f"{user}:{SECRET}".encode()).decode()
    shown = Redactor([SECRET]).text(f"sent {token}")
    # What is left may decode to the user's name, never to the password.
    left = shown.partition(" ")[2].split(MASK)[0]
    whole = base64.b64decode(left[: len(left) // 4 * 4])
    assert MASK in shown
    assert b"nted" not in whole


def test_a_secret_with_quotes_is_found_in_json() -> None:
    secret = 'say "open\\sesame" 芝麻'
    text = json.dumps({"note": f"x{secret}y"})
    assert json.loads(Redactor([secret]).text(text)) == {"note": f"x{MASK}y"}
    assert "sesame" not in Redactor([secret]).text(json.dumps(f"x{secret}", ensure_ascii=False))


def test_a_secret_with_marks_of_html_is_found_in_a_page() -> None:
    secret = """p<a>&'ss"word-1"""
    redactor = Redactor([secret], shapes=False)
    shown = Environment(autoescape=True).from_string("{{ it }} <a b='{{ it }}'> {{ it | tojson }}")
    for page in (shown.render(it=secret), html.escape(secret), html.escape(secret, quote=False)):
        assert "word-1" in page
        assert "word-1" not in redactor.text(page)


def test_the_longer_of_two_alike_secrets_is_taken_whole() -> None:
    longer = Redactor(["abcdefgh", "abcdefghijkl"])
    assert longer.text("abcdefghijkl abcdefgh") == f"{MASK} {MASK}"


def test_a_very_short_secret_does_not_blank_out_words() -> None:
    assert Redactor(["a", "", "abc", "bank"]).text("an abacus of a bank") == "an abacus of a bank"


OPENAI = "sk-" + "Ab1" * 12
TAVILY = "tvly-" + "dev-Ab12Cd34"
GOOGLE = "AIza" + "Sy0123456789_-abcdefghijklmnopqrst"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"key {OPENAI}.", "key ***."),
        ("key sk-proj-" + "a_b-" * 10, "key ***"),
        (f'{{"k": "{TAVILY}"}}', '{"k": "***"}'),
        (f"({GOOGLE})", "(***)"),
        ("Authorization: Bearer abc.def", "Authorization: ***"),
        ("authorization: Basic dXNlcjpwYXNz", "authorization: ***"),
        ('{"Authorization": "Bearer abc"}', '{"Authorization": "***"}'),
        ("x-api-key: abc, accept: json", "x-api-key: ***, accept: json"),
        ("Set-Cookie: sid=1; Path=/", "Set-Cookie: ***; Path=/"),
        ("curl with bearer abcdefgh12345678 failed", "curl with bearer *** failed"),
        ("https://a.example/x?key=abc&q=1", "https://a.example/x?key=***&q=1"),
        ("https://a.example/x?q=1&api_key=abc#top", "https://a.example/x?q=1&api_key=***#top"),
        ("https://a.example/?ACCESS_TOKEN=abc", "https://a.example/?ACCESS_TOKEN=***"),
        ("postgresql+psycopg://u:p-w@h:5432/db", "postgresql+psycopg://u:***@h:5432/db"),
        ("redis://:pw@h/0", "redis://:***@h/0"),
        ("host=h user=u password=pw dbname=d", "host=h user=u password=*** dbname=d"),
        ("host=h password='p w' dbname=d", "host=h password=*** dbname=d"),
        ("-----BEGIN RSA PRIVATE" + " KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nx", "***\nx"),
    ],
)
def test_known_shapes_of_secrets_are_masked(text: str, shown: str) -> None:
    assert Redactor().text(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "SK Hynix: https://news.example/sk-hynix-2024-record-results-in-hbm",
        "A risk-adjusted-return1234567890abcdef measure",
        "bearer instruments and bearer shares were abolished in 2015",
        "Basic income, basic research",
        "The password policy asks for a token and a key.",
        "https://social.example/@user/1?page=2&q=keys",
        "关键=重点；USDC 脱锚 2023-03-11，密钥泄露传闻不实",
        "關鍵：授權書已於三月十一日發布",
        "f(key)=value and a=b",
    ],
)
def test_ordinary_prose_is_left_alone(text: str) -> None:
    """Pages pass the redactor too; a changed word would break a quotation."""
    assert Redactor([SECRET]).text(text) == text


def test_json_keeps_its_shape_and_loses_its_secrets() -> None:
    value = {
        "headers": {"Authorization": "Bearer x", "Accept": "json", "X-API-Key": "short"},
        "list": [1, 2.5, None, True, f"see {SECRET}"],
        "api_key": "abc",
        "password": "",
        "key": "hash-of-a-call",
        "token": "USDC",
        "total_tokens": 12,
        f"k-{SECRET}": 1,
    }
    assert Redactor([SECRET]).value(value) == {
        "headers": {"Authorization": MASK, "Accept": "json", "X-API-Key": MASK},
        "list": [1, 2.5, None, True, f"see {MASK}"],
        "api_key": MASK,
        "password": "",
        "key": "hash-of-a-call",
        "token": "USDC",
        "total_tokens": 12,
        f"k-{MASK}": 1,
    }


def test_redaction_is_idempotent() -> None:
    redactor = Redactor([SECRET])
    text = f"Authorization: Bearer {OPENAI} at https://u:{SECRET}@h/?key=1 password=2"
    once = redactor.text(text)
    assert redactor.text(once) == once


def test_mask_url_keeps_host_and_path() -> None:
    assert mask_url("http://u:pw@h:1/p?token=t&a=b") == "http://u:***@h:1/p?token=***&a=b"


# --- records ----------------------------------------------------------------------------------


def test_a_record_has_event_fields_level_time_and_source(lines: io.StringIO) -> None:
    get_logger("gateway").info("sent", provider="tavily", tries=2)
    (record,) = records(lines)
    assert record.pop("timestamp")
    assert record == {
        "event": "sent", "level": "info", "logger": "gateway", "provider": "tavily", "tries": 2,
    }  # fmt: skip


def test_no_field_of_a_record_shows_a_secret(lines: io.StringIO) -> None:
    log = get_logger("x")
    try:
        raise ValueError(f"refused {SECRET}")
    except ValueError as error:
        log.exception(f"event {SECRET}", error=error, nested={"a": [SECRET]}, api_key="abc")
    text = lines.getvalue()
    (record,) = records(lines)
    assert SECRET not in text
    assert '"abc"' not in text
    assert "Traceback" in str(record["exception"])
    assert record["nested"] == {"a": [MASK]}


def test_records_of_libraries_are_redacted_too(lines: io.StringIO) -> None:
    logging.getLogger("some.library").warning("connecting with %s", "db-password")
    (record,) = records(lines)
    assert record["event"] == f"connecting with {MASK}"
    assert record["logger"] == "some.library"


def test_levels_below_the_configured_one_are_silent() -> None:
    stream = io.StringIO()
    configure("warning", "json", stream=stream)
    log = get_logger("x")
    log.debug("no")
    log.info("no")
    logging.getLogger("library").info("no")
    log.warning("yes")
    log.error("yes")
    configure()
    assert [r["event"] for r in records(stream)] == ["yes", "yes"]


def test_a_plain_line_is_one_line_without_terminal_codes() -> None:
    stream = io.StringIO()
    configure("info", "plain", stream=stream)
    get_logger("fetch").warning("read", title="a\nb\x1b[31m", 标题="脱锚", note="two words", n=1)
    configure()
    (line,) = stream.getvalue().splitlines()
    assert line.endswith(
        r"""warning fetch read n=1 note="two words" title='a\nb\x1b[31m' 标题=脱锚"""
    )


def test_records_go_to_stderr_of_the_moment(capsys: pytest.CaptureFixture[str]) -> None:
    configure("warning")
    get_logger("x").warning("careful")
    out, err = capsys.readouterr()
    assert out == ""
    assert "warning x careful" in err


def test_configuring_twice_writes_once(lines: io.StringIO) -> None:
    configure("debug", "json", stream=lines)
    logging.getLogger("library").warning("once")
    assert len(records(lines)) == 1


def test_a_quiet_command_never_imports_structlog() -> None:
    code = (
        "import sys, groundwire.log as l; l.configure(); l.get_logger('x').info('quiet');"
        "print('structlog' in sys.modules, 'pydantic' in sys.modules);"
        "l.get_logger('x').warning('loud'); print('structlog' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False", "True"]
