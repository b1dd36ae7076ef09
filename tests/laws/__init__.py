"""One test at least for every law and every ledger rule; docs/laws.md is the table of them."""
