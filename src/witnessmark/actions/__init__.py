"""What really happened: snapshots and diffs of a working tree, tool traces, contained paths, claims about all of these."""
