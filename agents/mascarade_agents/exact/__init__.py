"""Policies of agents as tables over whole game trees, for NashConv and best responses.

    from mascarade_agents.exact import tabulate
    from mascarade_env.exact import build, nash_conv

    game = build("small-3")
    tabulated = tabulate(make_agent("bluffer:0.3", game.scenario), game)
    print(nash_conv(game.tree, tabulated.policy))

`mascarade nashconv` prints these figures. `mascarade_env.exact` builds the trees and computes the
best responses. This package imports it and the protocol of policies. Each file may import the files
above it:

_positions.py: asks an agent for decisions in the information states of a tree
_tabulate.py: `tabulate`, an agent's policy as a table; `least_gains`, a low estimate of NashConv
"""

from mascarade_agents.exact._tabulate import DRAWS, Tabulated, least_gains, tabulate

__all__ = ["DRAWS", "Tabulated", "least_gains", "tabulate"]
