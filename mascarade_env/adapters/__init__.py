"""Other libraries' own interfaces to the game; each module imports its library, an extra each."""
