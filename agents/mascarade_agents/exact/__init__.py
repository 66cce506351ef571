"""How agents play in games that are solved exactly, and what best responses to them gain.

    from mascarade_agents.exact import tabulate
    from mascarade_env.exact import build, nash_conv

    game = build("small-3")
    tabulated = tabulate(make_agent("bluffer:0.3", game.scenario), game)
    print(nash_conv(game.tree, tabulated.policy))

The command `mascarade nashconv` uses these. Imports policies and
`mascarade_env.exact`. Each file may import those above it:

_positions.py: show an agent the information states of a tree
_tabulate.py: `tabulate`, `least_gains`: what it does there, and what that leaves to gain
"""

from mascarade_agents.exact._tabulate import DRAWS, Tabulated, least_gains, tabulate

__all__ = ["DRAWS", "Tabulated", "least_gains", "tabulate"]
