"""Corpora on a Dask cluster."""
