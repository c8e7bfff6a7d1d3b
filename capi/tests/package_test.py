#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Installs the C library, shared and as an archive, and builds programs with it as the programs of libvmaf are built.

    package_test.py [--plugin HOST] SOURCE_ROOT BUILD_ROOT COMPILER...

BUILD_ROOT was configured with any options. A second build folder is configured with -Dinstall_libvmaf=true, and gets the
libraries of BUILD_ROOT. Its libisovmaf.a is made of libvmaf.a, which has the same objects, those of the C interface, and what
is called of fmt. HOST is the plugin of the stand-in for GPUs.
"""

import argparse
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

parser = argparse.ArgumentParser()
parser.add_argument("source", type=pathlib.Path)
parser.add_argument("build", type=pathlib.Path)
parser.add_argument("--plugin", type=pathlib.Path)
parser.add_argument("compiler", nargs=argparse.REMAINDER)
arguments = parser.parse_args()
SOURCE_ROOT, BUILD_ROOT, COMPILER = arguments.source, arguments.build, arguments.compiler
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
    """Programs in C and what is installed by -Ddefault_library=KIND."""
    KIND = "shared"

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.prefix = install(cls.folder, cls.KIND)
        cls.libraries = next(cls.prefix.rglob("libvmaf.a")).parent

    def flags(self, *options):
        environment = {**os.environ, "PKG_CONFIG_PATH": str(self.libraries / "pkgconfig")}
        return output("pkg-config", *options, "libvmaf", env=environment).split()

    def built(self, text, *libraries, program="program"):
        """A program in C."""
        source, program = self.folder / "program.c", self.folder / program
        source.write_text(text)
        program.parent.mkdir(parents=True, exist_ok=True)
        output(*COMPILER, "-std=c11", source, "-o", program, *self.flags("--cflags"), *libraries)
        return program

    def run_program(self, program, **variables):
        environment = {name: value for name, value in os.environ.items() if name != "ISOVMAF_BACKEND_DIR"}
        environment |= {"LD_LIBRARY_PATH": str(self.libraries), "ISOVMAF_BACKEND": "cpu", **variables}
        return output(program, cwd=self.folder, env=environment)


class Shared(Package):
    def test_the_check_of_ffmpegs_configure_finds_it(self):
        output("pkg-config", "--exists", "--print-errors", "libvmaf >= 2.0.0",
               env={**os.environ, "PKG_CONFIG_PATH": str(self.libraries / "pkgconfig")})
        program = self.built(FFMPEG_PROBE, *self.flags("--libs"))
        self.assertIn("libvmaf.so.3", needed(program))

    def test_both_ways_to_include_it_work(self):
        self.assertIn("#include <libvmaf/libvmaf.h>", EXAMPLE)
        for text in (EXAMPLE, EXAMPLE.replace("<libvmaf/libvmaf.h>", "<libvmaf.h>")):
            self.assertRegex(self.run_program(self.built(text, *self.flags("--libs"))), r"\n\d+\.\d+\n$")

    def test_a_program_is_linked_with_the_archive_beside_it(self):
        libraries = [flag for flag in self.flags("--libs", "--static") if not re.match("-L|-lvmaf", flag)]
        shared = self.run_program(self.built(EXAMPLE, *self.flags("--libs")))
        program = self.built(EXAMPLE, self.libraries / "libvmaf.a", *libraries)
        self.assertLessEqual(needed(program), OF_THE_SYSTEM)
        self.assertEqual(self.run_program(program), shared)


class Static(Package):
    KIND = "static"

    def test_only_the_archive_is_installed(self):
        self.assertEqual(list(self.prefix.rglob("lib*.so*")), [])

    def test_a_program_needs_nothing_else(self):
        """With and without --static, as there is no other library."""
        for options in (["--libs"], ["--libs", "--static"]):
            program = self.built(EXAMPLE, *self.flags(*options))
            self.assertLessEqual(needed(program), OF_THE_SYSTEM)
            self.assertRegex(self.run_program(program), r"\n\d+\.\d+\n$")

    @unittest.skipUnless(arguments.plugin, "the stand-in for GPUs is not built")
    def test_a_program_opens_plugins(self):
        """Those of the installation that the program lies in, those beside the program, those that a variable names."""
        expected = self.run_program(self.built(EXAMPLE, *self.flags("--libs"))).splitlines()[-1]
        installed = self.libraries / "isovmaf/backends"
        for program, plugins, variables in ((self.prefix / "bin/program", installed, {}),
                                            (self.folder / "apart/program", self.folder / "apart/backends", {}),
                                            (self.folder / "other/program", self.folder / "plugins",
                                             {"ISOVMAF_BACKEND_DIR": str(self.folder / "plugins")})):
            with self.subTest(plugins):
                plugins.mkdir(parents=True, exist_ok=True)
                shutil.copy(arguments.plugin, plugins)
                self.built(EXAMPLE, *self.flags("--libs"), program=program)
                self.assertRegex(self.run_program(program, ISOVMAF_BACKEND="host", ISOVMAF_LOG="info", **variables),
                                 rf"computes with backend host\b[^\n]*\n(.*\n)?{expected}\n$")
                shutil.rmtree(plugins)

    @unittest.skipUnless(shutil.which("cmake"), "cmake is missing")
    def test_cmake_finds_it(self):
        example, build = next(self.prefix.rglob("score_raw.cpp")).parent, self.folder / "example"
        output("cmake", "-G", "Ninja", "-S", example, "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}")
        output("cmake", "--build", build)
        self.assertEqual([name for name in needed(build / "score_raw") if "vmaf" in name], [])
        video = self.folder / "video.yuv"
        video.write_bytes(bytes(n * n % 251 for n in range(64 * 48 * 3 // 2)) * 2)
        self.assertEqual(output(build / "score_raw", video, video, 64, 48, "psnr").split("\n")[-2],
                         "mean of psnr_cr: 60.000000")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
