"""The link to the MCU: sessions, tries, events in order, clocks matched. Above frames, below the
machine.
"""
