"""Evidence over REST: the archive searched, a stored page, who cites it, what users add."""

from __future__ import annotations

from typing import Any

import pytest

from groundwire.model.access import LOCAL

from .conftest import WHY, Api, Opened


async def found(client: Any, **params: Any) -> dict[str, Any]:
    answer = await client.get("/api/evidence", params=params)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_the_archive_is_searched_in_three_scripts(api: Api) -> None:
    client = await api.caller("read")
    for q, language in (("USDC peg", "en"), ("脱锚", "zh"), ("脫錨", "zh")):
        pages = await found(client, q=q, limit=3)
        assert pages["hits"], q
        first = pages["hits"][0]
        assert first["page"]["language"] == language
        assert "text" not in first["page"]
        start = first["snippet_start"]
        whole = (await client.get(f"/api/evidence/{first['page']['id']}")).json()["document"]
        assert whole["text"][start : start + len(first["snippet"])] == first["snippet"]
        assert first["marks"] or first["title_marks"]


async def test_it_is_narrowed_down_and_leafed_through(api: Api) -> None:
    client = await api.caller("read")
    everything = await found(client, limit=100)
    assert everything["total"] == 208
    seen = [hit["page"]["id"] for hit in everything["hits"]]
    cursor = everything["next"]
    while cursor is not None and len(seen) < 208:
        rest = await found(client, limit=100, cursor=cursor)
        seen += [hit["page"]["id"] for hit in rest["hits"]]
        cursor = rest["next"]
    assert (len(set(seen)), cursor) == (208, None)
    zh = await found(client, language="zh")
    assert {hit["page"]["language"] for hit in zh["hits"]} == {"zh"}
    assert 0 < zh["total"] < 120
    both = await found(client, language=["zh", "en"])
    assert both["total"] > zh["total"]
    source = everything["sources"][0]["value"]
    one = await found(client, publisher=source)
    assert one["total"] == everything["sources"][0]["count"]
    march = await found(client, since="2023-03-01", until="2023-03-31", limit=100)
    assert march["total"]
    assert all(hit["page"]["published_at"][:7] == "2023-03" for hit in march["hits"])
    assert (await found(client, q="xyzzy"))["total"] == 0


@pytest.mark.parametrize(
    "query",
    [
        "since=1", "since=2023-02-30", "since=2023-3-1", "since=null", "until=2023-01-01T00:00Z",
        "cursor=x", "cursor=-1", "cursor=", "limit=0", f"q={'x' * 401}", "since=",
    ],
)  # fmt: skip
async def test_what_cannot_be_asked_is_refused(api: Api, query: str) -> None:
    client = await api.caller("read")
    assert (await client.get(f"/api/evidence?{query}")).status_code == 422


async def test_whatever_is_typed_is_no_fault_of_the_desk(either: Api) -> None:
    client = await either.caller("read")
    for q in ("\0", "a\0b", '"', "a AND (", "x' | y:*", "%", "？！", "\ud7ff", "😀", "-" * 400):
        assert (await client.get("/api/evidence", params={"q": q})).status_code == 200, q
        params = {"publisher": q, "language": q, "q": "x"}
        assert (await client.get("/api/evidence", params=params)).status_code == 200, q
    for name in ("doc_0", "\0", "x" * 5000, "..", "%2e%2e", "ev_1", "😀"):
        answer = await client.get("/api/evidence/" + name.replace("\0", "%00"))
        assert answer.status_code == 404, name


