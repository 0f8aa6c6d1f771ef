"""Random records (businesses, products, orders, flights, people, weather, jobs) and claims about them by template.

A record is shown as flattened sentences, as `path: value` lines or as raw JSON; a claim names one or two of its fields,
truly, with a wrong value, or with a field that the record does not have.
"""

from __future__ import annotations

import json
import random
from typing import Any

Record = dict[str, Any]

FIRST = [
    "Ada",
    "Ben",
    "Carla",
    "Dev",
    "Elena",
    "Farid",
    "Grace",
    "Hugo",
    "Ines",
    "Jonas",
    "Kemi",
    "Liam",
    "Mara",
    "Noor",
    "Otto",
    "Priya",
    "Quinn",
    "Rosa",
    "Sami",
    "Tara",
    "Umar",
    "Vera",
    "Will",
    "Xena",
    "Yara",
    "Zoe",
]
LAST = [
    "Adler",
    "Brooks",
    "Castillo",
    "Dietrich",
    "Evans",
    "Fischer",
    "Gupta",
    "Haddad",
    "Ivanov",
    "Jensen",
    "Kim",
    "Laurent",
    "Moreau",
    "Nakamura",
    "Okafor",
    "Patel",
    "Quiroga",
    "Rossi",
    "Silva",
    "Tanaka",
]
CITIES = "Lisbon Austin Denver Osaka Leeds Turin Santa Barbara,Goleta,Boston,Porto,Ghent,Krakow,Tampa,Reno,Dakar,Quito,Perth,Halifax".replace(
    " ", ","
).split(",")
STREETS = [
    "State St",
    "Main St",
    "Oak Ave",
    "Hollister Ave",
    "Market Square",
    "5th Ave",
    "Harbor Rd",
    "Mill Lane",
    "Station Rd",
    "Chapala St",
]
FOOD = [
    "Mexican",
    "Italian",
    "Thai",
    "Vegan",
    "Sushi",
    "Burgers",
    "Seafood",
    "Bakery",
    "Coffee",
    "Indian",
    "Ramen",
    "Pizza",
    "Steakhouse",
    "Breakfast",
    "Tapas",
]
SHOP = [
    "Blue Lantern",
    "Harbor Grill",
    "La Paloma",
    "The Copper Pot",
    "Green Table",
    "Sunset Cafe",
    "Old Mill",
    "Casa Verde",
    "North Star Diner",
    "Golden Wok",
    "Petit Jardin",
]
GOODS = [
    "laptop",
    "headset",
    "kettle",
    "backpack",
    "monitor",
    "keyboard",
    "tent",
    "drill",
    "lamp",
    "bicycle",
    "camera",
    "blender",
    "router",
    "jacket",
]
COLORS = ["black", "white", "red", "blue", "green", "silver", "grey", "orange"]
DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
SKY = ["sunny", "cloudy", "rainy", "windy", "foggy", "snowy", "stormy", "clear"]
STATES = ["pending", "shipped", "delivered", "cancelled", "refunded", "returned"]
JOBS = [
    "nurse",
    "engineer",
    "accountant",
    "teacher",
    "designer",
    "analyst",
    "chemist",
    "pilot",
    "lawyer",
    "electrician",
]

