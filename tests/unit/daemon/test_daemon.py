"""The daemon deals: boards come when asked for, start by themselves, stop for people."""

from __future__ import annotations

import json
from dataclasses import replace

from controller.api.models import ConfirmRequest, DaemonState
from controller.daemon.parts import ConfirmedLabels
from controller.jobs.people import SETTLED_US
from deals.cards import CARDS, Seat
from tests.unit.daemon.club import Club, boards, wanted


def test_a_board_starts_by_itself_when_it_was_seen_to_come():
    club = Club()

    def script():
        yield from club.deal(1, 2)
        yield from club.bring(1)
        yield club.is_in(DaemonState.DEALING)
        yield from club.bring(2)
        assert club.state.job.results[0].proven
        yield club.is_in(DaemonState.IDLE)
        assert club.holds(2)

    club.run(script())
    job = club.state.job
    assert (job.ended, job.reason, job.left) == (True, "All boards are dealt.", [])
    assert [(board.board, board.proven, board.cards) for board in job.results] == [
        (1, True, 52),
        (2, True, 52),
    ]
    assert job.results[0].pockets == dict.fromkeys("NESW", 13)
    truth_us = club.world.timing.machine_us
    assert truth_us is not None
    assert abs(job.results[1].machine_us - truth_us) < 20_000
    kinds = [event.kind for event in club.events.since("life-0")]
    assert kinds.count("job") == 1
    assert kinds.count("card") > 200


def test_the_board_that_lay_there_at_the_start_must_be_taken_out_first():
    before = Club()
    before.run(before.change_board(1))
    club = before.again()

    def script():
        yield from club.deal(1)
        yield club.is_in(DaemonState.WANTS_BOARD)
        yield from club.seconds(5)
        assert club.state.state is DaemonState.WANTS_BOARD
        assert club.state.words == "Take the board out of its slot and put board 1 in."
        yield from club.bring(1, pack=False)
        yield club.is_in(DaemonState.IDLE)

    club.run(script())
    assert club.state.job.results[0].proven


def test_what_is_missing_is_said_one_thing_after_the_other():
    club = Club()
    said = []

    def script():
        hands = club.world.hands
        yield from club.deal(7)
        for deed in (
            lambda: hands.lid(False),
            lambda: hands.put_board(8),
            hands.take_board,
            lambda: hands.put_board(7, backwards=True),
            hands.take_board,
            lambda: hands.put_board(7),
            lambda: hands.lid(True),
            lambda: hands.load_pack(stop_card_behind=True),
        ):
            yield from club.do(deed())
            yield from club.seconds(1)
            said.append(club.state.words)
        yield club.is_in(DaemonState.DEALING)
        assert club.state.wants is None

    club.run(script())
    assert said == [
        "Put board 7 in.",
        "Board 7: Another board is in the slot. Put in the board with the number that is asked for.",
        "Put board 7 in.",
        "Board 7: The board is the wrong way round. Turn the board round.",
        "Put board 7 in.",
        "Board 7: The lid is open. Close the lid.",
        "Board 7: The hopper is empty. Put a pack and its stop card into the hopper.",
        "Board 7 is being dealt.",
    ]


def test_stop_wins_from_anyone_and_the_board_is_dealt_again_only_when_asked():
    club = Club()

    def script():
        yield from club.deal(1)
        yield from club.bring(1)
        yield club.landed(17)
        club.stop("bert")
        stopped_us = club.world.now_us
        yield club.is_in(DaemonState.WAITS)
        assert club.world.now_us - stopped_us < 100_000
        assert club.state.stop.asked_by == "bert"
        assert club.state.words.startswith("bert has stopped the machine. ")
        yield from club.seconds(20)
        assert club.state.state is DaemonState.WAITS
        yield from club.collect_all()
        answer = club.resume("carla")
        yield answer.done
        assert str(answer.exception()).startswith("This job is anna's: bert has stopped")
        club.resume("anna")
        yield club.is_in(DaemonState.IDLE)
        assert club.holds(1)

    club.run(script())
    result = club.state.job.results[0]
    assert (result.proven, result.attempts) == (True, 2)
    assert [stop.fault for stop in result.stops] == ["stopped_by_person"]


