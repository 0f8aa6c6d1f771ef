"""A working tree: contained paths, snapshots, differences, git."""
