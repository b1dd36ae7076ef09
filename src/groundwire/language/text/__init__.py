"""Characters, words, sentences, clauses."""
