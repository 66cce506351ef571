"""Seven hand-written agents in order of strength."""

#: Their names, the weakest first.
LADDER = (
    "random", "honest", "bluffer", "sceptic", "opportunist", "statistician", "stopper",
)  # fmt: skip
