"""What guides say of the code that their own programs do not show."""

import json
import re
import shlex
from collections import defaultdict
from dataclasses import MISSING, fields
from pathlib import Path

import pytest

from mascarade_env import Scenario, cli

ROOT = Path(__file__).parents[2]
GUIDES = (
    "agents/OWN_AGENT.md",
    "mascarade_env/COMPARISON.md",
    "mascarade_env/adapters/ADAPTERS.md",
    "mascarade_env/envs/TRAINING_LOOP.md",
    "mascarade_env/game/GAME.md",
    "mascarade_env/game/SCENARIOS.md",
    "mascarade_env/knowledge/BELIEFS.md",
    "train/CLUSTER.md",
)
SCENARIOS = (ROOT / "mascarade_env/game/SCENARIOS.md").read_text("utf-8")


def test_the_page_about_scenarios_has_every_key_with_its_default() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| (.+?) \|", SCENARIOS, re.MULTILINE))
    defaults = {
        field.name: "required" if field.default is MISSING else f"`{json.dumps(field.default)}`"
        for field in fields(Scenario)
    }
    defaults["name"] = "the file's name"
    assert {name: text.strip("`") for name, text in rows.items()} == {
        name: text.strip("`") for name, text in defaults.items()
    }


def test_the_file_of_the_page_about_scenarios_is_one() -> None:
    (file,) = re.findall(r"```json\n(.*?)```", SCENARIOS, re.DOTALL)
    assert Scenario.from_dict(json.loads(file)).players == 7


def commands() -> dict[str, set[str]]:
    """Return the flags that guides give to each command of `mascarade`."""
    flags: dict[str, set[str]] = defaultdict(set)
    for page in GUIDES:
        text = (ROOT / page).read_text("utf-8")
        shell = "\n".join(re.findall(r"```sh\n(.*?)```", text, re.DOTALL)).replace("\\\n", " ")
        lines = [*shell.splitlines(), *re.findall(r"`(mascarade [^`]+)`", text)]
        for line in lines:
            _, _, call = line.partition("mascarade ")
            words = shlex.split(call, comments=True)
            if words and re.fullmatch(r"[a-z0-9-]+", words[0]):
                flags[words[0]] |= {word for word in words if word.startswith("--")}
    return flags


FLAGS = commands()


def test_the_commands_of_guides_are_found() -> None:
    assert FLAGS.keys() >= {"train", "arena", "play", "record", "best-response"}
    assert {"--processes", "--resume", "--name"} <= FLAGS["train"]


@pytest.mark.parametrize("command", FLAGS)
def test_the_flags_of_guides_exist(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main([command, "--help"])
    assert end.value.code == 0
    assert FLAGS[command] <= {*re.findall(r"--[a-z][a-z-]*", capsys.readouterr().out)}
