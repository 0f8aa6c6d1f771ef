"""promptfoo: a configuration with its tests and assertions, or a file of results, which has the outputs in it.

A case is made for each prompt and each test (and each combination of a test's variables). The verdict that promptfoo came
to is not taken over; what it asked for is asked again.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from witnessmark.core import thresholds
from witnessmark.core.aliases import with_ids
from witnessmark.core.errors import InputError
from witnessmark.importers import templates
from witnessmark.importers.import_result import (
    GROUNDED,
    KEY,
    ImportBuilder,
    ImportResult,
    NoEquivalentError,
    many,
    mapping,
)
from witnessmark.importers.promptfoo_asserts import AssertedCriteria, take

MOST_CASES = 100_000
TEST_KEYS = frozenset({"vars", "assert", "description", "threshold", "providerOutput", "metadata"})
CONFIG_KEYS = frozenset(
    {
        "prompts",
        "providers",
        "tests",
        "defaultTest",
        "description",
        "assertionTemplates",
        "outputPath",
        "$schema",
        "targets",
    }
)
NOT_TAKEN = "not imported"
Test = Mapping[str, Any]


def read(data: Any, outputs: Any = None) -> ImportResult:
    """Cases of a configuration, with the outputs of a result file where one is given; or of a result file alone."""
    done = ImportBuilder()
    results = _results(outputs if outputs is not None else data)
    if outputs is not None and results is None:
        raise InputError("--outputs: is not a result file of promptfoo; `promptfoo eval -o results.json` writes one")
    config = None if outputs is None and results is not None else _config(data)
    if results is not None:
        _from_results(done, results, config)
    else:
        assert config is not None
        _from_config(done, config)
    return done.done()


def _config(data: Any) -> Mapping[str, Any]:
    if not isinstance(data, Mapping) or not {"tests", "prompts"} & data.keys():
        raise InputError("is not a promptfoo configuration: neither tests nor prompts are in it")
    return data


def _results(data: Any) -> list[Any] | None:
    """The rows of a result file, of whichever version."""
    found: Any = data
    for _ in range(2):
        found = found.get("results") if isinstance(found, Mapping) else found
    return found if isinstance(found, list) else None


# --- a configuration -------------------------------------------------------------------------------------------------


def _from_config(done: ImportBuilder, config: Mapping[str, Any]) -> None:
    for key in sorted(set(config) - CONFIG_KEYS):
        done.left_out.add(key, key, NOT_TAKEN)
    prompts = list(_prompts(done, config.get("prompts")))
    count = 0
    for number, test in _tests(done, config):
        for values in _combined(test.get("vars")):
            for prompt in prompts or [""]:
                count += 1
                if count > MOST_CASES:
                    raise InputError(f"tests: more than {MOST_CASES:,} cases once prompts and variables are combined")
                _case(done, f"tests[{number}]", test, values, _filled(prompt, values), test.get("providerOutput"))


def _prompts(done: ImportBuilder, prompts: Any) -> Iterator[str]:
    for number, prompt in enumerate(prompts if isinstance(prompts, list) else [prompts] if prompts else []):
        text = prompt.get("raw", prompt.get("prompt")) if isinstance(prompt, Mapping) else prompt
        if not isinstance(text, str) or text.startswith(("file://", "package:")):
            done.left_out.add(
                f"prompts[{number}]", "a prompt in a file", "files are not opened; the goal is left empty"
            )
            text = ""
        yield text


def _tests(done: ImportBuilder, config: Mapping[str, Any]) -> Iterator[tuple[int, Test]]:
    """Every test with the defaults under it."""
    tests, default = config.get("tests"), config.get("defaultTest")
    if isinstance(default, str):
        done.left_out.add("defaultTest", "defaultTest in a file", "files are not opened; put it into the configuration")
    common: Test = default if isinstance(default, Mapping) else {}
    for number, test in enumerate(tests if isinstance(tests, list) else [tests] if tests else []):
        if not isinstance(test, Mapping):
            done.left_out.add(f"tests[{number}]", "tests in a file", "files are not opened; import that file by itself")
            continue
        for key in sorted((set(test) | set(common)) - TEST_KEYS - {"options"}):
            done.left_out.add(f"tests[{number}]", key, NOT_TAKEN)
        if isinstance(test.get("vars"), str):
            done.left_out.add(f"tests[{number}]", "vars in a file", "files are not opened; put them into the test")
            test = {key: value for key, value in test.items() if key != "vars"}  # noqa: PLW2901
        yield number, _merged(common, test, config.get("assertionTemplates"))


def _merged(common: Test, test: Test, named: Any) -> Test:
    shared = named if isinstance(named, Mapping) else {}
    both = (("defaultTest.assert", common), ("assert", test))
    asserted = [
        (f"{place}[{number}]", _referred(one, shared))
        for place, part in both
        for number, one in enumerate(many(part.get("assert"), "assert"))
    ]
    values = mapping(common.get("vars"), "defaultTest.vars") | mapping(test.get("vars"), "vars")
    options = mapping(common.get("options"), "defaultTest.options") | mapping(test.get("options"), "options")
    return dict(common) | dict(test) | {"assert": asserted, "vars": values, "options": options}


def _referred(one: Any, named: Mapping[str, Any]) -> Any:
    name = one.get("$ref", "") if isinstance(one, Mapping) else ""
    return named.get(str(name).rpartition("/")[2], one) if name else one


def _combined(values: Any) -> Iterator[dict[str, Any]]:
    """One mapping for each combination of the variables that are lists."""
    given = dict(values) if isinstance(values, Mapping) else {}
    several = {key: value for key, value in given.items() if isinstance(value, list)}
    for chosen in itertools.product(*several.values()):
        yield given | dict(zip(several, chosen, strict=True))


def _filled(prompt: str, values: Mapping[str, Any]) -> str:
    try:
        return templates.fill(prompt, values)
    except InputError:
        return prompt


# --- results ---------------------------------------------------------------------------------------------------------


def _from_results(done: ImportBuilder, results: Sequence[Any], config: Mapping[str, Any] | None) -> None:
    """A case for each row; where a configuration is given, what it asserts now holds, not what was asserted then."""
    now = _numbered(done, config) if config is not None else []
    for number, row in enumerate(results):
        where = f"results[{number}]"
        if not isinstance(row, Mapping):
            done.left_out.add(where, "a row", f"should be an object, not {type(row).__name__}")
            continue
        given = row.get("testCase")
        then: Test = given if isinstance(given, Mapping) else {}
        for key in sorted(key for key in set(then) - TEST_KEYS - {"options"} if then[key]) if config is None else ():
            done.left_out.add(where, key, NOT_TAKEN)
        values: Mapping[str, Any] = row["vars"] if isinstance(row.get("vars"), Mapping) else {}
        test = _of_now(now, row.get("testIdx"), values) if config is not None else _merged({}, then, None)
        if test is None:
            done.left_out.add(where, "a row", "the configuration has no such test: its number or its variables differ")
            continue
        prompt, response = row.get("prompt"), row.get("response")
        goal = prompt.get("raw", "") if isinstance(prompt, Mapping) else prompt or ""
        output = response.get("output") if isinstance(response, Mapping) else row.get("output")
        _case(done, where, test, values, str(goal), output, _executor(row))


def _numbered(done: ImportBuilder, config: Mapping[str, Any]) -> list[tuple[Test, dict[str, Any]]]:
    """The tests as results number them: one for each combination of variables."""
    expanded = ((test, values) for _, test in _tests(done, config) for values in _combined(test.get("vars")))
    return list(itertools.islice(expanded, MOST_CASES))


def _of_now(now: Sequence[tuple[Test, dict[str, Any]]], number: Any, values: Mapping[str, Any]) -> Test | None:
    """The test of this number, where its plain variables are those of the result."""
    if not isinstance(number, int) or not 0 <= number < len(now):
        return None
    test, expected = now[number]
    plain = {key: value for key, value in expected.items() if "{{" not in str(value) and "://" not in str(value)}
    return test if all(values.get(key) == value for key, value in plain.items()) else None


def _executor(row: Mapping[str, Any]) -> dict[str, Any] | None:
    provider = row.get("provider")
    name = provider.get("id") if isinstance(provider, Mapping) else provider
    cost = row.get("cost")
    made = {"id": name, "model": name} if isinstance(name, str) and name else {}
    usable = isinstance(cost, (int, float)) and not isinstance(cost, bool) and cost >= 0
    return (made | ({"cost_usd": float(cost)} if usable else {})) or None  # type: ignore[arg-type]


# --- one case --------------------------------------------------------------------------------------------------------


def _case(
    done: ImportBuilder,
    where: str,
    test: Test,
    values: Mapping[str, Any],
    goal: str,
    output: Any,
    executor: Mapping[str, Any] | None = None,
) -> None:
    taken = AssertedCriteria()
    if isinstance(test.get("options"), Mapping) and test["options"].get("transform"):
        done.left_out.add(where, "options.transform", "changes outputs by code; what it gives is not verified")
    for place, one in test["assert"]:
        _assert(done, f"{where}.{place}", one, values, taken)
    for what, why in taken.near:
        done.near.add(where, what, why)
    held = values.get("context")
    sources = [t for t in (held if isinstance(held, list) else [held]) if isinstance(t, str) and t]
    if taken.grounded and not sources:
        done.left_out.add(where, "context-faithfulness", "there is no variable `context` to check the output against")
    kind = "answer" if taken.grounded and sources else "task_output"
    policy = (GROUNDED if kind == "answer" else {}) | _threshold(test, taken)
    context: dict[str, Any] = {"policy": policy} if policy else {}
    kept = {"description": test["description"]} if isinstance(test.get("description"), str) else {}
    body = {
        "goal": goal,
        "subject": {"kind": kind, "text": done.output(where, output)},
        "evidence": with_ids(sources, "c"),
        "criteria": taken.criteria,
        "context": context | ({KEY: kept} if kept else {}),
    }
    done.add(where, body | ({"executor": dict(executor)} if executor else {}))


def _assert(done: ImportBuilder, where: str, one: Any, values: Mapping[str, Any], taken: AssertedCriteria) -> None:
    if not isinstance(one, Mapping):
        done.left_out.add(where, "an assertion", "should be an object with a type")
        return
    if one.get("type") == "assert-set":
        if one.get("threshold") not in (None, 1):
            done.near.add(where, "assert-set threshold", "every assertion of the set must hold here")
        for number, inner in enumerate(many(one.get("assert"), "assert")):
            _assert(done, f"{where}.assert[{number}]", inner, values, taken)
        return
    try:
        take(one, values, taken)
    except NoEquivalentError as exc:
        done.left_out.add(where, str(one.get("type")), str(exc))


def _threshold(test: Test, taken: AssertedCriteria) -> dict[str, Any]:
    """A test's threshold: the weighted share of assertions that must hold, so that none of them must by itself."""
    threshold = test.get("threshold")
    if isinstance(threshold, bool) or not isinstance(threshold, (int, float)) or not 0 < threshold <= 1:
        return {}
    for criterion in taken.criteria:
        criterion["must_pass"] = False
    return {"pass_threshold": threshold, "retry_threshold": min(thresholds.threshold("retry_threshold"), threshold)}
