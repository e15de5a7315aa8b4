"""Deck lists for the staff: how each stands, one pasted for a guest, a judge's check, and the lists on paper.

Only judges and up read lists (right "deck.read"); whoever keeps the results does not.
"""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import resolve_url
from django.utils import timezone
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from decks.models import Submission
from decks.services import submissions
from players import names
from tournaments.models import DeckCheck, Event, Penalty, Registration
from tournaments.queries import readable_lists, sheet, visible_submission
from tournaments.services import decks
from tournaments.services.decks import Difference
from tournaments.services.errors import Refused
from tournaments.web import answers, list_words, roster, staff_page
from tournaments.web.access import actor, event_for_staff
from tournaments.web.forms import REASON_LENGTH, ReasonForm

MOST_FOUND = 99
PENALTIES = [choice for choice in Penalty.Kind.choices if choice[0] != Penalty.Kind.DISQUALIFICATION]


class PasteForm(forms.Form):
    """A list on behalf of somebody who plays. A reason is needed to take an illegal one, and from round 1 on."""

    text = forms.CharField(
        label=_("Deck list"), max_length=submissions.LONGEST, strip=False,
        widget=forms.Textarea(attrs={"rows": 14, "spellcheck": "false", "autocomplete": "off"}),
        help_text=_("One card per line, with its number in front."),
    )  # fmt: skip
    accept = forms.BooleanField(label=_("Take it although it is not legal"), required=False)
    reason = forms.CharField(label=_("Reason"), max_length=REASON_LENGTH, required=False)

    def clean_reason(self) -> str:
        return names.clean(self.cleaned_data["reason"])


