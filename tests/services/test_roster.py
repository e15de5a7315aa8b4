"""tournaments/services/roster.py: a roster from a file or a paste (CASES 71, 72)."""

import pytest
from django.utils import translation

from tests import make
from tournaments import queries
from tournaments.models import Event
from tournaments.services import journal, roster
from tournaments.services.errors import Refused
from tournaments.services.journal import SYSTEM

pytestmark = pytest.mark.django_db


def texts(found: roster.RosterPreview) -> list[str]:
    return [*found.errors, *[text for row in found.rows for text in (*row.errors, *row.warnings)]]


class TestReading:
    def test_bom_and_semicolons_of_spanish_excel(self) -> None:
        """CASES 71: bytes EF BB BF, then "nombre;codigo"."""
        found = roster.preview(b"\xef\xbb\xbfnombre;codigo\r\nZoe Farolillo;\r\n")
        assert (found.encoding, found.separator, found.header) == ("utf-8-sig", ";", ["nombre", "codigo"])
        assert [(row.line, row.name) for row in found.rows] == [(2, "Zoe Farolillo")]
        assert found.possible

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "latin-1", "utf-16"])
    @pytest.mark.parametrize("separator", [";", ",", "\t"])
    def test_letters_and_separators(self, encoding: str, separator: str) -> None:
        """CASES 72: "Peña" in Latin-1, a quoted separator, CRLF."""
        lines = [["Nombre", "Equipo"], ["Íñigo Peña", '"Ñus; y, más"'], ["Begoña", ""]]
        text = "\r\n".join(separator.join(line) for line in lines) + "\r\n"
        found = roster.preview(text.encode(encoding))
        assert [(row.name, row.team) for row in found.rows] == [("Íñigo Peña", "Ñus; y, más"), ("Begoña", "")]
        assert found.possible

    def test_letters_that_no_encoding_knows_are_refused_never_replaced(self) -> None:
        found = roster.preview(b"nombre\nPe\x81\xf1a\n")
        assert not found.possible
        assert found.errors
        assert not found.rows

    def test_an_unknown_header_lists_the_expected_ones(self) -> None:
        found = roster.preview("nombre;correo\nZoe;zoe@example.test\n")
        assert not found.possible
        assert "correo" in found.errors[0]
        for column in ("nombre", "apellidos", "codigo", "elemento", "equipo", "pagado"):
            assert column in found.errors[0]

    @pytest.mark.parametrize("header", ["nombre", "Nombre", "NAME", "Jugadora", "nombre completo"])
    def test_one_name_a_line_with_or_without_a_header(self, header: str) -> None:
        assert [row.name for row in roster.preview(f"{header}\nZoe\n\n Ñusta \n").rows] == ["Zoe", "Ñusta"]
        found = roster.preview("Zoe\nÑusta Quebrantahoz\n")
        assert [row.name for row in found.rows] == ["Zoe", "Ñusta Quebrantahoz"]
        assert found.separator == ""

    def test_name_and_surname_in_two_columns(self) -> None:
        found = roster.preview("Nombre,Apellidos,Pagado\nZoe,Farolillo Cantueso,sí\nÁngel,,no\n")
        assert [(row.name, row.paid) for row in found.rows] == [("Zoe Farolillo Cantueso", True), ("Ángel", False)]

    def test_the_first_three_rows_are_for_the_preview(self) -> None:
        found = roster.preview("\n".join(f"Jugador {i}" for i in range(9)))
        assert [row.name for row in found.first] == ["Jugador 0", "Jugador 1", "Jugador 2"]

    @pytest.mark.parametrize(
        "source",
        [b"", "", "  \n ", b"\xef\xbb\xbf", "nombre;codigo\n", b"PK\x03\x04\0\0", "nombre;codigo\n;\n", "n" * 130,
         "nombre;pagado\nZoe;tal vez\n", "nombre;codigo\nZoe;XYZ\n", "nombre;name\nZoe;Zoe\n",
         "\n".join(["Zoe"] * 1001),
         b"x" * 1_000_001, "nombre;equipo\nZoe;" + "e" * 41, 'nombre;equipo\n"Zoe;' + "x" * 140_000],
    )  # fmt: skip
    def test_what_cannot_be_confirmed_says_why(self, source: bytes | str) -> None:
        found = roster.preview(source)
        assert not found.possible
        assert texts(found)

    def test_duplicates_are_flagged(self) -> None:
        """The same code is one player: an error. The same name may be two people (CASES 51): a warning."""
        code = make.make_player().code
        found = roster.preview(f"nombre;codigo\nJosé García;\nZoe;{code}\njose garcia;\n;{code}\n")
        assert [bool(row.warnings) for row in found.rows] == [False, False, True, False]
        assert [bool(row.errors) for row in found.rows] == [False, False, False, True]
        assert "2" in found.rows[2].warnings[0]


