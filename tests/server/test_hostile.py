"""One tenant sends the worst of each kind for a few seconds; the other one loses nothing, and memory stays bounded."""

from __future__ import annotations

from bench.bench_service import hostile


def test_a_hostile_tenant_costs_another_one_no_request(tmp_path):
    """How soon it meets which quota depends on the machine; that quotas hold is shown in test_admission."""
    (found,) = hostile(tmp_path, 2.0, connections=2, warm_s=0.2)
    assert found["well"]
    assert found["under"]["count"] > 0
    assert found["under"]["errors"] == 0
    assert sum(found["sent"].values()) > 0, "the hostile tenant was answered"
    assert not [told for told in found["sent"] if " 500" in told]
    assert found["peak_mb"] < 4_096
