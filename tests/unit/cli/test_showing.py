"""Hands of a set still to be played: who may see, print or rewrite them, when, and what is written down."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from controller.cli import generate
from controller.cli.main import run
from controller.cli.output import Exit, Session
from controller.cli.showing import DATABASE
from controller.cli.stores import open_beside
from controller.jobs.kept import GENERATED, entries_of
from controller.store import DealingState, Kind, Observation
from controller.store.database import DATABASE_FILE
from deals import setcode
from deals.boards import Board
from deals.cards import CARDS
from deals.files import read_deals_file, write_deals
from deals.generate import Source
from tests.unit.records.page import pages
from tests.unit.store.support import quick_passphrases

PHRASE = "four words are long"
DIRECTOR = ("--passphrase-file", "phrase")
DEALS = Source(b"secret" * 6, "a").deals(range(1, 13))
BOARDS = [Board.standard(number, deal) for number, deal in enumerate(DEALS, 1)]
QUICK = ("--no-double-dummy",)


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Calls the program; gives exit code, JSON and stderr. Ann directs."""
    quick_passphrases(monkeypatch)
    quick = partial(setcode.set_code, cost=setcode.QUICK_COST)
    monkeypatch.setattr(setcode, "set_code", quick)
    monkeypatch.setattr(generate, "set_code", quick)
    monkeypatch.setenv("PREDEAL_STATE", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    Path("phrase").write_text(PHRASE)
    Path("a.pbn").write_bytes(write_deals(BOARDS, "pbn").data)

    def called(*arguments: str):
        code = run([*arguments, "--json"], Session())
        out, err = capsys.readouterr()
        return code, json.loads(out) if out else None, err

    assert called("director", "set", "Ann", *DIRECTOR)[0] == Exit.DONE
    return called


@pytest.fixture
def code(call) -> str:
    return call("set", "import", "a.pbn", "--event", "Cup", "--title", "Friday", "--site", "Club")[
        1
    ]["set"]


def logged(state: Path, what: str) -> list[dict]:
    with open_beside(state) as store:
        return [json.loads(one.details) for one in store.logbook.entries() if one.what == what]


SHOWN = [
    ("files", "show", "a.pbn"),
    ("files", "show", "a.pbn", "--boards", "3"),
    ("files", "convert", "a.pbn", "b.dup"),
    ("records", "a.pbn", "-o", "b.pdf", *QUICK),
    ("records", "a.pbn", "-o", "b.pdf", "--layout", "curtain"),
    ("by-hand", "a.pbn", "-o", "b.pdf"),
]


def test_the_file_of_a_live_set_needs_the_director(call, code, tmp_path) -> None:
    for arguments in SHOWN:
        result, told, err = call(*arguments)
        assert (result, told["error"]["code"]) == (Exit.COULD_NOT, "director.no_passphrase")
        assert f"of the live set {code} are among these deals" in err
        assert [path.name for path in tmp_path.glob("b.*")] == []
        assert not any(board.deal.pbn() in err + str(told) for board in BOARDS)
    for arguments in SHOWN:
        assert call(*arguments, *DIRECTOR)[0] == Exit.DONE
    entered = logged(tmp_path / "state", "director entered")[-len(SHOWN) :]
    assert {one["set"] for one in entered} == {code}
    assert {one["purpose"] for one in entered} == {"hands shown", "hands written", "hands printed"}
    call("set", "end", code, *DIRECTOR)
    for arguments in SHOWN[:4]:
        assert call(*arguments)[0] == Exit.DONE


def test_a_file_that_is_not_kept_is_no_secret(call) -> None:
    for arguments in SHOWN[:3]:
        assert call(*arguments)[0] == Exit.DONE


def test_one_deal_of_a_live_set_among_others_is_enough(call, code) -> None:
    other = Source(b"secret" * 6, "b").deals(range(1, 4))
    mixed = [Board.standard(n, deal) for n, deal in enumerate([*other, DEALS[8]], 1)]
    Path("c.pbn").write_bytes(write_deals(mixed, "pbn").data)
    assert call("files", "show", "c.pbn", "--boards", "1-3")[0] == Exit.DONE
    result, _, err = call("files", "show", "c.pbn")
    assert result == Exit.COULD_NOT
    assert f"Boards 9 of the live set {code}" in err


def test_a_sealed_set_is_known_by_its_code(call, code) -> None:
    call("set", "seal", code, *DIRECTOR)
    assert call("files", "show", "a.pbn")[0] == Exit.COULD_NOT


@pytest.mark.parametrize(
    "arguments", [("records", "--layout", "traveller"), ("labels", "--box", "A")]
)
def test_papers_without_cards_are_for_everybody(call, code, arguments) -> None:
    command, *options = arguments
    assert call(command, code, "-o", "b.pdf", *options)[0] == Exit.DONE


def test_reprint_by_code_with_the_words_of_the_import(call, code, tmp_path) -> None:
    result, _, err = call("records", code, "-o", "b.pdf", *QUICK)
    assert result == Exit.COULD_NOT
    assert "Boards 1-12 of the live set" in err
    made = call("records", code.lower(), "-o", "b.pdf", "--export", "x", *QUICK, *DIRECTOR)[1]
    assert (made["set"], made["boards"]) == (code, 12)
    (page,) = pages(Path("b.pdf").read_bytes())
    assert "Friday" in page.text and "Cup" in page.text and f"Set {code}" in page.text
    assert "From file a, randomness not checked" in page.text
    assert b'[Site "Club"]' in Path("x/b.pbn").read_bytes()
    exports = call("set", "show", code)[1]["exports"]
    assert {Path(one["file"]).name for one in exports} >= {"b.pdf", "b.pbn", "b.dup", "b.lin"}
    assert logged(tmp_path / "state", "records printed")[0]["set"] == code
    call("set", "end", code, *DIRECTOR)
    assert call("records", code, "-o", "c.pdf", *QUICK, "--title", "Later")[0] == Exit.DONE
    assert "Later" in pages(Path("c.pdf").read_bytes())[0].text


def test_a_barometer_goes_out_round_by_round(call, code) -> None:
    hold = ("set", "hold", code, "--rounds", "1-4/5-8", "--at", "2020-01-01T20:00")
    assert call(*hold)[0] == Exit.COULD_NOT
    rounds = call(*hold, *DIRECTOR)[1]["rounds"]
    assert [(one["boards"], one["open"]) for one in rounds] == [("1-4", True), ("5-8", False)]
    assert call("records", code, "-o", "b.pdf", "--boards", "2-4", *QUICK)[0] == Exit.DONE
    assert call("records", "a.pbn", "-o", "b.pdf", "--boards", "2-4", *QUICK)[0] == Exit.DONE
    for boards in ("4-5", "9"):  # boards of no round are held while the set is live
        result, _, _ = call("records", code, "-o", "c.pdf", "--boards", boards, *QUICK)
        assert (result, Path("c.pdf").exists()) == (Exit.COULD_NOT, False)
    assert call("records", code, "-o", "c.pdf", "--released", *QUICK)[1]["boards"] == 4
    assert call("set", "release", code, "--round", "2")[0] == Exit.COULD_NOT
    assert call("set", "release", code, "--round", "2", *DIRECTOR)[1]["rounds"][1]["by"] == "Ann"
    assert call("records", code, "-o", "c.pdf", "--released", *QUICK)[1]["boards"] == 8
    assert call("set", "rounds", code)[1]["rounds"][1]["open"] is True


def test_a_release_for_later_holds_after_the_end_of_play_too(call, code) -> None:
    at = "2999-01-01T20:00"
    call("set", "hold", code, "--rounds", "1-6", "--at", at, *DIRECTOR)
    call("set", "end", code, *DIRECTOR)
    assert call("records", code, "-o", "b.pdf", *QUICK)[0] == Exit.COULD_NOT
    assert call("records", code, "-o", "b.pdf", "--released", *QUICK)[1]["boards"] == 6
    call("set", "release", code, *DIRECTOR)
    assert call("records", code, "-o", "b.pdf", *QUICK)[1]["boards"] == 12


def test_nothing_is_released_yet(call, code) -> None:
    result, told, _ = call("records", code, "-o", "b.pdf", "--released", *QUICK)
    assert (result, told["error"]["code"]) == (Exit.COULD_NOT, "records.none_released")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--rounds", "1-4/4-8"), "are in two rounds"),
        (("--rounds", "1-4/11-14"), "The set has no boards 13-14"),
        (("--rounds", "1-4", "--at", "25:00"), "is no time"),
        (("--rounds", "1-4", "--at", "20:00", "--at", "21:00"), "more times than rounds"),
    ],
)
def test_rounds_that_cannot_be(call, code, options, message) -> None:
    result, _, err = call("set", "hold", code, *options, *DIRECTOR)
    assert result in (Exit.COULD_NOT, Exit.WRONG_USAGE)
    assert message in err


