"""Bad input through the doors: one clear sentence, the right code, nothing half-written."""
