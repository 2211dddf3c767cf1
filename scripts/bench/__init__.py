"""Benchmarks: `python scripts/bench/NAME.py` prints figures next to their targets."""
