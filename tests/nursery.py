"""Processes of their own, without the seconds in which each of them imports the same.

One process imports the program once and forks for every command: a child has its own number,
environment, folder, streams, signals and end, and nothing that another command left. What an
interpreter reads when it starts (PYTHONIOENCODING, locales) it does not see: such a test starts one.
"""

from __future__ import annotations

import array
import atexit
import gc
import os
import pickle
import pkgutil
import runpy
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

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
# What the doors import that are left out, and what jobs import when they begin.
_BESIDE = ("fastapi", "langgraph.graph", "mcp.server", "uvicorn")
_HEAD, _NUMBER = struct.Struct("!I"), struct.Struct("!i")


class Order(NamedTuple):
    args: Sequence[str | bytes]  # without the interpreter: `-m module …` or `script …`
    env: Mapping[str, str]
    cwd: str
    prepare: Callable[[], object] | None


class Popen(subprocess.Popen[Any]):
    """A `subprocess.Popen` of `[sys.executable, …]` that is forked, not started."""

    _control: socket.socket
    _unborn = True

    def _execute_child(self, args: Any, *given: Any) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Let the nursery do what is done by fork and exec."""
        _, prepare, _, _, cwd, env, _, _, shell, *pipes = given[:15]
        interpreter, *rest = args
        assert interpreter == sys.executable and not shell
        read, _, _, write, _, errors = pipes
        order = Order(
            rest,
            dict(os.environ if env is None else env),
            os.fspath(cwd or Path.cwd()),
            prepare,
        )
        self._control, theirs = socket.socketpair()
        streams = [own if each == -1 else each for own, each in enumerate((read, write, errors))]
        with theirs:
            _send(_nurse(), order, [*streams, theirs.fileno()])
        self._close_pipe_fds(*pipes)  # pyright: ignore[reportAttributeAccessIssue]
        self.pid = _NUMBER.unpack(_exactly(self._control, _NUMBER.size))[0]
        self._child_created = True

    def poll(self) -> int | None:
        if self.returncode is None:
            self._try_wait(os.WNOHANG)
        return self.returncode

    def _try_wait(self, wait_flags: int) -> tuple[int, int]:
        """Hear from the nursery how it ended, as `waitpid` would tell."""
        if self.returncode is None:
            self._control.setblocking(not wait_flags)
            with suppress(BlockingIOError):
                told = self._control.recv(_NUMBER.size)
                status = _NUMBER.unpack(told)[0] if told else signal.SIGKILL
                self.returncode = os.waitstatus_to_exitcode(status)
                self._control.close()
                return self.pid, status
            return 0, 0
        return self.pid, 0

    def _wait(self, timeout: float | None) -> int:
        until = None if timeout is None else time.monotonic() + timeout
        while self.returncode is None:
            if until is None:
                self._try_wait(0)
            elif not self._try_wait(os.WNOHANG)[0]:
                if time.monotonic() > until:
                    raise subprocess.TimeoutExpired(self.args, timeout or 0)
                time.sleep(0.005)
        return self.returncode


def run(args: Sequence[str], given: Any = None, **more: Any) -> subprocess.CompletedProcess[Any]:
    """Run a command to its end, as `subprocess.run` does, with its output."""
    stdin = subprocess.DEVNULL if given is None else subprocess.PIPE
    pipes = {"stdin": stdin, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with Popen([*args], **pipes, **more) as process:
        out, err = process.communicate(given, timeout=110)
        return subprocess.CompletedProcess(args, process.returncode, out, err)


def gw(args: Sequence[str | bytes], env: Mapping[str, str], cwd: Path) -> tuple[int, bytes, bytes]:
    """Run a command of `gw` to its end: code, output, errors."""
    from tests.signals import listening

    command: Any = [sys.executable, "-m", "groundwire", *args]
    done = run(command, env=env, cwd=cwd, preexec_fn=listening)
    return done.returncode, done.stdout, done.stderr


def _send(nurse: socket.socket, order: Order, files: Sequence[int]) -> None:
    data = pickle.dumps(order)
    socket.send_fds(nurse, [_HEAD.pack(len(data))], files)
    nurse.sendall(data)


def _exactly(link: socket.socket, size: int) -> bytes:
    found = b""
    while len(found) < size:
        more = link.recv(size - len(found))
        if not more:
            raise EOFError
        found += more
    return found


@cache
def _nurse() -> socket.socket:
    """Start the one nursery of this process, which ends with it."""
    root = Path(__file__).parents[1]
    env = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.pathsep.join((str(root / "src"), str(root))),
        "LANG": "C.UTF-8",
        "HOME": os.devnull,
    }
    ours, theirs = socket.socketpair()
    number = str(theirs.fileno())
    nurse = subprocess.Popen(
        [sys.executable, "-m", "tests.nursery", number], env=env, pass_fds=[theirs.fileno()]
    )
    theirs.close()
    atexit.register(nurse.wait)
    atexit.register(ours.close)  # before that: the end of its input is its own
    return ours


# --- in the nursery ------------------------------------------------------------------------------


def _load() -> None:
    import groundwire

    for found in pkgutil.walk_packages(groundwire.__path__, "groundwire."):
        if not any(part in found.name for part in _LEFT_OUT):
            with suppress(ImportError):  # an optional part
                import_module(found.name)
    for name in _BESIDE:
        import_module(name)
    gc.collect()
    gc.freeze()


def _next(link: socket.socket) -> tuple[Order, list[int]]:
    size = array.array("i").itemsize
    head, files, _, _ = socket.recv_fds(link, _HEAD.size, 4 * size)
    if not head:
        raise EOFError
    return pickle.loads(_exactly(link, _HEAD.unpack(head)[0])), files


def _serve(link: socket.socket) -> Order | None:
    """Fork for each order, until there is no more; return in the child, with its order."""
    while True:
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        try:
            order, files = _next(link)
        except EOFError:
            return None
        if not os.fork():
            link.close()
            return _kept(order, files)
        for each in files:
            os.close(each)


def _kept(order: Order, files: list[int]) -> Order:
    """Fork the command, and wait for it: the nursery has other orders to hear."""
    *streams, last = files
    control = socket.socket(fileno=last)
    if child := os.fork():
        for each in streams:
            os.close(each)
        with suppress(OSError):  # nobody waits for it any more
            control.sendall(_NUMBER.pack(child))
            control.sendall(_NUMBER.pack(os.waitpid(child, 0)[1]))
        os._exit(0)
    control.close()
    for number, each in enumerate(streams):
        os.dup2(each, number)
    for each in streams:
        if each > 2:
            os.close(each)
    return order


def _be(order: Order) -> None:
    """Become the command, and end as its interpreter would."""
    os.environ.clear()
    # Stubs of models would sit exams in every command; a test of exams sets it otherwise.
    os.environ.update({"GROUNDWIRE_MODELS__EXAM": "off", **order.env})
    os.chdir(order.cwd)
    time.tzset()
    sys.stdin = open(0, encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
    if order.prepare is not None:
        order.prepare()
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.path[:0] = order.env.get("PYTHONPATH", "").split(os.pathsep)
    what, *args = map(os.fsdecode, order.args)
    if what == "-m":
        sys.argv = args
        runpy.run_module(args[0], run_name="__main__", alter_sys=True)
        return
    # A script changes what the program finds where: it imports the program itself.
    for name in [name for name in sys.modules if name.split(".")[0] == "groundwire"]:
        del sys.modules[name]
    sys.argv = [what, *args]
    sys.path.insert(0, str(Path(what).parent))
    runpy.run_path(what, run_name="__main__")


if __name__ == "__main__":
    _load()
    if (own := _serve(socket.socket(fileno=int(sys.argv[1])))) is not None:
        _be(own)
