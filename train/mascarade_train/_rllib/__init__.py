"""Self-play with Ray RLlib."""
