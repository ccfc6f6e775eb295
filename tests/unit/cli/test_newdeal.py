"""`predeal new-deal`, `same-hands`, and `deal` of a set by its code, with a state of their own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from controller.bench.identity import IdentityPictures, IdentityReader
from controller.cli.main import run
from controller.cli.output import Exit, Session
from controller.geometry import PROFILES
from controller.jobs.errors import JobError
from controller.twin.session import TwinSetup
from deals.files import write_deals
from deals.setcode import QUICK_COST, set_code
from tests.unit.cli.test_sets import PHRASE, boards
from tests.unit.store.support import quick_passphrases

DIRECTOR = ("--passphrase-file", "phrase")
STATE = ("--state", "state")


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Calls the program; the twin reads without images. Exit code, JSON, stderr."""
    quick_passphrases(monkeypatch)
    monkeypatch.setattr("deals.setcode.set_code", lambda b: set_code(b, QUICK_COST))
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PREDEAL_STATE", raising=False)
    monkeypatch.delenv("PREDEAL_PASSPHRASE", raising=False)
    (tmp_path / "phrase").write_text(PHRASE)
    (tmp_path / "a.pbn").write_bytes(write_deals(boards(), "pbn").data)

    def setup(options, pace) -> TwinSetup:
        from controller.cli.kept import plan_of

        return TwinSetup(
            profile=PROFILES["standard"],
            pictures=IdentityPictures(),
            reader=IdentityReader(),
            design="identity",
            copies=options.get("copies", 1),
            again=options.get("again", False),
            plan=options.get("plan") or plan_of(options),
            over=options.get("over", False),
            state_dir=options["state"],
        )

    monkeypatch.setattr("controller.cli.deal.twin_setup", setup)
    monkeypatch.setattr("controller.cli.newdeal.twin_setup", setup)

    def called(*arguments: str):
        code = run([*arguments, "--json"], Session())
        out, err = capsys.readouterr()
        return code, json.loads(out) if out else None, err

    called("director", "set", "Ann", *DIRECTOR, *STATE)
    return called


@pytest.fixture
def code(call) -> str:
    return call("set", "import", "a.pbn", *STATE)[1]["set"]


def dealt(told) -> list[tuple[int, int, bool]]:
    return [(one["board"], one["copy"], one["proven"]) for one in told["boards"]]


def test_a_kept_set_is_dealt_by_its_code_and_dealt_anew(call, code):
    result, told, _ = call("deal", code, "--twin", *STATE, "--boards", "1-2", "--box", "A")
    assert (result, told["set"]) == (Exit.DONE, code)
    assert dealt(told) == [(1, 1, True), (2, 1, True)]
    dry = call("new-deal", code, "2", "--dry-run", *STATE)[1]
    assert (dry["allowed"], dry["copies"]) == (True, ["A"])
    result, told, _ = call("new-deal", code, "2", "--reason", "seen", "--twin", *STATE)
    assert (result, told["replaces"]) == (Exit.DONE, code)
    assert [one["name"] for one in told["void"]] == ["A"]
    assert dealt(told) == [(2, 1, True)]
    # What lies in the pockets is the new deal and not the old one.
    assert told["boards"][0]["contents"]["N"] != boards()[1].deal.pbn()[2:].split()[0]
    told = call("deal", code, "--twin", *STATE, "--boards", "3")[1]
    assert told["error"]["code"] == "store.set_replaced"
    shown = call("set", "list", *STATE)[1]
    assert [one["replaced_by"] is None for one in shown] == [False, True]


def test_a_box_that_was_not_played_waits_for_a_word(call, code):
    call("deal", code, "--twin", *STATE, "--boards", "1", "--box", "A")
    again = ("deal", code, "--twin", *STATE, "--boards", "1", "--again", "--box", "A")
    result, told, err = call(*again)
    assert (result, told["error"]["code"]) == (Exit.WAITS_FOR_PERSON, "box.unplayed")
    assert "predeal box played A" in err
    call("box", "played", "A", *STATE)
    assert call(*again)[0] == Exit.DONE
    assert call(*again, "--over")[0] == Exit.DONE


def test_same_hands_are_dealt_again(call, code):
    call("deal", code, "--twin", *STATE, "--boards", "1-2", "--copies", "2")
    result, told, _ = call("same-hands", code, "2", "--reason", "torn", *STATE)
    assert (result, told["error"]["code"]) == (Exit.COULD_NOT, "job.which_copy")
    told = call("same-hands", code, "2", "--copy", "2", "--reason", "torn", "--twin", *STATE)[1]
    assert dealt(told) == [(2, 2, True)]
    hands = [told["boards"][0]["contents"][seat] for seat in "NESW"]
    assert hands == boards()[1].deal.pbn()[2:].split()


def test_a_team_match_asks_for_the_director(call):
    code = call("set", "import", "a.pbn", "--contest", "teams", *STATE)[1]["set"]
    wish = ("new-deal", code, "2", "--reason", "seen", *STATE)
    result, told, err = call(*wish)
    assert (result, told["error"]["code"]) == (Exit.WAITS_FOR_PERSON, "director.must_confirm")
    assert "Law 86A" in err
    assert call(*wish, *DIRECTOR)[0] == Exit.DONE
    result, _, err = call("new-deal", code, "3", "--result-known", "--reason", "x", *STATE)
    assert result == Exit.COULD_NOT
    assert "is not dealt again" in err


