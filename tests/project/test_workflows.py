"""The GitHub workflows and what belongs to them, as far as it can be tested elsewhere."""

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.project.lowest import lowest_versions

ROOT = Path(__file__).parents[2]
GITHUB = ROOT / ".github"
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml"))
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

# An action pinned by commit, with the version in a comment, as Dependabot keeps it.
PINNED = re.compile(r"uses: [\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")


with_make = pytest.mark.skipif(shutil.which("make") is None, reason="no make here")
with_bash = pytest.mark.skipif(os.name == "nt", reason="the workflow runs this on Linux")


def loaded(path: Path) -> dict[str, Any]:
    """Return a YAML file; YAML reads the key `on` as True."""
    return {str(key): value for key, value in yaml.safe_load(path.read_text("utf-8")).items()}


def jobs(path: Path) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = loaded(path)["jobs"]
    return found


def commands(path: Path) -> list[str]:
    """Return what the steps of a workflow run."""
    return [
        step["run"] for job in jobs(path).values() for step in job.get("steps", ()) if "run" in step
    ]


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))


def made_by(target: str) -> str:
    """Return the commands that make prints for a target, its variables filled in."""
    done = subprocess.run(
        ["make", "--dry-run", target],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout


def test_there_are_workflows_for_every_kind_of_check() -> None:
    assert [path.stem for path in WORKFLOWS] == ["checks", "nightly", "pages", "release"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_may_do_what_it_needs_and_no_more(path: Path) -> None:
    workflow = loaded(path)
    assert workflow["permissions"] == {}
    assert "group" in workflow["concurrency"]
    for name, job in jobs(path).items():
        assert job["permissions"], name
        writes = {key for key, value in job["permissions"].items() if value == "write"}
        assert not writes or path.stem == "release", name
        if "uses" not in job:
            assert job["timeout-minutes"] <= 240, name
    checkouts = path.read_text("utf-8").count("actions/checkout@")
    assert path.read_text("utf-8").count("persist-credentials: false") == checkouts


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_actions_are_pinned_by_commit(path: Path) -> None:
    uses = [line.strip(" -") for line in path.read_text("utf-8").splitlines() if " uses: " in line]
    assert uses
    for line in uses:
        assert PINNED.fullmatch(line) or line == "uses: ./.github/workflows/checks.yml"
    everywhere = "".join(other.read_text("utf-8") for other in WORKFLOWS)
    for action in {line.partition("@")[0] for line in uses}:
        assert len(set(re.findall(rf"{re.escape(action)}@\S+ # \S+", everywhere))) <= 1, action


def test_workflows_make_what_the_makefile_has() -> None:
    targets = [
        word
        for path in WORKFLOWS
        for command in commands(path)
        for word in re.findall(r"^make ([a-z-]+)", command, re.MULTILINE)
    ]
    assert {"check", "test-full", "test-nightly", "lowest", "wheel", "pages"} <= set(targets)
    assert set(targets) <= make_targets()


@with_make
@pytest.mark.parametrize("target", ["check", "coverage", "lowest", "pages", "wheel"])
def test_files_that_the_makefile_names_exist(target: str) -> None:
    named = re.findall(r"(?:tests|\.github)/[\w/]+\.\w+", made_by(target))
    assert named
    for name in named:
        assert (ROOT / name).is_file(), name


def test_all_tests_run_on_the_python_versions_of_the_classifiers() -> None:
    matrix = jobs(GITHUB / "workflows/checks.yml")["test"]["strategy"]["matrix"]
    classified = [
        line.rpartition(" ")[2] for line in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", line)
    ]
    assert matrix["python"] == classified
    assert PROJECT["requires-python"] == f">={classified[0]}"
    for path in WORKFLOWS:
        for job in jobs(path).values():
            for step in job.get("steps", ()):
                version = step.get("with", {}).get("python-version", classified[0])
                assert version in classified or version == "${{ matrix.python }}"


@with_make
def test_commands_without_make_are_those_of_the_makefile() -> None:
    """Windows may have no make; the tests that run there are those of `make test` all the same."""
    install, test = (
        step["run"] for step in jobs(GITHUB / "workflows/checks.yml")["fast"]["steps"][2:]
    )
    torch = re.search(r"echo (torch==[\d.]+)", MAKEFILE)
    assert torch
    assert install == f'python -m pip install -c constraints.txt {torch[1]} -e ".[test]"'
    assert f".venv/bin/{test.replace('-n 3', '-n 2')}\n" in made_by("test")


def test_the_lowest_versions_are_tested_with_the_lowest_torch() -> None:
    (torch,) = (
        item for item in PROJECT["optional-dependencies"]["train"] if item.startswith("torch")
    )
    bound = re.match(r"torch>=([\d.]+)", torch)
    assert bound
    command = jobs(GITHUB / "workflows/checks.yml")["lowest"]["steps"][-1]["run"]
    assert command.endswith(f" TORCH=torch=={bound[1]}.0")


def test_every_requirement_has_a_lowest_version() -> None:
    extras = PROJECT["optional-dependencies"].values()
    wanted = [*PROJECT["dependencies"], *(item for extra in extras for item in extra)]
    names = {re.split(r"[<>=\[]", item)[0] for item in wanted} - {"mascarade-env", "torch"}
    assert set(lowest_versions()) == names


def test_dependabot_looks_after_all_that_is_pinned() -> None:
    updates = loaded(GITHUB / "dependabot.yml")["updates"]
    assert {entry["package-ecosystem"] for entry in updates} == {"pip", "github-actions"}
    assert {entry["directory"] for entry in updates} == {"/"}


@with_bash
@pytest.mark.parametrize(
    ("tag", "version", "heading", "fits"),
    [
        ("v1.2.3", "1.2.3", "1.2.3 (2026-11-20)", True),
        ("v1.2.4", "1.2.3", "1.2.3 (2026-11-20)", False),
        ("v1.2.3", "1.2.3", "1.2.3 (unreleased)", False),
        ("v1.2.3", "1.2.3", "1.2.2 (2026-11-20)", False),
    ],
)
def test_a_tag_is_released_if_it_is_the_version_of_a_dated_changelog(
    tag: str, version: str, heading: str, fits: bool, tmp_path: Path
) -> None:
    (command,) = (
        step["run"]
        for step in jobs(GITHUB / "workflows/release.yml")["tag"]["steps"]
        if "run" in step
    )
    (tmp_path / "mascarade_env").mkdir()
    (tmp_path / "mascarade_env/__init__.py").write_text(f'__version__ = "{version}"\n')
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n## {heading}\n")
    done = subprocess.run(
        ["bash", "-e", "-c", command],
        cwd=tmp_path,
        env={**os.environ, "GITHUB_REF_NAME": tag},
        capture_output=True,
        check=False,
    )
    assert (done.returncode == 0) is fits
    assert '\n__version__ = "' in (ROOT / "mascarade_env/__init__.py").read_text("utf-8")


def test_the_address_of_the_project_is_the_same_everywhere() -> None:
    """`python -m lab address` changes all of them."""
    urls = PROJECT["urls"]
    assert all(url.startswith(urls["Source"]) for url in urls.values())
    owner, name = urls["Source"].rsplit("/", 2)[1:]
    listed = subprocess.run(
        ["git", "ls-files", "*.md", "*.ipynb", "*.cff", "*.yml"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    repeating = set()
    for file in listed.stdout.split():
        # Links to Colab have the owner and the name after "github/".
        text = (ROOT / file).read_text("utf-8")
        for place in re.findall(rf"\bgithub(?:\.com)?/[\w-]+/{name}\b", text):
            assert place.endswith(f"/{owner}/{name}"), file
            repeating.add(file)
    lessons = {f"notebooks/{path.name}" for path in (ROOT / "notebooks").glob("*.ipynb")}
    assert repeating >= {"README.md", "CITATION.cff", "SECURITY.md", *lessons}


@pytest.mark.skipif(shutil.which("actionlint") is None, reason="no actionlint here")
def test_actionlint_finds_nothing() -> None:
    done = subprocess.run(
        ["actionlint", *map(str, WORKFLOWS)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_hooks_are_programs_of_the_environment() -> None:
    hooks = [
        hook for repo in loaded(ROOT / ".pre-commit-config.yaml")["repos"] for hook in repo["hooks"]
    ]
    checks = " ".join(PROJECT["optional-dependencies"]["check"])
    provided = {
        "check-merge-conflict": "pre-commit-hooks",
        "check-added-large-files": "pre-commit-hooks",
    }
    for hook in hooks:
        program, *arguments = hook["entry"].split()
        if program == ".venv/bin/python":
            assert arguments[:2] == ["-m", "lab"]
        elif hook["language"] == "pygrep":  # pre-commit itself looks for the pattern
            continue
        elif program != "make":
            name = Path(program).name
            assert program == f".venv/bin/{name}"
            assert provided.get(name, name) in checks
        assert hook["language"] == "system"
        # Types and imports depend on files that did not change: they are checked before a push.
        assert hook.get("pass_filenames", True) or hook["stages"] == ["pre-push"]
