"""The what-if in words: how likely, and whether a draw is enough, with the reason and the names (docs/what-if.md)."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.formats import localize
from django.utils.translation import gettext, ngettext, pgettext
from django.utils.translation import gettext_lazy as _

from tournaments.sentences.names import many_words, names_words, number_words, points_words
from tournaments.swiss.types import PlayerId
from tournaments.swiss.whatif.answer import Chance, Method, Odds, Outlook, Result
from tournaments.swiss.whatif.bounds import Bound

Name = Callable[[PlayerId], str]
HALF, LIKELY = Fraction(1, 2), Fraction(9, 10)
RESULTS = {Result.WIN: _("With a win"), Result.DRAW: _("With a draw"), Result.LOSS: _("With a loss")}
NOT_YET = {
    "no_cut": _("This event has no cut."),
    "too_early": _("It is too early: this is worked out in the last two rounds."),
    "round_robin": _("In a round robin this is worked out in the last round."),
    "pods": _("With tables of several this is not worked out."),
    "open_before": _("A table of an earlier round has no result: until it has, nothing can be worked out."),
    "everybody_fits": _("Everybody who is still in the event has a place in the cut."),
    "not_running": _("The Swiss rounds are not being played."),
}


@dataclass(frozen=True, slots=True)
class Shown:
    """One number of the card, or in `short` of the table. `certain`: not a number but what must be."""

    label: Any
    text: str
    short: str
    margin: str
    certain: bool | None


@dataclass(frozen=True, slots=True)
class Card:
    """One player's what-if. `answer`: whether a draw is enough; empty when he has nothing left to play. `why`: of that,
    or of where he stands."""

    code: str
    name: str
    now: str
    overall: Shown
    results: list[Shown]
    answer: str
    why: str
    safe: str


def card_of(found: Outlook, chance: Chance, code: str, name: Name) -> Card:
    return Card(
        code=code,
        name=name(chance.player),
        now=now_words(found, chance, name),
        overall=shown(_("In all"), chance.overall),
        results=[shown(RESULTS[result], odds) for result, odds in chance.results.items()],
        answer=answer(found, chance.draw) if chance.draw else "",
        why=why(found, chance, name),
        safe=safe_words(found, chance),
    )


# -- numbers -----------------------------------------------------------------------------------------------------------
def shown(label: Any, odds: Odds) -> Shown:
    if odds.certain is None:
        return Shown(label, percent(odds), percent(odds), margin(odds), None)
    words = [pgettext("of the cut", "In for certain"), pgettext("of the cut", "sure")]
    if not odds.certain:
        words = [pgettext("of the cut", "Out for certain"), pgettext("of the cut", "out")]
    return Shown(label, words[0], words[1], "", odds.certain)


def percent(odds: Odds) -> str:
    """Whole, and 0 or 100 only when every way was counted: a simulation never sounds certain."""
    if odds.share is None:
        return "–"
    counted, hundred = not odds.margin, round(odds.share * 100)
    if odds.share in {0, 1} and counted:
        return f"{hundred} %"
    if hundred in {0, 100}:
        return "< 1 %" if hundred == 0 else "> 99 %"
    return f"{hundred} %"


def margin(odds: Odds) -> str:
    """Nothing beside "> 99 %", which says it already."""
    if not odds.margin or percent(odds)[0] in "<>":
        return ""
    return f"± {localize(max(round(100 * odds.margin, 1), 0.1))}"


# -- sentences ---------------------------------------------------------------------------------------------------------
def now_words(found: Outlook, chance: Chance, name: Name) -> str:
    values = {"points": points_words(chance.points)}
    if chance.rival is not None:
        return gettext("%(points)s, playing against %(rival)s") % {**values, "rival": name(chance.rival)}
    if chance.results:
        return gettext("%(points)s and one match to play, in the last round") % values
    if found.round < found.last:
        return gettext("%(points)s, and the bye of the last round") % values
    return gettext("%(points)s, and nothing left to play") % values


def safe_words(found: Outlook, chance: Chance) -> str:
    known = chance.overall.certain is not None or (chance.draw is not None and chance.draw.certain is True)
    if chance.safe_with is None or known:
        return ""
    return gettext("With %(points)s at the end it is certain.") % {"points": points_words(chance.safe_with)}


def answer(found: Outlook, draw: Odds) -> str:
    """Can I draw in?"""
    if draw.certain is not None:
        return gettext("Yes, for certain.") if draw.certain else gettext("No.")
    if draw.share is None:
        return gettext("It cannot be told.")
    if found.method is Method.COUNTED and draw.share in {0, 1}:
        return counted_answer(found, draw.share == 1)
    values = {"percent": percent(draw)}
    if draw.share >= LIKELY:
        return gettext("Very likely: %(percent)s.") % values
    if draw.share >= HALF:
        return gettext("More likely than not: %(percent)s.") % values
    return gettext("Rather not: %(percent)s.") % values


def counted_answer(found: Outlook, inside: bool) -> str:
    text = (
        _("Yes, in each of the %(ways)s ways counted, by the tie-breaks.")
        if inside
        else _("No, in none of the %(ways)s ways counted, by the tie-breaks.")
    )
    return str(text) % {"ways": many_words(found.worlds)}


def why(found: Outlook, chance: Chance, name: Name) -> str:
    """The points that a draw makes, and who may or must be above; without a draw, of the points that he has."""
    if found.method is Method.SETTLED:
        return ""
    odds = chance.draw or chance.overall
    bound = odds.bound
    values: dict[str, Any] = {"size": found.size, "most": bound.at_most}
    values |= {"could": names_words(map(name, bound.could)), "above": above_words(bound, name)}
    sentence = reason(odds, bound, len(bound.could)) % values
    return f"{ends_words(found, bound)} {sentence}" if chance.draw else sentence


def ends_words(found: Outlook, bound: Bound) -> str:
    low, high = Fraction(bound.low, found.scale), Fraction(bound.high, found.scale)
    if low == high:
        return gettext("A draw makes %(points)s.") % {"points": points_words(low)}
    values = {"low": number_words(low), "high": points_words(high)}
    return gettext("A draw now makes from %(low)s to %(high)s at the end.") % values


def reason(odds: Odds, bound: Bound, could: int) -> str:
    if odds.certain is False:
        return gettext("%(above)s end above that, whatever happens, and %(size)s go on.")
    if odds.certain is None:
        return ngettext(
            "%(could)s can still reach or pass that, and %(size)s go on.",
            "Up to %(most)s can still reach or pass that (%(could)s), and %(size)s go on.",
            could,
        )
    if not could:
        return gettext("Nobody else can reach that.")
    if could > bound.at_most:
        return gettext(
            "Of %(could)s no more than %(most)s can reach that, because they play each other, and %(size)s go on."
        )
    return ngettext(
        "Only %(could)s can reach that, and %(size)s go on.",
        "Only %(could)s can reach that, all of them at best, and %(size)s go on.",
        could,
    )


def above_words(bound: Bound, name: Name) -> str:
    """Those who surely end above, then one of each two who play each other."""
    sure = [name(player) for player in bound.above]
    pairs = [
        pgettext("the winner of two who play each other", "one of %(a)s and %(b)s") % {"a": name(a), "b": name(b)}
        for a, b in bound.either
    ]
    return names_words([*sure, *pairs])


def method_words(found: Outlook) -> list[str]:
    """How the numbers come about, and what they take for granted."""
    worlds = many_words(found.worlds)
    if found.method is Method.SETTLED:
        return [gettext("Every table of the last round has its result: this is how the cut stands.")]
    if found.method is Method.COUNTED:
        ways = ngettext(
            "Counted: the %(tables)s open table can end in %(worlds)s ways.",
            "Counted: the %(tables)s open tables can end in %(worlds)s ways.",
            found.open_tables,
        ) % {"tables": found.open_tables, "worlds": worlds}
    else:
        ways = gettext(
            "Simulated %(worlds)s times; 19 times out of 20 the true number is within the margin beside it."
        ) % {"worlds": worlds}
    model = [
        ways,
        gettext("Everybody is taken to be equally strong, and one table in ten to end in a draw."),
        gettext(
            "What is certain is no estimate: it follows from the points alone, as long as nobody above drops out and "
            "no result is corrected."
        ),
    ]
    if found.round < found.last:
        model.insert(2, gettext("The last round is paired by points and by lot each time."))
    return model
