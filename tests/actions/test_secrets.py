"""Keys under names that do not say so, and strings of chance that are none."""

from __future__ import annotations

import hashlib

import pytest

from witnessmark.actions.tree.secrets import secrets_in

KEY = "wJalrXUtnFEMI/K7MDENG/" + "bPxRfiCYzQ81kLm2pQ"  # made up


@pytest.mark.parametrize("line", [f'X = "{KEY}"', f"const a = '{KEY}';", f'  b: "{KEY}",'])
def test_a_key_that_chance_made_is_one_under_any_name(line: str) -> None:
    assert list(secrets_in(line, "src/conf.py")) == [KEY]


@pytest.mark.parametrize(
    "line",
    [
        'P = "app/models/User/OAuth2ClientCredentials"',
        f'H = "{hashlib.sha1(b"x").hexdigest()}"',
        f'SHA = "{KEY}"',
        f'IMAGE_DATA = "{KEY}"',
        f'X = "{KEY}{KEY}"',
        'X = "aGVsbG8gd29ybGQgdGhpcyBpcyBhIHRleHQgYWJj"',
        'X = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"',
        'X = "V1StGXR8_Z5jdHi6B-myT"',
    ],
)
def test_paths_digests_and_ids_are_none(line: str) -> None:
    assert list(secrets_in(line, "src/conf.py")) == []
