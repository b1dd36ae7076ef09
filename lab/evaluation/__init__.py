"""Quality on public data: one file per kind in `kinds/`, figures with their sample size, floors."""
