"""Names of models, tiers, and what calls cost."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from genai_prices import Usage as Counted
from genai_prices import calc_price
from pydantic import BaseModel, SecretStr

from groundwire.errors import SettingsError, UnknownName
from groundwire.llm.model import ModelCall, Usage
from groundwire.llm.prices import ASSUMED, DATED, estimate, price, tokens_of, window
from groundwire.llm.prompts import Rendered
from groundwire.llm.providers.ollama import base_url
from groundwire.llm.spec import VENDORS, ModelSpec, VendorOptions, vendor
from groundwire.llm.tiers import TierNames, Tiers, default_names, parse, tiers

KEYED = VendorOptions(api_key=SecretStr("k"))


class Answer(BaseModel):
    text: str


@pytest.mark.parametrize(
    ("text", "vendor", "name"),
    [
        ("openai:gpt-5.4", "openai", "gpt-5.4"),
        (" openai : gpt-5.4 ", "openai", "gpt-5.4"),
        ("ollama:qwen3:8b", "ollama", "qwen3:8b"),  # the model's own colon
        ("openrouter:deepseek/deepseek-v4-pro", "openrouter", "deepseek/deepseek-v4-pro"),
    ],
)
def test_a_model_is_named_by_vendor_and_name(text: str, vendor: str, name: str) -> None:
    spec = parse(text)
    assert (vendor, name, vendor) == (spec.vendor, spec.name, spec.kind)
    assert f"{vendor}:{name}" == spec.label


@pytest.mark.parametrize("text", ["", "gpt-5.4", "openai:", ":gpt", "  :  "])
def test_what_is_not_a_model_name_is_refused(text: str) -> None:
    with pytest.raises(SettingsError, match="vendor:model"):
        parse(text)


def test_an_unknown_vendor_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match="did you mean deepseek"):
        parse("deepsek:chat")
    with pytest.raises(UnknownName, match=r"known: .*openai"):
        parse("zzz:chat")


def test_a_name_of_the_users_own_speaks_a_known_protocol() -> None:
    options = VendorOptions(kind="openai_compatible", base_url="http://127.0.0.1:8000/v1")
    spec = parse("vllm:qwen/qwen3", {"vllm": options})
    assert (spec.label, spec.kind) == ("vllm:qwen/qwen3", "openai_compatible")
    with pytest.raises(SettingsError, match="vllm: no base_url"):
        parse("vllm:x", {"vllm": VendorOptions(kind="openai_compatible")})


def test_with_keys_and_no_tiers_the_vendors_own_models_are_chosen_in_order() -> None:
    keyed = {"deepseek": KEYED, "openai": KEYED, "openrouter": VendorOptions()}
    light, heavy, vision = default_names(keyed)
    assert light == ("openai:gpt-5.4-mini", f"deepseek:{vendor('deepseek').DEFAULT_LIGHT}")
    assert heavy[0] == "openai:gpt-5.4"
    assert vision == ("openai:gpt-5.4-mini",)  # DeepSeek's API takes no pictures
    assert default_names({"openai": VendorOptions()}) == TierNames()
    both = default_names({"openai": KEYED, "anthropic": KEYED, "google": KEYED})
    assert [name.partition(":")[0] for name in both.light] == ["google", "openai", "anthropic"]


def test_a_key_whose_vendor_has_no_file_is_passed_over() -> None:
    assert default_names({"mistral": KEYED, "vllm": KEYED}) == TierNames()


def test_a_local_vendor_is_chosen_by_its_address() -> None:
    options = VendorOptions(base_url="http://127.0.0.1:11434/v1")
    assert default_names({"ollama": options})[0] == ("ollama:qwen3:8b",)
    assert default_names({"ollama": VendorOptions()}) == TierNames()


def test_named_tiers_win_over_keys() -> None:
    chosen = tiers(TierNames(("ollama:a", "deepseek:b")), {"openai": KEYED})
    assert [spec.label for spec in chosen.light] == ["ollama:a", "deepseek:b"]
    assert chosen.heavy == ()


def test_a_heavy_question_goes_to_light_models_last_and_to_none_twice() -> None:
    a, b, c = (parse(f"openai:{name}") for name in "abc")
    assert (a, b, c) == Tiers(light=(b, c), heavy=(a, b)).ladder("heavy")
    assert (b, c) == Tiers(light=(b, c), heavy=(a, b)).ladder("light")
    assert (a,) == Tiers(heavy=(a,)).ladder("light")


def test_a_picture_goes_to_nobody_who_was_not_named_for_pictures() -> None:
    a, b = parse("openai:a"), parse("openai:b")
    assert Tiers(light=(a,), heavy=(a,)).ladder("vision") == ()
    assert (b,) == Tiers(light=(a,), vision=(b,)).ladder("vision")


@pytest.mark.parametrize("name", list(VENDORS))
def test_each_vendor_declares_what_is_expected_of_it(name: str) -> None:
    declared = vendor(name)
    assert isinstance(declared.KEY_SETTING, tuple) and isinstance(declared.URL_SETTING, tuple)
    assert declared.OUTPUT in ("tool", "schema")
    assert bool(declared.DEFAULT_LIGHT) == bool(declared.DEFAULT_HEAVY) == bool(declared.BASE_URL)
    assert callable(declared.build)
    assert len(VENDORS) == len({vendor(each).RANK for each in VENDORS})


@pytest.mark.parametrize("name", list(VENDORS))
def test_the_default_models_have_a_known_price(name: str) -> None:
    declared = vendor(name)
    named = (declared.DEFAULT_LIGHT, declared.DEFAULT_HEAVY, declared.DEFAULT_VISION)
    for model in filter(None, named):
        found = price(parse(f"{name}:{model}"), Usage(input_tokens=1000, output_tokens=1000))
        assert found < 1000 * (ASSUMED.input + ASSUMED.output)
        assert (found == 0) == declared.LOCAL


@pytest.mark.parametrize(
    ("spec", "micro"),
    [
        (parse("openai:gpt-5.4-mini"), 1000 * 0.75 + 100 * 4.5),  # listed
        (parse("ollama:qwen3:8b"), 0),  # local
        (parse("google:gemini-3.5-flash-lite"), 1000 * 0.3 + 100 * 2.5),
        (parse("anthropic:claude-sonnet-5-5"), 1000 * 2 + 100 * 10),
        (parse("openai:gpt-99"), 1000 * ASSUMED.input + 100 * ASSUMED.output),
        (parse("x:y", {"x": VendorOptions(kind="openai", input_usd=1, output_usd=2)}), 1200),
    ],
)
def test_a_price_is_as_stated_listed_or_assumed(spec: ModelSpec, micro: int) -> None:
    assert price(spec, Usage(input_tokens=1000, output_tokens=100)) == micro


def test_the_dated_prices_are_those_of_the_tables() -> None:
    """Both are list prices of one day; some vendors charge less at quiet hours, or more from a date on."""
    then = datetime(2026, 11, 16, 7, tzinfo=UTC)
    usage = Counted(input_tokens=1_000, output_tokens=1_000)
    for (name, model), rate in DATED.items():
        found = calc_price(usage, model, provider_id=name, genai_request_timestamp=then)
        assert (name, model, float(found.total_price)) == (
            name,
            model,
            pytest.approx((rate.input + rate.output) / 1000),
        )


def test_an_estimate_is_no_less_than_the_price_of_the_longest_answer() -> None:
    spec = parse("openai:gpt-5.4")
    rendered = Rendered(prompt="a/b@1", sha256="", system="s" * 4000, user="问" * 1000)
    request = ModelCall.of(spec, rendered, Answer, 500).request()
    # Roughly what a tokenizer counts: 4 letters or one Chinese character to a token.
    true = price(spec, Usage(input_tokens=1000 + 1000, output_tokens=500))
    assert true <= estimate(spec, request) <= 3 * true


def test_tokens_are_never_undercounted() -> None:
    assert tokens_of("中文字符") >= 4
    assert tokens_of("word " * 100) >= 100
    assert tokens_of("") == 0


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1:11434", "http://127.0.0.1:11434/v1"),
        ("0.0.0.0", "http://127.0.0.1:11434/v1"),
        ("gpu.lan", "http://gpu.lan:11434/v1"),
        ("http://gpu:1234/", "http://gpu:1234/v1"),
        ("https://gpu/ollama", "https://gpu:443/ollama/v1"),
        ("http://127.0.0.1:5/v1", "http://127.0.0.1:5/v1"),
        ("[::1]:11434", "http://[::1]:11434/v1"),
    ],
)
def test_ollama_host_is_read_as_people_write_it(host: str, url: str) -> None:
    assert url == base_url(host)


def test_a_long_content_goes_to_whoever_can_hold_it_the_cheaper_tier_first() -> None:
    small, wide, huge = (
        parse(
            f"{name}:m",
            {
                name: VendorOptions(
                    kind="openai_compatible",
                    base_url="https://models.example/v1",
                    context_window=most,
                )
            },
        )
        for name, most in (("small", 8_000), ("wide", 200_000), ("unsaid", None))
    )
    both = Tiers(light=(small, wide), heavy=(huge,))
    assert both.holding("light", 5_000, window) == (small, wide)
    assert both.holding("light", 50_000, window) == (wide,)
    split = Tiers(light=(small,), heavy=(wide,))
    assert split.holding("light", 50_000, window) == (wide,)
    assert split.holding("heavy", 50_000, window) == (wide,)
    assert Tiers(light=(wide,), heavy=(small,)).holding("heavy", 50_000, window) == (wide,)
    assert split.holding("light", 500_000, window) == (small,)
    assert Tiers(light=(huge,)).holding("light", 500_000, window) == (huge,)


def test_a_window_is_as_the_user_says_or_as_it_is_listed() -> None:
    listed = window(parse("openai:gpt-4.1", {"openai": KEYED}))
    assert listed is not None
    assert listed >= 1_000_000
    own = KEYED.model_copy(update={"context_window": 32_000})
    assert window(parse("openai:gpt-4.1", {"openai": own})) == 32_000
    assert window(parse("openai:nobody-knows-it", {"openai": KEYED})) is None
