"""Records of games: written as they are played, read, and replayed step by step."""
