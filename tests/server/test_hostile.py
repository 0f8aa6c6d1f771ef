"""One tenant sends the worst of each kind for a few seconds; the other one loses nothing, and memory stays bounded."""

from __future__ import annotations

from bench.bench_service import hostile


def test_a_hostile_tenant_costs_another_one_no_request(tmp_path):
    for seconds in (2.0, 10.0, 40.0):  # on a busy machine it takes longer until the quota is met
        (tmp_path / str(seconds)).mkdir()
        (found,) = hostile(tmp_path / str(seconds), seconds, connections=2)
        if any("429" in told for told in found["sent"]):
            break
    assert found["well"]
    assert found["under"]["count"] > 0
    assert found["under"]["errors"] == 0
    assert any("429" in told for told in found["sent"]), "it met its quota"
    assert found["peak_mb"] < 4_096
