"""Benchmarks: figures with median, 99th percentile and sample size, measured now and here."""
