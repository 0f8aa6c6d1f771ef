"""More claims by rule: roles, figures of another fact, direction, order, dropped conditions; and claims about tables."""

from __future__ import annotations

import random
import re

from training import made

_CAP = re.compile(r"[A-Z][\w’'-]+(?: (?:of |the |de |van |von )?[A-Z][\w’'-]+)*")
_NUM = re.compile(r"(?<![\w.,])[$€£]?\d[\d,]*(?:\.\d+)?%?(?![\w]|[.,]\d)")


def _opening(sentence: str, context: str) -> str | None:
    """The name that opens a sentence, if it is one: several capitals, or capitalised in the middle of a sentence elsewhere."""
    hit = _CAP.match(sentence)
    if not hit or hit.group().split()[0] in made._OPENERS:
        return None
    name = hit.group()
    return name if " " in name or re.search(rf"[a-z,] {re.escape(name)}\b", context) else None


def role(context: str):
    """Two who stand in a sentence change places, the one that opens it too."""

    def edit(sentence: str, rng: random.Random) -> str | None:
        names = list(dict.fromkeys(made.names(sentence)))
        first = _opening(sentence, context)
        if first:
            others = [n for n in names if n != first and not set(n.split()) & set(first.split())]
            if not others:
                return None
            two, one = rng.choice(others), first
        elif len(names) >= 2:
            one, two = rng.sample(names, 2)
            if set(one.split()) & set(two.split()):
                return None
        else:
            return None
        if re.search(
            rf"{re.escape(one)}(?:,| and| or|, and) {re.escape(two)}|{re.escape(two)}(?:,| and| or|, and) {re.escape(one)}",
            sentence,
        ):
            return None
        return sentence.replace(one, "\0", 1).replace(two, one, 1).replace("\0", two, 1)

    return edit


def other_figure(context: str):
    """A figure replaced by another figure of the same text, of the same shape."""

    def shape(x: str) -> tuple:
        plain = x.strip("$€£%").replace(",", "")
        return (
            x[:1] in "$€£",
            x.endswith("%"),
            "." in plain,
            len(plain) == 4 and plain[:2] in ("18", "19", "20"),
            min(3, len(plain.split(".")[0])),
        )

    pool = list(dict.fromkeys(m.group() for m in _NUM.finditer(context)))

    def edit(sentence: str, rng: random.Random) -> str | None:
        hits = list(_NUM.finditer(sentence))
        if not hits:
            return None
        hit = rng.choice(hits)
        others = [p for p in pool if p != hit.group() and shape(p) == shape(hit.group()) and p not in sentence]
        return sentence[: hit.start()] + rng.choice(others) + sentence[hit.end() :] if others else None

    return edit


_DIRECTION = [
    (r"\bfrom ([^,.;]{2,40}?) to ([^,.;]{2,30}?)(?=[,.;]|$| in | on | at | by | and )", r"from \2 to \1"),
    (r"\b(\w+(?: \w+)?) (before|after) (\w+(?: \w+)?)", None),
    (r"\bhigher than\b", "lower than"),
    (r"\blower than\b", "higher than"),
    (r"\bmore than\b", "less than"),
    (r"\bless than\b", "more than"),
    (r"\babove\b", "below"),
    (r"\bbelow\b", "above"),
    (r"\bsold to\b", "bought from"),
    (r"\bbought from\b", "sold to"),
    (r"\bgave to\b", "received from"),
    (r"\bdefeated by\b", "victorious over"),
    (r"\bfirst\b", "second"),
    (r"\bincreased by\b", "decreased by"),
    (r"\brose\b", "fell"),
    (r"\bfell\b", "rose"),
    (r"\bolder than\b", "younger than"),
    (r"\bnorth of\b", "south of"),
    (r"\bafter\b", "before"),
    (r"\bbefore\b", "after"),
    (r"\bparent of\b", "subsidiary of"),
]


def direction(sentence: str, rng: random.Random) -> str | None:
    ways = []
    for find, put in _DIRECTION:
        if put and re.search(find, sentence):
            ways.append(re.sub(find, put, sentence, count=1))
    return rng.choice(ways) if ways else None


_CONDITIONS = [
    (
        r"\b(?:up to|at most|at least|more than|less than|nearly|almost|about|around|approximately|over|under|fewer than) (?=[$€£\d])",
        lambda m: "exactly ",
    ),
    (r",? (?:if|unless|provided that|as long as|only if|except)\b[^,.;]{4,90}", lambda m: ""),
    (r"^(?:If|Unless|When|Provided that) [^,;]{4,90}, (\w)", lambda m: m.group(1).upper()),
    (r"\b(?:may|might|could) (?=[a-z]+\b)", lambda m: "will "),
    (r"\b(?:some|most|many|several) (?=(?:of )?[a-z])", lambda m: "all "),
    (r"\b(?:allegedly|reportedly|possibly|probably|likely|partly|partially) ", lambda m: ""),
    (r"\b(?:only|mainly|mostly|largely|usually|often|sometimes) ", lambda m: "always "),
]


def condition(sentence: str, rng: random.Random) -> str | None:
    """What holds under a condition, said without it."""
    ways = [re.sub(find, put, sentence, count=1) for find, put in _CONDITIONS if re.search(find, sentence)]
    ways = [w for w in ways if w != sentence and len(w.split()) >= 4]
    return rng.choice(ways) if ways else None


