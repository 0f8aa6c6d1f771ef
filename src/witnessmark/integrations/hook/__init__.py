"""The stop hook for coding agents."""
