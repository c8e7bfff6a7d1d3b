#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Installs the C library, shared and as an archive, and builds programs with it as the programs of libvmaf are built.

    package_test.py SOURCE_ROOT BUILD_ROOT COMPILER...

BUILD_ROOT was configured with any options. A second build folder is configured with -Dinstall_libvmaf=true, and gets the
libraries of BUILD_ROOT. Its libisovmaf.a is made of libvmaf.a, which has the same objects, those of the C interface, and what
is called of fmt.
"""

import json
import os
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "tests"))
from commands import output

SOURCE_ROOT, BUILD_ROOT, COMPILER = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
# As check_func_headers of FFmpeg's configure writes it for `libvmaf.h vmaf_init`.
FFMPEG_PROBE = """#include <libvmaf.h>
#include <stdint.h>
long check_vmaf_init(void) { return (long) vmaf_init; }
int main(void) { int ret = 0;
 ret |= ((intptr_t)check_vmaf_init) & 0xFFFF;
return ret; }
"""
EXAMPLE = re.search(r"```c\n(.*?)```", (SOURCE_ROOT / "docs/c-api.md").read_text(), re.DOTALL)[1]
OF_THE_SYSTEM = {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "libstdc++.so.6", "ld-linux-x86-64.so.2", "libdl.so.2",
                 "libpthread.so.0", "ld-linux-aarch64.so.1"}


def copy_library(source, target):
    """Copies a library. An archive that is not to be installed has only the names of its members: they are put in."""
    if source.read_bytes()[:8] == b"!<thin>\n":
        output("ar", "qcs", target, *output("ar", "t", source).splitlines())
    else:
        shutil.copyfile(source, target)


def install(folder, kind):
    """Installs below `folder` what -Ddefault_library=KIND gives, and returns the prefix."""
    build, prefix = folder / f"build-{kind}", folder / kind
    output("meson", "setup", build, "-Dprogram=false", "-Dinstall_libvmaf=true", "-Dtests=disabled", "-Dpython=disabled",
           *(f"-Denable_{name}=disabled" for name in ("hip", "cuda", "vulkan", "host")), f"-Ddefault_library={kind}",
           f"--prefix={prefix}", cwd=SOURCE_ROOT)
    for target in json.loads(output("meson", "introspect", "--install-plan", build))["targets"]:
        built = pathlib.Path(target).relative_to(build)
        if built.name == "libisovmaf.a":
            copy_library(BUILD_ROOT / "capi/libvmaf.a", pathlib.Path(target))
            output("ar", "d", target, "own_fmt.cpp.o")
        else:
            copy_library(BUILD_ROOT / built, pathlib.Path(target))
    output("meson", "install", "-C", build, "--no-rebuild", "--quiet")
    return prefix


def needed(file):
    return set(re.findall(r"\(NEEDED\).*\[(.+)\]", output("readelf", "-d", file)))


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.prefix = install(cls.folder, "shared")
        cls.libraries = next(cls.prefix.rglob("libvmaf.so.3")).parent

    def flags(self, *options):
        environment = {**os.environ, "PKG_CONFIG_PATH": str(self.libraries / "pkgconfig")}
        return output("pkg-config", *options, "libvmaf", env=environment).split()

    def built(self, text, *libraries):
        """A program in C."""
        source, program = self.folder / "program.c", self.folder / "program"
        source.write_text(text)
        output(*COMPILER, "-std=c11", source, "-o", program, *self.flags("--cflags"), *libraries)
        return program

    def run_program(self, program):
        environment = {**os.environ, "LD_LIBRARY_PATH": str(self.libraries), "ISOVMAF_BACKEND": "cpu"}
        return output(program, cwd=self.folder, env=environment)

    def test_the_check_of_ffmpegs_configure_finds_it(self):
        output("pkg-config", "--exists", "--print-errors", "libvmaf >= 2.0.0",
               env={**os.environ, "PKG_CONFIG_PATH": str(self.libraries / "pkgconfig")})
        program = self.built(FFMPEG_PROBE, *self.flags("--libs"))
        self.assertIn("libvmaf.so.3", needed(program))

    def test_both_ways_to_include_it_work(self):
        self.assertIn("#include <libvmaf/libvmaf.h>", EXAMPLE)
        for text in (EXAMPLE, EXAMPLE.replace("<libvmaf/libvmaf.h>", "<libvmaf.h>")):
            self.assertRegex(self.run_program(self.built(text, *self.flags("--libs"))), r"\n\d+\.\d+\n$")

    def test_a_program_is_linked_with_the_archive_alone(self):
        libraries = [flag for flag in self.flags("--libs", "--static") if not re.match("-L|-lvmaf", flag)]
        shared = self.run_program(self.built(EXAMPLE, *self.flags("--libs")))
        program = self.built(EXAMPLE, self.libraries / "libvmaf.a", *libraries)
        self.assertLessEqual(needed(program), OF_THE_SYSTEM)
        self.assertEqual(self.run_program(program), shared)

    @unittest.skipUnless(shutil.which("cmake"), "cmake is missing")
    def test_cmake_finds_a_static_library(self):
        prefix = install(self.folder, "static")
        self.assertEqual(list(prefix.rglob("libisovmaf.so*")), [])
        example, build = next(prefix.rglob("score_raw.cpp")).parent, self.folder / "example"
        output("cmake", "-G", "Ninja", "-S", example, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}")
        output("cmake", "--build", build)
        self.assertEqual([name for name in needed(build / "score_raw") if "vmaf" in name], [])
        video = self.folder / "video.yuv"
        video.write_bytes(bytes(n * n % 251 for n in range(64 * 48 * 3 // 2)) * 2)
        self.assertEqual(output(build / "score_raw", video, video, 64, 48, "psnr").split("\n")[-2],
                         "mean of psnr_cr: 60.000000")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
