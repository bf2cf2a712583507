"""Slices: predicates over images and objects, and the masks that they come to."""

from __future__ import annotations
