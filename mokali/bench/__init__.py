"""The project's own measurements: a real house under load, and what a move costs inside."""
