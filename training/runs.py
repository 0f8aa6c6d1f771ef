"""All runs one after the other, in the background: python -m training.runs WORK. Reads WORK/plan.json and WORK/t_end before each run; a run that fails does not stop the rest."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

W = Path(sys.argv[1])
OUT, BRING = W / "out", W / "bring"
OUT.mkdir(parents=True, exist_ok=True)
BRING.mkdir(exist_ok=True)
log = (OUT / "master.log").open("a")


def say(*what):
    print(round(time.time()), *what, file=log, flush=True)


def whole(name: str) -> bool:
    size = W / "base" / f"{name}.size"
    return size.exists() and sum(p.stat().st_size for p in (W / "base").glob(f"{name}.[0-9][0-9]")) == int(
        size.read_text()
    )


def first(one: dict) -> str:
    """The packed weights that a run begins with."""
    return one["model"] + ("_final" if "--go-on" in one.get("args", []) else "")


def needs(one: dict) -> dict[str, str]:
    """The files of earlier runs that a run reads, by the option that names them."""
    args = one.get("args", [])
    after = dict(pairwise(args))
    names = {"--taught": "taught_{}.npz", "--begin": one["model"] + "_{}.pt"}
    return {option: name.format(after[option]) for option, name in names.items() if option in after}


def ready(one: dict, todo: list[dict]) -> bool:
    """Whether a run's weights are there, and what earlier runs are still to leave for it."""
    to_come = {f"taught_{r['model']}_{r['run']}.npz" for r in todo} | {f"{r['model']}_{r['run']}.pt" for r in todo}
    return whole(first(one)) and all(name not in to_come for name in needs(one).values())


def without_missing(one: dict) -> dict:
    """A run without the options whose files no earlier run has left: a run that failed does not stop the rest."""
    args = list(one.get("args", []))
    for option, name in needs(one).items():
        if not (OUT / name).exists():
            say("goes on without", name)
            at = args.index(option)
            del args[at : at + 2]
    return one | {"args": args}


def wait(ok, what: str, most: float) -> bool:
    began = time.time()
    while not ok():
        if time.time() - began > most:
            say("gave up waiting for", what)
            return False
        time.sleep(0.3)
    say("there:", what)
    return True


def run(cmd: list[str], file: str, most: float) -> int:
    with (OUT / file).open("a") as f:
        try:
            return subprocess.run(
                [sys.executable, "-m", *cmd], stdout=f, stderr=subprocess.STDOUT, timeout=most
            ).returncode
        except subprocess.TimeoutExpired:
            return 124


plan = json.loads((W / "plan.json").read_text())
wait(lambda: (W / "prep" / "train.npz").exists() and (W / "prep" / "score.npz").exists(), "pairs", 600)
if plan.get("warm_first"):
    wait(lambda: (OUT / "warm.done").exists(), "warm", plan["warm_first"])
packs = []
todo = plan["runs"]
while todo:
    one = todo[0]
    if not ready(one, todo):
        later = next((r for r in todo if ready(r, todo)), None)
        if later is None:
            time.sleep(0.3)
            continue
        one = later
    todo = [r for r in todo if r is not one]
    one = without_missing(one)

    def room():
        return float((W / "t_end").read_text()) - time.time() - sum(r["extra"] for r in [one, *todo])

    while todo and room() < 0.45 * sum(r["seconds"] for r in [one, *todo]):
        say("no time for", todo[-1]["model"], todo[-1]["run"])
        todo.pop()
    left = room()
    scale = max(0.3, min(plan.get("most", 1.3), left / sum(r["seconds"] for r in [one, *todo])))
    seconds = one["seconds"] * scale
    if left < 20 and not plan.get("trial"):
        say("no time left for", one)
        continue
    cmd = [
        "training.train",
        "--work",
        str(W),
        "--model",
        one["model"],
        "--run",
        one["run"],
        "--seconds",
        f"{seconds:.0f}",
        *one.get("args", []),
        *plan.get("args", []),
    ]
    say("start", " ".join(cmd), "left", round(left), "scale", round(scale, 2))
    began = time.time()
    rc = run(
        cmd + (["--compile"] if one.get("compile") else []),
        f"{one['model']}_{one['run']}.txt",
        seconds + one["extra"] + 150,
    )
    say("end", one["model"], one["run"], "rc", rc, "took", round(time.time() - began))
    if rc and time.time() - began < 100 and not (OUT / f"{one['model']}_{one['run']}.pt").exists():
        say("again, not compiled")
        rc = run(cmd, f"{one['model']}_{one['run']}.txt", seconds + one["extra"] + 150)
        say("end", rc)
    if one.get("bring") is not None and (OUT / f"{one['model']}_{one['run']}.pt").exists():
        code = f"import torch;from pathlib import Path;from training.weights import pack;pack(torch.load({str(OUT)!r}+'/{one['model']}_{one['run']}.pt'),Path({str(BRING)!r}),'{one['model']}_{one['run']}',run={one['bring']});Path({str(BRING)!r},'{one['model']}_{one['run']}.packed').touch()"
        packs.append(subprocess.Popen([sys.executable, "-c", code], stdout=log, stderr=subprocess.STDOUT))
for p in packs:
    p.wait()
say("all done")
(OUT / "all.done").touch()