def test_a_sealed_set_is_dealt_with_the_director_only(call, code):
    call("set", "seal", code, *DIRECTOR, *STATE)
    wish = ("deal", code, "--twin", *STATE, "--boards", "1")
    assert call(*wish)[1]["error"]["code"] == "director.no_passphrase"
    assert dealt(call(*wish, *DIRECTOR)[1]) == [(1, 1, True)]


def test_a_twin_does_not_deal_into_the_store_of_a_machine_by_oversight(call, code, monkeypatch):
    monkeypatch.setenv("PREDEAL_STATE", "state")
    assert call("new-deal", code, "2", "--reason", "x", "--twin")[0] == Exit.WRONG_USAGE
    assert call("deal", code, "--twin")[0] == Exit.COULD_NOT
    assert call("set", "show", code)[1]["dealt"] == []


def test_the_state_of_a_machine_takes_its_kind_from_the_first_dealing(call, code):
    assert call("deal", code, "--twin", *STATE, "--boards", "1")[0] == Exit.DONE
    from controller.errors import StoreError
    from controller.store import Store
    from tests.unit.store.support import StepClock, seeded

    with pytest.raises(StoreError, match="never mixed"):
        Store.open(Path("state"), StepClock(), seeded(), twin=False)


@pytest.mark.parametrize("change", ["other", "gone"])
def test_a_file_that_changes_while_it_is_dealt_changes_nothing(call, monkeypatch, change):
    from controller.jobs.deal import DealJob

    run_job = DealJob.run

    def meanwhile(self):
        if change == "gone":
            Path("a.pbn").unlink()
        else:
            Path("a.pbn").write_bytes(write_deals(boards(4, "b"), "pbn").data)
        return run_job(self)

    monkeypatch.setattr(DealJob, "run", meanwhile)
    result, told, err = call("deal", "a.pbn", "--twin", "--boards", "1")
    assert result == Exit.DONE
    hands = [told["boards"][0]["contents"][seat] for seat in "NESW"]
    assert hands == boards()[0].deal.pbn()[2:].split()
    (warning,) = told["warnings"]
    assert "What was dealt is what it held at the start" in warning
    assert warning in err


def test_a_file_that_stays_is_not_spoken_of(call):
    assert call("deal", "a.pbn", "--twin", "--boards", "1")[1]["warnings"] == []


def test_a_disk_that_fails_on_the_way_has_every_card_named(call, monkeypatch):
    from controller.errors import StoreError
    from controller.store.journal import Journal

    intent, count = Journal.intent, []

    def full(self, *arguments, **more):
        count.append(1)
        if len(count) == 20:
            raise StoreError("store.full", path="x", reason="full")
        return intent(self, *arguments, **more)

    monkeypatch.setattr(Journal, "intent", full)
    result, told, err = call("deal", "a.pbn", "--twin", "--boards", "1", *STATE)
    assert (result, told["error"]["code"]) == (Exit.COULD_NOT, "store.full")
    assert "in the hopper" in err


def test_a_code_that_nobody_keeps_is_told_as_such(call, code, tmp_path):
    for command in (("deal",), ("check", "--board", "1"), ("restore", "--board", "1")):
        result, told, err = call(command[0], code, *command[1:], "--twin")
        assert (result, told["error"]["code"]) == (Exit.COULD_NOT, "job.no_such_set_in_twin")
        assert "--state DIR" in err
        (tmp_path / "other").mkdir(exist_ok=True)
        result, told, err = call(command[0], code, *command[1:], "--twin", "--state", "other")
        assert (result, told["error"]["code"]) == (Exit.COULD_NOT, "job.no_such_set")
        assert "kept in other" in err


def test_a_kept_set_is_checked_by_its_code(call, code, monkeypatch):
    taken = {}

    def in_twin(make, kind, as_json, options, boards, **more):
        taken["boards"] = [board.number for board in boards]
        raise JobError("job.nothing_to_deal", file="x")

    monkeypatch.setattr("controller.cli.check.run_in_twin", in_twin)
    told = call("check", code, "--board", "2", "--twin", *STATE)[1]
    assert told["error"]["code"] == "job.nothing_to_deal"
    assert taken["boards"] == [1, 2, 3, 4]


def test_a_sealed_set_is_checked_with_the_director_only(call, code):
    assert call("set", "seal", code, *DIRECTOR, *STATE)[0] == Exit.DONE
    result, told, _ = call("check", code, "--board", "2", "--twin", *STATE)
    assert (result, told["error"]["code"]) == (Exit.COULD_NOT, "director.no_passphrase")


def test_which_boxes_there_are_is_told(call, code):
    assert "nor any other" in call("box", "out", "a", *STATE)[2]
    assert call("deal", code, "--twin", "--box", "A", "--box", "B", *STATE)[0] == Exit.DONE
    assert "There are: A, B." in call("box", "out", "a", *STATE)[2]
    assert "no boards 9" in call("box", "out", "A", "--boards", "2,9", *STATE)[2]
    err = call("same-hands", code, "2", "--box", "C", "--reason", "torn", *STATE)[2]
    assert f"No copy of set {code} lies in box C" in err
    assert "copies of it: A, B." in err


def test_a_new_deal_of_what_was_not_dealt_takes_nothing_back(call, code):
    asked = ("new-deal", code, "2", "--why", "director", "--reason", "seen", "--dry-run", *STATE)
    (found,) = [one for one in call(*asked)[1]["findings"] if "dealt here yet" in one]
    assert "{" not in found
    assert not [one for one in call(*asked)[1]["findings"] if "Take every copy" in one]
