"""What an administrator can mend is a Refused, as everywhere; the rest are signals between workers."""

from tournaments.services.errors import Refused

__all__ = ["Obsolete", "Overtaken", "Refused"]


class Overtaken(Exception):
    """Another worker holds the run: stop, write nothing more."""


class Obsolete(Exception):
    """The rows changed since the run was queued: nothing to publish, the next sweep queues what is there now."""
