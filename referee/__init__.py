"""A referee for Risk played by e-mail."""

__version__ = "0.1.0"
