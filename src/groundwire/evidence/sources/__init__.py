"""Who publishes what: addresses, publishers, origins, parties, tiers."""
