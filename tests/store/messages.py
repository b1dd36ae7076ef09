"""Messages with sensible defaults; invented, zh, zh-Hant and en."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from groundwire.model.message import DedupRules, Message

from .make import NOW

ALL = DedupRules()
LOSS = "Nova Bridge loses $41M in a hot wallet exploit, team pauses withdrawals"
LOSS_ZH = "诺瓦桥热钱包遭攻击，损失4100万美元，团队已暂停提款"
LOSS_HANT = "諾瓦橋熱錢包遭攻擊，損失4100萬美元，團隊已暫停提款"


def message(name: str, text: str = LOSS, hours: float = 0, **more: Any) -> Message:
    values: dict[str, Any] = {
        "id": name,
        "text": text,
        "language": "en",
        "source": "telegram:desk",
        "received_at": NOW + timedelta(hours=hours),
    }
    return Message(**{**values, **more})
