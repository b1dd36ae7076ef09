"""No key, no private key, no path of a machine and no download address in what is committed."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from source_tree import ROOT

# Spelled in pieces, so that this file does not find itself. What must not stand before a word is
# looked for after the word: a pattern that begins with its letters is searched for ten times as fast
# in models and fonts of megabytes.
KEYS = {
    "model key": r"s"
    + r"k-(?<![A-Za-z0-9]s"
    + r"k-)(?:[A-Za-z0-9]{32,}|(?:proj|ant|or|svcacct)-[\w-]{32,})",
    "Tavily key": r"tv" + r"ly-(?:dev-|prod-)?[A-Za-z0-9]{20,}",
    "Google key": r"AI" + r"za[\w-]{35}",
    "GitHub token": r"(?:gh[pousr]_|github_" + r"pat_)[A-Za-z0-9_]{30,}",
    "AWS key": r"AK" + r"IA(?<![A-Z0-9]AK" + r"IA)[A-Z0-9]{16}(?![A-Z0-9])",
    "Slack token": r"xo" + r"x[abprs]-[A-Za-z0-9-]{20,}",
    "private key": r"-----BEGIN [A-Z ]*PRIVATE " + r"KEY-----",
}
MACHINE_PATHS = {
    "path of a machine": r"/(?<![\w.*/\\-]/)(?:wo" + r"rk|ro" + r"ot)/[\w.]",
    "temporary path of a machine": r"/tm" + r"p/(?:team|bash_jobs)",
}
REGISTRIES = {
    "download address": r"files\.python"
    + r"hosted\.org|py"
    + r"pi\.org/simple|registry\.npm"
    + r"js\.org",
    "package index": r"--(?:extra-)?index-" + r"url|--find-" + r"links",
}
LOCK_URL = {"address in a lock file": r"(?:https?|file|git\+\w+)://"}
LOCK_FILE = re.compile(
    r"\.lock$|(?:^|[-_./]|py)lock\.(?:\w+\.)*(?:txt|toml|json|ya?ml)$"
    r"|(?:^|/)(?:requirements|constraints)[\w.-]*\.txt$"
)


def findings(root: Path, names: list[str]) -> Iterator[str]:
    """Find what must not be committed: file, line, kind; never the secret itself."""
    for name in names:
        path = root / name
        if not path.is_file():  # deleted, not yet committed
            continue
        text = path.read_bytes().decode("utf-8", errors="replace")
        rules = {**KEYS, **MACHINE_PATHS, **REGISTRIES}
        if LOCK_FILE.search(name):
            rules |= LOCK_URL
        for kind, pattern in rules.items():
            for match in re.finditer(pattern, text):
                line = text.count("\n", 0, match.start()) + 1
                yield f"{name}:{line}: {kind}"


def committed(root: Path) -> list[str]:
    """List tracked files and new ones that are not ignored: what the next commit may contain."""
    done = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        capture_output=True,
        check=True,
    )
    return sorted(name for name in done.stdout.decode().split("\0") if name)


def test_nothing_secret_or_local_is_committed() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not a clone: nothing is committed from here")
    names = committed(ROOT)
    assert "pyproject.toml" in names
    assert list(findings(ROOT, names)) == []


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("a.py", "key = 's" + "k-" + "a1B2" * 10 + "'", "model key"),
        ("a.toml", "s" + "k-proj-" + "a_b-1" * 10, "model key"),
        ("r.json", '{"k": "tv' + 'ly-dev-' + "Ab1" * 8 + '"}', "Tavily key"),
        ("a.md", "AI" + "za" + "x" * 35, "Google key"),
        ("a.md", "gh" + "p_" + "x" * 36, "GitHub token"),
        ("a.md", "AK" + "IA" + "X" * 16, "AWS key"),
        ("a.pem", "-----BEGIN RSA PRIVATE " + "KEY-----", "private key"),
        ("a.md", "see /wo" + "rk/main/x", "path of a machine"),
        ("a.py", 'Path("/ro' + 'ot/.config")', "path of a machine"),
        ("a.md", "/tm" + "p/team/x", "temporary path of a machine"),
        ("uv.lock", 'url = "https://mirror.example/x.whl"', "address in a lock file"),
        ("pylock.dev.toml", "url = 'https://mirror.example/x.whl'", "address in a lock file"),
        ("requirements-dev.txt", "x @ git+https://a.example/x", "address in a lock file"),
        ("Makefile", "pip install --index-" + "url x", "package index"),
        ("a.md", "https://files.python" + "hosted.org/x", "download address"),
    ],
)  # fmt: skip
def test_a_planted_violation_is_found(tmp_path: Path, name: str, text: str, kind: str) -> None:
    (tmp_path / name).write_text(f"first line\n{text}\n")
    found = list(findings(tmp_path, [name]))
    assert f"{name}:2: {kind}" in found
    assert text not in "".join(found)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.md", "https://news.example/sk-hynix-2024-record-results-in-high-bandwidth-memory"),
        ("a.md", "the network/root/leaf and src/work/x; a framework/root path"),
        ("a.py", 'PATTERN = "sk-…"; MODEL = "openai:gpt-4.1-mini"'),
        ("requirements.txt", "httpx2==2.16.0 --hash=sha256:" + "ab12" * 16),
        ("blocks.md", "https://example.com is no lock file"),
        ("block.json", '"https://example.com"'),
    ],
)
def test_harmless_text_is_left_alone(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    assert list(findings(tmp_path, [name])) == []


def test_a_secret_in_a_binary_file_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.bin").write_bytes(b"\xff\x00 AI" + b"za" + b"x" * 35)
    assert list(findings(tmp_path, ["a.bin"])) == ["a.bin:1: Google key"]
