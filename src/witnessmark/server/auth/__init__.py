"""Who is asking: API keys, sessions, the login page."""
