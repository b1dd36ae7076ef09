"""What docs/models.md says is what the code does."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from groundwire.llm.prices import ASSUMED
from groundwire.llm.spec import VENDORS, VendorOptions, vendor
from groundwire.llm.tiers import parse

TEXT = (Path(__file__).parents[2] / "docs" / "models.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", list(VENDORS))
def test_the_table_of_vendors_is_true(name: str) -> None:
    [row] = [line for line in TEXT.splitlines() if line.startswith(f"| `{name}` |")]
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    declared = vendor(name)
    for setting in (*declared.KEY_SETTING, *declared.URL_SETTING):
        assert f"`{setting}`" in cells[1]
    models = (declared.DEFAULT_LIGHT, declared.DEFAULT_HEAVY, declared.DEFAULT_VISION)
    assert [model or "–" for model in models] == cells[2:5]
    assert cells[5] == declared.OUTPUT


def test_the_vendors_are_listed_in_the_order_of_asking() -> None:
    listed = [line.split("`")[1] for line in TEXT.splitlines() if line.startswith("| `")]
    ranked = sorted(VENDORS, key=lambda name: vendor(name).RANK)
    assert ranked == [name for name in listed if name in VENDORS]


def test_the_example_is_taken_as_it_stands() -> None:
    example = tomllib.loads(TEXT.split("```toml\n")[1].split("```")[0])["models"]
    options = {
        name: VendorOptions.model_validate(given) for name, given in example["providers"].items()
    }
    for name in (example["light"], *example["heavy"]):
        assert parse(name, options).kind == "openai_compatible"


def test_every_option_is_explained() -> None:
    for name in VendorOptions.model_fields:
        assert f"`{name}`" in TEXT


def test_the_assumed_price_is_the_one_that_is_used() -> None:
    assert f"{ASSUMED.input:g} and {ASSUMED.output:g} dollars per million" in " ".join(TEXT.split())
