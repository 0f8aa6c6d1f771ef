"""What a piece of test code replaces (mocks, stubs, reassigned functions), by its syntax tree, and whether the test then asserts on just that.

A test that replaces what its subject calls (network, clock, files, another service) checks as much as before; one that asserts on
the result of what it replaced checks only its own words. Owners are compared, so that a mocked `repo.find` is not `service.find`.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from witnessmark.actions.content.assertions import assertions_under
from witnessmark.actions.content.syntax_trees import MAX_NODES, PIECE, completed, node_text, parser_of
from witnessmark.text.patterns import compiled

if TYPE_CHECKING:
    from tree_sitter import Node


@dataclass(frozen=True, slots=True)
class Replacement:
    """A function or method that a test replaces. `asserted`: the test asserts on the result of calling it."""

    name: str
    owner: str
    """The last part of what it belongs to; empty where the test names none."""
    shown: str
    test: str = ""
    asserted: bool = False


_Target = tuple[str, str]
"""The owner of something that is called, and its name."""
_WRAPS = compiled(r"\b\w*(?:orig|real|actual|wrapped|super|prev|saved)\w*\b|\bwraps\b|callThrough|CallRealMethod|passthrough|unmocked", re.IGNORECASE)  # fmt: skip
"""Signs of a replacement that calls what it replaces: a spy."""
MAX_STATEMENT = 2_000
_BACK = compiled(r"\b(?:mockRestore|restoreAllMocks|restore|undo|stop|unmock|unpatch\w*|unstub\w*|Reset|reset\w*)\(")
"""Calls that put back what was replaced."""
_FUNCTIONS = frozenset({"function_definition", "function_declaration", "function_item", "method_declaration"})
_BLOCKS = _FUNCTIONS | {"with_statement", "decorated_definition"}
_TESTS = compiled(r"test|it\b|should|Benchmark|Fuzz", re.IGNORECASE)
_AROUND = frozenset({"setUp", "setup", "setup_method", "setup_module", "setUpClass", "SetupTest", "SetupSuite", "TestMain", "before"})  # fmt: skip
_RUNS = compiled(r"(?:it|test|specify)(?:\.\w+)*")


MAX_FOUND = 100
"""So many replacements of one piece of code are looked at."""
_SIGNS = compiled(r"mock|monkey|patch|setattr|stub|spyOn|replace|EXPECT\(|\.On\(|expect_|\b(?:when|given|expect)\(|(?<![:=!<>])=\s*(?:func\b|lambda\b|async\b|function\b|\(|\w+ =>)", re.IGNORECASE)  # fmt: skip
"""Without any of these nothing is replaced, and nothing is parsed."""


@functools.lru_cache(maxsize=64)
def replacements_in(code: str, language: str) -> tuple[Replacement, ...]:
    """What a piece of code replaces, in order, each with whether its test asserts on it."""
    if not _SIGNS.search(code):
        return ()
    root = parser_of(language).parse(completed(code, language).encode("utf-8", "surrogatepass")).root_node
    nodes = list(_walk(root))
    named = ((node, target) for node in nodes for target in _FINDERS[language](node) if target[1])
    made = [(node, target) for node, target in islice(named, MAX_FOUND) if not _calls_the_real(node, target[1])]
    functions = [node for node in nodes if node.type in _FUNCTIONS] if made else []
    tested: dict[int, _Tested] = {}
    return tuple(_replacement(node, target, functions, language, tested) for node, target in made)


def _replacement(
    node: Node, target: _Target, functions: list[Node], language: str, tested: dict[int, _Tested]
) -> Replacement:
    """One replacement; `functions`: all of the code's; `tested`: what is known of its parts already."""
    scope, root = _scope(node), _root(node)
    parts = _affected(scope, root, functions)
    for part in parts:
        if part.id not in tested:
            tested[part.id] = _tested(part, language)
    asserted = any(tested[part.id].asserts(node, target, root) for part in parts)
    return Replacement(target[1], target[0], _line(node), _name_of(scope), asserted)


