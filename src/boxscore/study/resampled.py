"""Policies as a study asks for them: remedies name the fields of its file."""

from __future__ import annotations

from boxscore.model.reading import Reading
from boxscore.pipeline.resampling import Resampling


class StudyResampling(Resampling):
    """Resampling whose remedies read `resampling: {unit: image}`."""

    __slots__ = ()

    def option(self, field: str, choice: str) -> str:
        """`resampling: {unit: image}`."""
        return f"`resampling: {{{field}: {choice}}}`"


class StudyReading(Reading):
    """Reading whose remedies read `data.reading: {unknown_images: drop}`."""

    __slots__ = ()

    def option(self, field: str, choice: str) -> str:
        """`data.reading: {unknown_images: drop}`."""
        return f"`data.reading: {{{field}: {choice}}}`"
