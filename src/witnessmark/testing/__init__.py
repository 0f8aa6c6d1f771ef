"""What users test with: judges that answer from a script, handed in where real ones would be.

Beside these, `stub_server` is an endpoint with faults, and `injections` are texts that try to talk a judge round.
"""

from witnessmark.judges.scripted_judge import ScriptedJudge
from witnessmark.testing.judges import OneJudge, scores
from witnessmark.testing.perfect_reader import PerfectReader

__all__ = ["OneJudge", "PerfectReader", "ScriptedJudge", "scores"]
