"""A run folder logged to a tracker: MLflow, or Weights & Biases. Each has one home module, imported when it is used."""
