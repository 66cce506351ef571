"""Subcommands of `mascarade`; the entry points stand in pyproject.toml."""
