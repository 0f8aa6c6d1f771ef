"""The corrective loop on cases of its own."""


def lines() -> list[str]:
    return []