@dataclass(frozen=True, slots=True)
class _Tested:
    """A test, or all of the code: what it asserts on the results of, by where, and what each of its variables was made from."""

    part: Node
    asserted: tuple[tuple[int, _Target], ...]
    made: dict[str, str]

    def asserts(self, node: Node, target: _Target, root: Node) -> bool:
        """Whether it asserts, behind a replacement in it, on the result of calling what is replaced."""
        inside = self.part.start_byte <= node.start_byte < self.part.end_byte
        for place, called in self.asserted:
            if (inside and place < node.start_byte) or not _same(called, target, self.made, root):
                continue
            text = root.text or b""
            behind = text[text.find(b"\n", node.end_byte) : place].decode("utf-8", "replace") if inside else ""
            return not _BACK.search(behind)
        return False


def _tested(part: Node, language: str) -> _Tested:
    """What a part of the code asserts on, by itself or by the variable that it is."""
    made, found = _made(part), list[tuple[int, _Target]]()
    for one in assertions_under(part, language):
        for side in (one.subject, one.expected) if one.kind == "check" else ():
            name = _NAME_AT_HEAD.match(side)
            called = _called(side) or (_called(made.get(name.group(), "")) if name is not None else None)
            found += [(one.place, called)] if called is not None else []
    return _Tested(part, tuple(found), made)


def _walk(root: Node) -> Iterator[Node]:
    waiting, seen = [root], 0
    while waiting and seen < MAX_NODES:
        node = waiting.pop()
        seen += 1
        yield node
        waiting += [child for child in reversed(node.named_children) if child.named_child_count]


def _line(node: Node) -> str:
    text = " ".join(node_text(node).split())
    return text if len(text) <= 100 else text[:99] + "…"


def _last(path: str) -> str:
    return re.split(r"\.|::|->|/", path.strip("'\"`& ?!"))[-1]


def _target(path: str) -> _Target:
    """The owner and the name of a dotted path."""
    parts = [part for part in re.split(r"\.|::|/", path.strip("'\"`&* ")) if part]
    return (parts[-2] if len(parts) > 1 else "", parts[-1]) if parts else ("", "")


def _given(call: Node) -> list[Node]:
    arguments = call.child_by_field_name("arguments")
    return [one for one in arguments.named_children if one.type != "comment"] if arguments is not None else []


def _text_of(node: Node) -> str:
    """The content of a string; empty for anything else."""
    text = node_text(node)
    return text.strip("'\"`") if node.type in ("string", "interpreted_string_literal", "template_string") else ""


# --- what is replaced --------------------------------------------------------------------------------------------

_PATCHES = compiled(r"(?:\w+\.)*(?:patch|setattr|replace)(?:\.object)?")
_DOUBLES = compiled(
    r"(?:\w+\.)*(?:Magic|Async|NonCallable)?Mock|(?:jest|vi|mock|sinon)\.(?:fn|stub)|create_autospec|fn|stub|mock"
)
_SET_UP = compiled(r"mock(?:ReturnValue|Implementation|Resolved|Rejected)\w*|returns|resolves|callsFake")
_FILES = compiled(r"(?:jest|vi)\.(?:do|unstable_)?[mM]ock(?:Module)?|mock\.module")
_SPIES = compiled(r"(?:(?:jest|vi)\.)?spyOn|(?:t\.)?mock\.method|(?:\w+\.)*(?:stub|replace)")


def _python(node: Node) -> Iterator[_Target]:
    if node.type == "call":
        name, given = node_text(node.child_by_field_name("function")), _given(node)
        plain = [one for one in given if one.type != "keyword_argument"]
        if not _PATCHES.fullmatch(name) or not plain:
            return
        path = _text_of(plain[0])
        if path and "." in path and not name.endswith(".object"):
            yield _target(path)
        elif len(plain) > 1 and (attribute := _text_of(plain[1])) and not path:
            yield _last(node_text(plain[0])), attribute
    elif node.type == "assignment":
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None or left.type != "attribute":
            return
        owner, _, attribute = node_text(left).rpartition(".")
        called = node_text(right.child_by_field_name("function"))
        if attribute in ("return_value", "side_effect"):
            yield _target(owner) if "." in owner else ("", "")
        elif right.type == "lambda" or (right.type == "call" and _DOUBLES.fullmatch(called)):
            yield _last(owner), attribute


