"""Keys in files by their providers' forms, by names that say key and by chance; and strings that are none."""

from __future__ import annotations

import base64
import hashlib
import json
import random
import string

import pytest

from witnessmark.actions.tree.secrets import holds_keys, secrets_in

KEY = "wJalrXUtnFEMI/K7MDENG/" + "bPxRfiCYzQ81kLm2pQ"  # made up
drawn = random.Random(7)
ALNUM, HEX = string.ascii_letters + string.digits, "0123456789abcdef"


def signs(number: int, of: str = ALNUM) -> str:
    """So many signs, drawn; a place for a digit, a large and a small letter is kept where they may be."""
    return "".join(drawn.choices(of, k=number))


def token(**claims: object) -> str:
    """A signed token that says this of itself."""
    parts = (json.dumps(part).encode() for part in ({"alg": "HS256", "typ": "JWT"}, claims))
    return ".".join([*(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts), signs(43)])


FORMS = {
    "aws": "AKIA" + signs(16, string.ascii_uppercase + string.digits), "google": "AIza" + signs(35), "azure storage": f"AccountKey={signs(86)}==",
    "azure client": f"q1Z8Q~{signs(33)}", "github": "ghp_" + signs(36), "github, fine": "github_pat_" + signs(70), "gitlab": "glpat-" + signs(20),
    "gitlab runner": "glrt-" + signs(20), "slack": "xoxb-" + signs(40), "slack app": f"xapp-1-{signs(40)}", "stripe": "sk_live_" + signs(30),
    "stripe hook": "whsec_" + signs(32), "openai": "sk-proj-" + signs(48), "anthropic": "sk-ant-" + signs(60), "npm": "npm_" + signs(36),
    "pypi": "pypi-AgEI" + signs(60), "rubygems": "rubygems_" + signs(48, HEX), "docker": "dckr_pat_" + signs(27), "groq": "gsk_" + signs(52),
    "vault": "hvs." + signs(30), "linear": "lin_api_" + signs(40), "telegram": f"1928374655:AA{signs(33)}",
}  # fmt: skip
BODY = signs(64)
PEM = f"-----BEGIN RSA PRIVATE KEY-----\n{BODY}\n{signs(64)}\n-----END RSA PRIVATE KEY-----\n"


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("line", ["{}", "x = '{}'", "KEY={}", 'client = Client("{}")'])
def test_a_key_in_the_form_of_its_provider_is_one_wherever_it_stands(form: str, line: str) -> None:
    found = list(secrets_in(line.format(form), "src/conf.py"))
    assert found
    assert all(value in form for value in found)


@pytest.mark.parametrize("text", [PEM, PEM.replace("RSA ", ""), PEM.replace("RSA ", "ENCRYPTED "), f'"private_key": {json.dumps(PEM)}',
                                  PEM.replace("KEY-----\n", "KEY-----\nProc-Type: 4,ENCRYPTED\n\n", 1)])  # fmt: skip
def test_a_private_key_is_one_with_its_body(text: str) -> None:
    assert list(secrets_in(text, "deploy/id"))


@pytest.mark.parametrize(
    "text",
    ["if '-----BEGIN RSA PRIVATE KEY-----' in text:", "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----", PEM.replace("PRIVATE", "PUBLIC"),
     PEM.replace("RSA PRIVATE KEY", "CERTIFICATE"), "-----BEGIN RSA PRIVATE KEY-----\n<your key here>\n"],
)  # fmt: skip
def test_its_head_alone_and_what_is_public_are_none(text: str) -> None:
    assert list(secrets_in(text, "src/keys.py")) == []


ADDRESS = "postgres://app:{}@db.acme-prod.net:5432/app"


@pytest.mark.parametrize(
    "line",
    [
        ADDRESS,
        f"DATABASE_URL={ADDRESS}",
        "redis://:{}@cache.acme-prod.net",
        "https://bot:{}@git.acme-prod.net/x.git",
    ],
)
def test_a_password_in_an_address_is_one(line: str) -> None:
    assert list(secrets_in(line.format("h7Kq2mZx91"), "src/conf.py")) == ["h7Kq2mZx91"]


