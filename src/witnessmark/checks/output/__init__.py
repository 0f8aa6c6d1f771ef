"""An agent's output: its form and its content."""
