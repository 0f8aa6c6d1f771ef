"""LiteLLM's generic guardrail contract."""
