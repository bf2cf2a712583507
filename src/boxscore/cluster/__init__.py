"""Work on a Ray cluster: the same figures as in one process, from wherever the data are.

`ray` has its one home here, and needs `pip install 'boxscore[ray]'`. See docs/clusters.md.
"""
