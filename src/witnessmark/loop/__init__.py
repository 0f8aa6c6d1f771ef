"""Execute, verify, feed back, try again: the bounded loop and what it hands back."""
