#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Checks what packages are made of: versions, options of Meson, which package of Debian has which file, the files for
clusters, and the module file. Nothing is compiled.

    packaging_test.py SOURCE_ROOT MESON COMPILER...
"""
import fnmatch
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import types
import unittest

from commands import output

SOURCE, MESON, COMPILER = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3:]
DEBIAN, CONTRIB, PACKAGE = SOURCE / "debian", SOURCE / "contrib", SOURCE / "tools" / "package"
sys.path.insert(0, str(PACKAGE))
import image_steps  # noqa: E402  (is beside the scripts that packages are made with)

VERSION = re.search(r"^  version: '(.*)',$", (SOURCE / "meson.build").read_text(), re.M)[1]
# Scripts that run alone; the parts of build.sh have a test of their own, package_test.py.
OWN_SCRIPTS = [PACKAGE / name for name in ("deb.sh", "easyconfig.sh", "ffmpeg_with_archive.sh")]
OPTIONS = set(re.findall(r"^option\('(\w+)'", (SOURCE / "meson_options.txt").read_text(), re.M)) | {"default_library"}
DEBIANS_RULES = re.search(r"^OPTIONS = ((?:.*\\\n)*.*)$", (DEBIAN / "rules").read_text(), re.M)[1].replace("\\\n", " ").split()
LIBDIR, PACKAGES_OF_PYTHON = "lib/x86_64-linux-gnu", "lib/python3/dist-packages"
MODULE_TOOLS = {"Environment Modules": "/usr/share/modules/init/bash", "Lmod": "/usr/share/lmod/lmod/init/bash"}
NEEDED = ("clang++-19", "glslc")


def configure(folder):
    """Configures as debian/rules does, with kernels for one GPU, and returns the files that would be installed, below
    the prefix."""
    output(MESON, "setup", folder, "--prefix=/usr", f"--libdir={LIBDIR}", *DEBIANS_RULES, "-Dhip_archs=gfx90a", cwd=SOURCE,
           env={**os.environ, "CXX": " ".join(COMPILER)})
    plan = json.loads(output(MESON, "introspect", "--install-plan", folder))
    folders = {"prefix": "", "bindir": "bin", "datadir": "share", "includedir": "include", "libdir": LIBDIR,
               "libdir_shared": LIBDIR, "libdir_static": LIBDIR, "mandir": "share/man", "py_platlib": PACKAGES_OF_PYTHON,
               "py_purelib": PACKAGES_OF_PYTHON, "moduledir_shared": LIBDIR}
    files = {item["destination"].format(**folders) for kind in plan.values() for item in kind.values()}
    return files | {re.sub(r"\.so\..*", ".so", file) for file in files}  # links with the names that compilers look for


def patterns(file):
    """The files of a list of debhelper, below the prefix."""
    lines = [line.split()[0] for line in file.read_text().splitlines() if line and not line.startswith("#")]
    return [line.removeprefix("usr/") for line in lines]


def matches(pattern, path):
    """Whether a pattern names a file, or a folder above it."""
    parts, wanted = path.split("/"), pattern.split("/")
    return len(parts) >= len(wanted) and all(map(fnmatch.fnmatchcase, parts, wanted))


class Versions(unittest.TestCase):
    def test_all_are_that_of_meson_build(self):
        for path, pattern in {"debian/changelog": r"\Aisovmaf \((.*)\) ", "contrib/spack/package.py": r'    version\("(.*?)"',
                              "CHANGELOG.md": r"^## (\S+?),? "}.items():
            with self.subTest(path):
                self.assertEqual(re.search(pattern, (SOURCE / path).read_text(), re.M)[1], VERSION)
        files = [path.name for path in (CONTRIB / "easybuild").iterdir()]
        self.assertEqual(files, [f"isovmaf-{VERSION}-gfbf-2024a.eb"])
        self.assertEqual(set(re.findall(r"isovmaf-(\d[\d.]*\d)", (CONTRIB / "easybuild" / files[0]).read_text())), {VERSION})
        for page in (SOURCE / "docs").glob("*.md"):
            self.assertEqual(set(re.findall(r"isovmaf[-_](\d+\.\d+\.\d+)", page.read_text())) - {VERSION}, set(), page.name)


class Options(unittest.TestCase):
    def test_exist(self):
        found = 0
        for path in (DEBIAN / "rules", CONTRIB / "debian-cuda" / "rules", CONTRIB / "spack" / "package.py",
                     *(CONTRIB / "easybuild").iterdir(), *OWN_SCRIPTS, SOURCE / "docs" / "packaging.md"):
            named = set(re.findall(r"[ '\"`]-D(\w+)=", path.read_text()))
            self.assertEqual(named - OPTIONS, set(), path.name)
            found += len(named)
        self.assertGreater(found, 30)


class Scripts(unittest.TestCase):
    @unittest.skipUnless(shutil.which("shellcheck"), "there is no shellcheck")
    def test_have_no_mistakes_that_shellcheck_knows(self):
        scripts = [*OWN_SCRIPTS, *(path for path in (DEBIAN / "tests").iterdir() if path.name != "control")]
        self.assertEqual(subprocess.run(["shellcheck", *scripts], check=False).returncode, 0)


class Debian(unittest.TestCase):
    def test_each_package_has_a_list(self):
        control = (DEBIAN / "control").read_text()
        lists = {path.name.removesuffix(".install") for path in DEBIAN.glob("*.install")}
        self.assertEqual(set(re.findall(r"^Package: (\S+)$", control, re.M)), lists)

    def test_its_tests_are_there(self):
        named = re.findall(r"^Tests: (\S+)$", (DEBIAN / "tests" / "control").read_text(), re.M)
        self.assertEqual(sorted(named), sorted(path.name for path in (DEBIAN / "tests").iterdir() if os.access(path, os.X_OK)))

    def test_no_compiler_that_is_not_free_is_needed(self):
        self.assertIn("-Denable_cuda=disabled", DEBIANS_RULES)
        self.assertNotIn("nvcc", (DEBIAN / "control").read_text())


@unittest.skipUnless(all(map(shutil.which, NEEDED)), f"one of {', '.join(NEEDED)} is missing")
class Configured(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.installed = configure(cls.folder / "build")

    def test_each_file_is_in_one_package_of_debian(self):
        lists = {path.name: patterns(path) for path in [*DEBIAN.glob("*.install"), DEBIAN / "not-installed"]}
        for file in self.installed:
            owners = [name for name, named in lists.items() if any(matches(pattern, file) for pattern in named)]
            self.assertEqual(len(owners), 1, f"{file} is in {owners or 'no package'}")
        for name, named in lists.items():
            for pattern in named:
                self.assertTrue([file for file in self.installed if matches(pattern, file)], f"{name}: {pattern}")

    def test_modules_find_the_installation_that_they_lie_in(self):
        prefix = self.folder / "anywhere" / "isovmaf"
        module = prefix / "share/isovmaf/modules/isovmaf" / VERSION
        module.parent.mkdir(parents=True)
        shutil.copy(self.folder / "build" / "contrib" / VERSION, module)
        program = prefix / "bin" / "isovmaf"
        program.parent.mkdir()
        program.write_text("#!/bin/sh\necho started $LD_LIBRARY_PATH\n")
        program.chmod(0o755)
        ran = 0
        for name, start in MODULE_TOOLS.items():
            if os.path.exists(start):
                with self.subTest(name):
                    script = (f"source {start}; module use {module.parents[1]}; module load isovmaf; isovmaf; module list; "
                              "module unload isovmaf; ! command -v isovmaf")
                    text = output("bash", "-c", script, env={"PATH": "/usr/bin:/bin", "HOME": str(self.folder)})
                    self.assertIn(f"started {prefix}/{LIBDIR}\n", text)
                    self.assertIn(f"isovmaf/{VERSION}", text)
                    self.assertNotRegex(text, "(?i)error")
                ran += 1
        if ran == 0:
            self.skipTest("there are no modules: install environment-modules or lmod")


class Clusters(unittest.TestCase):
    def test_spacks_package(self):
        """Spack is not run: the file is, with functions that take note of what it says."""
        said = {name: [] for name in ("conflicts", "depends_on", "extends", "license", "variant", "version")}
        stand_in = types.ModuleType("spack.package")
        for name, calls in said.items():
            setattr(stand_in, name, lambda *texts, calls=calls, **options: calls.append((texts, options)))
        build_systems = "spack_repo.builtin.build_systems.meson"
        sys.modules |= {name: types.ModuleType(name) for name in ("spack", build_systems)} | {"spack.package": stand_in}
        sys.modules[build_systems].MesonPackage = object
        scope = {}
        exec(compile((CONTRIB / "spack" / "package.py").read_text(), "package.py", "exec"), scope)  # pylint: disable=exec-used
        variants = {texts[0] for texts, _ in said["variant"]}
        self.assertEqual({options["when"].strip("+~") for _, options in said["depends_on"] if "when" in options} - variants,
                         set())
        llvm = {"llvm": types.SimpleNamespace(prefix=types.SimpleNamespace(bin=pathlib.Path("/llvm")))}
        package = scope["Isovmaf"]()

        class Spec(dict):
            def __contains__(self, variant):
                return variant == "+mpi"

        package.spec = Spec(llvm)
        arguments = package.meson_args()
        self.assertIn("-Dmpi=enabled", arguments)
        self.assertIn("-Denable_hip=disabled", arguments)

    def test_the_easyconfig(self):
        """As EasyBuild reads it, which is Python. tools/package/easyconfig.sh asks EasyBuild itself."""
        file = next((CONTRIB / "easybuild").iterdir())
        scope = {"SOURCE_TAR_GZ": "", "SYSTEM": {}, "SHLIB_EXT": "so"}
        exec(compile(file.read_text(), file.name, "exec"), scope)  # pylint: disable=exec-used
        self.assertEqual(file.name, f"{scope['name']}-{scope['version']}-{'-'.join(scope['toolchain'].values())}.eb")

    def test_both_images_have_the_same_steps(self):
        steps = image_steps.steps_of_containerfile()
        self.assertEqual([name for name, _ in steps], ["FROM", "COPY", "RUN", "RUN", "RUN", "ENTRYPOINT"])
        self.assertEqual(image_steps.steps_of_definition(), steps)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
