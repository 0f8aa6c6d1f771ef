"""Durable jobs: the queue in the store, and what works on it."""
