"""Commands that answer event files; what holds for commands that answer any file is in `decks.management.answers`."""

from collections.abc import Callable, Iterable
from typing import NoReturn

from django.core.management.base import OutputWrapper

from decks.management.answers import Answer, Unreadable, answer_files
from tournaments.eventfile import EventFile, EventFileError, parse


def answer_events(
    files: Iterable[str], answer: Callable[[EventFile], Answer], out: OutputWrapper, err: OutputWrapper
) -> NoReturn:
    """A line for each file, under the event's own id."""

    def answer_bytes(data: bytes) -> Answer:
        try:
            event = parse(data)
            line, refused = answer(event)
        except EventFileError as error:
            raise Unreadable(str(error)) from error
        return Answer({"id": event.id, **line}, refused)

    answer_files(files, answer_bytes, out, err)
