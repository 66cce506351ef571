"""One game of a policy against itself in words, with the beliefs of players who announce."""

from mascarade_agents.behaviour import Announcement, observe
from mascarade_env._policies.protocol import Policy
from mascarade_env.game._game import Game
from mascarade_env.game._masks import MASKS, mask_number
from mascarade_env.game._scenarios import Scenario
from mascarade_train._evaluation import self_play_games

_MOST = 100  # limit of decisions per player; longer games are hard to read
_GAMES = 32  # games to choose from
_BLUFF = "knowing bluff"


def example_game(policy: Policy, scenario: Scenario, *, seed: int = 0) -> Game:
    """Play 32 games of a policy against itself, and return a short game with a knowing bluff.

    In a knowing bluff, the player announces a mask that they know they do not have. The function
    returns the shortest game in which no other player claims that mask. If there is none, it
    returns the shortest game with any knowing bluff, or else the shortest of all games.

    Args:
        policy: the policy on all seats.
        scenario: the scenario to play.
        seed: the seed of the games.
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
    """Return a game in sentences as an onlooker saw it, with a note on each announcement.

    The note gives the belief of the announcing player about their mask, and whether the
    announcement is true.
    """
    notes = {each.at: _note(each) for each in _announcements(game)}
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


def _note(of: Announcement) -> str:
    belief = ", ".join(f"{_name(mask)} {probability:.0%}" for mask, probability in of.belief)
    truth = f"false, it is the {_name(of.held)}" if of.false else "true"
    verdict = "a knowing bluff: " if of.kind == _BLUFF else ""
    about = "" if of.exact else "about "
    return f"({verdict}believes own mask to be {about}{belief}; {truth})"


def _name(mask: str) -> str:
    return MASKS[mask_number(mask)].name
