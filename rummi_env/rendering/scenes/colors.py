"""The colors of all pictures."""

GROUND = "#14303a"
FELT = "#1f5c50"
FELT_EDGE = "#184a41"
PANEL = "#1c3f4b"
PANEL_ON = "#2a5868"
INK = "#f3f1e7"
PALE = "#a9c0c4"
MARK = "#ffc53d"
GOOD = "#7fd6a0"
SHADOW = "#0e2229"

IVORY = "#fbf4df"
IVORY_EDGE = "#cdbf98"
HOLLOW = "#efe4c6"
BACK = "#d9c89a"
BACK_EDGE = "#a8925c"
WOOD = "#a9753f"
WOOD_EDGE = "#7d5229"
WOOD_SLOT = "#8f6133"

TILES = ("#1d1d1f", "#cf2f2a", "#1c62c4", "#e07b00")
"""Colors of tiles, in the order of their indices: black, red, blue, orange."""
JOKER_RED = "#b3202c"

PAPER = "#fffdf8"
PAPER_EDGE = "#b9b4a6"
CARD_BACK = "#3b5fa8"
CARD_BACK_EDGE = "#27417a"
SUITS = ("#1d1d1f", "#cf2f2a", "#cf2f2a", "#1d1d1f")
"""Colors of cards, in the order of their suits: clubs, diamonds, hearts, spades."""