def _script(node: Node) -> Iterator[_Target]:
    if node.type == "assignment_expression":
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        called = re.match(r"[\w.]+", node_text(right))
        doubled = called is not None and right is not None and right.type == "call_expression" and _DOUBLES.fullmatch(called.group())  # fmt: skip
        if left is not None and right is not None and left.type == "member_expression":
            if doubled or right.type in ("arrow_function", "function_expression"):
                yield _target(node_text(left))
        return
    if node.type != "call_expression":
        return
    function, given = node.child_by_field_name("function"), _given(node)
    name = node_text(function)
    if _FILES.fullmatch(name) and given:
        yield from _of_file(node, given)
    elif _SPIES.fullmatch(name) and len(given) > 1 and _text_of(given[1]):
        if name.endswith("spyOn") and not _is_set_up(node):
            return
        if name.endswith(".method") and len(given) < 3:
            return
        yield _last(node_text(given[0]).removesuffix(".prototype")), _text_of(given[1])
    elif function is not None and function.type == "member_expression":
        mocked = function.child_by_field_name("object")
        if mocked is not None and _SET_UP.fullmatch(node_text(function.child_by_field_name("property"))):
            text = re.sub(r"^\(|\s+as\s.*$|\)$", "", re.sub(r"^(?:jest|vi)\.mocked\((.*)\)$", r"\1", node_text(mocked)), flags=re.DOTALL)  # fmt: skip
            if re.fullmatch(r"[\w.]+", text):
                yield _target(text)


def _is_set_up(spy: Node) -> bool:
    """Whether what spies on a function also says what it does now: in the same words, or by the name it was given."""
    parent = spy.parent
    if parent is not None and parent.type == "member_expression":
        return _SET_UP.fullmatch(node_text(parent.child_by_field_name("property"))) is not None
    if parent is None or parent.type != "variable_declarator":
        return False
    named = re.escape(node_text(parent.child_by_field_name("name")))
    behind = (_root(spy).text or b"")[spy.end_byte : spy.end_byte + MAX_STATEMENT].decode("utf-8", "replace")
    return re.search(rf"\b{named}\s*\.(?:{_SET_UP.pattern})\(", behind) is not None


def _of_file(node: Node, given: list[Node]) -> Iterator[_Target]:
    """The names that a test imports from a file which it replaces: all, or those that the replacement says."""
    source = _text_of(given[0])
    if not source.startswith("."):
        return  # a package, no code of the project
    imported = [line for line in _root(node).named_children if line.type == "import_statement" and _text_of(line.named_children[-1]) == source]  # fmt: skip
    names = {name for line in imported for name in re.findall(r"\w+", node_text(line).partition("from")[0])} - {"import", "type", "as"}  # fmt: skip
    body = node_text(given[1]) if len(given) > 1 else ""
    told = set(re.findall(r"(?:^|[{,])\s*(?:async\s+)?(\w+)\s*(?=[:(,}])", body))
    for name in sorted(names if not body or "default" in told else names & told):
        yield _last(source), name


_GO_PATCHES = compiled(r"(?:gomonkey|monkey|mpatch)\.(?:Apply|Patch)\w*")


def _go(node: Node) -> Iterator[_Target]:
    if node.type == "assignment_statement":
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        value = right.named_children[0] if right is not None and right.named_children else None
        stubbed = value is not None and value.type == "identifier" and re.search(r"stub|fake|mock|dummy", node_text(value), re.IGNORECASE)  # fmt: skip
        if value is not None and (value.type == "func_literal" or stubbed):
            yield _target(node_text(left))
    elif node.type == "call_expression":
        name, given = node_text(node.child_by_field_name("function")), _given(node)
        if _GO_PATCHES.fullmatch(name) and given:
            method = _text_of(given[1]) if len(given) > 2 else ""
            yield (_last(node_text(given[0])), method) if method else _target(node_text(given[0]))
        elif (expects := re.fullmatch(r"(\w+)\.EXPECT\(\)\.(\w+)", name)) and _answers(node, "Return", "DoAndReturn"):
            yield expects[1], expects[2]
        elif (on := re.fullmatch(r"(\w+)\.On", name)) and given and _answers(node, "Return", "Run"):
            yield on[1], _text_of(given[0])