# tables: "Table: title.\nRow 1: a is b; c is d.\n…"
def table(text: str) -> tuple[str, list[dict[str, str]]] | None:
    rows, title = [], ""
    for line in text.replace("\r", "").split("\n"):
        if line.startswith("Table:"):
            title = line[6:].strip(" .")
        hit = re.match(r"Row \d+: (.*?)\.?$", line)
        if hit:
            cells = [c.split(" is ", 1) for c in hit.group(1).split("; ")]
            rows.append({c[0].strip(): c[1].strip() for c in cells if len(c) == 2})
    return (title, rows) if len(rows) >= 3 else None


def _number(cell: str) -> float | None:
    hit = re.fullmatch(r"[$€£]?(-?\d[\d,]*(?:\.\d+)?)\s*%?", cell.strip())
    try:
        return float(hit.group(1).replace(",", "")) if hit else None
    except ValueError:
        return None


def table_claims(text: str, rng: random.Random, many: int = 6) -> list[tuple[str, int, list[list[int]] | None]]:
    """Claims about a table: single cells, those of another row, comparisons, counts, extremes, differences; (claim, label 0 true 1 false, spans)."""
    found = table(text)
    if not found:
        return []
    _, rows = found
    cols = [c for c in rows[0] if sum(c in r for r in rows) >= 3]
    names = [
        c
        for c in cols
        if len({r.get(c) for r in rows}) == len(rows)
        and all(_number(r.get(c, "")) is None and 2 < len(r.get(c, "")) < 50 for r in rows)
    ]
    if not names:
        return []
    key = names[0]
    rest = [c for c in cols if c != key]
    numeric = [c for c in rest if sum(_number(r.get(c, "")) is not None for r in rows) >= 3]
    out: list[tuple[str, int, list[list[int]] | None]] = []
    for _ in range(many):
        kind = rng.random()
        if kind < 0.4 and rest:
            c = rng.choice(rest)
            r, o = rng.sample(rows, 2)
            if c not in r or c not in o or key not in r:
                continue
            forms = [
                "{k} has a {c} of {v}.",
                "The {c} of {k} is {v}.",
                "For {k}, the {c} is {v}.",
                "{k}'s {c} was {v}.",
                "{v} is the {c} listed for {k}.",
            ]
            f = rng.choice(forms)
            out.append((f.format(k=r[key], c=c, v=r[c]), 0, None))
            if o[c] != r[c] and all(not (x.get(key) == r[key] and x.get(c) == o[c]) for x in rows):
                claim = f.format(k=r[key], c=c, v=o[c])
                at = claim.find(o[c])
                out.append((claim, 1, [[at, at + len(o[c])]]))
        elif kind < 0.65 and numeric:
            c = rng.choice(numeric)
            ok = [r for r in rows if _number(r.get(c, "")) is not None and key in r]
            if len(ok) < 2:
                continue
            a, b = rng.sample(ok, 2)
            x, y = _number(a[c]), _number(b[c])
            if x == y:
                continue
            if x < y:
                a, b, x, y = b, a, y, x
            word, back = rng.choice([("higher", "lower"), ("larger", "smaller"), ("greater", "lower")])
            out.append(
                (
                    f"{a[key]} has a {word} {c} than {b[key]}."
                    if rng.random() < 0.5
                    else f"{b[key]} has a {back} {c} than {a[key]}.",
                    0,
                    None,
                )
            )
            out.append(
                (
                    f"{b[key]} has a {word} {c} than {a[key]}."
                    if rng.random() < 0.5
                    else f"{a[key]} has a {back} {c} than {b[key]}.",
                    1,
                    None,
                )
            )
            if rng.random() < 0.4 and x == int(x) and y == int(y):
                d = int(x - y)
                out.append((f"The {c} of {a[key]} is {d} more than that of {b[key]}.", 0, None))
                out.append(
                    (
                        f"The {c} of {a[key]} is {d + rng.choice([1, 2, 5, 10, -1]) or 3} more than that of {b[key]}.",
                        1,
                        None,
                    )
                )
        elif kind < 0.82 and numeric:
            c = rng.choice(numeric)
            ok = [r for r in rows if _number(r.get(c, "")) is not None and key in r]
            if len(ok) != len(rows):
                continue
            top, low = max(ok, key=lambda r: _number(r[c])), min(ok, key=lambda r: _number(r[c]))
            if (
                sum(_number(r[c]) == _number(top[c]) for r in ok) > 1
                or sum(_number(r[c]) == _number(low[c]) for r in ok) > 1
            ):
                continue
            word, right, wrong = rng.choice([("highest", top, low), ("lowest", low, top)])
            other = rng.choice([r for r in ok if r is not right])
            f = rng.choice(["{k} has the {w} {c}.", "The {w} {c} belongs to {k}.", "The {c} of {k} is the {w} of all."])
            out.append((f.format(k=right[key], w=word, c=c), 0, None))
            out.append((f.format(k=other[key], w=word, c=c), 1, None))
        elif rest:
            c = rng.choice(rest)
            v = rng.choice(rows).get(c)
            if not v:
                continue
            n = sum(r.get(c) == v for r in rows)
            f = rng.choice(
                [
                    "{n} of the rows have {v} as {c}.",
                    "There are {n} entries whose {c} is {v}.",
                    "{v} is the {c} {n} times.",
                ]
            )
            out.append((f.format(n=n, v=v, c=c), 0, None))
            out.append(
                (f.format(n=n + rng.choice([1, 2, 3]) if n < 3 or rng.random() < 0.5 else n - 1, v=v, c=c), 1, None)
            )
    return out
