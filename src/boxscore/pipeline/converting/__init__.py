"""`convert --to shards`: rows of any form, a batch at a time, into parts by image."""
