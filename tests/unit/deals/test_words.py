"""The catalogue: every code has its text and every text its code; terms in four languages."""

from __future__ import annotations

import pickle
import re
from pathlib import Path
from string import Formatter

import pytest

from deals import words
from deals.boards import Vulnerability
from deals.cards import CARDS, Rank, Seat, Suit
from deals.errors import DealError, PredealError

ROOT = Path(__file__).parents[3]
FAMILIES = ("board", "card", "deal", "diagram", "file", "law7", "seat", "setcode")
CODE = re.compile(rf'"((?:{"|".join(FAMILIES)})\.[a-z0-9_]+)"')
TERM = re.compile(r'"((?:seat|suit|rank|vulnerability)\.[a-z]+)"')


def used_codes() -> set[str]:
    """Codes that stand in the source of this layer and the commands made for it."""
    sources = [*(ROOT / "deals").rglob("*.py"), *(ROOT / "controller" / "cli").glob("*.py")]
    text = "\n".join(path.read_text("utf-8") for path in sources)
    return set(CODE.findall(text)) - {f"seat.{s.word.split('.')[1]}" for s in Seat}


def catalogue_codes() -> set[str]:
    return {
        msgid
        for context, msgid in words.catalogue("en")
        if not context and msgid.partition(".")[0] in FAMILIES
    }


def test_every_code_in_the_source_has_a_text_and_the_other_way_round() -> None:
    assert len(used_codes()) > 50
    assert used_codes() - catalogue_codes() == set()
    assert catalogue_codes() - used_codes() == set()


def test_every_term_is_there_in_every_language() -> None:
    english = {key for key in words.catalogue("en") if key[0]}
    for lang in words.LANGUAGES:
        known = {key for key in words.catalogue(lang) if key[0]}
        missing = english - known
        # The Greek laws have no word for "sorted".
        assert missing == ({("deal", "sorted")} if lang == "el" else set())
        assert known <= english
    things = [*Seat, *Suit, *Rank, *Vulnerability]
    assert all(words.term(thing.word) for thing in things)


# Term by term as the translated Laws have it: Finnish of 2017, Norwegian of 2007, Greek of 1997.
LAWS = """
seat.north | Pohjoinen | Nord | Βορράς
seat.east | Itä | Øst | Ανατολή
seat.south | Etelä | Syd | Νότος
seat.west | Länsi | Vest | Δύση
suit.spades | pata | spar | πίκες
suit.hearts | hertta | hjerter | κούπες
suit.diamonds | ruutu | ruter | καρά
suit.clubs | risti | kløver | σπαθιά
rank.ace | ässä | ess | Άσος
rank.king | kuningas | konge | Ρήγας
rank.queen | rouva | dame | Ντάμα
rank.jack | sotamies | knekt | Βαλές
strain.no trump | sangi | grand | χωρίς ατού
strain.no trump, short | NT | NT | ΧΑ
board.container | brikka | mappe | θήκη
board.numbered deal | jako | spill | διανομή
board.fouled | sotkeutunut jako | feilsortert mappe | αντικανονική διανομή
thing.hand | käsi | hånd | χέρι
thing.pack | pakka | kortstokk | τράπουλα
thing.card | kortti | kort | φύλλο
thing.pocket | tasku | lomme | θέση
marking.dealer | jakaja | giver | μοιράζων
marking.vulnerability | vaaravyöhyke | soneforhold | μανς
vulnerability.none | ei kumpikaan | ingen | Όλοι στην πρώτη
vulnerability.ns | pohjoinen-etelä | nord-syd | Β-Ν στη δεύτερη
vulnerability.ew | itä-länsi | øst-vest | Α-Δ στη δεύτερη
vulnerability.all | molemmat | alle | Όλοι στη δεύτερη
event.director | kilpailunjohtaja | turneringsleder | διαιτητής
event.session | istunto | sesjon | ημερίδα
event.round | kierros | runde | γύρος
play.contract | sitoumus | kontrakt | συμβόλαιο
play.trick | tikki | stikk | λεβέ
fault.missing card | puuttuva kortti | manglende kort | έλλειψη φύλλου
fault.wrong number | väärä lukumäärä | ukorrekt antall | λανθασμένος αριθμός
deal.new deal | uudelleen jakaminen | omgiv | επαναδιανομή
deal.copies | jakojen monistaminen | dublering | ντουμπλικάρισμα
deal.sorted | aakkostettu | sortert | sorted
"""


