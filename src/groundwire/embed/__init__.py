"""Embeddings by an API: optional, a second list beside words; never support for a claim."""
