"""Law 6: confidence is a pure, versioned function of typed features, with its waterfall."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

from groundwire.jobs.verify import confidence
from groundwire.jobs.verify.confidence import judge
from groundwire.jobs.verify.feature_types import Features, Judgement, Side, Timeliness

SOURCE = Path(confidence.__file__).parents[2]
# What confidence may know: the nouns, and the fit of known outcomes.
ALLOWED = {
    "groundwire.evidence.memory.calibration",
    "groundwire.jobs.verify.feature_types",
    "groundwire.jobs.verify.signal",
}
FEATURES = Features(
    preliminary=0.8,
    search="worked",
    supports=Side(origins=("or_1", "or_2"), evidence_ids=("ev_1", "ev_2")),
    mean_relevance=0.7,
    timeliness=Timeliness(age_hours=5, dated_by="evidence", reason="2025-06-01"),
)


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return {name for name in found if name.startswith("groundwire")}


def test_it_knows_nouns_and_reasons_and_nothing_else() -> None:
    """No store, no gateway, no mind, no clock: what it is given is all that it has."""
    known = imports(SOURCE / "jobs" / "verify" / "confidence.py")
    assert {name for name in known if not name.startswith("groundwire.model.")} == ALLOWED
    assert imports(SOURCE / "evidence" / "memory" / "calibration.py") <= {
        "groundwire.model.outcome"
    }


def test_the_same_features_give_the_same_judgement_in_another_process() -> None:
    code = (
        "import sys; from groundwire.jobs.verify.confidence import judge;"
        "from groundwire.jobs.verify.feature_types import Features;"
        "print(judge(Features.model_validate_json(sys.stdin.read())).model_dump_json())"
    )
    for seed in ("0", "1"):
        completed = subprocess.run(
            [sys.executable, "-c", code],
            input=FEATURES.model_dump_json(),
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(SOURCE.parent)},
        )
        assert Judgement.model_validate(json.loads(completed.stdout)) == judge(FEATURES)


def test_the_rows_sum_to_the_score_and_carry_the_version() -> None:
    found = judge(FEATURES)
    assert found.version == confidence.VERSION
    assert abs(sum(row.delta for row in found.waterfall) - found.confidence) < 1e-9
    assert [row.rule for row in found.waterfall] == ["preliminary", "under_threshold", "timeliness"]


def test_nothing_but_the_function_makes_a_judgement() -> None:
    """No step, mind or door builds one by hand, so that no model sets a confidence."""
    builders = [
        path.relative_to(SOURCE).as_posix()
        for path in sorted(SOURCE.rglob("*.py"))
        if "Judgement" in path.read_text("utf-8")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "Judgement"
    ]
    assert builders == ["jobs/verify/confidence.py"]
