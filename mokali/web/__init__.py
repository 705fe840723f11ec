"""Flask. Knows everything; nothing knows it."""
