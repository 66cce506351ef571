"""How agents play in games that are known as whole trees, and what the best responses gain.

    from mascarade_agents.exact import tabulate
    from mascarade_env.exact import build, nash_conv

    game = build("small-3")
    table = tabulate(make_agent("bluffer:0.3", game.scenario), game)
    print(nash_conv(game.tree, table.policy))

The command `mascarade nashconv` is made of these.
"""

from mascarade_agents.exact._tabulate import DRAWS, Tabulated, least_gains, tabulate

__all__ = ["DRAWS", "Tabulated", "least_gains", "tabulate"]
