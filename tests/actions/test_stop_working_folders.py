"""Where a command runs decides which files it changed: the folder its tool was given, the one the trace tells, or the one `cd` led to."""

from __future__ import annotations

import json

import pytest

from witnessmark.actions.trace.calls import ToolCall, Trace
from witnessmark.actions.trace.ledger import ledger_of
from witnessmark.integrations.hook.memory import HookMemory
from witnessmark.integrations.hook.reply import reply_to

from .conftest import git  # type: ignore[import-not-found]

GIVEN = ["workdir", "cwd", "dir_path", "directory", "working_directory"]
"""What agents call the folder that a command is to run in."""
TOLD = ["Created `packages/api/x.ts`.", "I updated `packages/api/x.ts`.", "Created `x.ts` in `packages/api`."]
NOT_CHANGED = "no call in the trace changed it"


def in_folder(session, command, folder, key="workdir", output=""):
    """A shell tool was given a command and the folder to run it in."""
    return session.uses("shell", output, command=command, **{key: folder})


@pytest.fixture
def monorepo(session):
    """A tree with a package in it; another file of the package and one of the same name at the root lie there already."""
    return session.has("packages/api/x.ts").has("packages/api/y.ts").has("y.ts")


class TestTheFolderThatAToolWasGiven:
    @pytest.mark.parametrize("key", GIVEN)
    @pytest.mark.parametrize("said", TOLD)
    def test_what_was_written_there_may_be_told(self, monorepo, key, said):
        assert in_folder(monorepo, "touch x.ts", "packages/api", key).stop(said) == ""

    @pytest.mark.parametrize("key", GIVEN)
    def test_another_file_of_that_folder_was_not_written(self, monorepo, key):
        in_folder(monorepo, "touch x.ts", "packages/api", key)
        assert NOT_CHANGED in monorepo.stop("I updated `packages/api/y.ts`.")

    def test_a_file_of_the_same_name_at_the_root_was_not_written(self, monorepo):
        in_folder(monorepo, "touch z.ts y.ts", "packages/web")
        assert NOT_CHANGED in monorepo.stop("I updated `packages/api/y.ts`.")

    def test_it_may_be_told_in_full(self, monorepo):
        in_folder(monorepo, "touch x.ts", str(monorepo.root / "packages/api"))
        assert monorepo.stop("I updated `packages/api/x.ts`.") == ""
        assert NOT_CHANGED in monorepo.stop("I updated `packages/api/y.ts`.")

    @pytest.mark.parametrize("folder", ["", ".", "./"])
    def test_the_root_itself_is_no_other_folder(self, monorepo, folder):
        in_folder(monorepo, "touch y.ts", folder)
        assert monorepo.stop("I updated `y.ts`.") == ""
        assert NOT_CHANGED in monorepo.stop("I updated `packages/api/x.ts`.")

    def test_cd_leads_on_from_it(self, monorepo):
        in_folder(monorepo, "cd api && touch x.ts", "packages")
        assert monorepo.stop("I updated `packages/api/x.ts`.") == ""

    def test_a_patch_names_its_files_from_it(self):
        patch = "*** Begin Patch\n*** Update File: x.ts\n@@\n-a\n+b\n*** End Patch\n"
        call = ToolCall("c", "shell", {"command": ["apply_patch", patch], "workdir": "packages/api"}, "", 0, True)
        assert [change.path for change in ledger_of(Trace("t", (call,))).changes] == ["packages/api/x.ts"]

    def test_a_deletion_there_must_be_said_and_may_be(self, monorepo):
        monorepo.begins()
        (monorepo.root / "packages/api/y.ts").unlink()
        in_folder(monorepo, "rm y.ts", "packages/api")
        assert monorepo.stop("Deleted `packages/api/y.ts`.") == ""
        assert "packages/api/y.ts: deleted" in monorepo.stop("Tidied the imports up.")

    def test_output_goes_to_where_git_was_called_from(self, monorepo):
        monorepo.runs("git -C packages/api diff > y.ts")
        assert monorepo.stop("I updated `y.ts`.") == ""
        assert NOT_CHANGED in monorepo.stop("I updated `packages/api/y.ts`.")

    def test_git_itself_works_where_it_is_told_to(self, monorepo):
        monorepo.runs("git -C packages/api mv old.ts x.ts")
        assert monorepo.stop("Created `packages/api/x.ts`.") == ""
        assert NOT_CHANGED in monorepo.stop("Created `packages/api/y.ts`.")


