"""Every fault of every stub over real HTTP, the log, the rules and the kill."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx2
import pytest
from lab.stubs import Fault, Rule, Stubs, StubsFailed, running_stubs
from lab.stubs import faults as f
from stub_calls import (
    NAMES,
    ODD,
    PASSAGES,
    WRITER,
    call,
    chat,
    form,
    model_output,
    ordinary,
    search,
)

from lab import ROOT


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("fault", "status"),
    [
        (f.rate_limited(7), 429),  # with Retry-After
        (f.error(), 500),
        (f.error(503), 503),
        (f.unauthorized(), 401),
        (f.plan_limit(), 432),
        (f.plan_limit(433), 433),
    ],
)
def test_a_refusal_has_its_status_and_then_ends(
    name: str, fault: Fault, status: int, stubs: Stubs, http: httpx2.Client
) -> None:
    stubs.faults(Rule(fault, stub=name, first=1))
    refused = call(name, stubs, http)
    assert refused.status_code == status
    assert refused.headers.get("retry-after") == ("7" if status == 429 else None) or status == 503
    assert call(name, stubs, http).status_code == 200
    assert [c.outcome for c in stubs.log()] == [fault.kind, "ok"]


@pytest.mark.parametrize("name", NAMES)
def test_a_slow_answer_is_right_and_late(name: str, stubs: Stubs, http: httpx2.Client) -> None:
    plain = call(name, stubs, http)
    stubs.faults(Rule(f.slow(0.15), stub=name))
    assert call(name, stubs, http).content == plain.content
    late = stubs.log()[1]
    assert late.replied_at is not None
    assert late.replied_at - late.received_at >= 0.15
    quick = {
        "model": ("GET", f"{stubs.url('model')}/models"),
        "tavily": ("POST", f"{stubs.url('tavily')}/search"),
        "web": ("GET", stubs.page(ODD, "shell")),
    }
    with pytest.raises(httpx2.ReadTimeout):
        http.request(*quick[name], timeout=0.05)


@pytest.mark.parametrize("name", NAMES)
def test_a_malformed_body_has_status_200_and_does_not_parse(
    name: str, stubs: Stubs, http: httpx2.Client
) -> None:
    whole = call(name, stubs, http).content
    stubs.faults(Rule(f.malformed(), stub=name))
    broken = call(name, stubs, http)
    assert broken.status_code == 200
    assert broken.content != whole
    with pytest.raises(ValueError):
        json.loads(broken.content)
    with pytest.raises(UnicodeDecodeError):
        broken.content.decode("utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_a_cut_off_body_ends_before_its_length(
    name: str, stubs: Stubs, http: httpx2.Client
) -> None:
    stubs.faults(Rule(f.cut_off(), stub=name))
    with pytest.raises(httpx2.RemoteProtocolError):
        call(name, stubs, http)
    assert stubs.log()[0].outcome == "cut_off"


def test_a_cut_off_stream_ends_without_done(stubs: Stubs, http: httpx2.Client) -> None:
    stubs.faults(f.cut_off())
    with pytest.raises(httpx2.RemoteProtocolError):
        chat(stubs, http, stream=True)


def test_empty_means_a_valid_answer_with_nothing_in_it(stubs: Stubs, http: httpx2.Client) -> None:
    stubs.faults(f.empty())
    assert call("model", stubs, http).json()["choices"][0]["message"]["content"] == ""
    assert search(stubs, http).json()["results"] == []
    assert call("web", stubs, http).content == b""
    embedded = http.post(f"{stubs.url('model')}/embeddings", json={"input": "a"}).json()
    assert embedded["data"] == []


@pytest.mark.parametrize("detail", ["quote", "passage", "url", "injection", ""])
def test_a_lying_model_cites_what_is_not_there(
    detail: str, stubs: Stubs, http: httpx2.Client
) -> None:
    stubs.faults(f.lying(detail))
    sentences = model_output(chat(stubs, http, response_format=form(WRITER)))["sentences"]
    texts = " ".join(s["text"] for s in sentences)
    numbers = [q["passage"] for s in sentences for q in s["quotes"]]
    quotes = [q["quote"] for s in sentences for q in s["quotes"]]
    assert len(sentences) == (1 if detail else 4)
    assert (any(q not in PASSAGES for q in quotes)) == (detail in ("quote", "passage", ""))
    assert (max(numbers) > 2) == (detail in ("passage", ""))
    assert ("https://invented.example" in texts) == (detail in ("url", ""))
    assert ("Ignore all previous" in texts) == (detail in ("injection", ""))


def test_a_lying_search_leaves_the_domains_it_was_given(stubs: Stubs, http: httpx2.Client) -> None:
    stubs.faults(f.lying())
    rows = search(stubs, http, include_domains=["ledgerwire.example"], max_results=2).json()
    assert len(rows["results"]) == 3
    assert all("ledgerwire" not in row["url"] for row in rows["results"])
    shut = search(stubs, http, exclude_domains=["newsheap.example"]).json()["results"]
    assert all("newsheap.example" in row["url"] for row in shut)


def test_a_lying_page_claims_another_address_and_gives_orders(
    stubs: Stubs, http: httpx2.Client
) -> None:
    stubs.faults(f.lying())
    text = call("web", stubs, http).text
    assert "not-the-source.example" in text
    assert "Ignore all previous instructions" in text
    assert "2099-01-01" in text


def test_a_wrong_schema_is_repaired_at_the_second_call(stubs: Stubs, http: httpx2.Client) -> None:
    stubs.faults(Rule(f.wrong_schema(), first=1))
    assert "sentences" not in model_output(chat(stubs, http, response_format=form(WRITER)))
    assert "sentences" in model_output(chat(stubs, http, response_format=form(WRITER)))


def test_a_truncated_completion_says_so_and_is_no_json(stubs: Stubs, http: httpx2.Client) -> None:
    stubs.faults(f.truncated())
    response = chat(stubs, http, response_format=form(WRITER))
    assert response.json()["choices"][0]["finish_reason"] == "length"
    with pytest.raises(ValueError):
        model_output(response)


def test_a_refusal_has_no_content(stubs: Stubs, http: httpx2.Client) -> None:
    stubs.faults(f.refusal())
    message = chat(stubs, http, response_format=form(WRITER)).json()["choices"][0]["message"]
    assert message["content"] is None
    assert message["refusal"]


def test_the_log_holds_hashes_and_never_a_key(stubs: Stubs, http: httpx2.Client) -> None:
    chat(stubs, http)
    headers = {"idempotency-key": "run-1", "authorization": "Bearer planted-secret"}
    http.post(f"{stubs.url('tavily')}/search", content=b'{"query": "peg"}', headers=headers)
    http.post(f"{stubs.url('tavily')}/search", content=b'{ "query":"peg" }', headers=headers)
    calls = stubs.log()
    stubs.reset()
    assert stubs.log() == []
    assert [c.index for c in calls] == [0, 1, 2]
    assert [c.stub for c in calls] == ["model", "tavily", "tavily"]
    assert calls[1].content == calls[2].content
    assert calls[1].body_sha256 == hashlib.sha256(b'{"query":"peg"}').hexdigest()
    assert calls[1].idempotency_key == "run-1"
    assert calls[1].authorized
    assert all(c.replied_at is not None and c.replied_at >= c.received_at for c in calls)
    assert "planted-secret" not in str(calls)


def test_rules_select_by_path_ordinal_and_repeat(stubs: Stubs, http: httpx2.Client) -> None:
    def statuses(count: int, query: str = "peg") -> list[int]:
        return [search(stubs, http, query).status_code for _ in range(count)]

    stubs.faults(Rule(f.error(), path="/search", calls=(1, 3)))
    assert http.get(f"{stubs.url('model')}/models").status_code == 404  # not that path
    assert statuses(5) == [200, 500, 200, 500, 200]
    stubs.faults(Rule(f.error(), stub="tavily", first=2, each=True))
    assert statuses(3) == [500, 500, 200]
    assert statuses(3, "bank") == [500, 500, 200]
    stubs.faults(Rule(f.error(), share=0.0), Rule(f.rate_limited()))
    assert statuses(1) == [429]
    stubs.faults()
    assert statuses(1) == [200]


@pytest.mark.parametrize(
    "body",
    [
        [{"fault": "sulking"}],
        [{"fault": "slow", "secs": 1}],
        {},
        [{"fault": {"kind": "slow", "seconds": "1"}}],
    ],
)
def test_a_bad_rule_is_refused(body: object, stubs: Stubs, http: httpx2.Client) -> None:
    response = http.post(f"{stubs.url('web')}/_stub/faults", json=body)
    assert response.status_code == 400
    assert response.json()["error"]


def test_a_process_is_killed_after_the_receipt_and_before_the_reply(
    stubs: Stubs, http: httpx2.Client
) -> None:
    victim = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    stubs.kill(victim.pid, at=1)
    assert search(stubs, http).status_code == 200
    assert victim.poll() is None
    with pytest.raises(httpx2.RemoteProtocolError):
        search(stubs, http)
    assert victim.wait(60) == -signal.SIGKILL
    assert [c.outcome for c in stubs.log()] == ["ok", "killed"]
    assert search(stubs, http).status_code == 200  # fires once


def test_the_pid_may_be_written_after_the_start(
    stubs: Stubs, http: httpx2.Client, tmp_path: Path
) -> None:
    stubs.kill(tmp_path / "pid", at=0)
    victim = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    (tmp_path / "pid").write_text(f"{victim.pid}\n")
    with pytest.raises(httpx2.RemoteProtocolError):
        http.get(f"{stubs.url('model')}/models")
    assert victim.wait(60) == -signal.SIGKILL


def test_the_stubs_end_with_their_parent() -> None:
    code = (
        "import os, sys; from lab.stubs import running_stubs\n"
        "print(running_stubs('model').start().pid, flush=True); os.kill(os.getpid(), 9)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, check=False
    )
    orphan = int(done.stdout)
    for _ in range(500):
        try:
            os.kill(orphan, 0)
        except ProcessLookupError:
            return
        if Path(f"/proc/{orphan}/stat").read_text().split()[2] == "Z":
            return
        time.sleep(0.01)
    pytest.fail("the stub process outlived its parent")


def test_latency_can_be_changed_while_running(stubs: Stubs, http: httpx2.Client) -> None:
    stubs.latency(search=0.1)
    search(stubs, http)
    stubs.latency(search=0.0)
    slow = stubs.log()[0]
    assert slow.replied_at is not None
    assert slow.replied_at - slow.received_at >= 0.1


def test_hosts_can_be_spread_over_loopback_addresses(http: httpx2.Client) -> None:
    with running_stubs("web", "tavily", spread=4) as own_stubs:
        urls = [
            httpx2.URL(row["url"])
            for row in search(own_stubs, http, max_results=20).json()["results"]
        ]
        assert len({url.host for url in urls}) > 1
        assert {http.get(url).status_code for url in urls} == {200}


def test_own_articles_and_more_pages(http: httpx2.Client, tmp_path: Path) -> None:
    for number, (language, body) in enumerate(
        [("en", "The moon is far. " * 9), ("zh", "月亮很远。" * 9)]
    ):
        head = (
            f"---\nurl: https://m{number}.example/a\ntitle: T{number}\nlanguage: {language}\n---\n"
        )
        (tmp_path / f"{number}.md").write_text(head + body, encoding="utf-8")
    with running_stubs("web", articles=tmp_path, pages=500) as own_stubs:
        urls = ordinary(own_stubs, http)
        assert len(urls) == 500
        assert 30_000 < len(http.get(urls[-1]).content) < 100_000


def test_a_start_that_fails_says_why(tmp_path: Path) -> None:
    with pytest.raises(StubsFailed, match="no sample articles"), running_stubs(articles=tmp_path):
        pass
