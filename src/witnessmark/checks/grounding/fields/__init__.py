"""What a claim says of rows, fields and named things, held pair by pair."""