async def test_a_page_says_who_cites_it_and_which_words_are_meant(api: Api) -> None:
    ann, bob = await api.caller("run", "ann"), await api.caller("run", "bob")
    started = await ann.post("/api/runs", json={"kind": "ask", "input": {"question": WHY}})
    result = (await api.ended(started.json()["id"])).result or {}
    citation = result["answer"][0]["citations"][0]
    held = {each["id"]: each["document_id"] for each in result["evidence"]}
    url = f"/api/evidence/{held[citation['evidence_id']]}"
    ends = {"start": citation["start"], "end": citation["end"]}
    page = (await ann.get(url, params=ends)).json()
    # A citation names its evidence by an id of the run: that leads to the same page.
    named = f"/api/evidence/{citation['evidence_id']}"
    assert (await ann.get(named, params=ends)).json() == page
    assert (await bob.get(named)).status_code == 404
    text = page["document"]["text"]
    lit = page["highlight"]
    assert lit["quote"] == text[citation["start"] : citation["end"]]
    assert text.startswith(lit["before"][-10:], citation["start"] - len(lit["before"][-10:]))
    assert [run["run_id"] for run in page["runs"]] == [started.json()["id"]]
    assert page["runs"][0]["about"] == WHY
    (claim,) = [each for each in page["claims"] if each["start"] == citation["start"]][:1]
    assert claim["run_id"] == started.json()["id"]
    story = await ann.get(f"/api/memory/{claim['claim_id']}")
    assert story.json()["claims"][0]["claim"]["text"] == claim["text"]
    # Claims are shared; whose run it was is its owner's business.
    other = (await bob.get(url)).json()
    assert (other["runs"], other["highlight"]) == ([], None)
    assert {each["run_id"] for each in other["claims"]} == {""}
    for start, end in ((5, 5), (9, 3), (0, 10**8), (10**7, 10**7 + 1)):
        answer = await ann.get(url, params={"start": start, "end": end})
        assert answer.status_code == 404, (start, end)
    for wrong in ({"start": -1}, {"end": "x"}, {"start": 10**12}):
        assert (await ann.get(url, params=wrong)).status_code == 422, wrong


async def test_a_page_of_a_signal_names_its_run(api: Api) -> None:
    ann = await api.caller("run", "ann")
    text = "USDC 在2023年3月跌至0.88美元，因为硅谷银行倒闭"
    started = await ann.post("/api/runs", json={"kind": "verify", "input": {"text": text}})
    result = (await api.ended(started.json()["id"])).result or {}
    assert result["evidence"]
    page = (await ann.get(f"/api/evidence/{result['evidence'][0]['document_id']}")).json()
    assert [(run["kind"], run["about"]) for run in page["runs"]] == [("verify", text)]


# --- what people bring -------------------------------------------------------------------------

NOTE = "# 备忘\n\nUSDC 在2023年3月11日跌至0.88美元。These are notes of my own about it.\n".encode()


async def test_files_are_stored_by_their_content(opened: Opened) -> None:
    async with opened() as desk:
        client = await desk.caller("run", "ann")
        first = await client.post("/api/archive", files={"file": ("备忘.md", NOTE)})
        assert first.status_code == 200
        assert first.json() == {
            "added": {"new": 1, "known": 0, "failed": [], "skipped": {}, "left": 0},
            "runs": [],
        }
        again = await client.post("/api/archive", files={"file": ("备忘.md", NOTE)})
        assert again.json()["added"]["known"] == 1
        hit = (await found(client, q="备忘"))["hits"][0]["page"]
        assert hit["canonical_url"].endswith(".invalid/%E5%A4%87%E5%BF%98.md")
        assert (await client.get("/api/archive/stats")).json()["documents"] == 1


async def test_a_file_name_is_never_a_path(opened: Opened, tmp_path: Any) -> None:
    before = {each for each in tmp_path.rglob("*") if each.is_file()}
    async with opened() as desk:
        client = await desk.caller("run")
        for name in ("../../evil.md", "/etc/passwd", "C:\\x\\evil.md", "a\u202egnp.md", ".."):
            answer = await client.post("/api/archive", files={"file": (name, NOTE + name.encode())})
            assert answer.status_code == 200, name
        pages = (await found(client, limit=50))["hits"]
        names = {each["page"]["canonical_url"].rpartition(".invalid/")[2] for each in pages}
        assert {"evil.md", "agnp.md"} <= names
        assert not [name for name in names if "/" in name or "%2F" in name or ".." in name]
    after = {each for each in tmp_path.rglob("*") if each.is_file()}
    assert not [each for each in after - before if "evil" in each.name]


