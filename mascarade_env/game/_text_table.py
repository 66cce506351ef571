"""The table of a game as text, hidden masks included. `print(game)` shows it."""

from typing import TYPE_CHECKING

from mascarade_env.game._masks import MASKS, mask_number

if TYPE_CHECKING:
    from mascarade_env.game._game import Game


def table(game: "Game") -> str:
    """Return a line for each seat and centre slot, the tribunal, and the legal actions."""
    masks = [MASKS[mask_number(mask_id)].name for mask_id in game.masks]
    lines = [f"{game.scenario.name}, turn {game.turn}: {moment(game)}"]
    for seat, player in enumerate(game.player_at):
        announced = f"announced {game.announced}" if game.announced else ""
        signs = [
            "turn" if seat == game.marker else "",
            "barred" if player in game.barred else "",
            announced if seat == game.marker else "",
            "claims" if seat in game.claims else "",
        ]
        lines.append(
            f"{'>' if seat == game.seat else ' '} seat {seat:2d}   player {player:2d}   "
            f"{_coins(game.coins[seat])}   {masks[seat]:<14}{', '.join(filter(None, signs))}"
        )
    for slot in range(game.scenario.players, game.scenario.slots):
        lines.append(f"  centre {slot:2d}                        {masks[slot]}")
    lines.append(f"  tribunal              {_coins(game.tribunal)}")
    if not game.over:
        lines.append(f"  legal: {' '.join(game.legal_actions())}")
    return "\n".join(line.rstrip() for line in lines)


def moment(game: "Game") -> str:
    """Return which player decides in which phase, or how the game ended."""
    if game.truncated:
        return "void at the turn limit"
    winners = game.winners
    if winners is None:
        return f"player {game.player} decides ({game.phase})"
    people = "player" if len(winners) == 1 else "players"
    return f"won by {people} {' and '.join(map(str, winners))}"


def _coins(count: int) -> str:
    return f"{count:3d} coin{' ' if count == 1 else 's'}"
