"""Settings: sources and their order, refusals in one sentence, and nothing secret on display."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import SecretStr

import groundwire.settings
from groundwire.errors import SettingsError
from groundwire.jobs.sections import Settings
from groundwire.model.base import canonical
from groundwire.settings import Loaded
from groundwire.settings.names import WELL_KNOWN, env_name

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Create a working folder and, beside it, a home folder."""
    (tmp_path / "work").mkdir()
    (tmp_path / "home" / ".config" / "groundwire").mkdir(parents=True)
    return tmp_path


def load(place: Path, overrides: dict[str, object] | None = None, **env: str) -> Loaded:
    return Settings.load(overrides, cwd=place / "work", env={"HOME": str(place / "home"), **env})


def write(place: Path, text: str, *, user: bool = False) -> None:
    folder = place / "home" / ".config" / "groundwire" if user else place / "work"
    (folder / "groundwire.toml").write_text(text, encoding="utf-8")


def value_of(settings: Settings, name: str) -> object:
    found: object = settings
    for part in name.split("."):
        found = found[part] if isinstance(found, dict) else getattr(found, part)
    return found.get_secret_value() if isinstance(found, SecretStr) else found


# --- sources --------------------------------------------------------------------------------


def test_each_source_beats_the_weaker_ones(place: Path) -> None:
    def language() -> tuple[str, str]:
        loaded = load(place, overrides, **env)
        return loaded.settings.language, loaded.origins["language"]

    overrides: dict[str, object] = {}
    env: dict[str, str] = {}
    assert language() == ("auto", "default")
    write(place, 'language = "zh"', user=True)
    assert language() == ("zh", "file ~/.config/groundwire/groundwire.toml")
    write(place, 'language = "en"')
    assert language() == ("en", "file groundwire.toml")
    env["GROUNDWIRE_LANGUAGE"] = "zh"
    assert language() == ("zh", "env GROUNDWIRE_LANGUAGE")
    overrides["language"] = "en"
    assert language() == ("en", "option")


def test_files_are_merged_setting_by_setting(place: Path) -> None:
    write(place, "[search]\nmax_results = 7\ntimeout = 3", user=True)
    write(place, "[search]\ntimeout = 4")
    search = load(place).settings.search
    assert (search.max_results, search.timeout) == (7, 4.0)


def test_xdg_config_home_is_honoured(place: Path) -> None:
    folder = place / "xdg" / "groundwire"
    folder.mkdir(parents=True)
    (folder / "groundwire.toml").write_text("offline = true")
    assert load(place, XDG_CONFIG_HOME=str(place / "xdg")).settings.offline is True


def test_options_are_dotted_or_nested_and_none_means_not_given(place: Path) -> None:
    loaded = load(
        place, {"search.timeout": 2, "budget": {"run_usd": 1}, "language": None, "offline": True}
    )
    assert loaded.settings.search.timeout == 2
    assert loaded.settings.budget.run_usd == 1
    assert loaded.settings.offline is True
    assert loaded.origins["language"] == "default"


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("offline", "1", True),
        ("offline", "false", False),
        ("search.chain", "tavily, archive,", ("tavily", "archive")),
        ("models.light", "openai:a,openrouter:deepseek/b:free", ("openai:a", "openrouter:deepseek/b:free")),
        ("fetch.allow_private", "127.0.0.1/8, ::1", ("127.0.0.0/8", "::1/128")),
        ("fetch.allow_ports", "8080", (8080,)),
        ("budget.day_usd", "none", None),
        ("budget.month_usd", "12.5", 12.5),
        ("verify.deny_domains", "*.Example.com, b.cn", ("example.com", "b.cn")),
        ("tools.macro.enabled", "yes", True),
        ("search.providers.tavily.search_depth", "basic", "basic"),
        ("intake.secret", "hush-hush", "hush-hush"),
    ],
)  # fmt: skip
def test_a_setting_is_read_from_the_environment(
    place: Path, name: str, text: str, value: object
) -> None:
    loaded = load(place, **{env_name(name): text})
    assert value_of(loaded.settings, name) == value
    assert loaded.origins[name] == f"env {env_name(name)}"


