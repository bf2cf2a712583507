"""Who is on screen, and when: readers of its ground truths and predictions, and their scoring as Matches."""
