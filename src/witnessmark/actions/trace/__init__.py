"""What tools an agent called: one reader per format, commands, test runs."""
