"""The file that a sentence points back to was left alone: `I left that workflow untouched`."""

from __future__ import annotations

import pytest

from .conftest import Session  # type: ignore[import-not-found]

NODE = "jobs:\n  a:\n    node: 18\n"
RELEASE, CI = ".github/workflows/release.yml", ".github/workflows/ci.yml"
LEFT = [
    "`release.yml` still has Node 18: you only asked for CI, so I left that workflow untouched.",
    "`release.yml` has Node 18, and I did not touch that workflow.",
    "`release.yml` hat Node 18, diesen Workflow habe ich nicht angefasst.",
    "`release.yml` est encore en Node 18, j'ai laissé ce workflow tel quel.",
    "`release.yml` sigue con Node 18, he dejado ese workflow intacto.",
]


@pytest.fixture
def raised(session: Session) -> Session:
    return session.has(CI, NODE).has(RELEASE, NODE).begins().edits(CI, "18", "20")


@pytest.mark.parametrize("said", LEFT)
def test_the_one_file_of_a_sentence_is_that_which_is_left_alone(raised: Session, said: str) -> None:
    report = f"- `ci.yml`: Node 20.\n\n{said}"
    assert raised.stop(report) == ""
    assert "release.yml was changed" in raised.edits(RELEASE, "18", "20").stop(report)


@pytest.mark.parametrize(
    "said",
    [
        "`release.yml` has it too; I left the script that it calls untouched.",
        "`release.yml` has it too; its permissions were odd, I left that as it was.",
        "`release.yml` has it too and calls `publish.sh`; I left that script untouched.",
        "`release.yml` and `deploy.yml` have it too, and I left that workflow untouched.",
        "`release.yml` has it too. I left that script of yours untouched.",
    ],
)
def test_something_else_that_is_left_alone_is_not_the_file(raised: Session, said: str) -> None:
    assert raised.edits(RELEASE, "18", "20").stop(f"`ci.yml` has Node 20. {said}") == ""
