"""All figures, in the order in which they are told."""

from controller.bench import dealing, parts, reading

FIGURES = (*dealing.FIGURES, *reading.FIGURES, *parts.FIGURES)
