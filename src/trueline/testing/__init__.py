"""What users test with: judges that answer from a script, handed in where real ones would be."""

from trueline.judges.scripted import ScriptedJudge
from trueline.testing.judges import OneJudge, scores

__all__ = ["OneJudge", "ScriptedJudge", "scores"]
