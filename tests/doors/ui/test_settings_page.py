"""The page of settings: what works and what to set; never a secret, nor how long one is."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import httpx2
import pytest

from groundwire.app import access, health, open_app
from groundwire.app.health import Finding, PartState
from groundwire.app.probes import Probed
from groundwire.doors.serving import assemble
from groundwire.doors.ui.pages import settings as page_of_settings
from groundwire.errors import AuthRejected
from groundwire.jobs.sections import Settings
from groundwire.model.call import CallError
from groundwire.model.source import Override
from groundwire.words import coded, kept, words
from tests.doors.ui.conftest import Site, csrf_of, words_of
from tests.doors.ui.scrutiny import faults
from tests.store.make import Make

EVIL = '"><img src=x onerror=alert(1)>'
SECRETS = {
    "TAVILY_API_KEY": "tvly-planted-secret-0123456789",
    "OPENAI_API_KEY": "sk-planted-secret-abcdefghij",
    "GROUNDWIRE_INTAKE__SECRET": "hook-planted-secret-xyz",
    "GROUNDWIRE_NOTIFY__WEBHOOK__SECRET": "http://who:url-planted-word@hook.example:3128",
}
PLANTED = (*SECRETS.values(), "url-planted-word", "planted")


@pytest.fixture
async def keyed(tmp_path: Path) -> AsyncIterator[Site]:
    """Open a desk with keys, which would go online if asked to."""
    env = {"GROUNDWIRE_HOME": str(tmp_path / "data"), **SECRETS}
    async with AsyncExitStack() as stack:
        app = await stack.enter_async_context(open_app(Settings.load({}, tmp_path, env)))
        yield Site(app, assemble(app, open_here=True), stack)


async def test_the_doctor_says_what_is_and_what_to_do(site: Site):
    text = words_of(await (await site.browser()).get("/settings"))
    assert "Doctor gw doctor" in text
    assert "archive : could be better empty gw archive add --sample" in text
    assert "network : could be better offline: nothing is sent anywhere" in text
    assert "database : good sqlite, revision" in text
    assert "The desk is offline: nothing can be asked." in text


async def test_bad_news_come_first(site: Site, monkeypatch: pytest.MonkeyPatch):
    async def findings(_: object) -> list[Finding]:
        return [
            Finding(what="database", state="ok", found="fine"),
            Finding(what="search", state="note", found="few"),
            Finding(what="runs", state="bad", found="stuck", to_do="gw follow last"),
        ]

    monkeypatch.setattr(health.Health, "findings", findings)
    text = words_of(await (await site.browser()).get("/settings"))
    assert text.index("stuck") < text.index("few") < text.index("fine")


async def test_keys_are_said_to_be_set_and_where_and_nothing_more(keyed: Site):
    page = await (await keyed.browser()).get("/settings")
    text = words_of(page)
    assert "tavily on · has a key key •••• env TAVILY_API_KEY" in text
    assert "openai on · used by a tier key •••• env OPENAI_API_KEY" in text
    assert "search.providers.tavily.api_key set env TAVILY_API_KEY" in text
    assert "intake.secret set env GROUNDWIRE_INTAKE__SECRET" in text
    assert "brave off · it has no key BRAVE_API_KEY=…" in text
    assert page.text.count("••••") == 2  # the same mask whatever the key
    for secret in PLANTED:
        assert secret not in page.text


async def test_a_failure_that_repeats_a_key_does_not_show_it(
    keyed: Site, monkeypatch: pytest.MonkeyPatch
):
    key = SECRETS["TAVILY_API_KEY"]

    async def states(_: object) -> list[PartState]:
        trouble = f"the key {key} is wrong {EVIL}"
        return [PartState(name="tavily", on=True, why="has a key", trouble=trouble)]

    monkeypatch.setattr(health.Health, "providers", states)
    page = await (await keyed.browser()).get("/settings")
    assert "is wrong" in words_of(page)
    assert key not in page.text
    assert faults(page.text) == []


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://desk:hunter-two@db.example/gw",
        "postgresql://desk:x1@db.example/gw",  # a short one
        "postgresql://db.example/gw?user=desk&password=hunter-two",
    ],
)
def test_the_database_is_shown_without_its_password(url: str, tmp_path: Path):
    loaded = Settings.load({"database_url": url}, tmp_path, {"HOME": str(tmp_path)})
    shown = page_of_settings.masked_database(loaded.settings)
    assert "db.example/gw" in shown
    assert "hunter" not in shown
    assert ":x1" not in shown


async def test_values_come_with_where_they_were_set(tmp_path: Path):
    (tmp_path / "groundwire.toml").write_text('[ask]\npages = 7\n[budget]\nday_usd = "none"\n')
    env = {"GROUNDWIRE_HOME": str(tmp_path / "data"), "GROUNDWIRE_OFFLINE": "1"}
    async with AsyncExitStack() as stack:
        app = await stack.enter_async_context(open_app(Settings.load({}, tmp_path, env)))
        site = Site(app, assemble(app, open_here=True), stack)
        text = words_of(await (await site.browser()).get("/settings"))
    changed, _, every = text.partition("All ")
    assert "ask.pages 7 file groundwire.toml" in changed
    assert "budget.day_usd no limit file groundwire.toml" in changed
    assert "offline true env GROUNDWIRE_OFFLINE" in changed
    assert "ask.queries" not in changed
    assert "ask.queries 5 as it comes" in every


async def test_tokens_are_listed_with_what_they_may(site: Site):
    await site.app.access.create("mei", scope="run", per_minute=60, day_usd=2.5, by="root")
    made = await site.app.access.create("gone", scope="read")
    await site.app.access.revoke("gone")
    page = await (await site.browser()).get("/settings")
    text = words_of(page)
    assert "mei read and run 60 requests a minute · $2.50 a day" in text
    assert re.search(r"gone revoked \d{4}-\d\d-\d\d read none", text)
    assert "gw token create NAME" in text
    assert "On this machine's own address no token is asked for." in text
    assert made.secret not in page.text
    assert access.digest(made.secret) not in page.text


async def test_what_analysts_say_of_sources_is_text(site: Site):
    await site.app.store.sources.override(
        Override(domain="a.example", tier="wire", owner=EVIL, why=EVIL, by=EVIL, at=Make.now)
    )
    page = await (await site.browser()).get("/settings")
    assert "a.example wire" in words_of(page)
    assert words_of(page).count(EVIL) == 3
    assert faults(page.text) == []


async def test_how_a_provider_answered_lately_is_drawn(site: Site):
    now = site.app.clock()
    make = Make()
    await site.app.store.runs.create(make.run("r", created_at=now, now=now))
    lease = await site.app.store.runs.claim("r", "worker", now, now + (Make.later - Make.now))
    assert lease is not None
    for key in ("a", "b"):
        intent = make.intent(key, 0).model_copy(update={"at": now})
        await site.app.store.ledger.begin(lease, intent)
    await site.app.store.ledger.finish(lease, make.answer("a", cost=0, at=now))
    error = CallError(code=AuthRejected.code, message=f"no {EVIL}")
    failed = make.answer("b", cost=0, at=now, outcome="failed", response=None, error=error)
    await site.app.store.ledger.finish(lease, failed)
    page = await (await site.browser()).get("/settings")
    assert "1/2 (50%)" in words_of(page)
    assert 'aria-label="answered 1/2 (50%) of its calls in 7 days"' in page.text
    assert faults(page.text) == []


async def test_nothing_is_asked_unless_the_button_is_pressed(
    keyed: Site, monkeypatch: pytest.MonkeyPatch
):
    requests: list[str] = []

    async def probe(_: object) -> list[Probed]:
        requests.append("search")
        key = SECRETS["TAVILY_API_KEY"]
        return [
            Probed(kind="search", name="ddgs", state="reachable", run_id="tool-1", ms=1234),
            Probed(
                kind="search", name="tavily", state="key invalid", said=f"no {key}", run_id="tool-2"
            ),
        ]

    async def models(_: object) -> list[Probed]:
        requests.append("models")
        return []

    monkeypatch.setattr("groundwire.app.probes.probe_providers", probe)
    monkeypatch.setattr("groundwire.app.probes.probe_models", models)
    browser = await keyed.browser()
    page = await browser.get("/settings")
    assert requests == []
    assert (await browser.post("/settings/probe", data={"csrf": "x"})).status_code == 403
    assert requests == []
    answer = await browser.post("/settings/probe", data={"csrf": csrf_of(page)})
    assert requests == ["search", "models"]
    assert "ddgs reachable · 1,234 ms" in words_of(answer)
    assert "tavily key invalid" in words_of(answer)
    assert 'href="/runs/tool-2"' in answer.text
    assert SECRETS["TAVILY_API_KEY"] not in answer.text


async def test_offline_nothing_can_be_asked(site: Site):
    browser = await site.browser()
    csrf = csrf_of(await browser.get("/settings"))
    answer = await browser.post("/settings/probe", data={"csrf": csrf})
    assert answer.status_code == 422
    assert "Offline: nothing can be probed" in words_of(answer)


@pytest.mark.parametrize("scope", ["read", "run"])
async def test_who_is_no_admin_sees_only_what_is_theirs(locked: Site, scope: str):
    other = await locked.signed_in("admin", name="root-token")
    client: httpx2.AsyncClient = await locked.signed_in(scope, name="mei")
    page = await client.get("/settings")
    text = words_of(page)
    assert "shown to the scope admin only" in text
    assert "Name mei" in text
    for hidden in ("root-token", "budget.day_usd", "database", str(locked.app.settings.home)):
        assert hidden not in text
    answer = await client.post("/settings/probe", data={"csrf": csrf_of(page)})
    assert answer.status_code == 403
    assert "root-token" in words_of(await other.get("/settings"))


async def test_without_a_session_there_is_no_page(locked: Site):
    answer = await (await locked.browser()).get("/settings")
    assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in?next=%2Fsettings")


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("zh", ("体检", "离线：不使用网络", "没有未完成的任务", "从本机地址访问无需令牌。")),
        ("zh-Hant", ("健檢", "離線：不使用網路", "沒有未完成的任務")),
    ],
)
async def test_it_is_read_in_chinese(site: Site, language: str, lines: tuple[str, ...]):
    page = await (await site.browser()).get("/settings", headers={"Accept-Language": language})
    for line in lines:
        assert line in words_of(page)
    assert faults(page.text) == []


# --- the doctor's sentences ------------------------------------------------------------------


async def _sentences(site: Site, language: str) -> list[str]:
    say = words(language)
    states = [
        *await site.app.health.providers(),
        *await site.app.health.tools(),
        *site.app.health.vendors(),
    ]
    found = await site.app.health.findings()
    names = {state.name for state in states}
    # What is only a list of names has nothing to translate.
    return [
        *(state.translate(say).why for state in states),
        *(each.translate(say).what for each in found),
        *(each.translate(say).found for each in found if not set(each.found.split(", ")) <= names),
    ]


@pytest.mark.parametrize("language", ["zh", "zh-Hant"])
async def test_every_sentence_of_the_doctor_is_told_in_chinese(
    site: Site, keyed: Site, language: str
):
    for desk in (site, keyed):
        english = await _sentences(desk, "en")
        for sentence, translated in zip(english, await _sentences(desk, language), strict=True):
            if "openai:" not in sentence:
                assert translated != sentence


@pytest.mark.parametrize(
    ("english", "chinese", "code"),
    [
        (
            "has a key, for news, finance",
            "有密钥、适用于 news、finance",
            kept(
                "said.all",
                parts=[coded("said.has_key"), coded("said.for", topics=["news", "finance"])],
            ),
        ),
        (
            "its plan is used up until 12:30",
            "额度已用完，12:30 恢复",
            kept("said.used_up", at="12:30"),
        ),
        (
            "tavily: its key was refused",
            "tavily：密钥被拒绝",
            kept("said.of", name="tavily", why=coded("said.key_refused")),
        ),
        # What it names is no template, and what is no code is shown as it is.
        (
            "{0.__class__} is writable",
            "{0.__class__} 可写",
            kept("said.writable", home="{0.__class__}"),
        ),
        (
            "a sentence that nobody knows {x}",
            "a sentence that nobody knows {x}",
            "a sentence that nobody knows {x}",
        ),
        ("", "", ""),
    ],
)
def test_what_is_found_is_told_in_the_readers_language(english: str, chinese: str, code: str):
    found = Finding(what="search", state="ok", found=code)
    assert found.translate(words("en")).found == english
    assert found.translate(words("zh")).found == chinese