async def test_what_cannot_be_read_is_named_and_stops_nothing(opened: Opened) -> None:
    async with opened() as desk:
        client = await desk.caller("run")
        answer = await client.post(
            "/api/archive",
            files=[
                ("file", ("a.exe", b"MZ")),
                ("file", ("b.txt", b"\x00\x01\x02" * 9)),
                ("file", ("c.pdf", b"no pdf at all")),
                ("file", ("d.md", NOTE)),
                ("file", ("e.csv", b"")),
            ],
        )
        added = answer.json()["added"]
        assert added["new"] == 1
        failed = sorted(each["what"].partition(",")[0] for each in added["failed"])
        assert failed == ["a.exe", "b.txt", "c.pdf", "e.csv"]
        assert "/tmp" not in answer.text
        assert "gw-upload" not in answer.text


async def test_addresses_become_small_runs_of_their_caller(opened: Opened) -> None:
    async with opened() as desk:
        client = await desk.caller("run", "ann")
        urls = ["https://news.example/1", "http://user:pw@news.example/"]
        answer = await client.post("/api/archive", data={"url": urls, "limit": "5"})
        assert answer.status_code == 202
        (run,) = answer.json()["runs"]
        assert [each["code"] for each in answer.json()["added"]["failed"]] == ["bad_address"]
        stored = await desk.app.store.runs.get(run["id"])
        assert stored is not None
        assert stored.owner == desk.people["ann"].id
        assert stored.input["arguments"]["limit"] == 5
        ended = await desk.ended(run["id"])  # offline: it says so, and is no emptiness
        assert (ended.state, (ended.result or {})["error"]["code"]) == ("failed", "offline")
        assert "user:pw" not in answer.text
        everything = await desk.app.runs.recent(10)
        assert "user:pw" not in str(everything)
        assert LOCAL.id not in {each.owner for each in everything}


async def test_a_list_that_is_sent_is_read(opened: Opened) -> None:
    opml = b"""<opml version="2.0"><body><outline text="a" xmlUrl="https://a.example/feed"/>
    <outline text="b" xmlUrl="https://b.example/feed"/></body></opml>"""
    async with opened() as desk:
        client = await desk.caller("run")
        answer = await client.post(
            "/api/archive", files={"file": ("mine.opml", opml)}, data={"limit": "1"}
        )
        assert answer.status_code == 202
        assert (len(answer.json()["runs"]), answer.json()["added"]["left"]) == (1, 1)


async def test_what_else_is_sent_is_refused(opened: Opened) -> None:
    async with opened(desk__max_upload_bytes=50_000) as desk:
        client = await desk.caller("run")
        for given in (
            {"data": {"path": "/etc/passwd"}, "files": {"file": ("a.md", NOTE)}},
            {"data": {"url": "file:///etc/passwd"}},
            {"data": {"url": "/etc/passwd"}},
            {"data": {"limit": "0"}, "files": {"file": ("a.md", NOTE)}},
            {"data": {"limit": "x"}, "files": {"file": ("a.md", NOTE)}},
            {"data": {"file": "text"}, "files": {"x": ("a.md", NOTE)}},
            {"data": {"url": [f"https://a.example/{n}" for n in range(101)]}},
        ):
            answer = await client.post("/api/archive", **given)  # type: ignore[arg-type]
            assert 400 <= answer.status_code < 500, given
            assert answer.json()["detail"], given
        large = await client.post("/api/archive", files={"file": ("a.md", b"x" * 2_000_000)})
        assert large.status_code == 413
        many = [("file", (f"{n}.md", b"x")) for n in range(101)]
        assert (await client.post("/api/archive", files=many)).status_code == 400
        broken = await client.post(
            "/api/archive", content=b"--x\r\nbad", headers={"Content-Type": "multipart/form-data"}
        )
        assert broken.status_code in (400, 422)
        assert (await client.get("/api/archive/stats")).json()["documents"] == 0
