"""The report as PDF: its text can be taken out again, and nothing that it is given is ever code."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
import typst
from tests.made_reports import (
    AT,
    HOSTILE,
    LANGUAGES,
    QUOTES,
    SEARCHED,
    TITLES,
    answer,
    ask_run,
    citation,
    evidence,
    failed_run,
    file_as,
    hostile_answer,
    hostile_signal,
    reported,
    run_of,
    tool_run,
    verify_run,
)
from tests.pdf_text import pages, text_of, tight

from groundwire.errors import IllegalState, TooBig
from groundwire.jobs.verify.signal import Signal
from groundwire.model.result import Sentence
from groundwire.model.run import Run
from groundwire.report import press, typesetter
from groundwire.report.plain import one_line
from groundwire.report.tokens import SHAPES
from groundwire.words import words

TEMPLATE = Path(typesetter.__file__).parent / "templates" / "report.typ"


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_answer_can_be_taken_out_again(language: str) -> None:
    text = text_of(file_as("pdf", ask_run(language)))
    result = answer(language)
    for sentence in (*result.answer, *result.contested[0].sides):
        assert tight(sentence.text) in text
    for part in (result.question, *QUOTES, *TITLES, "https://site1.example/a?b=1&c=2", "$0.0123"):
        assert tight(part) in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_signal_can_be_taken_out_again(language: str) -> None:
    run = verify_run(language)
    text = text_of(file_as("pdf", run))
    signal = Signal.model_validate(run.result)
    for claim in signal.claims:
        assert tight(claim.text) in text
    for each in signal.evidence:
        assert tight(each.quote) in text
    for row in signal.waterfall:
        assert tight(words(language)(row.reason, **row.params)) in text
    assert tight(signal.message.text) in text


@pytest.mark.parametrize(
    "run", [failed_run("ask", "zh"), failed_run("verify"), tool_run("search", SEARCHED)]
)
def test_every_run_has_one(run: Run) -> None:
    assert tight(reported(run).title) in text_of(file_as("pdf", run))


def test_pages_are_numbered_and_carry_the_title_and_the_run() -> None:
    data = file_as("pdf", _many(60))
    document = pypdfium2.PdfDocument(data)
    count = len(document)
    last = document[count - 1].get_textpage().get_text_range()
    document.close()
    assert count > 2
    assert f"{count} / {count}" in last
    assert "How many?" in last
    assert "ask-0123456789" in last


def test_it_says_nothing_of_the_machine_and_is_the_same_each_time() -> None:
    run = ask_run("zh")
    data = file_as("pdf", run)
    document = pypdfium2.PdfDocument(data)
    about = document.get_metadata_dict()
    document.close()
    assert about["Title"] == answer("zh").question
    assert about["Author"] == ""
    assert f"{AT:%Y%m%d%H%M%S}" in about["CreationDate"]
    assert file_as("pdf", run) == data


def test_links_lead_to_the_web_only() -> None:
    links = _links(file_as("pdf", ask_run()))
    assert links == {f"https://site{number}.example/a?b=1&c=2" for number in (1, 2, 3)}
    for link in _links(file_as("pdf", hostile_answer())):
        assert re.match(r"https://a\.example/[!-~]*$", link), link


def _links(data: bytes) -> set[str]:
    """List the addresses that a reader could open; typst writes annotations uncompressed."""
    import zlib

    streams = [data]
    for found in re.finditer(rb"stream\r?\n(.*?)\r?\nendstream", data, re.DOTALL):
        try:
            streams.append(zlib.decompress(found[1]))
        except zlib.error:
            continue
    addresses = [
        a for stream in streams for a in re.findall(rb"/URI ?\(((?:\\.|[^)\\])*)\)", stream)
    ]
    return {re.sub(rb"\\(.)", rb"\1", address).decode() for address in addresses}


# --- malice --------------------------------------------------------------------------------------


@pytest.mark.parametrize("run", [hostile_answer(), hostile_answer("zh-Hant"), hostile_signal()])
def test_malice_is_text(run: Run) -> None:
    shown_text = text_of(file_as("pdf", run))
    for text in HOSTILE[:7] if run.kind == "ask" else HOSTILE[:4]:
        assert tight(one_line(text)) in shown_text
    assert "root:" not in shown_text  # of /etc/passwd
    assert "W" * 3000 in shown_text
    assert "\u202e" not in shown_text


def test_the_check_sees_a_template_that_reads_its_data_as_code(tmp_path: Path) -> None:
    """What interpolation would do: the file is printed. Ours prints the words."""
    (tmp_path / "canary.txt").write_text("a canary in a file")
    title = '#read("canary.txt")'
    report = reported(ask_run(question=title))
    data = press._template_data(report, "pages")
    broken = TEMPLATE.read_text().replace("report.title)", 'eval(report.title, mode: "markup"))')
    assert broken != TEMPLATE.read_text()
    for source, seen in ((broken, True), (TEMPLATE.read_text(), False)):
        made = typst.compile(
            source.encode(),
            root=str(tmp_path),
            ignore_system_fonts=True,
            sys_inputs={"report": json.dumps(data)},
            format="pdf",
        )
        assert ("acanaryinafile" in text_of(made)) is seen
        assert (tight(title) in text_of(made)) is not seen


def test_the_process_has_an_empty_folder_our_fonts_and_no_keys(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Even a template that read its data as code would find nothing to read."""
    seen: dict[str, Any] = {}

    def compiled(_source: bytes, **options: Any) -> bytes:
        seen.update(options, files=list(Path(options["root"]).iterdir()))
        return b""

    def run(command: list[str], **options: Any) -> Any:
        seen["env"] = set(options["env"])
        given = json.loads(options["input"])
        made = typesetter.compile_report(
            given["report"], given["output"], given["moment"], command[-1]
        )
        return subprocess.CompletedProcess(command, 0, made, b"")

    monkeypatch.setattr(typst, "compile", compiled)
    monkeypatch.setattr(subprocess, "run", run)
    file_as("pdf", ask_run())
    assert seen["files"] == []
    assert seen["package_path"] == seen["package_cache_path"] == seen["root"]
    assert seen["ignore_system_fonts"] is True
    assert set(seen["sys_inputs"]) == {"report"}
    assert seen["env"] == {"PYTHONPATH"}
    assert not Path(seen["root"]).exists()  # nothing is left behind


