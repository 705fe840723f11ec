"""The vocabulary that every game is written in. Knows no game, no clock, no network."""
