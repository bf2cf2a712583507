"""Which sections a report has, in which order."""

from __future__ import annotations

from boxscore.report.calibration import calibration
from boxscore.report.comparison import comparison
from boxscore.report.confusion import confusion
from boxscore.report.curves import curves
from boxscore.report.explorer import explorer
from boxscore.report.failures import failures
from boxscore.report.gallery import gallery
from boxscore.report.gate import gate
from boxscore.report.headline import headline, notes
from boxscore.report.labels import labels
from boxscore.report.presence import presence
from boxscore.report.provenance import provenance
from boxscore.report.slices import slices

SECTIONS = (
    headline,
    presence,
    gate,
    comparison,
    labels,
    slices,
    curves,
    explorer,
    calibration,
    confusion,
    failures,
    gallery,
    notes,
    provenance,
)
"""Functions from contents to a section, or None where runs of this kind have none."""
