"""Commands that answer files: one JSON line a file, whatever becomes of the others (DESIGN, command line)."""

import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from django.core.management.base import OutputWrapper

YES, NO, UNREADABLE = 0, 1, 2
"""Exit codes: the worst of all answers wins."""


class Unreadable(ValueError):
    """The file cannot be what was asked for; the message says why in a line."""


class Answer(NamedTuple):
    """What to print for one file, and whether the answer is a no."""

    line: dict[str, Any]
    refused: bool = False


def answer_files(
    files: Iterable[str], answer: Callable[[bytes], Answer], out: OutputWrapper, err: OutputWrapper
) -> NoReturn:
    """Print a line for each file and leave with the worst exit code."""
    worst = YES
    for name in files:
        line, code = _answer(Path(name), answer)
        out.write(json.dumps({"file": name, **line}, ensure_ascii=False))
        if code == UNREADABLE:
            err.write(f"{name}: {line['error']}")
        worst = max(worst, code)
    sys.exit(worst)


def _answer(path: Path, answer: Callable[[bytes], Answer]) -> tuple[dict[str, Any], int]:
    try:
        line, refused = answer(path.read_bytes())
    except OSError as error:
        return {"error": f"cannot be read: {error.strerror}"}, UNREADABLE
    except Unreadable as error:
        return {"error": str(error)}, UNREADABLE
    return {"id": path.stem, **line}, NO if refused else YES
