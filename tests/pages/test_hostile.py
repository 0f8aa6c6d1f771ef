"""What is judged is hostile: whatever stands in a form field or a record, no script of its runs and no element of its appears.

The browser is told to ignore the pages' policy (`bypass_csp`), so that escaping alone has to hold.
"""

from __future__ import annotations

import asyncio
from urllib.parse import quote

import httpx
import pytest

from witnessmark.core.case import Case
from witnessmark.insight import review
from witnessmark.server.pages.comments import remark
from witnessmark.settings import Settings
from witnessmark.stores import open_store
from witnessmark.verifier import Verifier

from .conftest import elsewhere, first_record, patient_context, serving

PAYLOADS = (
    "<script>window.hit=1</script>",
    "\"><img src=x onerror=window.hit=1>",
    "'><svg onload=window.hit=1>",
    "</textarea></title></style><script>window.hit=1</script>",
    "javascript:window.hit=1",
    "{{7*7}}${7*7}<%= 7*7 %>",
    "\u202e</script><iframe srcdoc='<script>parent.hit=1</script>'>",
    "x\" onfocus=window.hit=1 autofocus=\"",
)  # fmt: skip
ALL = " ".join(PAYLOADS)
IN_ADDRESSES = (" ".join(PAYLOADS[:2]), " ".join(PAYLOADS[2:4]), PAYLOADS[4], " ".join(PAYLOADS[5:]))
"""Short enough for every field. Whatever gets out of its quotes or its element does so wherever it stands; a scheme must come first."""
FORMS = (
    "/ui/records",
    "/ui/verify?example=figure",
    "/ui/calibration",
    "/ui/settings",
    "/ui/review",
    "record",
    "/login",
)
FILL = """([number, text]) => {
  const form = document.forms[number];
  for (const field of form.elements) {
    field.removeAttribute("required"); field.removeAttribute("maxlength"); field.removeAttribute("disabled");
    if (field.tagName === "SELECT") { field.add(new Option(text, text)); field.value = text; }
    else if (field.type === "radio") { field.value = text; field.checked = true; }
    else if (field.type === "date") { field.type = "text"; field.value = text; }
    else if (field.tagName !== "FIELDSET" && field.tagName !== "BUTTON") field.value = text;
  }
  window.leaving = true;
  form.removeAttribute("hx-get"); form.removeAttribute("hx-post");
  HTMLFormElement.prototype.submit.call(form);
}"""


@pytest.fixture
def bare(browser):
    """A page without the protection of a policy."""
    context = patient_context(browser, bypass_csp=True)
    page = context.new_page()
    page.on("dialog", lambda dialog: dialog.dismiss())
    yield page
    context.close()


def unhurt(page):
    """Nothing ran, and nothing came in as an element or an attribute that runs."""
    hurt = page.evaluate(
        """() => [window.hit, document.querySelectorAll("script:not([src])").length,
        document.querySelectorAll("img, iframe, [onerror], [onload], [onfocus], [srcdoc], svg[onload]").length,
        [...document.querySelectorAll("a[href], form[action]")].filter((e) => /^\\s*javascript:/i.test(e.getAttribute("href") || e.getAttribute("action"))).length]"""
    )
    return hurt == [None, 0, 0, 0]


def hostile_case(text):
    return {
        "id": "hostile " + "".join(c for c in text if c.isprintable())[:400],
        "goal": text,
        "subject": {"kind": "synthesis", "text": f"The {text} figure is 40 %. It is {text} sure."},
        "evidence": [
            {"id": text, "kind": "agent_output", "origin": text, "text": f"The {text} figure is 14 %.", "data": {"subgoal": text, "rests_on": [text + "t"]}},
            {"id": text + "t", "kind": "tool_call", "name": text, "input": text, "output": text, "exit_code": 1},
        ],
        "criteria": [{"text": text}, {"check": "contains_keywords", "value": [text]}],
        "executor": {"id": text, "model": text, "cost_usd": 0.1},
    }  # fmt: skip


