"""A client that reads nothing is dropped; one that reads a large file slowly is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from groundwire.doors.api.server import Impatient


class _Line:
    """A connection, its clock and its unsent bytes."""

    def __init__(self, unsent: int) -> None:
        self.unsent = unsent
        self.aborted = False
        self.due: list[Callable[[], None]] = []
        self.protocol = Impatient.__new__(Impatient)
        self.protocol.loop = self.protocol.transport = self.protocol.flow = self  # type: ignore[assignment]

    def get_write_buffer_size(self) -> int:
        return self.unsent

    def abort(self) -> None:
        self.aborted = True

    def call_later(self, _seconds: float, work: Callable[..., None], *given: Any) -> _Line:
        self.due.append(lambda: work(*given))
        return self

    def cancel(self) -> None:
        self.due.clear()

    def pause_writing(self) -> None: ...

    def resume_writing(self) -> None: ...

    def wait(self, taken: int) -> None:
        """Let the time of patience pass while the reader takes so many bytes."""
        self.unsent -= taken
        for each in [self.due.pop()] if self.due else []:
            each()


def test_who_takes_a_large_file_slowly_gets_all_of_it():
    line = _Line(50_000_000)
    line.protocol.pause_writing()
    for _ in range(49):
        line.wait(1_000_000)
    assert not line.aborted
    line.protocol.resume_writing()
    line.wait(0)
    assert not line.aborted


def test_who_takes_nothing_is_given_up():
    line = _Line(50_000_000)
    line.protocol.pause_writing()
    line.wait(1_000_000)
    line.wait(0)
    assert line.aborted
