"""The edge where files and the environment are read, once, into Settings.

witnessmark.toml (or YAML) in the working folder or by `--config`; WITNESSMARK_STORE and WITNESSMARK_WORKSPACE override it. An
unknown key is refused with its path.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from witnessmark.core.errors import ConfigError, InputError, PolicyError
from witnessmark.core.explain import explain
from witnessmark.core.policy import Policy, layered
from witnessmark.settings import Settings
from witnessmark.text import yaml_data

NAMES = ("witnessmark.toml", "witnessmark.yaml", "witnessmark.yml")
FROM_ENVIRONMENT = {"WITNESSMARK_STORE": "store", "WITNESSMARK_WORKSPACE": "workspace"}


def load(path: str | None = None, environ: Mapping[str, str] | None = None) -> tuple[Settings, Path | None]:
    """The settings in force and the file they came from."""
    env = os.environ if environ is None else environ
    file = _file(path or env.get("WITNESSMARK_CONFIG") or None)
    data = {} if file is None else read_mapping(file)
    data |= {key: env[name] for name, key in FROM_ENVIRONMENT.items() if env.get(name)}
    try:
        settings = msgspec.convert(data, Settings)
    except msgspec.ValidationError as exc:
        where = file.name if file is not None else "environment"
        raise ConfigError(f"{where}: {explain(exc, Settings)}") from None
    if file is not None:
        _check_policies(settings, file.name)
    return settings, file


def _check_policies(settings: Settings, file: str) -> None:
    """Raise ConfigError with the file and the place where a policy could not be used, which would show with the first case."""
    places = {
        "policy": settings.policy,
        **{f"users.{name}": given for name, given in settings.users.items()},
        **{f"workspaces.{name}.policy": own.policy for name, own in settings.workspaces.items()},
    }
    for place, given in places.items():
        try:
            layered(Policy(), {"workspace": given})
        except PolicyError as exc:
            raise ConfigError(f"{file}: {exc.given_as(place)}") from None


def _file(path: str | None) -> Path | None:
    if path is None:
        return next((Path(name) for name in NAMES if Path(name).is_file()), None)
    if not Path(path).is_file():
        raise ConfigError(f"config {path!r}: there is no such file; `witnessmark init` writes one")
    return Path(path)


def read_mapping(file: Path) -> dict[str, Any]:
    """A TOML, YAML or JSON file as a mapping."""
    try:
        text = file.read_text(encoding="utf-8-sig")  # some editors write a mark before the text
    except UnicodeDecodeError:
        raise ConfigError(f"{file.name}: not UTF-8: save the file as UTF-8 and try again") from None
    except OSError as exc:
        raise ConfigError(f"{file}: cannot be read ({exc.strerror or exc}); check the path") from None
    try:
        data = tomllib.loads(text) if file.suffix == ".toml" else yaml_data.load(file.name, text) or {}
    except InputError as exc:
        raise ConfigError(str(exc)) from None
    except ValueError as exc:
        raise ConfigError(f"{file.name}: not TOML: {exc}; a text stands between quotation marks") from None
    if not isinstance(data, dict):
        raise ConfigError(f"{file.name}: should hold a mapping of settings, not {type(data).__name__}")
    return data
