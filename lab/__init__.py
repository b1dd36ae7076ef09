"""Measurements and evaluations: what a checkout has beside the product."""
