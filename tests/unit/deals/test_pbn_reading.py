"""PBN as it occurs: every edge case of the format sheet, and bugs other readers had."""

from __future__ import annotations

import codecs

import pytest

from deals.errors import DealFileError
from tests.unit.deals.reading import DEAL, OTHER, game, read, rows, told

ONE = (1, "N", "None", DEAL)
TWO = (2, "E", "NS", OTHER)


def both() -> str:
    return game(1) + game(2, OTHER)


# ---- encodings and line ends (1.10)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(end: str) -> None:
    assert rows(read(both().replace("\n", end))) == [ONE, TWO]


def test_mixed_line_ends_and_their_line_numbers() -> None:
    text = game(1).replace("\n", "\r") + game(2, OTHER).replace("\n", "\r\n")
    text += game(3, DEAL.replace("AJ9", "AJX"))
    found = read(text)
    assert rows(found) == [ONE, TWO]
    assert told(found.problems) == ["line 8, board 3: The hand of North has “X”, which is no rank."]


@pytest.mark.parametrize(
    "data",
    [
        codecs.BOM_UTF8 + both().encode(),
        codecs.BOM_UTF16_LE + both().encode("utf-16-le"),
        codecs.BOM_UTF16_BE + both().encode("utf-16-be"),
        both().encode("utf-16-le"),
        both().encode("utf-16-be"),
        b'[Event "Mi\xeadzy \x9cwiatowe"]\n' + both().encode(),
        b"%Content-type: text/x-pbn; charset=ISO-8859-1\n" + both().encode(),
        both().encode() + b"\x1a",
        both().encode() + b"\0\0\0",
    ],
    ids=["bom", "utf16le", "utf16be", "le-bare", "be-bare", "8-bit", "declared", "eof", "nul"],
)
def test_encodings(data: bytes) -> None:
    assert rows(read(data)) == [ONE, TWO]


# ---- numbers, dealer, vulnerability


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Both ", "All"),
        ("Love", "None"),
        ("-", "None"),
        ("NONE", "None"),
        ("none", "None"),
        ("N-S", "NS"),
        ("N/S", "NS"),
        ("ns", "NS"),
        ("E-W", "EW"),
        ("BOTH", "All"),
        ("all", "All"),
        ("", "None"),
        ("?", "None"),
    ],
)
def test_vulnerability_in_any_spelling(text: str, value: str) -> None:
    found = read(game(1, more=f'[Vulnerable "{text}"]\n'))
    assert found.boards[0].vulnerable.value == value
    assert not [w for w in found.warnings if w.code != "file.own_markings"]


def test_unknown_markings_are_derived_and_said() -> None:
    found = read(game(2, more='[Dealer "X"]\n[Vulnerable "maybe"]\n'))
    assert rows(found) == [(2, "E", "NS", DEAL)]
    assert told(found.warnings) == [
        "line 4, board 2: Dealer “X” is no seat; taken from the board number.",
        "line 4, board 2: Vulnerability “maybe” is not known; taken from the board number.",
    ]


@pytest.mark.parametrize("dealer", ["", "?", None])
def test_a_missing_dealer_follows_from_the_number(dealer: str | None) -> None:
    more = "" if dealer is None else f'[Dealer "{dealer}"]\n'
    found = read(game(3, more=more))
    assert rows(found) == [(3, "S", "EW", DEAL)]
    assert found.warnings == ()


def test_a_dealer_of_ones_own_is_kept_with_a_warning() -> None:
    found = read(game(2, more='[Dealer "N"]\n') + game(3, OTHER, '[Dealer "N"]\n'))
    assert [board.dealer.letter for board in found.boards] == ["N", "N"]
    assert told(found.warnings) == [
        "Dealer or vulnerability is not that of the board number (Law 2), kept as in the file: 2-3."
    ]


@pytest.mark.parametrize("number", ["", "A1", "?", "0", "-1", "1.5", "99999999", "²"])
def test_a_board_without_number_gets_the_next_one(number: str) -> None:
    found = read(game(5) + game(number, OTHER))
    assert rows(found) == [(5, "N", "NS", DEAL), (6, "E", "EW", OTHER)]
    assert told(found.warnings) == ["Some boards have no number; taken in their order as 6."]


def test_numbers_with_zeros_and_blanks() -> None:
    assert [b.number for b in read(game("01") + game(" 12 ", OTHER)).boards] == [1, 12]


def test_no_number_at_all() -> None:
    text = f'[Deal "{DEAL}"]\n\n[Deal "{OTHER}"]\n'
    found = read(text)
    assert [b.number for b in found.boards] == [1, 2]
    assert [w.code for w in found.warnings] == ["file.numbers_assumed"]
    found = read(text, first_board=17)
    assert [b.number for b in found.boards] == [17, 18]
    assert found.warnings == ()