@pytest.mark.parametrize("name", sorted(Settings.tree().leaves))
def test_every_default_is_a_legal_value_and_described(place: Path, name: str) -> None:
    field = Settings.tree().leaves[name]
    assert field.description, f"{name} has no meaning"
    assert name in load(place).origins


def test_an_empty_variable_is_an_unset_one(place: Path) -> None:
    loaded = load(place, GROUNDWIRE_LANGUAGE="", TAVILY_API_KEY=" ", GROUNDWIRE_NONSENSE="")
    assert loaded.settings == load(place).settings


def test_the_environment_of_the_process_is_the_default(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDWIRE_LANGUAGE", "zh")
    monkeypatch.chdir(place / "work")
    assert Settings.load().settings.language == "zh"


# --- names that are already set ----------------------------------------------------------------


@pytest.mark.parametrize(("name", "alias"), WELL_KNOWN.items())
def test_a_well_known_name_is_honoured(place: Path, name: str, alias: tuple[str, object]) -> None:
    text = "http://127.0.0.1:1" if name.endswith(("URL", "HOST")) else "some-value"
    loaded = load(place, **{name: text})
    assert str(value_of(loaded.settings, alias[0])).startswith(text)
    assert loaded.origins[alias[0]] == f"env {name}"


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("DEEP_ANALYSIS_TOOLS_ENABLED", "false", False),
        ("DEEP_ANALYSIS_MAX_TOOL_CALLS", "4", 4),
        ("DEEP_ANALYSIS_TOOL_TIMEOUT", "8", 8.0),
        ("DEEP_ANALYSIS_TOOL_DAILY_LIMIT", "500", 500),
        ("DEEP_ANALYSIS_MONTHLY_BUDGET", "30.0", 30.0),
        ("DEEP_ANALYSIS_SEARCH_PROVIDER", "tavily", ("tavily",)),
        ("HIGH_VALUE_CONFIDENCE_THRESHOLD", "0.8", 0.8),
        ("TOOL_SEARCH_ENABLED", "false", False),
        ("TOOL_PRICE_ENABLED", "false", False),
        ("TOOL_MACRO_ENABLED", "true", True),
        ("TOOL_ONCHAIN_ENABLED", "0", False),
        ("SEARCH_MAX_RESULTS", "9", 9),
        ("SEARCH_CACHE_TTL_SECONDS", "60", 60),
        ("SEARCH_MULTI_SOURCE_THRESHOLD", "2", 2),
        ("SEARCH_INCLUDE_DOMAINS", "coindesk.com,theblock.co", ("coindesk.com", "theblock.co")),
        ("PHASE1_ROLLOUT_PERCENTAGE", "0.05", 5.0),
        ("PHASE1_ROLLOUT_PERCENTAGE", "1", 100.0),
    ],
)
def test_a_name_of_the_seed_is_an_alias(place: Path, name: str, text: str, value: object) -> None:
    assert (
        value_of(load(place, **{name: text}).settings, Settings.tree().seed_aliases[name].setting)
        == value
    )


@pytest.mark.parametrize("text", ["5", "-0.1", "half", "nan"])
def test_a_rollout_that_is_no_fraction_is_refused(place: Path, text: str) -> None:
    with pytest.raises(SettingsError, match="fraction from 0 to 1"):
        load(place, PHASE1_ROLLOUT_PERCENTAGE=text)


def test_our_names_beat_well_known_ones_which_beat_files(place: Path) -> None:
    write(place, '[search.providers.tavily]\napi_key = "of-the-file"')
    name = "search.providers.tavily.api_key"
    assert value_of(load(place).settings, name) == "of-the-file"
    assert value_of(load(place, TAVILY_API_KEY="known").settings, name) == "known"
    env = {"TAVILY_API_KEY": "known", env_name(name): "ours"}
    assert value_of(load(place, **env).settings, name) == "ours"


