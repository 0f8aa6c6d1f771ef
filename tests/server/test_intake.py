"""The cases of a job as they come in."""

from witnessmark.core.work.inputs import InputLimits
from witnessmark.server.jobs.intake import read_cases


def test_a_case_that_is_refused_keeps_its_id():
    body = b'{"cases": [{"id": "bad", "answr": "x"}, {"id": "good", "question": "q", "answer": "x"}, {"id": 3}]}'
    bad, good, odd = read_cases(body, by_line=False, most=10, limits=InputLimits())
    assert (bad[0], bad[1], "answr" in (bad[2] or "")) == ("bad", None, True)
    assert (good[0], good[2]) == ("good", None)
    assert odd[0] is None
