#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Checks what packages are made of without making one: the scripts, the tables, and that check_package.py, sbom.py and
release_page.py say of a small folder what they should. Given the source folder, and a C++ compiler."""

import hashlib
import json
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent
SOURCE, COMPILER = pathlib.Path(sys.argv[1]), sys.argv[2:]
del sys.argv[1:]

import check_package  # noqa: E402
import package_files  # noqa: E402
import release_page  # noqa: E402
import sbom  # noqa: E402
import try_packages  # noqa: E402
import wheel_metadata  # noqa: E402

# What readelf says of the packaged program, shortened.
READELF = """Dynamic section at offset 0x2d7a8 contains 25 entries:
 0x000000000000000f (RPATH)              Library rpath: [$ORIGIN/../lib/isovmaf/ffmpeg]
 0x0000000000000001 (NEEDED)             Shared library: [libpthread.so.0]
 0x0000000000000001 (NEEDED)             Shared library: [libc.so.6]
 0x0000000000000001 (NEEDED)             Shared library: [ld-linux-x86-64.so.2]
Version needs section '.gnu.version_r' contains 2 entries:
  000000: Version: 1  File: libc.so.6  Cnt: 2
  0x0010:   Name: GLIBC_2.17  Flags: none  Version: 3
  0x0020:   Name: GLIBC_2.2.5  Flags: none  Version: 2
