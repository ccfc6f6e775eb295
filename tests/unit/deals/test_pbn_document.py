"""PBN kept to the letter, written in export form, and its double-dummy dialects."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deals.cards import Seat
from deals.errors import DealFileError
from deals.files.pbn_analysis import par, trick_table
from deals.files.pbn_document import Game, parse
from deals.files.pbn_text import quote, unquote
from deals.tricks import Par, ParContract, Strain
from tests.unit.deals.reading import DEAL, OTHER, game

RICH = f"""\
% PBN 2.1
% EXPORT
%Content-type: text/x-pbn; charset=ISO-8859-1
%Creator: Somebody's program
%BoardsPerPage fit,1
%PipColors #0000ff,#ff0000,#ffc000,#008000

; a line about the whole file
[Event "##Caf\xe9 \\"x\\""]
[Site "?"]
[Board "2"]
[Dealer "E"] {{two

lines % and ; in it}}
[Vulnerable "N-S"]
[Deal "{OTHER}"]
%%!R 89a8989a898765487654
[Play "W"]
SA SK SQ SJ
*
[Note "1:of the play"]
[Auction "E"]
1D =1= Pass\tPass Pass ; all pass
[Note "1:of the auction"]
[Zeta "z"]
[MyTable "A;B\\2R"]
1 2
3 "a ; b"
[BCFlags "17"]
[Result "9"]

{{between games}}
[Event "#"]
[Board "2"]
[Room "Closed"]

