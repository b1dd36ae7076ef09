"""Names of people, bodies and things, in both languages."""
