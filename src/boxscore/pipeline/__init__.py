"""The one place that joins reading, protocols, matching, measures and runs."""
