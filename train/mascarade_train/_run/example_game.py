"""One game of a policy with itself, told with what players believed when they announced."""

from mascarade_agents.behaviour import Announcement, observe
from mascarade_env.envs._opponents import Policy
from mascarade_env.game._game import Game
from mascarade_env.game._masks import MASKS, mask_number
from mascarade_env.game._scenarios import Scenario
from mascarade_env.observation._blocks import Track
from mascarade_train._evaluation import self_play_games

_MOST = 100  # decisions of one player; longer games make poor reading
_BLUFF = "knowing bluff"


def announcements(game: Game) -> list[Announcement]:
    """All announcements of a game so far."""
    return [fact for fact in observe(game) if isinstance(fact, Announcement)]


def in_words(found: Announcement) -> str:
    """What the announcer believed, and the truth."""
    thought = ", ".join(f"{_name(mask)} {chance:.0%}" for mask, chance in found.belief)
    truth = f"false, it is the {_name(found.held)}" if found.false else "true"
    verdict = "a knowing bluff: " if found.kind == _BLUFF else ""
    about = "" if found.exact else "about "
    return f"({verdict}believes own mask to be {about}{thought}; {truth})"


def worth_reading(
    policy: Policy,
    scenario: Scenario,
    *,
    track: Track = "both",
    padded: bool = False,
    games: int = 32,
    seed: int = 0,
) -> Game:
    """The shortest of some games of a policy with itself in which a knowing bluff came through.

    If there is none, the shortest with a knowing bluff, or else the shortest of all.

    Args:
        policy: holds all seats.
        scenario: what is played.
        track: what the policy observes.
        padded: as for `Batch`.
        games: how many games to choose from.
        seed: of the games.
    """
    played = sorted(
        self_play_games(policy, scenario, games, track=track, padded=padded, seed=seed, most=_MOST),
        key=lambda game: (not game.over, len(game.history)),
    )
    bluffs = [[a for a in announcements(game) if a.kind == _BLUFF] for game in played]
    chosen = [
        *(i for i, some in enumerate(bluffs) if any(not a.claimed for a in some)),
        *(i for i, some in enumerate(bluffs) if some),
        0,
    ]
    return played[chosen[0]]


def told(game: Game) -> list[str]:
    """A game in sentences as everyone at the table saw it, with notes at the announcements."""
    notes = {found.at: in_words(found) for found in announcements(game)}
    past = game.at_start()
    lines = past.news("onlooker")
    for at, (_, word) in enumerate(game.history):
        past.play(word)
        for number, sentence in enumerate(past.news("onlooker")):
            lines.append(sentence if sentence.startswith("turn ") else f"  {sentence}")
            if number == 0 and at in notes:
                lines.append(f"      {notes[at]}")
    if not game.over:
        lines.append(f"(broken off here, after {len(game.history)} decisions)")
    return lines


def _name(mask: str) -> str:
    return MASKS[mask_number(mask)].name
