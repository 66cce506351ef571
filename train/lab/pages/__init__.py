"""Pages that are printed from code: each module has one page, and the command that writes it.

Tests compare observation, actions, versions and measures with the code; ladder and equilibria are
measured, which takes minutes.
"""
