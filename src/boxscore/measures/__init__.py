"""Measures: from Matches and weights to figures. The only place where a figure is found to be undefined."""
