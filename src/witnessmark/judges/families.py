"""Which family a model belongs to, and how independent a judge is of whoever made the work.

A family is a line of models of one maker. Names are matched as whole words at their start, never as a substring
anywhere; a name nobody wrote down belongs to no family. Knows nothing about endpoints or prices.
"""

from __future__ import annotations

import functools
import re

from witnessmark.core.verdict import Independence

PATTERNS: dict[str, str] = {
    "openai": r"gpt-?(?:[3-9]|oss)|chatgpt|o[1345](?:-|$)|davinci|text-davinci|codex-",
    "anthropic": r"claude(?:-|$)",
    "google": r"gemini|gemma|palm-?2?(?:-|$)|bison|codegemma|learnlm",
    "meta": r"llama|codellama|meta-llama|llama-guard",
    "mistral": r"mistral|mixtral|codestral|ministral|magistral|devstral|pixtral|open-mi[sx]tral",
    "qwen": r"qwen|qwq(?:-|$)|qvq(?:-|$)",
    "deepseek": r"deepseek",
    "xai": r"grok(?:-|$)",
    "cohere": r"command(?:-|$)|c4ai|aya(?:-|$)",
    "microsoft": r"phi-?[1-9]|mai-|wizardlm",
    "amazon": r"nova-|titan-",
    "ibm": r"granite",
    "nvidia": r"nemotron",
    "zhipu": r"glm-?[0-9]|chatglm",
    "moonshot": r"kimi|moonshot-",
    "minimax": r"minimax|abab",
    "01ai": r"yi-",
    "ai21": r"jamba|j2-",
    "allenai": r"olmo|tulu",
    "huggingface": r"smollm|zephyr-",
    "baidu": r"ernie",
    "tencent": r"hunyuan",
    "prometheus": r"prometheus-",
}
"""How the names of a family begin. A model made from another's weights belongs to the line it was made from."""
_COMPILED = {family: re.compile(f"(?:{pattern})") for family, pattern in PATTERNS.items()}
_DERIVED = re.compile(r"(?:distill?-?|-)(llama|qwen|mistral|gemma)(?![a-z])")
_RELAYS = re.compile(
    r"^(?:(?:ft|openai|anthropic|google|azure|azureopenai|bedrock|vertex|groq|mistral|ollama|together|fireworks|openrouter|replicate"
    r"|huggingface|litellm|xai|deepseek|cohere|cerebras|alibaba|localai|vllm|portkey|github|togetherai|perplexity):(?!latest$|\d))"
    r"(?:(?:chat|completions?|messages|responses|text|text-generation|converse|live|realtime):)?(?:ft:)?"
)
"""Who relays a model, and by which of its doors: `openai:chat:gpt-4o`. `mistral:7b` is a model with its tag."""
_REGIONS = re.compile(r"^(?:us|eu|apac|global)\.")
_MAKERS = re.compile(r"^(?:anthropic|amazon|meta|mistral|cohere|ai21|deepseek|openai|qwen|google)\.(?=[a-z])")


@functools.lru_cache(maxsize=1024)
def family_of(model: str | None) -> str | None:
    """The family of a model by its name, whoever relays it; None where the registry cannot place it."""
    if not model:
        return None
    name = _bare(model)
    found = [family for family, pattern in _COMPILED.items() if pattern.match(name)]
    derived = _DERIVED.search(name)
    if derived and found and len(found) == 1:
        line = [family for family, pattern in _COMPILED.items() if pattern.match(derived.group(1))]
        return line[0]
    return found[0] if len(found) == 1 else None


def _bare(model: str) -> str:
    """The model's own name: without relay, region and maker before it, and without the tag after it."""
    name = _RELAYS.sub("", model.strip().lower().rpartition("/")[2]).partition(":")[0]
    return _MAKERS.sub("", _REGIONS.sub("", name))


def same_model(one: str, other: str) -> bool:
    """Whether two names mean the same model: dated releases and relays do not make it another."""
    return _undated(one) == _undated(other)


@functools.lru_cache(maxsize=1024)
def _undated(model: str) -> str:
    return re.sub(r"[-@](?:\d{4}-\d{2}-\d{2}|\d{8}|\d{4}|latest)$", "", _bare(model))


@functools.lru_cache(maxsize=1024)
def independence(judge_model: str, judge_family: str, executor_model: str | None) -> Independence:
    """How far the judge stands from the executor.

    unknown: nobody said who made the work, or one of the two families cannot be told. prompt: the same model, under our prompt.
    model: another model of the same family. family: another family.
    """
    if not executor_model:
        return "unknown"
    if same_model(judge_model, executor_model):
        return "prompt"
    family = family_of(executor_model)
    if family is None or not judge_family:
        return "unknown"
    return "model" if family == judge_family else "family"


def is_own_family(judge_model: str, judge_family: str, executor_model: str | None) -> bool:
    """Whether judge and executor are known to be of one family; what cannot be placed is unknown, which is neither."""
    return independence(judge_model, judge_family, executor_model) in ("prompt", "model")
