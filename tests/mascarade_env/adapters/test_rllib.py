"""The RLlib environment alone, and with RLlib's own env runner and episodes.

They are skipped if Ray is not installed. It needs a separate environment: see RLLIB.md.
"""

import warnings
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest

from mascarade_env import Game, IllegalActionError, MascaradeError, Scenario, Schema, scenarios
from mascarade_env.game._actions import MAX_ACTIONS
from tests.messages import facts

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # warnings of Ray about itself
    pytest.importorskip("ray.rllib", exc_type=ImportError)
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from ray.rllib.env.env_context import EnvContext
    from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner
    from ray.rllib.env.multi_agent_episode import MultiAgentEpisode
    from ray.rllib.utils.pre_checks.env import check_multiagent_environments

    from mascarade_env.adapters.rllib import MascaradeMultiAgentEnv
    from mascarade_train._rllib.module import SHARED, MaskedModule, module_of

pytestmark = pytest.mark.filterwarnings("ignore")  # of Ray's own code

SHORT = Scenario("short", 4, scenarios()["4A"].masks, turn_limit=12)  # most games end void


def only(words: Mapping[str, Any]) -> tuple[str, Any]:
    (found,) = words.items()
    return found


@pytest.mark.parametrize("track", ["belief", "memory", "both"])
@pytest.mark.parametrize("name", ["4A", "6A", "12B"])
def test_it_plays_the_game(name: str, track: Any) -> None:
    env, game = MascaradeMultiAgentEnv({"scenario": name, "track": track}), Game(name, seed=5)
    schema = Schema(name, track)
    seen, infos = env.reset(seed=5)
    chance = np.random.default_rng(0)
    while True:
        agent, view = only(seen)
        assert agent == f"player_{game.player}"
        assert env.observation_spaces[agent].contains(view)
        assert np.array_equal(view["observations"], game.observation(track=track))
        assert len(view["observations"]) == schema.size
        assert np.array_equal(view["action_mask"], game.legal_mask())
        action = int(chance.choice(game.legal_ids()))
        game.play(action)
        seen, rewards, terminateds, truncateds, infos = env.step({agent: action})
        assert infos == {}
        if game.over:
            break
        assert rewards == {agent: 0.0}
        assert (terminateds, truncateds) == ({"__all__": False}, {"__all__": False})
    assert list(rewards.values()) == pytest.approx(game.returns())
    assert (terminateds, truncateds) == ({"__all__": True}, {"__all__": False})
    for player, agent in enumerate(env.possible_agents):
        view = seen[agent]
        assert np.array_equal(view["observations"], game.observation(player, track=track))
        assert env.observation_spaces[agent].contains(view)
    with pytest.raises(MascaradeError, match=facts("reset", "game")):
        env.step({agent: 0})


def finished(env: MascaradeMultiAgentEnv, seed: int | None = None) -> tuple[Any, ...]:
    """Return the last step of a random game."""
    chance = np.random.default_rng(0)
    seen = env.reset(seed=seed)[0]
    while True:
        agent, view = only(seen)
        done = env.step({agent: int(chance.choice(np.flatnonzero(view["action_mask"])))})
        seen = done[0]
        if done[2]["__all__"] or done[3]["__all__"]:
            return done


def test_a_void_game_is_cut_off() -> None:
    env = MascaradeMultiAgentEnv({"scenario": SHORT})
    seen, rewards, terminateds, truncateds, _ = finished(env, seed=0)
    assert (terminateds, truncateds) == ({"__all__": False}, {"__all__": True})
    assert rewards == dict.fromkeys(env.possible_agents, 0.0)
    assert list(seen) == env.possible_agents


def test_padded_observations_have_one_width() -> None:
    for name in ("4A", "8A"):
        env = MascaradeMultiAgentEnv({"scenario": name, "padded": True})
        size = Schema("12B", "both", padded=True).size
        assert env.observation_spaces["player_0"]["observations"].shape == (size,)
        assert env.action_spaces["player_0"].n == MAX_ACTIONS
        assert finished(env, seed=0)[2] == {"__all__": True}


def first(env: MascaradeMultiAgentEnv, seed: int | None) -> bytes:
    return bytes(env.reset(seed=seed)[0]["player_0"]["observations"]) + bytes(env.batch.state[0])


def test_seeds_deal_again() -> None:
    env, twin = MascaradeMultiAgentEnv(), MascaradeMultiAgentEnv()
    games = [first(env, seed) for seed in (3, None, None, 4, 3, None)]
    assert games[:2] == games[4:]
    assert len(set(games)) == 4
    assert [first(twin, seed) for seed in (3, None)] == games[:2]
    with pytest.raises(MascaradeError, match=facts("seed", "2**63-1", -1)):
        env.reset(seed=-1)


def test_neighbouring_env_runners_deal_other_games() -> None:
    """RLlib seeds table i of runner w with seed + w + i."""
    deals = {
        first(MascaradeMultiAgentEnv(EnvContext({}, worker_index=runner)), 7 + runner + table)
        for runner in range(4)
        for table in range(4)
    }
    assert len(deals) == 16


