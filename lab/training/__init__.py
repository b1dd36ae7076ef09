"""The training of the reader: pairs made by editing true sentences, public pairs, and small trees over both."""
