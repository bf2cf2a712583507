"""Run a detector as its card says: pictures prepared as in training, boxes back in original pixels."""
