"""The claims an agent should have made, from what its tools did; and a report held against them."""

import hashlib

from witnessmark.actions.claim import ActionClaim
from witnessmark.actions.claims.collect import hold_all, where_meant
from witnessmark.actions.trace.calls import ToolCall, Trace
from witnessmark.actions.trace.implied_claims import claims_from
from witnessmark.actions.tree.view import TreeState

ROOT = "/repo"


def call(name, given, output=None, *, code=None, ok=True, id="c"):
    return ToolCall(id, name, given, output, code, ok)


def derived(*calls):
    return claims_from(Trace("t", calls), ROOT)


def test_writes_and_edits_become_claims_with_what_shows_them():
    found = derived(
        call("Write", {"file_path": "/repo/src/a.py", "content": "x = 1\n"}),
        call("Edit", {"file_path": "/repo/src/b.py", "old_string": "a", "new_string": "b"}),
        call("MultiEdit", {"file_path": "/repo/c.py", "edits": [{"old_string": "1", "new_string": "2"}, {"old_string": "3", "new_string": ""}]}),
    ).claims  # fmt: skip
    write, edit, first, second = found
    assert (write.kind, write.path, write.by) == ("file_write", "src/a.py", "trace")  # req: S3-046
    assert write.sha256 == hashlib.sha256(b"x = 1\n").hexdigest()  # req: S3-046
    assert edit.anchor is not None
    assert (edit.anchor.before, edit.anchor.after, edit.anchor.replaces) == ("a", "b", True)
    assert first.path == "c.py"
    assert second.anchor is not None
    assert second.anchor.after is None


def test_deletes_and_renames_become_claims():
    found = derived(
        call("delete_file", {"path": "/repo/a.py"}),
        call("Bash", {"command": "git mv old.py new.py && rm -f junk.txt"}, "", code=0),
    ).claims
    told = [(claim.kind, claim.path, claim.to) for claim in found]
    assert ("file_delete", "a.py", None) in told  # req: S3-046
    assert ("file_rename", "old.py", "new.py") in told
    assert ("file_delete", "junk.txt", None) in told


def test_cd_says_where_the_files_of_a_command_are():
    found = derived(call("Bash", {"command": "cd /repo/app && rm x && cd sub && echo hi > y"}, "", code=0)).claims
    assert [claim.path for claim in found if claim.path] == ["app/x", "app/sub/y"]


def test_a_shell_that_would_expand_is_not_guessed_at():
    found = derived(call("Bash", {"command": "rm -rf $DIR/*; cat a | tee b"}, "", code=0)).claims
    assert [(claim.kind, claim.path) for claim in found] == [("command", None), ("file_edit", "b")]


def test_commands_keep_their_exit_code_and_tests_their_counts():
    found = derived(call("Bash", {"command": "pytest -q"}, "F.\n1 failed, 1 passed in 0.1s", code=1, ok=False)).claims
    command, tests = found
    assert (command.command, command.exit_code) == ("pytest -q", 1)  # req: S3-046
    assert (tests.kind, tests.passed, tests.failed) == ("tests_passed", 1, 1)  # req: S3-046


def test_a_write_that_failed_is_no_claim():
    assert derived(call("Write", {"file_path": "a.py", "content": ""}, ok=False)).claims == ()


def test_a_patch_names_its_files():
    patch = "*** Begin Patch\n*** Add File: a.py\n+x\n*** Update File: b.py\n*** Move to: c.py\n@@\n*** Delete File: d.py\n*** End Patch"
    told = [(claim.kind, claim.path, claim.to) for claim in derived(call("apply_patch", {"input": patch})).claims]
    assert told == [("file_write", "a.py", None), ("file_rename", "b.py", "c.py"), ("file_delete", "d.py", None)]


def test_an_unknown_tool_is_listed_and_a_reading_one_is_not():
    found = derived(call("Read", {"file_path": "a"}, id="r"), call("mcp__db__migrate", {"to": 3}, id="m"))
    assert found.unclear == ("m",)


# --- a report in words held against its trace and a tree --------------------------------------------------------------


def told(kind, **fields):
    words = f"I ran `{fields['command']}`" if kind == "command" else "I updated it"
    return ActionClaim(kind, by="report", text=words, **fields)


def status(claim, *calls, root=None, whole=True):
    (ruling,) = ruled([claim], *calls, root=root, whole=whole)
    return ruling.status


def ruled(claims, *calls, root=None, whole=True):
    world, trace = TreeState(root=root), Trace("t", calls, whole=whole)
    return hold_all(where_meant(claims, world, trace), world, trace, "no trace")


def test_a_command_counts_where_it_is_in_the_trace_with_its_exit_code():
    ran = call("Bash", {"command": "(cd app && npm  test -- --run)"}, "", code=1, ok=False)
    assert status(told("command", command="npm test -- --run"), ran) == "supported"
    assert status(told("command", command="cargo build"), ran) == "unsupported"
    assert status(told("command", command="npm run lint"), ran) == "unverifiable"
    plain = call("Bash", {"command": "cd app && npm  test -- --run"}, "", code=1, ok=False)
    assert status(told("command", command="npm test -- --run", exit_code=0), plain) == "contradicted"
    hidden = call("Bash", {"command": "npm test -- --run || true"}, "", code=0)
    assert status(told("command", command="npm test", exit_code=0), hidden) == "unverifiable"


