"""Verdicts as files that other tools read: JUnit XML, SARIF, and one self-contained HTML page."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote
from xml.etree import ElementTree

import msgspec

from witnessmark._version import __version__
from witnessmark.cli import options as opt
from witnessmark.cli.files import FileProblem
from witnessmark.core.case import Case
from witnessmark.core.record import Record
from witnessmark.core.verdict import OUTCOMES
from witnessmark.core.wrong_words import harmless, lines

if TYPE_CHECKING:
    from witnessmark.server.pages.marks import View

Verdicts = Sequence[tuple[str, Record]]
Problems = Sequence[FileProblem]


def save(file: str, content: bytes) -> None:
    """Write a report; - is standard output."""
    opt.save(file, content, "the report ")


# --- JUnit -------------------------------------------------------------------------------------------------------


def junit(verdicts: Verdicts, problems: Problems) -> bytes:
    """One test case each: fail and partial are failures, unverified and bad input are errors."""
    suite = ElementTree.Element("testsuite", name="witnessmark")
    for where, record in verdicts:
        test = ElementTree.SubElement(
            suite, "testcase", name=_xml(record.case_id), classname=record.checkpoint, file=_xml(where)
        )
        if record.outcome == "pass":
            continue
        tag = "error" if record.outcome == "unverified" else "failure"
        told = ElementTree.SubElement(test, tag, type=record.outcome, message=_xml(record.headline))
        told.text = "\n".join(line for finding in record.findings for line in lines(finding))
    for problem in problems:
        test = ElementTree.SubElement(suite, "testcase", name=_xml(problem.where), classname="input")
        ElementTree.SubElement(test, "error", type="input", message=_xml(problem.message))
    suite.set("tests", str(len(verdicts) + len(problems)))
    suite.set("failures", str(len(suite.findall("testcase/failure"))))
    suite.set("errors", str(len(suite.findall("testcase/error"))))
    written: bytes = ElementTree.tostring(suite, encoding="utf-8", xml_declaration=True)
    return written


def _xml(text: str) -> str:
    return harmless(text)


# --- SARIF -------------------------------------------------------------------------------------------------------

_LEVELS = {"error": "error", "warning": "warning", "info": "note"}


def sarif(verdicts: Verdicts, problems: Problems) -> bytes:
    """SARIF 2.1.0: a rule for each category, a result for each finding."""
    results: list[dict[str, Any]] = []
    for where, record in verdicts:
        for finding in record.findings:
            text = "\n".join(lines(finding))
            results.append(_sarif_result(where, finding.category, _LEVELS[finding.severity], text, record.id))
        if not record.findings and record.outcome != "pass":
            results.append(_sarif_result(where, record.outcome, "warning", harmless(record.reason), record.id))
    results += [_sarif_result(p.where, "input", "error", harmless(p.message), None) for p in problems]
    rules = [{"id": rule} for rule in sorted({result["ruleId"] for result in results})]
    driver = {"name": "witnessmark", "version": __version__, "rules": rules}
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": results}],
    }
    return msgspec.json.format(msgspec.json.encode(log), indent=2)


def _sarif_result(where: str, rule: str, level: str, text: str, record_id: str | None) -> dict[str, Any]:
    path, _, line = where.rpartition(":")
    uri, start = (path, int(line)) if path and line.isdigit() else (re.sub(r"\[\d+\]$", "", where), 1)
    place = {"artifactLocation": {"uri": quote(os.fsencode(Path(uri).as_posix()))}, "region": {"startLine": start}}
    made: dict[str, Any] = {"ruleId": rule, "level": level, "message": {"text": text}}
    made["locations"] = [{"physicalLocation": place}]
    if record_id:
        made["partialFingerprints"] = {"witnessmarkRecord": record_id}
    return made


# --- HTML --------------------------------------------------------------------------------------------------------


def html(verdicts: Verdicts, problems: Problems, cases: Mapping[str, bytes] | None = None) -> bytes:
    """One page with everything in it: no script, no other file, no other host. `cases` are those kept, by record id."""
    from witnessmark.server.pages import render

    views = _views(verdicts, cases or {})
    most = max((len(seen.claims) for seen in views.values()), default=0)
    style, style_hash = render.inline("style", "witnessmark.css", more="\n".join(map(_light, range(1, most + 1))))
    page = render.text_of(
        "verdicts.html",
        policy=render.alone(style_hash),
        style=style,
        verdicts=[(harmless(where), record) for where, record in verdicts],
        problems=[FileProblem(harmless(p.where), harmless(p.message)) for p in problems],
        counts={o: sum(r.outcome == o for _, r in verdicts) for o in OUTCOMES},
        views=views,
    )
    return page.encode()


def _light(number: int) -> str:
    """A claim and the places it rests on light up together: without a script, by one rule for each number."""
    mark = f'[data-claims~="{number}"]'
    return f"[data-claim-view]:has({mark}:is(:hover, :focus-within)) {mark} {{ outline: 2px solid var(--accent); }}"


def _views(verdicts: Verdicts, cases: Mapping[str, bytes]) -> dict[str, View]:
    """Responses with their claims marked, by record id, where the case was kept."""
    from witnessmark.server.pages.marks import view  # here: few runs write a page

    kept = {r.id: view(r, Case.from_json(cases[r.id])) for _, r in verdicts if r.claims and r.id in cases}
    return {record_id: seen for record_id, seen in kept.items() if seen is not None}
