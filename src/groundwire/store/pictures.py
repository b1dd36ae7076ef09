"""Pictures that models look at: among the bodies, under the hash of their bytes."""

from __future__ import annotations

import zlib

from sqlalchemy import bindparam, select

from groundwire.errors import CorruptStore, InputError
from groundwire.model.phrase import phrase
from groundwire.model.picture import Picture
from groundwire.store.documents import ADD_BODY, body_of
from groundwire.store.schema import bodies
from groundwire.store.statement import Connection, Statement
from groundwire.store.table import DatabaseTable, reads, writes

_GET = Statement(select(bodies.c.data).where(bodies.c.sha256 == bindparam("sha256")))


class PictureTable(DatabaseTable):
    """`ports.Pictures` on a database."""

    @writes
    def put(self, connection: Connection, picture: Picture) -> None:
        # They are compressed already; one form for all bodies.
        connection.change(ADD_BODY, body_of(picture.ref.sha256, picture.data))

    @reads
    def get(self, connection: Connection, sha256: str) -> Picture | None:
        data = connection.cell(_GET, {"sha256": sha256})
        if data is None:
            return None
        try:
            picture = Picture.of(zlib.decompress(data))
        except (zlib.error, InputError) as error:
            raise CorruptStore(
                "error.stored_damaged", what=phrase("stored.picture", id=sha256[:12])
            ) from error
        if picture.ref.sha256 != sha256:
            raise CorruptStore(
                "error.stored_damaged", what=phrase("stored.picture", id=sha256[:12])
            )
        return picture
