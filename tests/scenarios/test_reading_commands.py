"""The commands of jobs that read cards: exit codes, one JSON document, no card where none may be."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from reading import setup
from room import SIXTEEN, boards

from controller.cli import reading_run
from controller.cli.main import run
from controller.cli.output import Session
from controller.cli.stores import open_beside
from controller.store import DealingState
from deals.cards import Seat
from deals.files import read_deals_file
from deals.setcode import QUICK_COST, set_code
from tests.unit.cli.test_sets import PHRASE
from tests.unit.store.support import open_store, quick_passphrases
from vision.tested import kept_tests

A_CARD = re.compile(r"\b(?:S|H|D|C)[AKQJT2-9]\b")


class Terminal:
    """Runs commands on a machine whose camera sees numbers."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: object) -> tuple[int, str, str]:
        """Exit code, stdout, stderr."""
        code = run([str(argument) for argument in arguments], Session())
        printed = self._capsys.readouterr()
        return int(code), printed.out, printed.err

    def json(self, *arguments: object) -> tuple[int, Any, str]:
        """Exit code, the one document, stderr."""
        code, out, err = self(*arguments, "--json")
        return code, json.loads(out), err


@pytest.fixture
def predeal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Terminal:
    def with_numbers(options: dict[str, Any], pace: object) -> Any:
        faults = [str(fault) for fault in options["faults"]]
        return setup(
            *faults,
            operator=options["operator"],
            seed=options["seed"],
            state_dir=options["state"],
        )

    monkeypatch.setattr(reading_run, "twin_setup", with_numbers)
    # The code of a set takes a second of work, each time.
    monkeypatch.setattr("deals.setcode.set_code", lambda of: set_code(of, QUICK_COST))
    quick_passphrases(monkeypatch)
    monkeypatch.delenv("PREDEAL_PASSPHRASE", raising=False)
    monkeypatch.setenv("PREDEAL_DESIGNS", str(tmp_path / "designs"))
    return Terminal(capsys)


def hands(contents: dict[str, Any]) -> list[str]:
    return [contents[seat.name] for seat in Seat]


CHECK = ("check", SIXTEEN, "--board", 5, "--twin")


def test_a_board_that_is_right(predeal: Terminal) -> None:
    code, told, err = predeal.json(*CHECK)
    assert (code, err, told["same"]) == (0, "", True)
    assert told["copies"][0]["conclusion"] == "same"
    assert told["copies"][0]["counts"] == dict.fromkeys("NESW", 13)
    assert predeal(*CHECK)[1] == "Board 5, against its record: the same.\n"


def test_a_difference_is_told_without_a_card_and_never_called_fouled(predeal: Terminal) -> None:
    code, told, err = predeal.json(*CHECK, "--copies", "A,B", "--played", "exchanged@B")
    assert code == 1
    assert [copy["conclusion"] for copy in told["copies"]] == ["same", "differs"]
    assert (told["alike"], told["groups"]) == (False, [["A"], ["B"]])
    assert "Copies of board 5 differ: Director, Law 87." in err
    spoken = json.dumps([copy["findings"] for copy in told["copies"]]) + err
    assert not A_CARD.search(spoken)
    assert "foul" not in spoken.lower()


def test_who_may_see_cards_is_told_which_and_since_when(predeal: Terminal) -> None:
    _, _, err = predeal.json(*CHECK, "--copies", "A,B", "--played", "exchanged@B", "--reveal")
    assert len(re.findall(r"\w\w: in copy A in \w+, since copy B in \w+\.", err)) == 2


def test_the_cards_of_another_board_are_known(predeal: Terminal) -> None:
    _, told, err = predeal.json(*CHECK, "--played", "other_board")
    assert told["copies"][0]["other_board"] == 6
    assert "These are the cards of board 6 (Law 15)" in err
    assert "predeal restore" not in err


