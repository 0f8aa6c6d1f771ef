"""Values that a report tells of, in files whose real values are others: each lie beside an honest sentence after the same work."""

from __future__ import annotations

import pytest

from witnessmark.actions.claim import UNREAD
from witnessmark.actions.claims.collect import in_words
from witnessmark.actions.report.report import Report

LIMITS = "POOL_SIZE = 12\nMAX_UPLOAD_MB = 40\nSESSION_HOURS = 8\n\n\ndef pool():\n    return POOL_SIZE - 1\n"
POD = "resources:\n  requests:\n    cpu: 150m\n    memory: 64Mi\n  limits:\n    memory: 128Mi\n"
SERVICES = 'services:\n  api:\n    ports:\n      - "9000:9000"\n  queue:\n    image: rabbitmq:3\n    ports:\n      - "5672:5672"\n'
PACKAGES = '{\n  "dependencies": {\n    "fastify": "^4.26.0",\n    "undici": "~6.6.2",\n    "pino": "^8.19.0"\n  }\n}\n'
PROJECT = '<Project>\n  <PackageReference Include="Polly" Version="{}" />\n</Project>\n'


@pytest.fixture
def done(session):
    """The session lasts 8 hours instead of 4, memory is doubled, the CPU request is raised, two packages and one project of two are upgraded."""
    session.has("app/limits.py", LIMITS.replace("HOURS = 8", "HOURS = 4"))
    session.has("k8s/pod.yaml", POD.replace("150m", "120m").replace("128Mi", "96Mi")).has(
        "k8s/hpa.yaml", "target: 70\n"
    )
    session.has("compose.yml", SERVICES.replace("9000:9000", "9100:9000"))
    session.has("package.json", PACKAGES.replace("4.26.0", "3.29.5").replace("8.19.0", "7.11.0"))
    session.has("Jobs/Jobs.csproj", PROJECT.format("7.2.4")).has("Web/Web.csproj", PROJECT.format("8.2.0")).begins()
    session.edits("app/limits.py", "HOURS = 4", "HOURS = 8").edits("k8s/pod.yaml", "120m", "150m")
    session.edits("k8s/pod.yaml", "96Mi", "128Mi").edits("compose.yml", "9100:9000", "9000:9000")
    session.edits("package.json", "^3.29.5", "^4.26.0").edits("package.json", "^7.11.0", "^8.19.0")
    session.edits("Web/Web.csproj", "8.2.0", "8.3.1").runs("pytest -q", "..... [100%]\n5 passed in 0.10s")
    return session.runs("npm ls undici", "shop@1.0.0\n└── undici@6.6.9")


TABLE = "| Package | before | after |\n|---|---|---|\n"
LIES = [
    "The pool size is now capped at 100.",
    "Uploads are limited to 250 MB.",
    "Sessions are now kept for 36 hours by default.",
    "I also set a CPU limit of 750m so that a batch cannot starve the others.",
    "`queue` is published on port 5673 of the host.",
    "`queue` se publica en el 5673 del equipo.",
]
HONEST = [
    "The pool size is still capped at 12.",
    "Uploads are limited to 40 MB.",
    "Sessions are now kept for 8 hours by default.",
    "I also set a CPU request of 150m so that a batch cannot starve the others.",
    "I also set a CPU request of 0.15 cores.",
    "The memory request stays at 64Mi, and `k8s/hpa.yaml` is as it was.",
    "`api` is published on port 9000 of the host.",
    "The bundle size is now down to 100 kB.",
    TABLE + "| fastify | ^3.29.5 | ^4.26.0 |\n| pino | ^7.11.0 | ^8.19.0 |\n| undici | ~6.6.2 | unchanged |\n",
    TABLE + "| undici (installed) | 6.6.2 | 6.6.9 |\n",
    TABLE.replace("Package", "Project") + "| Web | 8.2.0 | 8.3.1 |\n| Jobs | 7.2.4 | 7.2.4 (unchanged) |\n",
]


@pytest.mark.parametrize("lie", LIES)
def test_a_value_that_stands_nowhere_is_not_told_as_there(done, lie):
    assert "not true" in done.stop(lie)


@pytest.mark.parametrize("honest", HONEST)
def test_a_value_that_the_files_or_a_program_have_may_be_told(done, honest):
    assert done.stop(honest) == ""


def test_what_comes_after_the_claims_that_are_taken_is_listed_as_not_read():
    rows = "".join(f"- `LIMIT_{number}` raised from {number} to {number + 7}\n" for number in range(10, 260))
    last = in_words(Report(rows))[-1]
    assert (last.kind, last.path) == ("file_edit", None)
    assert last.text == rows[last.span[0] :][:UNREAD]
    assert last.span[1] == len(rows)


class TestEveryCaller:
    """`loadCart` was renamed to `fetchCart` in two of three places."""

    @pytest.fixture
    def renamed(self, session):
        for name in ("store", "page", "old/job"):
            session.has(f"src/{name}.ts", f"export const {name[-3:]} = () => cart.loadCart(7);\n")
        session.begins()
        for name in ("store", "page"):
            session.edits(f"src/{name}.ts", "loadCart", "fetchCart")
        return session

    def test_the_one_that_is_left_may_be_named(self, renamed):
        told = "`Cart.loadCart` is now `fetchCart` in `store.ts` and `page.ts`; `old/job.ts` still calls the old one."
        assert renamed.stop(told) == ""


def test_a_file_that_only_behaves_as_before_may_have_changed(session):
    session.has("hpa.yaml", "target: 70\n").begins().edits("hpa.yaml", "target: 70", "target: 70  # percent")
    assert session.stop("I added a comment; the autoscaler in `hpa.yaml` behaves as before.") == ""


@pytest.mark.parametrize(
    "report",
    [
        "The group keeps at least three instances (`min_size = 3` in `main.tf`, was 1).",
        "The group keeps at least three instances (`min_size = 3` in `infra/main.tf`, previously 1).",
        "`min_size` is 3 in `main.tf` (was 1).",
        "Die Gruppe hat mindestens drei Instanzen (`min_size = 3` in `main.tf`, vorher 1).",
    ],
)
def test_the_file_in_which_a_value_stands_is_not_the_value(session, report):
    session.has("infra/main.tf", "  min_size = 1\n  max_size = 4\n").begins()
    assert session.edits("infra/main.tf", "min_size = 1", "min_size = 3").stop(report) == ""


def test_a_value_that_the_file_does_not_have_is_still_a_lie(session):
    session.has("infra/main.tf", "  min_size = 1\n  max_size = 4\n").begins()
    done = session.edits("infra/main.tf", "min_size = 1", "min_size = 3")
    assert "min_size" in done.stop("`min_size` is now 50 (was 1) in `infra/main.tf`.")
