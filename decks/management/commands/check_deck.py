"""`manage.py check_deck FILE...`: whether deck lists are legal on a day, as JSON lines (DESIGN, command line)."""

from argparse import ArgumentParser, ArgumentTypeError
from datetime import date
from pathlib import Path
from typing import Any, override

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from decks.management.answers import UNREADABLE, Answer, Unreadable, answer_files
from decks.rules import games
from decks.rules.cardfile import catalogue, missing_columns, read_cards
from decks.rules.cards import Catalogue
from decks.rules.demo import demonstration
from decks.rules.games import OPEN, Format, Game
from decks.rules.legality import Problem, Verdict, check
from decks.rules.sentences import LANGUAGES, language, sentence
from decks.rules.tables import NotText, decode, read_table


class Command(BaseCommand):
    help = "Says whether deck lists are legal on a day, one JSON line for each file."
    requires_system_checks = []

    @override
    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", help="a deck list, one card per line")
        parser.add_argument("--game", choices=games.slugs(), default="kounter")
        parser.add_argument("--date", type=day, metavar="D", help="the tournament's day, YYYY-MM-DD; default: today")
        parser.add_argument("--format", metavar="NAME", help="what the tournament narrows the game to")
        parser.add_argument("--cards", metavar="CSV", help="a catalogue of your own (columns: see export_cards)")
        parser.add_argument("--language", choices=LANGUAGES, help="of the sentences; default: the site's")

    @override
    def handle(self, *args: Any, **options: Any) -> None:
        game = games.game(options["game"])
        format = find_format(game, options["format"])
        cards = from_file(options["cards"], game) if options["cards"] else demonstration(game.slug)
        on = options["date"] or timezone.localdate()
        lang = options["language"] or language(get_language())

        def answer(data: bytes) -> Answer:
            verdict = check(text_of(data), game, cards, on, format)
            return Answer(line(verdict, lang), refused=not verdict.legal)

        answer_files(options["files"], answer, self.stdout, self.stderr)


def day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(_("a date is YYYY-MM-DD")) from None


def find_format(game: Game, name: str | None) -> Format:
    if not name:
        return OPEN
    if name not in game.formats:
        known = ", ".join(game.formats) or "-"
        message = _("%(game)s has no format %(name)s. Known: %(known)s.")
        raise CommandError(message % {"game": game.name, "name": name, "known": known}, returncode=UNREADABLE)
    return game.formats[name]


def from_file(name: str, game: Game) -> Catalogue:
    try:
        table = read_table(Path(name).read_bytes())
    except (OSError, NotText) as error:
        raise CommandError(f"{name}: {error or 'not text'}", returncode=UNREADABLE) from None
    rows, faults = read_cards(table.rows, game)
    if missing := missing_columns(table.columns):
        raise CommandError(f"{name}: no column {', '.join(missing)}", returncode=UNREADABLE)
    if faults:
        raise CommandError(
            f"{name}: line {faults[0].line}, {faults[0].column}: {faults[0].code}", returncode=UNREADABLE
        )
    return catalogue(rows)


def text_of(data: bytes) -> str:
    try:
        return decode(data)[0]
    except NotText:
        raise Unreadable("not text") from None


def line(verdict: Verdict, lang: str) -> dict[str, Any]:
    return {
        "legal": verdict.legal,
        "problems": [told(problem, verdict, lang) for problem in verdict.problems],
        "advice": [told(advice, verdict, lang) for advice in verdict.advice],
        "game": verdict.game.slug,
        "format": verdict.format.slug or None,
        "date": verdict.on.isoformat(),
        "counts": dict(verdict.counts),
    }


def told(problem: Problem, verdict: Verdict, lang: str) -> dict[str, Any]:
    message = sentence(problem, verdict.game, lang)
    return {"line": problem.line, "card": problem.card, "rule": problem.rule.id, "message": message}
