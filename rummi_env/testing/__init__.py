"""Slow, readable counterparts of the compiled games, to check them against."""
