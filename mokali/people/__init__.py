"""People as pure data."""
