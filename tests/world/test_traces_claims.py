"""The claims an agent should have made, from what its tools did; and a report held against them."""

import hashlib

from trueline.world.claims import ActionClaim
from trueline.world.completion import hold, untrue
from trueline.world.trace import ToolCall, Trace
from trueline.world.trace_claims import claims_from

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


def test_a_shell_that_would_expand_is_not_guessed_at():
    found = derived(call("Bash", {"command": "rm -rf $DIR/*; cat a | tee b"}, "", code=0)).claims
    assert [claim.kind for claim in found] == ["command"]


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
    assert told == [("file_create", "a.py", None), ("file_rename", "b.py", "c.py"), ("file_delete", "d.py", None)]


def test_an_unknown_tool_is_listed_and_a_reading_one_is_not():
    found = derived(call("Read", {"file_path": "a"}, id="r"), call("mcp__db__migrate", {"to": 3}, id="m"))
    assert found.unclear == ("m",)


# --- a report held against its trace ----------------------------------------------------------------------------------


def there(claim):
    return "supported", "it is there"


def status(claim, *calls, look=there, whole=True):
    (held,) = hold([claim], Trace("t", calls), look, ROOT, whole=whole)
    return held.status


def test_a_command_counts_where_it_is_in_the_trace_with_its_exit_code():
    ran = call("Bash", {"command": "cd app && npm  test -- --run"}, "", code=1, ok=False)
    assert status(ActionClaim("command", command="npm test -- --run"), ran) == "supported"
    assert status(ActionClaim("command", command="npm test -- --run", exit_code=0), ran) == "contradicted"
    assert status(ActionClaim("command", command="cargo build"), ran) == "unsupported"
    assert status(ActionClaim("command", command="npm run lint"), ran) == "unverifiable"


def test_tests_reported_green_that_failed_are_contradicted():
    ran = call("Bash", {"command": "pytest"}, "1 failed, 11 passed in 1s", code=1, ok=False)
    assert status(ActionClaim("tests_passed"), ran) == "contradicted"
    assert status(ActionClaim("tests_passed", passed=12), ran) == "contradicted"
    assert status(ActionClaim("tests_passed", passed=11, failed=1), ran) == "supported"


def test_tests_never_run_are_unsupported_and_without_a_trace_nothing_is_said():
    assert status(ActionClaim("tests_passed", passed=3), call("Read", {})) == "unsupported"
    (held,) = hold([ActionClaim("tests_passed", passed=3)], None, there)
    assert held.status == "unverifiable"


def test_work_given_to_another_agent_is_not_held_against_the_reporter():
    assert status(ActionClaim("command", command="cargo build"), call("Task", {"prompt": "build"})) == "unverifiable"
    assert status(ActionClaim("command", command="cargo build"), call("Read", {}), whole=False) == "unverifiable"


def test_an_edit_that_no_call_made_is_unsupported_unless_a_command_could_have_made_it():
    claim = ActionClaim("file_edit", path="src/a.py")
    assert status(claim, call("Read", {"file_path": "/repo/src/a.py"})) == "unsupported"
    assert (
        status(claim, call("Edit", {"file_path": "/repo/src/a.py", "old_string": "a", "new_string": "b"}))
        == "supported"
    )
    assert status(claim, call("Bash", {"command": "make fmt"}, "", code=0)) == "unverifiable"


def test_a_file_told_by_the_end_of_its_path_is_found_where_the_trace_touched_it():
    seen = []

    def look(claim):
        seen.append(claim.path)
        return (
            ("supported", "there") if claim.path == "packages/x/src/a.py" else ("contradicted", "there is no such file")
        )

    wrote = call("Write", {"file_path": "/repo/packages/x/src/a.py", "content": ""})
    assert status(ActionClaim("file_create", path="src/a.py"), wrote, look=look) == "supported"
    assert seen == ["src/a.py", "packages/x/src/a.py"]


def test_a_file_created_and_then_deleted_is_only_looked_up_as_deleted():
    claims = [ActionClaim("file_create", path="repro.py"), ActionClaim("file_delete", path="repro.py")]
    held = hold(claims, Trace("t"), lambda claim: ("supported", "it is gone"))
    assert [one.claim.kind for one in held] == ["file_delete"]
    assert untrue(held) == ()


def test_runs_that_add_up_to_what_was_reported_bear_it_out():
    api = call("Bash", {"command": "pytest api"}, "12 passed in 1s", code=0)
    web = call("Bash", {"command": "npm test"}, "Tests: 30 passed, 30 total\n...\nTests: 5 passed, 5 total", code=0)
    assert status(ActionClaim("tests_passed", passed=17), api, web) == "supported"
    assert status(ActionClaim("tests_passed", passed=30), api, web) == "supported"
    assert status(ActionClaim("tests_passed", passed=99), api, web) == "contradicted"
    broken = call("Bash", {"command": "npm test"}, "Tests: 1 failed, 30 passed, 31 total", code=1, ok=False)
    assert status(ActionClaim("tests_passed", passed=30), api, broken) == "contradicted"
