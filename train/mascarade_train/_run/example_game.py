"""One game of a policy against itself in words, with what players believed when they announced."""

from mascarade_agents.behaviour import Announcement, observe
from mascarade_env._policies.protocol import Policy
from mascarade_env.game._game import Game
from mascarade_env.game._masks import MASKS, mask_number
from mascarade_env.game._scenarios import Scenario
from mascarade_train._evaluation import self_play_games

_MOST = 100  # decisions of one player; longer games are hard to read
_GAMES = 32  # to choose from
_BLUFF = "knowing bluff"


def example_game(policy: Policy, scenario: Scenario, *, seed: int = 0) -> Game:
    """Play some games of a policy against itself, and return one that is worth reading.

    It is the shortest with a knowing bluff that nobody claimed. If there is none, it is the
    shortest with a knowing bluff, or else the shortest of all.

    Args:
        policy: plays all seats.
        scenario: what is played.
        seed: of the games.
    """
    played = sorted(
        self_play_games(policy, scenario, _GAMES, most=_MOST, seed=seed),
        key=lambda game: (not game.over, len(game.history)),
    )
    bluffs = [[a for a in _announcements(game) if a.kind == _BLUFF] for game in played]
    chosen = [
        *(i for i, some in enumerate(bluffs) if any(not a.claimed for a in some)),
        *(i for i, some in enumerate(bluffs) if some),
        0,
    ]
    return played[chosen[0]]


def game_in_words(game: Game) -> list[str]:
    """Return a game in sentences as an onlooker saw it, with notes at the announcements.

    A note says what the announcer believed about the own mask, and whether the announcement is
    true.
    """
    notes = {found.at: _note(found) for found in _announcements(game)}
    past = game.at_start()
    lines = past.news("onlooker")
    for at, (_, word) in enumerate(game.history):
        past.play(word)
        for number, sentence in enumerate(past.news("onlooker")):
            lines.append(sentence if sentence.startswith("turn ") else f"  {sentence}")
            if number == 0 and at in notes:
                lines.append(f"      {notes[at]}")
    if not game.over:
        lines.append(f"(truncated here, after {len(game.history)} decisions)")
    return lines


def _announcements(game: Game) -> list[Announcement]:
    return [fact for fact in observe(game) if isinstance(fact, Announcement)]


def _note(found: Announcement) -> str:
    belief = ", ".join(f"{_name(mask)} {probability:.0%}" for mask, probability in found.belief)
    truth = f"false, it is the {_name(found.held)}" if found.false else "true"
    verdict = "a knowing bluff: " if found.kind == _BLUFF else ""
    about = "" if found.exact else "about "
    return f"({verdict}believes own mask to be {about}{belief}; {truth})"


def _name(mask: str) -> str:
    return MASKS[mask_number(mask)].name
