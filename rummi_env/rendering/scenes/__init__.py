"""What a picture of a game consists of: shapes at their places, made from a View."""