@pytest.mark.parametrize("row", LAWS.strip().splitlines())
def test_each_term_is_that_of_the_laws(row: str) -> None:
    name, *expected = (part.strip() for part in row.split(" | "))
    assert [words.term(name, lang) for lang in ("fi", "nb", "el")] == expected


@pytest.mark.parametrize("lang", words.LANGUAGES[1:])
def test_every_sentence_is_in_every_language(lang: str) -> None:
    def fields(text: str) -> set[str]:
        return {name for _, name, _, _ in Formatter().parse(text) if name is not None}

    english, known = words.catalogue("en"), words.catalogue(lang)
    codes = [key for key in english if not key[0]]
    assert len(codes) > 800
    assert [key[1] for key in codes if key not in known] == []
    assert [key for key in known if key not in english] == []
    for key, text in known.items():
        assert fields(text) == fields(english[key]), key
    # Options, commands and file names are the same everywhere.
    for key in codes:
        assert sorted(re.findall(r"--[a-z-]+|predeal \w+", known[key])) == sorted(
            re.findall(r"--[a-z-]+|predeal \w+", english[key])
        ) or key[1] in ("proof.value_known", "client.not_allowed"), key


@pytest.mark.parametrize("lang", words.LANGUAGES[1:])
def test_what_a_native_reader_has_to_check_lies_apart(lang: str) -> None:
    """Only terms of the Laws stand in a section without that note; the machine's in one of theirs."""
    path = ROOT / "deals" / "words" / "locale" / f"{lang}.po"
    sections = re.split(r"^# ---- (.*) ----$", path.read_text("utf-8"), flags=re.M)[1:]
    for title, body in zip(sections[::2], sections[1::2], strict=True):
        contexts = set(re.findall(r'^msgctxt "(.*)"$', body, re.M))
        if "native reader" not in title:
            assert contexts, title
            assert 'msgctxt "machine"' not in body
            assert len(re.findall("^msgid ", body, re.M)) == len(
                re.findall("^msgctxt ", body, re.M)
            )
        if "machine" in contexts:
            assert contexts == {"machine"} and "machine" in title


def test_words_that_lost_to_those_of_the_laws_are_not_used() -> None:
    text = " ".join(words.catalogue("fi").values()).lower()
    assert not re.search(r"jätkä|valtiton|sopimu|vaarassa|kontra|suurslam", text)


def test_greek_words_have_no_latin_letters_and_laws_have_greek_ones() -> None:
    # Words that a person reads; placeholders, options and names of files are not among them.
    for (_, msgid), text in words.catalogue("el").items():
        for word in re.findall(r"[^\W\d_]+", re.sub(r"\{\w+\}", " ", text)):
            assert not (re.search("[A-Za-z]", word) and re.search("[\u0370-\u03ff]", word)), msgid
    assert words.text("law.new_deal", {"board": 4, "law": "6D1"}, "el").count("6Δ1") == 1
    assert "17Δ" in words.text(
        "law.hand_of_board", {"pocket": Seat.N, "hand": Seat.E, "board": 1, "law": "17D"}, "el"
    )
    assert "6ΣΤ" in words.text("law.copies_alike", {"board": 4}, "el")
    assert "6D1" in words.text("law.new_deal", {"board": 4, "law": "6D1"}, "fi")


