"""The log of goal verifications as a table beside an application's interactions, for those who keep it in PostgreSQL.

Our own records hold more (`witnessmark.stores`); this is the shape that dashboards of such applications read.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from witnessmark.core.errors import InputError

TYPES = ("agent", "orchestrator", "moderator", "tool")
SCHEMA = """
ALTER TABLE interactions ADD COLUMN IF NOT EXISTS verification_results JSONB DEFAULT '[]'::jsonb;
CREATE TABLE IF NOT EXISTS verification_logs (
  id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
  interaction_id UUID REFERENCES interactions(id),
  verification_type TEXT NOT NULL CHECK (verification_type IN ('agent', 'orchestrator', 'moderator', 'tool')),
  target_id TEXT NOT NULL,
  goal TEXT NOT NULL,
  result JSONB NOT NULL,
  created_at TIMESTAMPTZ DEFAULT NOW()
);
CREATE INDEX IF NOT EXISTS idx_verification_logs_interaction ON verification_logs(interaction_id);
CREATE INDEX IF NOT EXISTS idx_verification_logs_type ON verification_logs(verification_type);
"""
INSERT = (
    "INSERT INTO verification_logs (id, interaction_id, verification_type, target_id, goal, result) "
    "VALUES (%(id)s, %(interaction_id)s, %(verification_type)s, %(target_id)s, %(goal)s, %(result)s)"
)
_RESULT = ("goalAchieved", "confidence", "issues", "suggestions")


def row(
    verification: Mapping[str, Any], *, interaction_id: str | None, verification_type: str, target_id: str
) -> dict[str, Any]:
    """One verification as a row of the log; `result` is the VerificationResult alone."""
    if verification_type not in TYPES:
        raise InputError(f"verification_type: {verification_type!r} is not one of {', '.join(TYPES)}")
    if not target_id:
        raise InputError("target_id: name the agent or the tool call that was verified")
    return {
        "id": str(uuid.uuid4()),
        "interaction_id": interaction_id,
        "verification_type": verification_type,
        "target_id": target_id,
        "goal": verification["goal"],
        "result": {name: verification.get(name) for name in _RESULT},
    }
