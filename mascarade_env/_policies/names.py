"""Policies by name: "random", "bluffer:0.3", "ismcts:500", "net:path/to/file", "mine.py:MyAgent".

The part before the colon is an entry point of the group `mascarade.agents`; any installed package
can add one. The part after the colon is an argument for the policy. So this package need not import
the packages that contain policies. `make_policy` runs the code of a name, so pass only names that
the user has typed.
"""

from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points

from mascarade_env._errors import MascaradeError, UnknownNameError, did_you_mean
from mascarade_env._policies.from_file import SUFFIX, from_file
from mascarade_env._policies.protocol import Policy, is_policy
from mascarade_env._policies.short_errors import in_short
from mascarade_env._policies.translation import fitted
from mascarade_env.game._scenarios import Scenario
from mascarade_env.observation._schema import Schema

GROUP = "mascarade.agents"


def registered() -> dict[str, EntryPoint]:
    """Return the entry points of all policies, by the part of their names before the colon."""
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def make_policy(name: str, scenario: Scenario) -> Policy:
    """Make the policy of a name such as "bluffer:0.3".

    Args:
        name: an entry point, and after a colon its argument. Or a file whose name ends in `.py`,
            and after a colon the name of a class in this file.
        scenario: the scenario to play.

    Raises:
        UnknownNameError: there is no policy of this name.
        MascaradeError: the argument is wrong, the policy does not play the scenario, a library that
            it needs is missing, or its code fails.
    """
    try:
        make, argument, source = _maker(name)
        policy = make(scenario, argument)
    except (MascaradeError, KeyboardInterrupt):
        raise
    except BaseException as error:  # SystemExit too: the agent must not end the program
        raise MascaradeError(f"agent {name!r} cannot be made: {in_short(error)}") from error
    if not is_policy(policy):
        raise MascaradeError(
            f"agent {name!r} of {source} must be a policy, such as a mascarade_agents.Agent, not "
            f"{policy!r}"
        )
    return policy


def fitted_by_name(name: str, shown: Schema) -> Policy:
    """Make the policy of a name, for tables whose observations have a given layout.

    Raises:
        MascaradeError: as for `make_policy` and `translation.fitted`; the error includes `name`.
    """
    policy = make_policy(name, shown.scenario)
    try:
        return fitted(policy, shown, f"agent {name!r}")
    except MascaradeError as error:
        raise MascaradeError(f"{name} cannot play here: {error}") from error


def check_known(name: str) -> None:
    """Refuse the name of a policy that does not exist. This makes no policy and runs no code.

    Raises:
        UnknownNameError: there is no policy of this name.
    """
    kind = name.partition(":")[0]
    known = registered()
    if not kind.endswith(SUFFIX) and kind not in known:
        raise UnknownNameError(
            f"unknown agent {kind!r}{did_you_mean(kind, sorted(known))}; for your own agent, give "
            "the file and the class, as in mine.py:MyAgent"
        )


def _maker(name: str) -> tuple[Callable[[Scenario, str], object], str, str]:
    """Return the function that makes a policy, its argument, and the source of the function."""
    kind, _, argument = name.partition(":")
    if kind.endswith(SUFFIX):
        return *from_file(kind, argument), kind
    check_known(name)
    entry = registered()[kind]
    return entry.load(), argument, entry.value
