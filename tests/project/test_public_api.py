"""What users may import: the names in tests/project/public_api.txt, and no others."""

import ast
import inspect
import pickle
import pkgutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import mascarade_agents
import mascarade_env
import mascarade_env.cli
import mascarade_train
from lab.pages.versions import PUBLIC_MODULES
from mascarade_env import MascaradeError
from mascarade_env._lazy import loaded_on_use
from mascarade_env.testing import ConformanceError
from tests.project import public_api

PACKAGES = (mascarade_env, mascarade_agents, mascarade_train)
#: Packages that group private modules, and offer no names.
NAMESPACES = (
    "mascarade_env.game",
    "mascarade_env.knowledge",
    "mascarade_env.observation",
    "mascarade_env.envs",
    "mascarade_env.adapters",
    "mascarade_env.cli",
)
LIBRARIES = {"sb3": "stable_baselines3", "rllib": "ray", "openspiel": "pyspiel"}
#: The function behind the command `mascarade`, which pyproject.toml names.
ENTRY_POINTS = {"mascarade_env.cli": {"main"}}


def changed(before: str, after: str) -> str:
    """Return what differs between two interfaces, as text for people; empty if nothing does."""
    old, new = lines_by_owner(before), lines_by_owner(after)
    removed = [f"- {line}" for line in sorted(old - new)]
    added = [f"+ {line}" for line in sorted(new - old)]
    if not removed and not added:
        return ""
    advice = ["The public interface differs from tests/project/public_api.txt:", *removed, *added]
    if removed:
        advice.append(
            "A line with - is a promise to users: see mascarade_env/VERSIONS.md (What is public) "
            "for the version that may change it, and name the change in CHANGELOG.md."
        )
    return "\n".join([*advice, "If this is meant, run `make api` and commit the file."])


def lines_by_owner(text: str) -> set[str]:
    """Return each line with the module and the class that it belongs to."""
    lines, module, owner = set(), "", ""
    for line in text.splitlines():
        if line.startswith("# "):
            module = line[2:]
        elif line.startswith("    "):
            lines.add(f"{module}.{owner}: {line.strip()}")
        elif line:
            lines.add(f"{module}: {line}")
            owner = line.removeprefix("class ").partition("(")[0]
    return lines


def test_the_public_interface_is_as_it_was() -> None:
    difference = changed(public_api.FILE.read_text("utf-8"), public_api.text())
    assert not difference, f"\n{difference}"
    assert public_api.FILE.read_text("utf-8") == public_api.text()


def test_a_removed_name_is_reported_with_what_it_takes() -> None:
    text = public_api.text()
    gone = changed(text, text.replace("    def undo(self, steps: int=1) -> None\n", ""))
    assert "- mascarade_env.Game: def undo(self, steps: int=1) -> None" in gone
    assert "VERSIONS.md" in gone
    more = changed(text, text.replace("\ndef scenarios()", "\ndef decks() -> int\ndef scenarios()"))
    assert "+ mascarade_env: def decks() -> int" in more
    assert "VERSIONS.md" not in more
    assert not changed(text, text)


def test_the_interface_holds_what_users_write() -> None:
    """As the text is read from source: names of every kind are there, private ones are not."""
    lines = lines_by_owner(public_api.text())
    for line in (
        "mascarade_env: class Game(GameViewers)",
        "mascarade_env.Game: @property def coins(self) -> list[int]",
        "mascarade_env.Game: @classmethod def from_record(cls, record: object) -> Self",
        "mascarade_env.Batch: observation",
        "mascarade_env: MASKS: tuple[Mask, ...]",
        "mascarade_env: mascarade_v0: module",
        "mascarade_env: class SelfPlay()",
        "mascarade_agents.arena: SECONDS: float",
    ):
        assert line in lines, line
    worlds = "placements: NDArray[np.int8], weights: NDArray[np.float64], exact: bool"
    assert f"mascarade_env.Worlds: def __init__(self, {worlds})" in lines
    assert not [line for line in lines if "def _" in line and "def __" not in line]


