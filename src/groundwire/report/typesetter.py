"""The process that sets a report: typst with one template, our fonts, and an empty folder.

Data comes by `sys_inputs` only. What a report says never becomes source: a title
`#read("/etc/passwd")` is a title. The template reads no file and loads no package, and the folder
that it could read from is empty.
"""

from __future__ import annotations

import json
import resource
import sys
from pathlib import Path
from typing import Any, cast

import typst

_MEMORY = 4 << 30
_CPU_SECONDS = 180
_PPI = 192.0  # twice the pixels of a screen


def main(empty: str) -> int:
    """Read the request from stdin, and write the file to stdout."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (_CPU_SECONDS, _CPU_SECONDS))
    request: dict[str, Any] = json.load(sys.stdin.buffer)
    try:
        data = compile_report(
            str(request["report"]), str(request["output"]), int(request["moment"]), empty
        )
    except typst.TypstError as error:
        sys.stderr.write(f"{error.message}\n")
        return 1
    sys.stdout.buffer.write(data)
    return 0


def compile_report(report: str, output: str, moment: int, empty: str) -> bytes:
    """Compile the file without the system's fonts, so that every machine draws alike."""
    package = Path(__file__).parent
    return typst.compile(
        (package / "templates" / "report.typ").read_bytes(),
        root=cast(Any, empty),  # its type asks for the kind that the source has
        font_paths=typst.Fonts(include_system_fonts=False, font_paths=[str(package / "fonts")]),
        ignore_system_fonts=True,
        package_path=empty,
        package_cache_path=empty,
        format=cast(Any, output),
        ppi=_PPI if output == "png" else None,
        timestamp=moment if output == "pdf" else None,
        sys_inputs={"report": report},
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