def test_the_last_run_of_a_command_told_in_words_is_the_one_that_counts():
    long = call("Bash", {"command": "npm test -- --run --verbose"}, "", code=1, ok=False)
    short = call("Bash", {"command": "npm test -- --run"}, "", code=0)
    claim = told("command", command="npm test", exit_code=0)
    assert status(claim, long, short) == "supported"
    assert status(claim, short, long) == "contradicted"


def test_tests_reported_green_that_failed_are_contradicted():
    ran = call("Bash", {"command": "pytest"}, "1 failed, 11 passed in 1s", code=1, ok=False)
    assert status(told("tests_passed"), ran) == "contradicted"
    assert status(told("tests_passed", passed=12), ran) == "contradicted"
    assert status(told("tests_passed", passed=11, failed=1), ran) == "supported"
    crashed = call("Bash", {"command": "make test"}, "boom", code=2, ok=False)
    assert status(told("tests_passed"), crashed) == "contradicted"


def test_tests_never_run_are_unsupported_and_without_a_trace_nothing_is_said():
    assert status(told("tests_passed", passed=3), call("Read", {})) == "unsupported"
    (ruling,) = hold_all([told("tests_passed", passed=3)], TreeState(), None, "no trace")
    assert ruling.status == "unverifiable"  # req: S3-016


def test_work_given_to_another_agent_is_not_held_against_the_reporter():
    assert status(told("command", command="cargo build"), call("Task", {"prompt": "build"})) == "unverifiable"
    assert status(told("command", command="cargo build"), call("Read", {}), whole=False) == "unverifiable"
    red = call("Bash", {"command": "pytest"}, "1 failed in 1s", code=1, ok=False)
    assert status(told("tests_passed"), red, whole=False) == "unverifiable"


def test_an_edit_that_no_call_made_is_unsupported_unless_a_command_could_have_made_it(tree):
    claim = told("file_edit", path="src/calc.py")
    path = f"{tree}/src/calc.py"
    assert status(claim, call("Read", {"file_path": path}), root=tree) == "unsupported"
    edit = call("Edit", {"file_path": path, "old_string": "a", "new_string": "b"})
    assert status(claim, edit, root=tree) == "supported"
    assert status(claim, call("Bash", {"command": "make generate"}, "", code=0), root=tree) == "unverifiable"
    assert status(claim, call("mcp__db__migrate", {"to": 3}), root=tree) == "unverifiable"


def test_a_file_told_by_the_end_of_its_path_is_found_where_the_trace_touched_it(tree):
    wrote = call("Write", {"file_path": f"{tree}/src/calc.py", "content": ""})
    assert status(told("file_create", path="calc.py"), wrote, root=tree) == "supported"
    assert status(told("file_edit", path="src\\calc.py"), wrote, root=tree) == "supported"
    moved = call("Bash", {"command": "mv src/old.py src/calc.py"}, "", code=0)
    assert status(told("file_rename", path="old.py", to="calc.py"), moved, root=tree) == "supported"
    assert status(told("file_edit", path="elsewhere.py"), wrote, root=tree) == "unverifiable", "its folder is not named"
    assert status(told("file_create", path="elsewhere.py"), wrote, root=tree) == "unsupported"


def test_a_file_created_and_then_deleted_leaves_nothing_untrue(tree):
    claims = [told("file_create", path="repro.py"), told("file_delete", path="repro.py")]
    rm = call("Bash", {"command": f"rm {tree}/repro.py"}, "", code=0)
    assert [ruling.status for ruling in ruled(claims, rm, root=tree)] == ["supported", "supported"]
    assert not any(ruling.wrong for ruling in ruled(claims, root=tree))


def test_runs_that_add_up_to_what_was_reported_bear_it_out():
    api = call("Bash", {"command": "pytest api"}, "12 passed in 1s", code=0)
    web = call("Bash", {"command": "npm test"}, "Tests: 30 passed, 30 total\n...\nTests: 5 passed, 5 total", code=0)
    assert status(told("tests_passed", passed=17), api, web) == "supported"
    assert status(told("tests_passed", passed=30), api, web) == "supported"
    assert status(told("tests_passed", passed=99), api, web) == "contradicted"
    broken = call("Bash", {"command": "npm test"}, "Tests: 1 failed, 30 passed, 31 total", code=1, ok=False)
    assert status(told("tests_passed", passed=30), api, broken) == "contradicted"
    go = call("Bash", {"command": "go test ./..."}, "ok  \texample.org/a\t0.01s\n", code=0)
    assert status(told("tests_passed"), go) == "supported"
    assert status(told("tests_passed", passed=7), go) == "unverifiable", "go prints no counts"
