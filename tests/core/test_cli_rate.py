"""`manage.py rate`: JSON out, one clear line and exit 2 for what it cannot read (DESIGN, command line)."""

import csv
import gzip
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import translation

from ranking.management.commands.rate import Command
from tests.core.ratings.circuit import random_circuit

ROOT = Path(__file__).parents[2]
REAL = ROOT.parent / "shared/data/matches.csv.gz"
HEADER = "date,event_id,player_a,player_b,score_a,round,stage,source,format,games_a,games_b,intentional_draw"
TWO = f"{HEADER}\n2026-03-01,n1,ana,leo,1,1,swiss,made-up,,2,0,0\n2026-03-08,n2,leo,zoe,0.5,1,swiss,made-up,,1,1,1\n"


def rated(path: Path, *args: object) -> dict:
    out = io.StringIO()
    call_command("rate", path, *args, stdout=out)
    (line,) = out.getvalue().splitlines()
    return json.loads(line)


def written(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def refusal(path: Path, *args: object) -> str:
    with translation.override("en"), pytest.raises(CommandError) as refused:
        call_command("rate", path, *args, stdout=io.StringIO())
    assert refused.value.returncode == 2
    assert "\n" not in str(refused.value)
    return str(refused.value)


def random_csv(path: Path, seed: int = 21) -> Path:
    rows = [HEADER]
    for p in random_circuit(seed, players=20, days=200, matches=500):
        day = f"{2026 + (p.day - 20_000) // 200}-01-{1 + (p.day - 20_000) // 7:02}"
        rows.append(f"{day},e,p{p.a:02},p{p.b:02},{p.score},1,swiss,made-up,,,,{int(not p.rates)}")
    return written(path, "\n".join(rows) + "\n")


def test_counts_and_log_loss(tmp_path: Path) -> None:
    answer = rated(written(tmp_path / "matches.csv", TWO))
    assert (answer["matches"], answer["players"]) == (2, 3)
    assert set(answer) == {"matches", "players", "log_loss"}
    assert set(answer["log_loss"]) == {"ours", "elo", "coin"}
    assert answer["log_loss"]["coin"] == 0.693147


def test_gzip_is_known_by_its_content(tmp_path: Path) -> None:
    plain = random_csv(tmp_path / "matches.csv")
    packed = written(tmp_path / "packed.csv", gzip.compress(plain.read_bytes()))
    assert rated(packed) == rated(plain)


def test_columns_in_any_order_bom_and_blank_lines(tmp_path: Path) -> None:
    text = "score_a,player_b,date,player_a\r\n1,leo,2026-03-01,ana\r\n\r\n0.5,zoe,2026-03-08,leo\r\n"
    answer = rated(written(tmp_path / "matches.csv", b"\xef\xbb\xbf" + text.encode()))
    assert (answer["matches"], answer["players"]) == (2, 3)


def test_ratings_file_is_the_engine_in_points(tmp_path: Path) -> None:
    source, out = random_csv(tmp_path / "matches.csv"), tmp_path / "ratings.csv"
    rated(source, "--out", out)
    with out.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    with source.open(encoding="utf-8", newline="") as file:
        played = list(csv.DictReader(file))
    assert list(rows[0]) == ["player", "rating", "rd", "conservative", "matches", "last_day"]
    assert [float(row["rating"]) for row in rows] == sorted((float(row["rating"]) for row in rows), reverse=True)
    for row in rows:
        mine = [p for p in played if row["player"] in (p["player_a"], p["player_b"]) and p["intentional_draw"] == "0"]
        assert int(row["matches"]) == len(mine) > 0
        assert row["last_day"] == max(p["date"] for p in mine)
        assert float(row["conservative"]) == pytest.approx(float(row["rating"]) - float(row["rd"]), abs=2e-6)


def test_intentional_draws_do_not_rate(tmp_path: Path) -> None:
    out = tmp_path / "ratings.csv"
    rated(written(tmp_path / "matches.csv", TWO), "--out", out)
    assert [line.split(",")[0] for line in out.read_text().splitlines()] == ["player", "ana", "leo"]


def test_the_order_of_the_file_changes_no_rating(tmp_path: Path) -> None:
    source = random_csv(tmp_path / "matches.csv")
    header, *rows = source.read_text().splitlines()
    turned = written(tmp_path / "turned.csv", "\n".join([header, *reversed(rows)]))
    rated(source, "--out", tmp_path / "one.csv")
    rated(turned, "--out", tmp_path / "other.csv")
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "other.csv").read_bytes()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("2026-02-30,n,a,b,1,1,s,m,,2,0,0", "line 3: “2026-02-30” is not a date"),
        ("hoy,n,a,b,1,1,s,m,,2,0,0", "line 3: “hoy” is not a date"),
        ("2026-03-01,n,a,b,2,1,s,m,,2,0,0", "line 3: score_a is “2”; it must be 0, 0.5 or 1"),
        ('2026-03-01,n,a,b,"0,5",1,s,m,,2,0,0', "line 3: score_a is “0,5”"),
        ("2026-03-01,n,a,b,,1,s,m,,2,0,0", "line 3: score_a is “”"),
        ("2026-03-01,n,a,b,1,1,s,m,,2,0,x", "line 3: intentional_draw is “x”"),
        ("2026-03-01,n,a,b,1,1,s,m,,2,0,1", "line 3: an intentional draw scores 0.5, not 1"),
        ("2026-03-01,n,a,,1,1,s,m,,2,0,0", "line 3: a player is missing"),
        ("2026-03-01,n,a,a,1,1,s,m,,2,0,0", "line 3: “a” plays against “a”"),
        ("2026-03-01,n,a,b,1", "line 3 does not have as many fields as the header (5/12)"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, message: str) -> None:
    good = "2026-03-01,n1,ana,leo,1,1,swiss,made-up,,2,0,0"
    out = tmp_path / "ratings.csv"
    assert message in refusal(written(tmp_path / "matches.csv", f"{HEADER}\n{good}\n{line}\n"), "--out", out)
    assert not out.exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "no column “date”"),
        (b"date;player_a;player_b;score_a\n", "no column “date”"),
        (b"date,player_a,player_b\n", "no column “score_a”"),
        (HEADER.encode(), "there are no matches"),
        (HEADER.encode() + b"\n\xff\xfe", "not UTF-8"),
        (gzip.compress(TWO.encode())[:-12], "gzip file is damaged"),
        (gzip.compress(TWO.encode())[:-8] + b"12345678", "gzip file is damaged"),
        (b"\x1f\x8bnot really", "gzip file is damaged"),
        (b'date,player_a,player_b,score_a\n"' + b"x" * 200_000, "not a CSV table"),
    ],
)
def test_an_unreadable_file_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    assert message in refusal(written(tmp_path / "matches.csv", content))


