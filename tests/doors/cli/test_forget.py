"""`gw forget`: says what goes, asks, and what was forgotten is gone from every door."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from groundwire.store import open_store
from tests.store.make import Make

from .conftest import Gw

WHY = "USDC 为什么在2023年3月脱锚？"


def cited(gw: Gw) -> tuple[str, str]:
    """Return a run and the address of a page that it quotes."""
    result = json.loads(gw("ask", WHY, "--json").out)
    return result["run_id"], result["answer"][0]["citations"][0]["url"]


def documents(gw: Gw) -> int:
    return json.loads(gw("archive", "stats", "--json").out)["documents"]


def test_a_page_is_forgotten_and_its_run_says_so(gw: Gw) -> None:
    run_id, url = cited(gw)
    before = documents(gw)
    preview = json.loads(gw("forget", url, "--dry-run", "--json").out)
    assert preview["dry_run"]
    assert preview["quoting"] == [run_id]
    assert documents(gw) == before
    result = gw("forget", url, "--yes")
    assert result.code == 0
    assert "forgotten: 1 document" in result.out
    assert run_id in result.err  # its result still quotes the page
    assert documents(gw) == before - 1
    hits = json.loads(gw("archive", "search", WHY, "--json", "-n", "50").out)
    assert url not in {hit["document"]["canonical_url"] for hit in hits}
    replayed = gw("replay", run_id)
    assert replayed.code == 4
    assert "has been forgotten" in replayed.out
    assert "Traceback" not in replayed.err
    assert gw("show", run_id).code == 0
    assert gw("export", run_id).code == 0


def test_runs_go_too_when_told(gw: Gw) -> None:
    run_id, url = cited(gw)
    assert gw("forget", url, "--runs", "--yes").code == 0
    assert gw("show", run_id).code == 2


def test_a_run_is_forgotten_and_the_archive_stays(gw: Gw) -> None:
    run_id, _ = cited(gw)
    before = documents(gw)
    gone = json.loads(gw("forget", run_id, "--yes", "--json").out)
    assert (gone["runs"], gone["documents"]) == (1, 0)
    assert documents(gw) == before  # it had read the archive, not the web
    assert gw("show", run_id).code == 2
    assert gw("runs", "--json").out.strip() == "[]"


def test_a_site_is_forgotten_with_all_below_it(gw: Gw) -> None:
    result = gw("forget", "chainmorning.example", "--yes", "--json")
    assert result.code == 0
    assert json.loads(result.out)["documents"] == 8
    assert gw("forget", "chainmorning.example", "--yes").code == 2


def test_a_file_is_forgotten_by_its_name(empty: Gw, tmp_path: Path) -> None:
    text = "灯笼大桥于2021年5月4日正式通车，总造价为2.12亿美元，全部由市政府承担。"
    (tmp_path / "posts.csv").write_text(f"标题,正文\n一,{text}\n二,{text}二\n", "utf-8")
    assert empty("archive", "add", "posts.csv").code == 0
    assert json.loads(empty("forget", "posts.csv", "--yes", "--json").out)["documents"] == 2
    assert documents(empty) == 0


def test_it_asks_first(gw: Gw) -> None:
    before = documents(gw)
    result = gw("forget", "chainmorning.example", given="n\n")
    assert result.code == 0
    assert "goes: 8 documents" in result.err
    assert "nothing was forgotten" in result.err
    assert documents(gw) == before
    unheard = gw("forget", "chainmorning.example", given="")
    assert unheard.code == 2
    assert "--yes" in unheard.err
    assert gw("forget", "chainmorning.example", given="y\n").code == 0
    assert documents(gw) == before - 8


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("", "what is to be forgotten"),
        ("no-such-run", "there is no run, document or site"),
        ("doc_0000000000000000", "nothing here comes from"),
        ("https://nowhere.example/x", "nothing here comes from"),
        ("nowhere.example", "nothing here comes from"),
        ("https://no host/", "not a web address"),
        ("dataset:posts", "no data sets here yet"),
        ("ds_0123", "no data sets here yet"),
    ],
)
def test_what_is_not_here_is_code_2(gw: Gw, name: str, says: str) -> None:
    result = gw("forget", name, "--yes")
    assert result.code == 2
    assert says in result.err


def test_a_run_that_is_not_over_is_cancelled_first(gw: Gw) -> None:
    async def queue() -> None:
        async with open_store(f"sqlite:///{gw.home / 'groundwire.db'}") as store:
            await store.runs.create(Make().run("ask-waiting"))

    asyncio.run(queue())
    result = gw("forget", "ask-waiting", "--yes")
    assert result.code == 2
    assert "gw cancel ask-waiting" in result.err
    assert gw("cancel", "ask-waiting").code in (0, 4)
    assert gw("forget", "ask-waiting", "--yes").code == 0


def test_json_asks_nobody(gw: Gw) -> None:
    assert gw("forget", "chainmorning.example", "--json").code == 2
