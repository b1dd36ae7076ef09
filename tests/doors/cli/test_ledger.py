"""Export, check and replay: a bundle proves itself anywhere, and a changed byte is named."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from groundwire.jobs.ask.answer import AskResult
from groundwire.report.bundle import pack, unpack

from .conftest import Gw

QUESTION = "USDC 为什么在2023年3月脱锚？"


@pytest.fixture(scope="module")
def made(sample_home: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    """Create a data folder with one finished run, and that run's bundle."""
    import shutil

    home = tmp_path_factory.mktemp("made") / "home"
    shutil.copytree(sample_home, home)
    gw = Gw(home, {"GROUNDWIRE_OFFLINE": "1"})
    assert gw("ask", QUESTION, "--json").code == 0
    bundle = gw("export", "last", "-f", "bundle")
    assert bundle.code == 0
    return home, bundle.raw


@pytest.fixture
def gw(made: tuple[Path, bytes]) -> Gw:
    return Gw(made[0], {"GROUNDWIRE_OFFLINE": "1"})


@pytest.fixture
def bundle(made: tuple[Path, bytes], tmp_path: Path) -> Path:
    path = tmp_path / "run.zip"
    path.write_bytes(made[1])
    return path


def test_json_is_the_stored_result_and_md_its_report(gw: Gw) -> None:
    result = AskResult.model_validate(json.loads(gw("export", "last", "-f", "json").out))
    report = gw("export", "last").out
    assert result.question == QUESTION
    assert report.startswith(f"# {QUESTION}")
    assert "[^1]" in report


def test_the_same_run_gives_the_same_bundle(gw: Gw, bundle: Path) -> None:
    assert gw("export", "last", "-f", "bundle").raw == bundle.read_bytes()


def test_a_bundle_is_whole_and_its_quotes_stand(empty: Gw, bundle: Path) -> None:
    result = empty("check", str(bundle), "--json")
    found = json.loads(result.out)
    assert result.code == 0
    assert found["ok"] is True
    assert found["quotes"] > 0


def test_a_replay_of_the_run_is_identical(gw: Gw) -> None:
    result = gw("replay", "last")
    assert result.code == 0
    assert "● identical" in result.out


def test_a_bundle_replays_identically_in_an_empty_data_folder(empty: Gw, bundle: Path) -> None:
    result = empty("replay", str(bundle), "--json")
    found = json.loads(result.out)
    assert result.code == 0
    assert found["identical"] is True
    assert found["recorded"] == found["replayed"]
    assert json.loads(empty("runs", "--json").out) == []


def _member_at(data: bytes, name: str) -> int:
    """Find where a member's content begins."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        info = archive.getinfo(name)
        return info.header_offset + 30 + len(info.filename.encode())


@pytest.mark.parametrize(
    ("where", "named"),
    [
        (lambda data: 0, "zip structure"),  # the first header's signature
        (lambda data: 10, "zip structure"),  # a time stamp in a header
        (lambda data: _member_at(data, "result.json") + 40, "result.json"),
        (lambda data: _member_at(data, "events.jsonl") + 5, "events.jsonl"),
        (lambda data: _member_at(data, "calls.jsonl") + 9, "calls.jsonl"),
        (lambda data: _member_at(data, "claims.json") + 9, "claims.json"),
        (lambda data: _member_at(data, "report.md") + 1, "report.md"),
        (lambda data: _member_at(data, "run.json") + 9, "run.json"),
        (lambda data: _member_at(data, "manifest.json") + 30, "manifest.json"),
        (lambda data: _member_at(data, "manifest.sha256") + 3, "manifest.sha256"),
        (lambda data: data.rfind(b"PK\x01\x02") + 12, "zip structure"),  # the directory
        (lambda data: data.rfind(b"PK\x05\x06") + 1, "zip structure"),  # its end
        (lambda data: len(data) - 1, "zip structure"),  # the last byte of all
    ],
)
def test_one_changed_byte_is_found_and_named(
    empty: Gw, bundle: Path, where: object, named: str
) -> None:
    data = bytearray(bundle.read_bytes())
    data[where(data)] ^= 0x01  # type: ignore[operator]
    bundle.write_bytes(data)
    result = empty("check", str(bundle))
    assert result.code == 4
    assert "✕ not as exported" in result.out
    assert named in result.out
    assert empty("replay", str(bundle)).code == 2


def test_a_changed_page_is_named_by_its_file(empty: Gw, bundle: Path) -> None:
    members = unpack(bundle.read_bytes())
    page = next(
        name for name in members if name.startswith("pages/") and "美元".encode() in members[name]
    )
    members[page] = members[page].replace("美元".encode(), "欧元".encode())
    bundle.write_bytes(pack(members))
    result = empty("check", str(bundle), "--json")
    assert {"where": page, "what": {"code": "check.changed", "params": {}}} in json.loads(
        result.out
    )["problems"]


@pytest.mark.parametrize(
    ("language", "where", "what"),
    [("en", "zip structure: ", "differs at byte"), ("zh", "zip 结构：", "字节处不同"),
     ("zh-Hant", "zip 結構：", "位元組處不同")],
)  # fmt: skip
def test_what_is_wrong_with_a_bundle_is_said_in_the_language_of_the_desk(
    empty: Gw, bundle: Path, language: str, where: str, what: str
) -> None:
    data = bytearray(bundle.read_bytes())
    data[10] ^= 0x01
    bundle.write_bytes(data)
    settled = {"GROUNDWIRE_LANGUAGE": language}
    assert where in empty("check", str(bundle), **settled).out
    refused = empty("replay", str(bundle), **settled)
    assert where in refused.err
    assert what in refused.err


@pytest.mark.parametrize(
    ("content", "code"),
    [(b"", 4), (b"not a zip", 4), (b"PK\x03\x04" + b"\0" * 100, 4), (None, 2)],
)
def test_what_is_no_bundle_is_said_in_one_sentence(
    empty: Gw, tmp_path: Path, content: bytes | None, code: int
) -> None:
    path = tmp_path / "x.zip"
    if content is not None:
        path.write_bytes(content)
    result = empty("check", str(path))
    assert result.code == code
    assert "Traceback" not in result.err


def test_a_place_that_cannot_be_written_leaves_nothing_behind(gw: Gw, tmp_path: Path) -> None:
    result = gw("export", "last", "-o", str(tmp_path / "no" / "such" / "folder.md"))
    assert result.code == 2
    assert "cannot be written" in result.err
    assert list(tmp_path.glob(".*")) == []


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("export", "last", "-f", "mdd"), "did you mean md?"),
        (("export", "nope"), "there is no run"),
        (("replay", "nope"), "there is no run"),
        (("replay", "nope.zip"), "there is no bundle"),
    ],
)
def test_a_wrong_name_is_code_2(gw: Gw, args: tuple[str, ...], sentence: str) -> None:
    result = gw(*args)
    assert result.code == 2
    assert sentence in result.err


def test_a_bundle_names_no_machine_and_no_key(gw: Gw, made: tuple[Path, bytes]) -> None:
    import socket

    planted = "tvly-planted-secret-77"
    result = gw("export", "last", "-f", "bundle", TAVILY_API_KEY=planted)
    assert planted.encode() not in result.raw
    run = json.loads(unpack(made[1])["run.json"])
    assert run["lease_owner"] is None
    assert socket.gethostname() not in json.dumps(run)
