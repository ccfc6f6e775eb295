"""Formats of dealing machines: what writers differ in, and how damage is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from deals.boards import Board
from deals.deal import Deal
from deals.files import read_deals_file, write_deals
from tests.unit.deals.reading import DEAL, OTHER, read, rows, told
from tests.unit.deals.strategies import shuffled

ONE = (1, "N", "None", DEAL)
TWO = (2, "E", "NS", OTHER)


def boards(first: int, count: int) -> list[Board]:
    return [Board.standard(n, shuffled(n)) for n in range(first, first + count)]


def pair(name: str) -> bytearray:
    two = [Board.standard(1, Deal.from_pbn(DEAL)), Board.standard(2, Deal.from_pbn(OTHER))]
    return bytearray(write_deals(two, name).data)


# ---- DUP


def trailers(data: bytes, *trailer: bytes) -> bytes:
    """*data* with these trailers in its boards, the last one in all that remain."""
    parts = []
    for at in range(0, len(data), 156):
        mine = trailer[min(at // 156, len(trailer) - 1)]
        assert len(mine) == 10
        parts.append(data[at : at + 146] + mine)
    return b"".join(parts)


@pytest.mark.parametrize(
    ("first", "trailer"),
    [
        (1, (b"YN1  0 04 ", bytes(10))),  # Big Deal 1.2: in the first board only
        (17, (b"YN17 1 20 ",)),  # the document: highest board
        (17, (b"YN17 1 4  ",)),  # deal-convert: the number of boards
        (17, (b"YN17 1 4  ", bytes(10))),
        (1, (b"YN1  1 04 ",)),  # Big Deal 2.0
        (9, (b"NY  9 1 12",)),
    ],
)
def test_dup_trailers_of_every_writer(first: int, trailer: tuple[bytes, ...]) -> None:
    data = trailers(write_deals(boards(first, 4), "dup").data, *trailer)
    found = read(data)
    assert found.boards == tuple(boards(first, 4))
    assert found.warnings == ()


@pytest.mark.parametrize("last", [b"20 ", b"120"])
def test_dup_of_more_than_99_boards_is_read(last: bytes) -> None:
    data = write_deals(boards(1, 60), "dup").data * 2
    found = read(trailers(data, b"YN1  1 " + last))
    assert [board.number for board in found.boards] == list(range(1, 121))
    assert [w.code for w in found.warnings] == ["file.same_deal_again"]


def test_dup_without_any_trailer_has_no_numbers() -> None:
    data = trailers(write_deals(boards(1, 4), "dup").data, bytes(10))
    assert [w.code for w in read(data).warnings] == ["file.numbers_assumed"]
    assert [b.number for b in read(data, first_board=5).boards] == [5, 6, 7, 8]


def test_dup_whose_trailer_tells_another_count() -> None:
    data = trailers(write_deals(boards(1, 4), "dup").data, b"YN1  1 36 ")
    assert told(read(data).warnings) == [
        "byte 146: The file says boards 1 to 36 but holds 4 boards."
    ]


def test_dupblind() -> None:
    data = bytearray(write_deals(boards(1, 3), "dup").data)
    data[78:146] = b" " * 68
    found = read(bytes(data))
    assert found.format == "dup"
    assert found.boards == tuple(boards(1, 3))
    assert found.warnings == found.problems == ()
    single = bytes(data[:156])
    assert read(single).format == "dup"


def test_dup_with_shuffled_cards_of_a_hand() -> None:
    data = pair("dup")
    data[0:26] = data[24:26] + data[2:24] + data[0:2]
    assert rows(read(bytes(data))) == [ONE, TWO]


def test_dup_whose_drawing_cannot_be_read() -> None:
    data = pair("dup")
    data[80] = 0x06
    found = read(bytes(data))
    assert rows(found) == [ONE, TWO]
    assert told(found.warnings) == [
        "byte 78, board 1: The drawing of the hands cannot be read; the cards were taken from the "
        "card numbers."
    ]


def test_dup_whose_halves_differ() -> None:
    data = pair("dup")
    at = data.index(b"AJ9", 78)
    data[at : at + 3] = b"AJ8"
    found = read(bytes(data))
    assert rows(found) == [TWO]
    assert told(found.problems) == [
        "byte 0, board 1: The two halves of the board (card numbers, drawing) hold different "
        "deals: the file is damaged. Save it once more."
    ]


def test_numbers_that_are_no_cards() -> None:
    data = pair("dup")
    data[2:4] = b"53"
    data[156:158] = data[158:160]
    assert told(read(bytes(data)).problems) == [
        "byte 0, board 1: “53” (number 2 of the board) is no card from 01 to 52.",
        "byte 156, board 2: SK is twice in the hand of North.",
    ]
    data = pair("bri")
    data[130:132] = b"x\xff"
    assert told(read(bytes(data)).problems) == [
        "byte 128, board 2: “78 ff” (number 2 of the board) is no card from 01 to 52."
    ]
    data = pair("bri")
    data[26:28] = data[0:2]
    assert told(read(bytes(data)).problems) == [
        "byte 0, board 1: SA is in two hands: North and East."
    ]


@pytest.mark.parametrize(("name", "size"), [("dup", 156), ("bri", 128), ("dge", 128)])
def test_a_file_cut_off(name: str, size: int) -> None:
    data = bytes(pair(name))
    found = read(data[: size + 40])
    assert rows(found) == [ONE]
    assert told(found.problems) == [
        f"byte {size}, board 2: The file was cut off: 40 bytes of a board of {size}. Copy it once "
        "more."
    ]


@pytest.mark.parametrize("name", ["dup", "bri", "dge"])
def test_filler_lost_at_the_end_is_no_loss(name: str) -> None:
    data = bytes(pair(name))
    assert rows(read(data.rstrip(b" \0"))) == [ONE, TWO]
    assert rows(read(data + b"\x1a")) == [ONE, TWO]


def test_dge_with_a_wrong_card() -> None:
    data = pair("dge")
    data[1:2] = b"K"
    assert told(read(bytes(data)).problems) == [
        "byte 0, board 1: SK is in two hands: North and East."
    ]


# ---- DLM


def dlm(changes: dict[str, str] | None = None, samples: Path | None = None) -> str:
    text = bytes(pair("dlm")).decode()
    for old, new in (changes or {}).items():
        assert old in text
        text = text.replace(old, new, 1)
    return text


@pytest.mark.parametrize(
    "changes",
    [
        {"[Document]": "[DOCUMENT]"},
        {"Checksum=3": "Checksum=003"},
        {"From board=1": "from board = 1"},
        {"Duplicates 01=0": "Duplicates 01=0\nProperty 01=1"},
        {"\r\nDuplicates 99": "\r\nStatistics=\r\nReversed=\r\nDuplicates 99"},
    ],
)
def test_dlm_variants(changes: dict[str, str]) -> None:
    found = read(dlm(changes))
    assert rows(found) == [ONE, TWO]
    assert found.warnings == found.problems == ()


def test_dlm_from_and_to_are_obeyed() -> None:
    real = write_deals(boards(1, 99), "dlm").data.decode()
    text = real.replace("From board=1", "From board=5").replace("To board=99", "To board=7")
    text = text.replace(f"Checksum={1 ^ 1 ^ 99 ^ 1}", f"Checksum={1 ^ 5 ^ 7 ^ 1}")
    found = read(text)
    assert found.boards == tuple(boards(1, 99)[4:7])
    assert found.warnings == ()


def test_dlm_checksum_of_the_file() -> None:
    assert told(read(dlm({"Checksum=3": "Checksum=4"})).warnings) == [
        "The file's checksum is wrong. Are boards 1 to 2 the ones you want?"
    ]


NO_RANGE = {"From board=1\r\n": "", "To board=2\r\n": ""}


def test_dlm_without_range_takes_all_but_filler() -> None:
    found = read(dlm(NO_RANGE))
    assert rows(found) == [ONE, TWO]
    assert [w.code for w in found.warnings] == ["file.dlm_no_range"]


def test_dlm_without_range_and_with_a_board_0() -> None:
    found = read(dlm(NO_RANGE | {"Duplicates 01=0": "Board 00=x"}))
    assert rows(found) == [ONE, TWO]
    assert found.problems == ()


@pytest.mark.parametrize(
    ("changes", "first", "last", "line"),
    [
        ({"From board=1": "From board=x"}, "x", "2", 6),
        ({"To board=2": "To board=300"}, "1", "300", 6),
        ({"From board=1": "From board=7"}, "7", "2", 6),
        ({"To board=2\r\n": ""}, "1", "", 5),
    ],
)
def test_dlm_with_a_damaged_range_is_no_guess(
    changes: dict[str, str], first: str, last: str, line: int
) -> None:
    found = read(dlm(changes))
    assert rows(found) == [ONE, TWO]
    assert told(found.problems) == [
        f"line {line}: Which boards count cannot be told: From board is “{first}”, To board is "
        f"“{last}”; numbers from 1 to 99 are needed, the lower one first. Save the set once more, or "
        "write the right numbers there."
    ]


def test_dlm_sealed() -> None:
    sealed = dlm({"Status=Show": "Status=Sealed", "Checksum=3": "Checksum=2"})
    found = read(sealed)
    assert found.sealed
    assert found.warnings == ()
    assert not read(dlm()).sealed


def test_dlm_encrypted_is_refused() -> None:
    found = read(dlm({"Crypto key=0": "Crypto key=4711"}))
    assert found.boards == ()
    assert told(found.problems) == [
        "line 9: This file is encrypted (its crypto key is not 0). Ask for it without encryption, "
        "or for PBN."
    ]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"Board 01=b": "Board 01=a"}, "The board's checksum is wrong"),
        ({"Board 01=b": "Board 01=z"}, "The deal is not 26 letters from a to p."),
        ({"Board 01=biip": "Board 01=bii"}, "The deal is not 26 letters from a to p."),
        ({"Board 01=": "Bord 01="}, "The file says that this board is in it, but it is not."),
        # Two letters exchanged pass the checksum, and four cards change hands.
        ({"Board 01=bi": "Board 01=ib"}, None),
        # Two letters changed alike pass the checksum, but the hands are no longer 13 cards.
        ({"Board 01=bii": "Board 01=ajj"}, "The board's checksum is wrong"),
    ],
)
def test_dlm_damage(changes: dict[str, str], message: str | None) -> None:
    found = read(dlm(changes))
    if message is None:
        assert len(found.boards) == 2
        return
    assert rows(found) == [TWO]
    (problem,) = told(found.problems)
    assert "board 1" in problem
    assert message in problem


def test_dlm_hands_that_are_not_13() -> None:
    line = dlm().split("\r\n")[11]
    assert line.startswith("Board 01=")
    # 26 letters a give North all cards, and their XOR is 0: a checksum of 1 is right.
    found = read(dlm({line: "Board 01=" + "a" * 26 + "001"}))
    assert told(found.problems) == [
        "line 12, board 1: The hand of North has 52 cards instead of 13."
    ]


# ---- BER, BHG, RZD, CDS, HRF


@pytest.mark.parametrize("blanks", [b"\n", b"\r\n", b" "])
def test_ber_with_blanks(blanks: bytes) -> None:
    data = bytes(pair("ber"))
    assert rows(read(data[:52] + blanks + data[52:] + blanks)) == [ONE, TWO]


def test_ber_damage_and_its_place() -> None:
    data = pair("ber")
    data[60:61] = b"9"
    spaced = bytes(data[:52]) + b"\r\n" + bytes(data[52:])
    assert told(read(spaced).problems) == [
        "byte 54, board 2: “9” (card 9 of the board) is none of the seats 1 to 4."
    ]
    data = pair("ber")
    data[0:1] = b"2"
    assert told(read(bytes(data)).problems) == [
        "byte 0, board 1: The hand of North has 12 cards instead of 13."
    ]
    assert told(read(bytes(pair("ber"))[:-4]).problems) == [
        "byte 52, board 2: The file was cut off: 48 bytes of a board of 52. Copy it once more."
    ]


def test_bhg_gaps_and_damage() -> None:
    two = [Board.standard(3, shuffled(3)), Board.standard(18, shuffled(18))]
    data = write_deals(two, "bhg").data
    assert data.split(b"\r\n").index(b"") == 0
    assert read(data).boards == tuple(two)
    wrong = data.replace(data[8:10], data[9:10] * 2, 1)
    (problem,) = told(read(wrong).problems)
    assert problem.startswith("line 4, board 3: ")
    assert told(read(data.replace(data[8:10], b"7", 1)).problems)[0].startswith(
        "line 4, board 3: The line is not 52 letters: “"
    )


def test_bhg_whose_first_line_is_missing() -> None:
    assert rows(read(bytes(pair("bhg")).lstrip())) == [ONE, TWO]


def test_rzd_count() -> None:
    data = bytes(pair("rzd"))
    assert told(read(b"\x03" + data[1:]).problems) == [
        "byte 0: The file says that it holds 3 boards, but there are 2: it was cut off. Copy it "
        "once more."
    ]
    found = read(b"\x01" + data[1:])
    assert rows(found) == [ONE]
    assert "file.more_boards" in [w.code for w in found.warnings]
    assert [p.code for p in read(data[:-3]).problems] == ["file.cut_off"]


def test_rzd_and_cds_with_hands_that_are_not_13() -> None:
    for name, at, start in (("rzd", 13, 13), ("cds", 15, 14)):
        data = pair(name)
        data[at] ^= 0b01000000
        problems = told(read(bytes(data)).problems)
        assert len(problems) == 1
        assert problems[0].startswith(f"byte {start}, board {start - 12}: The hand of ")


def test_cds_numbers() -> None:
    numbered = [Board.standard(n, shuffled(n)) for n in (7, 200)]
    assert read(write_deals(numbered, "cds").data).boards == tuple(numbered)
    data = pair("cds")
    data[14] = 0
    assert [w.code for w in read(bytes(data)).warnings] == ["file.some_numbers_assumed"]


def hrf(number: str, deal: str, glue: str = " ") -> bytes:
    hands = []
    for hand in Deal.from_pbn(deal).pbn().removeprefix("N:").split(" "):
        hands.append("".join(s + h for s, h in zip("SHDC", hand.split("."), strict=True)))
    return (number + glue + glue.join(hands)).encode("latin-1").ljust(128, b" ")


@pytest.mark.parametrize("glue", [" ", ",", "", "\0"])
def test_hrf(glue: str) -> None:
    for numbers in (("1", "2"), ("\x01", "\x02"), (" 1", " 2")):
        found = read(hrf(numbers[0], DEAL, glue) + hrf(numbers[1], OTHER, glue))
        assert found.format == "hrf"
        assert rows(found) == [ONE, TWO]


def test_hrf_damage() -> None:
    found = read(hrf("1", DEAL) + b"?" * 128 + hrf("2", OTHER).replace(b"AKQ984", b"AKQ98J"))
    assert told(found.problems) == [
        "byte 128: Here should be a board: its number and four hands as S..H..D..C..; it cannot "
        "be read.",
        "byte 256, board 2: SJ is in two hands: North and West.",
    ]


def test_a_real_file_in_each_machine_format_is_not_another(samples: Path) -> None:
    for path in samples.iterdir():
        assert path.suffix[1:] in (read_deals_file(path).format, "txt")
