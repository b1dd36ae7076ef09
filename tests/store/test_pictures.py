"""Pictures are kept once, under the hash of their bytes, beside the archive's texts."""

from __future__ import annotations

import zlib

import pytest
from sqlalchemy import text

from groundwire.errors import CorruptStore
from groundwire.model.picture import Picture
from groundwire.store import Store
from groundwire.store.statement import Statement

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(200))


async def test_a_picture_comes_back_as_it_was_put_however_often(store: Store) -> None:
    picture = Picture.of(PNG)
    await store.pictures.put(picture)
    await store.pictures.put(picture)
    assert await store.pictures.get(picture.ref.sha256) == picture
    assert await store.pictures.get("0" * 64) is None


async def test_a_picture_is_no_page_of_the_archive(store: Store) -> None:
    await store.pictures.put(Picture.of(PNG))
    assert (await store.index.stats()).documents == 0


@pytest.mark.parametrize(
    ("data", "message"),
    [(b"rubbish", "damaged"), (zlib.compress(PNG + b"one byte more"), "damaged")],
)
async def test_a_damaged_picture_is_found_out(store: Store, data: bytes, message: str) -> None:
    picture = Picture.of(PNG)
    await store.pictures.put(picture)
    spoil = Statement(text("UPDATE bodies SET data = :data"))
    await store.database.write(lambda c: c.change(spoil, {"data": data}))
    with pytest.raises(CorruptStore, match=message):
        await store.pictures.get(picture.ref.sha256)
