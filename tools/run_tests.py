#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Builds and runs the tests of isovmaf, stage by stage (docs/testing.md): the stage release, or those that are named; `all`
names every stage that CI runs.

One line per stage; what the commands print goes to build-<stage>/<stage>.log. While the tests of a stage run, those of
the next stages, and those that BUILD_AHEAD names, are built with the processor time that is left. What failed is shown
at the end, as CI may show the last lines alone: the output of each failed test, or the end of the log of a stage that
failed elsewhere. Before the last line stand the tests that took most processor time. The last line is `N passed, N
failed, N skipped`; the exit code is 1 when anything failed.
"""

import collections
import concurrent.futures
import contextlib
import json
import os
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "capi" / "tests"))
import stock_ffmpeg

FUZZ_SECONDS = int(os.environ.get("FUZZ_SECONDS", "60"))  # of the stage search
FUZZ_INPUTS = 3000  # that the stage fuzz makes of the seeds, always the same ones
SEEDED = ("features", "segments", "batch-kill")  # tests that ISOVMAF_TEST_SEED changes
SLOWEST = 10  # tests that are listed
TIMED = ROOT / "tools" / "timed_test.sh"  # measures the processor time of a test
PACKAGES = pathlib.Path("/var/lib/dpkg/status")  # dpkg's list of what is installed
HOURS = "--timeout-multiplier=480"  # of tests in an emulator: four hours rather than the half of one that meson.build sets

# Releases of the PyPI package imageio-ffmpeg: an old and a new libvmaf to compare with (docs/testing.md).
OUTSIDERS = ("0.6.0", "0.8.1")
PIP_INSTALL = (sys.executable, "-m", "pip", "install", "--quiet", "--root-user-action=ignore", "--retries=1",
               "--no-deps", "--only-binary=:all:")

# Compiles sanitized code in half the time that g++ takes. Meson looks for ccache only when nobody names a compiler.
COMPILER = next((name for name in ("clang++-19", "clang++") if shutil.which(name)), "clang++")
CCACHE = "ccache " if shutil.which("ccache") else ""
CLANG = {"CXX": CCACHE + COMPILER, "CC": CCACHE + COMPILER.replace("++", ""),
         "CXX_LD": "lld" if shutil.which("ld.lld-19") or shutil.which("ld.lld") else "bfd",
         "CCACHE_SLOPPINESS": "pch_defines,time_macros"}

# Most of the time goes into headers, and into templates that many files use. Headers from outside are compiled once, and
# all files of a target are compiled as one. `./quickstart`, pip and the stage alone compile each file for itself.
TOGETHER = ["--unity=on", "-Dunity_size=1000", "-Dprecompiled=true"]

# Not optimised: to optimise what the sanitizers add takes far longer than the tests then save.
# What a kernel becomes on a GPU is the release stage's business; one architecture is enough to run the plugins' own code.
SANITIZED = ["-Dtests=enabled", "-Db_lundef=false", "-Db_ndebug=false", "-Doptimization=0", "-Ddebug=false",
             "-Dpython=disabled", "-Denable_cuda=disabled", "-Dhip_archs=gfx90a", *TOGETHER]
# Beside the long tests, those that run no code of the project (docs/testing.md).
NOT_SANITIZED = ["slow", "outsider", "static"]
# Races only: what golden tests compare does not change under ThreadSanitizer, and they take long. Tests of one thread are
# not even built.
NO_RACES = [*NOT_SANITIZED, "golden", "sequential"]
AVX512 = {"avx512f", "avx512vl", "avx512dq", "avx512bw", "avx512_vnni"}  # what core/simd/level.cpp asks for
HALT = "halt_on_error=1:abort_on_error=1:print_stacktrace=1"
FIBERS = "detect_stack_use_after_return=0"  # on by default from clang 15 on; fibers take four times as long with it
LEAKS = f"suppressions='{ROOT}/tools/lsan.supp':print_suppressions=0"  # quoted: a path may have spaces
TAIL_LINES = 60  # of a stage's log
OUTPUT_LINES = 40  # of what a failed test prints on standard output, and on standard error
SKIPPED = 77  # the exit code of what could not be tested here
REPORT = re.compile(r"(ERROR|WARNING): \w+Sanitizer|runtime error: |^FAILED: ")
REPORT_LINES = 12
FINDING = re.compile(r"compared [\d,]+ (values|cases)|^peak memory")  # what tests print that is worth repeating


BUILDING = collections.defaultdict(threading.Lock)  # one ninja at a time in a build directory


def with_left_time():
    """What a command starts with that gets the time that processors have left. A sandbox may forbid the idle class."""
    idle = ("chrt", "--idle", "0")
    allowed = shutil.which("chrt") and subprocess.run([*idle, "true"], stderr=subprocess.DEVNULL).returncode == 0
    return idle if allowed else ("nice", "-n", "19")


class Failure(Exception):
    """A command of a stage failed; the text says which."""


class Stage:
    """A build directory, its log, and what was counted in it."""

    def __init__(self, name, directory=None):
        self.name = name
        self.directory = ROOT / f"build-{directory or name}"
        self.directory.mkdir(exist_ok=True)
        self.log = self.directory / f"{name}.log"
        self.log.write_bytes(b"")
        self.passed, self.failed, self.skipped, self.findings = 0, [], [], []
        self.passed_tests = []  # their names
        self.failed_tests = []  # meson's records of them
        self.start, self.tests_start = time.time(), None
        self.before = ()  # what commands start with while the stage is built ahead
        self.process, self.stopped = None, False  # the command that runs, and whether no other may
        self.times = []  # (processor seconds, name) of each test
        self.built = lambda: None  # called when all is built that the stage tests
        self.wheel_code = None

    def run(self, *command, env=None, check=True):
        command = (*self.before, *command)
        with open(self.log, "ab") as log:
            log.write(f"\n$ {' '.join(map(str, command))}\n".encode())
            log.flush()
            if self.stopped:
                raise Failure("the build was stopped")
            self.process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                            env={**os.environ, **(env or {})})
            code = self.process.wait()
        if check and code != 0:
            raise Failure(f"`{' '.join(map(str, command[:3]))} ...` ended with code {code}")
        return code

    def stop(self):
        """Ends what is built ahead. ninja goes on with it the next time."""
        self.stopped = True
        if self.process:
            self.process.terminate()

    def configure(self, *options, env=None):
        if not (self.directory / "build.ninja").exists():
            self.run("meson", "setup", self.directory, *options, env=env)

    def build(self, *targets):
        with BUILDING[self.directory]:
            self.run("ninja", "-k0", "-C", self.directory, *targets)

    def targets_of_tests(self, without=(), within=(), names=None):
        """What tests need that are in none of the suites `without`, in all of the suites `within`, and have one of the names
        `names`."""
        information = self.directory / "meson-info"
        files = {target["id"]: target["filename"] for target in json.loads((information / "intro-targets.json").read_text())}
        chosen = [test for test in json.loads((information / "intro-tests.json").read_text())
                  if not (suites := {suite.partition(":")[2] for suite in test["suite"]}) & set(without)
                  and suites >= set(within) and (names is None or test["name"] in names)]
        return sorted({os.path.relpath(file, self.directory)
                       for test in chosen for target in test["depends"] for file in files[target]})

    def meson_test(self, *options, without=(), env=None, all_may_skip=False):
        """Runs the tests that are in none of the suites `without`, and counts them from meson's own record. Returns what
        they printed."""
        self.built()
        # Meson names its record after the wrapper.
        record = self.directory / "meson-logs" / f"testlog-{TIMED.name}.json"
        times = self.directory / "times"
        record.unlink(missing_ok=True)
        times.unlink(missing_ok=True)
        self.run("meson", "test", "-C", self.directory, "--no-rebuild", "--print-errorlogs",
                 f"--wrapper={shlex.quote(str(TIMED))}",
                 *(f"--no-suite={suite}" for suite in without), *options, env={"TIMES": str(times), **(env or {})},
                 check=False)
        if not record.exists():
            raise Failure("meson test ran nothing")
        results = [json.loads(line) for line in record.read_text().splitlines()]
        self.times = processor_times(times, results)
        self.tests_start = min((result["starttime"] for result in results), default=None)
        self.count(results)
        if self.passed == 0 and not all_may_skip:
            raise Failure("no test passed")
        return [result.get("stdout") or "" for result in results]

    def count(self, results):
        for result in results:
            output = (result.get("stdout") or result.get("stderr") or "no reason given").strip().splitlines()
            self.findings += filter(FINDING.search, output)
            if result["result"] in ("OK", "EXPECTEDFAIL"):
                self.passed += 1
                self.passed_tests.append(plain_name(result["name"]))
            elif result["result"] == "SKIP":
                self.skipped.append(f"skipped {result['name']}: {output[-1]}")
            else:
                self.failed.append(f"{result['name']} ({result['result']})")
                self.failed_tests.append(result)


def processor_times(file, results):
    """(seconds, name) of the tests, from the lines that tools/timed_test.sh wrote. They begin with the command."""
    names = {" ".join(result["command"][1:]): result["name"] for result in results if result.get("command")}
    times = []
    for line in file.read_text().splitlines() if file.exists() else ():
        seconds, _, command = line.partition(" ")
        if command in names:
            times.append((float(seconds), names[command]))
    return times


def fetch_outsiders(stage):
    """Folders with one release of imageio-ffmpeg each. Without a network there are fewer, and the test says so."""
    folders = []
    for version in OUTSIDERS:
        folder = stage.directory / f"imageio-ffmpeg-{version}"
        if not folder.exists() and stage.run(*PIP_INSTALL, "--target", folder, f"imageio-ffmpeg=={version}",
                                             check=False) != 0:
            continue
        folders.append(str(folder))
    return os.pathsep.join(folders)


def fetch_stock_ffmpeg(stage):
    """The folder of the wheel whose FFmpeg is to score with our library (capi/tests). Without a network it is absent, and the
    tests say so."""
    folder = stage.directory / f"av-{stock_ffmpeg.RELEASE}"
    if not folder.exists():
        stage.run(*PIP_INSTALL, *stock_ffmpeg.PIP_OPTIONS, "--target", folder, f"av=={stock_ffmpeg.RELEASE}", check=False)
    return str(folder)


# The architectures of AMD whose code backends/hip/testing/amd executes: one of each family, and what the stage amd has
# besides. The stage kernels compiles for every other one. Twins with taps take as long, and nothing executes them here: they are compiled for one architecture,
# another than that of the sanitizer stages (docs/adr/0081).
AMD_ARCHS = "gfx90a,gfx942,gfx1030,gfx1100,gfx1201"
MORE_AMD_ARCHS = "gfx950,gfx1102,gfx1103,gfx1151"
TAPS_ARCHS = "-Dhip_taps_archs=gfx1100"
# Counts of the executed code are on record for this compiler (docs/adr/0087), whichever newer one is installed.
NVIDIA_ARCHS = "-Dnvidia_archs=sm_90"
HIP_COMPILER = ["-Dhip_compiler=clang++-19"] if shutil.which("clang++-19") else []


def configure_release(stage):
    """One build directory for the stages release, quick and rest."""
    stage.configure("--buildtype=release", "-Dwerror=true", "-Dtests=enabled", "-Denable_hip=enabled", *HIP_COMPILER,
                    f"-Dhip_archs={AMD_ARCHS}", TAPS_ARCHS, NVIDIA_ARCHS, "-Denable_host=enabled", "-Denable_vulkan=enabled",
                    "-Drequire_backends=host,vulkan", "-Dplanted_faults=true", "-Dpython=enabled", *TOGETHER)


def quick(stage):
    """What a developer runs between commits."""
    configure_release(stage)
    stage.build()
    stage.meson_test(without=("slow", "outsider"))


def release(stage):
    configure_release(stage)
    stage.build()
    release_tests(stage)
    (stage.directory / "passed.json").write_text(json.dumps(stage.passed_tests))


def release_tests(stage, *names):
    stage.meson_test(*names, all_may_skip=bool(names), env={
        "ISOVMAF_OUTSIDERS": fetch_outsiders(stage), stock_ffmpeg.VARIABLE: fetch_stock_ffmpeg(stage)})


def has_new_packages(directory):
    """Whether a package was installed since Meson looked for what there is. Without dpkg nobody can tell: then yes."""
    return not PACKAGES.exists() or PACKAGES.stat().st_mtime > (directory / "build.ninja").stat().st_mtime


def rest(stage):
    """What the stage release did not pass, mostly for want of packages that only `all` installs: tests that it skipped, and
    those that Meson finds now."""
    if has_new_packages(stage.directory):
        stage.run("ninja", "-C", stage.directory, "reconfigure")  # after `meson setup`, ninja would do it once more
    stage.build()
    record = stage.directory / "passed.json"
    passed = set(json.loads(record.read_text())) if record.exists() else set()
    tests = json.loads((stage.directory / "meson-info" / "intro-tests.json").read_text())
    if left := sorted({test["name"] for test in tests} - passed):
        release_tests(stage, *left)


def plain_name(name):
    """"hip verdicts" of "isovmaf:backends / hip verdicts"."""
    return name.rpartition(" / ")[2]


def longest_vectors():
    """The level of core/simd that has the longest vectors this processor runs: they can read too far. One level is enough
    for sanitizers, as all are compiled from the same source; release tests each on pictures between guarded pages."""
    information = pathlib.Path("/proc/cpuinfo")
    flags = set(information.read_text().split()) if information.exists() else set()
    return "avx512" if AVX512 <= flags else "avx2"


def configure_asan(stage):
    """One build directory for the stages asan and fuzz. Reports name functions, not lines: clang would take a seventh
    longer for these. `meson configure build-asan -Dcpp_args=-g1` brings them."""
    stage.configure("-Db_sanitize=address,undefined", "-Dfuzz=true", f"-Dcpu_levels={longest_vectors()}", *SANITIZED,
                    env=CLANG)


def build_asan(stage):
    configure_asan(stage)
    stage.build(*stage.targets_of_tests(NOT_SANITIZED))


def asan(stage):
    build_asan(stage)
    stage.meson_test(without=NOT_SANITIZED,
                     env={"ASAN_OPTIONS": f"{HALT}:{FIBERS}", "UBSAN_OPTIONS": HALT, "LSAN_OPTIONS": LEAKS,
                          stock_ffmpeg.VARIABLE: fetch_stock_ffmpeg(stage)})


def configure_tsan(stage):
    stage.configure("-Db_sanitize=thread", "-Denable_vulkan=disabled", "-Dcpu_levels=avx2", "-Dcpp_args=-g1", *SANITIZED)


def build_tsan(stage):
    configure_tsan(stage)
    stage.build(*stage.targets_of_tests(NO_RACES))


def tsan(stage):
    """With g++: the ThreadSanitizer of clang 14 and 19 misses a race that a kernel has when an earlier launch in the same
    process touched the same memory in the same lane order (TsanDeathTest.AMissingBarrier). Without Vulkan: what lavapipe's
    threads do is not instrumented. Each queue of the stand-in has one thread where a test does not ask for more
    (docs/adr/0098)."""
    build_tsan(stage)
    stage.meson_test(without=NO_RACES,
                     env={"TSAN_OPTIONS": f"{HALT}:suppressions='{ROOT}/core/input/testing/tsan.supp'",
                          "ISOVMAF_HOST_THREADS": "1"})


def build_fuzz(stage):
    configure_asan(stage)
    stage.build("fuzz")


def fuzz(stage):
    """The seeds, and inputs made of them, the same ones in every run."""
    run_fuzz_targets(stage, "-seed=1", f"-runs={FUZZ_INPUTS}")


def search(stage):
    """Looks at random for inputs that show a fault, and keeps what reaches new code in corpus/. Tests whose pictures or cuts
    depend on a seed have another one in each run."""
    run_fuzz_targets(stage, f"-max_total_time={FUZZ_SECONDS}", keep=True)
    stage.build(*stage.targets_of_tests(names=SEEDED))
    stage.meson_test(*SEEDED, env={"ISOVMAF_TEST_SEED": str(random.randrange(1 << 32)), "UBSAN_OPTIONS": HALT})


def run_fuzz_targets(stage, *options, keep=False):
    build_fuzz(stage)
    stage.tests_start = time.time()
    stage.built()
    targets = sorted((stage.directory / "tools" / "fuzz").glob("*_fuzz"))
    if not targets:
        raise Failure("there is no fuzz target")

    def run_target(target):
        name = target.name.removesuffix("_fuzz")
        corpus = [stage.directory / "corpus" / name] if keep else []
        for folder in corpus:
            folder.mkdir(parents=True, exist_ok=True)
        with open(stage.directory / f"{name}.log", "wb") as log:
            return target, subprocess.run(
                [target, *options, "-timeout=100", "-rss_limit_mb=2048", "-print_final_stats=1",
                 f"-artifact_prefix={stage.directory}/{name}-", *corpus, ROOT / "tools" / "fuzz" / "seeds" / name],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env={**os.environ, "UBSAN_OPTIONS": HALT}).returncode

    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        for target, code in pool.map(run_target, targets):
            if code == 0:
                stage.passed += 1
                continue
            stage.failed.append(f"{target.name} (code {code})")
            stage.log = stage.directory / target.name.replace("_fuzz", ".log")


# What the package needs, and no more. Not optimised: what the code computes is tested by the other stages.
PACKAGE = ("-Doptimization=0", "-Dmpi=disabled", "-Dhwloc=disabled", "-Denable_hip=disabled", "-Denable_cuda=disabled",
           "-Denable_vulkan=disabled", "-Denable_host=disabled")


def build_wheel(stage):
    """Without vector code, which takes longer to compile than the two short scores take without it."""
    stage.wheel_code = stage.run("tools/python/build_wheel.sh", "--manylinux", stage.directory, *PACKAGE, "-Dcpu_levels=",
                                 *TOGETHER, env=CLANG, check=False)


def wheel(stage):
    """The Python package as pip builds it, in environments of its own."""
    if stage.wheel_code is None:
        build_wheel(stage)
    if stage.wheel_code == SKIPPED:
        stage.skipped.append(f"skipped wheel: {stage.log.read_text().splitlines()[-1]}")
    elif stage.wheel_code != 0:
        raise Failure(f"tools/python/build_wheel.sh ended with code {stage.wheel_code}")
    else:
        stage.passed += 1


def configure_alone(stage):
    stage.configure("--buildtype=release", "-Dpython=enabled", "-Dtests=disabled", "-Dcpu_levels=avx2", *PACKAGE,
                    env=CLANG)


def alone(stage):
    """Each file of programs and package compiled for itself, as users do it: a file that lacks an include is found."""
    configure_alone(stage)
    stage.build()
    stage.passed += 1


def path_suites():
    """The suites that compare CPU paths with definitions, of every feature."""
    return {suite for file in (ROOT / "core" / "features").glob("*/*_cpu_test.cpp")
            for suite in re.findall(r"^TEST\((\w+),", file.read_text(), re.MULTILINE)}


def aarch64(stage):
    """The CPU paths for Arm, in an emulator: NEON, and SVE with vectors of 256 bits."""
    stage.configure("--cross-file", ROOT / "tools" / "aarch64.ini", "-Dprogram=false", "-Dtests=enabled",
                    "-Doptimization=1", "-Ddebug=false", "--unity=on", "-Dunity_size=1000", "-Denable_hip=disabled",
                    "-Denable_cuda=disabled", "-Denable_vulkan=disabled", "-Denable_host=disabled")
    stage.build("core/simd/simd_test", "core/features/features_test")
    outputs = [output for name, tests in (("simd", "CpuLevel.*"), ("features", "*Path.*"))
               for output in stage.meson_test(HOURS, name, env={"GTEST_FILTER": tests})]
    ran = {suite for output in outputs
           for suite in re.findall(r"^\[-+\] [1-9]\d* tests? from (\w+)$", output, re.MULTILINE)}
    if missing := {"CpuLevel", *path_suites()} - ran:
        raise Failure(f"none of the tests of {', '.join(sorted(missing))} ran")


def configure_kernels(stage):
    stage.configure("--buildtype=release", "-Dwerror=true", "-Dprogram=false", "-Dtests=enabled", "-Drequire_backends=hip",
                    TAPS_ARCHS, "-Dmpi=disabled", "-Dpython=disabled",
                    "-Denable_host=disabled", "-Denable_vulkan=disabled")


def build_kernels(stage):
    configure_kernels(stage)
    planned = (stage.directory / "build.ninja").read_text()
    plugins = [f"backends/{name}/libvmaf_{name}.so" for name in ("hip", "cuda")]
    stage.build(*(plugin for plugin in plugins if f"build {plugin}:" in planned))


def kernels(stage):
    """The kernels for every architecture of NVIDIA and of AMD that the newest compiler knows: their names, registers and rules
    of floats."""
    build_kernels(stage)
    checks = ("hip code objects", "hip float rules", "cuda kernels", "cuda float rules")
    tests = json.loads((stage.directory / "meson-info" / "intro-tests.json").read_text())
    stage.meson_test(*(test["name"] for test in tests if test["name"].startswith(checks)))


def amd(stage):
    """The machine code for AMD GPUs that the newest compiler writes, executed: all golden values and tests of kernels on each
    GPU, strictly too, in several orders, and with the roughest reciprocals that are allowed."""
    stage.configure("--buildtype=release", "-Dtests=enabled", "-Damd_tests=all", f"-Dhip_archs={AMD_ARCHS},{MORE_AMD_ARCHS}",
                    "-Denable_hip=enabled", "-Denable_host=disabled", "-Denable_cuda=disabled",
                    "-Denable_vulkan=disabled", "-Dpython=disabled", *TOGETHER)
    stage.build(*stage.targets_of_tests(within=["amd"]))
    stage.meson_test(HOURS, "--suite=amd")


def first_report(log):
    """The first lines of a log that say what did not compile or what a sanitizer found."""
    found = next((i for i, line in enumerate(log) if REPORT.search(line)), None)
    return [] if found is None else log[found:found + REPORT_LINES]


def end_of_output(test):
    """The last lines that a failed test printed, by meson's record of it."""
    for stream in ("stdout", "stderr"):
        lines = (test.get(stream) or "").rstrip().splitlines()
        if lines:
            yield f"---- {test['name']} ({test['result']}), end of {stream}"
            yield from lines[-OUTPUT_LINES:]


