"""What hangs on the machine besides the MCU, as small protocols: camera, label reader, clock,
hopper.
"""
