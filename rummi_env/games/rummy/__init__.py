"""Basic Rummy with 52 cards: the state of games and the turn machine."""
