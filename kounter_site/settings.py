"""One settings file for both ways to run (docs/architecture.md): the environment decides, embedded is the default."""

import secrets
from pathlib import Path
from typing import Any

import environ
from django.utils.csp import CSP
from django.utils.translation import gettext_lazy as _

env = environ.Env()
BASE_DIR = Path(__file__).resolve().parent.parent
VAR = Path(env("KOUNTER_VAR", default=str(BASE_DIR / "var")))
VAR.mkdir(parents=True, exist_ok=True)


def kept_secret(path: Path) -> str:
    """The embedded mode makes its own secret once and keeps it beside the database."""
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(64))
    return path.read_text()


VERSION = "0.1.0"
DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env("SECRET_KEY", default="") or kept_secret(VAR / "secret_key")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["127.0.0.1", "localhost", "[::1]", "testserver"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
ROOT_URLCONF = "kounter_site.urls"
WSGI_APPLICATION = "kounter_site.wsgi.application"
AUTH_USER_MODEL = "players.User"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
DEMO = env.bool("DEMO", default=True)
DEMO_ACCOUNTS = env.bool("DEMO_ACCOUNTS", default=False)  # `serve` sets it, on loopback only

INSTALLED_APPS = [
    "kounter_site",
    "ranking",
    "tournaments",
    "decks",
    "players",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "django_htmx",
    "rest_framework",
    "knox",
    "django_filters",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "import_export",
]
MIDDLEWARE = [
    "kounter_site.metrics.MetricsMiddleware",
    "kounter_site.middleware.OpenerMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "kounter_site.middleware.LoginMiddleware",
    "kounter_site.middleware.NulMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.csp",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "kounter_site.context.site",
            ],
            "builtins": ["players.templatetags.look"],
        },
    }
]

# -- languages: Spanish first ----------------------------------------------------------------------------------------
LANGUAGE_CODE = "es"
LANGUAGES = [("es", _("Spanish")), ("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_TZ = True
TIME_ZONE = "Europe/Madrid"
STATIC_URL = "static/"
STATIC_ROOT = VAR / "static"
STATIC_ROOT.mkdir(exist_ok=True)
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = True  # a clone that has not collected yet still shows its styles
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if env.bool("STATIC_MANIFEST", default=False)
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}

# -- database: SQLite unless DATABASE_URL says otherwise -------------------------------------------------------------
SQLITE: dict[str, Any] = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-16384; PRAGMA temp_store=MEMORY;"
    ),
}
DATABASES: dict[str, Any] = {"default": env.db("DATABASE_URL", default=f"sqlite:///{VAR / 'kounter.sqlite3'}")}
EMBEDDED = DATABASES["default"]["ENGINE"].endswith("sqlite3")
if EMBEDDED:
    DATABASES["default"] |= {"OPTIONS": SQLITE, "CONN_MAX_AGE": None}
elif env.bool("DATABASE_POOL", default=True):
    POOL = {"min_size": 1, "max_size": env.int("DATABASE_POOL_MAX", default=8), "timeout": 10}
    DATABASES["default"] |= {"CONN_MAX_AGE": 0, "OPTIONS": {"pool": POOL}}
else:
    DATABASES["default"] |= {"CONN_MAX_AGE": 600, "CONN_HEALTH_CHECKS": True}

# How long a process believes what it read of an event before a poll makes it read again, in seconds (web/live.py).
BEAT_SECONDS = env.float("BEAT_SECONDS", default=0.1)

