"""`gw` with one job more, `drip`: a job is a file in the folder of jobs, so this adds a folder."""

from __future__ import annotations

from pathlib import Path

import groundwire.jobs

groundwire.jobs.__path__.append(str(Path(__file__).with_name("jobs")))

if __name__ == "__main__":
    from groundwire.doors.cli import main

    main()
