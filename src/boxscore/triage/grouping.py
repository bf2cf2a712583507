"""Clusters of what triage found."""

from __future__ import annotations

from boxscore.triage.described import described
from boxscore.triage.features import NAMED, features_of, perceptorguard_features

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boxscore.triage.options import Options
    from boxscore.triage.results import Triage


def add_clusters(found: Triage, options: Options) -> None:
    """Cluster the failures and say what sets each cluster apart. Raises InputError, see `cluster`."""
    from boxscore.triage.clusters import Clustering, cluster, plain_kmeans

    failures = found.failures
    if options.features == NAMED:
        k = options.k or 5
        clustering = Clustering(plain_kmeans(perceptorguard_features(failures), k, options.seed), k, chosen=False)
        clustering.word = "not judged"
        clustering.reason = f"the features of {NAMED}, names as ranks: for comparison with that harness alone"
        features = features_of(failures)
    else:
        features = features_of(failures)
        clustering = cluster(features, failures.height, k=options.k, seed=options.seed)
    found.clustering = clustering
    found.clusters = described(clustering.labels, failures, features) if failures.height else []