@pytest.mark.parametrize(
    "line",
    [ADDRESS.format("password"), ADDRESS.format("${DB_PASSWORD}"), ADDRESS.format("<password>"), ADDRESS.format("changeme123"), ADDRESS.format("your_pass1"),
     "postgres://app:h7Kq2mZx91@localhost/app", "postgres://app:h7Kq2mZx91@db:5432/app", "https://example.com:8443/a@b.c", "http://a.net:80801234/x@1"],
)  # fmt: skip
def test_words_references_and_machines_of_one_s_own_are_none(line: str) -> None:
    assert list(secrets_in(line, "src/conf.py")) == []


def test_a_signed_token_is_one_by_what_it_says() -> None:
    mine = token(sub="u-8731", role="service_role", iss="acme")
    assert list(secrets_in(f"t = '{mine}'", "src/conf.py")) == [mine]
    assert list(secrets_in(f"t = '{token(role='anon', iss='supabase')}'", "src/conf.py")) == []
    assert list(secrets_in(f"t = '{token(sub='1234567890', name='John Doe')}'", "src/conf.py")) == []


@pytest.mark.parametrize(
    "line",
    ["SECRET_KEY=9f86d0c1884e7a659d2feaa0455ad015", "export API_TOKEN=k3Jx9Qw2Lm5Zt8Rb1Vn6", "DB_PASSWORD='h7Kq2m!Zx91#pLw3Rt5v'", 'JWT_SECRET="p9Xv2Lq8Rz5Wt1Kd7Mb3"',
     "ENCRYPTION_SALT=Zx91pLw3Rt5vh7Kq2mJ4"],
)  # fmt: skip
def test_a_value_of_chance_under_a_name_that_says_key_is_one(line: str) -> None:
    assert len(list(secrets_in(f"DEBUG=1\n{line}\n", ".env"))) == 1


@pytest.mark.parametrize(
    "line",
    ["PUBLIC_KEY=9f86d0c1884e7a659d2feaa0455ad015", "NEXT_PUBLIC_API_KEY=k3Jx9Qw2Lm5Zt8Rb1Vn6", "API_TOKEN=your_token_goes_here_12A", "SECRET_KEY=${SECRET_KEY}",
     "TOKEN_URL=https://auth.acme.net/Oauth2/token1", "API_KEY=changeme-Changeme-1234567", "PASSWORD_HASH=9f86d0c1884e7a659d2feaa0455ad015", "SECRET_KEY=django-insecure-k3Jx9Qw2Lm5Zt8Rb1",
     "TOKEN_NAME=k3Jx9Qw2Lm5Zt8Rb1Vn6", "API_KEY=00000000000000000000000000000000", "API_SECRET=OAuth2AccessTokenProvider"],
)  # fmt: skip
def test_names_of_what_is_public_references_and_placeholders_are_none(line: str) -> None:
    assert list(secrets_in(f"DEBUG=1\n{line}\n", ".env")) == []


@pytest.mark.parametrize(
    "path", [".env.example", "deploy/sample.yaml", "src/fixtures/user.json", "config/app.template.toml", "a/mocks/x.ts"]
)
def test_a_file_that_shows_how_it_is_written_holds_values_but_no_provider_s_key(path: str) -> None:
    assert list(secrets_in("API_TOKEN=k3Jx9Qw2Lm5Zt8Rb1Vn6", path)) == []
    assert list(secrets_in(FORMS["github"], path)) == [FORMS["github"]]


@pytest.mark.parametrize(("path", "holds"), [(".env.local", True), ("deploy/id_ed25519", True), ("conf/secrets.yaml", True), ("a/prod.tfvars", True), ("src/key.py", False), ("dist/app.js", False)])  # fmt: skip
def test_files_that_hold_keys_are_known_by_their_names(path: str, holds: bool) -> None:
    assert holds_keys(path) is holds


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
