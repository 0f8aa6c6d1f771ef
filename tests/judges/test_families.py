"""Families and independence."""

from __future__ import annotations

import pytest

from witnessmark.judges.families import family_of, independence, is_own_family, same_model


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("gpt-4o-mini", "openai"),
        ("o1-preview", "openai"),
        ("o3", "openai"),
        ("openai/gpt-4.1", "openai"),
        ("ft:gpt-4o-mini-2024-07-18:acme::abc", "openai"),
        ("openai:gpt-4o", "openai"),
        ("openai:chat:gpt-4o", "openai"),
        ("anthropic:messages:claude-3-5-sonnet", "anthropic"),
        ("openrouter:meta-llama/llama-3", "meta"),
        ("xai:grok-2", "xai"),
        ("ollama:mistral:7b", "mistral"),
        ("mistral:latest", "mistral"),
        ("llama3.1:8b", "meta"),
        ("qwen2.5:latest", "qwen"),
        ("claude-sonnet-4-20250514", "anthropic"),
        ("us.anthropic.claude-3-5-haiku-20241022-v1:0", "anthropic"),
        ("anthropic/claude-3.5-sonnet", "anthropic"),
        ("gemini-2.5-flash", "google"),
        ("google/gemma-3-27b-it", "google"),
        ("meta-llama/Llama-3.3-70B-Instruct", "meta"),
        ("mistralai/Mixtral-8x7B", "mistral"),
        ("Qwen/Qwen2.5-Coder-1.5B-Instruct", "qwen"),
        ("deepseek-chat", "deepseek"),
        ("deepseek-ai/DeepSeek-R1-Distill-Llama-70B", "meta"),
        ("DeepSeek-R1-Distill-Qwen-7B", "qwen"),
        ("grok-4", "xai"),
        ("command-r-plus", "cohere"),
        ("phi-4", "microsoft"),
        ("SmolLM2-135M", "huggingface"),
        ("my-deployment", None),
        ("", None),
        (None, None),
    ],
)
def test_models_are_placed_by_the_beginning_of_their_names(model, family):
    assert family_of(model) == family


@pytest.mark.parametrize("model", ["metaphor-7b", "solo1", "proto1-large", "claudette", "mega-o1", "nova", "commander"])
def test_seed2_weakness_09_a_family_is_never_found_by_a_substring(model):
    """Seed 2 looked for "o1" and "meta" anywhere in the name, and fell back to a fixed judge for what it did not know."""
    assert family_of(model) is None


def test_levels_of_independence():
    assert independence("gpt-4o-mini", "openai", "claude-sonnet-4") == "family"
    assert independence("gpt-4o-mini", "openai", "gpt-4o") == "model"
    assert independence("gpt-4o-mini", "openai", "openai/gpt-4o-mini-2024-07-18") == "prompt"  # req: S2-037
    assert independence("gpt-4o-mini", "openai", "our-own-model") == "unknown"
    assert independence("our-own-judge", "", "gpt-4o") == "unknown"
    assert independence("our-own-model", "", "our-own-model") == "prompt"
    assert independence("gpt-4o-mini", "openai", None) == "unknown"


def test_what_cannot_be_placed_is_unknown_and_only_the_same_model_is_its_own():
    assert is_own_family("gpt-4o-mini", "openai", "gpt-4o")
    assert is_own_family("ours", "", "ours")
    assert not is_own_family("gpt-4o-mini", "openai", "our-own-model")
    assert not is_own_family("ours", "", "gpt-4o")
    assert not is_own_family("gpt-4o-mini", "openai", None)
    assert not is_own_family("gpt-4o-mini", "openai", "claude-opus-4")


def test_dates_and_relays_do_not_make_another_model():
    assert same_model("gpt-4o-mini", "openai/gpt-4o-mini-2024-07-18")
    assert same_model("claude-3-5-sonnet-latest", "anthropic/claude-3-5-sonnet-20241022")
    assert not same_model("gpt-4o", "gpt-4o-mini")
