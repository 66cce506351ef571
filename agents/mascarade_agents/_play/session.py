"""A game between a person and agents, without a terminal."""

from collections.abc import Sequence

import numpy as np

from mascarade_agents._agent import Agent, check_is_not_word
from mascarade_agents._ladder.random import RandomAgent
from mascarade_env._errors import IllegalActionError, MascaradeError, RecordError, whole
from mascarade_env.game._game import Game
from mascarade_env.game._scenarios import Scenario
from mascarade_env.knowledge._agent_view import AgentView
from mascarade_env.render._narration import Story
from mascarade_env.render._scene import Scene, printable, scene

# What random numbers are used for. Each decision has a separate generator, so the random numbers
# are the same again after `undo`, or when the game is resumed.
_DECIDE, _HINT = range(2)
_REPLACEMENT = "random"


class Session:
    """A game between a person and agents.

    Args:
        game: a game that `new_game` returned, or that was read from its record; it may have begun.
        agents: the agent of each player, and None for the person.
        hinter: the agent that gives hints.

    Raises:
        MascaradeError: `agents` has another length than the list of players, or None for another
            player than the person.
    """

    def __init__(self, game: Game, agents: Sequence[Agent | None], hinter: Agent) -> None:
        self.game = game
        names = players_of(game)
        self.me = names.index(None)
        if [agent is None for agent in agents] != [name is None for name in names]:
            raise MascaradeError(
                f"agents must have {len(names)} entries: None for player {self.me}, who is the "
                "person, and an agent for each other player"
            )
        #: The name of each player on the screen.
        self.labels = screen_names(len(names), self.me)
        self._agents = list(agents)
        self._hinter = hinter
        self._start()

    def _start(self) -> None:
        """Show the person the events of the game so far."""
        self.view = self.game.view(self.me)
        self._views: dict[int, AgentView] = {}
        self._story = Story(self.game.scenario, self.me, self.labels)
        self._taken_in = 0
        #: Sentences for all events that the person has seen.
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
        """The table as the person may see it."""
        return scene(self.game, self.me)

    @property
    def blind(self) -> bool:
        """Whether the game hides what the person knows of the masks until it is over."""
        return bool(self.game.meta["play"].get("blind", False))

    @property
    def opponents(self) -> dict[str, str]:
        """The agent of each player except the person; keys are names on the screen."""
        agents = zip(self.labels, players_of(self.game), strict=True)
        return {label: shown(agent) for label, agent in agents if agent is not None}

    @property
    def called(self) -> list[str]:
        """The names of the players for the table, with their agents if these differ."""
        opponents = self.opponents
        if len(set(opponents.values())) < 2:
            return self.labels
        return [
            f"{label} ({opponents[label]})" if label in opponents else label
            for label in self.labels
        ]

    def whose(self, slot: int) -> str:
        """Return the words for the mask of a slot, such as "player 3's mask"."""
        return self._story.whose(slot)

    def take(self, word: str) -> list[str]:
        """Play the person's decision.

        Returns:
            Sentences for the events that the person then sees.

        Raises:
            IllegalActionError: the action is illegal, or another player decides now.
        """
        if not self.mine:
            raise IllegalActionError(
                f"action {word!r}: another player decides now, not you; call step first"
            )
        self.game.play(word)
        return self._take_in_news()

    def step(self) -> list[str]:
        """Let the agent of the acting player decide.

        An agent that fails is replaced by random choices for the rest of the game.

        Returns:
            Sentences for the events that the person then sees.

        Raises:
            MascaradeError: the person decides now, or the game is over.
        """
        player = self.game.player
        if player is None or player == self.me:
            raise MascaradeError(
                "step asks an agent, and no agent decides now: the game is over, or the person "
                "must decide with take"
            )
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
        """Return the action that the hinter would take in the person's place, such as "take:3".

        Raises:
            MascaradeError: the hinter failed.
        """
        try:
            action = self._answer_of(self._hinter, self.me, _HINT)
        except (Exception, SystemExit) as error:
            raise MascaradeError(
                f"The agent that gives hints failed: {_error_text(error)}. Play on without hints."
            ) from error
        self._note("hints", 1)
        return self.view.action_word(action)

    def undo(self) -> None:
        """Take back the person's last decision and all later ones.

        Raises:
            MascaradeError: the person has not decided anything yet.
        """
        deciders = [player for player, _ in self.game.history]
        if self.me not in deciders:
            raise MascaradeError(
                "There is nothing to take back: you have not decided anything yet."
            )
        self.game.undo(deciders[::-1].index(self.me) + 1)
        self._note("undone", 1)
        self._start()

    def _answer_of(self, agent: Agent | None, player: int, purpose: int) -> int:
        """Return the legal action that an agent chooses with a view that is not `self.view`."""
        assert agent is not None
        # To make a view, the whole game is replayed. So a view is kept unless the agent fails.
        view = self._views.pop(player, None) or self.game.view(player)
        self.game.tell(view)
        legal = self.game.legal_ids()
        seeds = (int(self.game.meta["seed"]), len(self.game.taken), purpose)
        # An agent can read the seed of its generator, so the generator gets words derived from it.
        rng = np.random.default_rng(np.random.SeedSequence(seeds).generate_state(4))
        answer = agent.act(view, rng)
        check_is_not_word(answer, view)
        action = whole(answer, "an action id")
        if action not in legal:
            raise IllegalActionError(f"action id {action} is not legal: choose one of {legal}")
        self._views[player] = view
        return action

    def _replace(self, player: int, error: BaseException) -> str:
        """Replace an agent that failed by random choices; return a sentence about it.

        The record names both agents.
        """
        self._agents[player] = RandomAgent(self.game.scenario)
        replace_agent(self.game, player, _REPLACEMENT)
        return (
            f"The agent of {self.labels[player]} failed: {_error_text(error)}. It is replaced by "
            "random choices for the rest of the game."
        )

    def _note(self, kind: str, more: int) -> None:
        noted = self.game.meta["play"]
        noted[kind] = noted.get(kind, 0) + more


