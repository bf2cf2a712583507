"""JSON text of plain values. Importing `json` (with `re`) takes as long as starting Python does."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    quote: Callable[[str], str]
else:
    try:
        from _json import encode_basestring_ascii as quote
    except ImportError:  # a Python without CPython's accelerator
        from json.encoder import encode_basestring_ascii as quote

_MOST = float("inf")


def to_json(value: object, depth: int = 2) -> str:
    """JSON of dicts with text keys, lists, texts, numbers, booleans and None, as `json.dumps` writes it.

    Floats are written so that reading gives the same bits, texts in ASCII. The outer `depth` levels are broken into
    lines, the inner ones stay on one. Raises ValueError for NaN and infinity, TypeError for anything else.
    """
    return _text(value, "\n", depth)


def _text(value: object, line: str, depth: int) -> str:
    plain = _PLAIN.get(type(value))
    if plain is not None:
        return plain(value)
    inner = f"{line} " if depth > 0 else line
    if isinstance(value, dict):
        items = [f"{quote(key)}: {_text(item, inner, depth - 1)}" for key, item in value.items()]
        return _between("{", items, "}", line, depth)
    if isinstance(value, (list, tuple)):
        return _between("[", [_text(item, inner, depth - 1) for item in value], "]", line, depth)
    raise TypeError(f"JSON has no form for {type(value).__name__}")


def _between(opening: str, items: list[str], closing: str, line: str, depth: int) -> str:
    if depth <= 0 or not items:
        return f"{opening}{', '.join(items)}{closing}"
    return f"{opening}{line} {f',{line} '.join(items)}{line}{closing}"


def _float(value: float) -> str:
    if not -_MOST < value < _MOST:
        raise ValueError(f"JSON has no form for {value!r}")
    return repr(value)


_PLAIN: dict[type, Callable[..., str]] = {
    type(None): lambda _: "null",
    bool: lambda value: "true" if value else "false",
    int: repr,
    float: _float,
    str: quote,
}
"""By exact type: a test for each kind in turn would take as long as all the rest."""
