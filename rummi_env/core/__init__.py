"""Tiles, rules, melds, notation and the judge of a turn; needs numpy only."""
