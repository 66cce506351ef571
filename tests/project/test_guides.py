"""What guides say of the code that their own programs do not show."""

import json
import re
from dataclasses import MISSING, fields
from pathlib import Path

from mascarade_env import Scenario

ROOT = Path(__file__).parents[2]
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
