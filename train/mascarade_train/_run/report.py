"""The report at the end of a run: measure what was learned, write it down, and show it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from mascarade_agents._ladder import LADDER
from mascarade_env.exact._files import making
from mascarade_env.game._game import Game
from mascarade_env.game._record_files import write_games
from mascarade_env.render import replay_html
from mascarade_train._agents import NetworkAgent
from mascarade_train._evaluation import Watched, watched
from mascarade_train._net_policy import NetPolicy
from mascarade_train._policy_file import NAME as POLICY
from mascarade_train._policy_file import PolicyFile
from mascarade_train._run.examination import Examined, examine
from mascarade_train._run.example_game import example_game, game_in_words
from mascarade_train._run.folders import mascarade, python
from mascarade_train._run.summary_text import compared, scores_on_card
from mascarade_train._settings import SEED_LIMIT, Settings

#: The policy that a run began with, in its folder.
UNTRAINED = "untrained.npz"


@dataclass(frozen=True, slots=True)
class Measured:
    """What a run has learned.

    Attributes:
        trained: the policy at the end.
        scores: win shares and NashConv of each policy, by "untrained" (or "at first", of a run that
            began with a policy) and "trained".
        plays: how each of them plays, likewise.
        game: of the trained policy against itself.
    """

    trained: PolicyFile
    scores: dict[str, Examined]
    plays: dict[str, Watched]
    game: Game


def measure(s: Settings, run: Path) -> Measured:
    """Measure the policies that a run began with and ended with."""
    files = {
        "untrained" if s.start is None else "at first": PolicyFile.load(run / UNTRAINED),
        "trained": PolicyFile.load(run / POLICY),
    }
    trained = files["trained"]
    scenario, games = trained.schema.scenario, s.evaluation
    agents = {when: NetworkAgent(scenario, NetPolicy(file)) for when, file in files.items()}
    ladder = tuple(dict.fromkeys((*LADDER, *s.rungs))) if s.rungs else ()
    scores = {
        when: examine(agent, ladder, games, both_ways=when == "trained")
        for when, agent in agents.items()
    }
    few = max(games // 4, 1)
    plays = {
        when: watched(agent, scenario, games=few, seed=SEED_LIMIT) for when, agent in agents.items()
    }
    game = example_game(agents["trained"], scenario, seed=SEED_LIMIT)
    return Measured(trained, scores, plays, game)


def write(measured: Measured, run: Path) -> None:
    """Write the scores onto the card of the policy, and the game into the folder of the run."""
    with making(run / "game.jsonl") as beside:
        write_games(beside, [measured.game])
    with making(run / "game.html") as beside:
        beside.write_text(replay_html(measured.game), "utf-8")
    scores = {
        when: scores_on_card(found, measured.plays[when]) for when, found in measured.scores.items()
    }
    card = {**measured.trained.card, "scores": scores}
    replace(measured.trained, card=card).save(run / POLICY)


def lines(measured: Measured, s: Settings, run: Path) -> Iterator[str]:
    """Yield the lines of the report."""
    before, _ = measured.scores
    yield "\nA game of the trained policy against itself, as an onlooker saw it:\n"
    yield from game_in_words(measured.game)
    yield from _nash_conv(measured)
    yield from _win_shares(measured, s.evaluation)
    yield f"\nHow it plays when it holds all seats       {before:>13}   trained"
    yield from compared(*measured.plays.values())
    decisions = measured.trained.card["provenance"]["decisions"]
    yield f"\n{decisions:,} decisions learned. In {run}:"
    yield from _what_next(s, run)


def longer(s: Settings) -> str:
    """Return the flag with which a run continues for as long again."""
    return f"--decisions {2 * s.decisions}" if s.minutes is None else f"--minutes {2 * s.minutes:g}"


def _nash_conv(measured: Measured) -> Iterator[str]:
    gains = {when: found.nash_conv for when, found in measured.scores.items()}
    if gains["trained"] is not None:
        words = ", ".join(f"{gain:.3f} {when}" for when, gain in gains.items())
        yield f"\nNashConv, the sum of what best responses gain: {words}"


def _win_shares(measured: Measured, games: int) -> Iterator[str]:
    (before, was), (_, now) = measured.scores.items()
    if not now.alone:
        return
    players = measured.trained.schema.scenario.players
    others = f"1 vs {players - 1}"
    yield (
        f"\nWin share ({games} games each, 95% intervals; equal players get {1 / players:.1%}).\n"
        f"{others} means one player against {players - 1} copies of the other."
    )
    yield f"  {'':<16}{f'it, {others} of these':<52}these, {others} of it"
    yield f"  {'':<16}{before:<26}{'trained':<26}{'trained'}"
    for name, share in now.alone.items():
        yield f"  {name:<16}{was.alone[name]!s:<26}{share!s:<26}{now.against[name]}"


def _what_next(s: Settings, run: Path) -> Iterator[str]:
    call, scenario = mascarade(), s.scenario[0]
    for name, words in {
        "policy.npz": "the network, with the figures above on its card",
        "checkpoint.pt": f"to resume: {call} train --resume {run} {longer(s)}",
        "settings.json, log.jsonl": "its settings, and its evaluations",
        "game.html, game.jsonl": "the game above, to look through in a browser",
        "events.out.tfevents.*": f"curves: {python()} -m tensorboard.main --logdir {run}",
    }.items():
        yield f"  {name:<26}{words}"
    yield "Where to go from here:"
    for command, words in {
        f"play --scenario {scenario} --opponents net:{run}": "play against it",
        f"arena --scenario {scenario} --agents net:{run},stopper": "let it play against others",
        f"export {run}": "take it elsewhere, as ONNX",
        "train --preset 6A": "train for most of an hour, as the released one for six players began",
        f"train --scenario {scenario} --entropy 0 --previous 0": "see where naive self-play leads",
    }.items():
        yield f"  {call} {command}"
        yield f"      {words}"
