"""Pictures that models look at: among the bodies, under the hash of their bytes."""

from __future__ import annotations

import zlib

from sqlalchemy import bindparam, select

from groundwire.errors import CorruptStore, InputError
from groundwire.model.phrase import phrase
from groundwire.model.picture import Picture
from groundwire.store.database import Database
from groundwire.store.schema import bodies
from groundwire.store.statement import Statement

_LEVEL = 1  # they are compressed already; one form for all bodies
_PUT = Statement(
    lambda dialect: (
        dialect.insert(bodies)
        .values({column.name: bindparam(column.name) for column in bodies.c})
        .on_conflict_do_nothing(index_elements=["sha256"])
    )
)
_GET = Statement(select(bodies.c.data).where(bodies.c.sha256 == bindparam("sha256")))


class PictureTable:
    """`ports.Pictures` on a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, picture: Picture) -> None:
        row = {
            "sha256": picture.ref.sha256,
            "size": picture.ref.size,
            "data": zlib.compress(picture.data, _LEVEL),
        }
        await self._database.write(lambda connection: connection.change(_PUT, row))

    async def get(self, sha256: str) -> Picture | None:
        row = await self._database.read(lambda connection: connection.one(_GET, {"sha256": sha256}))
        if row is None:
            return None
        try:
            picture = Picture.of(zlib.decompress(row[0]))
        except (zlib.error, InputError) as error:
            raise CorruptStore(
                "error.stored_damaged", what=phrase("stored.picture", id=sha256[:12])
            ) from error
        if picture.ref.sha256 != sha256:
            raise CorruptStore(
                "error.stored_damaged", what=phrase("stored.picture", id=sha256[:12])
            )
        return picture
