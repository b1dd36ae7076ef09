"""What the reader learns from: pairs made by editing true sentences, public pairs, and families written for it."""