def test_stop_before_a_board_holds_it_back_until_somebody_resumes():
    club = Club()

    def script():
        yield from club.deal(1)
        yield club.is_in(DaemonState.WANTS_BOARD)
        club.stop("bert")
        yield club.is_in(DaemonState.PAUSED)
        yield from club.change_board(1)
        yield from club.seconds(10)
        assert club.state.state is DaemonState.PAUSED
        assert club.state.words == (
            "Stopped before board 1 by bert. Nothing moves until somebody resumes."
        )
        club.resume("anna")
        yield club.is_in(DaemonState.DEALING)

    club.run(script())


def test_ending_a_job_while_it_deals_stops_the_machine_and_frees_it():
    club = Club()

    def script():
        yield from club.deal(1, 2)
        yield from club.bring(1)
        yield club.landed(5)
        club.stop("bert", end=True)
        yield club.is_in(DaemonState.IDLE)
        assert club.state.job.ended
        yield from club.collect_all()
        yield from club.deal(1, owner="bert")
        yield from club.bring(1, pack=False)
        yield club.is_in(DaemonState.IDLE)

    club.run(script())
    assert club.state.job.owner == "bert"
    assert club.state.job.results[0].proven
    whats = [entry.what for entry in club.entries]
    proven = ["job.begun", "copy proven", "job.ended"]
    assert whats == ["job.begun", "stop", "job.ended", *proven]


def test_one_owner_and_everybody_else_is_told_who_it_is():
    club = Club()

    def script():
        yield from club.deal(1)
        yield club.is_in(DaemonState.WANTS_BOARD)
        answer = club.ask(wanted(2, owner="bert"))
        yield answer.done
        assert str(answer.exception()) == (
            "The machine works for anna: Put board 1 in. Wait until that job ends, or stop it."
        )
        answer = club.resume("anna")
        yield answer.done
        assert str(answer.exception()) == "Nothing waits for a person now: Put board 1 in."

    club.run(script())


def test_no_board_is_dealt_twice_unasked(tmp_path):
    club = Club(state_dir=tmp_path)

    def deal_again():
        yield from club.deal(1)
        yield from club.bring(1)
        yield club.is_in(DaemonState.IDLE)
        answer = club.ask(wanted(1, 2))
        yield answer.done
        assert str(answer.exception()) == (
            "Boards 1 of set TEST were dealt and proven before, so nothing was begun. "
            "To deal further copies, say how many with --copies."
        )
        answer = club.ask(wanted(1, copies=2))
        yield answer.done
        assert answer.result().left == [(1, 2), (1, 3)]
        club.stop(end=True)

    club.run(deal_again())


def test_deals_of_another_session_are_told_with_the_job(tmp_path):
    deals = tuple(replace(board, number=board.number + 20) for board in boards()[:2])
    other = replace(wanted(21, 22), name="saturday.dup", code="OTHER", boards=deals, witness="Bo")
    club = Club(state_dir=tmp_path)

    def script():
        yield from club.deal(1)
        yield from club.bring(1)
        yield club.is_in(DaemonState.IDLE)
        answer = club.ask(other)
        yield answer.done
        [warning] = answer.result().warnings
        assert warning.startswith("Board 21 is the deal of board 1 of “sixteen.dup (TEST)”")
        assert "(Law 6D2, 2017)" in warning
        club.stop(end=True)

    club.run(script())
    logged = [entry.what for entry in club.entries]
    assert "deals from another session" in logged
    assert "dealing witnessed" in logged


def test_a_remedy_that_feeds_cards_again_goes_on_with_the_same_attempt():
    club = Club("image_lost@1.20")

    def script():
        yield from club.deal(1)
        yield from club.bring(1)
        yield club.is_in(DaemonState.WAITS)
        assert club.state.stop.then == "refeed"
        hands = club.world.hands
        tray = hands.take_tray()
        yield from club.do(tray)
        cards = [card for card in tray.result if not hands.sees_stop_card(card)]
        yield from club.do(hands.put_in_front(cards, stop_card=True))
        answer = club.resume("anna", named=["SA"])
        yield answer.done
        assert str(answer.exception()) == (
            "This stop does not ask for names of cards; nothing was changed."
        )
        club.resume("anna")
        yield club.is_in(DaemonState.IDLE)
        assert club.holds(1)

    club.run(script())
    result = club.state.job.results[0]
    assert (result.proven, result.attempts, len(result.stops)) == (True, 1, 1)


