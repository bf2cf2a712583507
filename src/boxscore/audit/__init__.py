"""What may be wrong with the input of an evaluation: readings that fit better, and counted findings."""