def _rust(node: Node) -> Iterator[_Target]:
    if node.type != "call_expression":
        return
    expects = re.fullmatch(r"(?:\w+\.)*?(\w+)\s*\.\s*expect_(\w+)", node_text(node.child_by_field_name("function")))
    if expects is not None:
        yield expects[1], expects[2]


def _answers(node: Node, *ways: str) -> bool:
    """Whether what is called on a call says what it gives back."""
    parent = node.parent
    while parent is not None and parent.type in ("selector_expression", "call_expression", "field_expression"):
        if node_text(parent.child_by_field_name("field")) in ways:
            return True
        parent = parent.parent
    return False


def _java(node: Node) -> Iterator[_Target]:
    if node.type != "method_invocation":
        return
    name, given = node_text(node.child_by_field_name("name")), _given(node)
    behind = node.child_by_field_name("object")
    if name in ("when", "given", "expect") and given:
        mocked = given[0]
        if mocked.type == "lambda_expression":
            mocked = mocked.named_children[-1]
        if mocked.type == "method_invocation":
            yield _last(node_text(mocked.child_by_field_name("object"))), node_text(mocked.child_by_field_name("name"))
    elif behind is not None and behind.type == "method_invocation" and node_text(behind.child_by_field_name("name")) == "when":  # fmt: skip
        whose = _given(behind)
        if whose and node_text(behind.child_by_field_name("object")).startswith(("do", "Mockito.do")) and whose[0].type == "identifier":  # fmt: skip
            yield node_text(whose[0]), name


_FINDERS = {
    "python": _python,
    "javascript": _script,
    "typescript": _script,
    "tsx": _script,
    "go": _go,
    "rust": _rust,
    "java": _java,
}


def _root(node: Node) -> Node:
    while node.parent is not None:
        node = node.parent
    return node


def _calls_the_real(node: Node, name: str) -> bool:
    """Whether a replacement calls what it replaces: a spy, which changes nothing."""
    statement = node
    while statement.parent is not None and not statement.type.endswith(("_statement", "decorator", "with_item")):
        statement = statement.parent
    text = node_text(statement) if statement.type != "with_statement" else node_text(node)
    text = text[:MAX_STATEMENT]
    for value in re.findall(r"[,=]\s*(\w+)\s*\)?;?\s*$", text):
        body = re.search(
            rf"(?:def|func|function|const|let) {re.escape(value)}\b(?:.*\n){{1,8}}", node_text(_root(node))
        )
        text += body.group() if body is not None else ""
    return _WRAPS.search(text.replace(name, "", 1)) is not None


# --- what is asserted --------------------------------------------------------------------------------------------


def _scope(node: Node) -> Node:
    """The test, helper or block in which something is replaced, with its decorators: only there does it hold."""
    while node.parent is not None:
        run = node.type == "call_expression" and _RUNS.fullmatch(node_text(node.child_by_field_name("function")))
        if run or node.type in _BLOCKS:
            return node.parent if node.parent.type == "decorated_definition" else node
        node = node.parent
    return node


def _name_of(scope: Node) -> str:
    """The name of a test; empty of a piece that stands in none."""
    while scope.parent is not None and scope.type not in _FUNCTIONS | {"decorated_definition"}:
        scope = scope.parent
    function = scope.named_children[-1] if scope.type == "decorated_definition" else scope
    name = node_text(function.child_by_field_name("name"))
    return name if _TESTS.search(name) else ""


