"""`mascarade best-response`, called as a user calls it."""

import json
from pathlib import Path

import pytest

from mascarade_env import scenarios
from mascarade_env.cli import main
from mascarade_train.agents import NetAgent
from mascarade_train.evaluation import win_share
from tests.messages import states

QUICK = (
    *("--agent", "random", "--scenario", "tiny-2", "--decisions", "300", "--batch", "128"),
    *("--games", "64", "--selection", "20", "--evaluation", "200", "--layers", "32"),
)


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command by its name, in an empty folder."""
    about = tmp_path / "site" / "odd-1.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: odd\nVersion: 1\n")
    (about / "entry_points.txt").write_text(
        "[mascarade.commands]\n"
        "best-response = mascarade_train.cli.best_response:best_response_with\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")


def test_it_tells_what_is_gained_at_least(capfd: pytest.CaptureFixture[str]) -> None:
    code = main(["best-response", *QUICK, "--out", "new/found.json", "--save-policy", "it.npz"])
    output, errors = capfd.readouterr()
    assert (code, errors) == (0, "")
    found = json.loads(Path("new/found.json").read_text())
    low, gain = 100 * found["interval"][0], 100 * found["gain"]
    assert states(output, f"{gain:.1f} points", "95% interval", f"{low:.1f}")
    least = f"at least {low:.1f}" if low > 0 else "nothing to gain"
    assert states(output, least)
    assert states(output, "200 games", "tiny-2", "50.0%")
    assert states(found["calibration"], "not calibrated", "--decisions", 300)
    assert found["calibration"] in output
    assert found["settings"]["layers"] == [32]
    # The response that was saved plays as well as was told, but for luck.
    response = NetAgent(scenarios()["tiny-2"], "it.npz")
    again = win_share(response.policy(3), "tiny-2", games=2000)
    assert abs(again.mean - found["share"]["mean"]) < 2 * (again.margin + found["share"]["margin"])
    before = Path("it.npz").read_bytes()
    words = ("--agent", "net:it.npz", "--save-policy", "it.npz")
    assert main(["best-response", *QUICK, *words]) == 2
    assert states(capfd.readouterr().err, "--save-policy", "overwrite", "'it.npz'", "read")
    assert Path("it.npz").read_bytes() == before


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--out", "found.txt"], ["--out", ".json", "'found.txt'"]),
        (["--save-policy", "it.pt"], ["--save-policy", ".npz", "'it.pt'"]),
        (["--batch", "0"], ["--batch", 1, 0]),
        (["--agent", "ismcts:5"], ["ismcts:5", "views", "stopper"]),
        (["--agent", "net:nothing.npz"], ["read", "'nothing.npz'", "No such file"]),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_played(
    capfd: pytest.CaptureFixture[str], words: list[str], why: list[object]
) -> None:
    assert main(["best-response", *QUICK, *words]) == 2
    output, errors = capfd.readouterr()
    assert output == ""
    assert errors.startswith("mascarade: ")
    assert states(errors, *why)
    assert not list(Path.cwd().iterdir())