def test_without_numbers_a_deal_repeated_at_once_is_one_board() -> None:
    text = "".join(f'[Deal "{deal}"]\n\n' for deal in (DEAL, DEAL, OTHER, OTHER))
    assert rows(read(text, first_board=1)) == [ONE, TWO]


def test_first_board_is_ignored_where_there_are_numbers() -> None:
    found = read(both(), first_board=17)
    assert rows(found) == [ONE, TWO]
    assert told(found.warnings) == [
        "--first-board 17 ignored: this file has board numbers of its own."
    ]


def test_any_order_is_sorted() -> None:
    assert rows(read(game(2, OTHER) + game(1))) == [ONE, TWO]


# ---- a board many times


def test_one_game_per_table_is_one_board() -> None:
    found = read(both() * 8)
    assert rows(found) == [ONE, TWO]
    assert found.warnings == found.problems == ()


def test_different_deals_under_one_number_are_a_question() -> None:
    found = read(game(1) + game(1, OTHER) + game(2, OTHER))
    assert rows(found) == [TWO]
    assert [b.deal.pbn() for b in found.clashes] == [DEAL, OTHER]
    assert told(found.problems) == [
        "line 5, board 1: Board 1 is there with 2 different deals (line 2, line 5). Which is "
        "right? Delete the others, or number them anew: predeal files convert --renumber 1."
    ]


def test_different_markings_under_one_number_are_a_question_too() -> None:
    marked = '[Dealer "{}"]\n[Vulnerable "None"]\n'
    found = read(game(1, more=marked.format("N")) + game(1, more=marked.format("S")))
    assert found.boards == ()
    assert [p.code for p in found.problems] == ["file.clash_markings"]


def test_markings_left_out_once_are_no_question() -> None:
    found = read(game(1, more='[Dealer "S"]\n[Vulnerable "All"]\n') + game(1))
    assert [(b.dealer.letter, b.vulnerable.value) for b in found.boards] == [("S", "All")]
    assert found.problems == ()


def test_a_game_without_deal_is_the_board_before() -> None:
    for second in (
        '[Board "1"]\n[Room "Closed"]\n\n',
        '[Room "Closed"]\n\n',
        '[Board "#"]\n[Room "Closed"]\n\n',
        '[Board "1"]\n[Deal ""]\n\n',
    ):
        found = read(game(1) + second + game(2, OTHER) + "\n")
        assert rows(found) == [ONE, TWO]
        assert told(found.warnings) == told(found.problems) == []


def test_the_same_deal_without_number_is_the_board_before() -> None:
    found = read(game(4) + f'[Room "Closed"]\n[Deal "{DEAL}"]\n\n' + game(5, OTHER))
    assert [b.number for b in found.boards] == [4, 5]
    assert found.warnings == ()


def test_the_same_deal_under_two_numbers_is_said() -> None:
    found = read(game(1) + game(2))
    assert told(found.warnings) == ["These boards repeat the deal of an earlier number: 2."]


# ---- import format: tags, comments, escapes, sections


def test_inheritance() -> None:
    text = (
        f'[Event "##Open"]\n[Board "7"]\n[Dealer "S"]\n[Vulnerable "All"]\n[Deal "{DEAL}"]\n\n'
        f'[Board "#"]\n[Room "Closed"]\n\n[Board "8"]\n[Deal "{OTHER}"]\n'
    )
    assert rows(read(text)) == [(7, "S", "All", DEAL), (8, "W", "None", OTHER)]


def test_inherited_values_count() -> None:
    marks = '[Dealer "##W"]\n[Vulnerable "##EW"]\n'
    found = read(game(7, more=marks) + game("#") + game(8, OTHER))
    assert rows(found) == [(7, "W", "EW", DEAL), (8, "W", "EW", OTHER)]
    clash = read(game(7) + game("#", OTHER))
    assert [problem.code for problem in clash.problems] == ["file.clash"]


@pytest.mark.parametrize(
    "text",
    [
        f'[ Board "1" ]\n[Deal"{DEAL}"]\n',
        f'[Board "1"] [Deal "{DEAL}"]',
        f'[Board\n"1"\n]\t[Deal\v"{DEAL}" ]\n',
        f'[Board "1"]\n{{a comment with [Deal "x"]\n\n[Board "9"] in it}}\n[Deal "{DEAL}"]\n',
        f'[Board "1"] ; [Deal "nonsense" and {{\n[Deal "{DEAL}"]\n',
        f'% [Board "9"]\n[Board "1"]\n%[Deal "x"]\n[Deal "{DEAL}"]\n',
        f'[Board "1"]\n{{par 140}}\n[Deal "{DEAL}"]\n',
        f'[Board "1"]\n[Deal "{DEAL}"]\n{{par 140}}\n',
        f'[Event "a \\" ] [Board \\"9\\" {{"]\n[Board "1"]\n[Deal "{DEAL}"]\n',
        f'[Board "1"]\n[Board "9"]\n[Deal "{DEAL}"]\n',
        f'[Board "1"]\n[Deal "{DEAL}"]\n[Board "1"]\n[Dealer "N"]\n[Dealer "S"]\n',
        f'[Board "1"]\n[Deal "{DEAL}"]\n[Declarer "?"]\n[Contract "?"]\n[Result "?"]\n',
        f'[Board "1"]\n[Deal "{DEAL}"]\n[Play "W"]\n"; {{" SA\n*\n',
        f'\n\n  \n[BOARD "1"]\n[deal "{DEAL}"]\n \t \n',
        f'[Board "1"]\n[Deal {DEAL}]\n[Dealer N]\n',
        f'<html>junk; {{ [Board "5"]<PBN>\n[Board "1"]\n[Deal "{DEAL}"]\n</PBN>; [Board "3"]',
    ],
)
def test_import_format(text: str) -> None:
    found = read(text)
    assert rows(found) == [ONE]
    assert found.problems == ()


