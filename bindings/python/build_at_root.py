# SPDX-License-Identifier: BSD-2-Clause-Patent
"""A build backend (PEP 517) that builds what the pyproject.toml of the project's root describes: Meson builds a project
from its root, and pip may be given this folder."""

import os
import pathlib
import sys

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]


def _requirements(config_settings=None):
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]


def _at_root(name):
    def hook(folder, *arguments, **options):
        import mesonpy

        folder = os.path.abspath(folder)
        os.chdir(ROOT)
        return getattr(mesonpy, name)(folder, *arguments, **options)

    return hook


get_requires_for_build_wheel = get_requires_for_build_sdist = _requirements
build_wheel = _at_root("build_wheel")
build_sdist = _at_root("build_sdist")
