"""What reports say was run and how it went, read from sentences."""
