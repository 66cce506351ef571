"""What is said to a person who asks for help or a hint, and before each decision."""

from collections.abc import Callable

from mascarade_agents._play.menu import COMMANDS
from mascarade_env.game import _events as events
from mascarade_env.game._masks import MASKS, mask_number
from mascarade_env.knowledge._agent_view import AgentView
from mascarade_env.render._scene import percent

_RULES = {
    "turn": "On your turn you do one thing. Take: your mask and another one go under the table, "
    "where you swap them or not, and only you know. Look: you see your mask. Announce: you say "
    "which mask you are, true or not; if nobody says the same you use its power.",
    "table": "You hold two masks under the table. Swap or keep them: the others see which two "
    "they are, but not what you do.",
    "challenge": "Claim that you are the announced mask, or pass. If anybody claims, the announcer "
    "and all who claim reveal: who has the mask uses its power, the others pay 1 coin to the "
    "tribunal. Who revealed may not announce on the next turn.",
    "target": "You use a power that needs a player to be chosen: type target and a seat or a name.",
    "declare": "The Guru asks you for your mask: name one, then you reveal it. If it is another "
    "one you pay 4 coins.",
}
_OPENING = "In the first {} turns of a game everybody must take."
_END = (
    "The first to {} coins wins. When somebody has no coins left the richest win. Masks belong to "
    "seats, and what you know of them is yours."
)
_SIGNS = (
    "In the table > marks who decides, turn whose turn it is, taken the masks under the table, "
    "chosen who was chosen for a power, and barred who may not announce on this turn, having "
    "shown a mask in the turn before."
)


def question(view: AgentView, labels: list[str]) -> str:
    """Return what the person is asked to decide."""
    if view.phase == "turn":
        return f"Your turn. {_on_turn(view)}"
    announced = mask_name(view.announced) if view.announced else ""
    announcer = labels[view.player_at[view.marker]]
    return {
        "challenge": f"{announcer} announces the {announced}. Do you claim to have it?",
        "table": "You hold two masks under the table. Swap or keep?",
        "target": f"You use the power of the {announced}. Whom do you choose?",
        "declare": "The Guru asks: which mask do you have?",
    }[view.phase]


def _on_turn(view: AgentView) -> str:
    opening = view.scenario.opening_turns
    if view.turn < opening:
        return f"In the first {opening} turns everybody takes: which mask?"
    if view.player in view.barred:
        return "You had to show your mask in the turn before, so you may not announce."
    return "What do you do?"


def rules(view: AgentView) -> list[str]:
    """Return the rules of the decision, in short."""
    scenario = view.scenario
    lines = [_RULES[view.phase]]
    if view.phase == "turn" and view.turn < scenario.opening_turns:
        lines.append(_OPENING.format(scenario.opening_turns))
    lines += [_END.format(scenario.goal_coins), _SIGNS]
    return lines


def commands() -> list[tuple[str, str]]:
    """Return the commands and what they do."""
    return list(COMMANDS.items())


def masks(view: AgentView) -> list[tuple[str, str]]:
    """Return the masks in play and what they do."""
    masks = [MASKS[mask_number(kind)] for kind in view.scenario.kinds]
    return [(mask.name + (" (2)" if mask.copies > 1 else ""), mask.power) for mask in masks]


def reason(view: AgentView, word: str, labels: list[str], possessive: Callable[[int], str]) -> str:
    """Return what the person's own neutral belief says about an action.

    Args:
        view: of the person, who decides.
        word: the action.
        labels: what each player is called.
        possessive: the mask of a slot in words.
    """
    verb, _, argument = word.partition(":")
    if verb in ("announce", "declare"):
        return f"{_held(view, argument)}."
    if verb in ("claim", "pass"):
        assert view.announced
        announcer = view.marker
        probability = percent(_chance(view, announcer, view.announced))
        label = labels[view.player_at[announcer]]
        return f"{_held(view, view.announced)}, {label} with {probability}."
    if verb in ("target", "take"):
        return f"{_about(view, view.seat, possessive)}; {_about(view, int(argument), possessive)}."
    if verb in ("swap", "keep"):
        one, other = _under_table(view)
        return f"{_about(view, one, possessive)}; {_about(view, other, possessive)}."
    return f"{_about(view, view.seat, possessive)}."


def mask_name(kind: str) -> str:
    """Return what a mask is called."""
    return MASKS[mask_number(kind)].name


def _held(view: AgentView, kind: str) -> str:
    return f"You have the {mask_name(kind)} with {percent(_chance(view, view.seat, kind))}"


def _chance(view: AgentView, slot: int, kind: str) -> float:
    return float(view.belief()[slot, view.scenario.kinds.index(kind)])


def _about(view: AgentView, slot: int, possessive: Callable[[int], str]) -> str:
    chances = zip(view.belief()[slot].tolist(), view.scenario.kinds, strict=True)
    best = sorted(chances, key=lambda pair: -round(pair[0], 9))[:2]
    likely = ", ".join(
        f"{mask_name(kind)} {percent(probability)}" for probability, kind in best if probability
    )
    coins = f" ({view.coins[slot]} coins)" if slot < view.scenario.players else ""
    name = possessive(slot)
    if slot == view.seat or slot >= view.scenario.players:  # other names are written as they are
        name = f"{name[0].upper()}{name[1:]}"
    return f"{name}{coins}: {likely}"


def _under_table(view: AgentView) -> tuple[int, int]:
    taken = view.events[view.events["kind"] == events.TAKE][-1]
    return int(taken["a"]), int(taken["b"])
