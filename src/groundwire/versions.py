"""The versions of this installation: code, prompts and data files as hashes (ledger rule i)."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

from groundwire import __version__
from groundwire.llm.prompts import prompt_hash
from groundwire.model.run import Versions


@cache
def versions() -> Versions:
    root = resources.files("groundwire")
    code = _hash(root, ".py")
    return Versions(
        code=f"{__version__}+{code[:12]}",
        prompts=prompt_hash(),
        data=_hash_all(
            _hash(root / "evidence" / "data", ""),
            _hash(root / "evidence" / "reading" / "data", ""),
            _hash(root / "language" / "data", ""),
            _hash(root / "jobs", ".txt"),
        ),
    )


def _hash_all(*hashes: str) -> str:
    return hashlib.sha256("".join(hashes).encode()).hexdigest()


def _hash(folder: Traversable, suffix: str) -> str:
    total = hashlib.sha256()
    for name, content in sorted(_files(folder, suffix)):
        total.update(name.encode())
        total.update(hashlib.sha256(content).digest())
    return total.hexdigest()


def _files(folder: Traversable, suffix: str, prefix: str = "") -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for entry in folder.iterdir():
        name = f"{prefix}{entry.name}"
        if entry.is_dir() and not entry.name.startswith("__"):
            found += _files(entry, suffix, f"{name}/")
        elif entry.is_file() and name.endswith(suffix):
            found.append((name, entry.read_bytes()))
    return found
