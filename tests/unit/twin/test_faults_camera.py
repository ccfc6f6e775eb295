"""Faults of camera and strobe do what their sentences say, with the real firmware."""

from __future__ import annotations

import pytest

from controller.twin.world.view import BANDS, View
from tests.unit.twin.dealt import dealt, prepared, strobes_without_image
from tests.unit.twin.rig import IdentityPictures, Rig

PITCH = 96_000


def test_image_lost_takes_one_look_of_that_card() -> None:
    rig = dealt("image_lost@1.20", cards=30)
    missing = strobes_without_image(rig)
    assert [strobe.card for strobe in missing] == [20]
    looks = {
        strobes_without_image(dealt("image_lost@1.20", seed=seed, cards=22))[0].look
        for seed in range(8)
    }
    assert looks == {1, 2}


def test_image_extra_is_one_more_than_there_were_strobes() -> None:
    rig = dealt("image_extra@1.20", cards=30)
    assert strobes_without_image(rig) == []
    assert len(rig.host.stamps) == len(rig.host.strobes) + 1


def test_image_late_one_pitch_stamps_and_delivers_late_until_restart() -> None:
    rig = dealt("image_late_one_pitch@1.20", cards=30)
    first = next(strobe for strobe in rig.host.strobes if strobe.card == 20)
    assert first.tick not in rig.host.stamps
    assert first.tick + PITCH in rig.host.stamps
    at = rig.host.stamps.index(first.tick + PITCH)
    assert rig.host.taken_at[at] - first.tick in range(PITCH + 30_000, PITCH + 32_000)
    rig.world.camera.restart()
    assert not rig.world.camera.late


def test_image_late_two_pitches_is_later_by_one_more() -> None:
    rig = dealt("image_late_two_pitches@1.20", cards=30)
    first = next(strobe for strobe in rig.host.strobes if strobe.card == 20)
    assert first.tick not in rig.host.stamps
    assert first.tick + PITCH not in rig.host.stamps
    assert first.tick + 2 * PITCH in rig.host.stamps


def test_camera_silent_sends_nothing_until_restart() -> None:
    rig = dealt("camera_silent@1.20", cards=30)
    assert {strobe.card for strobe in strobes_without_image(rig)} >= set(range(20, 25))
    assert min(strobe.card for strobe in strobes_without_image(rig)) == 20
    rig.world.camera.restart()
    assert not rig.world.camera.silent


def test_image_frozen_repeats_the_last_picture_with_new_stamps() -> None:
    rig = dealt("image_frozen@1.20", cards=30)
    by_stamp = dict(zip(rig.host.stamps, rig.host.pictures, strict=True))
    shown = {(strobe.card, strobe.look): by_stamp[strobe.tick] for strobe in rig.host.strobes}
    assert shown[19, 1] != shown[18, 1]
    assert {shown[card, look] for card in range(20, 25) for look in (1, 2)} == {shown[19, 2]}
    rig.world.camera.restart()
    assert not rig.world.camera.frozen


def test_image_black_gives_no_light_until_restart() -> None:
    rig = dealt("image_black@1.20", cards=30)
    by_stamp = dict(zip(rig.host.stamps, rig.host.pictures, strict=True))
    dark = [strobe.card for strobe in rig.host.strobes if by_stamp[strobe.tick] == ("black",)]
    assert sorted(set(dark)) == [*range(20, rig.host.strobes[-1].card + 1)]
    assert len(dark) > 8
    rig.world.camera.restart()
    assert not rig.world.camera.sight.black


def test_strobe_dim_gives_a_quarter_of_the_light() -> None:
    rig = dealt("strobe_dim@1.20", cards=24)
    by_stamp = dict(zip(rig.host.stamps, rig.host.pictures, strict=True))
    assert rig.world.camera.sight.dim
    for strobe in rig.host.strobes:
        light = by_stamp[strobe.tick][0]
        full = 150 if strobe.look == 1 else 250
        # The identity picture calls anything under 100 us black.
        assert light == (full if strobe.card < 20 else "black")
    rig.wait(rig.hands.mend())
    assert not rig.world.camera.sight.dim


