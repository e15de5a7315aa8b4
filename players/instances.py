"""Rows into instances at a fraction of what Django takes, for reads of whole events.

Two things cost more than the database: `Model.__init__`, which looks at every field of every row for defaults,
deferrals and signals that a stored row never has, and composing the same SQL for every page. What comes out here are
the same instances (tests/services/test_instances.py holds them against Django's own): they can be changed, saved and
asked for deferred fields.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Model, QuerySet
from django.db.models.base import ModelState

MARKS: dict[type, Any] = {int: -2_147_483_647, str: "a key that no row has"}
"""What stands for the key while a statement is composed."""


class Part(NamedTuple):
    """Columns of a row that make one instance, and the parts that are tied to it by a foreign key."""

    model: type[Model]
    columns: slice
    names: tuple[str, ...]  # of the columns, as attributes
    key: int  # the column that is null where there is no such row
    field: str  # of the outer part; "" for the outermost
    inner: tuple["Part", ...]


class Statement(NamedTuple):
    sql: str
    params: tuple[Any, ...]
    root: Part
    added: tuple[tuple[str, int], ...]  # annotations with their columns
    converters: Mapping[int, tuple[Sequence[Callable[..., Any]], Any]]  # by column; none where the driver's values do


class Reading[M: Model]:
    """A queryset that depends on one key, composed once for each kind of database.

    It may filter, order, defer, annotate and join foreign keys by `select_related`; `key` is the type of its key.
    """

    def __init__(self, build: Callable[[Any], "QuerySet[M]"], key: type = int) -> None:
        self.build, self.mark = build, MARKS[key]
        self.statement = cache(self._statement)

    def of(self, key: Any) -> list[M]:
        statement = self.statement(connection.vendor)
        with connection.cursor() as cursor:
            cursor.execute(statement.sql, [key if value == self.mark else value for value in statement.params])
            rows: Sequence[Sequence[Any]] = cursor.fetchall()
        if statement.converters:
            rows = _converted(rows, statement.converters)
        made: list[Any] = [_instance(statement.root, row) for row in rows]
        for name, column in statement.added:
            for instance, row in zip(made, rows, strict=True):
                setattr(instance, name, row[column])
        return made

    def _statement(self, vendor: str) -> Statement:
        compiler = self.build(self.mark).query.get_compiler(connection=connection)
        sql, params = compiler.as_sql()
        columns = [column for column, _, _ in compiler.select]
        assert compiler.klass_info, "a queryset of instances"
        added = tuple((compiler.annotation_col_map or {}).items())
        root = _part(compiler.klass_info, columns)
        return Statement(sql, tuple(params), root, added, compiler.get_converters(columns))


def _converted(rows: Sequence[Sequence[Any]], converters: Mapping[int, tuple[Any, Any]]) -> list[list[Any]]:
    """As `SQLCompiler.apply_converters`, which would need the query composed again."""
    made = [list(row) for row in rows]
    for column, (chain, expression) in converters.items():
        for convert in chain:
            for row in made:
                row[column] = convert(row[column], expression, connection)
    return made


def _part(info: Mapping[str, Any], columns: Sequence[Any]) -> Part:
    start, end = info["select_fields"][0], info["select_fields"][-1] + 1
    names = tuple(column.target.attname for column in columns[start:end])
    model = info["model"]
    assert not info.get("reverse"), "foreign keys only"
    inner = tuple(_part(each, columns) for each in info.get("related_klass_infos", ()))
    key, field = start + names.index(model._meta.pk.attname), info["field"].name if "field" in info else ""
    return Part(model, slice(start, end), names, key, field, inner)


def _instance(part: Part, row: Sequence[Any]) -> Model:
    made = part.model.__new__(part.model)
    values = dict(zip(part.names, row[part.columns], strict=True))
    values["_state"] = state = ModelState()
    state.db, state.adding, state.fields_cache = "default", False, {}
    made.__dict__ = values
    for each in part.inner:
        state.fields_cache[each.field] = None if row[each.key] is None else _instance(each, row)
    return made


def tie(row: Model, name: str, related: Model) -> None:
    """As `row.name = related` where the key of `related` is in the row already: then nobody asks for it any more."""
    row._state.fields_cache[name] = related
