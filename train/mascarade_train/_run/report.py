"""The report at the end of a run: measure the trained policy, write the results, print them.

train/README.md explains the printed report to users.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from mascarade_agents._ladder import LADDER
from mascarade_env.exact._files import making
from mascarade_env.game._game import Game
from mascarade_env.game._record_files import write_games
from mascarade_env.render import replay_html
from mascarade_train._agents import NetworkAgent
from mascarade_train._evaluation import Watched, WinShare, watched
from mascarade_train._net_policy import NetPolicy
from mascarade_train._policy_file import NAME as POLICY
from mascarade_train._policy_file import PolicyFile
from mascarade_train._run.examination import Examined, examine
from mascarade_train._run.example_game import example_game, game_in_words
from mascarade_train._run.folders import mascarade, python
from mascarade_train._run.summary_text import compared, scores_on_card
from mascarade_train._settings import SEED_LIMIT, Settings

#: The policy that a run starts from, in the folder of the run.
UNTRAINED = "untrained.npz"


@dataclass(frozen=True, slots=True)
class Measured:
    """The measurements of a run.

    Attributes:
        trained: the policy at the end.
        scores: win shares and NashConv of both policies, by "untrained" (or "at first", if the run
            started from a policy) and "trained".
        plays: measures of play of both policies, by the same names.
        game: a game of the trained policy against itself.
    """

    trained: PolicyFile
    scores: dict[str, Examined]
    plays: dict[str, Watched]
    game: Game


def measure(s: Settings, run: Path) -> Measured:
    """Measure the policy that a run started from, and the trained policy."""
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
        when: scores_on_card(each, measured.plays[when]) for when, each in measured.scores.items()
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
    yield ""
    yield from compared(*measured.plays.values(), when=before)
    decisions = measured.trained.card["provenance"]["decisions"]
    yield f"\nLearned from {decisions:,} decisions. Files in {run}:"
    yield from _what_next(s, run)


def longer(s: Settings) -> str:
    """Return the flag that doubles the length of a complete run."""
    return f"--decisions {2 * s.decisions}" if s.minutes is None else f"--minutes {2 * s.minutes:g}"


def _nash_conv(measured: Measured) -> Iterator[str]:
    gains = {when: each.nash_conv for when, each in measured.scores.items()}
    if gains["trained"] is not None:
        words = ", ".join(f"{gain:.3f} {when}" for when, gain in gains.items())
        yield f"\nNashConv: {words}"
        yield "  It is the gain of a best response, summed over all seats."
        yield "  0 means that nothing can be gained (an equilibrium)."


def _win_shares(measured: Measured, games: int) -> Iterator[str]:
    (before, was), (_, now) = measured.scores.items()
    if not now.alone:
        return
    players = measured.trained.schema.scenario.players
    yield f"\nWin share in {games} games each, with its 95% interval."
    yield f'Equal players win {1 / players:.1%}. "1 vs {players - 1}" is one player against'
    yield f"{players - 1} copies of the other."
    width = max(map(len, now.alone)) + 2
    yield f"\n  This network, 1 vs {players - 1} of each agent:"
    yield f"  {'':<{width}}{before:<21}trained"
    for name, share in now.alone.items():
        yield f"  {name:<{width}}{_share(was.alone[name]):<21}{_share(share)}"
    yield f"\n  Each agent, 1 vs {players - 1} of the trained network:"
    for name, share in now.against.items():
        yield f"  {name:<{width}}{_share(share)}"
    truncated = sum(each.broken_off for each in (*now.alone.values(), *now.against.values()))
    if truncated:
        yield f"  {truncated} games were truncated and count as shared by all players."


def _share(share: WinShare) -> str:
    return f"{share.mean:.1%} ({100 * share.low:.1f} to {100 * share.high:.1f})"


def _what_next(s: Settings, run: Path) -> Iterator[str]:
    call, scenario = mascarade(), s.scenario[0]
    for name, words in {
        "policy.npz": "the network and these scores",
        "checkpoint.pt": "to resume training",
        "settings.json, log.jsonl": "settings and evaluations",
        "game.html, game.jsonl": "the game above, to click through",
        "events.out.tfevents.*": "curves for TensorBoard",
    }.items():
        yield f"  {name:<26}{words}"
    yield "What to do next:"
    for words, command in {
        "play against it": f"{call} play --scenario {scenario} --opponents net:{run}",
        "compare it with other agents":
            f"{call} arena --scenario {scenario} --agents net:{run},stopper",
        "train it longer": f"{call} train --resume {run} {longer(s)}",
        "see its learning curves": f"{python()} -m tensorboard.main --logdir {run}",
        "export it as ONNX for other programs": f"{call} export {run}",
        "train for six players (most of an hour)": f"{call} train --preset 6A",
        "compare with naive self-play":
            f"{call} train --scenario {scenario} --entropy 0 --previous 0",
    }.items():  # fmt: skip
        yield f"  {words}:"
        yield f"      {command}"
