"""The machine as the host drives it: configured, homed, run by run, told in happenings."""
