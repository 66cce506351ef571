"""What a person may do now, as a list, and what the person means by a line of text."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from mascarade_env.game._masks import MASKS, mask_number
from mascarade_env.knowledge._agent_view import AgentView
from mascarade_env.render._scene import printable

#: What a person may ask for at any moment, and what it does.
COMMANDS = {
    "help": "what may be done now, the commands, and the masks in play",
    "hint": "what an agent would do in your place",
    "belief": "what each mask may be by what you have seen",
    "log": "all that you have seen",
    "table": "the table again",
    "undo": "back to your last decision (only with --undo)",
    "save": "where the record is; with a file name after it, keep it there from now on",
    "quit": "leave; the record is kept",
}
_VERBS = (
    "take", "look", "announce", "swap", "keep", "claim", "pass", "target", "decline", "declare",
)  # fmt: skip
# What is said of verbs that are about nothing else.
_ALONE = {
    "look": "see your own mask",
    "swap": "they change places",
    "keep": "they stay as they were",
    "claim": "you say that you have it, and will reveal",
    "pass": "you do not",
    "decline": "fortunes stay as they are",
}
_WITH_PLACE = ("take", "target")
_LONGEST = 60  # of what is repeated to the person


@dataclass(frozen=True, slots=True)
class Entry:
    """One legal action.

    Attributes:
        number: what to type for it; for a slot or a seat that of the slot or seat.
        word: the word of the record, as "take:3".
        shown: what it is about, as "Ana" or "king"; "" for actions about nothing.
    """

    number: int
    word: str
    shown: str

    @property
    def verb(self) -> str:
        """The word before the colon."""
        return self.word.partition(":")[0]

    @property
    def typed(self) -> str:
        """How a person types it."""
        return self.word.replace(":", " ")

    @property
    def names(self) -> tuple[str, ...]:
        """What its object may be called, made plain."""
        argument = self.word.partition(":")[2]
        return tuple(dict.fromkeys((_plain(argument), _plain(self.shown))))


@dataclass(frozen=True, slots=True)
class Meant:
    """What a line means: an action's word, a command with what follows it, or why neither."""

    kind: Literal["action", "command", "unclear"]
    word: str
    rest: str = ""


