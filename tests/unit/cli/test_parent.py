"""A program that is ended, impatiently or brutally, leaves no child behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from controller.cli.parent import ended_like_ctrl_c
from controller.house import ENDINGS, undisturbed

CHILD = """
import signal
from controller.cli.parent import end_with_parent
end_with_parent()
print("there", flush=True)
signal.pause()
"""


def test_a_child_ends_when_the_other_end_of_its_input_is_gone():
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert child.stdin is not None
    assert child.stdout is not None
    assert child.stdout.readline() == b"there\n"
    assert child.poll() is None
    child.stdin.close()  # as the kernel does when the parent dies
    assert child.wait(10) == -signal.SIGTERM
    child.stdout.close()


@pytest.mark.parametrize("number", ENDINGS)
def test_a_request_to_end_is_like_ctrl_c(number: signal.Signals):
    before = signal.getsignal(number)
    with pytest.raises(KeyboardInterrupt), ended_like_ctrl_c():
        os.kill(os.getpid(), number)
    assert signal.getsignal(number) is before


@pytest.mark.usefixtures("listens_to_ctrl_c")
def test_the_impatient_do_not_end_the_putting_away():
    with undisturbed():
        for number in (signal.SIGINT, *ENDINGS):
            os.kill(os.getpid(), number)
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
