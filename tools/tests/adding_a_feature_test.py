#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Follows docs/adding-a-feature.md in a copy of the source tree, and runs the result.

    adding_a_feature_test.py SOURCE_ROOT LIBRARY...

Writes the files that the page shows, adds the one word to the list of features, builds, runs the feature's test and scores
a clip with it. Nothing else in the tree may need a change. Each LIBRARY knows features by their descriptors alone, or not
at all: it is linked as it was built without the new one. The copy of the tree keeps one of the other features, as all
stand in the same list and are compiled in the same way.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

NAME = "brightness"
NEIGHBOUR = "psnr" # the other feature of the copy
WIDTH, HEIGHT, GREY = 64, 48, 101
BLOCK = re.compile(r"\*\*`(core/features/\S+)`\*\*[^\n]*\n(?:[^`\n][^\n]*\n)*```cpp\n(.*?)```", re.S)


# Everything that neither the library nor the tests of features need is left out, vector code of the other features too,
# and each target is compiled as one file.
SETUP = ("-Dwerror=true", "-Doptimization=0", "-Dprogram=false", "-Dcpu_levels=", "-Denable_hip=disabled",
         "-Denable_cuda=disabled", "-Denable_vulkan=disabled", "-Denable_host=disabled", "--unity=on",
         "-Dunity_size=1000", "-Dprecompiled=true")


def cheap_compiler(root):
    """Options and environment for clang, which compiles in half the time, where the sanitizer stages have it."""
    sys.path.insert(0, str(root / "tools"))
    import run_tests
    if not shutil.which(run_tests.COMPILER):
        return [], os.environ
    # clang warns of a function that libstdc++'s own algorithms call, and a file's variables are seen by those after it.
    return ["-Dcpp_args=-Wno-deprecated-declarations -Wno-shadow"], {**os.environ, **run_tests.CLANG}


def copy_sources(root, target):
    shutil.copytree(root, target, ignore=shutil.ignore_patterns("build", "build-*", ".git"))


def follow_the_page(tree):
    page = (tree / "docs" / "adding-a-feature.md").read_text()
    files = BLOCK.findall(page)
    if len(files) != 5 or any(not path.startswith(f"core/features/{NAME}/") for path, _ in files):
        sys.exit(f"expected the five files of {NAME} on the page, found {[path for path, _ in files]}")
    for path, content in files:
        target = tree / path
        target.parent.mkdir(exist_ok=True)
        target.write_text(content)
    feature_list = tree / "core" / "features" / "meson.build"
    text, changes = re.subn(r"^features = \[[^\]]*\]", f"features = ['{NAME}', '{NEIGHBOUR}']", feature_list.read_text(),
                            flags=re.M)
    if changes != 1:
        sys.exit("the list of features in core/features/meson.build is not where the page says")
    feature_list.write_text(text)


def run(*command, **options):
    result = subprocess.run([str(part) for part in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, check=False, **options)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stdout}")
    return result.stdout


def compile_features(build, environment):
    """The library of features, and the objects of their tests."""
    library, tests = build / "core/features/libisovmaf_features.a", "core/features/features_test"
    inputs = run("ninja", "-C", build, "-t", "inputs", tests).splitlines()
    objects = [name for name in inputs if name.startswith(f"{tests}.p/") and name.endswith(".o")]
    run("ninja", "-C", build, library.relative_to(build), *objects, env=environment)
    return library, [build / name for name in objects]


def link(program, sources, libraries, environment, *options):
    run(*environment.get("CXX", "c++").split(), *sources, "-o", program, "-Wl,--start-group", *libraries, "-Wl,--end-group",
        *options, "-lfmt", "-ldl", "-pthread", env=environment)
    return program


def run_tests(program):
    last = run(program, f"--gtest_filter={NAME.title()}.*").splitlines()[-1]
    print(last)
    if not re.fullmatch(r"\[  PASSED  \] [1-9]\d* tests?\.", last):
        sys.exit(f"no test of {NAME} ran")


def score_with_the_library(program, folder):
    """Returns the mean score of two grey frames."""
    clip = folder / "grey.yuv"
    clip.write_bytes(bytes([GREY]) * (WIDTH * HEIGHT * 3 // 2 * 2))
    last = run(program, clip, clip, WIDTH, HEIGHT, NAME).splitlines()[-1]
    found = re.fullmatch(rf"mean of {NAME}: ([\d.]+)", last)
    return float(found[1]) if found else sys.exit(f"score_raw printed {last}, not a mean of {NAME}")


def main(root, libraries):
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder) / "tree"
        copy_sources(root, tree)
        follow_the_page(tree)
        build = tree / "build"
        options, environment = cheap_compiler(root)
        run("meson", "setup", build, *SETUP, *options, cwd=tree, env=environment)
        features, tests = compile_features(build, environment)
        libraries = [*libraries, features]
        run_tests(link(tree / "features_test", tests, libraries, environment, "-lgtest_main", "-lgtest", "-lgmock"))
        example = [tree / "docs" / "examples" / "score_raw.cpp", "-std=c++20", f"-I{tree}/core", f"-I{tree}/core/include"]
        value = score_with_the_library(link(tree / "score_raw", example, libraries, environment), tree)
        print(f"{NAME} {value}")
        return 0 if value == GREY else 1


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), sys.argv[2:]))
