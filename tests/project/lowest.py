"""Print the lowest versions that pyproject.toml allows, as constraints for pip."""

import re
import tomllib
from pathlib import Path

PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"


def lowest_versions() -> dict[str, str]:
    """Return the lower bound of each requirement but torch, which the Makefile chooses."""
    project = tomllib.loads(PYPROJECT.read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    named = [*project["dependencies"], *(item for extra in extras.values() for item in extra)]
    bounds = dict(re.findall(r"^([\w-]+)>=([\d.]+)", "\n".join(named), re.MULTILINE))
    return {name: bound for name, bound in bounds.items() if name != "torch"}


if __name__ == "__main__":
    for name, version in lowest_versions().items():
        print(f"{name}=={version}")