def print_failures(stage):
    """What did not compile or a sanitizer found first, and what each failed test printed. If what failed is no test of
    meson's, the end of the log."""
    log = stage.log.read_text(errors="replace").splitlines()
    if report := first_report(log):
        print(f"---- first report in {stage.log}", *report, sep="\n")
    if stage.failed_tests:
        print(*(line for test in stage.failed_tests for line in end_of_output(test)), sep="\n")
    else:
        print(f"---- end of {stage.log}", *log[-TAIL_LINES:], sep="\n")
    print(*(f"---- stage {stage.name}: FAILED {what}" for what in stage.failed), sep="\n")


DIRECTORY = {quick: "release", rest: "release", fuzz: "asan", search: "asan"}
CONFIGURE = {release: configure_release, quick: configure_release, rest: configure_release, asan: configure_asan,
             fuzz: configure_asan, search: configure_asan, tsan: configure_tsan, kernels: configure_kernels,
             alone: configure_alone}
BUILD = {asan: build_asan, tsan: build_tsan, fuzz: build_fuzz, wheel: build_wheel, kernels: build_kernels}
ALL = (release, asan, tsan, fuzz, wheel, kernels)  # what `all` names
OTHERS = (quick, rest, search, alone, aarch64, amd)


def configure_all(stages):
    """Configures the build directories side by side: for one of them Meson uses one core. A stage that could not be
    configured tries again, and reports why."""
    start = time.time()

    def attempt(item):
        with contextlib.suppress(Failure):
            item[0](item[1])

    with concurrent.futures.ThreadPoolExecutor() as pool:
        list(pool.map(attempt, {CONFIGURE[body]: stage for body, stage in stages.items() if body in CONFIGURE}.items()))
    print(f"configure {time.time() - start:4.0f} s", flush=True)


