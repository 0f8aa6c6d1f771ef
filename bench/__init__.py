"""Benchmarks: figures beside their floor in the same run. `make bench` writes RESULTS.md."""
