from pathlib import Path
from typing import Any

import pytest

from mascarade_env.game import _events as events
from mascarade_env.game import _text_table as text_table
from mascarade_env.observation import _schema as schema
from tests.mascarade_env.game import golden_sentences
from tests.mascarade_env.game.golden import FOLDER, SEED, all_scenarios, playthrough


def _check(path: Path, text: str) -> None:
    golden, now = path.read_text("utf-8").splitlines(), text.splitlines()
    for number, (before, after) in enumerate(zip(golden, now, strict=False)):
        assert after == before, f"line {number + 1} of {path.name}; see `make golden`"
    assert len(now) == len(golden)


@pytest.mark.parametrize("name", all_scenarios())
def test_a_playthrough_is_as_it_was(name: str) -> None:
    _check(FOLDER / f"{name}.txt", playthrough(all_scenarios()[name]))


def test_the_sentences_are_as_they_were() -> None:
    _check(golden_sentences.FILE, golden_sentences.sentences(all_scenarios(), SEED))


def test_every_kind_of_event_has_a_sentence() -> None:
    text = golden_sentences.FILE.read_text("utf-8")
    assert [kind for kind in events.KINDS if f"\n{kind} " not in text] == []


def test_every_golden_belongs_to_a_scenario() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(all_scenarios())


def test_a_new_wording_does_not_change_playthroughs(monkeypatch: pytest.MonkeyPatch) -> None:
    def reworded(*given: Any) -> str:
        return "in other words"

    monkeypatch.setattr(events, "in_words", reworded)
    monkeypatch.setattr(golden_sentences, "in_words", reworded)
    monkeypatch.setattr(schema, "described", lambda *given: ["in other words"])
    monkeypatch.setattr(text_table, "table", reworded)
    test_a_playthrough_is_as_it_was("4A")
    with pytest.raises(AssertionError):
        test_the_sentences_are_as_they_were()
