"""What scoring programs get: read back by our own reader, strict, and known to be old when it is."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from deals.boards import Vulnerability
from deals.doubledummy.pbn_tags import lowest
from deals.files import pbn_analysis, read_deals
from deals.files.pbn_document import parse
from deals.files.pbn_export import MANDATORY
from deals.records.exports import NOTE, export_all, retire, scoring_pbn, stale
from deals.scoring import par
from deals.tricks import Par, ParContract, Strain, TrickTable
from tests.unit.deals.strategies import shuffled
from tests.unit.records.sets import CODE, HEADING, entry, hard

TWENTY = [entry(number, shuffled(number)) for number in range(1, 21)]


def without(data: bytes, *names: str) -> bytes:
    """The file with only those double dummy tags that are not named."""
    lines = data.split(b"\r\n")
    return b"\r\n".join(
        line for line in lines if not line.startswith(tuple(f"[{n} ".encode() for n in names))
    )


DIALECTS = ("OptimumResultTable", "DoubleDummyTricks", "Ability")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_each_dialect_of_the_table_is_read_back(dialect):
    data = without(scoring_pbn(TWENTY, HEADING), *(set(DIALECTS) - {dialect}))
    document = parse(data)
    assert document.deals.problems == ()
    for game, one in zip(document.games, TWENTY, strict=True):
        assert game.board == one.board
        assert pbn_analysis.trick_table(game) == one.table


def test_par_is_read_back_from_each_tag():
    data = scoring_pbn(hard(), HEADING)
    contracts = parse(without(data, "Minimax"))
    for game, other, one in zip(parse(data).games, contracts.games, hard(), strict=True):
        if one.par is None:
            assert pbn_analysis.par(game) is None
            continue
        assert pbn_analysis.par(game).score_ns == one.par.score_ns
        assert list(pbn_analysis.par(other).contracts) == lowest(one.par)
        minimax = game.value("Minimax")
        assert minimax.endswith(str(one.par.score_ns))
        first = lowest(one.par)[0]
        assert minimax.startswith(f"{first.level}{first.strain.letter}")


def test_a_known_board_in_every_spelling():
    """Board 1 of a real file: its tags, written by another program, are what we write."""
    one = TWENTY[0]
    table = {"N": "63456", "E": "7A986", "S": "63456", "W": "7A986"}
    tricks = {
        (seat, strain): int(table[seat.letter]["NSHDC".index(strain.letter)], 16)
        for seat, strain in one.table.tricks
    }
    made = TrickTable(tricks)
    result = par(made, one.board.dealer, Vulnerability.NONE)
    data = scoring_pbn([replace(one, table=made, par=result)], HEADING).decode("latin-1")
    assert '[Ability "N:63456 E:7A986 S:63456 W:7A986"]' in data
    assert '[DoubleDummyTricks "63456634567a9867a986"]' in data
    assert '[OptimumScore "EW 420"]' in data
    assert '[Minimax "4SE-420"]' in data
    assert '[ParContract "EW 4S="]' in data
    assert "\r\nN NT  6\r\nN  S  3\r\n" in data


def test_passed_out():
    data = scoring_pbn([replace(TWENTY[0], par=Par(0))], HEADING).decode("latin-1")
    assert '[Minimax "7NS0"]' in data
    assert '[OptimumScore "NS 0"]' in data
    assert "ParContract" not in data


def test_the_export_form_is_kept():
    data = scoring_pbn(TWENTY, HEADING, "Club house")
    assert data.startswith(b"% PBN 2.1\r\n% EXPORT\r\n")
    assert b"\n" not in data.replace(b"\r\n", b"")
    assert max(map(len, data.split(b"\r\n"))) <= 253
    game = parse(data).games[0]
    names = [tag.name for tag in game.tags]
    assert tuple(names[:15]) == MANDATORY
    assert names[15:-1] == sorted(names[15:-1]) and names[-1] == "OptimumResultTable"
    assert game.value("Event") == "Club championship · Thursday pairs"
    assert game.value("Site") == "Club house"
    assert game.value("Date") == "2026.11.30"
    assert game.value("Deal").startswith("N:")
    assert parse(data).games[1].value("Deal").startswith("E:")
    # Written again by the writer of whole documents it stays what it is.
    assert parse(parse(data).export()).games[3].tags == parse(data).games[3].tags


@pytest.mark.parametrize(
    ("date", "written"),
    [
        ("30.11.2026", "2026.11.30"),
        ("2026-1-2", "2026.01.02"),
        ("", ""),
        ("x", "????.??.??"),
        ("31.2.2026", "????.??.??"),
    ],
)
def test_dates(date, written):
    game = parse(scoring_pbn(TWENTY[:1], replace(HEADING, date=date))).games[0]
    assert game.value("Date") == written


def test_names_beyond_latin_1_are_utf_8_and_say_so():
    assert b"charset" not in scoring_pbn(TWENTY[:1], replace(HEADING, title="Kesäkisat"))
    data = scoring_pbn(TWENTY[:1], replace(HEADING, title="Κύπελλο"))
    assert b"%Content-type: text/x-pbn; charset=UTF-8\r\n" in data
    assert "Κύπελλο" in parse(data).games[0].value("Event")


def test_a_wild_title_stays_one_tag():
    wild = '##a "b" \\ [Deal "x"]\r\n% {' + "z" * 400
    found = parse(scoring_pbn(TWENTY[:2], replace(HEADING, event=wild)))
    assert [game.board for game in found.games] == [one.board for one in TWENTY[:2]]
    assert found.deals.problems == ()
    assert found.games[0].value("Event").startswith('a "b" \\ [Deal "x"]')


def test_all_files_in_one_step_hold_the_same_boards():
    made = export_all(TWENTY, HEADING, "thursday", "Club")
    assert set(made.files) == {
        "thursday.pbn", "thursday-bridgewebs.pbn", "thursday.dup", "thursday.dlm", "thursday.lin", NOTE,
    }  # fmt: skip
    for name, data in made.files.items():
        if name != NOTE:
            assert list(read_deals(data, name).boards) == [one.board for one in TWENTY], name
    assert b'[Vulnerable "Both"]' in made.files["thursday-bridgewebs.pbn"]
    assert b'[Vulnerable "All"]' in made.files["thursday.pbn"]
    assert made.warnings == ()
    assert json.loads(made.files[NOTE])["set"] == CODE


def test_a_format_that_cannot_hold_the_set_is_left_out_with_a_warning():
    made = export_all(hard(), HEADING, "x")
    assert "x.dlm" not in made.files and "x.pbn" in made.files
    assert any("dlm" in warning.message() for warning in made.warnings)


def test_after_a_new_deal_the_old_files_are_known_and_put_aside(tmp_path):
    for name, data in export_all(TWENTY, HEADING, "x").files.items():
        (tmp_path / name).write_bytes(data)
    assert stale(tmp_path, CODE) == [] == retire(tmp_path, CODE)
    old = stale(tmp_path, "other")
    assert sorted(old) == ["x-bridgewebs.pbn", "x.dlm", "x.dup", "x.lin", "x.pbn"]
    assert retire(tmp_path, "other") == old
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(f"{n}.old" for n in old)
    assert stale(tmp_path, "other") == []


@pytest.mark.parametrize("note", [b"", b"[]", b'{"set": "x"}', b'{"set": "x", "files": 3}'])
def test_a_broken_note_harms_nobody(tmp_path, note):
    (tmp_path / NOTE).write_bytes(note)
    assert retire(tmp_path, CODE) == []


def test_a_note_cannot_name_files_elsewhere(tmp_path):
    inside = tmp_path / "exports"
    inside.mkdir()
    (tmp_path / "precious").write_text("x")
    (inside / NOTE).write_text('{"set": "x", "files": {"../precious": ""}}')
    assert retire(inside, CODE) == []
    assert (tmp_path / "precious").exists()


@pytest.mark.parametrize("order", [1, -1])
def test_of_one_suit_only_the_lowest_level_is_told(order):
    """As the list of DDS has it: 2C, 3C and 4C by NS are told as 2C+2."""
    clubs = [ParContract("NS", level, Strain.CLUBS, False, 4 - level) for level in (2, 3, 4)]
    other = ParContract("EW", 3, Strain.CLUBS, True, -1)
    assert lowest(Par(130, (*clubs[::order], other))) == [clubs[0], other]