def test_a_check_that_waits_says_what_to_do(predeal: Terminal) -> None:
    code, told, _ = predeal.json(*CHECK, "--fault", "jam_window")
    assert (code, told["waiting"], told["copies"][0]["conclusion"]) == (3, True, None)
    assert told["stops"][0]["steps"] == ["free_jam", "collect_hand"]
    assert "Leave the other pockets alone" in told["stops"][0]["message"]


def test_restore_deals_it_right_again(predeal: Terminal, tmp_path: Path) -> None:
    here = ("--state", tmp_path / "state")
    wanted = [boards()[4].deal.hand_pbn(seat) for seat in Seat]
    restore = ("restore", SIXTEEN, "--board", 5, "--twin", "--played", "exchanged", *here)
    code, told, _ = predeal.json(*restore)
    assert (code, told["proven"], told["voided"]) == (0, True, False)
    assert hands(told["contents"]) == wanted
    # The second time the proof of the first is void before a card moves.
    code, told, _ = predeal.json(*restore)
    assert (code, told["proven"], told["voided"]) == (0, True, True)


def test_a_command_writes_the_rows_of_a_daemon(predeal: Terminal, tmp_path: Path) -> None:
    here = ("--state", tmp_path / "state")

    def rows() -> list[tuple[str, dict[str, Any]]]:
        with open_beside(tmp_path / "state") as store:
            return [
                (entry.what, json.loads(entry.details))
                for entry in store.logbook.entries()
                if entry.what.startswith("task.")
            ]

    predeal.json(*CHECK, *here)
    begun, *hands_read, ended = rows()
    assert begun[0] == "task.begun"
    assert (begun[1]["kind"], begun[1]["board"]) == ("check", 5)
    assert [(what, of["hand"]) for what, of in hands_read] == [("task.hand", n) for n in "NESW"]
    assert (ended[0], ended[1]["why"]) == ("task.ended", "done")
    assert {of["id"] for _, of in rows()} == {begun[1]["id"]}
    predeal.json("restore", SIXTEEN, "--board", 5, "--twin", *here, "--fault", "jam_window")
    begun, ended = rows()[6:]
    assert (begun[1]["kind"], ended[1]["why"]) == ("restore", "given up")


def test_adopt_makes_what_was_played_the_record_of_that_board_alone(
    predeal: Terminal, tmp_path: Path
) -> None:
    output = tmp_path / "adopted.pbn"
    adopt = ("adopt", SIXTEEN, "--board", 5, "--twin", "-o", output)
    who = ("--director", "Ann", "--reason", "played so at both tables")
    assert predeal(*adopt)[0] == 2
    code, told, _ = predeal.json(*adopt, *who, "--played", "exchanged")
    assert (code, told["adopted"], told["changed"]) == (0, True, True)
    after = read_deals_file(output).boards
    assert [after[4].deal.hand_pbn(seat) for seat in Seat] == hands(told["contents"])
    others = [n for n in range(16) if after[n].deal != boards()[n].deal]
    assert others == [4]
    assert told["set"] != told["set_before"]

    assert predeal(*adopt, "--reason", "x")[0] == 2  # nobody said who decides it
    assert (
        "; Board 5: what was played is its record (Law 87), as Ann decided." in output.read_text()
    )


class Kept:
    """The set of SIXTEEN in a store, Ann its director."""

    def __init__(self, predeal: Terminal, folder: Path) -> None:
        self.predeal = predeal
        self.state, phrase = folder / "state", folder / "phrase"
        phrase.write_text(PHRASE)
        self.here = ("--state", self.state)
        self.ann = ("--passphrase-file", phrase)
        predeal("director", "set", "Ann", *self.ann, *self.here)
        self.code = predeal.json("set", "import", SIXTEEN, *self.here)[1]["set"]

    def adopt(self, *more: object, named: object = SIXTEEN) -> tuple[int, Any, str]:
        """Adopts board 5 from the file, or of a set by its code, for a reason."""
        so = ("adopt", named, "--board", 5, "--twin", "--reason", "played so", *self.here)
        return self.predeal.json(*so, *more)

    def rows(self, what: str) -> list[Any]:
        """Of the logbook."""
        with open_beside(self.state) as store:
            return [one for one in store.logbook.entries() if one.what == what]


