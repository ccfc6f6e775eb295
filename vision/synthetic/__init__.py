"""Card art and optics drawn by our own code: for the twin, training and benchmarks, never for the readers."""
