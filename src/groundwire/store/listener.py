"""One connection of a process that hears what others tell, and comes back when the server does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import psycopg
from psycopg import sql

from groundwire.log import get_logger
from groundwire.store.dialect import Postgres

log = get_logger("groundwire.listener")

_CONNECT_SECONDS = 5
_AGAIN = 0.5  # seconds until a server that is away is tried again
_CHECK = 20.0  # seconds of silence after which the connection is tried


class Listener:
    """Hears channels while `listen` runs. What is told while it is deaf is lost, so `turned` is
    called at each change: whoever waits must then look."""

    def __init__(
        self, dialect: Postgres, heard: Callable[[str, str], None], turned: Callable[[], None]
    ) -> None:
        self._dialect = dialect
        self._heard = heard
        self._turned = turned
        self.up = False

    async def listen(self, channels: Sequence[str]) -> None:
        """Until it is cancelled."""
        said = False
        while True:
            try:
                await self._hear(channels)
            except (psycopg.Error, OSError) as error:
                if self.up or not said:
                    reason = self._dialect.translate(error).message
                    log.warning("not listening", error=reason)
                said = True
            finally:
                self._turn(up=False)
            await asyncio.sleep(_AGAIN)

    async def _hear(self, channels: Sequence[str]) -> None:
        connection = await psycopg.AsyncConnection.connect(
            self._dialect.conninfo,
            autocommit=True,
            connect_timeout=_CONNECT_SECONDS,
            application_name="groundwire listener",
            # A machine that vanished is noticed within half a minute, not after two hours.
            keepalives_idle=10,
            keepalives_interval=5,
            keepalives_count=3,
        )
        try:
            for channel in channels:
                await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))
            self._turn(up=True)
            while True:
                async for told in connection.notifies(timeout=_CHECK):
                    self._heard(told.channel, told.payload)
                await connection.execute("SELECT 1")
        finally:
            await connection.close()

    def _turn(self, *, up: bool) -> None:
        if self.up != up:
            self.up = up
            self._turned()
