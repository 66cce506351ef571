"""The events that a person has seen, as sentences.

The sentences are made only from events, and only from events that the person sees.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from mascarade_env.game import _events as events
from mascarade_env.game._masks import MASKS, PRINCESS
from mascarade_env.game._scenarios import Scenario

_PLACES = (events.BANK, events.TRIBUNAL)


class Story:
    """Turns the events that one player sees into sentences.

    Args:
        scenario: the scenario of the game.
        me: the player of the person, whom the sentences call "you"; None for no player.
        labels: the names of the players; the name of `me` is not used.
        player_at: the player on each seat before the first events; by default as at the deal.
    """

    def __init__(
        self,
        scenario: Scenario,
        me: int | None,
        labels: Sequence[str],
        player_at: Sequence[int] | None = None,
    ) -> None:
        self._players = scenario.players
        self._me = me
        self._labels = ["you" if player == me else label for player, label in enumerate(labels)]
        self._player_at = list(range(scenario.players) if player_at is None else player_at)
        self._power = -1  # the mask whose power was used last

    def tell(self, news: Iterable[Any]) -> list[str]:
        """Return the sentences for the events since the last call."""
        sentences: list[str] = []
        for kind, group in groupby(_without_returns(list(news)), key=_sort):
            sentences += self._group_sentences(kind[0], list(group))
        return sentences

    def whose(self, slot: int) -> str:
        """Return the words for the mask of a slot, such as "player 3's mask"."""
        if slot >= self._players:
            return f"the mask in centre slot {slot}"
        player = self._player_at[slot]
        return "your mask" if player == self._me else f"{self._labels[player]}'s mask"

    def _group_sentences(self, kind: int, group: list[Any]) -> Iterator[str]:
        """Yield the sentences for consecutive events of one sort."""
        if kind == events.DEAL:
            dealt = (f"{self._place(int(e['a']))} the {_mask(e)}" for e in group)
            yield f"The masks are dealt face up, then turned down: {_listed(dealt)}."
        elif kind == events.REVEAL:
            events_shown = [
                f"{self._name_of(e)} {self._verb(e, 'reveal', 'reveals')} the {_mask(e)}"
                for e in group
            ]
            yield _sentence(_listed(events_shown))
        elif kind == events.PAY and int(group[0]["b"]) == events.TRIBUNAL:
            payers = [self._seated(int(e["a"])) for e in group]
            each = "pay" if len(payers) > 1 or payers == ["you"] else "pays"
            yield _sentence(f"{_listed(payers)} {each} 1 coin to the tribunal")
        elif kind == events.SEE and int(group[0]["player"]) != self._me:
            yield from (_sentence(f"{self._name_of(e)} sees the {_mask(e)}") for e in group)
        elif kind == events.WIN:
            winners = [self._name_of(e) for e in group]
            wins = "win" if len(winners) > 1 or winners == ["you"] else "wins"
            yield _sentence(f"{_listed(winners)} {wins} the game")
        else:
            for event in group:
                sentence = self._event_sentence(kind, event)
                if sentence:
                    yield _sentence(sentence)

    def _event_sentence(self, kind: int, event: Any) -> str:
        """Return the sentence for one event, or "" if the event needs no sentence."""
        if kind in (events.LOOK, events.SEE, events.TAKE, events.RETURN, events.SWAP, events.KEEP):
            return self._mask_sentence(kind, event)
        if kind in (events.PAY, events.EXCHANGE, events.MOVE):
            return self._seat_sentence(kind, event)
        name = self._name_of(event)
        mine = int(event["player"]) == self._me
        if kind == events.POWER:
            self._power = int(event["value"])
        possessive = "yours" if mine else f"{name}'s"
        simple = {
            events.BEGIN: f"turn {event['value']} is {possessive}",
            events.ANNOUNCE: f"{name} {'announce' if mine else 'announces'}: "
            f'"I am the {_mask(event)}"',
            events.CLAIM: f'{name} {"claim" if mine else "claims"}: "No, I am the {_mask(event)}"',
            events.PASS: f"{name} {'pass' if mine else 'passes'}",
            events.POWER: f"{name} {'use' if mine else 'uses'} the power of the {_mask(event)}",
            events.SHOW: f"{name} shows the {_mask(event)} to all others, without seeing it",
            events.DECLINE: f"{name} {'decline' if mine else 'declines'} to exchange fortunes",
            events.DECLARE: f"{name} {'say' if mine else 'says'} to the Guru: "
            f'"I have the {_mask(event)}"',
            events.LIMIT: f"the limit of {event['value']} turns is reached",
        }
        if kind == events.CHOOSE:
            chosen = self._seated(int(event["a"]))
            shows = ""
            if chosen == "you" and self._power == PRINCESS:
                shows = ", and you show your mask to all others without seeing it"
            return f"{name} {'choose' if mine else 'chooses'} {chosen}{shows}"
        return simple.get(kind, "")

    def _mask_sentence(self, kind: int, event: Any) -> str:
        name, mine = self._name_of(event), int(event["player"]) == self._me
        one, other = (self._mask_at(int(event[slot]), event) for slot in ("a", "b"))
        if kind == events.SEE:
            return f"{one} is the {_mask(event)}"
        if kind == events.RETURN:
            return f"{name} {'put' if mine else 'puts'} them back, swapped or not"
        return {
            events.LOOK: f"{name} {'look' if mine else 'looks'} at {one}",
            events.TAKE: f"{name} {'take' if mine else 'takes'} {one} and {other} under the table",
            events.SWAP: f"{name} put {one} and {other} back, swapped",
            events.KEEP: f"{name} put {one} and {other} back as they were",
        }[kind]

    def _seat_sentence(self, kind: int, event: Any) -> str:
        a, b, coins = int(event["a"]), int(event["b"]), _coins(int(event["value"]))
        one, other = self._seated(a), self._seated(b)
        if kind == events.EXCHANGE:
            return f"{_listed(sorted((one, other), key='you'.__ne__))} exchange their fortunes"
        if kind == events.MOVE:
            self._player_at[a], self._player_at[b] = self._player_at[b], self._player_at[a]
            pair = _listed(sorted((one, other), key="you".__ne__))
            return f"{pair} exchange seats; masks and coins stay where they are"
        if a in _PLACES:
            place = "bank" if a == events.BANK else "tribunal"
            return f"{other} {'take' if other == 'you' else 'takes'} {coins} from the {place}"
        return f"{one} {'give' if one == 'you' else 'gives'} {coins} to {other}"

    def _name_of(self, event: Any) -> str:
        return self._labels[int(event["player"])]

    def _verb(self, event: Any, mine: str, theirs: str) -> str:
        return mine if int(event["player"]) == self._me else theirs

    def _seated(self, seat: int) -> str:
        return self._labels[self._player_at[seat]] if seat < self._players else ""

    def _place(self, slot: int) -> str:
        return self._seated(slot) or f"centre slot {slot}"

    def _mask_at(self, slot: int, event: Any) -> str:
        """Return the words for the mask of a slot; "their own mask" if it is the actor's mask."""
        if slot < self._players and self._player_at[slot] == int(event["player"]) != self._me:
            return "their own mask"
        return self.whose(slot)


def _without_returns(news: list[Any]) -> list[Any]:
    """Leave out each RETURN that a SWAP or a KEEP follows, because that event says more."""
    following = [*(int(event["kind"]) for event in news[1:]), -1]
    return [
        event
        for event, next_kind in zip(news, following, strict=True)
        if event["kind"] != events.RETURN or next_kind not in (events.SWAP, events.KEEP)
    ]


def _sort(event: Any) -> tuple[int, bool]:
    kind = int(event["kind"])
    return kind, kind == events.PAY and int(event["b"]) == events.TRIBUNAL


def _mask(event: Any) -> str:
    return MASKS[int(event["value"])].name if 0 <= event["value"] < len(MASKS) else ""


def _coins(count: int) -> str:
    return "1 coin" if count == 1 else f"{count} coins"


def _listed(words: Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def _sentence(words: str) -> str:
    end = "" if words.endswith('"') else "."
    return f"{words[0].upper()}{words[1:]}{end}"
