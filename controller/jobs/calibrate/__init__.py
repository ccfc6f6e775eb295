"""Calibrating: measures this one machine with cards, and says in plain words what to clean or move."""
