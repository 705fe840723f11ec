"""A table as pure data: who sits there, what is played, and what a command makes of it."""
