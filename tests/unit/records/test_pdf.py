"""The one module of the PDF library: what is drawn is there, embedded, and always the same."""

from __future__ import annotations

import cv2
import pypdfium2
import pypdfium2.raw as raw
import pytest

from deals.records.pdf import MM, Align, Face, Paper, Pdf, printable, text_width
from tests.unit.records.page import pages, picture

EVERY_LANGUAGE = "Pohjoinen Itä Øst Ανατολή Νότος Μοιράζων Żółć ♠♥♦♣ —"


def written(text: str = "Text", **values) -> bytes:
    pdf = Pdf()
    pdf.text(100, 50, text, 10, **values)
    return pdf.to_bytes()


def test_text_of_every_language_can_be_read_back():
    assert pages(written(EVERY_LANGUAGE))[0].text == EVERY_LANGUAGE


@pytest.mark.parametrize("face", Face)
def test_both_faces_hold_every_sign(face):
    assert printable(EVERY_LANGUAGE) == EVERY_LANGUAGE
    page = pages(written(EVERY_LANGUAGE, face=face))[0]
    assert page.text == EVERY_LANGUAGE


def test_a_sign_that_no_face_holds_is_a_question_mark():
    assert printable("中\nA\tB") == "? A B"


def test_all_fonts_are_embedded():
    document = pypdfium2.PdfDocument(written("a ♠"))
    page = document[0]
    fonts = [raw.FPDFTextObj_GetFont(found) for found in page.get_objects([raw.FPDF_PAGEOBJ_TEXT])]
    assert fonts
    assert all(raw.FPDFFont_GetIsEmbedded(font) == 1 for font in fonts)
    page.close()
    document.close()
    assert b"Helvetica" not in written()


def test_the_same_calls_give_the_same_bytes():
    assert written("♠ A K") == written("♠ A K")


@pytest.mark.parametrize(("align", "left"), [(Align.LEFT, 100), (Align.RIGHT, 60)])
def test_text_stands_where_it_was_put(align, left):
    pdf = Pdf()
    pdf.text(100, 50, "HHHHH", 10, align=align)
    page = pages(pdf.to_bytes())[0]
    width = text_width("HHHHH", 10)
    start = 100 - align.value * width
    assert page.runs[0].left == pytest.approx(start, abs=1.5)
    assert page.runs[0].right == pytest.approx(start + width, abs=1.5)
    assert page.runs[0].bottom == pytest.approx(50, abs=0.5)
    assert page.runs[0].top == pytest.approx(42.7, abs=0.5)


def test_text_without_room_is_made_narrower():
    text = "A K Q J 10 9 8 7 6 5 4 3 2"
    page = pages(written(text, room=40))[0]
    assert page.text == text
    assert max(word.right for word in page.runs) <= 141


@pytest.mark.parametrize(
    ("paper", "landscape", "size"),
    [
        (Paper.A4, False, (210 * MM, 297 * MM)),
        (Paper.A4, True, (297 * MM, 210 * MM)),
        (Paper.LETTER, False, (612, 792)),
    ],
)
def test_paper(paper, landscape, size):
    pdf = Pdf(paper, landscape=landscape)
    pdf.next_page()
    found = pages(pdf.to_bytes())
    assert pdf.pages == len(found) == 2
    assert (found[0].width, found[0].height) == pytest.approx(size, abs=0.01)


def test_a_code_can_be_read_by_another_reader():
    pdf = Pdf()
    pdf.qr(100, 100, 90, "PREDEAL KH7-4MQ-9RH A 12")
    image = picture(pdf.to_bytes(), dpi=150)
    assert cv2.QRCodeDetector().detectAndDecode(image)[0] == "PREDEAL KH7-4MQ-9RH A 12"
    assert image[:, : int(104 * 150 / 72)].min() == 255, "the white border"


def test_shapes_are_drawn_from_the_top_left():
    pdf = Pdf()
    pdf.box(10, 20, 30, 40, line=0, fill=(0, 0, 0))
    pdf.shape([(100, 100), (120, 100), (110, 120)])
    pdf.line(200, 300, 220, 300, width=4)
    image = picture(pdf.to_bytes())
    dark = image < 128
    assert dark[25, 15] and dark[58, 38] and not dark[65, 15]
    assert dark[102, 110] and not dark[118, 102]
    assert dark[300, 210] and not dark[300, 225]
