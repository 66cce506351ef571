"""Conversations with given input."""

import re
from pathlib import Path

import numpy as np
import pytest

from mascarade_agents._play import Session, advice
from mascarade_agents._play.ending import words_of
from mascarade_agents._play.menu import COMMANDS, SEEING
from mascarade_agents._play.session import new_game
from mascarade_env import AgentView, Game, read_games
from mascarade_env.game._scenarios import resolve
from mascarade_env.render._scene import percent
from tests.mascarade_agents.play.hands import Page, Told, a_game, a_session, talk
from tests.mascarade_agents.play.test_session import Broken
from tests.messages import lines_stating, states


class Quick:
    """Input of a person who plays at random, and types some commands before each decision."""

    def __init__(self, session: Session, seed: int, asks: tuple[str, ...] = ()) -> None:
        self._session = session
        self._rng = np.random.default_rng(seed)
        self._asks = asks
        self._asked = 0

    def __iter__(self) -> "Quick":
        return self

    def __next__(self) -> str:
        if self._asked < len(self._asks):
            self._asked += 1
            return self._asks[self._asked - 1]
        self._asked = 0
        return str(self._rng.choice(self._session.game.legal_actions()))


@pytest.mark.parametrize(
    ("scenario", "me", "width"), [("4A", 0, 80), ("6A", 3, 80), ("8B", 7, 40), ("12B", 5, 20)]
)
def test_a_whole_game(scenario: str, me: int, width: int, tmp_path: Path) -> None:
    agents = [None if player == me else "名前 [red]Zoë[/red] :smile:" for player in range(12)]
    rules = resolve(scenario)
    game = new_game(rules, agents[: rules.players], "Ana", seed=7)
    session = a_session(game)
    asks = ("hint", "belief", "help", "table") if width == 80 else ("hint",)
    page = Page(Quick(session, 3, asks), width)
    text = talk(session, page, tmp_path / "g.jsonl")
    assert game.over
    (kept,) = read_games(tmp_path / "g.jsonl")
    assert kept.to_record() == game.to_record()
    assert "名前" in text
    assert width < 80 or "[red]" in text
    assert "mascarade replay" in page.words
    assert ("You have won" in page.words) == (game.winners == [me])
    assert "masks at the end" in page.words
    for mask in game.scenario.masks:
        assert advice.mask_name(mask) in page.words.partition("masks at the end")[2]


def test_what_is_shown_before_the_first_decision(tmp_path: Path) -> None:
    page = Page()
    talk(a_session(a_game(name="Zoë")), page, tmp_path / "g.jsonl")
    assert states(page.words, "5 opponents", 'agent "random"', "seat 0")
    assert lines_stating(page.text, "0 you", 6, "turn")
    assert "1 player 1" in page.text
    assert "Zoë" not in page.text
    assert states(page.words, "masks", "face up", "first 4 turns")
    assert lines_stating(page.text, "take", "[1] player 1", "[2] player 2")
    assert "mascarade play --resume" in page.words
    assert max(map(len, page.text.splitlines())) <= 80


def test_slips_are_asked_again_and_nothing_is_lost(tmp_path: Path) -> None:
    game = a_game()
    lines = ["", "announce king", "take 0", "take nine", "fly", "t 3", "pass", "k"]
    page = Page(lines)
    talk(a_session(game), page, tmp_path / "g.jsonl")
    assert game.history[:2] == [(0, "take:3"), (0, "keep")]
    assert page.text.count("Legal") == 6
    assert states(page.words, "your mask and player 3's mask back")


def test_commands(tmp_path: Path) -> None:
    game = a_game()
    page = Page(["help", "belief", "hint", "log", "save", "undo", "quit", "take 1"])
    talk(a_session(game), page, tmp_path / "g.jsonl")
    assert game.history == []
    help_text = page.words
    for told in (*COMMANDS.values(), *(power for _, power in advice.masks(game.view(0)))):
        assert told in help_text
    assert states(page.words, "swap", "half of the cases")
    assert page.words.count("Turn 0") == 2
    assert lines_stating(page.text, "Hint", "take")
    assert states(page.words, "own belief", "Your mask (6 coins)")
    assert states(page.words, "--undo")
    assert states(page.words, "over", "mascarade play --resume")


@pytest.mark.parametrize(
    "words",
    ["announce:king", "claim", "pass", "take:2", "swap", "target:2", "look", "declare:judge"],
)
def test_reasons_are_those_of_the_person(words: str) -> None:
    game = Game("6A", seed=3)
    for word in ("take:1", "keep", "take:2", "keep", "take:3", "swap", "take:4", "keep"):
        game.play(word)
    view = game.view(4)
    if words in ("claim", "pass"):
        game.play("announce:king")
        view = game.view(5)
    if words == "swap":
        game.play("take:1")
        view = game.view(4)
    labels = [f"P{n}" for n in range(6)]
    told = advice.reason(view, words, labels, lambda slot: f"mask {slot}")
    table = view.belief()
    if words.startswith(("announce", "declare", "claim", "pass")):
        kind = words.partition(":")[2] or "king"
        probability = table[view.seat, view.scenario.kinds.index(kind)]
        assert states(told, kind.title(), percent(probability))
    else:
        assert f"Mask {view.seat}" in told
        best = view.scenario.kinds[int(table[view.seat].argmax())]
        assert advice.mask_name(best) in told


