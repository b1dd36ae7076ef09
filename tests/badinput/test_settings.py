"""Settings that are unknown or wrong: refused before anything is written, the nearest named."""

from __future__ import annotations

import pytest

from .conftest import Door

ONLINE = {"GROUNDWIRE_OFFLINE": "", "TAVILY_API_KEY": "tvly-planted-secret-1"}


@pytest.mark.parametrize(
    ("env", "sentence"),
    [
        ({"GROUNDWIRE_OFLINE": "1"}, "the nearest is GROUNDWIRE_OFFLINE"),
        ({"GROUNDWIRE_SEARCH__CAHCE_TTL": "1"}, "the nearest is GROUNDWIRE_SEARCH__CACHE_TTL"),
        ({"GROUNDWIRE_SEARCH__CACHE_TTL": "soon"}, "a whole number"),
        ({"GROUNDWIRE_BUDGET__RUN_USD": "nan"}, "a finite number"),
        ({"GROUNDWIRE_SEARCH": "x"}, "a group of settings"),
        ({"GROUNDWIRE_MODELS__LIGHT": "gpt"}, "vendor:model"),
        ({**ONLINE, "GROUNDWIRE_MODELS__LIGHT": "opnai:gpt"}, "did you mean openai?"),
        ({**ONLINE, "GROUNDWIRE_SEARCH__CHAIN": "tavly"}, "did you mean tavily?"),
        ({**ONLINE, "GROUNDWIRE_SEARCH__PROVIDERS__TAVLY__API_KEY": "k"}, "did you mean tavily?"),
        ({**ONLINE, "GROUNDWIRE_MODELS__PROVIDERS__OPNAI__API_KEY": "k"}, "did you mean openai?"),
        (
            {**ONLINE, "GROUNDWIRE_SEARCH__PROVIDERS__TAVILY__SERCH_DEPTH": "basic"},
            "did you mean search_depth?",
        ),
        ({**ONLINE, "TAVILY_BASE_URL": "not a url"}, "an address such as"),
        ({"GROUNDWIRE_DATABASE_URL": "mysql://u:planted-secret@h/d"}, "sqlite:///FILE"),
    ],
)
def test_a_wrong_variable(empty: Door, env: dict[str, str], sentence: str):
    result = empty("ask", "USDC?", **env)
    assert result.code == 2
    assert sentence in " ".join(result.err.split())
    assert result.out == ""
    assert empty.rows() == []


@pytest.mark.parametrize("name", ["BRAVE_API_KEY", "ANTHROPIC_API_KEY"])
def test_a_key_alone_changes_nothing_offline(empty: Door, name: str):
    assert empty("ask", "USDC?", **{name: "k"}).code == 0


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"offline = \n", "not valid TOML"),
        (b"oflline = true\n", "the nearest is offline"),
        (b"[serch]\ncache_ttl = 1\n", "the nearest is search"),
        (b"[search]\ncache_ttl = 'x'\n", "a whole number"),
        (b"search = [1]\n", "a group of settings"),
        (b"language = 'zh' # \xff\n", "save it as UTF-8"),
    ],
)
def test_a_wrong_file(empty: Door, text: bytes, sentence: str):
    (empty.place / "groundwire.toml").write_bytes(text)
    result = empty("ask", "USDC?")
    assert result.code == 2
    assert "groundwire.toml" in result.err
    assert sentence in " ".join(result.err.split())
    assert not empty.home.exists()


def test_a_file_with_a_byte_order_mark_is_read(empty: Door):
    (empty.place / "groundwire.toml").write_bytes(b"\xef\xbb\xbflanguage = 'zh'\n")
    assert empty("ask", "USDC?", "--json").json()["language"] == "zh"


@pytest.mark.parametrize("command", ["doctor", "providers", "models"])
@pytest.mark.parametrize(
    "env",
    [
        {"GROUNDWIRE_OFFLINE": ""},
        {
            "GROUNDWIRE_OFFLINE": "",
            **dict.fromkeys(
                ("TAVILY_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "ANTHROPIC_API_KEY"),
                "planted-secret nonsense \t!",
            ),
        },
    ],
    ids=["no key", "nonsense"],
)
def test_the_desk_shows_what_is_set_and_no_key(empty: Door, command: str, env: dict[str, str]):
    result = empty(command, **env)
    assert result.code == 0, result.err
    assert result.err == ""
    assert "planted-secret" not in result.out
    # The doctor names what is used, and where to look for more.
    wanted = {"doctor": ("wikipedia", "gw providers"), "providers": ("tavily",)}
    assert all(word in result.out for word in wanted.get(command, ("anthropic",)))
