"""Seeing it: the response coloured by claim status with its evidence, on the terminal and on the page."""

import json
import re

import pytest
from typer.testing import CliRunner

from witnessmark.cli.app import command_line

SOURCE = "Revenue grew 14 % in 2025, to 82 million euros. <script>alert(1)</script> Offices were opened."
TEXT = "Revenue grew 40 % in 2025 <b>\x1b[31m. Offices were opened. Is that all?"


@pytest.fixture
def case(tmp_path):
    body = {
        "id": "a",
        "goal": "g",
        "subject": {"kind": "answer", "text": TEXT},
        "evidence": [{"id": "d1", "text": SOURCE}],
    }
    file = tmp_path / "case.json"
    file.write_text(json.dumps(body), encoding="utf-8")
    return file


def run(*args):
    return CliRunner().invoke(command_line(), [str(arg) for arg in args])


def test_show_marks_each_claim_and_names_its_evidence(case, tmp_path):
    store = f"sqlite:///{tmp_path}/s.db"
    done = run("verify", case, "--store", store, "--json")
    shown = run("show", json.loads(done.stdout)["id"], "--store", store).stdout
    assert "Revenue grew **40 %** in 2025 <b>�[31m.[1] Offices were opened.[2] Is that all?" in shown
    assert '[1] contradicted: "40 %" differs from source d1, which says "14 %"' in shown  # req: S4-047
    assert "d1 13–17: “14 %”" in shown
    assert "\x1b" not in shown


def test_the_page_links_claims_and_evidence_both_ways_and_escapes_both(case, tmp_path):
    page = tmp_path / "r.html"
    run("verify", case, "--store", f"sqlite:///{tmp_path}/s.db", "--html", page)
    html = page.read_text(encoding="utf-8")
    claim = re.search(
        r'<a class="claim contradicted" id="r1-c1" data-claims="1" href="#r1-e1" title="([^"]*)">Revenue grew </a>',
        html,
    )
    assert claim
    assert claim.group(1) == "contradicted: &#34;40 %&#34; differs from source d1, which says &#34;14 %&#34;"
    assert re.search(r'<mark class="place contradicted" data-claims="1">14 %<a id="r1-e1" href="#r1-c1"', html)
    assert re.search(r'<meter[^>]*value="0.25"></meter> 0.25 \(very low\)', html)  # req: S4-046
    assert "<script>alert" not in html
    assert "2025 &lt;b&gt;" in html


def test_a_page_without_the_case_still_names_the_findings(case, tmp_path):
    config = tmp_path / "witnessmark.toml"
    config.write_text('[content]\nkeep = "digest"\n', encoding="utf-8")
    page = tmp_path / "r.html"
    run("verify", case, "--store", f"sqlite:///{tmp_path}/s.db", "--html", page, "--config", config)
    html = page.read_text(encoding="utf-8")
    assert "contradicted claim" in html
    assert "r1-c1" not in html


def test_the_settings_of_verification_are_read_from_the_file(case, tmp_path):
    config = tmp_path / "witnessmark.toml"
    config.write_text(
        "[verification]\nconfidence_threshold = 0.2\nmax_crag_attempts = 1\nshow_claims = true\n", encoding="utf-8"
    )
    done = run("verify", case, "--store", f"sqlite:///{tmp_path}/s.db", "--json", "--config", config)
    details = next(said["details"] for said in json.loads(done.stdout)["results"] if said["check"] == "grounding")
    assert details["threshold"] == 0.2  # req: S4-045
    config.write_text("[verification]\ntreshold = 0.2\n", encoding="utf-8")
    wrong = run("verify", case, "--config", config)
    assert wrong.exit_code != 0
