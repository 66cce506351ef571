"""The game where tools expect it: PettingZoo, Gymnasium, and self-play in batches."""
