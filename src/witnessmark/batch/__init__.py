"""Many cases: read as a stream, verified by one process or many, written in the order of the input, resumable.

`running.run` does it; the engines (`pool`, and Ray under integrations/) only decide where a chunk of rows is verified.
"""
