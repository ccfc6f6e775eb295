"""The engine: pure decisions on one board. Happenings in, orders out; no port, no clock, no store."""
