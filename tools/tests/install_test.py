#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Installs a build into a folder, and builds and runs a client of the installed library.

    install_test.py SOURCE_ROOT BUILD_ROOT COMPILER...
"""

import os
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

from commands import output

SOURCE_ROOT, BUILD_ROOT, COMPILER = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
DOCUMENTS = "share/doc/isovmaf"  # where texts say that the pages lie
PAGE = re.compile(rb"\bdocs/[\w/-]+\.\w+")
WIDTH, HEIGHT, FRAMES = 64, 48, 2


def fits(version_file, wanted):
    """Whether CMake takes the installed version for find_package(isovmaf `wanted`)."""
    major, minor = wanted.split(".")[:2]
    script = version_file.with_name("ask.cmake")
    script.write_text(f'set(PACKAGE_FIND_VERSION {wanted})\nset(PACKAGE_FIND_VERSION_MAJOR {major})\n'
                      f'set(PACKAGE_FIND_VERSION_MINOR {minor})\ninclude("{version_file}")\n'
                      'message("compatible: ${PACKAGE_VERSION_COMPATIBLE}")\n')
    return "compatible: TRUE" in output("cmake", "-P", script)


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.root = pathlib.Path(folder.name) / "root"
        output("meson", "install", "-C", BUILD_ROOT, "--no-rebuild", "--quiet", "--destdir", cls.root)
        cls.installed = [str(path.relative_to(cls.root)) for path in cls.root.rglob("*") if not path.is_dir()]

    def path_of(self, pattern):
        found = [path for path in self.installed if re.search(pattern + "$", path)]
        self.assertEqual(len(found), 1, f"{pattern}: {found or self.installed}")
        return self.root / found[0]

    def test_everything_is_in_place(self):
        for pattern in (r"/bin/isovmaf", r"/libisovmaf\.so", r"/include/isovmaf/isovmaf\.hpp", r"/pkgconfig/isovmaf\.pc",
                        r"/man/man1/isovmaf\.1", r"/bash-completion/completions/isovmaf\.bash",
                        r"/zsh/site-functions/_isovmaf", r"/fish/vendor_completions\.d/isovmaf\.fish",
                        r"/share/isovmaf/slurm/batch-shards\.slurm", r"/share/isovmaf/results_to_parquet\.py"):
            self.path_of(pattern)
        self.assertIn("isovmaf score", output(self.path_of("/bin/isovmaf"), "score", "--help"))

    def test_what_has_libvmafs_names_is_installed_only_when_asked_for(self):
        options = output("meson", "introspect", BUILD_ROOT, "--buildoptions")
        for option, pattern, count in (("install_vmaf", r"/(vmaf|_vmaf|vmaf\.\w+)$", 5),
                                       ("install_libvmaf", r"/libvmaf(\.|/)", 10)):
            asked = re.search(rf'"name": "{option}", "value": (\w+)', options)[1] == "true"
            files = [path for path in self.installed if re.search(pattern, path)]
            self.assertEqual(len(files), count if asked else 0, files)

    def test_pages_that_programs_and_manuals_name_are_installed(self):
        """Help and messages are in the programs and libraries, comments in headers and scripts."""
        folder = self.path_of(f"/{DOCUMENTS}/LICENSE").parent
        named = {}
        for path in map(self.root.joinpath, self.installed):
            if folder not in path.parents:
                for page in PAGE.findall(path.read_bytes().replace(b"\\-", b"-")):  # as manual pages have it
                    named.setdefault(page.decode(), path.name)
        self.assertGreaterEqual(set(named), {"docs/exit-codes.md", "docs/batch.md"})
        self.assertEqual({page: by for page, by in named.items() if not (folder / page).is_file()}, {})
        self.assertIn(DOCUMENTS, self.path_of(r"/man/man1/isovmaf\.1").read_text())

    def test_links_between_installed_pages_lead_to_files(self):
        """Links to sources are left out: those lead out of docs, to other than the pages at the top."""
        folder = self.path_of(f"/{DOCUMENTS}/LICENSE").parent
        followed = 0
        for page in (folder / "README.md", *folder.glob("docs/**/*.md")):
            prose = re.sub(r"^```.*?^```$|`[^`\n]*`", "", page.read_text(), flags=re.M | re.S)
            for target in re.findall(r"\]\((?![a-z]+:|#)([^)\s#]+)", prose):
                name = os.path.relpath(os.path.normpath(page.parent / target), folder)
                if name.startswith("docs/") or name == "LICENSE" or re.fullmatch(r"\w+\.md", name):
                    self.assertTrue((folder / name).exists(), f"{page.name} links to {target}")
                    followed += 1
        self.assertGreater(followed, 100)

    def check_client(self, client):
        video = self.root / "video.yuv"
        video.write_bytes(bytes(n * n % 251 for n in range(WIDTH * HEIGHT * 3 // 2)) * FRAMES)
        environment = {**os.environ, "LD_LIBRARY_PATH": str(self.path_of(r"/libisovmaf\.so").parent)}
        self.assertEqual(output(client, video, video, WIDTH, HEIGHT, "psnr", env=environment).split("\n")[-2],
                         "mean of psnr_cr: 60.000000")

    def test_a_client_is_built_with_pkg_config(self):
        package = self.path_of(r"/isovmaf\.pc")
        environment = {**os.environ, "PKG_CONFIG_PATH": str(package.parent), "PKG_CONFIG_SYSROOT_DIR": str(self.root)}
        flags = output("pkg-config", "--cflags", "--libs", "isovmaf", env=environment).split()
        client = self.root / "client"
        output(*COMPILER, "-std=c++20", SOURCE_ROOT / "docs/examples/score_raw.cpp", "-o", client, *flags)
        self.check_client(client)

    @unittest.skipUnless(shutil.which("cmake"), "cmake is missing")
    def test_the_installed_example_is_built_with_cmake(self):
        example = self.path_of(r"/share/isovmaf/examples/score_raw\.cpp").parent
        prefix = self.path_of(r"/include/isovmaf/isovmaf\.hpp").parents[2]
        build = self.root / "example"
        output("cmake", "-G", "Ninja", "-S", example, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}",
               f"-DCMAKE_CXX_COMPILER={';'.join(COMPILER)}")
        output("cmake", "--build", build)
        self.check_client(build / "score_raw")

    @unittest.skipUnless(shutil.which("cmake"), "cmake is missing")
    def test_cmake_refuses_another_minor_version(self):
        version = self.path_of(r"/isovmaf-config-version\.cmake")
        for wanted, compatible in {"0.1": True, "0.1.0": True, "0.0": False, "0.2": False, "1.0": False}.items():
            with self.subTest(wanted):
                self.assertEqual(fits(version, wanted), compatible)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
