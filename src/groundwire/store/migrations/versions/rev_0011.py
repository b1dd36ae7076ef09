"""The marks of models in the exams of questions."""

from __future__ import annotations

from groundwire.store.migrations.columns import big, create, double, name, text, whole

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    create(
        "marks",
        name("model", "question", "prompts", "items", "reader"),
        whole("count", "failures"),
        double("score", "low", "high", "embedded", "ahead_low", "ahead_high"),
        big("cost_micro", "taken_at"),
        name("run_id"),
        text("scores"),
        key="model question prompts items",
    )