def test_deals_without_a_blank_line_between() -> None:
    text = "".join(f'[Deal "{deal}"]\n' for deal in (DEAL, OTHER))
    assert [b.deal.pbn() for b in read(text).boards] == [DEAL, OTHER]
    text = "".join(f'[Board "{n}"]\n[Deal "{deal}"]\n' for n, deal in ((1, DEAL), (2, OTHER)))
    assert rows(read(text)) == [ONE, TWO]


def test_statistics_after_the_last_game_are_passed_over() -> None:
    found = read(both() + "Generated 10 hands\nProduced 2 hands\n")
    assert rows(found) == [ONE, TWO]
    assert told(found.warnings) == ["line 7: Text between or after the deals was passed over."]


@pytest.mark.parametrize("text", ["# Minimum : 33.6\n# Avg : 33\n", "Minimum : 33.6\n\t12\t3\n"])
def test_statistics_in_any_form(text: str) -> None:
    found = read(game(1) + text + "\n" + game(2, OTHER))
    assert rows(found) == [ONE, TWO]
    assert [warning.code for warning in found.warnings] == ["file.text_ignored"]


def test_big_deals_header_proves_nothing() -> None:
    # First seat N whatever the dealer, LF, and yet it says EXPORT.
    text = "% PBN 2.1\n% EXPORT\n" + game(2, OTHER, '[Dealer "E"]\n[Vulnerable "NS"]\n')
    assert rows(read(text)) == [TWO]


def test_a_comment_without_end_is_a_problem_and_swallows_nothing() -> None:
    found = read(game(1) + "{never closed\n" + game(2, OTHER))
    assert rows(found) == [ONE, TWO]
    assert told(found.problems) == [
        "line 4: A comment opened with a brace is never closed. Put “}” where it ends."
    ]


def test_a_board_that_only_its_place_numbers_is_named_when_it_is_bad() -> None:
    deals = [DEAL, OTHER, DEAL.replace("AJ9", "AJX"), OTHER]
    found = read("".join(f'[Deal "{deal}"]\n' for deal in deals), 17)
    assert [(problem.line, problem.board) for problem in found.problems] == [(3, 19)]


@pytest.mark.parametrize("broken", ['[Deal "N:AJ9', f'[Deal "{DEAL}"', f"[Deal {DEAL}"])
def test_a_broken_tag_is_named(broken: str) -> None:
    found = read(game(2, OTHER) + f'[Board "3"]\n{broken}\n\n' + game(4))
    assert [b.number for b in found.boards] == [2, 4]
    assert told(found.problems) == [
        "line 5, board 3: The tag [Deal is broken: it needs a value in quotes and a closing bracket."
    ]
    assert found.warnings == ()


def test_all_problems_are_listed() -> None:
    wrong = game(1, DEAL.replace("AJ9", "AJX")) + game(2, OTHER) + game(3, "N:- - - -")
    found = read(wrong)
    assert rows(found) == [TWO]
    assert told(found.problems) == [
        "line 2, board 1: The hand of North has “X”, which is no rank.",
        "line 8, board 3: The deal has no cards at all.",
    ]


@pytest.mark.parametrize("text", ["% PBN 2.1\n% EXPORT\n", '[Event ""]\n[Site ""]\n\n'])
def test_a_header_alone_holds_no_deals(text: str) -> None:
    assert told(read(text).problems) == ["No deals in this file."]


def test_a_script_for_dealer_is_no_deal_file() -> None:
    with pytest.raises(DealFileError, match="“test” is no deal file that this program knows"):
        read("produce 10\ncondition hcp(north) > 12\naction printpbn\n")


def test_a_pack_not_shuffled_is_flagged() -> None:
    ranks = "AKQJT98765432"
    found = read(game(1, f"N:{ranks}... .{ranks}.. ..{ranks}. ...{ranks}"))
    assert told(found.warnings) == [
        "These deals show the order of an unshuffled pack (Law 6D2): 1."
    ]
