"""How the reader learns: pairs made by editing true sentences, public pairs, and small trees over both."""
