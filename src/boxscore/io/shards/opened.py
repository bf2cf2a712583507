"""A path to a sharded data set: by its manifest, or by its Parquet files where it has none."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.io import stores
from boxscore.io.shards import layout, manifest, parquet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boxscore.io.shards.layout import Shards


def open_shards(given: str, role: str) -> Shards:
    """The shards at a folder, a pattern or an address. Raises InputError, also for what was written in part only."""
    parquet.require(given)
    if any(letter in given for letter in "*?["):
        return _foreign(given, role)
    found = manifest.read(given)
    if found is not None:
        return found
    if stores.exists(stores.joined(given, layout.UNFINISHED)):
        raise InputError(f"{given}: writing these shards was not finished; run the command that wrote them again")
    return _foreign(given, role)


def _foreign(given: str, role: str) -> Shards:
    from boxscore.io.shards import foreign

    return foreign.open_foreign(given, role)
