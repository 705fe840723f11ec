"""Several processes that start at the same moment."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]

PREAMBLE = """
import sys
from pathlib import Path
from mokali.store import database, people, tables
from mokali.live import door
database.open_at(Path(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
"""


def race(script: str, path: Path, given: list[str]) -> list[list[str]]:
    """Run ``script`` on one database, once for each of ``given`` (its ``sys.argv[2]``); the lines that each printed."""
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", PREAMBLE + script, str(path)]
    pipe = subprocess.PIPE
    running = [
        subprocess.Popen([*command, one], stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=environ) for one in given
    ]
    try:
        for process in running:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n", process.communicate()[1]
        for process in running:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        told = [process.communicate(timeout=60) for process in running]
    finally:
        for process in running:
            process.kill()
            process.wait()
    for process, (_, errors) in zip(running, told, strict=True):
        assert process.returncode == 0, errors
    return [output.splitlines() for output, _ in told]
