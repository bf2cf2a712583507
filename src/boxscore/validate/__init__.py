"""The operating-point record: a model held to labelled pictures, in a form that someone with the data can check."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boxscore.validate.asked import Asked
    from boxscore.validate.splitting import split
    from boxscore.validate.validating import Validation, validate
    from boxscore.validate.verifying import verify

__all__ = ["Asked", "Validation", "split", "validate", "verify"]

_HOMES = {
    "Asked": "asked",
    "Validation": "validating",
    "split": "splitting",
    "validate": "validating",
    "verify": "verifying",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'boxscore.validate' has no attribute {name!r}")
    return getattr(__import__(f"boxscore.validate.{_HOMES[name]}", fromlist=[name]), name)
