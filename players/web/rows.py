"""Values that templates read by the thousand."""

from typing import Any


class TemplateRow:
    """A dataclass whose fields a template finds at its first try.

    Django asks for `row["name"]` before `row.name`, and the exception of a refusal costs more than the rest of the
    look-up.
    """

    __slots__ = ()

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)
