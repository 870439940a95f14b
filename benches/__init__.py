"""Benchmarks: sciarray and its peers side by side in one process. Run as ``python -m benches``."""
