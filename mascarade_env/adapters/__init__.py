"""Other libraries' own interfaces to the game. Each module imports its library; each is an extra."""