def test_the_template_has_no_way_to_read_or_run_anything() -> None:
    code = re.sub(r"//.*", "", TEMPLATE.read_text())
    for word in ("read(", "import", "include", "eval(", "plugin(", "csv(", "yaml("):
        assert word not in code, word
    # A picture is made of what was handed in: given a path, `image` would read a file.
    assert code.count("image(") == code.count("image(bytes(part.picture.data), format:") == 1
    assert code.count("json(") == 1
    assert "json(bytes(sys.inputs.report))" in code


def test_no_word_runs_out_of_the_page() -> None:
    document = pypdfium2.PdfDocument(file_as("pdf", hostile_answer()))
    try:
        for page in document:
            width, _ = page.get_size()
            text = page.get_textpage()
            for index in range(0, text.count_chars(), 7):
                left, _, right, _ = text.get_charbox(index)
                assert left >= 0
                assert right <= width - 20
            text.close()
            page.close()
    finally:
        document.close()


def test_what_no_font_has_is_shown_as_a_box_and_said() -> None:
    run = ask_run("en", question="🚨 BREAKING 안녕 ✅ done")
    text = text_of(file_as("pdf", run))
    assert "□BREAKING□□□done" in text
    assert tight("□ stands for a character that the fonts of this file do not have") in text
    assert "stands for a character" not in "".join(pages(file_as("pdf", ask_run())))


