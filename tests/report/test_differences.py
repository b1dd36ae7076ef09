"""Why a belief fell, in the reader's words; also as older versions wrote it."""

from __future__ import annotations

import pytest

from groundwire.evidence.memory.standing import FORGOTTEN, reason
from groundwire.model.memory import Rivalry
from groundwire.report.sections import difference
from groundwire.words import words


def rivalry(kind: str, mine: str, theirs: str) -> str:
    given = {"belief_id": "cl_1", "other_id": "cl_2", "kind": kind, "mine": mine, "theirs": theirs}
    return reason(Rivalry.model_validate(given))


@pytest.mark.parametrize(
    ("why", "expected"),
    [
        (rivalry("figure", "4.2%", "4.5%"), "數字：4.2% → 4.5%"),
        (rivalry("name", "Ann: a", "{Bob}"), "名稱：Ann: a → {Bob}"),
        (rivalry("polarity", "yes", "no"), "肯否：肯定 → 否定"),
        (rivalry("polarity", "no", "yes"), "肯否：否定 → 肯定"),
        (FORGOTTEN, "取代它的記憶後來已被刪除"),
        # Of older versions.
        ("figure: 4.2% → 4.5%", "數字：4.2% → 4.5%"),
        ("polarity: said → denied", "肯否：肯定 → 否定"),
        ("polarity: denied → said", "肯否：否定 → 肯定"),
        ("by a claim that was forgotten since", "取代它的記憶後來已被刪除"),
        # A person's own reason.
        ("misread", "misread"),
        ("my_note: it is wrong", "my_note: it is wrong"),
        ('{"code": "half', '{"code": "half'),
        ("", ""),
    ],
)
def test_why_a_belief_fell_is_told_in_the_readers_words(why: str, expected: str) -> None:
    assert difference(why, words("zh-Hant")) == expected