def views(rig: Rig) -> list[View]:
    """How each picture was taken; two of a card."""
    pictures = rig.world.camera._pictures
    assert isinstance(pictures, IdentityPictures) and len(pictures.views) == 2 * 24
    return pictures.views


def test_strobe_late_takes_the_card_further_on_until_it_is_mended() -> None:
    rig = dealt("strobe_late@1.20", cards=24)
    late = [
        stamp - strobe.tick for stamp, strobe in zip(rig.host.stamps, rig.host.strobes, strict=True)
    ]
    assert set(late[: 2 * 19]) == {0}
    assert len(set(late[2 * 19 :])) == 1 and 500 <= late[-1] <= 2_000
    rows = [picture[1][1] for picture in rig.host.pictures]
    on_time, after = max(rows[:38:2]), min(rows[38::2])
    assert on_time - after > 3  # rows of 0.1 mm; the belt makes more than one in a millisecond
    rig.wait(rig.hands.mend())
    assert rig.world.camera.sight.late_us == 0


def test_strobe_flickers_in_share_and_bands_until_it_is_mended() -> None:
    rig = dealt("strobe_flickers@1.20", cards=24)
    seen = views(rig)
    assert {view.flicker for view in seen[:38]} == {0.0}
    assert {view.flicker for view in seen[38:]} == {BANDS}
    shares = [view.light_us / full for view, full in zip(seen, (150, 250) * 24, strict=True)]
    assert set(shares[:38]) == {1.0}
    assert 0.4 <= min(shares[38:]) < max(shares[38:]) - 0.2
    rig.wait(rig.hands.mend())
    assert not rig.world.camera.sight.flickers


@pytest.mark.parametrize("fault", ["sun", "glass_smeared", "glass_soils"])
def test_what_lies_or_shines_on_the_glass_stays_until_it_is_wiped(fault: str) -> None:
    rig = dealt(f"{fault}@1.20", cards=24)
    spoilt = [view.daylight or view.grime for view in views(rig)]
    assert set(spoilt[:38]) == {0.0} and min(spoilt[38:]) > 0
    rig.wait(rig.hands.mend())  # a technician sees to the strobe, not to the glass
    assert rig.world.camera.sight.view(150, "").grime or rig.world.camera.sight.sunlit
    rig.wait(rig.hands.clean_glass())
    assert rig.world.camera.sight.view(150, "") == View(150)


def test_glass_soils_with_each_picture_and_a_smear_stays_as_it_is() -> None:
    """ "glass_soils" in a board, "glass_smeared" at once; "sun" is light and no dirt."""
    grown = [view.grime for view in views(dealt("glass_soils@1.20", cards=24))][38:]
    assert grown == sorted(set(grown)) and grown[-1] < 0.01
    smeared = {view.grime for view in views(dealt("glass_smeared@1.20", cards=24))[38:]}
    assert len(smeared) == 1 and 0.6 <= smeared.pop() <= 1.0
    assert {view.grime for view in views(dealt("sun@1.20", cards=24))} == {0.0}


def test_hub_lost_takes_cable_and_camera_together() -> None:
    with pytest.raises(OSError):
        dealt("hub_lost@1.20")
    rig = prepared("hub_lost@1.1")
    rig.host.connect()
    rig.host.home()
    rig.host.start()
    with pytest.raises(OSError):
        rig.host.deal(rig.pocket_of)
    taken = rig.world.camera._taken
    rig.idle(1.0)
    assert rig.world.camera.take() == []
    assert rig.world.camera._taken == taken
    rig.wait_without_link(rig.hands.plug_cable())
    assert not rig.world.camera.unplugged
