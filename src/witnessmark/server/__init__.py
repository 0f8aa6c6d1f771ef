"""The HTTP service: parse, call, print. No judgement here."""
