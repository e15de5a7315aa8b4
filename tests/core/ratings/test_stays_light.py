"""numba is for the worker: whatever a page may import must not bring it (DESIGN, libraries)."""

import subprocess
import sys

LIGHT = "columns parameters engine account prediction elo evaluate stream"


def test_web_imports_bring_no_numba_and_no_django() -> None:
    modules = [f"ranking.ratings.{name}" for name in LIGHT.split()] + ["ranking.points", "ranking.boards"]
    script = f"import sys\nimport {', '.join(modules)}\nprint(sorted({{'numba', 'django'}} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
