"""The project's own measurements: a real house under load, and what a move costs inside."""

from typing import Final

GROUPS: Final = ("engine", "solver", "plays", "inside", "replay", "visit", "tables", "late", "asleep", "voice", "bots")
"""What can be measured by itself, in the order of a round."""
