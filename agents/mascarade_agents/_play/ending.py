"""What is shown when a game is over."""

from dataclasses import dataclass

from mascarade_env.game._game import Game


@dataclass(slots=True)
class Words:
    """How often a player said something, and how often that was true."""

    announced: int = 0
    truly: int = 0
    claimed: int = 0
    rightly: int = 0


def words_of(game: Game) -> list[Words]:
    """Return what each player said in a game that is over, by player."""
    words = [Words() for _ in range(game.scenario.players)]
    past = game.at_start()
    for player, word in game.history:
        verb, _, mask = word.partition(":")
        seat = past.seat
        assert seat is not None
        if verb == "announce":
            words[player].announced += 1
            words[player].truly += past.masks[seat] == mask
        elif verb == "claim":
            words[player].claimed += 1
            words[player].rightly += past.masks[seat] == past.announced
        past.play(word)
    return words


def outcome(game: Game, me: int, labels: list[str]) -> str:
    """Return who won."""
    winners = game.winners or []
    if game.truncated:
        return "The game is void: the limit of turns was reached."
    names = ["you" if player == me else labels[player] for player in sorted(winners, key=me.__ne__)]
    if names == ["you"]:
        return "You have won."
    named = f"{', '.join(names[:-1])} and {names[-1]}" if names[1:] else names[0]
    have = "have won together" if names[1:] else "has won"
    return f"{named[0].upper() if names[0] == 'you' else named[0]}{named[1:]} {have}."


def honesty(game: Game, me: int, labels: list[str]) -> str:
    """Return how often each player announced and claimed, and how often that was true."""
    words = words_of(game)
    sentences = [
        _honesty_of("You" if player == me else labels[player], w) for player, w in enumerate(words)
    ]
    sentences.insert(0, sentences.pop(me))
    return " ".join(sentences)


def _honesty_of(name: str, words: Words) -> str:
    if not words.announced and not words.claimed:
        return f"{name} neither announced nor claimed anything."
    parts = []
    if words.announced:
        parts.append(
            f"announced {_times(words.announced)} ({_share(words.truly, words.announced)})"
        )
    if words.claimed:
        parts.append(f"claimed {_times(words.claimed)} ({_share(words.rightly, words.claimed)})")
    return f"{name} {' and '.join(parts)}."


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _share(true: int, count: int) -> str:
    if true == count:
        return "truly" if count == 1 else "always truly"
    if not true:
        return "falsely" if count == 1 else "always falsely"
    return f"{true} truly"
