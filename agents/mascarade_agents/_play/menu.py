"""The list of actions that a person may take now, and the parser of typed lines."""

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from mascarade_env.game._masks import MASKS, mask_number
from mascarade_env.knowledge._agent_view import AgentView
from mascarade_env.render._scene import printable

#: The commands that a person may type at any moment, with their meanings.
COMMANDS = {
    "help": "explain your choices, the commands, and the masks in play",
    "hint": "show what an agent would do in your place",
    "belief": "show how probable each mask is on each slot, given what you have seen",
    "log": "show all events that you have seen",
    "table": "show the table again",
    "undo": "take back your last decision (only in games started with --undo)",
    "save": "show where the record is; 'save FILE' keeps it in FILE from now on",
    "quit": "leave the game; the record is kept",
}
#: The commands that are off in a blind game.
SEEING = ("hint", "belief", "log")
_VERBS = (
    "take", "look", "announce", "swap", "keep", "claim", "pass", "target", "decline", "declare",
)  # fmt: skip
# The meanings of the verbs that do not take an object.
_ALONE = {
    "look": "see your own mask",
    "swap": "the two masks change places",
    "keep": "the two masks stay where they were",
    "claim": "say that you have this mask; you will have to reveal yours",
    "pass": "do not claim it",
    "decline": "all fortunes stay as they are",
}
_WITH_PLACE = ("take", "target")
_LONGEST = 60  # an answer repeats at most this number of characters of a typed line
_ALIKE = 0.65  # a word is suggested if its similarity to the typed word is at least this


