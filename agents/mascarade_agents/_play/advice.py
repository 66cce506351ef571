"""The texts of questions, help, hints and notes that a person reads during a game."""

from collections.abc import Callable

from mascarade_agents._play.menu import COMMANDS, SEEING
from mascarade_env.game import _events as events
from mascarade_env.game._masks import MASKS, mask_number
from mascarade_env.knowledge._agent_view import AgentView
from mascarade_env.render._scene import percent

_RULES = {
    "turn": "On your turn you do one thing. Take: put your mask and another one under the table, "
    "and swap them or not; only you know whether you swapped them. Look: see your own mask. "
    "Announce: say which mask you have, truly or not; if no other player claims that mask, you use "
    "its power and do not reveal yours.",
    "table": "You hold two masks under the table. Swap or keep them: the others see which two "
    "masks you took, but not whether you swap them.",
    "challenge": "Claim that you have the announced mask, or pass. If any player claims, the "
    "announcer and all players who claim reveal their masks. The player who has the mask uses its "
    "power; the other players who revealed pay 1 coin to the tribunal. A player who reveals may "
    "not announce on the next turn.",
    "target": "You use a power that needs another player: type target and a number or a name.",
    "declare": "The Guru asks you for your mask. Name a mask; then you reveal yours. If you named "
    "the wrong one, you pay 4 coins.",
}
_OPENING = "In the first {} turns of a game every player must take."
_END = (
    "The first player with {} coins wins. If a player has no coins left, the richest player wins. "
    "Masks stay at the seats when players change seats."
)
_SIGNS = (
    "Words in the table: > marks the player who decides. turn: it is this player's turn. taken: "
    "this mask is under the table. chosen: a power acts on this player. barred: this player had to "
    "reveal a mask in the turn before and may not announce in this turn."
)
#: The note on the commands that a blind game does not have.
BLIND = (
    "This game is blind: remember what you see. The table does not show what you know of the "
    "masks, and the commands belief, hint and log are off. The end of the game shows everything."
)


def question(view: AgentView, labels: list[str]) -> str:
    """Return the question that the person's next decision answers."""
    if view.phase == "turn":
        return f"Your turn. {_on_turn(view)}"
    announced = mask_name(view.announced) if view.announced else ""
    announcer = labels[view.player_at[view.marker]]
    return {
        "challenge": f"{capital(announcer)} announces the {announced}. Do you claim to have it?",
        "table": "You hold two masks under the table. Swap or keep?",
        "target": f"You use the power of the {announced}. Which player do you choose?",
        "declare": "The Guru asks: which mask do you have?",
    }[view.phase]


def _on_turn(view: AgentView) -> str:
    opening = view.scenario.opening_turns
    if view.turn < opening:
        return f"In the first {opening} turns every player takes: which mask do you take?"
    if view.player in view.barred:
        return "You had to reveal your mask in the turn before, so you may not announce."
    return "What do you do?"


def rules(view: AgentView) -> list[str]:
    """Return a summary of the rules that matter for the next decision."""
    scenario = view.scenario
    lines = [_RULES[view.phase]]
    if view.phase == "turn" and view.turn < scenario.opening_turns:
        lines.append(_OPENING.format(scenario.opening_turns))
    lines += [_END.format(scenario.goal_coins), _SIGNS]
    return lines


def commands(*, blind: bool) -> list[tuple[str, str]]:
    """Return the commands and their meanings, marking those that are off in a blind game."""
    return [
        (word, "off in a blind game" if blind and word in SEEING else meaning)
        for word, meaning in COMMANDS.items()
    ]


def masks(view: AgentView) -> list[tuple[str, str]]:
    """Return the masks in play and their powers."""
    masks = [MASKS[mask_number(kind)] for kind in view.scenario.kinds]
    return [(mask.name + (" (2)" if mask.copies > 1 else ""), mask.power) for mask in masks]


def bluff(view: AgentView, word: str) -> str:
    """Return a note if the person knows that an announcement or a claim is false, else "".

    Args:
        view: the view of the person, before the decision is played.
        word: the decision, in the words of the record.
    """
    verb, _, argument = word.partition(":")
    if verb not in ("announce", "claim"):
        return ""
    kind = argument or view.announced
    assert kind
    if not view.exact or _probability(view, view.seat, kind):
        return ""
    return f"You bluff: by all you have seen, you cannot have the {mask_name(kind)}."


def reason(view: AgentView, word: str, labels: list[str], possessive: Callable[[int], str]) -> str:
    """Return the probabilities that matter for an action, by the person's neutral belief.

    The neutral belief assumes that hidden swaps are fair coin flips.

    Args:
        view: the view of the person, who decides.
        word: the action, in the words of the record.
        labels: the name of each player on the screen.
        possessive: a function from a slot to words for its mask, such as "player 3's mask".
    """
    verb, _, argument = word.partition(":")
    if verb in ("announce", "declare"):
        return f"{_held(view, argument)}."
    if verb in ("claim", "pass"):
        assert view.announced
        announcer = view.marker
        probability = percent(_probability(view, announcer, view.announced))
        label = labels[view.player_at[announcer]]
        return f"{_held(view, view.announced)}, {label} has it with {probability}."
    if verb in ("target", "take"):
        return f"{_about(view, view.seat, possessive)}; {_about(view, int(argument), possessive)}."
    if verb in ("swap", "keep"):
        one, other = _under_table(view)
        return f"{_about(view, one, possessive)}; {_about(view, other, possessive)}."
    return f"{_about(view, view.seat, possessive)}."


def mask_name(kind: str) -> str:
    """Return the name of a mask, such as "Puppet Master" for "puppet_master"."""
    return MASKS[mask_number(kind)].name


def _held(view: AgentView, kind: str) -> str:
    return f"You have the {mask_name(kind)} with {percent(_probability(view, view.seat, kind))}"


def _probability(view: AgentView, slot: int, kind: str) -> float:
    return float(view.belief()[slot, view.scenario.kinds.index(kind)])


def _about(view: AgentView, slot: int, possessive: Callable[[int], str]) -> str:
    by_kind = zip(view.belief()[slot].tolist(), view.scenario.kinds, strict=True)
    best = sorted(by_kind, key=lambda pair: -round(pair[0], 9))[:2]
    likely = ", ".join(
        f"{mask_name(kind)} {percent(probability)}" for probability, kind in best if probability
    )
    coins = f" ({view.coins[slot]} coins)" if slot < view.scenario.players else ""
    return f"{capital(possessive(slot))}{coins}: {likely}"


def capital(words: str) -> str:
    """Return a text with its first letter in upper case."""
    return f"{words[0].upper()}{words[1:]}"


def _under_table(view: AgentView) -> tuple[int, int]:
    taken = view.events[view.events["kind"] == events.TAKE][-1]
    return int(taken["a"]), int(taken["b"])
