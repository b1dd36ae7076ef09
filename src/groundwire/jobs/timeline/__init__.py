"""timeline: a topic in, a dated, sourced history without repeats out."""