; after the last game
"""
MANDATORY = (
    "Event Site Date Board West North East South Dealer Vulnerable Deal Scoring Declarer "
    "Contract Result"
)


def one(tags: str) -> Game:
    return parse(f'[Board "1"]\n{tags}\n'.encode()).games[0]


@pytest.mark.parametrize("encoding", ["latin-1", "utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_same_bytes_come_back(encoding: str, end: str) -> None:
    text = RICH if encoding == "latin-1" else RICH.replace("%Content-type", "%Something")
    data = text.replace("\n", end).encode(encoding)
    assert parse(data).to_bytes() == data


def test_real_files_come_back(samples: Path) -> None:
    for path in samples.glob("*.pbn"):
        assert parse(path.read_bytes()).to_bytes() == path.read_bytes()


@given(st.text('[]{}%;"\\\n \tABoardDeal1x:', max_size=80))
def test_anything_comes_back(junk: str) -> None:
    data = (game(1) + junk + "\n\n" + game(2, OTHER)).encode()
    try:
        document = parse(data)
    except DealFileError:
        return
    assert document.to_bytes() == data
    document.export()


def test_export_form() -> None:
    text = parse(RICH.encode("latin-1")).export().decode("latin-1")
    assert "\n" not in text.replace("\r\n", "")
    assert "\t" not in text
    lines = text.split("\r\n")
    assert lines[:7] == [
        "% PBN 2.1",
        "% EXPORT",
        "%Content-type: text/x-pbn; charset=ISO-8859-1",
        "%Creator: Somebody's program",
        "%BoardsPerPage fit,1",
        "%PipColors #0000ff,#ff0000,#ffc000,#008000",
        "",
    ]
    names = [line[1:].split(" ")[0] for line in lines if line.startswith("[")]
    assert names == [
        *MANDATORY.split(),
        *("BCFlags", "Zeta", "Auction", "Note", "Play", "Note", "MyTable"),
        *MANDATORY.split(),
        "Room",
    ]


def test_export_loses_nothing() -> None:
    text = parse(RICH.encode("latin-1")).export().decode("latin-1")
    assert "; a line about the whole file\r\n[Event" in text
    assert '[Event "Caf\xe9 \\"x\\""]\r\n[Site "?"]' in text
    assert '[Dealer "E"]\r\n{two\r\n\r\nlines % and ; in it}\r\n[Vulnerable "NS"]' in text
    # The deal begins with the dealer; PS Bridge's line stays behind it.
    assert '[Deal "E:7.J63.AJT82.A754 ' in text
    assert 'JT6.A92.K9765.J9 AKQ984.KQT7..Q83"]\r\n%%!R 89a8989a898765487654\r\n' in text
    assert (
        '[Auction "E"]\r\n1D =1= Pass Pass Pass ; all pass\r\n[Note "1:of the auction"]\r\n'
        '[Play "W"]\r\nSA SK SQ SJ\r\n*\r\n[Note "1:of the play"]\r\n'
        '[MyTable "A;B\\2R"]\r\n1 2\r\n3 "a ; b"\r\n'
    ) in text
    assert "{between games}\r\n[Event" in text
    assert text.endswith("; after the last game\r\n\r\n")
    # The second room has the deal of the first now, as export form must.
    assert text.count('[Deal "E:7.J63') == 2


def test_export_of_export_is_the_same() -> None:
    first = parse(RICH.encode("latin-1")).export()
    assert parse(first).export() == first


def test_utf_16_is_exported_in_8_bits() -> None:
    latin = parse(RICH.replace("%Content-type", "%X").encode("utf-16")).export()
    assert b"Caf\xe9" in latin
    greek = parse((game(1) + "{\u03b1}\n").encode("utf-16")).export()
    assert "{\u03b1}".encode() in greek


def test_passed_out_keeps_an_empty_declarer() -> None:
    calls = '[Auction "N"]\nPass Pass Pass Pass\n[Note "1:x"]\n'
    data = f'[Board "1"]\n[Declarer ""]\n[Contract "Pass"]\n[Deal "{DEAL}"]\n{calls}\n'
    text = parse(data.encode()).export().decode()
    assert '[Declarer ""]\r\n[Contract "Pass"]\r\n[Result ""]\r\n[Auction "N"]' in text
    assert text.endswith('Pass Pass Pass Pass\r\n[Note "1:x"]\r\n\r\n')


def test_long_lines_are_cut_between_words_but_not_in_strings() -> None:
    row = " ".join(["word"] * 100)
    text = parse((game(1).strip() + f'\n[T "A"]\n{row}\n').encode()).export().decode()
    assert max(map(len, text.split("\r\n"))) <= 253
    assert " ".join(text.split()).count("word") == 100
    string = '"' + row + '"'
    text = parse((game(1).strip() + f'\n[T "A"]\n{string}\n').encode()).export().decode()
    assert string in text


def test_long_comments_are_cut_line_by_line() -> None:
    comment = "{" + "word " * 100 + "\n" + "other " * 10 + "\n" + "more  " * 100 + "}"
    first = parse((game(1).strip() + f"\n{comment}\n\n").encode()).export()
    assert max(map(len, first.split(b"\r\n"))) <= 253
    assert parse(first).export() == first


def test_a_value_without_quotes_gets_them() -> None:
    text = parse(f'[Board "1"]\n[Deal {DEAL}]\n[Room "C"]\n'.encode()).export().decode()
    assert f'[Deal "{DEAL}"]\r\n' in text
    assert text.count("[Deal ") == 1


def test_select_keeps_every_game_of_a_board() -> None:
    data = (game(1, more='[Room "A"]\n') + game(2, OTHER) + '[Board "2"]\n[Room "B"]\n\n').encode()
    chosen = parse(data).select({2})
    assert [g.number for g in chosen.games] == [2, 2]
    text = chosen.export().decode()
    assert "Room" in text
    assert '"A"' not in text
    assert text.count("[Deal ") == 2


def test_partial_deals_survive_export() -> None:
    data = b'[Board "2"]\n[Deal "N:AJ9.K9542.Q.AK93 - - -"]\n\n'
    assert b'[Deal "E:- - - AJ9.K9542.Q.AK93"]' in parse(data).export()


def test_what_a_game_says() -> None:
    first = parse(RICH.encode("latin-1")).games[0]
    assert first.value("Event") == '##Caf\xe9 "x"'
    assert first.value("Nothing") is None
    assert first.section("Auction") == ["1D =1= Pass\tPass Pass"]
    assert first.section("MyTable") == ["1 2", '3 "a ; b"']
    assert first.section("Nothing") is None
    assert "".join([first.lead, *(tag.raw + tag.body for tag in first.tags)]) == first.text


def test_garbage_is_no_document() -> None:
    with pytest.raises(DealFileError, match="no deal file"):
        parse(game(1, "N:x").encode() * 1001)


@given(st.text(st.characters(codec="latin-1", exclude_characters="\r\n")))
def test_quotes_and_backslashes(value: str) -> None:
    assert unquote(quote(value)[1:-1]) == value


@pytest.mark.parametrize("value", ["Declarer;Denomination\\2R;Result\\2R", "a\\", '\\"', "\\\\2R"])
def test_column_types_keep_their_single_backslash(value: str) -> None:
    assert unquote(quote(value)[1:-1]) == value
    if value.startswith("Declarer"):
        assert quote(value) == f'"{value}"'


# ---- double dummy


# Each declarer another row, so that none can stand for another.
N, S, E, W = "13579", "2468a", "cba98", "76543"
HEX = N + S + E + W
BY_LETTER = f"N:{N} E:{E.upper()} S:{S.upper()} W:{W}"
PS_BRIDGE = E + N + W + S
ROWS = "\n".join(
    f"{seat} {strain} {int(digit, 16)}"
    for seat, digits in (("N", N), ("S", S), ("E", E), ("W", W))
    for strain, digit in zip(("NT", "S", "H", "D", "C"), digits, strict=True)
)


@pytest.mark.parametrize(
    "tags",
    [
        f'[DoubleDummyTricks "{HEX}"]',
        f'[Ability "{BY_LETTER}"]',
        f'[Deal "{DEAL}"]\n%%!R {PS_BRIDGE}',
        f'[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]\n{ROWS}',
        f'[OptimumResultTable "Declarer Denomination Result"]\n{ROWS}',
    ],
    ids=["tricks", "ability", "ps-bridge", "table", "blanks"],
)
def test_every_dialect_of_the_table(tags: str) -> None:
    table = trick_table(one(tags))
    assert table is not None
    assert table.complete
    assert {seat: [table.of(seat, strain) for strain in Strain] for seat in Seat} == {
        Seat.N: [3, 5, 7, 9, 1],
        Seat.E: [11, 10, 9, 8, 12],
        Seat.S: [4, 6, 8, 10, 2],
        Seat.W: [6, 5, 4, 3, 7],
    }


def test_table_in_other_order_and_with_gaps() -> None:
    table = trick_table(one('[OptimumResultTable "Result;Declarer;Denomination"]\n9 N NT\n? E S\n'))
    assert table is not None
    assert table.of(Seat.N, Strain.NOTRUMP) == 9
    assert table.of(Seat.E, Strain.SPADES) is None
    assert not table.complete


@pytest.mark.parametrize(
    "tags",
    [
        "",
        '[DoubleDummyTricks "123"]',
        '[DoubleDummyTricks "eeeeeeeeeeeeeeeeeeee"]',
        '[OptimumResultTable "Declarer;Denomination;Result"]\nN NT 99\n',
        '[OptimumResultTable "What;Ever"]\nN NT 9\n',
        '[OptimumResultTable "Declarer;Denomination;Result"]\n\n',
        '[OptimumResultTable "Declarer;Denomination;Result"]\nN\n',
    ],
)
def test_no_table(tags: str) -> None:
    assert trick_table(one(tags)) is None


def test_dialects_of_a_real_file_agree(samples: Path) -> None:
    document = parse((samples / "sixteen.pbn").read_bytes())
    for played in document.games:
        ability = one(f'[Ability "{played.value("Ability")}"]')
        assert trick_table(played) == trick_table(ability)
        both = par(played)
        assert both is not None
        score = played.value("OptimumScore")
        assert score is not None
        assert both.score_ns == int(score.removeprefix("NS "))


FOUR_HEARTS = ParContract("NS", 4, Strain.HEARTS, False, 0)
FOUR_SPADES = ParContract("NS", 4, Strain.SPADES, False, 0)


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ('[OptimumScore "NS 420"]', Par(420)),
        ('[OptimumScore "EW 420"]', Par(-420)),
        ('[OptimumScore "EW -100"]', Par(100)),
        ('[OptimumScore "NS -100 EW 100"]', Par(-100)),
        ('[OptimumScore "NS +400"]', Par(400)),
        ('[OptimumScore "NS 0"]', Par(0)),
        (
            '[OptimumScore "NS 7N; +1520"]',
            Par(1520, (ParContract("NS", 7, Strain.NOTRUMP, False),)),
        ),
        (
            '[OptimumScore "EW 4S,4H; -620"]',
            Par(
                -620,
                (
                    ParContract("EW", 4, Strain.SPADES, False),
                    ParContract("EW", 4, Strain.HEARTS, False),
                ),
            ),
        ),
        ('[Minimax "4HS420"]', Par(420, (ParContract("S", 4, Strain.HEARTS, False),))),
        ('[Minimax "6HDE800"]', Par(800, (ParContract("E", 6, Strain.HEARTS, True),))),
        ('[Minimax "4SW-420"]', Par(-420, (ParContract("W", 4, Strain.SPADES, False),))),
        ('[Minimax "7NS0"]', Par(0)),
        ('[ParContract "NS 4H=; NS 4S="]', Par(None, (FOUR_HEARTS, FOUR_SPADES))),
        ('[ParContract "E 3H="]', Par(None, (ParContract("E", 3, Strain.HEARTS, False, 0),))),
        ('[ParContract "EW 3DX-1"]', Par(None, (ParContract("EW", 3, Strain.DIAMONDS, True, -1),))),
        ('[ParContract "EW 1S+2"]', Par(None, (ParContract("EW", 1, Strain.SPADES, False, 2),))),
        (
            '[OptimumScore "NS 420"]\n[Minimax "4HS420"]\n[ParContract "NS 4H=; NS 4S="]',
            Par(420, (FOUR_HEARTS, FOUR_SPADES)),
        ),
        ('[OptimumScore "?"]', None),
        ('[OptimumScore ""]\n[Minimax "nonsense"]\n[ParContract "?"]', None),
    ],
)
def test_every_dialect_of_par(tag: str, expected: Par | None) -> None:
    assert par(one(tag)) == expected