def test_of_a_kept_set_only_the_director_adopts(predeal: Terminal, tmp_path: Path) -> None:
    kept = Kept(predeal, tmp_path)
    (tmp_path / "wrong").write_text("some other words")
    code, told, _ = kept.adopt("--director", "Ann", "-o", tmp_path / "new.pbn")
    assert (code, told["error"]["code"]) == (1, "director.no_passphrase")
    code, told, _ = kept.adopt("--passphrase-file", tmp_path / "wrong")
    assert (code, told["error"]["code"]) == (1, "director.wrong")
    assert kept.rows("task.begun") == []
    assert not (tmp_path / "new.pbn").exists()
    with open_beside(kept.state) as store:
        assert store.sets.find(kept.code).replaced_by is None


def test_an_adopted_record_takes_the_place_of_the_one_that_was(
    predeal: Terminal, tmp_path: Path
) -> None:
    kept = Kept(predeal, tmp_path)
    exported = tmp_path / "exported.pbn"
    predeal("set", "export", kept.code, "-o", exported, *kept.ann, *kept.here)
    with open_store(kept.state) as store:
        info = store.sets.find(kept.code)
        for copy, box in enumerate("AB", 1):
            dealing = store.journal.open_board(
                info.id, 5, copy, profile="standard", design="identity"
            )
            store.journal.close_board(dealing, DealingState.PROVEN)
            store.boxes.name(info.id, copy, box)
    output = tmp_path / "adopted.pbn"
    code, told, _ = kept.adopt("--played", "exchanged", *kept.ann, "-o", output)
    assert (code, told["adopted"], told["changed"]) == (0, True, True)
    assert (told["replaces"], told["void"], told["stale"]) == (
        kept.code,
        ["A", "B"],
        [str(exported)],
    )
    with open_beside(kept.state) as store:
        old, new = store.sets.find(kept.code), store.sets.find(told["set"])
        assert (old.replaced_by, new.replaces, new.origin) == (new.id, old.id, "adopted")
        record = [entry.deal for entry in store.sets.boards(new.id)]
        assert store.journal.copies_dealt(new.id, 5) == []
        assert [one.path for one in store.exports.of(new.id)] == [str(output)]
        assert store.logbook.broken() == []
    assert record[4] == "N:" + " ".join(hands(told["contents"]))
    others = [n for n in range(16) if record[n] != boards()[n].deal.pbn()]
    assert others == [4]
    assert [board.deal.pbn() for board in read_deals_file(output).boards] == record
    (row,) = kept.rows("adopted")
    assert (row.actor, row.role, json.loads(row.details)["reason"]) == (
        "Ann",
        "director",
        "played so",
    )
    # The file is of a set that is no more: nobody is sent to read a board for it.
    code, told, _ = kept.adopt(*kept.ann)
    assert (code, told["error"]["code"]) == (1, "store.set_replaced")
    assert len(kept.rows("task.begun")) == 1


def test_a_kept_set_is_adopted_by_its_code_without_any_file(
    predeal: Terminal, tmp_path: Path
) -> None:
    kept = Kept(predeal, tmp_path)
    code, told, _ = kept.adopt("--played", "exchanged", named=kept.code)
    assert (code, told["error"]["code"]) == (1, "director.no_passphrase")
    code, told, _ = kept.adopt("--played", "exchanged", *kept.ann, named=kept.code)
    assert (code, told["adopted"], told["replaces"]) == (0, True, kept.code)
    first = told["set"]
    # What was dealt anew has no file any more: the next is adopted to the set that it became.
    code, told, _ = kept.adopt("--played", "displaced", *kept.ann, named=first)
    assert (code, told["adopted"]) == (1, False)
    code, told, _ = kept.adopt("--played", "exchanged", *kept.ann, named=first)
    assert (code, told["replaces"]) == (0, first)
    code, told, _ = kept.adopt(*kept.ann, named=kept.code)
    assert (code, told["error"]["code"]) == (1, "store.set_replaced")