def _affected(scope: Node, root: Node, functions: list[Node]) -> list[Node]:
    """The code in which what is replaced in a scope is replaced: a helper or fixture replaces it for the tests that name it."""
    function = scope.named_children[-1] if scope.type == "decorated_definition" else scope
    name = node_text(function.child_by_field_name("name")) if function.type in _FUNCTIONS else ""
    if not name or _TESTS.match(name) or "@Test" in node_text(scope)[:200]:
        return [scope]
    if name in _AROUND or "autouse" in node_text(scope) or "@Before" in node_text(scope)[:200] or name == PIECE:
        return [root]
    word = re.compile(rf"\b{re.escape(name)}\b")
    return [node for node in functions if node != function and word.search(node_text(node))] or [scope]


_NAME_AT_HEAD = compiled(r"\w*")
_VALUES = frozenset({"assignment", "variable_declarator", "short_var_declaration", "assignment_statement", "let_declaration", "assignment_expression"})  # fmt: skip


def _made(scope: Node) -> dict[str, str]:
    """What each variable of a test was made from, without space."""
    found: dict[str, str] = {}
    for node in _walk(scope):
        if node.type in _VALUES:
            left = next((part for key in ("left", "name", "pattern") if (part := node.child_by_field_name(key))), None)
            right = node.child_by_field_name("right") or node.child_by_field_name("value")
            name = re.split(r"[,:]", node_text(left))[0].strip("({[ ").removeprefix("mut ")
            if name.isidentifier():
                found[name] = "".join(node_text(right).replace("await ", "").replace("new ", "").split())
    return found


_HEAD = compiled(r"[&*!(]*(?:await)?\(*(?P<path>(?:\w+(?:<[\w,]*>)?(?:\?\.|\.|::|->))*\w+)\(")
_THROUGH = frozenset("len list sorted str int float round set dict tuple repr String Number Boolean".split())


def _called(code: str) -> _Target | None:
    """The owner and the name of what is called last in a piece of code without space: `cart.total` of `cart.total(x).amount`."""
    head = _HEAD.match(code)
    if head is None:
        return None
    path, rest = head["path"].replace("?.", ".").replace("->", "."), _after_brackets(code, head.end() - 1)
    if path in _THROUGH:
        return _called(code[head.end() :])
    behind = re.search(r"\w+\(", rest)
    if behind is not None and behind.group() not in ("unwrap(", "await(", "expect("):
        return None
    if re.match(r"\)*[-+*/%]", rest):
        return None
    return _target(path)


def _after_brackets(code: str, at: int) -> str:
    depth = 0
    for place in range(at, len(code)):
        depth += {"(": 1, ")": -1}.get(code[place], 0)
        if depth == 0:
            return code[place + 1 :]
    return ""


def _same(called: _Target, replaced: _Target, made: dict[str, str], root: Node) -> bool:
    """Whether what is called is what was replaced: the same name of the same owner, as far as the test names owners."""
    if called[1] != replaced[1]:
        return False
    owner, whose = called[0], replaced[0]
    if not owner or not whose:
        return owner == whose or (not owner and _imports(node_text(root), called[1], whose))
    built = _called(made.get(owner, ""))
    return (
        whose in (owner, _bare(owner))
        or (built is not None and _bare(built[1]) == _bare(whose))
        or _bare(owner) == _bare(whose)
    )


def _imports(text: str, name: str, source: str) -> bool:
    """Whether a name of a test is what a module has under it, however often that is replaced: what Python imports by name before stays as it is."""
    word = rf"\b{re.escape(name)}\b"
    here = re.search(rf"^[ \t]+from [\w.]*\b{re.escape(source)} import [^\n]*{word}", text, re.MULTILINE)
    there = re.search(rf"^(?:import|const|let) [^;\n]*{word}[^;\n]*(?:from|require\() ?['\"](?:[^'\"\n]*/)?{re.escape(source)}(?:\.\w+)?['\"]", text, re.MULTILINE)  # fmt: skip
    return here is not None or there is not None


def _bare(owner: str) -> str:
    """The name of a type or of what it made, in small letters: `NewCart`, `Cart` and `cart`."""
    return re.sub(r"^new", "", owner.replace("_", "").lower())