@pytest.mark.parametrize("name", PUBLIC_MODULES)
def test_a_public_module_offers_its_names_and_says_what_they_are(name: str) -> None:
    docstring = ast.get_docstring(ast.parse(public_api.path_of(name).read_text("utf-8")))
    assert docstring
    assert public_api.promised(name)
    if name.startswith("mascarade_env.adapters."):
        pytest.importorskip(LIBRARIES[name.rpartition(".")[2]])
    module = import_module(name)
    assert len(set(public_api.promised(name))) == len(public_api.promised(name))
    for exported in public_api.promised(name):
        assert hasattr(module, exported), exported
        assert exported in dir(module)


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_every_other_module_is_private_by_name(package: ModuleType) -> None:
    modules = [package.__name__]
    modules += [
        each.name for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    ]
    assert len(modules) > 10
    for name in modules:
        if name in PUBLIC_MODULES or any(part.startswith("_") for part in name.split(".")):
            continue
        assert name in NAMESPACES, f"{name} is neither public nor private; begin its name with _"
        defined = {
            node.name
            for node in ast.parse(public_api.path_of(name).read_text("utf-8")).body
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_")
        }
        assert defined == ENTRY_POINTS.get(name, set()), name
        assert not public_api.promised(name)


def test_what_is_loaded_on_use_is_not_loaded_at_import() -> None:
    program = (
        "import sys, mascarade_env\n"
        "late = [f'mascarade_env.{name}' for name in ('envs._self_play', 'mascarade_v0')]\n"
        "print([name in sys.modules for name in late])\n"
        "mascarade_env.SelfPlay, mascarade_env.mascarade_v0.env\n"
        "print([name in sys.modules for name in late])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[False, False]\n[True, True]\n"


def test_a_name_that_no_package_has_is_an_attribute_error() -> None:
    load, names = loaded_on_use("mascarade_env", {"Decisions": "mascarade_env.envs._decisions"})
    assert load("Decisions").__name__ == "Decisions"
    assert {"Decisions", "Game"} <= set(names())
    with pytest.raises(AttributeError, match=r"mascarade_env.*Gmae"):
        load("Gmae")
    with pytest.raises(ImportError):
        exec("from mascarade_env import Gmae", {})


@pytest.mark.parametrize("error", [MascaradeError("no"), ConformanceError("no", "do")])
def test_errors_report_the_module_that_users_import_them_from(error: Exception) -> None:
    module = type(error).__module__
    assert getattr(sys.modules[module], type(error).__name__) is type(error)
    assert module in PUBLIC_MODULES
    assert type(pickle.loads(pickle.dumps(error.__class__))) is type


def test_the_source_of_public_classes_is_found() -> None:
    for each in (mascarade_env.Game, mascarade_env.Batch, mascarade_agents.Agent):
        assert f"class {each.__name__}" in inspect.getsource(each)


def test_pages_and_lessons_import_public_names_alone() -> None:
    root = public_api.ROOT
    pages = [*root.glob("*.md")]
    for folder in ("mascarade_env", "agents", "train", "notebooks"):
        pages += [*(root / folder).rglob("*.md"), *(root / folder).rglob("*.ipynb")]
    assert len(pages) > 20
    private = [
        f"{path.relative_to(root)}: {line.strip()}"
        for path in pages
        for line in path.read_text("utf-8").splitlines()
        if is_private_import(line)
    ]
    assert not private


def is_private_import(line: str) -> bool:
    words = line.strip().strip('",').removesuffix("\\n").split()
    if len(words) < 2 or words[0] not in {"from", "import"} or not words[1].startswith("mascarade"):
        return False
    parts = [*words[1].split("."), *(words[3:] if words[0] == "from" else ())]
    return any(part.startswith("_") for part in parts if part != "__version__")


def test_a_private_import_in_a_page_is_noticed() -> None:
    assert is_private_import("from mascarade_env.envs._self_play import SelfPlay")
    assert is_private_import('    "import mascarade_agents._ladder\\n",')
    assert not is_private_import("from mascarade_env import SelfPlay")


def test_the_versions_page_names_every_public_module() -> None:
    page = Path(public_api.ROOT / "mascarade_env" / "VERSIONS.md").read_text("utf-8")
    for name in PUBLIC_MODULES:
        assert f"| `{name}` |" in page
