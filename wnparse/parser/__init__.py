"""Parsing of sentences with trained models."""
