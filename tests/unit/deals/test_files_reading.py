"""What is no deal file, and what is too much: a clear error, in bounded time and memory."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from deals.deal import Deal
from deals.errors import DealFileError
from deals.files import FORMATS, Finding, by_name, collect, read_deals_file, reading
from deals.files.collect import Collector, TooManyProblemsError
from deals.files.text import decode
from tests.unit.deals.reading import DEAL, OTHER, game, read, rows, told

ROOT = Path(__file__).parents[3]


def refusal(path: str | Path) -> str:
    with pytest.raises(DealFileError) as refused:
        read_deals_file(path)
    return str(refused.value)


def test_no_file(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none.pbn") == f"There is no file “{tmp_path / 'none.pbn'}”."
    (tmp_path / "file").touch()
    assert refusal(tmp_path / "file" / "x") == f"There is no file “{tmp_path / 'file' / 'x'}”."
    assert refusal("a\0b") == "“a\ufffdb” cannot be read: embedded null byte."


def test_a_folder_a_device_a_pipe(tmp_path: Path) -> None:
    assert refusal(tmp_path) == f"“{tmp_path}” is a folder. Name a deal file in it."
    for device in ("/dev/zero", "/dev/null"):
        assert refusal(device) == (
            f"“{device}” is a device or a pipe, not a file. Save the deals to a file first."
        )
    os.mkfifo(tmp_path / "pipe")
    assert "is a device or a pipe" in refusal(tmp_path / "pipe")


def test_a_link_to_itself(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert "cannot be read: Too many levels of symbolic links." in refusal(tmp_path / "loop")


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", denied)
        message = refusal("x.pbn")
    assert message == "“x.pbn” may not be read: ask its owner, or copy it to a place of your own."


def test_a_disk_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x").write_bytes(b"x")

    def broken(_: int) -> os.stat_result:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fstat", broken)
        message = refusal(tmp_path / "x")
    assert message.endswith("cannot be read: Input/output error.")


def test_too_big(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "big"
    with path.open("wb") as file:
        file.truncate(100 * 2**20)
    assert refusal(path) == (
        f"“{path}” has 100 MB; no deal file is that big (at most 16 MB are read)."
    )
    with pytest.raises(DealFileError, match="“test” has 17 MB"):
        read(bytes(17 * 2**20))
    # A file that grows while it is read.
    monkeypatch.setattr(reading, "_check_regular", lambda *_: None)
    assert "no deal file is that big" in refusal(path)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "“test” is empty: no deals in it."),
        (b"\xef\xbb\xbf\r\n \x1a\0", "“test” is empty: no deals in it."),
        (b"PK\x03\x04rest", "“test” is a packed archive. Unpack it"),
        (b"%PDF-1.4", "“test” is a PDF, made for printing."),
        (b"\xd0\xcf\x11\xe0", "“test” is a word-processor or spreadsheet document."),
        (b"\x89PNG\r\n", "“test” is a picture."),
        (b"dear club", "“test” is no deal file that this program knows"),
        (bytes(1000), "“test” is empty"),
        (b"{" * 1_000_000, "“test” is no deal file"),
        (b"[" * 1_000_000, "“test” is no deal file"),
        ("text".encode("utf-16"), "“test” is no deal file"),
    ],
)
def test_what_it_is_instead(data: bytes, message: str) -> None:
    with pytest.raises(DealFileError) as refused:
        read(data)
    assert str(refused.value).startswith(message)


def test_first_board_below_1() -> None:
    with pytest.raises(DealFileError, match="The first board is 1 or more, not 0"):
        read(DEAL, first_board=0)


def test_unknown_formats_are_named_with_what_there_is() -> None:
    assert by_name(".PBN").NAME == "pbn"
    assert by_name("rbx").NAME == "rbx"
    with pytest.raises(DealFileError, match=r"There is no format “xyz”. Known: dup, bri, dge, "):
        by_name("xyz")


def test_endless_problems_boards_and_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collect, "MOST_PROBLEMS", 3)
    monkeypatch.setattr(collect, "MOST_BOARDS", 4)
    monkeypatch.setattr(collect, "MOST_PARTS", 50)
    wrong = "".join(game(n, "N:- - - -") for n in range(2, 9))
    found = read(game(1) + wrong)
    assert rows(found) == [(1, "N", "None", DEAL)]
    assert told(found.problems)[-1].startswith("More than 3 problems: the rest of the file was not")
    assert len(found.problems) == 4
    found = read("".join(game(n) for n in range(1, 9)))
    assert len(found.boards) == 4
    assert told(found.problems) == [
        "More than 4 boards: the rest of the file was not read. Cut it into smaller sets."
    ]
    found = read(game(1) + "\n" * 60 + game(2, OTHER))
    assert told(found.problems) == [
        "More than 50 lines or tags: the rest of the file was not read. Is this a deal file?"
    ]


def test_lines_are_counted_across_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collect, "_BLOCK", 7)
    text = "ab\n\ncd\n" * 20
    found = Collector("x", numbered=True, text=text)
    assert [found.line_of(at) for at in range(len(text))] == [
        1 + text.count("\n", 0, at) for at in range(len(text))
    ]


def test_a_number_below_1_is_none() -> None:
    found = Collector("x", numbered=True)
    found.add(Deal.from_pbn(DEAL), 0, number=5)
    found.add(Deal.from_pbn(OTHER), 1, number=0)
    assert [board.number for board in found.finish().boards] == [5, 6]


def test_a_declared_charset_wins_over_the_guess() -> None:
    text = "%Content-type: text/x-pbn; charset={}\nZ\u00fcrich"
    utf8 = text.format("ISO-8859-1").encode("utf-8")
    assert decode(utf8).encoding == "latin-1"
    assert decode(text.format("utf-8").encode("utf-8")).encoding == "utf-8"
    assert decode(text.format("UTF-8").encode("latin-1")).encoding == "latin-1"
    assert decode(text.format("nonsense").encode("utf-8")).encoding == "utf-8"


def test_a_finding_without_a_place() -> None:
    finding = Finding("file.no_deals")
    assert (finding.where(), finding.message("fi")) == ("", "Tässä tiedostossa ei ole jakoja.")


def test_giving_up_keeps_the_collector() -> None:
    found = Collector("x", numbered=True)
    assert TooManyProblemsError(found).found is found


@pytest.mark.parametrize("known", FORMATS, ids=lambda known: known.NAME)
def test_formats_have_the_same_shape(known: object) -> None:
    assert known.NAME.islower()  # type: ignore[attr-defined]
    assert known.SUFFIX.startswith(".")  # type: ignore[attr-defined]
    assert known.TITLE  # type: ignore[attr-defined]
    assert known.recognises(b"") is False  # type: ignore[attr-defined]
    names = [one.NAME for one in FORMATS]
    assert len(set(names)) == len(names)


# Each line is a file of 16 MB that is or was the worst for one of the readers.
WORST = {
    "zeros": "bytes(N)",
    "braces": "b'{' * N",
    "pbn braces": "D + b'{ ' * (N // 2)",
    "pbn brackets": "D + b'[' * N",
    "pbn open tags": "D + b'[A \"' * (N // 4)",
    "pbn backslashes": "D + b'\"' + b'\\\\\"' * (N // 2)",
    "pbn blank lines": "D + b' \\n' * (N // 2)",
    "pbn games": "b'[Event \"x\"]\\n\\n' * (N // 13)",
    "pbn deals": "D * (N // len(D))",
    "pbn astral": "D + '\\U0001f600'.encode() + b'a' * N",
    "utf-16": "(D * (N // 2 // len(D))).decode().encode('utf-16')",
    "json": "b'[{\"deal\":' + b'[' * N",
    "lin": "b'md|3' + b'a' * N",
    "lin deals": "b'qx|o1|md|3S|' * (N // 12)",
    "url": "b'http://x/?lin=md|' + b'%' * N",
    "rbn": "b'H N:a:\\n' + b'\\n' * N",
    "rbx": "b'H{N:a:}' + b'H{' * (N // 2)",
    "ber": "b'1234 ' * (N // 5)",
    "bhg": "b'\\nABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz\\n' * (N // 54)",
    "dlm": "b'[Document]\\n' + b'Board 01=a\\n' * (N // 11)",
    "dlm blanks": "b'[Document]\\n' + b' ' * N",
    "csv": "b'\"\",' * (N // 3)",
    "lines": "D[7:78] + b'\\n' + b'2 ' * (N // 2)",
    "bri": "b'01' * (N // 2)",
    "random": "random.Random(1).randbytes(N)",
}
CHILD = """
import random, resource, sys
sys.path.insert(0, {root!r})
from deals.files import read_deals
from deals.errors import PredealError
N = 16 * 2**20 - 200
D = b'[Deal "{deal}"]\\n\\n'
before = resource.getrusage(resource.RUSAGE_SELF)
data = {data}
start = resource.getrusage(resource.RUSAGE_SELF).ru_utime
try:
    told = len(read_deals(data, "x").problems)
