"""Commands that answer event files: one JSON line a file, whatever becomes of the others (DESIGN, command line)."""

import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from django.core.management.base import OutputWrapper

from tournaments.eventfile import EventFile, EventFileError, parse

YES, NO, UNREADABLE = 0, 1, 2
"""Exit codes: the worst of all answers wins."""


class Answer(NamedTuple):
    """What to print for one file, and whether the answer is a no."""

    line: dict[str, Any]
    refused: bool = False


def answer_files(
    files: Iterable[str], answer: Callable[[EventFile], Answer], out: OutputWrapper, err: OutputWrapper
) -> NoReturn:
    """Print a line for each file and leave with the worst exit code."""
    worst = YES
    for name in files:
        line, code = _answer(name, answer)
        out.write(json.dumps(line, ensure_ascii=False))
        if code == UNREADABLE:
            err.write(f"{name}: {line['error']}")
        worst = max(worst, code)
    sys.exit(worst)


def _answer(name: str, answer: Callable[[EventFile], Answer]) -> tuple[dict[str, Any], int]:
    try:
        event = parse(Path(name).read_bytes())
        line, refused = answer(event)
    except OSError as error:
        return {"file": name, "error": f"cannot be read: {error.strerror}"}, UNREADABLE
    except EventFileError as error:
        return {"file": name, "error": str(error)}, UNREADABLE
    return {"file": name, "id": event.id, **line}, NO if refused else YES
