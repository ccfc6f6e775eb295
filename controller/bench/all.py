"""All figures, in the order in which they are told."""

from controller.bench import at_1x, dealing, deals, parts, reading

FIGURES = (
    *dealing.FIGURES,
    *reading.FIGURES,
    *deals.FIGURES,
    *parts.FIGURES,
    *at_1x.FIGURES,
)
