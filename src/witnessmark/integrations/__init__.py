"""Witnessmark inside other people's tools. Each module needs its own extra and is imported only where it is used."""
