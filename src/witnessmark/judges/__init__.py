"""Judges: one back end per file, each with one method, `ask`. Vendor errors are mapped to ours at their border."""