def test_after_a_new_deal_only_the_new_set_is_printed(call, code, tmp_path) -> None:
    anew = [*BOARDS[:4], Board.standard(5, Source(b"x" * 32, "b").deal(5)), *BOARDS[5:]]
    with open_beside(tmp_path / "state") as store:
        old = store.sets.find(code)
        after = setcode.set_code(anew)
        store.sets.add(
            code=after,
            name="a",
            source=b"",
            boards=entries_of(anew),
            replaces=old.id,
            redealt={5: 1},
            about=old.about,
        )
    result, told, err = call("records", code, "-o", "b.pdf", *QUICK, *DIRECTOR)
    assert (result, told["error"]["code"]) == (Exit.COULD_NOT, "records.replaced")
    assert after in err
    assert call("records", after, "-o", "b.pdf", *QUICK, *DIRECTOR)[0] == Exit.DONE
    (page,) = pages(Path("b.pdf").read_bytes())
    assert page.text.count("New deal: replaces the earlier one") == 1


def left_half_done(state: Path, code: str, cards: list[int], wrong: bool = False) -> None:
    """A journal that says of board 7: these cards landed in their pockets, then it stopped."""
    with open_beside(state) as store:
        journal = store.journal
        dealing = journal.open_board(
            store.sets.find(code).id, 7, 1, profile="standard", design="identity"
        )
        journal.begin_run(dealing, 1)
        for feed, card in enumerate(cards, 1):
            pocket = BOARDS[6].deal.seat_of(CARDS[card]) + (wrong and feed == len(cards))
            journal.intent(dealing, feed, card, pocket % 4)
            journal.record(dealing, [Observation(Kind.LANDED, feed, pocket=pocket % 4)])
        journal.intent(dealing, len(cards) + 1, 51, 2)  # on its way when the power went
        journal.close_board(dealing, DealingState.STOPPED, "jam")


