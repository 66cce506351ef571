"""Subcommands of `mascarade` about what was learned."""