def test_a_machine_without_label_reader_asks_for_the_number():
    labels = ConfirmedLabels()
    club = Club(labels=labels)

    def script():
        yield from club.deal(1)
        yield from club.bring(1)
        yield (
            lambda: (
                club.state.words
                == (
                    "Look at the board in the slot. If it is number 1, confirm that number; "
                    "if not, put the right board in."
                )
            )
        )
        yield from club.seconds(5)
        answer = club.ask(ConfirmRequest(by="anna", board=2))
        yield answer.done
        yield from club.seconds(2)
        assert club.state.wants.steps == ["right_board"]
        club.ask(ConfirmRequest(by="anna", board=1))
        yield club.is_in(DaemonState.IDLE)
        assert labels.read() is None or labels.read().board == 1

    club.run(script())
    assert club.state.job.results[0].proven


def test_nothing_that_is_told_or_logged_names_a_card():
    club = Club("image_lost@1.20")

    def script():
        yield from club.deal(1)
        yield from club.bring(1)
        yield club.is_in(DaemonState.WAITS)

    club.run(script())
    told = "".join(event.data for event in club.events.since("life-0")) + "".join(club.log)
    told += "".join(entry.details for entry in club.entries)
    deal = boards()[0].deal
    assert [seat for seat in Seat if deal.hand_pbn(seat) in told] == []
    names = {f'"{card}"' for card in CARDS}
    assert [name for name in names if name in told] == []


def test_the_snapshot_and_the_events_say_the_same():
    club = Club()

    def script():
        yield from club.deal(1)
        yield from club.bring(1)
        yield club.landed(20)
        landed = [
            json.loads(event.data)["pocket"]
            for event in club.events.since("life-0")
            if event.kind == "card" and json.loads(event.data)["what"] == "landed"
        ]
        counted = {pocket: landed.count(pocket) for pocket in ("N", "E", "S", "W", "tray")}
        assert club.state.pockets == counted
        assert club.state.event == club.events.last_id

    club.run(script())


def test_the_watchdog_is_fed_by_heartbeats_of_the_mcu_and_by_nothing_else(monkeypatch):
    club = Club()
    fed = []
    monkeypatch.setattr(club.notifier, "alive", lambda: fed.append(club.world.now_us))

    def script():
        yield club.is_in(DaemonState.IDLE)
        yield from club.seconds(1)
        fed.clear()
        yield from club.seconds(2)
        assert 19 <= len(fed) <= 21  # a heartbeat every 100 ms

    club.run(script())
    club.daemon.wait(club.world.now_us)
    fed.clear()
    for _ in range(3):  # the loop goes round, but the MCU has said nothing
        club.daemon.wait(club.world.now_us)
    assert fed == []


def test_a_stop_whose_first_words_are_lost_is_said_again():
    club = Club()

    def script():
        yield from club.deal(1)
        yield from club.bring(1)
        yield club.landed(17)
        club.port.loses = 1
        club.stop("bert")
        stopped_us = club.world.now_us
        yield club.is_in(DaemonState.WAITS)
        assert club.world.now_us - stopped_us < 200_000
        assert club.state.stop.asked_by == "bert"

    club.run(script())


def test_a_stop_reaches_the_machine_even_when_nothing_is_known_to_move():
    club = Club()

    def script():
        yield club.is_in(DaemonState.IDLE)
        club.stop("bert")
        yield lambda: club.state.machine.state == "STOPPED"
        yield from club.deal(1)
        yield from club.bring(1)
        yield club.is_in(DaemonState.IDLE)

    club.run(script())
    assert club.state.job.results[0].proven


def test_the_next_copy_needs_another_board_even_when_the_number_is_the_same():
    club = Club()

    def script():
        yield from club.deal(1, copies=2)
        yield from club.bring(1)
        yield club.is_in(DaemonState.DEALING)
        yield club.is_in(DaemonState.WANTS_BOARD)
        assert club.state.words == "Take the board out of its slot and put board 1 in."
        assert club.state.wants.copy_number == 2

    club.run(script())


def test_a_board_starts_when_the_hand_is_out_of_the_machine():
    club = Club()

    def script():
        yield from club.deal(1)
        yield from club.bring(1)
        closed_us = club.world.now_us
        yield club.is_in(DaemonState.DEALING)
        assert SETTLED_US <= club.world.now_us - closed_us < SETTLED_US + 600_000

    club.run(script())
