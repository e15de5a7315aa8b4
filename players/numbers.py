"""A number as people, old pages and programs send it, where a row or a page is meant."""

LONGEST = 9  # digits: every column holds that, and no address means more


def whole(text: str) -> int | None:
    """None for whatever is no such number.

    >>> whole("12"), whole(""), whole("-1"), whole("²"), whole("9" * 30)
    (12, None, None, None, None)
    """
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= LONGEST else None
