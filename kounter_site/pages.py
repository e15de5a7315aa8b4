"""Pages of the API's lists. Apart from `api.py`: DRF reads it while that one is still being imported."""

from rest_framework.pagination import LimitOffsetPagination


class Pages(LimitOffsetPagination):
    """`?limit=` and `?offset=`; nobody takes a whole table at once."""

    max_limit = 500