def test_the_sheet_of_a_half_done_board_comes_from_the_journal(call, code, tmp_path) -> None:
    left_half_done(tmp_path / "state", code, list(range(0, 40, 2)))
    wish = ("by-hand", code, "-o", "b.pdf", "--boards", "7", "--half-done")
    assert call(*wish)[0] == Exit.COULD_NOT
    assert call(*wish, *DIRECTOR)[0] == Exit.DONE
    (page,) = pages(Path("b.pdf").read_bytes())
    assert sum(run.text == "·" for run in page.runs) == 20
    seats = [BOARDS[6].deal.seat_of(CARDS[card]) for card in range(0, 40, 2)]
    counts = " ".join(f"{'NESW'[seat]} {seats.count(seat)}" for seat in range(4))
    assert f"Now in the pockets: {counts}." in page.text


def test_a_half_done_board_in_doubt_is_dealt_whole(call, code, tmp_path) -> None:
    left_half_done(tmp_path / "state", code, [3, 4, 5], wrong=True)
    wish = ("by-hand", code, "-o", "b.pdf", "--half-done", *DIRECTOR)
    result, told, _ = call(*wish, "--boards", "7")
    assert (result, told["error"]["code"]) == (Exit.COULD_NOT, "byhand.doubtful")
    result, told, _ = call(*wish, "--boards", "8")
    assert (result, told["error"]["code"]) == (Exit.COULD_NOT, "byhand.nothing_begun")
    assert call(*wish)[0] == Exit.WRONG_USAGE
    assert not Path("b.pdf").exists()


def test_the_name_of_the_database_is_that_of_the_store() -> None:
    assert DATABASE == DATABASE_FILE


def test_exports_of_a_file_that_is_kept_are_known_too(call, code) -> None:
    call("records", "a.pbn", "-o", "b.pdf", *QUICK, *DIRECTOR)
    names = [Path(one["file"]).name for one in call("set", "show", code)[1]["exports"]]
    assert names == ["b.pdf"]
    assert read_deals_file("a.pbn").boards == tuple(BOARDS)


def test_what_was_generated_here_is_said_to_be_uniform_until_it_is_changed(call) -> None:
    call("generate", "--boards", "1-4", "-o", "g.pbn")
    assert call("records", "g.pbn", "-o", "b.txt", *QUICK)[0] == Exit.DONE
    assert "Computer dealt, uniform" in Path("b.txt").read_text()
    made = call("set", "import", "g.pbn")[1]
    assert made["origin"] == "generated"
    assert call("records", made["set"], "-o", "b.pdf", *QUICK, *DIRECTOR)[0] == Exit.DONE
    (page,) = pages(Path("b.pdf").read_bytes())
    assert "Computer dealt, uniform" in page.text
    kept = read_deals_file("g.pbn").boards
    changed = [Board.standard(1, DEALS[0]), *kept[1:]]
    Path("h.pbn").write_bytes(write_deals(changed, "pbn").data)
    call("records", "h.pbn", "-o", "c.txt", *QUICK, *DIRECTOR)
    assert "From file h.pbn, randomness not checked" in Path("c.txt").read_text()
    assert generate._LOGGED_SET == GENERATED


def test_a_teaching_set_made_here_is_not_called_uniform(call) -> None:
    call("generate", "--boards", "1-2", "-o", "t.pbn", "--constraint", "hcp(n) >= 12")
    call("records", "t.pbn", "-o", "b.txt", *QUICK)
    assert "TEACHING" in Path("b.txt").read_text()
