"""The Python code of pages runs as it stands; each block is a test."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# The pages in agents/ have tests of their own, which look at what the code prints.
PAGES = (
    ROOT / "README.md",
    ROOT / "train" / "README.md",
    *sorted((ROOT / "mascarade_env").rglob("*.md")),
)
BLOCKS = {
    f"{page.relative_to(ROOT)}, block {number}": block
    for page in PAGES
    for number, block in enumerate(
        re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL), start=1
    )
}


def test_the_blocks_are_found() -> None:
    pages = {name.partition(",")[0] for name in BLOCKS}
    assert pages >= {
        "README.md", "train/README.md", "mascarade_env/ACTIONS.md",
        "mascarade_env/adapters/ADAPTERS.md",
    }  # fmt: skip


@pytest.mark.parametrize("name", BLOCKS)
def test_a_block_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # some write files
    exec(compile(BLOCKS[name], name, "exec"), {"__name__": "page"})


@pytest.mark.slow
@pytest.mark.parametrize("name", BLOCKS)
def test_a_block_imports_all_that_it_uses(name: str, tmp_path: Path) -> None:
    """In a new process: here, other tests have imported modules already."""
    done = subprocess.run(
        [sys.executable, "-c", BLOCKS[name]],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
