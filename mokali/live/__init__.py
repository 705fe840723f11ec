"""Tables in motion."""
