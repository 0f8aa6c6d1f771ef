"""Random documents of several sections that hold the same rows with other values, and short or whole answers to a question about one of them.

Which value is right is told by the heading, the row and the column together; a wrong one is the value of another section, row or column.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

KINDS = (
    ("Summer timetable", "Winter timetable", "Timetable for public holidays"),
    ("Basic plan", "Plus plan", "Family plan", "Business plan"),
    ("Version 2", "Version 3", "Version 4"),
    ("2021", "2022", "2023", "2024"),
    ("Members", "Guests", "Students"),
    ("Adults", "Children under 12", "Patients over 65"),
    ("Northern branch", "Southern branch", "Head office"),
    ("Model A10", "Model B20", "Model C30"),
    ("Draft budget", "Approved budget", "Actual spending"),
    ("Ground floor", "First floor", "Attic"),
    ("Old rules", "New rules"),
    ("Before the renovation", "After the renovation"),
)
THINGS = (
    ("Room 1", "Room 2", "Hall", "Studio", "Kitchen"),
    ("Harbour", "Castle", "Old Town", "Airport", "Museum"),
    ("Standard", "Express", "Parcel", "Letter"),
    ("Monday", "Wednesday", "Friday", "Saturday", "Sunday"),
    ("Anna", "Bruno", "Chiara", "Dmitri", "Elif"),
    ("Copper", "Zinc", "Nickel", "Lead"),
    ("Tea", "Coffee", "Juice", "Soup", "Cake"),
    ("Team A", "Team B", "Team C"),
)
COLUMNS = (
    ("price", lambda r: f"{r.randint(2, 90)}.{r.choice(('00', '50', '80', '20'))}"),
    ("fee", lambda r: f"€{r.randint(3, 400)}"),
    ("opening time", lambda r: f"{r.randint(6, 11):02d}:{r.choice(('00', '15', '30', '45'))}"),
    ("closing time", lambda r: f"{r.randint(15, 23)}:{r.choice(('00', '15', '30', '45'))}"),
    ("number of seats", lambda r: str(r.randint(8, 260))),
    ("limit", lambda r: f"{r.randint(2, 60)} kg"),
    ("notice period", lambda r: f"{r.randint(2, 12)} weeks"),
    ("contact", lambda r: r.choice(("Ms Lind", "Mr Osei", "Dr Pavel", "Ms Tran", "Mr Vega", "Ms Quill"))),
    ("share", lambda r: f"{r.randint(2, 95)} %"),
)


@dataclass(frozen=True)
class Document:
    """Sections over the same rows and columns, with a value for each."""

    sections: tuple[str, ...]
    things: tuple[str, ...]
    columns: tuple[str, ...]
    values: dict[tuple[str, str, str], str]

    def value(self, *key: str) -> str:
        return self.values[key[0], key[1], key[2]]


def document(rng: random.Random) -> Document:
    sections = tuple(rng.sample(kind := rng.choice(KINDS), rng.randint(2, len(kind))))
    things = tuple(rng.sample(kind := rng.choice(THINGS), rng.randint(2, min(4, len(kind)))))
    columns = rng.sample(COLUMNS, rng.randint(1, 2))
    values = {(s, t, name): make(rng) for s in sections for t in things for name, make in columns}
    return Document(sections, things, tuple(name for name, _ in columns), values)


def shown(one: Document, rng: random.Random) -> str:
    """The document as the evidence of a case is read: rows as `name: value`, lists or sentences, under their headings."""
    form = rng.randrange(4)
    lines: list[str] = ["# " + rng.choice(("Overview", "Our offer", "Reference", "Handbook, part 2", "Information"))] * rng.randint(0, 1)  # fmt: skip
    for section in one.sections:
        lines.append(f"## {section}")
        for thing in one.things:
            cells = [(name, one.value(section, thing, name)) for name in one.columns]
            if form == 0:
                lines.append(f"Name: {thing}; " + "; ".join(f"{name}: {value}" for name, value in cells))
            elif form == 1:
                lines += [f"- {thing}, {name}: {value}" for name, value in cells]
            elif form == 2:
                lines += [f"For {thing} the {name} is {value}." for name, value in cells]
            else:
                lines.append(f"{thing}: " + ", ".join(f"{name} {value}" for name, value in cells))
    return "\n".join(lines)


def pairs(rng: random.Random) -> list[tuple[str, str, str, bool]]:
    """(question, claim, text, right) of one document."""
    one = document(rng)
    text = shown(one, rng)
    out = []
    for _ in range(4):
        key = (rng.choice(one.sections), rng.choice(one.things), rng.choice(one.columns))
        right = one.value(*key)
        others = [value for other, value in one.values.items() if value != right and sum(a != b for a, b in zip(key, other)) == 1]  # fmt: skip
        if not others:
            continue
        question, place = _question(key, rng), rng.randrange(4)
        for value, true in ((right, True), (rng.choice(others), False)):
            out.append((question if place < 3 else "", _claim(key, value, place), text, true))
    return out


def _question(key: tuple[str, str, str], rng: random.Random) -> str:
    section, thing, column = key
    return rng.choice(
        (
            f"What is the {column} for {thing} ({section})?",
            f"{section}: which {column} applies to {thing}?",
            f"I need the {column} of {thing}. We're talking about this one: {section}.",
            f"Could you tell me the {column} for {thing}, under {section}?",
        )
    )


def _claim(key: tuple[str, str, str], value: str, place: int) -> str:
    section, thing, column = key
    return (
        f"{value}.",
        f"The {column} is {value}.",
        f"For {thing}, the {column} is {value}.",
        f"{section}: for {thing} the {column} is {value}.",
    )[place]
