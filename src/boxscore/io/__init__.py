"""Formats in and out: one file each."""