"""


class Scripts(unittest.TestCase):
    @unittest.skipUnless(shutil.which("shellcheck"), "there is no shellcheck")
    def test_shellcheck_finds_nothing(self):
        result = subprocess.run(["shellcheck", "-x", "tools/package/build.sh"], cwd=SOURCE, capture_output=True, text=True,
                                check=False)
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_an_unknown_word_is_answered_with_the_usage(self):
        result = subprocess.run([FOLDER / "build.sh", "zip"], capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 2)
        self.assertIn("tarball|wheel|deb", result.stderr)


class Tables(unittest.TestCase):
    def test_each_source_is_complete(self):
        for name, cells in package_files.sources().items():
            kind, _, version, sha256, licence, inside, text = cells
            self.assertIn(kind, ("source", "binary", "tool"), name)
            self.assertRegex(inside, "^(static|shared|headers)(:x86_64|:aarch64)?$|^wheel$|^no$", name)
            self.assertRegex(sha256, "^-$" if kind == "tool" else "^[0-9a-f]{64}$", name)
            self.assertTrue(version and licence and text, name)
            self.assertIsNone(check_package.GPL.search(licence), name)

    def test_licences_name_sources_that_are_inside(self):
        for pattern, _, names in package_files.rows("licences.tsv"):
            for name in names.split():
                self.assertIn(name, package_files.sources_inside("x86_64"), pattern)

    def test_every_source_that_is_inside_is_in_some_file(self):
        named = {name for _, _, names in package_files.rows("licences.tsv") for name in names.split()}
        inside = {name for name, form in package_files.sources_inside("x86_64").items() if form != "shared"}
        self.assertEqual(named, inside)

    def test_a_source_that_is_inside_on_one_architecture(self):
        self.assertEqual(package_files.sources_inside("x86_64")["clangrt"], "static")
        self.assertNotIn("clangrt", package_files.sources_inside("aarch64"))
        self.assertIn("fmt", package_files.sources_inside("aarch64"))

    def test_a_file_has_the_licences_of_all_that_is_in_it(self):
        licence, names = package_files.licence_of("lib/isovmaf/ffmpeg/libavcodec.so.59")
        self.assertEqual(licence, "BSD-2-Clause AND LGPL-2.1-or-later AND MIT AND Zlib")
        self.assertEqual(names, ["dav1d", "nvcodec", "zlib"])


class Libraries(unittest.TestCase):
    def faults(self, old="", new=""):
        self.assertIn(old, READELF)
        return list(check_package.elf_faults(READELF.replace(old, new), {"libavutil.so.57"}))

    def test_an_old_system_will_do(self):
        self.assertEqual(self.faults(), [])

    def test_a_newer_c_library(self):
        self.assertEqual(self.faults("GLIBC_2.17", "GLIBC_2.29"), ["needs GLIBC_2.29; the floor is GLIBC_2.28"])
        self.assertEqual(self.faults("GLIBC_2.17", "GLIBC_2.28"), [])

    def test_a_c_plus_plus_library(self):
        self.assertEqual(self.faults("libpthread.so.0", "libstdc++.so.6"),
                         ["needs libstdc++.so.6, which not every system has"])
        self.assertEqual(self.faults("GLIBC_2.17", "CXXABI_1.3"), ["needs CXXABI_1.3; the floor is GLIBC_2.28"])

    def test_a_library_of_the_folder(self):
        self.assertEqual(self.faults("libpthread.so.0", "libavutil.so.57"), [])

    def test_a_folder_of_the_machine_that_built_it(self):
        self.assertEqual(self.faults("$ORIGIN/../lib/isovmaf/ffmpeg", "$ORIGIN:/opt/lib"),
                         ["searches $ORIGIN:/opt/lib, which is no folder beside its own"])


class Folders(unittest.TestCase):
    """A folder with one library, its licences and a page."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name) / "isovmaf-1.2.3-linux-x86_64"
        self.library("libavutil license: LGPL version 2.1 or later")
        texts = {"libcxx" if name == "zig" else name for name in package_files.sources_inside(platform.machine())}
        for name in texts:
            self.write(f"share/doc/isovmaf/licences/{name}.txt", "text")
        self.write("share/doc/isovmaf/README.md", "page")

    def write(self, name, text):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def library(self, text):
        file = self.folder / "lib/isovmaf/ffmpeg/libavutil.so.57"
        file.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([*COMPILER, "-shared", "-nostdlib", "-x", "c++", "-", "-o", file], check=True, text=True,
                       input=f'char text[] = "{text}";\n')

    def faults(self):
        return list(check_package.faults(self.folder, ["/somewhere/build"]))

    def test_nothing_is_wrong(self):
        self.assertEqual(self.faults(), [])

    def test_a_gpl_part_of_ffmpeg(self):
        self.library("libavutil license: GPL version 2 or later")
        self.assertEqual(self.faults(),
                         ["lib/isovmaf/ffmpeg/libavutil.so.57 says: libavutil license: GPL version 2 or later"])
        self.library("--enable-shared --enable-gpl")
        self.assertEqual(self.faults(), ["lib/isovmaf/ffmpeg/libavutil.so.57 was configured with --enable-gpl"])

    def test_a_file_without_a_licence(self):
        self.write("lib/isovmaf/ffmpeg/libpostproc.so.56", "")
        self.assertEqual(self.faults(), ["lib/isovmaf/ffmpeg/libpostproc.so.56 has no row in licences.tsv: say under which "
                                         "licence it is"])

    def test_a_source_without_the_text_of_its_licence(self):
        (self.folder / "share/doc/isovmaf/licences/dav1d.txt").unlink()
        self.assertEqual(self.faults(), ["share/doc/isovmaf/licences has no text of dav1d"])

    def test_a_path_of_the_machine_that_built_it(self):
        self.library("/somewhere/build/core/frame.cpp")
        self.assertEqual(self.faults(), ["lib/isovmaf/ffmpeg/libavutil.so.57 has the path /somewhere/build"])

    def test_the_bill_lists_every_file_and_source(self):
        bill = sbom.document(self.folder, "1.2.3", "x86_64", 86400)
        self.assertEqual(bill["creationInfo"]["created"], "1970-01-02T00:00:00Z")
        self.assertEqual(len(bill["files"]), len(package_files.files_of(self.folder)))
        library = next(file for file in bill["files"] if file["fileName"].endswith("libavutil.so.57"))
        self.assertEqual(library["licenseConcluded"], "LGPL-2.1-or-later AND MIT")
        content = (self.folder / "lib/isovmaf/ffmpeg/libavutil.so.57").read_bytes()
        self.assertEqual(library["checksums"][1]["checksumValue"], hashlib.sha256(content).hexdigest())
        packages = {package["name"] for package in bill["packages"]}
        self.assertEqual(packages - package_files.sources().keys(), {"isovmaf"})
        identifiers = [entry["SPDXID"] for entry in bill["files"] + bill["packages"]]
        self.assertEqual(len(set(identifiers)), len(identifiers))
        self.assertEqual(json.dumps(bill), json.dumps(sbom.document(self.folder, "1.2.3", "x86_64", 86400)))

    def test_a_wheel_states_the_licences_of_its_files(self):
        metadata = "Name: isovmaf\nLicense-Expression: BSD-2-Clause-Patent AND CC0-1.0\n\nLicense-Expression: of a page\n"
        files = ["isovmaf/backends/libvmaf_hip.so", "isovmaf.libs/libavformat-0123abcd.so.59.27.100",
                 "isovmaf-1.2.3.dist-info/licenses/bundled/zlib.txt"]
        self.assertEqual(wheel_metadata.changed(metadata, files, ["bundled/zlib.txt"]),
                         "Name: isovmaf\nLicense-Expression: Apache-2.0 WITH LLVM-exception AND BSD-2-Clause-Patent AND CC0-1.0 "
                         "AND LGPL-2.1-or-later AND MIT AND Zlib\nLicense-File: bundled/zlib.txt\n\n"
                         "License-Expression: of a page\n")

    def test_a_report_that_differs_ends_a_try(self):
        work = self.folder.parent
        for kind, speed in (("expected", 10), ("reports", 20)):
            for clip in try_packages.FORMATS:
                file = work / f"{kind}-vmaf" / f"{clip}.json"
                file.parent.mkdir(exist_ok=True)
                file.write_text(f'{{\n  "fps": {speed},\n  "vmaf": 77.9\n}}\n', encoding="utf-8")
        try_packages.compare(work, "trixie", "vmaf", "vmaf")
        file.write_text('{\n  "fps": 20,\n  "vmaf": 78\n}\n', encoding="utf-8")
        with self.assertRaisesRegex(SystemExit, f"trixie: vmaf reports something else for {clip}"):
            try_packages.compare(work, "trixie", "vmaf", "vmaf")

    def test_the_release_page_has_digests_and_changes(self):
        packages = self.folder.parent / "packages"
        packages.mkdir()
        (packages / "isovmaf.tar.xz").write_bytes(b"archive")
        changelog = self.write("share/doc/isovmaf/CHANGELOG.md", "# Changelog\n\n## 1.2.3\n\n- new\n\n## 1.2.2\n\n- old\n")
        release_page.main(packages, "1.2.3", changelog)
        release_page.main(packages, "1.2.3", changelog)  # its own files are no packages
        digest = hashlib.sha256(b"archive").hexdigest()
        self.assertEqual((packages / "SHA256SUMS").read_text(encoding="utf-8"), f"{digest}  isovmaf.tar.xz\n")
        page = (packages / "release.md").read_text(encoding="utf-8")
        self.assertIn(digest, page)
        self.assertTrue(page.endswith("\n- new\n"), page)

    def test_the_changelog_has_the_version(self):
        version = re.search(r"version: '(.*)'", (SOURCE / "meson.build").read_text(encoding="utf-8"))[1]
        self.assertTrue(release_page.changes(SOURCE / "CHANGELOG.md", version))


if __name__ == "__main__":
    unittest.main()
