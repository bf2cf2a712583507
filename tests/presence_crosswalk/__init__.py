"""The crosswalk over real HTTP, against a server on loopback that misbehaves."""
