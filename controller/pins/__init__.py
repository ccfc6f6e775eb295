"""The few pins of the Raspberry Pi itself: start button, stacklight, reset line, motor relay.

Everything that moves or must be quick hangs on the MCU; what hangs here may be late.
"""
