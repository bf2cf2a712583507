"""A reader for plain command lines, so that the usual ones needn't wait for argparse.

Importing argparse (with `re` and `gettext`) takes as long as starting Python does. Commands describe their arguments
to argparse's interface; this reader takes the same description, reads command lines that hold nothing but known
options, their values and positional arguments, and gives up on everything else: help, errors, abbreviations. Argparse
then reads the line afresh, and it alone speaks to the user.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable
    from typing import Any, TypeAlias

    Parser: TypeAlias = "argparse.ArgumentParser | QuickParser"

_KNOWN = {"action", "choices", "default", "dest", "help", "metavar", "nargs", "type"}
_ACTIONS = ("store", "store_true", "append")


class GiveUp(Exception):  # noqa: N818  no error: the line is read in another way
    """The command line is for argparse to read."""


class Chosen:
    """The values of the arguments, as attributes."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.__dict__.update(values)


class QuickParser:
    """Takes `add_argument` and `add_argument_group` calls; `parse_args` raises GiveUp unless all is plain."""

    def __init__(self) -> None:
        self._options: dict[str, dict[str, Any]] = {}
        self._positional: list[dict[str, Any]] = []

    def add_argument_group(self, *_: object, **__: object) -> QuickParser:
        """Groups matter to help texts alone."""
        return self

    def add_argument(self, *flags: str, **settings: Any) -> None:  # noqa: ANN401  argparse's interface
        """Note an argument."""
        action = settings.get("action", "store")
        if not _KNOWN.issuperset(settings) or action not in _ACTIONS or settings.get("nargs") not in (None, "?"):
            raise GiveUp
        name = settings.get("dest") or flags[0].lstrip("-").replace("-", "_")
        default = settings.get("default", False if action == "store_true" else None)
        argument = settings | {"name": name, "action": action, "default": default}
        if flags[0].startswith("-"):
            self._options.update(dict.fromkeys(flags, argument))
        else:
            self._positional.append(argument)

    def parse_args(self, words: list[str]) -> Chosen:
        """Read a command line; GiveUp where it isn't plain."""
        every = [*self._options.values(), *self._positional]
        values = {argument["name"]: _converted(argument, argument["default"]) for argument in every}
        rest = list(reversed(words))
        placed: list[str] = []
        while rest:
            word = rest.pop()
            if word.startswith("-"):
                self._take(word, rest, values)
            else:
                placed.append(word)
        least = sum(argument.get("nargs") is None for argument in self._positional)
        if not least <= len(placed) <= len(self._positional):
            raise GiveUp
        for argument, word in zip(self._positional, placed, strict=False):
            values[argument["name"]] = _converted(argument, word)
        return Chosen(values)

    def _take(self, word: str, rest: list[str], values: dict[str, Any]) -> None:
        flag, equals, value = word.partition("=")
        argument = self._options.get(flag)
        if argument is None:
            raise GiveUp
        name = argument["name"]
        if argument["action"] == "store_true":
            if equals:
                raise GiveUp
            values[name] = True
            return
        if not equals:
            if not rest or rest[-1].startswith("-"):
                raise GiveUp
            value = rest.pop()
        found = _converted(argument, value)
        values[name] = [*(values[name] or []), found] if argument["action"] == "append" else found


def _converted(argument: dict[str, Any], value: Any) -> Any:  # noqa: ANN401  whatever the argument's type makes
    if not isinstance(value, str):
        return value
    convert: Callable[[str], Any] | None = argument.get("type")
    try:
        found = value if convert is None else convert(value)
    except (TypeError, ValueError):
        raise GiveUp from None
    if argument.get("choices") is not None and found not in argument["choices"]:
        raise GiveUp
    return found
