"""Agents in exactly solved games: their policies as tables, and what best responses gain.

    from mascarade_agents.exact import tabulate
    from mascarade_env.exact import build, nash_conv

    game = build("small-3")
    tabulated = tabulate(make_agent("bluffer:0.3", game.scenario), game)
    print(nash_conv(game.tree, tabulated.policy))

`mascarade nashconv` prints these figures. The solver itself is `mascarade_env.exact`. This package
imports it and policies. Each file may import those above it:

_positions.py: asks an agent for decisions in the information states of a tree
_tabulate.py: `tabulate`, an agent's policy as a table; `least_gains`, a low estimate of NashConv
"""

from mascarade_agents.exact._tabulate import DRAWS, Tabulated, least_gains, tabulate

__all__ = ["DRAWS", "Tabulated", "least_gains", "tabulate"]
