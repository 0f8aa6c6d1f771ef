"""What a command prints or writes: tables, progress, reports."""