@pytest.fixture(scope="module")
def hostile(pool, tmp_path_factory):
    """A store in which every text that came from outside is hostile."""
    url = f"sqlite:///{tmp_path_factory.mktemp('hostile')}/h.db"

    async def work():
        store = open_store(url)
        verifier = Verifier(Settings(), store=store)
        for text in (ALL, *PAYLOADS):
            record = await verifier.verify(Case.from_dict(hostile_case(text)))
            again = await verifier.verify(Case.from_dict(hostile_case(text)), attempt=2, parent=record.id)
            goal = await verifier.verify(
                Case.from_dict({"checkpoint": "goal", "goal": text, "subject": {"kind": "answer", "text": text}})
            )
            await review.override(store, again.id, outcome="pass", reason=text, by=text[:200])
            await review.outcome(store, again.id, outcome="fail", reason=text, facts={text: text})
            await remark(store, "default", goal.id, text, text)
        await verifier.close()

    elsewhere(work)
    with serving(Settings(store=url), pool) as base:
        yield base


def test_nothing_in_a_record_runs(bare, hostile):
    seen = 0
    for path in ("/", "/ui/records", "/ui/review", "/ui/calibration", "/ui/settings"):
        bare.goto(hostile + path)
        assert unhurt(bare), path
    bare.goto(f"{hostile}/ui/records")
    links = bare.eval_on_selector_all("a.rowlink", "links => links.map((link) => link.getAttribute('href'))")
    for link in links:
        bare.goto(hostile + link)
        assert unhurt(bare), link
        seen += "hit=1" in bare.inner_text("main")
    assert len(links) >= 20
    assert seen >= 20


def test_nothing_in_a_form_field_runs(bare, hostile):
    tried = 0
    for path in FORMS:
        where = hostile + (first_record(hostile) if path == "record" else path)
        bare.goto(where)
        for number in range(bare.evaluate("document.forms.length")):
            bare.goto(where)
            bare.evaluate(FILL, [number, ALL])
            bare.wait_for_function("() => document.readyState === 'complete' && !window.leaving")
            assert unhurt(bare), f"{path} form {number}"
            tried += 1
    assert tried >= 12


@pytest.mark.parametrize(
    "address",
    [
        "/?days={}", "/ui/records?q={}", "/ui/records?outcome={}&action={}&checkpoint={}", "/ui/records?since={}",
        "/ui/records?after={}", "/ui/records/{}", "/ui/verify?example={}", "/ui/calibration?see={}",
        "/ui/experiments/{}", "/ui/review?after={}", "/login?next={}",
    ],
)  # fmt: skip
def test_nothing_in_an_address_runs(bare, hostile, address):
    for text in IN_ADDRESSES:
        bare.goto(hostile + address.replace("{}", quote(text, safe="")))
        assert unhurt(bare), text


def test_nothing_in_the_reports_runs(bare, hostile, tmp_path, root):
    """The file of `witnessmark report`, and the one of `verify --html`, opened from the disk."""
    from typer.testing import CliRunner

    from witnessmark.cli.app import command_line

    case, lines = tmp_path / "case.json", tmp_path / "records.jsonl"
    import msgspec

    case.write_bytes(msgspec.json.encode(hostile_case(ALL)))
    made = elsewhere(lambda: asyncio.to_thread(
        CliRunner().invoke, command_line(), ["verify", "--store", f"sqlite:///{tmp_path}/r.db", "--html", str(tmp_path / "verify.html"), "--json", str(case)]
    ))  # fmt: skip
    lines.write_text(made.stdout)
    done = elsewhere(
        lambda: asyncio.to_thread(
            CliRunner().invoke, command_line(), ["report", str(lines), "-o", str(tmp_path / "report.html")]
        )
    )
    assert done.exit_code == 0, done.output
    for name in ("verify.html", "report.html"):
        bare.goto(f"file://{tmp_path}/{name}")
        hurt = bare.evaluate(
            "[window.hit, document.querySelectorAll('img, iframe, [onerror], [onload], [onfocus]').length]"
        )
        assert hurt == [None, 0], name
        assert "hit=1" in bare.inner_text("main")


def test_a_form_of_another_site_is_refused(hostile):
    record = first_record(hostile)
    sent = {"outcome": "pass", "reason": "forged"}
    for headers in ({"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}, {"origin": "null"}):
        answer = httpx.post(f"{hostile}{record}/override", data=sent, headers=headers, timeout=120)
        assert answer.status_code == 403, headers
    assert "forged" not in httpx.get(hostile + record, timeout=120).text
