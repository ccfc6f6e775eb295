"""Faults of camera and strobe do what their sentences say, with the real firmware."""

from __future__ import annotations

import pytest

from tests.unit.twin.dealt import dealt, prepared, strobes_without_image

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
    assert not rig.world.camera.black


def test_strobe_dim_gives_a_quarter_of_the_light() -> None:
    rig = dealt("strobe_dim@1.20", cards=24)
    by_stamp = dict(zip(rig.host.stamps, rig.host.pictures, strict=True))
    assert rig.world.camera.dim
    for strobe in rig.host.strobes:
        light = by_stamp[strobe.tick][0]
        full = 150 if strobe.look == 1 else 250
        # The identity picture calls anything under 100 us black.
        assert light == (full if strobe.card < 20 else "black")
    rig.wait(rig.hands.mend())
    assert not rig.world.camera.dim


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
