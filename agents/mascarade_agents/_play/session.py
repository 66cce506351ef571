"""A game between a person and agents, without a terminal."""

from collections.abc import Sequence

import numpy as np

from mascarade_agents._agent import Agent
from mascarade_agents._ladder.random import RandomAgent
from mascarade_env._errors import IllegalActionError, MascaradeError, RecordError, whole
from mascarade_env.game._game import Game
from mascarade_env.game._scenarios import Scenario
from mascarade_env.knowledge._agent_view import AgentView
from mascarade_env.render._narration import Story
from mascarade_env.render._scene import Scene, labels_of, printable, scene

#: What random numbers are for: they are drawn anew for each decision, so that a game that is
#: taken back or gone on with another day has the same ones.
_DECIDE, _HINT = range(2)
_REPLACEMENT = "random"


class Session:
    """A game between a person and agents.

    Args:
        game: one that `new_game` made, or a record of it, at any moment.
        agents: by player; None for the person.
        hinter: whom the person may ask.
    """

    def __init__(self, game: Game, agents: Sequence[Agent | None], hinter: Agent) -> None:
        self.game = game
        self.me = players_of(game).index(None)
        if [agent is None for agent in agents] != [name is None for name in players_of(game)]:
            raise MascaradeError("there is one agent for each player but the person")
        self.labels = labels_of(game.names or [])
        self._agents = list(agents)
        self._hinter = hinter
        self._start()

    def _start(self) -> None:
        """Take in the game so far."""
        self.view = self.game.view(self.me)
        self._views: dict[int, AgentView] = {}
        self._story = Story(self.game.scenario, self.me, self.labels)
        self._taken_in = 0
        #: All that the person has seen, in sentences.
        self.log: list[str] = []
        self._take_in_news()

    def _take_in_news(self) -> list[str]:
        self.game.tell(self.view)
        news = self._story.tell(self.view.events[self._taken_in :])
        self._taken_in = len(self.view.events)
        self.log += news
        return news

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.game.over

    @property
    def mine(self) -> bool:
        """Whether the person decides now."""
        return self.game.player == self.me

    @property
    def scene(self) -> Scene:
        """The table as the person sees it."""
        return scene(self.game, self.me)

    @property
    def called(self) -> list[str]:
        """What stands for each player in a table."""
        called = self.labels.copy()
        called[self.me] += "" if called[self.me] == "you" else " (you)"
        return called

    def whose(self, slot: int) -> str:
        """Return the mask of a slot in words, as "Ana's mask"."""
        return self._story.whose(slot)

    def take(self, word: str) -> list[str]:
        """Take the person's decision.

        Returns:
            What the person sees of what it brings, in sentences.

        Raises:
            IllegalActionError: it is not legal, or not for the person to decide.
        """
        if not self.mine:
            raise IllegalActionError(f"action {word!r}: you do not decide now")
        self.game.play(word)
        return self._take_in_news()

    def step(self) -> list[str]:
        """Let an agent decide.

        Returns:
            What the person sees of it, in sentences.
        """
        player = self.game.player
        if player is None or player == self.me:
            raise MascaradeError("no agent decides now")
        notes: list[str] = []
        agent = self._agents[player]
        try:
            action = self._answer_of(agent, player, _DECIDE)
        except (Exception, SystemExit) as error:
            notes = [self._replace(player, error)]
            action = self._answer_of(self._agents[player], player, _DECIDE)
        self.game.play(action)
        return [*notes, *self._take_in_news()]

    def hint(self) -> str:
        """Return what the hinter would do in the person's place, as a word of the record.

        Raises:
            MascaradeError: it failed.
        """
        try:
            action = self._answer_of(self._hinter, self.me, _HINT)
        except (Exception, SystemExit) as error:
            raise MascaradeError(
                f"The agent asked for hints failed: {_error_text(error)}."
            ) from error
        self._note("hints", 1)
        return self.view.action_word(action)

    def undo(self) -> None:
        """Go back to the person's last decision.

        Raises:
            MascaradeError: the person has decided nothing yet.
        """
        deciders = [player for player, _ in self.game.history]
        if self.me not in deciders:
            raise MascaradeError("There is nothing to take back: you have decided nothing yet.")
        self.game.undo(deciders[::-1].index(self.me) + 1)
        self._note("undone", 1)
        self._start()

    def _answer_of(self, agent: Agent | None, player: int, purpose: int) -> int:
        """Return the legal action an agent takes, shown a view that no person reads."""
        assert agent is not None
        # Making a view plays the game again, so each is kept; but not one that an agent failed on.
        view = self._views.pop(player, None) or self.game.view(player)
        self.game.tell(view)
        legal = self.game.legal_ids()
        seeds = (int(self.game.meta["seed"]), len(self.game.taken), purpose)
        # Agents could read a seed out of their generator: they are given what is made of it.
        rng = np.random.default_rng(np.random.SeedSequence(seeds).generate_state(4))
        action = whole(agent.act(view, rng), "an action id")
        if action not in legal:
            raise IllegalActionError(f"action id {action} is not legal, only {legal}")
        self._views[player] = view
        return action

    def _replace(self, player: int, error: BaseException) -> str:
        """Replace an agent that failed by random choices, and say so here and in the record."""
        self._agents[player] = RandomAgent(self.game.scenario)
        replace_agent(self.game, player, _REPLACEMENT)
        return (
            f"{self.labels[player]} failed: {_error_text(error)}. It is replaced by random choices "
            "for the rest of the game."
        )

    def _note(self, kind: str, more: int) -> None:
        noted = self.game.meta["play"]
        noted[kind] = noted.get(kind, 0) + more


def new_game(
    scenario: Scenario, agents: Sequence[str | None], name: str, *, seed: int | None = None
) -> Game:
    """Return a game for a session.

    Who plays stands in the record: in `names`, and in `meta["play"]["agents"]`, which also tells
    the person from the agents. There too stand how many hints were given and how many decisions
    taken back.

    Args:
        scenario: what is played.
        agents: by player, the name of the agent, None for the person.
        name: of the person.
        seed: determines the deal and the agents' choices.
    """
    names = [name if agent is None else agent for agent in agents]
    game = Game(scenario, seed=seed, names=names)
    game.meta["play"] = {"agents": list(agents), "hints": 0, "undone": 0}
    return game


def replace_agent(game: Game, player: int, name: str) -> None:
    """Note in a session's game that another agent plays on for a player."""
    assert game.names is not None
    game.names[player] += f", then {name}"
    game.meta["play"]["agents"][player] = name


def players_of(game: Game) -> list[str | None]:
    """Return the name of each player's agent, None for the person, in a game that a session played.

    Raises:
        RecordError: no session played it.
    """
    stored, seed = game.meta.get("play"), game.meta.get("seed")
    agents = stored.get("agents") if isinstance(stored, dict) else None
    fit = (
        isinstance(agents, list)
        and len(agents) == game.scenario.players
        and all(name is None or isinstance(name, str) for name in agents)
        and agents.count(None) == 1
        and game.names is not None
        and type(seed) is int
        and seed >= 0
    )
    if not fit:
        raise RecordError("the game was not played by `mascarade play`: nobody knows who goes on")
    assert isinstance(stored, dict)
    assert isinstance(agents, list)
    for count in ("hints", "undone"):
        if type(stored.get(count, 0)) is not int:
            raise RecordError(f"meta: play: {count} must be a whole number")
    return agents


def _error_text(error: BaseException) -> str:
    words = " ".join(printable(str(error)).split())
    return f"{type(error).__name__}: {words}" if words else type(error).__name__
