"""`gw` with two more jobs, `drip` and `outline`: a job is a folder among the jobs, so this adds one."""

from __future__ import annotations

from pathlib import Path

import groundwire.jobs

groundwire.jobs.__path__.append(str(Path(__file__).with_name("jobs")))

if __name__ == "__main__":
    from groundwire.doors.cli import main

    main()
