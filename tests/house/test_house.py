"""The house stands as drawn: arrows go down, names are sorted and documented, importing costs little and does nothing."""

from __future__ import annotations

import ast
import doctest
import functools
import importlib
import inspect
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

import witnessmark

PACKAGE = Path(witnessmark.__file__).parent
FLOORS = {
    0: ["core", "_version"],
    1: ["text", "judges"],
    2: ["checks", "actions", "retrieval", "loop", "checkpoints", "stores", "insight"],
    3: ["verifier", "settings", "config"],
    4: ["__main__", "cli", "server", "integrations", "batch", "compat", "importers", "testing"],
}
FLOOR_OF = {name: floor for floor, names in FLOORS.items() for name in names}
ROOMS = set(FLOORS[2])
ROOF = FLOORS[4]
"""Each takes only what stands after it, so that no command, route or adapter needs the one who calls it."""


@functools.cache
def modules():
    """Every module of the package with its room and its tree, read once for all that is asked of them."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        found.append((path, parts[0] if parts[0] != "__init__" else "", ast.parse(path.read_text(encoding="utf-8"))))
    return found


@functools.cache
def nodes(tree):
    """Everything in a tree, walked once."""
    return list(ast.walk(tree))


GROUPS = {f"witnessmark.{kind}" for kind in ("checks", "checkpoints", "judges", "stores")}
"""Groups of entry points, which bear the names of rooms."""


def imports(tree):
    """The rooms that a module takes: by an import, or by a string that names a module for an import or holds one."""
    for literal in _spoken(tree):
        whole = re.fullmatch(r"witnessmark(?:\.\w+)+", literal.value) and literal.value not in GROUPS
        if whole or "import " in literal.value:
            named = re.findall(r"\bwitnessmark\.(\w+)", literal.value)
            yield from (name for name in named if name in FLOOR_OF)
    for node in nodes(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "witnessmark":
            parts = node.module.split(".")
            yield from ([parts[1]] if len(parts) > 1 else [alias.name for alias in node.names])
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("witnessmark."):
                    yield alias.name.split(".")[1]


def test_every_module_has_a_floor():
    unplaced = {top for _, top, _ in modules() if top and top not in FLOOR_OF}
    assert unplaced == set()


def test_the_picture_in_contributing_shows_the_same_floors(root):
    text = (root / "CONTRIBUTING.md").read_text(encoding="utf-8")
    drawn, floor = {}, None
    for line in text.partition("    ROOF")[2].partition("\n\n")[0].splitlines():
        level = re.match(r"    (?:FLOOR (\d)|(GROUND))", line)
        floor = 4 if floor is None else int(level[1] or 0) if level else floor
        drawn |= dict.fromkeys(re.findall(r"\b([a-z_]+)(?:\.py|/)", line), floor)
    assert drawn == {name: floor for name, floor in FLOOR_OF.items() if not name.startswith("_")}
    assert [name for name, floor in drawn.items() if floor == 4] == ROOF[1:]  # from left to right, as it may import


def test_imports_go_down_and_rooms_do_not_know_each_other():
    upward, across = [], []
    for path, top, tree in modules():
        for target in imports(tree):
            if top not in FLOOR_OF or target not in FLOOR_OF:
                continue
            on_roof = top in ROOF and target in ROOF
            if FLOOR_OF[target] > FLOOR_OF[top] or (on_roof and ROOF.index(target) < ROOF.index(top)):
                upward.append(f"{path.name}: {top} takes {target}")
            if top in ROOMS and target in ROOMS and top != target:
                across.append(f"{path.name}: {top} takes {target}")
    assert (upward, across) == ([], [])


def test_no_module_takes_itself_by_way_of_others():
    """Imports inside functions count too: what needs each other is one module, whenever it is loaded."""
    from graphlib import TopologicalSorter

    names = {
        ".".join(("witnessmark", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__"): tree
        for path, _, tree in modules()
    }
    takes = {name: _taken(tree, names) - {name} for name, tree in names.items()}
    list(TopologicalSorter(takes).static_order())  # a cycle raises, and its error names the modules
    assert takes["witnessmark.server.state"] >= {"witnessmark.server.writer", "witnessmark.verifier"}


def test_the_folders_of_actions_take_each_other_one_way():
    """What was done (trace, tree), what is told (report, content, session_claims), and the one held against the other (claims)."""
    order = ("claim", "trace", "tree", "rerun", "report", "content", "session_claims", "claims")
    upward = []
    for path, _, tree in modules():
        place = path.relative_to(PACKAGE).with_suffix("").parts
        taken = [node.module.split(".") for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
        others = [name[2] for name in taken if name[:2] == ["witnessmark", "actions"] and len(name) > 2]
        if place[0] == "actions" and place[1] in order:
            upward += [
                f"{'/'.join(place)} takes {other}"
                for other in others
                if other not in order or order.index(other) > order.index(place[1])
            ]
    assert upward == []


FOR_OTHERS = {
    "compat.goal_log": "S1-025 to S1-034: the table of somebody else's database",
    "compat.older_scores": "S2-001 to S2-005: a map for programs that keep older scores",
    "integrations.llama_index": "LlamaIndex' own runner calls it",
    "testing.injections": "attacks to try on one's own judge",
}
"""Modules that only other people's programs import, and why they are ours; a word in the docs alone keeps none."""