# field: (name in words, true templates, false templates for booleans or None)
SAYS: dict[str, list[str]] = {
    "name": ["It is called {}.", "The name is {}.", "{} is the name given."],
    "city": ["It is located in {}.", "It can be found in {}.", "The place is in {}."],
    "address": ["The address is {}.", "You can find it at {}."],
    "cuisine": ["It serves {} food.", "The restaurant specialises in {} cuisine.", "It is known for {} dishes."],
    "stars": ["It has a rating of {} stars.", "Customers rate it {} out of 5.", "The overall rating is {} stars."],
    "review_count": ["It has {} reviews.", "There are {} customer reviews."],
    "price": ["It costs ${}.", "The price is ${}.", "It is sold for ${}."],
    "color": ["It comes in {}.", "The color is {}."],
    "stock": ["There are {} units in stock.", "{} units are available."],
    "weight_kg": ["It weighs {} kg.", "The weight is {} kilograms."],
    "warranty_months": ["The warranty lasts {} months.", "It comes with a {}-month warranty."],
    "customer": ["The order was placed by {}.", "{} placed the order."],
    "status": ["The order is {}.", "Its status is {}.", "The current status is {}."],
    "total": ["The total is ${}.", "The order amounts to ${}."],
    "items": ["The order has {} items.", "It contains {} items."],
    "from": ["The flight leaves from {}.", "It departs from {}."],
    "to": ["The flight goes to {}.", "Its destination is {}.", "It arrives in {}."],
    "gate": ["Boarding is at gate {}.", "The gate is {}."],
    "departure": ["It departs at {}.", "The departure time is {}."],
    "delay_min": ["It is delayed by {} minutes.", "The delay is {} minutes."],
    "age": ["They are {} years old.", "The person is aged {}."],
    "occupation": ["They work as a {}.", "Their occupation is {}."],
    "email": ["The email address is {}."],
    "temperature_c": ["The temperature is {} degrees Celsius.", "It is {}°C."],
    "sky": ["It is {}.", "The weather is {}.", "Expect {} conditions."],
    "wind_kmh": ["The wind blows at {} km/h.", "Wind speed is {} km/h."],
    "rows": ["{} rows were written.", "The job processed {} rows."],
    "errors": ["The job reported {} errors.", "There were {} errors."],
    "duration_s": ["It took {} seconds.", "The run lasted {} seconds."],
}
FLAGS: dict[str, tuple[list[str], list[str]]] = {
    "outdoor_seating": (
        ["It has outdoor seating.", "Guests can sit outside."],
        ["It has no outdoor seating.", "Outdoor seating is not available."],
    ),
    "wifi": (
        ["Free Wi-Fi is offered.", "There is Wi-Fi for guests."],
        ["There is no Wi-Fi.", "It does not offer Wi-Fi."],
    ),
    "parking": (
        ["Parking is available.", "There is parking for customers."],
        ["No parking is available.", "It has no parking."],
    ),
    "takes_reservations": (
        ["Reservations are accepted.", "You can book a table."],
        ["It does not take reservations.", "Tables cannot be booked."],
    ),
    "delivery": (["Delivery is available.", "It delivers."], ["It does not deliver.", "Delivery is not offered."]),
    "gift_wrapped": (["It is gift wrapped.", "Gift wrapping was chosen."], ["It is not gift wrapped."]),
    "refundable": (
        ["The ticket is refundable.", "It can be refunded."],
        ["The ticket is not refundable.", "No refund is possible."],
    ),
    "waterproof": (["It is waterproof."], ["It is not waterproof."]),
    "subscribed": (["They are subscribed to the newsletter."], ["They are not subscribed to the newsletter."]),
    "succeeded": (
        ["The job succeeded.", "The run finished successfully."],
        ["The job failed.", "The run did not succeed."],
    ),
}


def value(field: str, rng: random.Random) -> Any:
    """A random value that such a field may have."""
    makers: dict[str, Any] = {
        "name": lambda: rng.choice(SHOP), "city": lambda: rng.choice(CITIES), "address": lambda: f"{rng.randint(1, 990)} {rng.choice(STREETS)}",
        "cuisine": lambda: rng.choice(FOOD), "stars": lambda: rng.choice([1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0]), "review_count": lambda: rng.randint(3, 900),
        "price": lambda: round(rng.uniform(4, 900), 2), "color": lambda: rng.choice(COLORS), "stock": lambda: rng.randint(0, 400),
        "weight_kg": lambda: round(rng.uniform(0.2, 30), 1), "warranty_months": lambda: rng.choice([6, 12, 18, 24, 36, 60]),
        "customer": lambda: f"{rng.choice(FIRST)} {rng.choice(LAST)}", "status": lambda: rng.choice(STATES), "total": lambda: round(rng.uniform(9, 2000), 2),
        "items": lambda: rng.randint(1, 14), "from": lambda: rng.choice(CITIES), "to": lambda: rng.choice(CITIES), "gate": lambda: f"{rng.choice('ABCDE')}{rng.randint(1, 40)}",
        "departure": lambda: f"{rng.randint(0, 23):02d}:{rng.choice([0, 5, 10, 15, 30, 40, 45, 50]):02d}", "delay_min": lambda: rng.randint(5, 240),
        "age": lambda: rng.randint(18, 90), "occupation": lambda: rng.choice(JOBS), "email": lambda: f"{rng.choice(FIRST).lower()}@{rng.choice(LAST).lower()}.example",
        "temperature_c": lambda: rng.randint(-15, 39), "sky": lambda: rng.choice(SKY), "wind_kmh": lambda: rng.randint(0, 110), "rows": lambda: rng.randint(10, 90000),
        "errors": lambda: rng.randint(0, 60), "duration_s": lambda: rng.randint(1, 4000),
    }  # fmt: skip
    return rng.random() < 0.5 if field in FLAGS else makers[field]()