class TestTheFolderThatATraceTells:
    """Claude Code writes with every line where its shell is; Codex where the session is."""

    @pytest.fixture
    def moved(self, monorepo):
        """A shell that stayed in the package after a first command went there."""
        monorepo.runs("cd packages/api && npm ci").runs("touch x.ts")
        for number, item in enumerate(monorepo.items):
            item["cwd"] = str(monorepo.root / "packages/api") if number > 2 else str(monorepo.root)
        return monorepo

    @pytest.mark.parametrize("said", TOLD)
    def test_what_was_written_there_may_be_told(self, moved, said):
        assert moved.stop(said) == ""

    def test_another_file_of_that_folder_was_not_written(self, moved):
        assert NOT_CHANGED in moved.stop("I updated `packages/api/y.ts`.")

    @pytest.mark.parametrize("began", ["/home/someone/repo", None])
    def test_a_tree_that_lies_elsewhere_than_the_session_was(self, tmp_path, began):
        place = tmp_path / "repo" / "packages" / "api"
        place.mkdir(parents=True)
        (place / "x.ts").touch()
        (place / "y.ts").touch()
        root = began or str(tmp_path / "repo")
        given = json.dumps({"cmd": "touch x.ts", "workdir": f"{root}/packages/api"})
        call = {"type": "function_call", "call_id": "c", "name": "exec_command", "arguments": given}
        back = {"type": "function_call_output", "call_id": "c", "output": "Process exited with code 0"}
        items = [
            {"type": "session_meta", "payload": {"id": "s", "cwd": root}},
            {"type": "event_msg", "payload": {"type": "user_message", "message": "Please."}},
            {"type": "response_item", "payload": call},
            {"type": "response_item", "payload": back},
        ]
        (tmp_path / "rollout.jsonl").write_text("\n".join(map(json.dumps, items)))

        def stop(report):
            payload = {"session_id": "s", "transcript_path": f"{tmp_path}/rollout.jsonl", "cwd": f"{tmp_path}/repo"}
            told = json.dumps(payload | {"last_assistant_message": report}).encode()
            return reply_to(told, HookMemory(tmp_path / "state"), 3).body

        assert stop("I updated `packages/api/x.ts`.") is None
        assert NOT_CHANGED in str(stop("I updated `packages/api/y.ts`."))


class TestAShellThatMayHaveStayed:
    """Some shells stay where the call before went, others begin anew: the trace does not say which this one is."""

    @pytest.mark.parametrize("said", TOLD)
    def test_what_may_have_been_written_there_is_left_open(self, monorepo, said):
        assert monorepo.runs("cd packages/api && npm ci").runs("touch x.ts").stop(said) == ""

    def test_where_no_call_went_nothing_was_written(self, monorepo):
        monorepo.runs("cd packages/web && npm ci").runs("touch x.ts")
        assert NOT_CHANGED in monorepo.stop("I updated `packages/api/x.ts`.")

    def test_what_no_call_named_was_not_written(self, monorepo):
        monorepo.runs("cd packages/api && npm ci").runs("touch x.ts")
        assert NOT_CHANGED in monorepo.stop("I updated `packages/api/y.ts`.")


