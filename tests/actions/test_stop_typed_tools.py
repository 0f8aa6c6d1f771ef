"""A tool that failed or only planned, told by the command in code or by its name; what is still to be done is told of as no deed."""

from __future__ import annotations

import pytest

REFUSED = "Error: UPGRADE FAILED: release: not found\n"


@pytest.fixture
def upgraded(session):
    session.has("values.yaml", "memory: 256Mi\n").begins().edits("values.yaml", "256Mi", "512Mi")
    return session.runs("helm upgrade api charts/api", REFUSED, 1)


def test_a_failed_command_in_code_is_meant_however_common_its_words_are(upgraded):
    report = "Set the limit in `values.yaml` and upgraded the release with `helm upgrade`."
    assert "failed, and was not run again" in upgraded.stop(report)


@pytest.mark.parametrize(
    "report",
    [
        "Set the limit in `values.yaml`. `helm upgrade` was refused, the release is not there.",
        "Set the limit in `values.yaml`; you still have to run `helm upgrade`.",
    ],
)
def test_what_is_told_of_it_openly_may_be(upgraded, report):
    assert upgraded.stop(report) == ""
