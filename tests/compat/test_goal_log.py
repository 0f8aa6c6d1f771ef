"""The log of goal verifications in a real PostgreSQL."""

from __future__ import annotations

import asyncio
import uuid

import pytest

from witnessmark.compat import goal_log
from witnessmark.compat.goal import verify_result
from witnessmark.core.errors import InputError


@pytest.fixture
def database(postgres_url):
    import psycopg

    with psycopg.connect(postgres_url) as db:
        db.execute("CREATE TABLE interactions (id UUID PRIMARY KEY)")
        db.execute(goal_log.SCHEMA)
        yield db


@pytest.fixture
def kept(database):
    from psycopg.types.json import Jsonb

    interaction = str(uuid.uuid4())
    database.execute("INSERT INTO interactions (id) VALUES (%s)", (interaction,))
    verification = asyncio.run(verify_result("I cannot help with that.", "Describe Lisbon."))
    row = goal_log.row(verification, interaction_id=interaction, verification_type="tool", target_id="call-1")
    database.execute(goal_log.INSERT, row | {"result": Jsonb(row["result"])})
    return row


def test_a_verification_is_kept_as_a_row(database, kept):
    found = database.execute("SELECT * FROM verification_logs").fetchone()
    names = [column.name for column in database.execute("SELECT * FROM verification_logs").description]
    told = dict(zip(names, found, strict=True))
    assert told["id"] == uuid.UUID(kept["id"])  # req: S1-026
    assert told["target_id"] == "call-1"  # req: S1-029
    assert told["goal"] == "Describe Lisbon."  # req: S1-030
    assert told["result"] == kept["result"]  # req: S1-031
    assert kept["result"]["goalAchieved"] is False
    now = database.execute("SELECT now()").fetchone()[0]
    assert told["created_at"] == now, "the moment of the transaction that wrote it"  # req: S1-032


def test_the_tables_are_as_described(database, kept):
    import psycopg

    default = "SELECT verification_results FROM interactions"
    assert database.execute(default).fetchone()[0] == []  # req: S1-025
    names = {
        name for (name,) in database.execute("SELECT indexname FROM pg_indexes WHERE tablename = 'verification_logs'")
    }
    assert "idx_verification_logs_interaction" in names  # req: S1-033
    assert "idx_verification_logs_type" in names  # req: S1-034
    wrong = "INSERT INTO verification_logs (interaction_id, verification_type, target_id, goal, result) VALUES (%s, %s, 'x', 'x', '{}')"
    with pytest.raises(psycopg.errors.ForeignKeyViolation), database.transaction():  # req: S1-027
        database.execute(wrong, (str(uuid.uuid4()), "tool"))
    with pytest.raises(psycopg.errors.CheckViolation), database.transaction():  # req: S1-028
        database.execute(wrong, (kept["interaction_id"], "persona"))


def test_rows_are_refused_with_a_reason():
    good = {"goal": "x"}
    with pytest.raises(InputError, match="verification_type: 'x'"):
        goal_log.row(good, interaction_id=None, verification_type="x", target_id="a")
    with pytest.raises(InputError, match="target_id"):
        goal_log.row(good, interaction_id=None, verification_type="tool", target_id="")