def test_every_module_is_reachable_from_an_entry_point(root):
    """Console script, its commands, pytest plugin, `python -m`, public names, formats of `import`, back ends of judges, what
    examples in the docs import and the page of the API shows; from there on by imports, and by names handed to an import.
    """
    import witnessmark.verifier  # noqa: F401 - says where what is built in is found
    from witnessmark.cli.app import COMMANDS
    from witnessmark.core import registry
    from witnessmark.importers import FORMATS

    names = {
        ".".join(("witnessmark", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__"): tree
        for path, _, tree in modules()
    }
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    points = [*project["scripts"].values(), *(v for group in project["entry-points"].values() for v in group.values())]
    pages = [page for page in (root / "docs").glob("*.md") if page.name != "requirements.md"]
    documented = "\n".join(page.read_text(encoding="utf-8") for page in [*pages, root / "README.md"])
    examples = [ast.parse(block) for block in re.findall(r"```python\n(.*?)```", documented, re.DOTALL)]
    start = {point.partition(":")[0] for point in points} | {"witnessmark", "witnessmark.__main__"}
    start |= {type(one).__module__ if not hasattr(one, "__module__") else one.__module__ for one in _public()}
    start |= {f"witnessmark.importers.{name.replace('-', '_')}" for name in FORMATS}
    start |= {f"witnessmark.cli.{place.partition(':')[0]}" for place in COMMANDS.values()}
    start |= {made.make.__module__ for made in registry.judge_backends.all().values()}
    # A store is found by its scheme, which is its module's name, a check by being in the folder of a family.
    start |= {
        ".".join(("witnessmark", *path.relative_to(PACKAGE).with_suffix("").parts))
        for room, mark in (("stores", "@store("), ("checks", "@check("))
        for path in (PACKAGE / room).rglob("*.py")
        if mark in path.read_text(encoding="utf-8")
    }
    start |= _named(re.findall(r"^::: ([\w.]+)", documented, re.MULTILINE), names)
    alone = {f"witnessmark.{name}" for name in FOR_OTHERS}
    seen = _all_reached(start.union(*(_reached(tree, names) for tree in examples)), names)
    assert sorted(alone & seen) == [], "reached by now: no exception is needed"
    assert sorted(set(names) - _all_reached(seen | alone, names)) == []


def _all_reached(start, names):
    seen, todo = set(), [name for name in start if name in names]
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += _reached(names[name], names)
    return seen


def test_a_check_in_a_file_of_its_own_is_named_nowhere_else(tmp_path, monkeypatch):
    """A module in the folder of a family is all there is to add: one source file, and the check verifies a case."""
    from witnessmark.checks import builtin, plain
    from witnessmark.core import registry

    (tmp_path / "test_shouts.py").write_text(
        "from witnessmark.core.registry import check\n"
        "from witnessmark.core.verdict import Result\n"
        "@check('test_shouts', cost='instant', version='1')\n"
        "def shouts():\n"
        "    return lambda case, prior: Result(status='pass' if case.text.isupper() else 'fail')\n"
    )
    monkeypatch.setattr(plain, "__path__", [*plain.__path__, str(tmp_path)])
    builtin.load()
    try:
        case = {"subject": {"kind": "task_output", "text": "DONE"}, "criteria": [{"check": "test_shouts"}]}
        record = witnessmark.Verifier().verify_sync(witnessmark.Case.from_dict(case))
        assert [said.status for said in record.results if said.check == "test_shouts"] == ["pass"]
    finally:
        registry.checks.remove("test_shouts")
        sys.modules.pop("witnessmark.checks.plain.test_shouts")


def _public():
    return [getattr(witnessmark, name) for name in witnessmark.__all__]


def _named(said, names):
    """The modules, with their packages, that dotted names lead to."""
    found = set()
    for word in said:
        parts = word.split(".")
        found |= {".".join(parts[:count]) for count in range(1, len(parts) + 1)}
    return found & set(names)


def _reached(tree, names):
    """What a module imports anywhere, or names by a string that is a module's name and no more, as deferred modules are."""
    said = []
    for node in nodes(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            said += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            said += [alias.name for alias in node.names]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            said += [node.value] if node.value in names else []
    return _named(said, names)


def _taken(tree, names):
    found = set()
    for node in nodes(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    submodules = {one for one in found if one in names}
    return {one for one in submodules if not any(other.startswith(f"{one}.") for other in submodules)}


def test_exactly_one_place_turns_exceptions_into_results():
    places = []
    for path, _, tree in modules():
        for node in nodes(tree):
            if isinstance(node, ast.ExceptHandler) and (
                node.type is None or getattr(node.type, "id", "") in ("Exception", "BaseException")
            ):
                places.append(path.relative_to(PACKAGE).as_posix())
    # run.py, turns.py, pool.py and pipes.py carry a thread's and a process's exception over to the one `except Exception`; the others undo or cancel, and raise again.
    # plan_cache.py names the checkpoint or check whose plan or factory broke, as a mistake of whoever wrote it.
    # registry.py goes on without a plug-in that breaks at import, and corrective.py without a retriever or generator that does; both say so.
    # The service's edge answers 500 in the usual form; it makes no result of it.
    edge = "server/http/middleware.py"
    assert sorted(places) == [
        "core/concurrency/background_loop.py",
        "core/plans/plan_cache.py",
        "core/registry.py",
        "core/run.py",
        "core/run.py",
        "core/work/pipes.py",
        "core/work/pool.py",
        "core/work/pool.py",
        "core/work/pool.py",
        "core/work/turns.py",
        "retrieval/corrective.py",
        edge,
        "stores/sql.py",
    ]


LOOKED_AT = {
    "batch/worker.py": "waits for what it cancelled",
    "core/concurrency/background_loop.py": "waits for what it cancelled; whoever asked is told of the rest",
    "core/concurrency/work_batches.py": "waits for what it cancelled",
    "insight/second_opinions.py": "an audit in the background costs the verification nothing: logged",
    "judges/cache.py": "whoever asked the same is told by the future",
    "judges/own_judge.py": "a judge of somebody's own: what breaks in it is told as a judge that failed",
    "judges/panel.py": "members that are away or unreadable have no vote; what else breaks is raised",
    "loop/revise.py": "the executor is somebody else's code: why it broke stands in the attempt",
    "server/jobs/runner.py": "nobody waits for a case of a job: logged",
    "server/routes/hook.py": "the hook's answer says what broke, and blocks nobody",
    "server/writer.py": "many wait for one write: each of them is told",
}


def test_what_looks_at_an_exception_without_a_catch_is_listed_with_its_reason():
    found = set()
    for path, _, tree in modules():
        for node in nodes(tree):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            broad = name == "suppress" and any(
                getattr(one, "id", "") in ("Exception", "BaseException") for one in node.args
            )
            gathered = any(one.arg == "return_exceptions" for one in node.keywords)
            asked = name == "exception" and not node.args and not node.keywords
            if broad or gathered or asked:
                found.add(path.relative_to(PACKAGE).as_posix())
    assert found == set(LOOKED_AT)


APPENDS = {
    "verifier.py": "the one door",
    "insight/review.py": "a person's word about a record, and no verification",
    "insight/second_opinions.py": "another judge's reading, kind audit, scheduled by the door",
    "stores/transfer.py": "records that were exported elsewhere",
    "server/pages/report.py": "a store in memory that a report is drawn from",
}


def test_one_door_keeps_verifications_notifies_observers_and_wires():
    appends, observes, wires = set(), set(), []
    for path, _, tree in modules():
        where = path.relative_to(PACKAGE).as_posix()
        for node in nodes(tree):
            if isinstance(node, ast.Attribute) and node.attr == "observers":
                observes.add(where)
            if not isinstance(node, ast.Call):
                continue
            if isinstance(node.func, ast.Attribute) and node.func.attr == "append":
                holder = node.func.value
                if "store" in getattr(holder, "attr", getattr(holder, "id", "")).lower():
                    appends.add(where)
            if isinstance(node.func, ast.Name) and node.func.id == "Verifier":
                wires.append(f"{where}:{node.lineno}")
    assert appends == set(APPENDS)
    assert observes == {"verifier.py", "insight/telemetry.py", "insight/alerting/observer.py"}
    assert wires == []  # `Verifier.from_settings` is the only wiring


def _calls(tree, name):
    for node in nodes(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) == name:
            yield node


def test_alerts_are_looked_for_by_the_observer_and_by_the_command_that_asks_for_it():
    looks = {
        path.relative_to(PACKAGE).as_posix() for path, _, tree in modules() if any(_attributes(tree, "delivery.watch"))
    }
    assert looks == {"insight/alerting/observer.py", "cli/commands/metrics.py"}


def _attributes(tree, dotted):
    last = dotted.rpartition(".")[2]
    named = (node for node in nodes(tree) if isinstance(node, ast.Attribute) and node.attr == last)
    return (node for node in named if ast.unparse(node) == dotted)


def test_questions_to_judges_are_made_in_one_place():
    makers = {path.relative_to(PACKAGE).as_posix() for path, _, tree in modules() if any(_calls(tree, "Question"))}
    assert makers == {"judges/ask.py"}


def test_no_prompt_is_written_in_python():
    """What a judge reads of ours comes from judges/prompts/: no literal is put into a question, and none speaks to `you`."""
    found = []
    for path, top, tree in modules():
        inside = {id(literal) for call in _calls(tree, "ask_about") for literal in _literals(call, "ours")}
        raised = {id(part) for node in nodes(tree) if isinstance(node, ast.Raise) for part in ast.walk(node)}
        for literal in _spoken(tree):
            told = len(literal.value.split()) > 1 and id(literal) in inside
            sent = path.parent.name == "backends" and id(literal) not in raised and _SENTENCE.match(literal.value)
            if told or sent or (top in ("judges", "checks", "retrieval") and _ADDRESSES.search(literal.value)):
                found.append(f"{path.name}:{literal.lineno}: {literal.value[:60]!r}")
    assert found == []


_SENTENCE = re.compile(r"[A-Z][^\n]* [^\n]*\.$")
_ADDRESSES = re.compile(
    r"^You |^Now |\b(?:you see|never addressed to you|instruction to you|how sure you are|you would|your reply)\b"
)


def _literals(call, keyword):
    given = [one.value for one in call.keywords if one.arg == keyword]
    return [node for value in given for node in ast.walk(value) if isinstance(node, ast.Constant)]


def _spoken(tree):
    """Every string but docstrings."""
    docs = {
        id(node.body[0].value)
        for node in nodes(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    return [
        node
        for node in nodes(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs
    ]


SPENT = {"sample_rate", "max_cost_pct", "target_cost_pct", "meta_audit_share"}
"""Shares of a policy that say how much is spent or looked at, and nothing of what is good enough."""
GOOD_ENOUGH = re.compile(r"threshold|(?:^|_)(?:met|good|enough|floor|pass|min|minimum|faithful)(?:_|$)", re.IGNORECASE)
MEASURED = re.compile(r"\b(?:score|share|confidence|coverage|probability|likely)\b")


def test_good_enough_stands_in_one_table_with_its_reasons():
    from witnessmark.core.policy import Policy
    from witnessmark.core.thresholds import THRESHOLDS

    assert all(0 < one.value <= 1 and len(one.reason) > 20 for one in THRESHOLDS.values())
    defaults = {name: given for name in Policy.__struct_fields__ if isinstance(given := getattr(Policy(), name), float)}
    units = {name for name in defaults if Policy.__annotations__[name] == "Unit"} - SPENT
    assert {name: defaults[name] for name in units} == {name: THRESHOLDS[name].value for name in units}
    asked = {call.args[0].value for _, _, tree in modules() for call in _calls(tree, "threshold") if call.args}
    assert asked == set(THRESHOLDS), "what nobody asks for is no default"


def test_no_default_elsewhere_says_what_is_good_enough():
    """A number between 0 and 1 has a name, and where the name says that it is good enough it comes from the table."""
    written = []
    for path, _, tree in modules():
        for node in nodes(tree) if path.name != "thresholds.py" or path.parent.name != "core" else ():
            named = [name for name, value in _defaults(node) if _between(value) and GOOD_ENOUGH.search(name)]
            named += [name for name, value in _entries(node) if any(map(_between, _sides(value)))]
            sides = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
            bare = any(map(_between, sides)) and MEASURED.search(ast.unparse(node))
            if named or bare:
                written.append(f"{path.relative_to(PACKAGE).as_posix()}:{node.lineno if sides else named[0]}")
    assert written == []


def _between(value):
    return isinstance(value, ast.Constant) and isinstance(value.value, float) and 0 < value.value < 1


def _entries(node):
    """What a node gives out under a name of what is good enough: entries of a dictionary, and what a function returns."""
    if isinstance(node, ast.Dict):
        entries = [(key.value, value) for key, value in zip(node.keys, node.values, strict=True) if _is_text(key)]
        of_check = "check" in dict(entries)  # {"check": NAME, "value": …}
        return [(key, value) for key, value in entries if GOOD_ENOUGH.search(key) or (of_check and key == "value")]
    if isinstance(node, ast.FunctionDef) and any(GOOD_ENOUGH.search(one) for one in (node.name, *_names(node.args))):
        given = [one.value for one in ast.walk(node) if isinstance(one, ast.Return)]
        return [(node.name, one) for one in given if one is not None]
    return []


def _is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _names(arguments):
    return [one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]


def _sides(node):
    """What an expression may be, either way: the branches of a condition, and what the least or the most is taken of."""
    if isinstance(node, ast.IfExp):
        return [*_sides(node.body), *_sides(node.orelse)]
    return node.args if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("min", "max") else [node]


def _pairs(target, value):
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        return [pair for one in zip(target.elts, value.elts, strict=False) for pair in _pairs(*one)]
    return [(target.id, value)] if isinstance(target, ast.Name) else []


def _defaults(node):
    """The names that a node gives a value to: constants, fields and parameters."""
    if isinstance(node, ast.Assign):
        return [pair for target in node.targets for pair in _pairs(target, node.value)]
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return [(node.target.id, node.value)]
    if not isinstance(node, ast.arguments):
        return []
    given = [*node.posonlyargs, *node.args]
    by_place = zip(given[len(given) - len(node.defaults) :], node.defaults, strict=True)
    return [(one.arg, value) for one, value in [*by_place, *zip(node.kwonlyargs, node.kw_defaults, strict=True)]]


def test_files_and_functions_stay_small():
    crowded = []
    for path, _, tree in modules():
        if path.read_text(encoding="utf-8").count("\n") > 400:
            crowded.append(path.name)
        for node in nodes(tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.end_lineno - node.lineno > 60:
                crowded.append(f"{path.name}:{node.name}")
    assert crowded == []


def test_a_class_name_stands_once_in_the_package():
    places = {}
    for path, _, tree in modules():
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(path.relative_to(PACKAGE).as_posix())
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_where_the_risk_is_there_is_as_much_test_as_code(root):
    """At least 0.8 lines of test to one of code for what keeps records, holds reports against the world and is typed by hand."""

    def lines(folder):
        return sum(path.read_text(encoding="utf-8").count("\n") for path in folder.rglob("*.py"))

    shares = {room: lines(root / "tests" / room) / lines(PACKAGE / room) for room in ("stores", "actions", "cli")}
    assert {room: round(share, 2) for room, share in shares.items() if share < 0.8} == {}


def test_no_folder_is_crowded():
    folders = {}
    for path, _, _ in modules():
        folders.setdefault(path.parent.relative_to(PACKAGE).as_posix(), []).append(path)
    assert {name: len(files) for name, files in folders.items() if len(files) > 23} == {}


def test_the_old_name_is_gone(root):
    """Somebody else owns it on the public index; only the changelog may tell that it once was ours."""
    old = "true" + "line"
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True).stdout.decode()
    found = []
    for name in filter(None, tracked.split("\0")):
        path = root / name
        if name == "CHANGELOG.md" or not path.is_file():
            continue
        if old in name.lower() or old.encode() in path.read_bytes().lower():
            found.append(name)
    assert found == []


def test_every_module_says_what_it_is():
    silent = [path.name for path, _, tree in modules() if not ast.get_docstring(tree)]
    assert silent == []


def test_public_names_are_sorted_there_and_documented():
    assert sorted(witnessmark.__all__) == witnessmark.__all__
    for name in witnessmark.__all__:
        thing = getattr(witnessmark, name)
        assert inspect.getdoc(thing), name
    listed = {name for name in dir(witnessmark) if not name.startswith("_")}
    ours = {
        name for name in listed if (getattr(getattr(witnessmark, name), "__module__", "") or "")[:12] == "witnessmark."
    }
    assert ours == set(witnessmark.__all__)
    with pytest.raises(AttributeError):
        witnessmark.no_such_name  # noqa: B018


def test_what_the_reference_shows_says_what_it_raises(root):
    """Every function and method behind docs/api.md that raises, in its own lines, names that in its docstring."""
    page = (root / "docs" / "api.md").read_text(encoding="utf-8")
    silent = []
    for name in re.findall(r"^::: ([\w.]+)", page, re.MULTILINE):
        for dotted, function in _functions(name):
            told = re.search(r"\b[Rr]aises?\b|\w+Error\b", inspect.getdoc(function) or "")
            if told is None and re.search(r"^\s+raise\b", inspect.getsource(function), re.MULTILINE):
                silent.append(dotted)
    assert silent == []


def _functions(dotted):
    """The functions that a name of the reference stands for: itself, or those of the class or module."""
    parts = dotted.split(".")
    module = next(
        count
        for count in range(len(parts), 0, -1)
        if ".".join(parts[:count]) in sys.modules or _imported(parts[:count])
    )
    thing = functools.reduce(getattr, parts[module:], sys.modules[".".join(parts[:module])])
    if inspect.isfunction(thing):
        return [(dotted, thing)]
    own = thing.__name__ if inspect.ismodule(thing) else thing.__module__
    inside = [(f"{dotted}.{name}", getattr(part, "__func__", part)) for name, part in vars(thing).items()]
    return [
        (name, part)
        for name, part in inside
        if inspect.isfunction(part) and part.__module__ == own and not name.rpartition(".")[2].startswith("_")
    ]


def _imported(parts):
    try:
        return importlib.import_module(".".join(parts))
    except ModuleNotFoundError:
        return None


PRIVATE = re.compile(r"_[a-zA-Z]\w*")
NOT_OURS = {"os._exit", "sys._getframe"}
PROTOCOLS = {"_repr_html_", "_asdict", "_fields", "_replace"}
"""Names with an underscore that other people's protocols give: notebooks, named tuples."""


def _private_names(there):
    """Names of ours that a test should not know: imported, read from something that is not the test's own, or replaced."""
    for node in there:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("witnessmark"):
            yield from (alias.name for alias in node.names if PRIVATE.fullmatch(alias.name))
        elif isinstance(node, ast.Attribute) and PRIVATE.fullmatch(node.attr) and node.attr not in PROTOCOLS:
            written = ast.unparse(node)
            if written not in NOT_OURS and not written.startswith(("self.", "cls.")):
                yield written
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("setattr", "delattr"):
            words = [part.value for part in node.args if isinstance(part, ast.Constant) and isinstance(part.value, str)]
            yield from (word for word in words[:1] if PRIVATE.fullmatch(word.rpartition(".")[2]))


def test_no_test_knows_a_private_name():
    assert {path: found.private for path, found in of_tests().items() if found.private} == {}


STOPWATCHES = {
    name + end for name in ("perf_counter", "process_time", "thread_time", "monotonic") for end in ("", "_ns")
}
NAMED = ("attr", "id", "name")
PATIENCE_S = 60


class OfTests(NamedTuple):
    """What a file of tests should not have: names of ours, lines with a stopwatch, lines that give up too soon."""

    private: list[str]
    clocks: list[int]
    short: list[int]


@functools.cache
def of_tests():
    """Every file of tests, read once for all that is asked of them."""
    root = PACKAGE.parents[1]
    found = {}
    for path in sorted((root / "tests").rglob("*.py")):
        there = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        clocks = [node.lineno for node in there if {getattr(node, name, "") for name in NAMED} & STOPWATCHES]
        short = [node.lineno for node in there if _gives_up(node)]
        found[path.relative_to(root).as_posix()] = OfTests(sorted(_private_names(there)), clocks, short)
    return found


def _gives_up(node):
    """Whether it is a time that a wait is given, `timeout=5` or `wait(5)`, and too short."""
    waits = isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("wait", "join", "result", "timeout")
    told = node.args[0] if waits and node.args else getattr(node, "value", None)
    named = isinstance(node, ast.keyword) and node.arg == "timeout"
    given = told.value if (waits or named) and isinstance(told, ast.Constant) else None
    return isinstance(given, int | float) and given < PATIENCE_S


def test_no_test_asserts_on_clocks_or_gives_up_before_a_busy_machine_is_done():
    """Work is counted (tests/work.py), sizes are compared, and what is to come is waited for; how long things take is for bench/."""
    assert {path: found.clocks for path, found in of_tests().items() if found.clocks} == {}
    assert {path: found.short for path, found in of_tests().items() if found.short} == {}


def test_the_examples_in_docstrings_run():
    from witnessmark.core.registry import checks

    done = {}
    for path, _, _ in modules():
        if re.search(r"^ *>>> ", path.read_text(encoding="utf-8"), re.MULTILINE):
            name = ".".join(("witnessmark", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")
            done[name] = doctest.testmod(importlib.import_module(name))
    checks.remove("shouts")
    assert [name for name, result in done.items() if result.failed] == []
    assert done["witnessmark.core.protocols"].attempted >= 3
    assert len(done) >= 50


IMPORT = """
import sys
import witnessmark
witnessmark.Verifier, witnessmark.Case
loaded = set(sys.modules)
print(len(loaded))
print(*sorted(name for name in ("sqlite3", "psycopg", "aiohttp", "httpx", "pydantic", "typer", "rich", "jinja2", "yaml", "fastapi", "onnxruntime", "torch", "numpy", "re2", "jsonschema_rs") if name in loaded))
"""


def test_importing_loads_few_modules_and_no_database_or_http_client():
    out = subprocess.run([sys.executable, "-c", IMPORT], capture_output=True, text=True, check=True).stdout.splitlines()
    assert int(out[0]) < 300
    assert out[1:] == [""]


def test_importing_has_no_effects(tmp_path):
    code = "import logging, os; before = dict(os.environ), logging.root.handlers[:]; import witnessmark; witnessmark.Verifier(); assert before == (dict(os.environ), logging.root.handlers[:])"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert list(tmp_path.iterdir()) == []


def test_the_package_is_typed():
    assert (PACKAGE / "py.typed").exists()


def test_no_registry_host_and_no_machine_path_is_committed(root):
    listed = (
        subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True).stdout.decode().split("\0")
    )
    words = [
        "pypi" + ".org",
        "pythonhosted" + ".org",
        "npmjs" + ".org",
        "/work" + "/main",
        "/work" + "/shared",
        "/ro" + "ot/",
    ]
    found = []
    for name in filter(None, listed):
        path = root / name
        if path.suffix in (".onnx", ".png", ".gz", ".bin") or not path.is_file():
            continue
        data = path.read_bytes()
        found += [f"{name}: {word}" for word in words if word.encode() in data]
    assert found == []


def test_every_change_that_the_mutation_run_names_still_stands_in_its_file_once(root):
    """A change that matches nothing any more proves nothing of its requirement."""
    named = tomllib.loads((root / "tools" / "mutations.toml").read_text(encoding="utf-8"))
    stale = [
        f"{requirement}: {change['file']}"
        for requirement, changes in named.items()
        for change in changes
        if not (root / change["file"]).is_file()
        or (root / change["file"]).read_text(encoding="utf-8").count(change["old"]) != 1
    ]
    assert stale == []


def test_only_the_readers_of_text_know_what_a_comma_in_a_figure_means():
    """`ungrouped` reads a figure of no known language, `digits` one of a known; a third reader takes 1,5 for 15."""
    read = [
        f"{path.relative_to(PACKAGE)}:{node.lineno}"
        for path, top, tree in modules()
        for node in nodes(tree)
        if top != "text"
        and isinstance(node, ast.Call)
        and getattr(node.func, "attr", "") == "replace"
        and [getattr(one, "value", None) for one in node.args] in ([",", ""], [",", "."])
    ]
    assert read == []


def test_sentences_are_split_in_one_place():
    """A look behind for what ends a sentence, or a run of anything else up to it, is a second splitter."""
    split = re.compile(r"\(\?<=\[[^\]]*[.!?][^\]]*\]\)(?:\(\?<![^)]*\))?\\s|\[\^[^\]]*[.!?]{2}[^\]]*\]\+\[[.!?]")
    own = {
        f"{path.relative_to(PACKAGE)}:{node.lineno}"
        for path, _, tree in modules()
        for node in nodes(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and split.search(node.value)
    }
    assert own == set()
