"""What leaves the desk: reports and bundles, made from values only."""
