"""Commands of `gw` as processes of their own, without the seconds in which each imports the same.

One process imports the program once and forks for every command: a child has its own environment,
folder, streams and end, and nothing that another command left. For what stays offline: a run that
asks a model does not end in a fork.
"""

from __future__ import annotations

import atexit
import gc
import os
import pickle
import pkgutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, NoReturn

from tests.signals import listening

# Modules that do something when they are imported, or are nobody's import.
_LEFT_OUT = (
    "__main__",
    ".worker",
    ".migrations",
    ".doors.api",
    ".doors.ui",
    ".doors.mcp",
    ".google",
)


class Order(NamedTuple):
    args: Sequence[str | bytes]
    env: Mapping[str, str]
    cwd: str
    out: str
    err: str


def gw(args: Sequence[str | bytes], env: Mapping[str, str], cwd: Path) -> tuple[int, bytes, bytes]:
    """Run a command to its end: code, output, errors."""
    nurse = _nurse()
    assert nurse.stdin is not None
    assert nurse.stdout is not None
    with tempfile.NamedTemporaryFile() as out, tempfile.NamedTemporaryFile() as err:
        pickle.dump(Order(args, dict(env), str(cwd), out.name, err.name), nurse.stdin)
        nurse.stdin.flush()
        code: int = pickle.load(nurse.stdout)
        return code, out.read(), err.read()


@cache
def _nurse() -> subprocess.Popen[bytes]:
    """Start the one nursery of this process, which ends with it."""
    root = Path(__file__).parents[1]
    env = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.pathsep.join((str(root / "src"), str(root))),
        "LANG": "C.UTF-8",
        "HOME": os.devnull,
    }
    nurse = subprocess.Popen(
        [sys.executable, "-m", "tests.nursery"],
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    atexit.register(nurse.communicate)  # the end of its input is its own
    return nurse


def _load() -> None:
    import groundwire

    for found in pkgutil.walk_packages(groundwire.__path__, "groundwire."):
        if not any(part in found.name for part in _LEFT_OUT):
            with suppress(ImportError):  # an optional part
                import_module(found.name)
    import_module("langgraph.graph")
    gc.collect()
    gc.freeze()


def _serve() -> None:
    while True:
        try:
            order: Order = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        child = os.fork()
        if not child:
            _be(order)
        _, status = os.waitpid(child, 0)
        pickle.dump(os.waitstatus_to_exitcode(status), sys.stdout.buffer)
        sys.stdout.flush()


def _be(order: Order) -> NoReturn:
    """Become the command."""
    os.environ.clear()
    os.environ.update(order.env)
    os.chdir(order.cwd)
    for number, name, how in (
        (0, os.devnull, os.O_RDONLY),
        (1, order.out, os.O_WRONLY | os.O_APPEND),
        (2, order.err, os.O_WRONLY | os.O_APPEND),
    ):
        os.dup2(os.open(name, how), number)
    sys.stdin = open(0, encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
    sys.argv = ["gw", *map(os.fsdecode, order.args)]
    listening()
    from groundwire.doors.cli import main

    try:
        main()
    except BaseException:  # noqa: BLE001  as an interpreter tells what nobody has caught
        sys.excepthook(*sys.exc_info())
        sys.stderr.flush()
        os._exit(1)


if __name__ == "__main__":
    _load()
    _serve()