def known_bluffer(*, blind: bool = False) -> Session:
    """Return a session in which the person knows the own mask and is about to take a turn."""
    game = a_game(blind=blind)
    for _ in range(4):
        game.play(game.legal_actions()[0])
        game.play("keep")
    game.play_randomly(1)
    while not (game.player == 0 and game.phase == "turn" and "look" in game.legal_actions()):
        game.play("pass" if game.phase == "challenge" else game.legal_actions()[0])
    game.play("look")
    while not (game.player == 0 and game.phase == "turn" and game.view(0).exact):
        game.play("pass" if game.phase == "challenge" else "look")
    return a_session(game)


def test_an_announcement_that_the_person_knows_to_be_false_is_called_a_bluff(
    tmp_path: Path,
) -> None:
    for blind in (False, True):
        session = known_bluffer(blind=blind)
        own, kinds = session.game.masks[0], session.game.scenario.kinds
        false = next(kind for kind in kinds if kind != own)
        page = Page([f"announce {false}", "pass"])
        talk(session, page, tmp_path / f"{blind}.jsonl")
        noted = bool(lines_stating(page.text, "You bluff", advice.mask_name(false)))
        assert noted != blind
    session = known_bluffer()
    page = Page([f"announce {session.game.masks[0]}"])
    talk(session, page, tmp_path / "true.jsonl")
    assert "You bluff" not in page.text


def test_a_claim_may_be_a_bluff_too() -> None:
    game = Game("6A", seed=3)
    for word in ("take:1", "keep", "take:2", "keep", "take:3", "swap", "take:4", "keep"):
        game.play(word)
    game.play("announce:king")
    view = game.view(5)
    (own,) = [k for k, p in zip(game.scenario.kinds, view.belief()[5], strict=True) if p == 1]
    assert bool(advice.bluff(view, "claim")) == (own != "king")
    assert advice.bluff(view, "pass") == ""
    assert states(advice.bluff(view, f"announce:{_other(game, own)}"), "You bluff", "cannot")
    assert advice.bluff(view, f"announce:{own}") == ""


def _other(game: Game, kind: str) -> str:
    return next(other for other in game.scenario.kinds if other != kind)


def test_a_blind_game_hides_the_masks_until_its_end(tmp_path: Path) -> None:
    game = a_game("4A", blind=True)
    session = a_session(game)
    asks = (*SEEING, "help", "table")
    page = Page(Quick(session, 3, asks))
    talk(session, page, tmp_path / "g.jsonl")
    assert game.over
    before, _, after = page.text.partition("The masks at the end")
    assert "%" not in before
    assert "as far as you know" not in before
    assert states(" ".join(before.split()), "blind", "belief", "hint", "log")
    for command in SEEING:
        assert lines_stating(before, command, "off", "blind")
    assert game.meta["play"]["hints"] == 0
    assert states(" ".join(after.split()), "what you could know of it")
    known = {place.slot: place for place in session.scene.places}
    for slot, mask in enumerate(game.masks):
        best = known[slot].belief[0][0]
        assert lines_stating(after, slot, f"{advice.mask_name(mask)} | {best}")
    (kept,) = read_games(tmp_path / "g.jsonl")
    assert kept.meta["play"]["blind"] is True
    assert a_session(kept).blind
    assert not a_session(a_game("4A")).blind


def test_a_resumed_blind_game_does_not_repeat_what_the_person_saw(tmp_path: Path) -> None:
    for blind in (False, True):
        game = a_game("4A", blind=blind)
        for word in ("take:1", "swap"):
            game.play(word)
        page = Page([])
        talk(a_session(game), page, tmp_path / f"{blind}.jsonl")
        assert ("dealt face up" in page.words) is not blind


def test_each_person_has_one_name(tmp_path: Path) -> None:
    game = a_game("6A", name="Zoë")
    game.meta["play"]["agents"] = [None, "random", "bluffer", "random", "bluffer", "random"]
    session = a_session(game)
    page = Page(Quick(session, 3, ("hint", "log", "belief")))
    talk(session, page, tmp_path / "g.jsonl")
    assert states(page.words, '"bluffer"', '"random"', "player 1 (random)", "player 2 (bluffer)")
    named = set(re.findall(r"[Pp]layer \d( \(\w+\))?|random #|Zoë", page.text))
    assert named == {"", " (random)", " (bluffer)"}
    assert not re.search(r"(?<![(\"])\b(random|bluffer)\b", page.text)


def test_undo_goes_back_and_on(tmp_path: Path) -> None:
    game = a_game()
    lines = ["undo", "take 3", "swap", "undo", "keep", "undo", "undo", "take 1"]
    page = Page(lines)
    talk(a_session(game), page, tmp_path / "g.jsonl", undo=True)
    assert states(page.words, "nothing", "back")
    assert game.history == [(0, "take:1")]
    assert game.meta["play"]["undone"] == 3
    (kept,) = read_games(tmp_path / "g.jsonl")
    assert kept.history == game.history


