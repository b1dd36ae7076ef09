"""Options that every command shares, and the place that a run is confined to."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Gw

TOPIC = ("Silicon Valley Bank", "硅谷银行", "矽谷銀行")


@pytest.mark.parametrize(
    "typed",
    [
        ("--offline", "--home", "{home}", "runs"),
        ("runs", "--offline", "--home", "{home}"),
        ("--offline", "runs", "--home={home}"),
        ("watch", "--home", "{home}", "list", "--offline"),
        ("watch", "--offline", "list", "--home", "{home}"),
        ("archive", "--home", "{home}", "search", "bank", "--offline"),
    ],
)
def test_shared_options_count_before_and_after_the_command(
    gw: Gw, tmp_path: Path, typed: tuple[str, ...]
) -> None:
    other = tmp_path / "other"
    result = gw(*(each.format(home=other) for each in typed), GROUNDWIRE_OFFLINE="")
    assert result.code in (0, 1), result.err
    assert other.exists()


def test_the_next_command_does_not_inherit_them(gw: Gw, tmp_path: Path) -> None:
    gw("runs", "--home", str(tmp_path / "other"))
    assert "no option" not in gw("runs").err
    assert not (tmp_path / "other" / "nothing").exists()
    from groundwire.doors.cli.session import Invocation

    assert Invocation.overrides == {"offline": None, "home": None}


def test_help_lists_a_shared_option_once_at_the_root(gw: Gw) -> None:
    assert "--offline" in gw("--help").out
    assert "--offline" not in gw("timeline", "--help").out


def test_one_option_says_of_which_documents(gw: Gw) -> None:
    told = gw("timeline", "--help").out
    assert "--from" in told
    assert "--within" not in told
    assert "--pages-of" not in told


@pytest.mark.parametrize("topic", TOPIC)
@pytest.mark.parametrize("place", ["/missing", "papers/missing", "~/missing"])
def test_a_folder_that_is_not_there_is_refused(gw: Gw, topic: str, place: str) -> None:
    result = gw("timeline", topic, "--from", place, "--yes")
    assert result.code == 2
    assert "no folder" in result.err
    assert not gw("runs").out.strip().startswith("timeline")


def test_a_file_of_many_beside_a_topic_is_refused(gw: Gw, tmp_path: Path) -> None:
    listed = tmp_path / "topics.txt"
    listed.write_text("DeepSeek\n", encoding="utf-8")
    result = gw("timeline", TOPIC[0], "--from", str(listed), "--yes")
    assert (result.code, "not both" in result.err) == (2, True)


def test_with_yes_the_plan_is_no_question(gw: Gw) -> None:
    told = gw("timeline", TOPIC[0], "--level", "light", "--from", "archive", "--yes").err
    assert told.count("proposal:") == 1
    assert "to confirm" not in told
