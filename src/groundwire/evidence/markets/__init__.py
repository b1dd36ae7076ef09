"""Coins, series and what messages state about markets."""
