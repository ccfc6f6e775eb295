"""All figures, in the order in which they are told."""

from controller.bench import at_1x, dealing, deals, parts, reading, vision

FIGURES = (
    *dealing.FIGURES,
    *reading.FIGURES,
    *vision.FIGURES,
    *deals.FIGURES,
    *parts.FIGURES,
    *at_1x.FIGURES,
)
