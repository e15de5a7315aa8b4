from django.urls import path

from players.web import profile

urlpatterns = [
    path("cuenta/perfil/", profile.profile, name="profile"),
    path("cuenta/perfil/claves/", profile.token_new, name="token_new"),
    path("cuenta/perfil/claves/<str:key>/quitar/", profile.token_revoke, name="token_revoke"),
    path("cuenta/cerrar/", profile.closing, name="account_closing"),
    path("cuenta/cerrar/confirmar/", profile.close, name="account_close"),
]
