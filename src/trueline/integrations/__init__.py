"""Trueline inside other people's tools, one file each. Each needs its own package and is imported where it is used."""
