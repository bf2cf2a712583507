"""Data sets and predictions in many Parquet files, a range of images each. The one home of pyarrow."""
