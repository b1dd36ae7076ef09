"""ask: a question in, a short cited answer or what is missing out."""
