"""Front-ends of the games for PettingZoo and Gymnasium; no rules of play are here."""
