"""Compiles the catalogues without the gettext binary, when a .po is newer than its .mo."""

from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po


def compile_all(folder: Path) -> list[Path]:
    return [compile_one(po) for po in sorted(folder.glob("*/LC_MESSAGES/*.po")) if is_stale(po)]


def is_stale(po: Path) -> bool:
    mo = po.with_suffix(".mo")
    return not mo.exists() or mo.stat().st_mtime < po.stat().st_mtime


def compile_one(po: Path) -> Path:
    """Written beside and moved over: two processes that start at once never read half a catalogue."""
    with po.open("rb") as source:
        catalogue = read_po(source, locale=po.parts[-3])
    mo = po.with_suffix(".mo")
    half = mo.with_suffix(".mo.new")
    with half.open("wb") as target:
        write_mo(target, catalogue, use_fuzzy=False)
    return half.replace(mo)
