"""A process of its own that receives messages: `receiver.py URL NAME COUNT`."""

from __future__ import annotations

import asyncio
import sys

from groundwire.store import open_store
from tests.store.messages import ALL, LOSS, message


async def main(url: str, name: str, count: int) -> None:
    async with open_store(url) as store:
        for number in range(count):
            # The same texts in every process, some in other clothes: one of each may be first.
            clothes = ("", "🚨 ", "see this: ")[number % 3 if name == "a" else (number + 1) % 3]
            text = f"{clothes}{LOSS.replace('41', str(100 + number))}"
            await store.messages.receive(message(f"{name}-{number}", text), ALL)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