# -- one list ----------------------------------------------------------------------------------------------------------
def one(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """GET: the list with its verdicts and checks. POST: a list pasted for this player."""
    posting = request.method == "POST"
    event = event_for_staff(request, slug, "deck" if posting else "deck.read")
    row = roster.registration_or_404(event, pk)
    return paste(request, event, row) if posting else page(request, event, row)


def paste(request: HttpRequest, event: Event, row: Registration) -> HttpResponse:
    form = PasteForm(request.POST)
    if not form.is_valid():
        return page(request, event, row, form, answers.REFUSED)
    data = form.cleaned_data
    try:
        decks.submit(row, data["text"], by=actor(request), accept=data["accept"], reason=data["reason"])
    except Refused as refusal:
        form.add_error(None, answers.words(refusal))
        return page(request, event, row, form, answers.REFUSED, refusal.data.get("problems", ()))
    messages.success(request, gettext("The deck list of %(name)s is handed in.") % {"name": row.person.name})
    return answers.SeeOther(resolve_url("list_staff", event.slug, row.pk))


def page(
    request: HttpRequest,
    event: Event,
    row: Registration,
    form: PasteForm | None = None,
    status: int = 200,
    problems: Sequence[dict[str, Any]] = (),
) -> HttpResponse:
    now = sheet(event)
    row = now.by_id[row.pk]
    list_words.mark(now, [row])
    handed = visible_submission(row, staff=True)
    context = {
        "row": row,
        "form": form or PasteForm(),
        "typed_problems": list_words.told(problems, event.game.slug),
        "reason_form": ReasonForm(auto_id="unlock_%s"),
        "locked": decks.locked(event, row),
        "checks": checks_of(event, row),
        **(list_context(handed) if handed else {}),
        **staff_page.frame_of(now),
    }
    return staff_page.show(request, event, "tournaments/staff/list.html", context, status)


def list_context(handed: Submission) -> dict[str, Any]:
    verdicts = list(handed.verdicts.order_by("-number"))
    return {
        "list": list_words.shown(handed),
        "verdict": verdicts[0],
        "earlier": verdicts[1:],
        "problems": list_words.problems(verdicts[0], handed.game.slug),
        "advice": list_words.told(verdicts[0].advice, handed.game.slug),
    }


def checks_of(event: Event, row: Registration) -> list[DeckCheck]:
    """Newest first, each with its differences."""
    found = event.deck_checks.filter(registration=row)
    checks = list(found.select_related("round", "by", "penalty", "submission__game"))
    for each in checks:
        each.different = decks.differences(each.submission, each.counted)  # type: ignore[attr-defined]
    return checks


# -- deck checks -------------------------------------------------------------------------------------------------------
class CheckForm(forms.Form):
    """How many of each card lie on the table, what else does, and what follows."""

    others = forms.CharField(
        label=_("Cards that the list does not have"), required=False, max_length=2000,
        widget=forms.Textarea(attrs={"rows": 2, "spellcheck": "false"}),
        help_text=_("One per line, with its number in front."),
    )  # fmt: skip
    note = forms.CharField(label=_("Note"), required=False, max_length=2000, widget=forms.Textarea(attrs={"rows": 2}))
    kind = forms.ChoiceField(
        label=_("Penalty"), required=False,
        choices=[("", pgettext_lazy("penalty", "None")), *PENALTIES],
    )  # fmt: skip
    infraction = forms.CharField(label=_("Infraction"), required=False, max_length=120)

    def __init__(self, *args: Any, event: Event, handed: Submission, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.event = event
        self.codes: dict[str, str] = {}
        for number, (code, (_name, copies)) in enumerate(decks.listed(handed).items()):
            field = f"found_{number}"
            self.codes[field] = code
            self.fields[field] = forms.IntegerField(min_value=0, max_value=MOST_FOUND, initial=copies)

    def clean_others(self) -> dict[str, int]:
        """By card code; read as lists are, and each line must name a card."""
        text = self.cleaned_data["others"].strip()
        if not text:
            return {}
        found: dict[str, int] = {}
        for line in decks.preview(self.event, text).said.deck.lines:
            if line.card:
                found[line.card.code] = found.get(line.card.code, 0) + line.count
            elif line.text.strip():
                raise forms.ValidationError(
                    _("No card is called “%(name)s”."), code="unknown", params={"name": line.text.strip()[:80]}
                )
        return found

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if data.get("kind") and not data.get("infraction", "").strip():
            self.add_error("infraction", _("Say what the penalty is for."))
        return data

    def counted(self) -> dict[str, int]:
        others: dict[str, int] = self.cleaned_data["others"]
        return others | {code: self.cleaned_data[field] for field, code in self.codes.items()}


def check(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The judge's page of one deck: card by card against the list."""
    event = event_for_staff(request, slug, "deck")
    row = roster.registration_or_404(event, pk)
    handed = visible_submission(row, staff=True)
    if handed is None:
        messages.error(request, gettext("There is no deck list to hold the cards against."))
        return answers.SeeOther(resolve_url("list_staff", event.slug, row.pk))
    form = CheckForm(request.POST if request.method == "POST" else None, event=event, handed=handed)
    if request.method == "POST" and form.is_valid():
        try:
            made = save_check(request, event, row, form)
        except Refused as refusal:
            form.add_error(None, answers.words(refusal))
        else:
            messages.success(request, check_words(made, decks.differences(handed, made.counted)))
            return answers.SeeOther(resolve_url("list_staff", event.slug, row.pk))
    return check_page(request, event, row, handed, form)


def save_check(request: HttpRequest, event: Event, row: Registration, form: CheckForm) -> DeckCheck:
    data = form.cleaned_data
    penalty = (data["kind"], data["infraction"]) if data["kind"] else None
    options: dict[str, Any] = {"note": data["note"], "penalty": penalty, "round": roster.playing(event)}
    return decks.check(row, form.counted(), by=actor(request), **options)


def check_words(made: DeckCheck, different: list[Difference]) -> str:
    if made.correct:
        return gettext("The cards are as the list says.")
    text = ngettext("%(count)d difference is noted.", "%(count)d differences are noted.", len(different))
    return text % {"count": len(different)}


def check_page(
    request: HttpRequest, event: Event, row: Registration, handed: Submission, form: CheckForm
) -> HttpResponse:
    now = sheet(event)
    fields = {code: form[field] for field, code in form.codes.items()}
    listed = decks.listed(handed)
    groups = [
        (group, [(each, fields[each.card.code], listed[each.card.code][1]) for each in group.cards])
        for group in once(list_words.shown(handed).groups)
    ]
    context = {
        "row": now.by_id[row.pk],
        "form": form,
        "list": list_words.shown(handed),
        "groups": groups,
        "plain": [form[name] for name in ("others", "note", "kind", "infraction")],
        **staff_page.frame_of(now),
    }
    status = answers.REFUSED if request.method == "POST" else 200
    return staff_page.show(request, event, "tournaments/staff/list_check.html", context, status)


def once(groups: list[list_words.Group]) -> list[list_words.Group]:
    """What counts, and a card that lies in two sections only where it comes first: it is counted as one."""
    seen: set[int] = set()
    found = []
    for group in groups:
        if group.counts:
            cards = [each for each in group.cards if each.card.pk not in seen]
            seen |= {each.card.pk for each in cards}
            found.append(list_words.Group(group.title, cards, counts=True))
    return [group for group in found if group.cards]


# -- paper -------------------------------------------------------------------------------------------------------------
def printed(request: HttpRequest, slug: str) -> HttpResponse:
    """Every list of who plays, one a page; `?j=` one of them."""
    event = event_for_staff(request, slug, "deck.read")
    rows, asked = readable_lists(event, staff=True).filter(last_round=None), request.GET.get("j", "")
    found = sorted(rows.filter(pk=asked) if asked.isdecimal() else rows, key=lambda row: row.person.sort_key)
    lists = list_words.shown_all([row.submission for row in found if row.submission])
    sheets = list(zip(found, lists, strict=True))
    context = {"sheets": sheets, "now": timezone.now(), "at_once": "ya" in request.GET}
    return staff_page.show(request, event, "tournaments/staff/lists_print.html", context)
