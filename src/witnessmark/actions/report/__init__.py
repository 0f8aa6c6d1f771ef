"""An agent's report in plain words, read into claims."""