def new_game(
    scenario: Scenario,
    agents: Sequence[str | None],
    name: str,
    *,
    seed: int | None = None,
    blind: bool = False,
) -> Game:
    """Return a new game for a session.

    The record names the players in two places: in `names`, and in `meta["play"]["agents"]`, where
    the person is None. `meta["play"]` also has the numbers of hints and of decisions taken back,
    and "blind" in a blind game.

    Args:
        scenario: the scenario to play.
        agents: the name of each player's agent, and None for the person.
        name: the person's name in the record.
        seed: the seed of the deal and of the agents' choices; a random one by default.
        blind: whether the session hides what the person knows of the masks.
    """
    names = [name if agent is None else agent for agent in agents]
    game = Game(scenario, seed=seed, names=names)
    game.meta["play"] = {"agents": list(agents), "hints": 0, "undone": 0}
    if blind:
        game.meta["play"]["blind"] = True
    return game


def replace_agent(game: Game, player: int, name: str) -> None:
    """Note in the game of a session that another agent now plays for a player."""
    assert game.names is not None
    game.names[player] += f", then {name}"
    game.meta["play"]["agents"][player] = name


def players_of(game: Game) -> list[str | None]:
    """Return the name of each player's agent in the game of a session; None for the person.

    Raises:
        RecordError: the game was not played in a session, or its notes have invalid values.
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
        raise RecordError(
            "the game was not played by `mascarade play`: its record does not say which player is "
            "the person, and which agents are the other players; name a file that `mascarade play` "
            "wrote"
        )
    assert isinstance(stored, dict)
    assert isinstance(agents, list)
    for count in ("hints", "undone"):
        if type(stored.get(count, 0)) is not int:
            raise RecordError(
                f"meta: play: {count} must be a whole number, not {stored[count]!r:.60}"
            )
    if type(stored.get("blind", False)) is not bool:
        raise RecordError(f"meta: play: blind must be true or false, not {stored['blind']!r:.60}")
    return list(agents)  # `replace_agent` changes the notes of this game only


def screen_names(players: int, me: int) -> list[str]:
    """Return the name of each player on the screen: "you", or for example "player 3"."""
    return ["you" if player == me else f"player {player}" for player in range(players)]


def shown(name: str) -> str:
    """Return the name of an agent in one line, with control characters escaped."""
    return " ".join(printable(name).split()) or "?"


def _error_text(error: BaseException) -> str:
    words = " ".join(printable(str(error)).split())
    return f"{type(error).__name__}: {words}" if words else type(error).__name__