def test_the_record_is_kept_after_every_decision(tmp_path: Path) -> None:
    game = a_game(me=0)
    file = tmp_path / "g.jsonl"

    class Reader(Told):
        def act(self, view: AgentView, rng: np.random.Generator) -> int:
            (kept,) = read_games(file)
            assert kept.history[-1] == (0, "keep")
            raise KeyboardInterrupt

    page = Page(["take 1", "keep"])
    with pytest.raises(KeyboardInterrupt):
        talk(a_session(game, Reader(game.scenario)), page, file)
    assert states(page.words, "over", "mascarade play --resume")
    assert [path.name for path in tmp_path.iterdir()] == ["g.jsonl"]


def test_a_record_that_cannot_be_written_is_told_and_the_game_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = a_game()
    page = Page(["take 1", "save", f"save {tmp_path}/other.jsonl", "keep"])
    replace = Path.replace

    def full(self: Path, target: Path) -> Path:
        if target.name == "g.jsonl" and (tmp_path / "g.jsonl").exists():
            raise OSError(28, "No space left on device")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", full)
    talk(a_session(game), page, tmp_path / "g.jsonl")
    file = f"{tmp_path}/g.jsonl"
    told = f"{file!r}: No space left on device"
    assert page.text.replace("\n", "").replace(" ", "").count(told.replace(" ", "")) == 2
    (kept,) = read_games(tmp_path / "other.jsonl")
    assert kept.history == game.history
    assert len(kept.history) > 2
    (old,) = read_games(tmp_path / "g.jsonl")
    assert old.history == []
    assert {path.name for path in tmp_path.iterdir()} == {"g.jsonl", "other.jsonl"}


def test_another_file_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("dear diary")
    page = Page([f"save {tmp_path}/mine", f"save {tmp_path}/g.jsonl"])
    talk(a_session(a_game()), page, tmp_path / "g.jsonl")
    assert (tmp_path / "mine").read_text() == "dear diary"
    assert states(page.words, "mine", "exists")
    assert states(page.words, "record", "g.jsonl")


def test_a_failing_agent_is_told(tmp_path: Path) -> None:
    game = a_game()
    agent = Broken(game.scenario)
    agent.wrong = ValueError("out of ideas")
    page = Page(["take 1", "keep"])
    talk(a_session(game, agent), page, tmp_path / "g.jsonl")
    assert page.words.count("ValueError: out of ideas") == 5
    assert page.words.count("replaced by random") == 5


def test_what_players_said_is_counted() -> None:
    deal = ["judge", "king", "witch", "empress", "trickster", "cheat"]
    game = Game("6A", deal=deal, seed=1)
    opening = ["take:1", "keep", "take:2", "keep", "take:3", "keep", "take:4", "keep"]
    for word in [*opening, "announce:trickster", "claim", "pass", "pass", "pass", "pass"]:
        game.play(word)
    said = words_of(game)
    assert (said[4].announced, said[4].truly) == (1, 1)
    assert (said[5].claimed, said[5].rightly) == (1, 0)
    assert (said[0].announced, said[0].claimed) == (0, 0)


def shown(game: Game, file: Path, *, commands: bool) -> str:
    """Return the output for player 1 if all players repeat their decisions in a game."""
    again = a_game(game.scenario.name, 1)
    again = Game(game.scenario, deal=game.deal, names=again.names)
    again.meta = {"seed": 1, "play": {"agents": ["random", None, *["random"] * 9][
        : game.scenario.players], "hints": 0, "undone": 0}}  # fmt: skip
    mine = [word for player, word in game.history if player == 1]
    session = a_session(
        again, Told(game.scenario, [word for player, word in game.history if player != 1])
    )
    asked = ["log", "belief", "hint", "help", "table"] if commands else []
    page = Page([line for word in mine for line in (*asked, word)] + asked)
    try:
        talk(session, page, file)
    except AssertionError as error:  # no decisions are left
        page.text += str(error)
    return page.text


@pytest.mark.parametrize(
    ("scenario", "seed"),
    [
        ("4A", 1),
        ("8B", 4),
        pytest.param("6A", 2, marks=pytest.mark.slow),
        pytest.param("6B", 3, marks=pytest.mark.slow),
    ],
)
def test_nothing_shows_what_the_person_cannot_know(
    scenario: str, seed: int, tmp_path: Path
) -> None:
    game = Game(scenario, seed=seed)
    while True:
        game.play_randomly(1, seed=seed + len(game.history))
        if game.over:
            game.undo()
            break
        if len(game.history) > 25 and game.player == 1:
            break
    others = [
        twin
        for twin in game.sample_worlds(1, 12, rng=seed)
        if twin.masks != game.masks or twin.history != game.history
    ]
    assert others
    text = shown(game, tmp_path / "g.jsonl", commands=True)
    assert len(text) > 5000
    for twin in others:
        assert shown(twin, tmp_path / "g.jsonl", commands=True) == text