KINDS: dict[str, list[str]] = {
    "business": [
        "name",
        "city",
        "address",
        "cuisine",
        "stars",
        "review_count",
        "outdoor_seating",
        "wifi",
        "parking",
        "takes_reservations",
        "delivery",
    ],
    "product": ["name", "color", "price", "stock", "weight_kg", "warranty_months", "waterproof", "delivery"],
    "order": ["customer", "status", "total", "items", "gift_wrapped", "city"],
    "flight": ["from", "to", "gate", "departure", "delay_min", "refundable", "wifi", "price"],
    "person": ["customer", "age", "occupation", "city", "email", "subscribed"],
    "weather": ["city", "temperature_c", "sky", "wind_kmh"],
    "job": ["rows", "errors", "duration_s", "succeeded"],
}


def record(rng: random.Random) -> tuple[str, Record]:
    """A kind and a record of it, some fields left out."""
    kind = rng.choice(list(KINDS))
    fields = [f for f in KINDS[kind] if rng.random() < 0.8] or KINDS[kind][:1]
    made: Record = {f: value(f, rng) for f in fields}
    if kind == "business" and rng.random() < 0.6:
        made["hours"] = {
            d: f"{rng.randint(6, 11)}:{rng.choice(['0', '30'])}-{rng.randint(15, 23)}:{rng.choice(['0', '30'])}"
            for d in DAYS
            if rng.random() < 0.8
        }
    return kind, made


def shown(kind: str, made: Record, rng: random.Random) -> str:
    """The record as a text, in one of the ways that texts of records look."""
    way = rng.random()
    if way < 0.25:
        return json.dumps({kind: made} if rng.random() < 0.5 else made)
    flat = [(k, v) for k, v in made.items() if not isinstance(v, dict)]
    flat += [(f"{k} {day}", v) for k, sub in made.items() if isinstance(sub, dict) for day, v in sub.items()]
    if way < 0.5:
        return "\n".join(f"{k.replace('_', ' ')}: {_plain(v)}" for k, v in flat)
    if way < 0.75:
        return " ".join(f"The {k.replace('_', ' ')} of the {kind} is {_plain(v)}." for k, v in flat)
    return ". ".join(f"{kind} {k.replace('_', ' ')}: {_plain(v)}" for k, v in flat) + "."


def _plain(thing: Any) -> str:
    return ("yes" if thing else "no") if isinstance(thing, bool) else str(thing)


def _about(field: str, thing: Any, rng: random.Random) -> str:
    if field in FLAGS:
        return rng.choice(FLAGS[field][0 if thing else 1])
    shown_ = f"{thing:,}" if isinstance(thing, int) and thing > 999 and rng.random() < 0.5 else str(thing)
    return rng.choice(SAYS[field]).format(shown_)


def claims(kind: str, made: Record, rng: random.Random) -> list[tuple[str, int]]:
    """Claims about a record with their labels: true, wrong value, two fields of which one is wrong, field not there."""
    out: list[tuple[str, int]] = []
    fields = [f for f in made if f != "hours"]
    for field in fields:
        other = next((v for v in (value(field, rng) for _ in range(20)) if v != made[field]), None)
        out.append((_about(field, made[field], rng), 1))
        if other is not None:
            out.append((_about(field, other, rng), 0))
    for _ in range(3):
        if len(fields) < 2:
            break
        one, two = rng.sample(fields, 2)
        wrong = next((v for v in (value(two, rng) for _ in range(20)) if v != made[two]), None)
        true = rng.random() < 0.5 or wrong is None
        out.append(
            (
                f"{_about(one, made[one], rng)[:-1]} and {_low(_about(two, made[two] if true else wrong, rng))}",
                int(true),
            )
        )
    missing = [f for f in KINDS[kind] if f not in made]
    out.extend((_about(f, value(f, rng), rng), 0) for f in missing[:2])
    for day, span in list(made.get("hours", {}).items())[:2]:
        start, end = span.split("-")
        out.append((f"On {day} it opens at {_clock(start, rng)}.", 1))
        out.append((f"It closes at {_clock(end, rng)} on {day}.", 1))
        moved = (int(end.split(":")[0]) + rng.choice([1, 2, -1, -2])) % 24
        out.append((f"It closes at {_clock(f'{moved}:{end.split(chr(58))[1]}', rng)} on {day}.", 0))
    return out


def _clock(text: str, rng: random.Random) -> str:
    hour, minute = (int(part) for part in text.split(":"))
    if rng.random() < 0.5:
        return f"{hour}:{minute:02d}"
    return f"{(hour - 1) % 12 + 1}{f':{minute:02d}' if minute else ''} {'AM' if hour < 12 else 'PM'}"


def _low(text: str) -> str:
    return text if text.split(" ", 1)[0] in FIRST else text[0].lower() + text[1:]
