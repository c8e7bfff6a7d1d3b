#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""The scoring library needs no FFmpeg: only core/input reads video files.

    library_test.py SOURCE_ROOT LIBISOVMAF ARCHIVE...

ARCHIVE... are the static libraries that have to do without FFmpeg, too.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SOURCE_ROOT, LIBRARY, ARCHIVES = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
FFMPEG = re.compile(r"lib(av|sw|postproc)")
FFMPEG_SYMBOL = re.compile(r"\b(av|avcodec|avformat|avio|sws|swr)_\w+")


def output(*command, **options):
    return subprocess.run([str(part) for part in command], check=True, text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options).stdout


def ffmpeg_symbols(file):
    """What `file` takes from elsewhere and calls as FFmpeg does."""
    return sorted(set(match[0] for match in FFMPEG_SYMBOL.finditer(output("nm", "-u", file))))


def configure(folder, *options):
    """Configures a build in `folder` without plugins, on a machine whose pkg-config finds no FFmpeg."""
    packages = pathlib.Path(folder) / "pkgconfig"
    packages.mkdir()
    for path in output("pkg-config", "--variable", "pc_path", "pkg-config").strip().split(":"):
        for file in pathlib.Path(path).glob("*.pc"):
            if not FFMPEG.match(file.name) and not (packages / file.name).exists():
                (packages / file.name).symlink_to(file)
    backends = [f"-Denable_{name}=disabled" for name in ("hip", "cuda", "vulkan", "host")]
    build = pathlib.Path(folder) / "build"
    environment = {**os.environ, "PKG_CONFIG_LIBDIR": str(packages), "PKG_CONFIG_PATH": ""}
    output("meson", "setup", build, "-Dprogram=false", *backends, *options, cwd=SOURCE_ROOT, env=environment)
    return build


class Library(unittest.TestCase):
    def test_it_needs_no_shared_library_of_ffmpeg(self):
        needed = re.findall(r"\(NEEDED\).*\[(.+)\]", output("readelf", "-d", LIBRARY))
        self.assertIn("libc.so.6", needed)
        self.assertEqual([name for name in needed if FFMPEG.match(name)], [])

    def test_nothing_but_core_input_calls_ffmpeg(self):
        for file in [LIBRARY, *ARCHIVES]:
            with self.subTest(file):
                self.assertEqual(ffmpeg_symbols(file), [])

    def test_it_is_configured_where_there_is_no_ffmpeg(self):
        with tempfile.TemporaryDirectory() as folder:
            build = configure(folder, "-Dinstall_libvmaf=true")
            plan = (build / "build.ninja").read_text()
            self.assertIn("core/libisovmaf.so", plan)
            self.assertIsNone(FFMPEG.search(plan))
            self.check_installed(build)

    def check_installed(self, build):
        """libvmaf.so.3 and what programs are built with, where -Dinstall_libvmaf=true asks for them."""
        plan = json.loads(output("meson", "introspect", "--install-plan", build))
        installed = {entry["destination"] for group in plan.values() for entry in group.values()}
        for name in ("{libdir_shared}/libvmaf.so.3.2.0", *(f"{{includedir}}/libvmaf/{header}.h" for header in
                     ("feature", "libvmaf", "model", "picture", "version"))):
            self.assertIn(name, installed)
        package = build / "meson-private" / "libvmaf.pc"
        self.assertIn(str(package), output("meson", "introspect", "--installed", build))
        self.assertEqual(output("pkg-config", "--modversion", package).strip(), "3.2.0")
        self.assertIn("-lvmaf", output("pkg-config", "--libs", package))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