def test_gemini_key_beats_google_key(place: Path) -> None:
    settings = load(place, GEMINI_API_KEY="gemini", GOOGLE_API_KEY="google").settings
    assert value_of(settings, "models.providers.google.api_key") == "gemini"


@pytest.mark.parametrize(
    ("host", "base"),
    [
        ("127.0.0.1", "http://127.0.0.1:11434/v1"),
        ("0.0.0.0:5000", "http://127.0.0.1:5000/v1"),
        ("https://ollama.example/", "https://ollama.example:443/v1"),
        ("[::1]", "http://[::1]:11434/v1"),
        ("http://box:11434/v1", "http://box:11434/v1"),
    ],
)
def test_ollama_host_is_read_as_ollama_reads_it(place: Path, host: str, base: str) -> None:
    settings = load(place, OLLAMA_HOST=host).settings
    assert value_of(settings, "models.providers.ollama.base_url") == base


@pytest.mark.parametrize(
    ("written", "base"),
    [
        ("http://127.0.0.1:8888", "http://127.0.0.1:8888"),
        ("searx.example:8080/", "http://searx.example:8080"),
        ("https://searx.example/search?q=<query>", "https://searx.example"),
    ],
)
def test_searxng_s_address_is_read_in_the_forms_people_have(
    place: Path, written: str, base: str
) -> None:
    loaded = load(place, SEARXNG_URL=written)
    assert value_of(loaded.settings, "search.providers.searxng.base_url") == base


