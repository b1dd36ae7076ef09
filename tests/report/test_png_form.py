"""The picture of a signal: its card at twice the pixels of a screen, of bounded size."""

from __future__ import annotations

import struct

import pytest
from tests.made_reports import LANGUAGES, ask_run, failed_run, file_as, hostile_signal, verify_run

from groundwire.errors import InputError
from groundwire.jobs import report_of
from groundwire.jobs.verify.signal import SignalClaim
from groundwire.report import blocks


def size(data: bytes) -> tuple[int, int]:
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    return width, height


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_signal_has_a_card(language: str) -> None:
    run = verify_run(language)
    width, height = size(file_as("png", run))
    assert width == 1520
    assert 700 < height < 3000
    assert file_as("png", run) == file_as("png", run)


def test_a_message_that_was_not_looked_into_has_one_too() -> None:
    assert size(file_as("png", failed_run("verify", "zh")))[0] == 1520


def test_malice_does_not_make_it_large() -> None:
    assert size(file_as("png", hostile_signal()))[1] < 6000


def test_many_claims_do_not_make_it_large() -> None:
    claims = tuple(SignalClaim(text=f"Claim {n}. " * 50, verdict="stale") for n in range(500))
    run = verify_run("en", claims=claims)
    card = report_of(run).picture(run)
    assert card is not None
    assert "and 495 more" in str(card.blocks)
    assert size(file_as("png", run))[1] < 4000


def test_an_answer_has_none_and_says_what_to_take() -> None:
    with pytest.raises(InputError, match="has no picture") as error:
        file_as("png", ask_run())
    assert "html" in error.value.hint


@pytest.mark.parametrize(
    ("language", "message"),
    [
        ("en", "The SEC has approved spot bitcoin ETFs"),
        ("zh", "美国证券交易委员会已批准比特币现货ETF"),
        ("zh-Hant", "美國證券交易委員會已核准比特幣現貨ETF"),
    ],
)
def test_a_message_that_is_its_title_is_told_once_and_the_reason_first(
    language: str, message: str
) -> None:
    run = verify_run(language)
    assert run.result is not None
    told = {**run.result["message"], "text": message}  # pyright: ignore
    claims = [{**run.result["claims"][0], "text": message}]  # pyright: ignore
    changed = {**run.result, "summary": message, "message": told, "claims": claims}
    card = report_of(run).picture(run.model_copy(update={"result": changed}))
    assert card is not None and card.title == message
    assert message not in str(card.blocks)
    assert [type(each) for each in card.blocks] == [blocks.Paragraph, blocks.Waterfall]