@pytest.mark.parametrize(
    "text",
    [
        "简体：并未遭到黑客攻击，资金安全（4200万美元）；《报道》「」、……——",
        "繁體：並未遭到駭客攻擊，資金安全；裡為髒體鬱龜鑿籲麤",
        "English “quotes” ‘single’ – — … € £ ¥ § ± × ÷ ≤ ≥ ≈ → ↳ ½ ² naïve façade",
        "Ελληνικά Кириллица 日本語のかなカナ עברית",
    ],
)
def test_the_fonts_have_what_we_write(text: str) -> None:
    """Drawn by itself, a character that no font has is the same picture as any other such."""
    chars = sorted({char for char in text if not char.isspace()})
    drawn = _drawn([*chars, "\u1780"])
    missing = drawn.pop()
    assert [char for char, one in zip(chars, drawn, strict=True) if one == missing] == []
    assert press._text(text) == text


def _drawn(chars: list[str]) -> list[tuple[str, ...]]:
    source = (
        '#set page(width: 1cm, height: 1cm, margin: 0cm)\n'
        '#set text(font: ("Libertinus Serif", "Noto Sans SC"), lang: "zh")\n'
        '#for c in json(bytes(sys.inputs.chars)) { page(text(c)) }'
    )  # fmt: skip
    made: Any = typst.compile(
        source.encode(),
        font_paths=[str(TEMPLATE.parent.parent / "fonts")],
        ignore_system_fonts=True,
        sys_inputs={"chars": json.dumps(chars)},
        format="svg",
    )
    return [tuple(re.findall(r'<path d="([^"]*)"', page.decode())) for page in made]


def test_every_shape_is_drawn_differently() -> None:
    """Shapes are not of a font: each verdict's is its own, even without its colour."""
    code = TEMPLATE.read_text()
    shape = code[code.index("#let shape(") : code.index("#let listed =")]
    tones = json.dumps(list(SHAPES))
    source = (
        "#set page(width: 1cm, height: 1cm, margin: 0cm)\n#let tint(tone) = black\n"
        + shape
        + "\n#for tone in json(bytes(sys.inputs.tones)) { page(text(20pt, shape(tone))) }"
    )
    made: Any = typst.compile(
        source.encode(), ignore_system_fonts=True, sys_inputs={"tones": tones}, format="png"
    )
    assert len(made) == len(SHAPES)
    assert len(set(made)) == len(SHAPES)


# --- size ----------------------------------------------------------------------------------------


def _many(sentences: int, sources: int = 3) -> Run:
    written = tuple(
        Sentence(
            text=f"Sentence {number} says something, 句子 {number}。",
            verdict="supported",
            citations=(citation(1 + number % sources),),
        )
        for number in range(sentences)
    )
    views = tuple(evidence(number) for number in range(1, sources + 1))
    return run_of(answer("en", question="How many?", answer=written, evidence=views), "ask")


def test_three_hundred_sources_are_listed() -> None:
    text = text_of(file_as("pdf", _many(300, sources=300)))
    for number in (1, 150, 300):
        assert tight(f"https://site{number}.example/a?b=1&c=2") in text


@pytest.mark.parametrize("count", [1_000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_thousands_of_sentences_are_all_there(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(press, "SECONDS", 600.0)  # a busy machine is not what is tested
    text = text_of(file_as("pdf", hostile_answer(sentences=count)))
    assert text.count("句。") == count
    assert all(f"Sentence{number}句。" in text for number in (0, count // 2, count - 1))


def test_what_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(press, "SECONDS", 0.01)
    with pytest.raises(TooBig, match="too large to be set"):
        file_as("pdf", ask_run())


def test_what_typst_refuses_is_a_bug_of_ours_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(press, "_template_data", lambda _report, _form: {"report": {}})
    with pytest.raises(IllegalState, match=r"could not be set: .*key"):
        file_as("pdf", ask_run())