def test_illegal_actions() -> None:
    raising = MascaradeMultiAgentEnv({"scenario": "4A", "illegal_actions": "raise"})
    seen = raising.reset(seed=0)[0]
    illegal = int(seen["player_0"]["action_mask"].argmin())
    before = bytes(raising.batch.state[0])
    for wrong in (
        {"player_0": illegal},
        {"player_0": -1},
        {"player_0": 10**6},
        {"player_1": 0},
        {},
    ):
        with pytest.raises(IllegalActionError):
            raising.step(wrong)
    assert bytes(raising.batch.state[0]) == before
    raising.step({"player_0": int(seen["player_0"]["action_mask"].argmax())})

    ending = MascaradeMultiAgentEnv({"scenario": "4A"})
    ending.reset(seed=0)
    _, rewards, terminateds, truncateds, infos = ending.step({"player_0": illegal})
    assert rewards == {"player_0": -1.0} | dict.fromkeys(
        ("player_1", "player_2", "player_3"), pytest.approx(1 / 3)
    )
    assert (terminateds["__all__"], truncateds["__all__"]) == (True, False)
    assert infos == {"player_0": {"illegal_action": True}}

    drawing = MascaradeMultiAgentEnv({"scenario": "4A", "illegal_actions": "random"})
    drawing.reset(seed=0)
    _, _, terminateds, _, infos = drawing.step({"player_0": illegal})
    assert not terminateds["__all__"]
    assert infos == {"player_0": {"illegal_action": True}}


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"scenarios": "4A"}, ("'scenarios'", "'scenario'", "env_config")),
        (
            {"illegal_actions": "ignore"},
            ("illegal_actions", "raise", "terminate", "random", "'ignore'"),
        ),
        ({"track": "all"}, ("track", "memory", "belief", "both", "'all'")),
        ({"scenario": "13A"}, ("scenario", "'13A'", "12A")),
    ],
)
def test_bad_options_are_refused(config: dict[str, Any], message: tuple[str, ...]) -> None:
    with pytest.raises(MascaradeError, match=facts(*message)):
        MascaradeMultiAgentEnv(config)


def test_it_passes_the_check_of_rllib() -> None:
    check_multiagent_environments(MascaradeMultiAgentEnv())


class Noted(MascaradeMultiAgentEnv):
    """An environment that records all its games, for the test below."""

    games: list[dict[str, Any]] = []  # noqa: RUF012 (one for all tables)

    def reset(self, **options: Any) -> Any:
        done = super().reset(**options)
        self._seen = done[0]
        self._note: dict[str, Any] = {"log": []}
        self.games.append(self._note)
        return done

    def step(self, action_dict: Mapping[str, Any]) -> Any:
        agent, action = only(action_dict)
        self._note["log"].append((agent, int(action), self._seen[agent]["observations"]))
        done = super().step(action_dict)
        self._seen = done[0]
        if done[2]["__all__"] or done[3]["__all__"]:
            self._note["end"] = done
        return done


def streams(chunks: list[MultiAgentEpisode]) -> Iterator[tuple[str, dict[str, list[Any]], Any]]:
    """Return each player's steps in an episode of several chunks, and the end of the last one."""
    found: dict[str, dict[str, list[Any]]] = defaultdict(lambda: defaultdict(list))
    ends = {}
    for chunk in chunks:
        for agent, stream in chunk.agent_episodes.items():
            found[agent]["actions"] += [int(action) for action in stream.get_actions()]
            found[agent]["rewards"] += [float(reward) for reward in stream.get_rewards()]
            found[agent]["observations"] += list(stream.get_observations()["observations"][:-1])
            found[agent]["logp"] += list(stream.get_extra_model_outputs("action_logp"))
            ends[agent] = stream
    for agent, columns in found.items():
        yield agent, columns, ends[agent]


@pytest.mark.parametrize("fragment", [400, 9, 1])
@pytest.mark.parametrize("scenario", ["4A", SHORT], ids=["4A", "short"])
def test_rllib_credits_each_player_with_their_own_return(scenario: Any, fragment: int) -> None:
    """In any fragments of RLlib: all decisions in order, with the return at the last one."""
    shape = {"numbers": 283, "width": 8, "players": 4}
    config = (
        PPOConfig()
        .environment(Noted, env_config={"scenario": scenario, "illegal_actions": "raise"})
        .environment(disable_env_checking=True)
        .env_runners(num_env_runners=0, num_envs_per_env_runner=3)
        .multi_agent(policies={SHARED}, policy_mapping_fn=module_of)
        .rl_module(rl_module_spec=RLModuleSpec(module_class=MaskedModule, model_config=shape))
        .debugging(seed=7)
    )
    Noted.games.clear()
    runner = MultiAgentEnvRunner(config=config)
    chunks: dict[str, list[MultiAgentEpisode]] = defaultdict(list)
    while sum("end" in game for game in Noted.games) < 6:
        for chunk in runner.sample(num_timesteps=fragment):
            chunks[chunk.id_].append(chunk)
    finished = [parts for parts in chunks.values() if parts[-1].is_done]
    assert len(finished) == sum("end" in game for game in Noted.games)
    games = {
        tuple(action for _, action, _ in game["log"]): game for game in Noted.games if "end" in game
    }
    for parts in finished:
        found = {agent: (columns, end) for agent, columns, end in streams(parts)}
        (game,) = (
            game
            for game in games.values()
            if {agent for agent, _, _ in game["log"]} == set(found)
            and all(
                [action for agent, action, _ in game["log"] if agent == who] == columns["actions"]
                for who, (columns, _) in found.items()
            )
        )
        _, returns, terminateds, truncateds, _ = game["end"]
        for who, (columns, end) in found.items():
            own = [seen for agent, _, seen in game["log"] if agent == who]
            assert np.array_equal(columns["observations"], own)
            assert len(columns["logp"]) == len(own)
            assert not any(columns["rewards"][:-1])
            assert columns["rewards"][-1] == pytest.approx(returns[who])
            assert end.is_terminated == terminateds["__all__"]
            assert end.is_truncated == truncateds["__all__"]
            last = game["end"][0][who]["observations"]
            assert np.array_equal(end.get_observations(-1)["observations"], last)