# --- refusals ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("toml", "expected"),
    [
        ('langauge = "zh"', "langauge (in groundwire.toml) is not a setting; the nearest is language."),
        ("[search]\ncach_ttl = 1", "search.cach_ttl (in groundwire.toml) is not a setting; the nearest is search.cache_ttl."),
        ("[serch]\nchain = []", "serch (in groundwire.toml) is not a setting"),
        ("cache_ttl = 1", "the nearest is search.cache_ttl"),
        ("qqqqqq = 1", "`gw doctor` lists all of them"),
        ("search = 3", "search (file groundwire.toml) is a group of settings, not a value; set one inside it, such as search.chain."),
        ("[search.providers]\ntavily = 3", "search.providers.tavily (file groundwire.toml) is a group"),
        ("[search.providers.tavily.deep]\nx = 3", "search.providers takes text in tavily.deep."),
        ("[language]\nx = 1", "language (file groundwire.toml) is"),
        ("language = [", "groundwire.toml is not valid TOML"),
        ("[search.providers.tavily]\napi_key = 5", "search.providers takes text in tavily.api_key."),
    ],
)  # fmt: skip
def test_a_wrong_file_is_refused_in_one_sentence(place: Path, toml: str, expected: str) -> None:
    write(place, toml)
    with pytest.raises(SettingsError) as caught:
        load(place)
    assert expected in caught.value.message
    assert caught.value.message.endswith(".")
    assert "\n" not in caught.value.message


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("GROUNDWIRE_SERCH__CHAIN", "a", "the nearest is GROUNDWIRE_SEARCH__CHAIN"),
        ("GROUNDWIRE_CACHE_TTL", "1", "the nearest is GROUNDWIRE_SEARCH__CACHE_TTL"),
        ("GROUNDWIRE_SEARCH", "x", "such as GROUNDWIRE_SEARCH__CHAIN"),
        ("GROUNDWIRE_SEARCH__PROVIDERS", "x", "GROUNDWIRE_SEARCH__PROVIDERS__NAME__OPTION"),
        ("GROUNDWIRE_SEARCH__PROVIDERS__TAVILY", "x", "is not a setting"),
        ("GROUNDWIRE_ZZZ", "x", "`gw doctor`"),
        ("GROUNDWIRE_LANGUAGE", "fr", "language (env GROUNDWIRE_LANGUAGE) is 'fr'; it takes one of auto, zh, zh-Hant, en."),
        ("GROUNDWIRE_SEARCH__MAX_RESULTS", "x", "it takes a whole number."),
        ("GROUNDWIRE_SEARCH__MAX_RESULTS", "99", "it takes a value of at most 50."),
        ("GROUNDWIRE_SEARCH__MAX_RESULTS", "0", "it takes a value of at least 1."),
        ("GROUNDWIRE_SEARCH__TIMEOUT", "0", "it takes a value of more than 0."),
        ("GROUNDWIRE_SEARCH__TIMEOUT", "nan", "search.timeout"),
        ("GROUNDWIRE_BUDGET__RUN_USD", "much", "it takes a number."),
        ("GROUNDWIRE_BUDGET__RUN_USD", "inf", "it takes a finite number."),
        ("GROUNDWIRE_OFFLINE", "perhaps", "it takes true or false."),
        ("GROUNDWIRE_MODELS__LIGHT", "gpt-4", "it takes vendor:model, such as openai:gpt-4.1-mini."),
        ("GROUNDWIRE_FETCH__ALLOW_PRIVATE", "home", "such as 127.0.0.0/8."),
        ("GROUNDWIRE_VERIFY__DENY_DOMAINS", "https://a.b/", "such as sec.gov."),
        ("GROUNDWIRE_DATABASE_URL", "mysql://a:hunter22@b", "it takes sqlite:///FILE or postgresql://"),
        ("GROUNDWIRE_FETCH__PROXY", "http://me:hunter22@box/", "is not a setting"),
        ("GROUNDWIRE_FETCH__PROXIES", "socks5://me:hunter22@box/", "it takes addresses of your own HTTP proxies"),
        ("GROUNDWIRE_FETCH__PROXIES", "http://me:hunter22@box:99999/", "it takes addresses of your own HTTP proxies"),
        ("TAVILY_BASE_URL", "localhost:8080", "search.providers takes an address such as https://host.example:8080 in tavily.base_url."),
        ("OPENAI_BASE_URL", "http://[bad/v1", "an address such as"),
        ("OLLAMA_HOST", "box:port", "in ollama.base_url."),
        ("OPENAI_BASE_URL", "ftp://x/", "an address such as"),
        ("GROUNDWIRE_SEARCH__PROVIDERS__SEARXNG__BASE_URL", "http://me:hunter22@box/", "a URL without user or password in searxng.base_url"),
        ("GROUNDWIRE_SEARCH__PROVIDERS__FEEDS__URLS", "https://a.b/rss, https://me:hunter22@box/", "a URL without user or password in feeds.urls"),
    ],
)  # fmt: skip
def test_a_wrong_variable_is_refused_in_one_sentence(
    place: Path, name: str, text: str, expected: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        load(place, **{name: text})
    assert expected in caught.value.message
    assert "hunter22" not in caught.value.message
    assert caught.value.__cause__ is None


def test_a_password_in_a_list_of_addresses_is_refused(place: Path) -> None:
    """It would stand in every run's row."""
    text = '[search.providers.feeds]\nurls = ["https://a.b/rss", "https://me:hunter22@box/rss"]'
    write(place, text)
    with pytest.raises(SettingsError, match=r"without user or password in feeds\.urls") as caught:
        load(place)
    assert "hunter22" not in caught.value.message


def test_a_key_in_the_wrong_line_is_not_printed_back(place: Path) -> None:
    key = "sk-" + "a1" * 20
    with pytest.raises(SettingsError) as caught:
        load(place, GROUNDWIRE_LANGUAGE=key)
    assert key not in caught.value.message


def test_an_unknown_option_of_the_command_line_is_refused(place: Path) -> None:
    with pytest.raises(SettingsError, match="the nearest is search\\.chain"):
        load(place, {"search": {"chian": "a"}})


def test_a_file_that_cannot_be_read_is_named(place: Path) -> None:
    (place / "work" / "groundwire.toml").mkdir()
    with pytest.raises(SettingsError, match=r"groundwire\.toml cannot be read"):
        load(place)


def test_a_file_in_another_charset_is_refused(place: Path) -> None:
    (place / "work" / "groundwire.toml").write_bytes('home = "数据"'.encode("gb18030"))
    with pytest.raises(SettingsError, match="not UTF-8"):
        load(place)


# --- places ---------------------------------------------------------------------------------


def test_the_data_folder_and_the_database_in_it(place: Path) -> None:
    settings = load(place).settings
    assert settings.data_home() == place / "home" / ".local" / "share" / "groundwire"
    assert settings.database() == f"sqlite:///{settings.data_home()}/groundwire.db"
    settings = load(place, XDG_DATA_HOME=str(place / "xdg")).settings
    assert settings.data_home() == place / "xdg" / "groundwire"


@pytest.mark.parametrize(
    ("text", "below"), [("~/data", "home/data"), ("here", "work/here"), ("../x", "x")]
)
def test_home_is_made_absolute(place: Path, text: str, below: str) -> None:
    assert load(place, GROUNDWIRE_HOME=text).settings.data_home() == place / below


def test_origins_that_the_user_configured_are_trusted_exactly(place: Path) -> None:
    settings = load(
        place,
        TAVILY_BASE_URL="HTTP://127.0.0.1:8080/x?y",
        OPENAI_BASE_URL="https://api.openai.com:443/v1",
        GROUNDWIRE_SEARCH__PROVIDERS__SEARXNG__BASE_URL="http://[fd00::1]/",
        GROUNDWIRE_SEARCH__PROVIDERS__FEEDS__URLS="http://10.0.0.1/feed",
    ).settings
    assert settings.trusted_origins() == (
        "http://127.0.0.1:8080",
        "http://[fd00::1]",
        "https://api.openai.com",
    )


# --- secrets ----------------------------------------------------------------------------------

SECRETS = {
    "TAVILY_API_KEY": "planted-tavily-secret",
    "OPENAI_API_KEY": "planted-openai-secret",
    "GROUNDWIRE_INTAKE__SECRET": "planted-intake-secret",
    "GROUNDWIRE_DATABASE_URL": "postgresql://desk:planted-database-secret@db.example/gw",
    "GROUNDWIRE_INTAKE__TELEGRAM__API_HASH": "planted-telegram-secret",
    "GROUNDWIRE_SEARCH__PROVIDERS__GOOGLE__API_TOKEN": "planted-token-secret",
}


def test_planted_secrets_are_on_no_display(place: Path) -> None:
    loaded = load(place, **SECRETS)
    settings = loaded.settings
    shown = [
        repr(settings),
        str(settings),
        repr(loaded),
        settings.model_dump_json(),
        json.dumps(settings.public_view()),
        repr(loaded.describe()),
    ]
    for text in shown:
        assert "planted-" not in text
    assert len([s for s in settings.secrets() if "planted-" in s]) == len(SECRETS)


def test_describe_names_value_and_origin(place: Path) -> None:
    rows = {name: (value, str(origin)) for name, value, origin in load(place, **SECRETS).describe()}
    assert rows["search.providers.tavily.api_key"] == ("set", "env TAVILY_API_KEY")
    assert rows["database_url"][0] == "postgresql://desk:***@db.example/gw"
    assert rows["intake.telegram.api_hash"][0] == "set"
    assert rows["offline"] == ("false", "default")
    assert rows["intake.secret"] == ("set", "env GROUNDWIRE_INTAKE__SECRET")
    assert rows["search.chain"] == ("none", "default")
    assert set(Settings.tree().leaves) <= set(rows)


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", ("SQLite in the data folder", "no limit", "none", "unset", "set")),
        ("zh", ("数据文件夹中的 SQLite", "不设上限", "无", "未设", "已设")),
        ("zh-Hant", ("資料夾中的 SQLite", "不設上限", "無", "未設定", "已設定")),
    ],
)
def test_what_is_no_value_is_said_in_words(
    place: Path, language: str, expected: tuple[str, ...]
) -> None:
    loaded = load(place, TAVILY_API_KEY="planted-key", GROUNDWIRE_BUDGET__RUN_USD="unlimited")
    rows = {name: value for name, value, _ in loaded.describe(language)}
    named = ("database_url", "budget.run_usd", "search.chain", "search.max_results")
    assert (*(rows[name] for name in named), rows["search.providers.tavily.api_key"]) == expected


