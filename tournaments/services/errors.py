"""What an organiser can mend is a Refused with the rule it rests on; anything else is a bug and stays an exception."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise


class Refused(Exception):
    """`message` is for people; `code` for programs; `rule` a number of TOURNAMENT_RULES, as shown in /reglas/."""

    def __init__(
        self, message: str | Promise, *, code: str, rule: str = "", data: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(str(message))
        self.message, self.code, self.rule, self.data = message, code, rule, dict(data or {})

    def __str__(self) -> str:
        return str(self.message)
