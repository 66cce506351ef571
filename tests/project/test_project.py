"""The project as a whole: imports go one way, documents agree with the code."""

import re
import shlex
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import mascarade_env
from mascarade_env import cli
from mascarade_train._released import released_names
from tests.messages import states

ROOT = Path(__file__).parents[2]
FOLDERS = ("mascarade_env", "agents", "train", "notebooks", "tests", ".github")
MOST_BYTES = 690_000  # compressed size of the wheel without the released networks
PAGES = sorted(
    str(path.relative_to(ROOT))
    for folder in ("", *FOLDERS)
    for path in (ROOT / folder).glob("**/*.md" if folder else "*.md")
)


def test_imports_go_one_way() -> None:
    done = subprocess.run(
        [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
    assert states(done.stdout, f"{len(tools['importlinter']['contracts'])} kept", "0 broken")


def test_importing_loads_nothing_heavy() -> None:
    """The environment does not need what it does not use, and compiles nothing at import."""
    program = (
        "import sys, mascarade_env\n"
        "heavy = {'rich', 'tyro', 'torch', 'matplotlib', 'stable_baselines3', 'PIL', 'pygame'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
        "from mascarade_env.game import _rules as rules\n"
        "print(getattr(rules.apply, 'signatures', []))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n[]\n"
    assert done.stderr == ""


def test_the_version_is_the_same_everywhere() -> None:
    version = mascarade_env.__version__
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text()
    assert f"\n## {version}" in (ROOT / "CHANGELOG.md").read_text()


def test_every_dependency_is_pinned_for_make() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"].values()
    wanted = [*project["dependencies"], *(item for extra in extras for item in extra)]
    pinned = {
        line.partition("==")[0].lower().replace("_", "-")
        for line in (ROOT / "constraints.txt").read_text().splitlines()
        if not line.startswith("#")
    }
    assert "torch" not in pinned  # users choose its version, by TORCH
    # Without a choice it is a version known to work.
    default = r"^TORCH \?= .*\|\| echo torch==[\d.]+\)$"
    assert re.search(default, (ROOT / "Makefile").read_text(), re.MULTILINE)
    for requirement in wanted:
        name = re.split(r"[<>=!~\[]", requirement)[0].lower()
        assert name in pinned | {"torch", "mascarade-env"}, requirement


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    named = re.findall(r"^\[[^]]+\]: (\S+)$", text, re.MULTILINE)
    for target in re.findall(r"\]\(([^)\s]+)\)", text) + named:
        if target.startswith("http"):
            continue
        name, _, heading = target.partition("#")
        there = (ROOT / page).parent / name if name else ROOT / page
        assert there.exists(), target
        if heading:
            assert heading in headings(there), target


def headings(page: Path) -> set[str]:
    """Return the names that GitHub gives to the headings of a page."""
    found = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in found}


@pytest.mark.parametrize("page", PAGES)
def test_pictures_have_a_text(page: str) -> None:
    for words, picture in re.findall(
        r"!\[([^]]*)\]\(([^)\s]+)\)", (ROOT / page).read_text("utf-8")
    ):
        assert len(words) > 20, picture


def test_the_picture_of_the_readme_is_what_make_draws(tmp_path: Path) -> None:
    """By the commands of the Makefile, with files elsewhere."""
    rule = (ROOT / "Makefile").read_text().partition("\npicture:")[2].partition("\n\n")[0]
    recipe = rule.partition("\n")[2].replace("\\\n", " ")
    commands = [shlex.split(line.replace("$(BIN)/", "")) for line in recipe.splitlines()]
    assert [words[:2] for words in commands] == [["mascarade", "record"], ["mascarade", "replay"]]
    for _, *words in commands:
        there = [
            str(tmp_path / Path(word).name) if word.endswith((".jsonl", ".svg")) else word
            for word in words
        ]
        assert cli.main(there) == 0
    drawn = (tmp_path / "game.svg").read_text("utf-8")
    assert drawn == (ROOT / "mascarade_env/render/game.svg").read_text("utf-8")
    assert "(mascarade_env/render/game.svg)" in (ROOT / "README.md").read_text()


def test_the_example_of_the_record_document_is_a_game() -> None:
    import json  # noqa: PLC0415

    text = (ROOT / "mascarade_env" / "RECORDS.md").read_text()
    (example,) = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    record = json.loads(example)
    assert mascarade_env.Game.from_record(record).to_record() == record


def test_rules_that_the_code_cites_exist() -> None:
    rules = (ROOT / "mascarade_env" / "RULES.md").read_text()
    code = "".join(path.read_text() for path in (ROOT / "mascarade_env").rglob("*.py"))
    numbers = set(re.findall(r"(?<=[( ])([3-7]\.\d)(?=[a-c,):]|\. )", code))
    assert len(numbers) > 10
    for number in numbers:
        section, paragraph = number.split(".")
        body = rules.partition(f"\n## {section}. ")[2].partition("\n## ")[0]
        assert f"\n{paragraph}. " in body, number


def test_the_rules_document_has_the_masks_of_the_data() -> None:
    rules = (ROOT / "mascarade_env" / "RULES.md").read_text()
    for mask in mascarade_env.MASKS:
        symbol = "yes" if mask.coin_symbol else ""
        players = f"{mask.min_players}+" if mask.min_players else ""
        assert f"\n| `{mask.id}` | {mask.copies} | {symbol} | {players} | {mask.power} |\n" in rules
    assert rules.count("\n| `") == len(mascarade_env.MASKS)


def test_the_wheel_holds_the_packages_and_their_data_and_nothing_else(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        files = archive.infolist()
        code = [archive.read(file).decode() for file in files if file.filename.endswith(".py")]
    names = [file.filename for file in files]
    top = {name.partition("/")[0] for name in names}
    assert {name for name in top if not name.endswith(".dist-info")} == {
        "mascarade_env", "mascarade_agents", "mascarade_train",
    }  # fmt: skip
    pages = [f"render/replay.{kind}" for kind in ("html", "css", "js")]
    pages_too = ("RULES.md", "RECORDS.md", "ACTIONS.md", "adapters/ADAPTERS.md")
    for data in ("game/scenarios.toml", *pages_too, "py.typed", *pages):
        assert f"mascarade_env/{data}" in names
    for data in (
        "_best_response/calibration.json",
        *(f"released/{name}.npz" for name in released_names()),
    ):
        assert f"mascarade_train/{data}" in names
    assert not [name for name in names if "__pycache__" in name or name.endswith(".svg")]
    # What makes this repository's own pages, figures and releases is in train/lab.
    assert not [name for name in names if "lab" in name.split("/")]
    makers = [
        path for path in (ROOT / "train/lab").rglob("*.py") if _makes_a_page(path.read_text())
    ]
    assert len(makers) >= 8
    assert not any(map(_makes_a_page, code))
    others = sum(file.compress_size for file in files if not file.filename.endswith(".npz"))
    assert others < MOST_BYTES, "the wheel has grown: raise the limit if users need what is new"


def _makes_a_page(code: str) -> bool:
    return re.search(r"^PAGE = ", code, re.MULTILINE) is not None


def test_the_command_line_has_one_way_in() -> None:
    """All commands share the handling of errors and signals in `mascarade_env.cli`."""
    folders = ("mascarade_env", "agents/mascarade_agents", "train/mascarade_train")
    found = {
        str(path.relative_to(ROOT))
        for folder in folders
        for path in (ROOT / folder).rglob("*.py")
        if re.search(r"^def main\(|^if __name__ ==", path.read_text("utf-8"), re.MULTILINE)
    }
    assert found == {"mascarade_env/cli/__init__.py"}