class TestWhatWentByAPatternThere:
    """A pattern, a loop or a list names what was there, in the folder that the command ran in."""

    COMMANDS = [
        "rm docs/*.md",
        "cd docs && rm *.md",
        "for f in docs/*.md; do rm $f; done",
        "find . -name '*.md' -delete",
        "xargs rm < list.txt",
        "git ls-files docs | xargs rm",
        "git clean -fd docs",
        "git -C ../api rm -q 'docs/*.md'",
        "python -c \"import shutil; shutil.rmtree('docs')\"",
    ]
    FOLDERS = ["packages/api", "ROOT/packages/api"]

    @pytest.fixture
    def begun(self, session):
        """The same page in a package and at the root, and a turn that is over."""
        session.has("packages/api/docs/a.md").has("packages/api/list.txt").has("docs/a.md").has("src/app.py").begins()
        return session.edits("src/app.py", "x = 1", "x = 2").asks("Now tidy up.")

    def takes(self, begun, gone, command, folder):
        (begun.root / gone).unlink()
        return in_folder(begun, command, folder.replace("ROOT", str(begun.root)))

    @pytest.mark.parametrize("folder", FOLDERS)
    @pytest.mark.parametrize("command", COMMANDS)
    def test_it_must_be_said_and_may_be(self, begun, command, folder):
        self.takes(begun, "packages/api/docs/a.md", command, folder)
        assert "packages/api/docs/a.md: deleted" in begun.stop("All is tidy now.")
        assert begun.stop("Deleted `packages/api/docs/a.md`.") == ""

    @pytest.mark.parametrize("folder", FOLDERS)
    @pytest.mark.parametrize("command", COMMANDS)
    def test_what_went_elsewhere_somebody_else_took(self, begun, command, folder):
        assert self.takes(begun, "docs/a.md", command, folder).stop("All is tidy now.") == ""

    @pytest.mark.parametrize("folder", ["packages/api", "ROOT/packages/api", "ROOT"])
    @pytest.mark.parametrize("command", ["rm *.orig", "find . -name '*.orig' -delete", "git clean -fd docs"])
    def test_such_a_turn_did_something_wherever_the_tree_lies(self, session, command, folder):
        in_folder(session.has("src/app.py").begins(), command, folder.replace("ROOT", str(session.root)))
        assert "nothing was deleted" in session.stop("`src/legacy.py` was deleted.")


class TestWorkThatGitPutAwayThere:
    """The person's work that is lost is named from the root, wherever git was told to put it away."""

    @pytest.fixture
    def repository(self, session):
        session.has("packages/api/x.ts", "a\n").has("x.ts", "a\n")
        git(session.root, "init", "-q", "-b", "main", ".")
        git(session.root, "add", "-A")
        git(session.root, "-c", "user.email=a@example.org", "-c", "user.name=a", "commit", "-qm", "x")
        return session.has("packages/api/x.ts", "a\nan hour of work\n")

    @pytest.mark.parametrize("folder", ["packages/api", "ROOT/packages/api"])
    @pytest.mark.parametrize("command", ["git checkout -- x.ts", "git restore .", "git -C ../api checkout -- x.ts"])
    def test_it_must_be_said(self, repository, folder, command):
        repository.begins()
        git(repository.root, "checkout", "--", "packages/api/x.ts")
        in_folder(repository, command, folder.replace("ROOT", str(repository.root)))
        assert "packages/api/x.ts: work that was not committed was put away" in repository.stop("Nothing to do.")

    def test_a_file_of_the_same_name_elsewhere_lost_nothing(self, repository):
        repository.begins()
        in_folder(repository, "git checkout -- x.ts", "packages/web")
        in_folder(repository, "git checkout -- packages/api/x.ts", "/somewhere/else")
        assert repository.stop("Nothing to do.") == ""

    @pytest.mark.parametrize(
        ("look", "shown"),
        [("git status --short", " M x.ts\n"), ("git status --porcelain", " M packages/api/x.ts\n")],
    )
    def test_git_status_names_files_from_where_it_runs_or_from_the_top(self, repository, look, shown):
        in_folder(repository, look, "packages/api", output=shown)
        in_folder(repository, "git checkout -- x.ts", "packages/api")
        assert "packages/api/x.ts: work that was not committed" in repository.stop("Nothing to do.")


class TestOutsideOfTheTree:
    TOLD = (
        "In a temporary folder the first call wrote `b.tgz`, the second was refused.",
        "I tried it in a scratch folder, and it created `b.tgz`.",
        "Dans un dossier temporaire, le premier appel a écrit `b.tgz`, le second a été refusé.",
    )

    @pytest.mark.parametrize("said", TOLD)
    @pytest.mark.parametrize(
        ("command", "output"),
        [
            ("cd /tmp/t && sh backup.sh b.tgz", ""),
            ('cd "$(mktemp -d)" && tar czf b.tgz .', ""),
            ("cd .. && sh scripts/backup.sh", "wrote b.tgz"),
        ],
    )
    def test_a_file_that_a_command_made_there_may_be_told(self, session, said, command, output):
        assert session.edits("backup.sh", "tar", "tar czf").runs(command, output).stop(said) == ""

    @pytest.mark.parametrize("said", ["I created `b.tgz`.", "J'ai créé `b.tgz`."])
    def test_one_that_no_command_there_names_is_missed(self, session, said):
        session.edits("backup.sh", "tar", "tar czf").runs("cd /tmp/t && ls").runs("sh backup.sh b.tgz")
        assert "the file is not there" in session.stop(said)
