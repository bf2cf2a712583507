"""Slow, obvious Python that says what the right answer is.

Nothing here imports boxscore or pycocotools, so that an error in either shows as a difference. Inputs are plain lists
of dictionaries as they stand in COCO's JSON files; outputs are nested lists, arrays and numbers.
"""