except PredealError as error:
    told = str(error)
usage = resource.getrusage(resource.RUSAGE_SELF)
print(usage.ru_utime - start, usage.ru_maxrss // 1024, told)
"""


@pytest.mark.long
@pytest.mark.parametrize("name", WORST)
def test_the_worst_files_end_soon_and_need_little(name: str) -> None:
    """2 s of processor time and 200 MB, the file itself included."""
    code = CHILD.format(root=str(ROOT), deal=DEAL, data=WORST[name])
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )
    assert run.returncode == 0, run.stderr
    seconds, megabytes, *told = run.stdout.split(maxsplit=2)
    assert float(seconds) < 2
    assert int(megabytes) < 200
    assert told


@pytest.mark.long
def test_memory_is_bounded_for_ten_thousand_boards() -> None:
    """150 MB for reading 10,000 boards with all tags, in a process of its own."""
    code = f"""
import sys, resource
sys.path.insert(0, {str(ROOT)!r})
import random
from deals.boards import Board
from deals.deal import Deal
from deals.files import pbn, pbn_document
owners = bytearray(seat for seat in range(4) for _ in range(13))
boards = []
for n in range(1, 10_001):
    random.Random(n).shuffle(owners)
    boards.append(Board.standard(n, Deal(bytes(owners))))
data = pbn.dumps(boards)
document = pbn_document.parse(data)
assert len(document.deals.boards) == 10_000
assert sum(len(game.tags) for game in document.games) == 150_000
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert int(run.stdout) < 150
