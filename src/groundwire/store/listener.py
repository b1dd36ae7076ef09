"""One connection that receives other processes' notices, and reconnects when the server is back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import psycopg
from psycopg import sql

from groundwire.log import get_logger
from groundwire.store.dialect import Postgres

log = get_logger("groundwire.listener")

_CONNECT_SECONDS = 5
_RETRY = 0.5  # seconds until a lost server is tried again
_CHECK = 20.0  # seconds of silence after which the connection is tried


@dataclass(slots=True, eq=False)
class Listener:
    """Receives notices while `listen` runs.

    Notices sent while the connection is down are lost, so `on_change` is called whenever it goes
    up or down: whoever waits must then look.
    """

    dialect: Postgres
    on_notice: Callable[[str, str], None]
    on_change: Callable[[], None]
    up: bool = field(default=False, init=False)

    async def listen(self, channels: Sequence[str]) -> None:
        """Listen until cancelled."""
        warned = False
        while True:
            try:
                await self._receive(channels)
            except (psycopg.Error, OSError) as error:
                if self.up or not warned:
                    reason = self.dialect.translate(error).message
                    log.warning("not listening", error=reason)
                warned = True
            finally:
                self._set_up(up=False)
            await asyncio.sleep(_RETRY)

    async def _receive(self, channels: Sequence[str]) -> None:
        connection = await psycopg.AsyncConnection.connect(
            self.dialect.conninfo,
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
            self._set_up(up=True)
            while True:
                async for notice in connection.notifies(timeout=_CHECK):
                    self.on_notice(notice.channel, notice.payload)
                await connection.execute("SELECT 1")
        finally:
            await connection.close()

    def _set_up(self, *, up: bool) -> None:
        if self.up != up:
            self.up = up
            self.on_change()
