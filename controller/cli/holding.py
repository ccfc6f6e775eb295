"""`predeal set hold`, `release`, `rounds`: which records may be seen and when; `copies`: how many."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from controller.cli.directing import director_options, permitted
from controller.cli.output import emit, json_option
from controller.cli.showing import far, words_of
from controller.cli.stores import SystemClock, open_beside, state_option
from deals.files import ranges
from deals.words import text

if TYPE_CHECKING:
    from controller.api.records import RoundsView
    from controller.store import SetInfo


class When(click.ParamType[int]):
    """A time of this place, such as 19:45 (today) or 2026-11-30T19:45; as microseconds."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The wall clock."""
        if isinstance(value, int):
            return value
        today = datetime.now().astimezone().date().isoformat()
        written = f"{today}T{value}" if len(value) <= len("19:45:00") else value
        try:
            when = datetime.fromisoformat(written)
        except ValueError:
            self.fail(text("release.no_time", {"text": value}), param, ctx)
        return int(when.astimezone().timestamp() * 1_000_000)


@click.command()
@click.argument("code")
@click.option("--rounds", required=True, metavar="1-6/7-12", help="The boards of each round.")
@click.option(
    "--at",
    "times",
    type=When(),
    multiple=True,
    help="From when a round may be seen; once for each, in their order.",
)
@director_options
@state_option
@json_option
def hold(
    code: str,
    rounds: str,
    times: tuple[int, ...],
    director: str | None,
    passphrase_file: Path | None,
    state: Path | None,
    as_json: bool,
) -> None:
    """Hold the records of the set CODE round by round, until a time or until `set release`.

    Rounds without a time wait for the director; boards of no round until play has ended.
    """
    from deals.records.release import Release, Round, parse_rounds

    parts = parse_rounds(rounds)
    if len(times) > len(parts):
        raise click.UsageError(text("release.more_times", {"count": len(parts)}))
    at = [*times, *[None] * (len(parts) - len(times))]
    if (client := far(state)) is not None:
        wish = [(list(boards), when) for boards, when in zip(parts, at, strict=True)]
        who = {"director": director, "passphrase_file": passphrase_file}
        _tell_view(words_of(who, client.hold, code, wish), as_json)
        return
    release = Release(tuple(Round(boards, when) for boards, when in zip(parts, at, strict=True)))
    with open_beside(state) as store:
        info = store.sets.find(code)
        release.within(store.sets.redealt(info.id))
        permit = permitted(store, director, passphrase_file, "records held", {"set": info.code})
        info = store.states.hold(info.id, json.dumps(release.as_dict()), permit.who)
    _tell(info, as_json)


@click.command()
@click.argument("code")
@click.option("--round", "number", type=click.IntRange(1), help="Which; all if it is left out.")
@director_options
@state_option
@json_option
def release(
    code: str,
    number: int | None,
    director: str | None,
    passphrase_file: Path | None,
    state: Path | None,
    as_json: bool,
) -> None:
    """Let the records of a round of the set CODE be seen from now on."""
    from controller.jobs.seeing import release_of
    from deals.records.release import Release, Round

    if (client := far(state)) is not None:
        who = {"director": director, "passphrase_file": passphrase_file}
        _tell_view(words_of(who, client.release, code, number), as_json)
        return
    with open_beside(state) as store:
        info = store.sets.find(code)
        rounds = release_of(info) or Release((Round(tuple(store.sets.redealt(info.id))),))
        details = {"set": info.code, "round": number or "all"}
        permit = permitted(store, director, passphrase_file, "records released", details)
        places = range(len(rounds.rounds)) if number is None else [number - 1]
        for place in places:
            rounds = rounds.opened(place, permit.name)
        info = store.states.hold(info.id, json.dumps(rounds.as_dict()), permit.who)
    _tell(info, as_json)


@click.command()
@click.argument("code")
@state_option
@json_option
def rounds(code: str, state: Path | None, as_json: bool) -> None:
    """Tell which records of the set CODE may be seen now, and when the others."""
    if (client := far(state)) is not None:
        _tell_view(client.rounds(code), as_json)
        return
    with open_beside(state) as store:
        info = store.sets.find(code)
    _tell(info, as_json)


@click.command()
@click.option("--tables", type=click.IntRange(1), required=True, help="In each section.")
@click.option("--sections", type=click.IntRange(1), default=1, show_default=True)
@click.option("--at-once", is_flag=True, help="All tables play the same boards in a round.")
@click.option("--share", type=click.IntRange(1), default=1, help="Tables that pass a copy around.")
@json_option
def copies(tables: int, sections: int, at_once: bool, share: int, as_json: bool) -> None:
    """Tell how many copies of each board a movement needs, and who plays which box."""
    from deals.laws import copies_needed

    found = copies_needed(tables, sections, at_once=at_once, share=share)
    if as_json:
        emit({"copies": [{"box": one.box, "section": one.section} for one in found]})
        return
    click.echo(text("law.copies_needed", {"count": len(found)}))
    for one in found:
        click.echo(f"  {one.name}")


def _tell_view(view: RoundsView, as_json: bool) -> None:
    rounds = [_told(one.boards, one.at_us, one.by, one.open) for one in view.rounds]
    _print(view.set_code, view.live, rounds, as_json)


def _told(boards: Sequence[int], at_us: int | None, by: str, is_open: bool) -> dict[str, Any]:
    at = None if at_us is None else _date(at_us)
    return {"boards": ranges(boards), "at": at, "open": is_open, "by": by}


def _tell(info: SetInfo, as_json: bool) -> None:
    from controller.jobs.seeing import release_of

    found = release_of(info)
    now_us = SystemClock().wall_us()
    rounds = [
        _told(one.boards, one.at_us, one.by, one.is_open(now_us))
        for one in (found.rounds if found else ())
    ]
    _print(info.code, info.live, rounds, as_json)


def _print(code: str, live: bool, rounds: list[dict[str, Any]], as_json: bool) -> None:
    if as_json:
        emit({"set": code, "live": live, "rounds": rounds})
        return
    for number, one in enumerate(rounds, 1):
        click.echo(text(_word(one), {"round": number, **one}))
    if not rounds:
        click.echo(text("release.all_held" if live else "release.all_open", {"set_code": code}))


def _word(one: dict[str, Any]) -> str:
    if one["open"]:
        return "release.open_by" if one["by"] else "release.open_since"
    return "release.waits" if one["at"] is None else "release.waits_until"


def _date(wall_us: int) -> str:
    return datetime.fromtimestamp(wall_us / 1e6).astimezone().isoformat(timespec="minutes")


COMMANDS: Sequence[click.Command] = (hold, release, rounds, copies)
