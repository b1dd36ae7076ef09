"""The queue of wake-ups on PostgreSQL: procrastinate's tables, pinned, and the way to wake a run."""

from __future__ import annotations

from pathlib import Path

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

# Kept beside the revisions, not taken from the installed package: a revision does the same for ever.
_QUEUE = Path(__file__).parents[1] / "procrastinate_3_10.sql"
_WAKE = """
CREATE FUNCTION wake_run(kind text, run_id text, seconds double precision)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM procrastinate_defer_jobs_v1(ARRAY[ROW(
        kind, 'run', 0, NULL, run_id, jsonb_build_object('run_id', run_id),
        CASE WHEN seconds > 0 THEN now() + make_interval(secs => seconds) END
    )::procrastinate_job_to_defer_v1]);
EXCEPTION WHEN unique_violation THEN
    NULL; -- it has one that waits already
END;
$$
"""


def upgrade() -> None:
    bind = op.get_bind()
    if bind.dialect.name == "postgresql":
        bind.exec_driver_sql(_QUEUE.read_text(encoding="utf-8").replace("%", "%%"))
        bind.exec_driver_sql(_WAKE)
