"""Which questions are asked again, how often, and after how long."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boxscore.presence.crosswalk.asking import TryAgainError

if TYPE_CHECKING:
    from collections.abc import Callable

    from tenacity import AsyncRetrying, RetryCallState

    from boxscore.presence.crosswalk.options import Asking

_LONGEST_BACK_OFF = 30.0


def retrying(how: Asking, before_wait: Callable[[str, float], None]) -> AsyncRetrying:
    """Calls a coroutine function until it answers, fails for good, or has been tried often enough; then its last error
    is raised. `before_wait` is called with the reason and the seconds before each wait.

    The waits double; none is shorter than what the server asked for. There is no jitter: one client asks, one question
    at a time.
    """
    import tenacity

    doubling = tenacity.wait_exponential(multiplier=how.back_off, max=max(_LONGEST_BACK_OFF, how.back_off))

    def wait(state: RetryCallState) -> float:
        error = _error(state)
        return max(doubling(state), error.wait or 0.0) if isinstance(error, TryAgainError) else 0.0

    def tell(state: RetryCallState) -> None:
        before_wait(str(_error(state)), state.upcoming_sleep)

    return tenacity.AsyncRetrying(
        stop=tenacity.stop_after_attempt(how.retries + 1),
        wait=wait,
        retry=tenacity.retry_if_exception(
            lambda error: isinstance(error, TryAgainError) and not is_too_long(error, how)
        ),
        before_sleep=tell,
        reraise=True,
    )


def is_too_long(error: Exception, how: Asking) -> bool:
    """Whether the server asks to be left alone for longer than this client waits."""
    return isinstance(error, TryAgainError) and error.wait is not None and error.wait > how.longest_wait


def _error(state: RetryCallState) -> BaseException | None:
    return None if state.outcome is None else state.outcome.exception()