@dataclass(frozen=True, slots=True)
class Entry:
    """One legal action.

    Attributes:
        number: the number to type. If the object is a slot or a seat, it is the number of that
            slot or seat.
        word: the action as in a record, such as "take:3".
        shown: the name of the object, such as "player 3" or "King"; "" if there is no object.
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
        """The action as a person types it, such as "take 3"."""
        return self.word.replace(":", " ")

    @property
    def names(self) -> tuple[str, ...]:
        """The names that a person may type for the object, normalised."""
        argument = self.word.partition(":")[2]
        return tuple(dict.fromkeys((_plain(argument), _plain(self.shown))))


@dataclass(frozen=True, slots=True)
class Meant:
    """The meaning of a typed line.

    Attributes:
        kind: "action", "command", or "unclear" if the line is neither.
        word: the action as in a record, the command, or the answer to show if unclear.
        rest: the text after the command.
    """

    kind: Literal["action", "command", "unclear"]
    word: str
    rest: str = ""


class Menu:
    """The legal actions of the person at this decision.

    Args:
        view: the view of the person, who is the acting player.
        labels: the name of each player on the screen.
    """

    def __init__(self, view: AgentView, labels: Sequence[str]) -> None:
        self._view = view
        entries: list[Entry] = []
        following = 1  # the next free number, for actions whose object is not a slot or a seat
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
        """Return each legal verb with its objects and the numbers to type."""
        return [
            (verb, [f"[{e.number}] {e.shown or _ALONE[verb]}" for e in self._entries_of(verb)])
            for verb in self.verbs
        ]

    def legal(self) -> str:
        """Return all legal actions as a person types them, separated by commas."""
        return ", ".join(entry.typed for entry in self.entries)

    def understand(self, line: str) -> Meant:
        """Return the meaning of a typed line."""
        text = _plain(line)
        if not text:
            return self._not_understood("Type an action, its number, or help.")
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
        """Return whether a verb or command can be followed by an object or a file."""
        return word == "save" or bool(self._objects(word))

    def _entries_of(self, verb: str) -> list[Entry]:
        return [entry for entry in self.entries if entry.verb == verb]

    def _objects(self, verb: str) -> list[Entry]:
        return [entry for entry in self._entries_of(verb) if entry.shown]

    def _command(self, command: str, line: str) -> Meant:
        rest = line.strip().partition(" ")[2].strip()
        if rest and command != "save":
            return self._not_understood(f"{_quoted(line)}: type {command} alone.")
        return Meant("command", command, rest)

    def _action(self, verb: str, rest: str, line: str) -> Meant:
        objects = self._objects(verb)
        if not objects:
            if rest:
                return self._not_understood(f"{_quoted(line)}: type {verb} alone.")
            return Meant("action", verb)
        if not rest:
            if len(objects) == 1:
                return Meant("action", objects[0].word)
            return self._not_understood(f"{verb.capitalize()} what?", objects)
        rest = _without_article(rest)
        exact = [e for e in objects if rest in e.names or rest == str(e.number)]
        matches = exact
        # A number must be complete: "player 1" must not match player 10.
        if not exact and not rest[-1].isdecimal():
            matches = [e for e in objects if any(name.startswith(rest) for name in e.names)]
        if not matches and (near := _nearest_object(rest, objects)):
            return self._did_you_mean(line, near.typed)
        return self._single_match(matches, line, objects, self._refusal(verb, rest))

    def _did_you_mean(self, line: str, better: str) -> Meant:
        return Meant("unclear", f'{_quoted(line)} is not understood. Did you mean "{better}"?')

    def _single_match(
        self, matches: list[Entry], line: str, objects: Iterable[Entry] = (), why: str = ""
    ) -> Meant:
        """Return the action if exactly one matches; else the answer to show."""
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
            return f"{_quoted(rest)} is not a {kind} that you may {verb}."
        return f"{_quoted(rest)} is not a mask in play."

    def _unknown(self, first: str, text: str, line: str) -> Meant:
        """Return the meaning of a line that begins with neither a legal verb nor a command.

        The line may name only a mask or a player, begin with a verb that is illegal now, or have a
        typing error.
        """
        named = [e for e in self.entries if e.shown and e.verb != "take"]
        alone = [e for e in named if text in e.names]
        if len(alone) == 1:
            return Meant("action", alone[0].word)
        others = [verb for verb in _VERBS if verb == first]
        others = others or [verb for verb in _VERBS if verb.startswith(first)]
        if len(others) == 1:
            return self._not_understood(self._not_now(others[0]))
        near = _nearest(first, (*self.verbs, *COMMANDS, *_VERBS))
        if near in self.verbs or near in COMMANDS:
            return self._did_you_mean(line, self._corrected(near, line))
        if object_meant := _nearest_object(text, named):
            return self._did_you_mean(line, object_meant.typed)
        if near:
            return self._not_understood(
                f'{_quoted(line)} is not understood. Did you mean "{near}"? {self._not_now(near)}'
            )
        return self._not_understood(
            f"{_quoted(line)} means nothing here; type help for a list of commands."
        )

    def _corrected(self, word: str, line: str) -> str:
        """Return a verb or command, with the object that the rest of the line most likely names."""
        if word == "save":
            return f"save {printable(line.strip().partition(' ')[2])}".strip()
        objects = self._objects(word)
        rest = _without_article(_plain(line).partition(" ")[2])
        matches = [e for e in objects if rest in e.names or rest == str(e.number)]
        near = matches[0] if matches else _nearest_object(rest, objects)
        return near.typed if near else word

    def _not_now(self, verb: str) -> str:
        view = self._view
        if view.phase == "turn" and verb in ("look", "announce"):
            opening = view.scenario.opening_turns
            if view.turn < opening:
                return (
                    f"You may not {verb} yet: in the first {opening} turns every player must take."
                )
            return (
                f"You may not {verb} now, because you had to reveal your mask in the turn before: "
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


def _nearest(word: str, words: Iterable[str]) -> str:
    """Return the most similar word; "" if none is similar enough."""
    return next(iter(difflib.get_close_matches(word, tuple(words), n=1, cutoff=_ALIKE)), "")


def _nearest_object(text: str, entries: Iterable[Entry]) -> Entry | None:
    """Return the action whose object is most similar to a text; None if none is similar enough.

    The digits must match exactly. A number is never corrected, because any other number is equally
    similar to it.
    """
    by_name = {name: entry for entry in entries for name in entry.names}
    digits = _digits(text)
    names = [n for n in by_name if _digits(n) == digits and not n.isdecimal()]
    return by_name.get(_nearest(text, names))


def _without_article(text: str) -> str:
    return re.sub(r"^(the|slot|seat|centre slot) (?=.)", "", text)


def _digits(text: str) -> str:
    return re.sub(r"\D", "", text)


def _plain(text: str) -> str:
    """Return a text in lower case, with single blanks instead of colons, hyphens and the like."""
    return re.sub(r"(?:[\s:_#]|(?<=\w)-(?=\w))+", " ", text.casefold()).strip()


def _quoted(text: str) -> str:
    plain = printable(" ".join(text.split()))
    return f'"{plain if len(plain) <= _LONGEST else plain[: _LONGEST - 3] + "..."}"'


def _alternatives(words: Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} or {last}"
