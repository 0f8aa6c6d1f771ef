"""The metric dictionary: every figure with its exact numerator and denominator, from dictionary.toml."""

from __future__ import annotations

import tomllib
from importlib import resources

from witnessmark.core.thresholds import threshold
from witnessmark.insight.figure import Metric

PASSED_AT, STRICTER = threshold("pass_threshold"), threshold("stricter")
_WORDS = resources.files("witnessmark.insight").joinpath("dictionary.toml").read_text(encoding="utf-8")
_TOLD = _WORDS.replace("{passed_at}", str(PASSED_AT)).replace("{stricter}", str(STRICTER))

DICTIONARY = tuple(Metric(name=name, **fields) for name, fields in tomllib.loads(_TOLD).items())
BY_NAME = {metric.name: metric for metric in DICTIONARY}