def test_what_lies_as_recorded_replaces_nothing(predeal: Terminal, tmp_path: Path) -> None:
    kept = Kept(predeal, tmp_path)
    code, told, _ = kept.adopt(*kept.ann)
    assert (code, told["adopted"], told["changed"]) == (0, True, False)
    assert (told["set"], told["replaces"]) == (kept.code, None)
    assert len(kept.rows("adopted")) == 1


def test_what_is_no_deal_is_not_adopted(predeal: Terminal, tmp_path: Path) -> None:
    output = tmp_path / "adopted.pbn"
    who = ("--director", "Ann", "--reason", "x", "-o", output)
    code, _, err = predeal("adopt", SIXTEEN, "--board", 5, "--twin", *who, "--played", "missing")
    assert code == 1 and not output.exists()
    assert "is no deal" in err and not A_CARD.search(err)


def test_record_writes_what_players_dealt(predeal: Terminal, tmp_path: Path) -> None:
    output = tmp_path / "tables.dup"
    code, told, _ = predeal.json("record", "--boards", "1-2", "-o", output, "--twin")
    assert (code, told["recorded"]) == (0, 2)
    (_, last) = read_deals_file(output).boards
    assert [last.deal.hand_pbn(seat) for seat in Seat] == hands(told["contents"])
    assert not A_CARD.search(json.dumps([board["findings"] for board in told["boards"]]))
    code, _, err = predeal(
        "record", "--boards", "1-2", "-o", tmp_path / "no.pbn", "--twin", "--played", "surplus"
    )
    assert code == 1 and not (tmp_path / "no.pbn").exists()
    assert "Nothing was written" in err


def test_deck_check_names_what_is_wrong(predeal: Terminal) -> None:
    code, told, _ = predeal.json("deck", "check", "--twin")
    assert (code, told["pack"]) == (0, True)
    code, told, err = predeal.json("deck", "check", "--twin", "--fault", "duplicate_card")
    assert (code, told["pack"], len(told["missing"]), len(told["double"])) == (1, False, 1, 1)
    assert f"Missing in this pack: {told['missing'][0]}" in err


def test_deck_test_is_kept_with_the_design(predeal: Terminal) -> None:
    for rounds in (1, 2):
        code, told, _ = predeal.json("deck", "test", "--rounds", rounds, "--twin")
        assert (code, told["accepted"], told["readings"]) == (0, True, 52 * rounds)
    assert [test["rounds"] for test in kept_tests("standard")] == [1, 2]
    assert all(test["twin"] for test in kept_tests("standard"))


def test_sort_and_scramble(predeal: Terminal) -> None:
    code, told, _ = predeal.json("sort", "--twin")
    assert (code, told["sorted"]) == (0, True)
    assert told["contents"]["N"] == "AKQJT98765432..."
    code, told, _ = predeal.json("scramble", "--boards", "1-2", "--twin")
    assert (code, told["scrambled"]) == (0, [1, 2])
    # The system's randomness: the same seed is another scramble.
    assert predeal.json("scramble", "--boards", "1-2", "--twin")[1]["contents"] != told["contents"]


def test_wrong_usage_says_what_is_known(predeal: Terminal) -> None:
    code, _, err = predeal(*CHECK, "--played", "burnt")
    assert code == 2 and "displaced" in err
    assert predeal(*CHECK, "--copies", "A,A")[0] == 2
    code, _, err = predeal("check", SIXTEEN, "--board", 99, "--twin")
    assert code == 1 and "99" in err