class BuildAhead:
    """Builds the stages that follow while tests run, which wait for processes and clocks a good part of their time."""

    def __init__(self, stages):
        self.pool = concurrent.futures.ThreadPoolExecutor(max_workers=1)
        self.stages, self.builds = stages, {}
        self.before = with_left_time()

    def start(self):
        """Begins with what has not had its turn."""
        for body, stage in self.stages.items():
            if body in BUILD and body not in self.builds:
                self.builds[body] = self.pool.submit(self.build, body, stage)

    def wait(self, body):
        if body in self.builds:
            self.builds[body].result()
        else:
            self.builds[body] = None  # it is built in its turn

    def build(self, body, stage):
        stage.before = self.before
        with contextlib.suppress(Failure):  # the stage fails at the same place, and reports why
            BUILD[body](stage)
        stage.before = ()

    def end(self):
        """Stops what is still built: nothing of it will be tested."""
        for stage in self.stages.values():
            stage.stop()
        self.pool.shutdown()


def run_stage(body, stage, ahead):
    stage.start, stage.built = time.time(), ahead.start
    ahead.wait(body)
    try:
        body(stage)
    except Failure as failure:
        stage.failed.append(str(failure))
    end = time.time()
    print(f"{stage.name:8} {end - stage.start:5.0f} s, {(stage.tests_start or end) - stage.start:.0f} of them building  "
          f"{stage.passed} passed, {len(stage.failed)} failed, {len(stage.skipped)} skipped")
    for note in stage.findings + stage.skipped:
        print(f"         {note}")
    if stage.failed:
        print("\n".join(f"         FAILED {what}" for what in stage.failed))
    sys.stdout.flush()


