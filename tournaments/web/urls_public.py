"""What anyone may open; the staff's pages are in `urls_staff`."""

from django.urls import URLPattern, path

from tournaments.web import (
    bracket,
    cards,
    event,
    events,
    lists,
    my_list,
    my_table,
    pairings,
    prints,
    projector,
    signup,
    standings,
    stores,
    whatif,
    why,
)

urlpatterns: list[URLPattern] = [
    path("cartas/<slug:game>/<str:card>/", cards.card, name="card"),
    path("eventos/", events.events, name="events"),
    path("eventos/<slug:slug>/", event.event, name="event"),
    path("eventos/<slug:slug>/apuntarme/", signup.sign_up, name="sign_up"),
    path("eventos/<slug:slug>/emparejamientos/", pairings.pairings, name="pairings"),
    path("eventos/<slug:slug>/emparejamientos/<int:number>/", pairings.pairings, name="pairings_round"),
    path("eventos/<slug:slug>/emparejamientos/<int:number>/por-que/", why.why, name="why"),
    path("eventos/<slug:slug>/clasificacion/", standings.standings, name="standings"),
    path("eventos/<slug:slug>/cuentas/", whatif.whatif, name="whatif"),
    path("eventos/<slug:slug>/cuadro/", bracket.page, name="bracket"),
    path("eventos/<slug:slug>/mazos/", lists.index, name="lists"),
    path("eventos/<slug:slug>/mazos/<str:code>/", lists.one, name="list"),
    path("eventos/<slug:slug>/mazos/<str:code>/texto/", lists.text, name="list_text"),
    path("eventos/<slug:slug>/proyector/", projector.projector, name="projector"),
    path("eventos/<slug:slug>/imprimir/<str:what>/", prints.print_sheet, name="print"),
    path("eventos/<slug:slug>/mi-mesa/", my_table.my_table, name="my_table"),
    path("eventos/<slug:slug>/mi-mazo/", my_list.my_list, name="my_list"),
    path("eventos/<slug:slug>/mi-mesa/resultado/", my_table.report, name="report"),
    path("eventos/<slug:slug>/mi-mesa/retirarme/", my_table.self_drop, name="self_drop"),
    path("eventos/<slug:slug>/pulso/", my_table.pulse, name="pulse"),
    path("i/<str:secret>/", signup.guest, name="guest"),
    path("tiendas/<slug:slug>/", stores.store, name="store"),
]
