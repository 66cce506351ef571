"""The trained networks that come with this package: the files in the folder `released`."""

from pathlib import Path

from mascarade_env._errors import UnknownNameError, did_you_mean
from mascarade_env._policies.translation import plays
from mascarade_env.game._scenarios import Scenario
from mascarade_train._policy_file import PolicyFile

FOLDER = Path(__file__).parent / "released"

#: The name of the one that plays what no other was released for.
PADDED = "padded"


def released_names() -> list[str]:
    """Return the names of all, such as "6A" for `released/6A.npz`."""
    return sorted(file.stem for file in FOLDER.glob("*.npz"))


def released_path(name: str) -> Path:
    """Return where a released network lies.

    Raises:
        UnknownNameError: there is none of this name.
    """
    names = released_names()
    if not names:
        raise UnknownNameError(
            f"no networks are in {str(FOLDER)!r}: install mascarade-env anew, or train one"
        )
    if name not in names:
        raise UnknownNameError(f"unknown released network {name!r}{did_you_mean(name, names)}")
    return FOLDER / f"{name}.npz"


def released_for(scenario: Scenario) -> PolicyFile:
    """Return the network released for a scenario, else the padded one.

    Raises:
        UnknownNameError: no network plays it.
    """
    names = released_names()
    for name in (scenario.name, PADDED):
        file = PolicyFile.load(released_path(name)) if name in names else None
        if file is not None and plays(file.schema, scenario):
            return file
    raise UnknownNameError(
        f"no released network plays {scenario.name}: train one, or play another scenario "
        f"(networks: {', '.join(names) or 'none'})"
    )
