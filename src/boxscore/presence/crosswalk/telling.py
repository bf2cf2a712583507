"""Telling how a run goes on. Apart from the run, whose asyncio takes a while to load."""


class Told:
    """Who is told how a run goes on; this one does nothing with it."""

    def done(self, count: int, total: int) -> None:
        """So many of the new ids are done: answered, or given up."""

    def waiting(self, person: int, reason: str, seconds: float) -> None:
        """A person is asked for again after so many seconds."""