def stages_of(names):
    """The stages of these names, in the order of the names."""
    bodies = {body.__name__: body for body in (*ALL, *OTHERS)}
    if unknown := [name for name in names if name not in (*bodies, "all")]:
        sys.exit(f"there is no stage {unknown[0]}; there are all, {', '.join(bodies)}")
    wanted = [body for name in names for body in (ALL if name == "all" else [bodies[name]])]
    return {body: Stage(body.__name__, DIRECTORY.get(body)) for body in dict.fromkeys(wanted)}


def print_slowest(stages):
    times = sorted(((seconds, stage.name, name) for stage in stages for seconds, name in stage.times), reverse=True)
    if times:
        print(f"processor seconds of the slowest tests, of {sum(time[0] for time in times):.0f} in all:")
        print(*(f"{seconds:8.1f} {stage:8} {name}" for seconds, stage, name in times[:SLOWEST]), sep="\n")


def main(names):
    stages = stages_of(names or ["release"])
    later = stages_of(os.environ.get("BUILD_AHEAD", "").split())
    for body in stages:
        later.pop(body, None)
    configure_all({**stages, **later})
    ahead = BuildAhead({**stages, **later})
    for body, stage in stages.items():
        run_stage(body, stage, ahead)
    ahead.end()
    for stage in stages.values():
        if stage.failed:
            print_failures(stage)
    print_slowest(stages.values())
    failed = sum(len(stage.failed) for stage in stages.values())
    print(f"{sum(stage.passed for stage in stages.values())} passed, {failed} failed, "
          f"{sum(len(stage.skipped) for stage in stages.values())} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