def test_files_that_are_not_there(tmp_path: Path) -> None:
    assert "No such file" in refusal(tmp_path / "nothing.csv")
    assert "directory" in refusal(tmp_path)


def test_out_that_cannot_be_written(tmp_path: Path) -> None:
    source = written(tmp_path / "matches.csv", TWO)
    assert "No such file" in refusal(source, "--out", tmp_path / "nowhere" / "ratings.csv")
    assert "directory" in refusal(source, "--out", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["matches.csv"]


def test_exit_codes_of_the_real_program(tmp_path: Path) -> None:
    source = written(tmp_path / "matches.csv", "date,player_a\n")
    done = subprocess.run(
        [sys.executable, "manage.py", "rate", str(source)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert "player_b" in done.stderr


def test_help_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    with translation.override("en"), pytest.raises(SystemExit) as left:
        Command().run_from_argv(["manage.py", "rate", "--help"])
    assert left.value.code == 0
    assert "Rates a match stream" in capsys.readouterr().out


@pytest.mark.realdata
@pytest.mark.skipif(not REAL.exists(), reason="real data: ../shared/data/matches.csv.gz is not here")
def test_real_stream() -> None:
    answer = rated(REAL)
    assert (answer["matches"], answer["players"]) == (557_195, 58_637)
    assert answer["log_loss"]["ours"] <= 0.6818
    assert answer["log_loss"] == {"ours": 0.681697, "elo": 0.688568, "coin": 0.693147}
