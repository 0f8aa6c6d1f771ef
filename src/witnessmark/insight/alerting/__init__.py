"""Alerts on their way to people: looked for after what was verified, told once, delivered to the log and a webhook."""
