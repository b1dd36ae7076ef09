"""Models: prompts, tiers, one exchange with a vendor, and the ladder from question to answer."""
