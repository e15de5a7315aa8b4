"""What staff do; every view asks for its right in its first line (`access.event_for_staff`)."""

from django.urls import path

from tournaments.web import (
    console,
    events_staff,
    files,
    list_staff,
    log,
    organise,
    results,
    roster,
    roster_import,
    rounds,
    staff,
    whatif,
)

urlpatterns = [
    path("organizar/", organise.organise, name="organise"),
    path("organizar/<slug:store>/nuevo/", events_staff.event_new, name="event_new"),
    path("organizar/<slug:store>/restaurar/", files.restore, name="restore"),
    path("organizar/<slug:store>/equipo/", staff.staff, name="staff"),
    path("eventos/<slug:slug>/consola/", console.console, name="console"),
    path("eventos/<slug:slug>/ajustes/", events_staff.event_edit, name="event_edit"),
    path("eventos/<slug:slug>/cuentas/ver/", whatif.show_chances, name="show_chances"),
    path("eventos/<slug:slug>/repetir/", events_staff.event_repeat, name="event_repeat"),
    path("eventos/<slug:slug>/estado/<slug:action>/", events_staff.event_state, name="event_state"),
    path("eventos/<slug:slug>/rondas/", rounds.pair, name="pair"),
    path("eventos/<slug:slug>/rondas/<int:number>/<slug:action>/", rounds.round_action, name="round_action"),
    path("eventos/<slug:slug>/corte/", rounds.cut, name="cut"),
    path("eventos/<slug:slug>/mesas/<int:pk>/resultado/", results.result, name="result"),
    path("eventos/<slug:slug>/mesas/<int:pk>/corregir/", results.correct, name="correct"),
    path("eventos/<slug:slug>/teclado/", results.keyboard, name="keyboard"),
    path("eventos/<slug:slug>/inscripciones/", roster.roster, name="roster_add"),
    path("eventos/<slug:slug>/inscripciones/buscar/", roster.suggest, name="roster_suggest"),
    path("eventos/<slug:slug>/inscripciones/importar/", roster_import.roster_import, name="roster_import"),
    path("eventos/<slug:slug>/inscripciones/<int:pk>/", roster.registration, name="registration"),
    path("eventos/<slug:slug>/inscripciones/<int:pk>/mazo/", list_staff.one, name="list_staff"),
    path("eventos/<slug:slug>/inscripciones/<int:pk>/revision/", list_staff.check, name="list_check"),
    path("eventos/<slug:slug>/imprimir-mazos/", list_staff.printed, name="lists_print"),
    path("eventos/<slug:slug>/inscripciones/<int:pk>/<slug:action>/", roster.roster_action, name="roster_action"),
    path("eventos/<slug:slug>/deshacer/", log.undo, name="undo"),
    path("eventos/<slug:slug>/diario/", log.log, name="log"),
    path("eventos/<slug:slug>/copia.json", files.backup, name="backup"),
]
