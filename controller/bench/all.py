"""All figures, in the order in which they are told."""

from controller.bench import parts, reading

FIGURES = (*reading.FIGURES, *parts.FIGURES)