# -- tasks: the broker is a bell, rows are the truth -----------------------------------------------------------------
REDIS_URL = env("REDIS_URL", default="")
if REDIS_URL:
    CELERY_BROKER_URL = REDIS_URL
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {
        "visibility_timeout": 3600,
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
    }
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL}}
else:
    BROKER = VAR / "broker"
    for folder in ("queue", "control", "processed"):
        (BROKER / folder).mkdir(parents=True, exist_ok=True)
    CELERY_BROKER_URL = "filesystem://"
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(BROKER / "queue"),
        "data_folder_out": str(BROKER / "queue"),
        "processed_folder": str(BROKER / "processed"),
        "control_folder": str(BROKER / "control"),
        "store_processed": False,
    }
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
CELERY_RESULT_BACKEND = None
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR / "beat")
CELERY_TIMEZONE = TIME_ZONE
CELERY_BEAT_SCHEDULE = {
    "find unrated events": {"task": "ranking.tasks.sweep", "schedule": env.float("SWEEP_SECONDS", default=10.0)},
    "judge deck lists again": {
        "task": "tournaments.tasks.rejudge",
        "schedule": env.float("SWEEP_SECONDS", default=10.0),
    },
    "forget old sessions": {"task": "kounter_site.tasks.clear_sessions", "schedule": 86_400.0},
}

# -- mail: printed to the console unless SMTP is given ---------------------------------------------------------------
MAIL_HOST = env("MAIL_HOST", default="")
MAILERS: dict[str, Any] = {"default": {"BACKEND": "django.core.mail.backends.console.EmailBackend"}}
if MAIL_HOST:
    MAILERS["default"] = {
        "BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "OPTIONS": {
            "host": MAIL_HOST,
            "port": env.int("MAIL_PORT", default=587),
            "username": env("MAIL_USER", default=""),
            "password": env("MAIL_PASSWORD", default=""),
            "use_tls": env.bool("MAIL_TLS", default=True),
        },
    }
DEFAULT_FROM_EMAIL = env("MAIL_FROM", default="kounter@localhost")

# -- accounts --------------------------------------------------------------------------------------------------------
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_SIGNUP_FORM_CLASS = "players.forms.SignupForm"
ACCOUNT_RATE_LIMITS = {"login_failed": "10/m/ip,5/5m/key", "login": "30/m/ip", "signup": "20/m/ip"}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
MINOR_AGE = 14  # years; below it a player appears by alias (DESIGN, Who may do what)

# -- API -------------------------------------------------------------------------------------------------------------
REST_FRAMEWORK = {
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_AUTHENTICATION_CLASSES": ["knox.auth.TokenAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_PAGINATION_CLASS": "kounter_site.pages.Pages",
    "PAGE_SIZE": 50,
    "DEFAULT_THROTTLE_CLASSES": [
        "rest_framework.throttling.AnonRateThrottle",
        "rest_framework.throttling.UserRateThrottle",
    ],
    "DEFAULT_THROTTLE_RATES": {"anon": "300/min", "user": "1200/min"},
    "EXCEPTION_HANDLER": "kounter_site.api.explain",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "KOUNTER",
    "VERSION": VERSION,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SERVE_INCLUDE_SCHEMA": False,
    "ENUM_NAME_OVERRIDES": {
        "EventFormatEnum": "tournaments.models.Event.Format",
        "CutFormatEnum": "tournaments.models.Event.CutFormat",
    },
}
REST_KNOX = {"TOKEN_TTL": None}

# -- safety ----------------------------------------------------------------------------------------------------------
SECURE_CSP = {
    "default-src": [CSP.NONE],
    "script-src": [CSP.SELF],
    "style-src": [CSP.SELF],
    "img-src": [CSP.SELF, "data:"],
    "font-src": [CSP.SELF],
    "connect-src": [CSP.SELF],
    "manifest-src": [CSP.SELF],
    "worker-src": [CSP.SELF],
    "form-action": [CSP.SELF],
    "base-uri": [CSP.NONE],
    "frame-ancestors": [CSP.NONE],
}
METRICS_TOKEN = env("METRICS_TOKEN", default="")  # empty: no metrics page
HTTPS = env.bool("HTTPS", default=False)
SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^health/"]
if env.bool("BEHIND_PROXY", default=False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SESSION_COOKIE_AGE = 60 * 60 * 24 * 60
DATA_UPLOAD_MAX_MEMORY_SIZE = 10 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 20_000
X_FRAME_OPTIONS = "DENY"

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name} {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": env("LOG_LEVEL", default="WARNING")},
    "loggers": {
        "kounter": {"level": env("LOG_LEVEL", default="INFO")},
        "kombu.connection": {"level": "ERROR"},  # the broker on disk has no host name, and says so at every start
    },
}