def test_the_language_of_the_environment() -> None:
    def asked(**environment: str) -> str:
        return words.language_of(environment)

    assert asked() == asked(LANG="C.UTF-8") == asked(LANG="sv_SE.UTF-8") == "en"
    assert asked(LANG="fi_FI.UTF-8") == "fi"
    assert asked(LANG="fi_FI", LC_MESSAGES="el_GR@euro") == "el"
    assert asked(LANG="fi_FI", LC_ALL="C") == "en"
    assert asked(LANG="no_NO") == asked(LANG="nn_NO.utf8") == "nb"
    assert asked(LANG="en_GB.UTF-8", LANGUAGE="sv:nb:fi") == "nb"
    assert asked(LANG="C", LANGUAGE="nb") == "en"
    assert asked(LC_ALL="el_GR", PREDEAL_LANG="fi") == "fi"
    assert asked(LC_ALL="el_GR", PREDEAL_LANG="klingon") == "el"


@pytest.mark.parametrize(
    ("lang", "letters"), [("en", "NESW"), ("fi", "PIEL"), ("nb", "NØSV"), ("el", "ΒΑΝΔ")]
)
def test_seat_letters_follow_the_language(lang: str, letters: str) -> None:
    names = ("north", "east", "south", "west")
    assert "".join(words.term(f"seat letter.{name}", lang) for name in names) == letters


def test_terms_of_the_laws() -> None:
    assert words.term("seat.east", "fi") == "Itä"
    assert words.term("suit.spades", "nb") == "spar"
    assert words.term("rank.ace", "el") == "Άσος"
    assert words.term("board.container", "fi") == "brikka"
    assert words.term("board.numbered deal", "fi") == "jako"
    assert words.term("deal.sorted", "el") == "sorted"


def test_greek_has_no_letters_of_other_alphabets() -> None:
    # The printed law spells mu with the micro sign.
    text = "".join(words.catalogue("el").values())
    assert "µ" not in text


def test_values_are_put_in_the_language_of_the_text() -> None:
    values = {"place": [Seat.N, Seat.E], "message": Suit.SPADES}
    assert words.text("file.problem_at", values) == "North, East: spades"
    assert words.text("file.problem_at", values, "fi") == "Pohjoinen, Itä: pata"
    assert words.text("card.unknown", {"text": CARDS[0]}).startswith("“SA”")


def test_control_characters_of_a_file_do_not_reach_the_terminal() -> None:
    values = {"place": "a\x1b[2Jb\udcff", "message": "one\ntwo\x07"}
    assert words.text("file.problem_at", values) == "a\ufffd[2Jb\ufffd: one\ntwo\ufffd"


def test_a_missing_code_warns_and_still_tells() -> None:
    with pytest.warns(words.MissingWords, match="no text for code 'deal.no_such'"):
        assert words.text("deal.no_such", {"card": CARDS[0]}) == "deal.no_such card=SA"


def test_a_missing_value_warns_and_still_tells() -> None:
    with pytest.warns(words.MissingWords, match="cannot be filled"):
        assert words.text("deal.card_twice", {"card": CARDS[0]}) == "deal.card_twice card=SA"


def test_a_missing_term_or_language_warns_and_still_tells() -> None:
    with pytest.warns(words.MissingWords, match="no term"):
        assert words.term("seat.middle") == "middle"
    words.catalogue.cache_clear()
    with pytest.warns(words.MissingWords, match="no catalogue for language 'xx'"):
        assert words.term("seat.east", "xx") == "East"
    words.catalogue.cache_clear()


def test_an_error_is_a_code_and_values() -> None:
    error = DealError("deal.card_twice", card=CARDS[0], hand=Seat.N)
    assert (error.code, error.values) == ("deal.card_twice", {"card": CARDS[0], "hand": Seat.N})
    assert str(error) == "SA is twice in the hand of North."
    assert isinstance(error, PredealError)
    assert isinstance(error, ValueError)
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again)) == (DealError, str(error))


def test_the_catalogue_is_installed() -> None:
    text = (ROOT / "setup.cfg").read_text("utf-8")
    assert re.search(r"package_data\]\n(\* =|deals.words =)\n(?: +\S+\n)*? +\S*\*\.po\n", text)