class TestAgainstTheEvent:
    def test_codes_elements_and_who_is_in_are_checked(self) -> None:
        event, player = make.make_event(), make.make_player("Zoe Farolillo")
        make.enrol(event, "Íñigo Zarzuelo")
        text = (
            f"nombre;codigo;elemento\nOtra;{player.printed_code};Fuego\nX;{'2' * 7};agua\ninigo zarzuelo;;\nQ;;éter\n"
        )
        with translation.override("en"):
            rows = roster.preview(text, event).rows
        assert rows[0].name == "Zoe Farolillo"
        assert rows[0].warnings == ["That code is Zoe Farolillo's."]
        assert rows[1].errors
        assert rows[2].warnings == ["Íñigo Zarzuelo is in the event already."]
        assert "éter" in rows[3].errors[0]

    def test_confirm_enrols_them_all_in_one_action_that_undo_takes_back(self) -> None:
        event, player = make.make_event(capacity=3), make.make_player()
        text = f"nombre;codigo;elemento;equipo;pagado\nZoe;;fuego;Ñúes;x\n;{player.code};Water;;\nA;;;;\nB;;;;\n"
        found = roster.preview(text, event)
        assert found.possible, texts(found)
        rows = roster.confirm(event, found.rows, by=SYSTEM)
        assert [(row.player.name, row.status) for row in rows] == [
            ("Zoe", "registered"),
            (player.name, "registered"),
            ("A", "registered"),
            ("B", "waiting"),
        ]
        first = event.registrations.select_related("element").get(pk=rows[0].pk)
        assert (first.element, first.team, first.paid) == (make.element("fuego"), "Ñúes", True)
        assert event.log.count() == 1
        journal.undo(event, event.version, by=SYSTEM)
        assert not event.registrations.exists()

    def test_the_same_file_twice_does_not_double_those_with_a_code(self) -> None:
        event, player = make.make_event(), make.make_player()
        rows = roster.preview(f"codigo\n{player.code}\n", event).rows
        assert roster.confirm(event, rows, by=SYSTEM) == roster.confirm(event, rows, by=SYSTEM)
        assert event.registrations.count() == 1

    def test_rows_with_errors_are_refused_and_nothing_is_written(self) -> None:
        event = make.make_event()
        rows = roster.preview(f"nombre;codigo\nZoe;\nX;{'2' * 7}\n").rows
        with pytest.raises(Refused):
            roster.confirm(event, rows, by=SYSTEM)
        assert not event.registrations.exists()

    def test_after_the_start_people_enter_late_instead(self) -> None:
        event: Event = make.make_event(players=4, published=1)
        with pytest.raises(Refused) as refusal:
            roster.confirm(event, roster.preview("Zoe").rows, by=SYSTEM)
        assert refusal.value.rule == "5.2"

    @pytest.mark.parametrize("people", [2, 200])
    def test_the_number_of_queries_is_constant(self, people: int, django_assert_num_queries) -> None:  # type: ignore[no-untyped-def]
        event, player = make.make_event(), make.make_player()
        text = "nombre;codigo\n" + f";{player.code}\n" + "".join(f"Jugador {i};\n" for i in range(people))
        rows = roster.preview(text).rows
        with django_assert_num_queries(15):
            roster.confirm(event, rows, by=SYSTEM)
        assert len(queries.twins(event.registrations.select_related("player"))) == 0
