"""What every printing command shares: the set it prints, by file or by code, who may, how, where to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from controller.cli.directing import director_options, offered, permitted
from controller.cli.files import Numbers
from controller.cli.findings import finding_document, tell_findings
from controller.cli.output import Exit, complain, emit, finish
from controller.cli.showing import asked, logbook_head, may_show, store_there, the_daemon, words_of
from controller.cli.stores import SystemClock, open_beside, operator, state_option
from controller.cli.writing import write_whole
from deals.boards import Board, Vulnerability
from deals.cards import Seat
from deals.deal import Deal
from deals.errors import DealFileError
from deals.files import DealFile, Finding, ranges
from deals.files.reading import read_bytes, read_deals
from deals.setcode import NO_CODE, code_of
from deals.words import spoken, text

if TYPE_CHECKING:
    from controller.api.records import HandsView
    from controller.client.client import Client
    from controller.store import SetInfo

_RANKS: Final = ("sv", "da", "de", "fr", "nl")
_ABOUT: Final = ("title", "event", "date", "session", "site")


class Letters(click.ParamType[tuple[str, ...]]):
    """Four letters, such as NESW or A,K,Q,J; for ranks also a language that has its own."""

    name = "letters"

    def __init__(self, example: str) -> None:
        self._example = example

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """The letters."""
        if isinstance(value, tuple):
            return value
        if value in _RANKS:
            from deals.records.model import RANK_LETTERS

            return RANK_LETTERS[value]
        parts = tuple(value.split(",") if "," in value else value)
        if len(parts) != 4 or not all(part.strip() for part in parts):
            values = {"text": value, "count": 4, "example": self._example}
            self.fail(text("records.letters", values), param, ctx)
        return tuple(part.strip() for part in parts)


def print_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """What every printing command takes: the set, where to, which boards, words, paper."""
    options: list[Callable[..., Any]] = [
        click.argument("file", metavar="FILE|CODE", type=click.Path(path_type=Path)),
        click.option("-o", "--output", required=True, type=click.Path(path_type=Path)),
        click.option("--boards", type=Numbers(), help="Only these, such as 1-24."),
        click.option("--first-board", type=click.IntRange(1), help="For formats without numbers."),
        click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4"),
        click.option("--colours", type=click.Choice(["2", "4"]), default="2", help="Of the suits."),
        click.option(
            "--seats", type=Letters("NESW"), help="Letters on the boards; default: the language's."
        ),
        click.option(
            "--ranks",
            type=Letters("A,K,Q,J"),
            help=f"Letters of the honours: four, or one of {' '.join(_RANKS)}.",
        ),
        click.option("--title", default="", help="On every page, as are these; a kept set has"),
        click.option("--event", default="", help="what was said of it at its import."),
        click.option("--date", default=""),
        click.option("--session", default=""),
        click.option("--teaching", is_flag=True, help="Say that the deals were made to a purpose."),
        click.option(
            "--proof",
            nargs=2,
            type=click.Path(path_type=Path),
            metavar="COMMITMENT SECRET",
            help='Prove the set first; only then "computer dealt, uniform" is said.',
        ),
        click.option("--public", metavar="TEXT", help="The public value of the proof."),
        click.option("--released", is_flag=True, help="Of a kept set only what may be seen now."),
        director_options,
        state_option,
    ]
    for option in reversed(options):
        command = option(command)
    return command


class Job:
    """One printing: what was read, how it shall look, where it goes.

    *hands*: the print shows hands, so those of a live set need the director.
    """

    def __init__(
        self,
        named: Path,
        output: Path,
        as_json: bool,
        options: dict[str, Any],
        *,
        hands: bool = True,
    ) -> None:
        from deals.records.model import Heading, Origin, Style
        from deals.records.pdf import Paper

        self._named, self._output, self._as_json = named, output, as_json
        self._options, self._hands = options, hands
        self.stem = output.stem
        self.info: SetInfo | None = None
        self.replaced: frozenset[int] = frozenset()
        self._logbook = ""
        self._files: list[tuple[str, str]] = []
        whole = self._read()
        if whole is None:
            about, source, origin = {}, named.name, self._origin_of_file()
        else:
            about, source, origin = dict(whole.about), whole.name, Origin(_ORIGINS[whole.origin])
            origin = Origin.TEACHING if options["teaching"] else origin
        self.site = about.get("site", "")
        self.style = Style(spoken(), options["colours"] == "4", options["ranks"], options["seats"])
        self.paper = Paper[options["paper"].upper()]
        self.teaching = origin is Origin.TEACHING
        said = {name: options[name] or about.get(name, "") for name in _ABOUT[:-1]}
        head = self._logbook or logbook_head(options["state"])
        self.heading = Heading(self._code, **said, origin=origin, source=source, logbook=head)

    def _read(self) -> SetInfo | HandsView | None:
        """Reads boards and warnings; gives the kept set if one was named."""
        named, options = self._named, self._options
        if not named.exists() and len(named.parts) == 1:
            if store_there(options["state"]):
                self._read_kept(str(named))
                return self.info
            if (client := the_daemon(options["state"])) is not None:
                return self._read_far(client, str(named))
        content = read_bytes(named)
        found = read_deals(content, named.name, options["first_board"])
        self._found = found
        self._code = code_of(found.boards)  # of the whole set, whatever part is printed
        self.warnings = list(found.warnings)
        self.boards = _chosen(found, named, options["boards"], self._as_json)
        if self._hands:
            file = named.name, content
            may_show(self.boards, lambda: self._code, options, "hands printed", file)
        return None

    def _read_far(self, client: Client, named: str) -> HandsView:
        """A set that the daemon keeps."""
        options = self._options
        wish: dict[str, Any] = {"boards": options["boards"] and list(options["boards"])}
        wish["released"] = options["released"]
        found = words_of(options, client.hands, named, "hands printed", **wish)
        self.boards = [
            Board(
                one.board, Seat[one.dealer], Vulnerability(one.vulnerable), Deal.from_pbn(one.deal)
            )
            for one in found.boards
        ]
        from controller.cli.store import shown_head

        self.warnings = []
        self._logbook = shown_head(found.logbook_entries, found.logbook_head)
        self._code = NO_CODE if found.set_code.startswith(NO_CODE) else found.set_code
        self.replaced = frozenset(one.board for one in found.boards if one.redealt)
        return found

    def _read_kept(self, named: str) -> None:
        from controller.errors import StoreError
        from controller.jobs.kept import boards_of
        from controller.jobs.seeing import held, release_of

        options = self._options
        with open_beside(options["state"]) as store:
            try:
                info = store.sets.find(named)
            except StoreError as error:
                if error.code != "store.no_set":
                    raise
                raise DealFileError("records.no_such", name=named) from None
            if info.replaced_by is not None:
                after = store.sets.info(info.replaced_by).code
                raise StoreError("records.replaced", set_code=info.code, after=after)
            redealt = store.sets.redealt(info.id)
            wanted = sorted(redealt) if options["boards"] is None else list(options["boards"])
            if missing := sorted(set(wanted) - set(redealt)):
                raise DealFileError("file.boards_not_there", boards=ranges(missing))
            closed = held(info, wanted, SystemClock().wall_us()) if self._hands else []
            if options["released"]:
                wanted, closed = sorted(set(wanted) - set(closed)), []
                if not wanted:
                    raise DealFileError("records.none_released", set_code=info.code)
            permit = None
            if closed or info.sealed:
                if closed and not offered(options["passphrase_file"]):
                    code = "release.live" if release_of(info) is None else "release.held"
                    complain(text(code, {"boards": ranges(closed), "set_code": info.code}))
                details = {"set": info.code, "boards": ranges(wanted)}
                who = options["director"], options["passphrase_file"]
                permit = permitted(store, *who, "hands printed", details)
            self.boards = list(boards_of(store.sets.boards(info.id, permit, wanted)))
        self.info, self.warnings = info, []
        self._code = NO_CODE if info.code.startswith(NO_CODE) else info.code
        self.replaced = frozenset(number for number, count in redealt.items() if count)

    def _origin_of_file(self) -> Any:
        """What may be said of a file's deals: uniform only if they are proven here and now."""
        from deals.records.model import Origin

        options, found = self._options, self._found
        if options["proof"] is None:
            if options["teaching"] or found.teaching:
                return Origin.TEACHING
            return Origin.GENERATED if self._generated_here() else Origin.FILE
        from deals.commit import parse, prove, random_deal
        from deals.generate import parse_secret

        commitment, secret = (path.read_text("utf-8", "replace") for path in options["proof"])
        committed = parse(commitment)
        if committed.terms.constraint or options["teaching"] or found.teaching:
            return Origin.TEACHING
        key = parse_secret(secret)
        proof = prove(committed, key, found.boards, options["public"], {}, random_deal)
        if not proof.proven:
            raise DealFileError("records.not_proven")
        return Origin.GENERATED

    def _generated_here(self) -> bool:
        """By the logbook of the store beside: the code is that of a set made here, unchanged."""
        store = asked(self._options["state"])
        if store is None:
            return False
        from controller.jobs.kept import generated_here

        with store:
            return generated_here(store, self._code)

    def write(self, data: bytes, part: str = "") -> None:
        """The new file in one step: nobody ever finds half a record; *part* is added to its name."""
        path = self._output.with_name(self._output.stem + part + self._output.suffix)
        if path.exists() and self._named.exists() and path.samefile(self._named):
            raise DealFileError("records.same_file", name=str(path))
        write_whole(path, data)
        self.made(path, "record")

    def made(self, path: Path, kind: str) -> None:
        """Another file of this set: after a new deal people must be told that it is stale."""
        self._files.append((str(path.absolute()), kind))

    def tell(self, warnings: Sequence[Finding], done: dict[str, Any]) -> None:
        """The JSON document or a sentence, and the warnings; ends the command."""
        self._log()
        for warning in warnings:
            where = warning.where()
            place = f"{self._named}, {where}" if where else str(self._named)
            complain(text("file.warning_at", {"place": place, "message": warning.message()}))
        if self._as_json:
            if done["set"] == NO_CODE:
                done = done | {"set": None}
            emit(done | {"warnings": [warning.message() for warning in warnings]})
        else:
            values = done | {"name": str(self._output), "code": done["set"]}
            click.echo(text("records.written", values))
        finish(Exit.DONE)

    def _log(self) -> None:
        """The files in the ledger of exports, where the set is kept."""
        store = asked(self._options["state"])
        if store is None:
            return
        with store:
            kept = [one for one in store.sets.infos() if one.code == self._code]
            self.info = self.info or (kept[-1] if kept else None)
            if self.info is None:
                return
            for path, kind in self._files:
                store.exports.add(self.info.id, path, kind, operator())
            boards = ranges([board.number for board in self.boards])
            details = {"set": self.info.code, "boards": boards, "files": len(self._files)}
            store.logbook.append("records printed", details, operator())


# What the store says of a set's origin, as a record says it (Law 6E).
_ORIGINS: Final = {
    "generated": "generated",
    "imported": "file",
    "tables": "tables",
    "teaching": "teaching",
}


def _chosen(
    found: DealFile, file: Path, wanted: Collection[int] | None, as_json: bool
) -> list[Board]:
    """The boards to print; a set with faults is not printed, unless they are in other boards."""
    boards = [board for board in found.boards if wanted is None or board.number in wanted]
    there = {board.number for board in boards}
    faults = list(found.problems) if wanted is None else []
    if wanted is not None and set(wanted) - there:
        missing = ranges(sorted(set(wanted) - there))
        faults = [Finding("file.boards_not_there", {"boards": missing})]
    if faults or not boards:
        faults = faults or [Finding("file.no_deals")]
        tell_findings(file, (), faults)
        complain(text("records.nothing", {"name": file}))
        if as_json:
            emit({"pages": 0, "boards": 0, "problems": [finding_document(one) for one in faults]})
        finish(Exit.COULD_NOT)
    return boards