class Menu:
    """The legal actions of the person who decides.

    Args:
        view: of the person.
        labels: what each player is called.
    """

    def __init__(self, view: AgentView, labels: Sequence[str]) -> None:
        self._view = view
        entries: list[Entry] = []
        following = 1  # the number of the next action that is about no slot or seat
        for word in view.legal_actions():
            verb, _, argument = word.partition(":")
            if verb in _WITH_PLACE:
                place = int(argument)
                following = view.scenario.slots
                entries.append(Entry(place, word, _called(place, view, labels)))
            else:
                entries.append(Entry(following, word, _name(argument) if argument else ""))
                following += 1
        self.entries = tuple(sorted(entries, key=lambda entry: entry.number))

    @property
    def verbs(self) -> list[str]:
        """The verbs that are legal, in the order of their numbers."""
        return list(dict.fromkeys(entry.verb for entry in self.entries))

    def lines(self) -> list[tuple[str, list[str]]]:
        """For each verb what it may be about, with the numbers to type."""
        return [
            (verb, [f"[{e.number}] {e.shown or _ALONE[verb]}" for e in self._entries_of(verb)])
            for verb in self.verbs
        ]

    def legal(self) -> str:
        """Return what is legal now, as it is typed."""
        return ", ".join(entry.typed for entry in self.entries)

    def understand(self, line: str) -> Meant:
        """Return what a line means."""
        text = _plain(line)
        if not text:
            return self._not_understood("Type what you do, its number, or help.")
        if text.isdecimal():
            number = text.lstrip("0") or "0"
            return self._single_match([e for e in self.entries if str(e.number) == number], line)
        return self._words("help" if text == "?" else text, line)

    def _words(self, text: str, line: str) -> Meant:
        first, _, rest = text.partition(" ")
        verbs = [*self.verbs, *COMMANDS]
        matches = [word for word in verbs if word == first]
        if not matches:
            matches = [word for word in verbs if word.startswith(first)]
            matches = [word for word in matches if self._with_more(word)] if rest else matches
        if len(matches) > 1:
            return self._not_understood(f"{_quoted(line)} may mean {_alternatives(matches)}.")
        if not matches:
            return self._unknown(first, text, line)
        if matches[0] in COMMANDS:
            return self._command(matches[0], line)
        return self._action(matches[0], rest, line)

    def _with_more(self, word: str) -> bool:
        """Return whether something may follow a verb or command."""
        return word == "save" or bool(self._objects(word))

    def _entries_of(self, verb: str) -> list[Entry]:
        return [entry for entry in self.entries if entry.verb == verb]

    def _objects(self, verb: str) -> list[Entry]:
        return [entry for entry in self._entries_of(verb) if entry.shown]

    def _command(self, command: str, line: str) -> Meant:
        rest = line.strip().partition(" ")[2].strip()
        if rest and command != "save":
            return self._not_understood(f"{_quoted(line)}: {command} stands alone.")
        return Meant("command", command, rest)

    def _action(self, verb: str, rest: str, line: str) -> Meant:
        objects = self._objects(verb)
        if not objects:
            if rest:
                return self._not_understood(f"{_quoted(line)}: {verb} stands alone.")
            return Meant("action", verb)
        if not rest:
            if len(objects) == 1:
                return Meant("action", objects[0].word)
            return self._not_understood(f"{verb.capitalize()} what?", objects)
        rest = re.sub(r"^(the|slot|seat|centre slot) (?=.)", "", rest)
        exact = [e for e in objects if rest in e.names or rest == str(e.number)]
        matches = exact
        if not exact and not rest.isdecimal():  # the 1 of seat 1 is not the beginning of seat 10
            matches = [e for e in objects if any(name.startswith(rest) for name in e.names)]
        return self._single_match(matches, line, objects, self._refusal(verb, rest))

    def _single_match(
        self, matches: list[Entry], line: str, objects: Iterable[Entry] = (), why: str = ""
    ) -> Meant:
        """Return the one action that was found, or why there is none."""
        if len(matches) == 1:
            return Meant("action", matches[0].word)
        if matches:
            return self._not_understood(
                f"{_quoted(line)} may mean {_alternatives(e.typed for e in matches)}."
            )
        return self._not_understood(why or f"There is no {_quoted(line)} in the list.", objects)

    def _refusal(self, verb: str, rest: str) -> str:
        view = self._view
        if verb in _WITH_PLACE:
            if rest == str(view.seat):
                return f"{rest} is your own seat."
            kind = "slot" if verb == "take" else "seat"
            return f"{_quoted(rest)} is no {kind} that you may {verb}."
        return f"{_quoted(rest)} is no mask in play."

    def _unknown(self, first: str, text: str, line: str) -> Meant:
        """Neither a legal verb nor a command: a mask or player by itself, or not legal now."""
        alone = [e for e in self.entries if e.shown and e.verb != "take" and text in e.names]
        if len(alone) == 1:
            return Meant("action", alone[0].word)
        others = [verb for verb in _VERBS if verb == first]
        others = others or [verb for verb in _VERBS if verb.startswith(first)]
        if len(others) != 1:
            return self._not_understood(
                f"{_quoted(line)} means nothing here; type help for what does."
            )
        return self._not_understood(self._not_now(others[0]))

    def _not_now(self, verb: str) -> str:
        view = self._view
        if view.phase == "turn" and verb in ("look", "announce"):
            opening = view.scenario.opening_turns
            if view.turn < opening:
                return f"You may not {verb} yet: the first {opening} turns of a game are takes."
            return (
                f"You may not {verb} now: you had to show your mask in the turn before, so you "
                "look or take."
            )
        return f"You may not {verb} now."

    def _not_understood(self, why: str, objects: Iterable[Entry] = ()) -> Meant:
        about = ", ".join(entry.typed for entry in objects) or self.legal()
        return Meant("unclear", f"{why} Legal now: {about}.")


def _called(place: int, view: AgentView, labels: Sequence[str]) -> str:
    players = view.scenario.players
    if place < players:
        return labels[view.player_at[place]]
    return "centre" if view.scenario.slots - players == 1 else f"centre {place}"


def _name(word: str) -> str:
    return MASKS[mask_number(word)].name


def _plain(text: str) -> str:
    """Return a text without capitals, extra blanks, and the signs that words are joined by."""
    return re.sub(r"(?:[\s:_#]|(?<=\w)-(?=\w))+", " ", text.casefold()).strip()


def _quoted(text: str) -> str:
    plain = printable(" ".join(text.split()))
    return f'"{plain if len(plain) <= _LONGEST else plain[: _LONGEST - 3] + "..."}"'


def _alternatives(words: Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} or {last}"
