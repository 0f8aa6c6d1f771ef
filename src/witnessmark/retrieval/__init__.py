"""Finding more evidence and putting a response right: retrievers, generators, and the loop that uses both.

Knows nothing about how a response is verified; that is handed in.
"""
