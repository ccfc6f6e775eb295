"""Cameras by name: what each gives is a window image with its own time."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from controller.devices.cameras import Place, open_camera, parse
from controller.devices.cameras.pixels import from_yuyv, window
from controller.devices.cameras.wire import HEAD, receive, send
from controller.devices.errors import CameraError
from controller.devices.picamera import PiCamera
from controller.devices.ports import Image


class Clock:
    def now_us(self) -> int:
        return 5_000


def picture(rows: int = 400, columns: int = 640, value: int = 7) -> Any:
    return np.full((rows, columns, 3), value, np.uint8)


# -- names ------------------------------------------------------------------------------------


def test_a_name_is_kind_place_and_options():
    assert parse("socket:/run/a b") == Place("socket", "/run/a b")
    assert parse("v4l2:/dev/video0?left=3&top=4&bin=2") == Place("v4l2", "/dev/video0", 3, 4, 2)


@pytest.mark.parametrize("name", ["", "socket", "socket:", "webcam:0", "/dev/video0"])
def test_what_is_no_camera_is_told(name: str):
    with pytest.raises(CameraError, match="There is no camera .*: folder, picamera2, socket, v4l2"):
        parse(name)


@pytest.mark.parametrize("options", ["left=x", "zoom=2", "left", "bin=0", "bin=9", "left=-1"])
def test_options_are_read_strictly(options: str):
    with pytest.raises(CameraError, match="not named well"):
        parse(f"folder:/tmp?{options}")


# -- pixels -----------------------------------------------------------------------------------


def test_the_window_is_cut_out():
    big = picture(410, 660)
    big[10:, 20:] = 9
    assert (window(big, Place("", "", 20, 10)) == 9).all()


def test_pixels_are_averaged_and_grey_becomes_bgr():
    grey = np.zeros((800, 1280), np.uint8)
    grey[:, 1::2] = 100
    found = window(grey, Place("", "", bin=2))
    assert found.shape == (400, 640, 3)
    assert (found == 50).all()


def test_too_small_a_picture_is_told():
    with pytest.raises(CameraError, match=r"640 x 400; the window image needs at least 641, 400"):
        window(picture(), Place("", "", left=1))


def test_yuyv_is_bgr_afterwards():
    blue = np.tile(np.array([41, 240, 41, 110], np.uint8), (2, 2))
    assert np.abs(from_yuyv(blue).astype(int) - [255, 0, 0]).max() <= 3
    white = np.tile(np.array([235, 128, 235, 128], np.uint8), (2, 2))
    assert (from_yuyv(white) == 255).all()


# -- images as packets ------------------------------------------------------------------------


def packets() -> tuple[socket.socket, socket.socket]:
    here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    here.setblocking(False)
    return here, there


def test_an_image_is_one_packet():
    here, there = packets()
    with here, there:
        shown = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)
        send(there, Image(3, 1 << 40, shown))
        found = receive(here)
        assert (found.number, found.captured_us) == (3, 1 << 40)
        assert (found.pixels == shown).all()
        with pytest.raises(BlockingIOError):
            receive(here)
        there.close()
        with pytest.raises(ConnectionResetError):
            receive(here)


@pytest.mark.parametrize(
    "head",
    [
        b"short",
        HEAD.pack(b"PDIM", 1, 2, 400, 640, 3),  # without its pixels
        HEAD.pack(b"XXXX", 1, 2, 400, 640, 3),
        HEAD.pack(b"PDIM", 1, 2, 65_535, 65_535, 255),
    ],
)
def test_what_is_no_image_is_told(head: bytes):
    here, there = packets()
    with here, there:
        there.send(head)
        with pytest.raises(CameraError, match="no window images"):
            receive(here)


def test_an_image_shorter_than_its_head_says_is_told(tmp_path: Path):
    here, there = packets()
    with here, there, (tmp_path / "pixels").open("wb+") as file:
        file.write(b"few")
        file.flush()
        head = HEAD.pack(b"PDIM", 1, 2, 400, 640, 3)
        socket.send_fds(there, [head], [file.fileno()])
        with pytest.raises(CameraError, match="no window images"):
            receive(here)


def test_a_camera_at_a_socket_calls_until_somebody_answers(tmp_path: Path):
    path = tmp_path / "camera"
    camera = open_camera(f"socket:{path}", Clock())
    assert (camera.take(), camera.fileno()) == ([], -1)
    assert "No such file" in str(camera.problem())
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as server:
        server.bind(str(path))
        server.listen()
        assert camera.take() == []
        assert camera.problem() is None
        caller, _ = server.accept()
        send(caller, Image(1, 2, picture()))
        send(caller, Image(2, 3, picture()))
        assert [image.number for image in camera.take()] == [1, 2]
        send(caller, Image(3, 4, picture()))
        camera.restart()  # what is under way is dropped
        caller.close()
        caller, _ = server.accept()
        assert camera.take() == []
        caller.send(b"nonsense")
        assert camera.take() == []
        assert "no window images" in str(camera.problem())
        caller.close()
    camera.close()


# -- folder -----------------------------------------------------------------------------------


def test_a_folder_gives_its_images_in_order(tmp_path: Path):
    cv2.imwrite(str(tmp_path / "window-000001-000000777000.png"), picture(value=1))
    cv2.imwrite(str(tmp_path / "x.png"), picture(value=2))
    (tmp_path / "notes.txt").touch()
    camera = open_camera(f"folder:{tmp_path}", Clock())
    (first,), (second,) = camera.take(), camera.take()
    assert (first.number, first.captured_us, first.pixels[0, 0, 0]) == (1, 777_000, 1)
    assert (second.number, second.captured_us, second.pixels[0, 0, 0]) == (2, 5_000, 2)
    assert camera.take() == []
    assert "no more images" in str(camera.problem())
    camera.restart()
    assert len(camera.take()) == 1
    camera.close()


def test_a_folder_that_is_none(tmp_path: Path):
    with pytest.raises(CameraError, match="gives no images"):
        open_camera(f"folder:{tmp_path}/none", Clock())


# -- picamera2 --------------------------------------------------------------------------------


class FakePicamera2:
    """In place of picamera2.Picamera2."""

    made: list[FakePicamera2] = []  # noqa: RUF012
    broken = False

    def __init__(self, number: int) -> None:
        if self.broken:
            raise RuntimeError("Camera in Running state trying acquire()")
        self.number = number
        self.post_callback: Any = None
        self.started = self.closed = False
        self.made.append(self)

    def create_video_configuration(self, **settings: Any) -> dict[str, Any]:
        return settings

    def configure(self, settings: dict[str, Any]) -> None:
        self.settings = settings

    def start(self) -> None:
        self.started = True

    def close(self) -> None:
        self.closed = True

    def shoot(self, stamp_ns: int, shown: Any) -> None:
        class Request:
            def make_array(self, name: str) -> Any:
                return shown

            def get_metadata(self) -> dict[str, int]:
                return {"SensorTimestamp": stamp_ns}

        self.post_callback(Request())


def test_a_pi_camera_hands_over_what_its_thread_brings():
    camera = PiCamera(Place("picamera2", "0", left=10, top=20, bin=2), FakePicamera2)
    device = FakePicamera2.made[-1]
    assert device.started
    assert device.settings["main"] == {"size": (1300, 840), "format": "RGB888"}
    assert camera.take() == []
    device.shoot(1_234_567_890_123, picture(840, 1300))
    (image,) = camera.take()
    assert (image.number, image.captured_us) == (1, 1_234_567_890)
    assert image.pixels.shape == (400, 640, 3)
    device.shoot(1, picture(840, 1300))
    camera.restart()
    assert device.closed
    assert camera.take() == []
    camera.close()


def test_a_pi_camera_that_is_not_there(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(FakePicamera2, "broken", True)
    with pytest.raises(CameraError, match=r"gives no images \(Camera in Running state"):
        PiCamera(Place("picamera2", "0"), FakePicamera2)


def test_without_the_library_it_is_named():
    with pytest.raises(CameraError, match="needs the library picamera2"):
        open_camera("picamera2:0", Clock())
