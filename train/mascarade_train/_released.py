"""The trained networks that come with this package: the files in the folder `released`."""

from pathlib import Path

from mascarade_env._errors import UnknownNameError, did_you_mean
from mascarade_env._policies.translation import plays
from mascarade_env.game._scenarios import Scenario
from mascarade_train._policy_file import PolicyFile

FOLDER = Path(__file__).parent / "released"

#: The name of the network for all scenarios that do not have a separate network.
PADDED = "padded"


def released_names() -> list[str]:
    """Return the names of all released networks, such as "6A" for `released/6A.npz`."""
    return sorted(file.stem for file in FOLDER.glob("*.npz"))


def released_path(name: str) -> Path:
    """Return the path of a released network.

    Raises:
        UnknownNameError: there is no released network with this name.
    """
    names = released_names()
    if not names:
        raise UnknownNameError(
            f"there are no networks in {str(FOLDER)!r}: install mascarade-env again, or train a "
            "network"
        )
    if name not in names:
        raise UnknownNameError(f"unknown released network {name!r}{did_you_mean(name, names)}")
    return FOLDER / f"{name}.npz"


def released_for(scenario: Scenario) -> PolicyFile:
    """Return the released network for a scenario; if there is none, the padded network.

    Raises:
        UnknownNameError: no released network plays this scenario.
    """
    names = released_names()
    for name in (scenario.name, PADDED):
        file = PolicyFile.load(released_path(name)) if name in names else None
        if file is not None and plays(file.schema, scenario):
            return file
    raise UnknownNameError(
        f"no released network plays {scenario.name}: train a network, or choose another scenario "
        f"(networks: {', '.join(names) or 'none'})"
    )