def test_the_public_view_does_not_depend_on_secrets_or_places(place: Path) -> None:
    named = {"GROUNDWIRE_MODELS__LIGHT": "openai:a", "GROUNDWIRE_MODELS__HEAVY": "openai:a"}
    plain = load(place, **named).settings.public_view()
    keyed = load(
        place, **named, **SECRETS, GROUNDWIRE_HOME="/elsewhere", GROUNDWIRE_LOG__LEVEL="debug"
    ).settings.public_view()
    assert canonical(plain) == canonical(keyed)
    assert str(place) not in json.dumps(plain)


def test_a_run_keeps_its_settings_and_todays_secrets(place: Path) -> None:
    then = load(place, GROUNDWIRE_ASK__PAGES="3", TAVILY_API_KEY="old-key",
                TAVILY_BASE_URL="http://127.0.0.1:1", GROUNDWIRE_SEARCH__CHAIN="tavily").settings  # fmt: skip
    view = {**then.public_view(), "gone_since": 1, "verify": {"gone_too": 2}}
    today = load(place, GROUNDWIRE_ASK__PAGES="9", TAVILY_API_KEY="new-key", GROUNDWIRE_HOME="/new",
                 GROUNDWIRE_SEARCH__PROVIDERS__TAVILY__COUNTRY="china").settings  # fmt: skip
    kept = today.under(json.loads(json.dumps(view)))
    assert kept.ask.pages == 3
    assert kept.search.chain == ("tavily",)
    assert kept.data_home() == Path("/new")
    tavily = kept.search.providers["tavily"]
    assert tavily == {"api_key": SecretStr("new-key"), "base_url": "http://127.0.0.1:1"}
    assert canonical(kept.public_view()) == canonical(then.public_view())


