"""What a claim says of two things: who did it to whom, which has more, which came first."""
