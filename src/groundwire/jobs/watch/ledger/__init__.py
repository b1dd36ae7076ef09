"""What a watch believes, claim by claim, and how a day of reading changes it: pure, without a clock."""
