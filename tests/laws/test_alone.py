"""Law 10: no key, no server, no network; and what is done instead is said in the result."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from lab.stubs import Rule, Stubs
from lab.stubs.faults import error

from tests.laws.house import WHY, WHY_ZH, House, ask, result

# Runs in a process of its own: an audit hook cannot be taken back. It sees every Python socket
# and every name that is looked up, whoever asks for it.
CHILD = """
import asyncio, json, socket, sys
from pathlib import Path

def watch(event, args):
    if event == "socket.getaddrinfo" and names == "none":
        raise socket.gaierror(socket.EAI_NONAME, "no such name")
    if names == "all" and event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"):
        raise RuntimeError(f"the network was tried: {event} {args[:2]}")
    if names != "real" and event == "socket.connect" and args[0].family != socket.AF_UNIX:
        raise RuntimeError(f"the network was tried: {event} {args[1:]}")

names = sys.argv.pop()  # all: there is a network, which must not be tried; none: there is none
sys.addaudithook(watch)
from groundwire.app import open_app
from groundwire.jobs.sections import Settings

async def main(home, question, offline, key):
    env = {"HOME": home}
    if key:
        env |= {"TAVILY_API_KEY": "tvly-planted-key", "OPENAI_API_KEY": "sk-0123456789abcdef"}
    values = {"home": home, "offline": offline == "1"}
    async with open_app(Settings.load(values, cwd=Path(home), env=env)) as app:
        run = await app.submit("ask", {"question": question})
        run = await app.finished(run.id)
        print(json.dumps(run.result))

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.fixture
def desk_home(sample_home: Path, tmp_path: Path) -> Path:
    return shutil.copytree(sample_home, tmp_path / "home")


def _alone(
    home: Path, question: str, offline: bool, key: str, *prefix: str, names: str = "all"
) -> dict[str, Any]:
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path)}
    given = [str(home), question, str(int(offline)), key, "real" if prefix else names]
    command = [*prefix, sys.executable, "-c", CHILD, *given]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "the network was tried" not in done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(
    ("question", "key"),
    [pytest.param(WHY, "", marks=pytest.mark.slow), (WHY_ZH, ""), (WHY, "set")],
    ids=["no key", "no key, zh", "keys set"],
)
def test_a_cited_answer_offline_without_an_attempt(
    desk_home: Path, question: str, key: str
) -> None:
    """`offline` makes no attempt at the network, keys or not. By choice it is complete."""
    found = _alone(desk_home, question, True, key)
    assert (found["status"], found["reasoner"], found["degraded"]) == ("complete", "embedded", [])
    assert found["answer"]


def test_a_cited_answer_in_a_namespace_without_a_network(desk_home: Path) -> None:
    """The kernel itself has no network to give: not even the loopback is up."""
    unshare = shutil.which("unshare")
    if unshare is None or subprocess.run([unshare, "-rn", "true"], check=False).returncode:
        pytest.skip("this machine makes no network namespaces")
    _answered_all_the_same(_alone(desk_home, WHY, False, "", unshare, "-rn"))


@pytest.mark.parametrize("question", [pytest.param(WHY, marks=pytest.mark.slow), WHY_ZH])
def test_a_cited_answer_without_key_where_no_name_is_known(desk_home: Path, question: str) -> None:
    _answered_all_the_same(_alone(desk_home, question, False, "", names="none"))


def _answered_all_the_same(found: dict[str, Any]) -> None:
    """Check that keyless engines are tried, soon given up and named, and that the archive answers."""
    assert (found["status"], found["reasoner"]) == ("degraded", "embedded")
    assert found["answer"]
    failed = {(each["part"], each["code"]) for each in found["degraded"]}
    assert {("search:ddgs", "network"), ("search:wikipedia", "network")} <= failed
    instead = [(each["instead"], each["params"]["by"]) for each in found["degraded"]]
    assert instead == [("instead.answered_by", ["archive"])] * len(failed)
    assert found["latency_ms"] < 30_000


async def test_what_is_configured_and_fails_is_replaced_in_order_and_named(
    house: House, stubs: Stubs
) -> None:
    stubs.faults(Rule(error(503)))
    house.stubs, house.model_url = stubs, stubs.url("model")
    async with house.open(**{"models.heavy": ["openai:gpt-4.1", "openai:gpt-4.1-mini"]}) as app:
        await app.archive.add_sample()
        run = await ask(app)
    found = result(run)
    assert (found.status, found.reasoner) == ("degraded", "embedded")
    assert {each.instead for each in found.degraded} == {"instead.answered_by"}
    assert [(each.part, each.params["by"]) for each in found.degraded] == [
        ("model:openai:gpt-4.1-mini (plan)", "embedded"),
        ("search:tavily", ["archive"]),
        ("model:openai:gpt-4.1 (write)", "embedded"),
        ("model:openai:gpt-4.1-mini (write)", "embedded"),
    ]
    assert found.answer