# --- the rest ---------------------------------------------------------------------------------


def test_settings_are_frozen_and_plain_ones_need_no_source() -> None:
    settings = Settings()
    with pytest.raises(ValueError, match="frozen"):
        settings.language = "zh"  # pyright: ignore[reportAttributeAccessIssue]
    assert settings.data_home().name == "groundwire"


def test_exported_names_are_sorted() -> None:
    assert sorted(groundwire.settings.__all__) == groundwire.settings.__all__


def test_loading_settings_imports_neither_structlog_nor_pydantic_settings() -> None:
    code = "import sys, groundwire.jobs.sections as s; s.Settings.load(env={}); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert not loaded & {"structlog", "pydantic_settings", "difflib", "httpx2", "rich"}


def test_the_reference_page_is_current() -> None:
    """`python -m scripts.reference` writes it."""
    from scripts.settings_page import settings_reference

    page = ROOT / "docs" / "reference" / "settings.md"
    assert page.read_text(encoding="utf-8") == settings_reference(Settings.tree())


def test_the_password_of_a_proxy_of_your_own_stands_nowhere(place: Path) -> None:
    loaded = load(place, GROUNDWIRE_FETCH__PROXIES="http://me:hunter22@box:3128,https://other")
    assert len(loaded.settings.fetch.proxies) == 2
    assert "hunter22" in loaded.settings.secrets()
    shown = {name: text for name, text, _ in loaded.describe()}["fetch.proxies"]
    assert "box:3128" in shown and "hunter22" not in shown
    assert "proxies" not in str(loaded.settings.public_view())
