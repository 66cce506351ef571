"""The game itself: data, rules, games and records. Needs NumPy and Numba only."""
