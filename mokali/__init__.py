"""Mokali: a house for Turkish table games."""
