#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Tries a portable archive and wheels in minimal roots of Debian or Ubuntu, against programs that were built here.

    try_packages.py [--wheels] [--arch ARCH] [--mirror URL] [--components LIST]
                    PACKAGES BUILD WORK SUITE...

PACKAGES is the folder that build.sh fills, BUILD a build folder of Meson. Clips in many formats are made with this
system's FFmpeg in WORK. BUILD's programs score them here, and the archive's in a root of each SUITE that has nothing but
debootstrap's minimal packages: reports have to be the same bytes, and nothing may be left when the folder is deleted.
--wheels: Python comes into the root, and the wheel for it scores files, arrays, and what the pages show, with NumPy 1 and
NumPy 2 where there are wheels of them; pip removes it without a rest. --arch aarch64: the packages for 64-bit Arm in roots of
that architecture; on another processor they run in the emulator of qemu-user-static, which the kernel has to know
(binfmt_misc), and what reports say of the code that computed is left out of the comparison. As root; needs debootstrap,
ffmpeg and a network.
"""

import argparse
import functools
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
CLIP = SOURCE / "testdata/clips/landscape_640x360_8b"
FRAMES = 12
# By name of the file: how FFmpeg makes it of the bundled clip.
FORMATS = {
    "h264.mp4": "-c:v libx264 -crf 20", "hevc.mp4": "-c:v libx265 -crf 20 -pix_fmt yuv420p10le -x265-params log-level=none",
    "av1.mkv": "-c:v libsvtav1 -crf 30 -preset 8", "vp9.webm": "-c:v libvpx-vp9 -crf 30 -b:v 0", "prores.mov": "-c:v prores_ks",
    "ffv1.mkv": "-c:v ffv1", "mpeg2.ts": "-c:v mpeg2video -qscale:v 3", "video.y4m": "-pix_fmt yuv420p",
    "raw.yuv": "-f rawvideo -pix_fmt yuv420p",
}
DEBIAN_NAMES = {"x86_64": "amd64", "aarch64": "arm64"}  # of architectures
# What a root has mounted. What is mounted here is gone with the process.
IN_ROOT = ('for tree in proc sys dev; do mount --rbind /$tree "$0/$tree" || exit; done; '
           'mount --bind "$WORK" "$0/mnt" && mount --bind "$SOURCE" "$0/srv" || exit; '
           'exec chroot "$0" env -i -C /mnt PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 '
           'DEBIAN_FRONTEND=noninteractive PIP_CONFIG_FILE=/mnt/pip.conf "$@"')


def run(*command, **options):
    return subprocess.run(list(map(str, command)), check=True, text=True, stdin=subprocess.DEVNULL, **options)


class Root:
    def __init__(self, suite, arch, work, mirror, components):
        self.suite, self.arch, self.work, self.folder = suite, arch, work, work / f"root-{suite}-{arch}"
        if not self.folder.exists():
            run("debootstrap", "--variant=minbase", f"--arch={DEBIAN_NAMES[arch]}", f"--components={components}", suite,
                self.folder, *([mirror] if mirror else []), stdout=subprocess.DEVNULL)

    def run(self, *command, **options):
        return run("unshare", "--mount", "sh", "-c", IN_ROOT, self.folder, *command,
                   env={**os.environ, "WORK": str(self.work), "SOURCE": str(SOURCE)}, **options)

    def files(self):
        kept = {self.folder / name for name in ("proc", "sys", "dev", "tmp", "mnt", "srv")}
        return {path for path in self.folder.rglob("*") if not kept & {path, *path.parents}}


def make_clips(work):
    clips = work / "clips"
    clips.mkdir(parents=True, exist_ok=True)
    for side in ("ref", "dis"):
        for name, options in FORMATS.items():
            if not (clips / f"{side}-{name}").exists():
                run("ffmpeg", "-v", "error", "-y", "-i", f"{CLIP}_{side}.mkv", "-frames:v", FRAMES, *options.split(),
                    clips / f"{side}-{name}", env={**os.environ, "SVT_LOG": "1"})


# The programs: their places in a build folder and in the archive, and options.
PROGRAMS = {"isovmaf": ("tools/isovmaf/isovmaf", "bin/isovmaf", ["score", "--precision", "max"]),
            "vmaf": ("tools/vmaf/vmaf", "bin/vmaf", [])}


def score_all(run_in_work, program, options, reports):
    """Scores each format with a program. run_in_work runs a command in WORK."""
    for name in FORMATS:
        size = ["-w", "640", "-h", "360", "-p", "420", "-b", "8"] if name.endswith(".yuv") else []
        run_in_work(program, *options, "-q", "-r", f"clips/ref-{name}", "-d", f"clips/dis-{name}", *size, "--feature", "psnr",
                    "--json", "-o", f"{reports}/{name}.json", stdout=subprocess.DEVNULL)


def compare(work, suite, name, what, arch=platform.machine()):
    # vmaf says how fast it was. Another architecture computes with other code, and reports name it.
    lines = r'^  "fps": .*\n' + ("" if arch == platform.machine() else r'|^ *"code": .*\n')
    for clip in FORMATS:
        pair = [work / f"{kind}-{name}" / f"{clip}.json" for kind in ("expected", "reports")]
        first, second = (re.sub(lines, "", path.read_text(), flags=re.MULTILINE) for path in pair)
        if first != second:
            sys.exit(f"{suite}: {what} reports something else for {clip}: compare {pair[0]} and {pair[1]}")
    print(f"{suite}: {what}: {len(FORMATS)} reports of {len(FORMATS)} have the same bytes", flush=True)


def try_archive(root, archive, work):
    before = root.files()
    place = "/opt/" + archive.name.removesuffix(".tar.xz")
    # A minimal root has no xz, which tar needs for the archive: the tar of this system unpacks it.
    run("tar", "-C", root.folder / "opt", "-xf", archive)
    for name, (_, program, options) in PROGRAMS.items():
        fresh(work / f"reports-{name}")
        score_all(root.run, f"{place}/{program}", options, f"reports-{name}")
        compare(work, root.suite, name, name, root.arch)
    root.run("sh", "-c", f"{place}/bin/isovmaf backends || true")
    shutil.rmtree(root.folder / place.lstrip("/"))
    if left := root.files() - before:
        sys.exit(f"{root.suite}: the archive leaves behind: {', '.join(map(str, sorted(left)))}")
    print(f"{root.suite}: nothing is left", flush=True)


def try_wheel(root, packages, work):
    root.run("apt-get", "update", "-q", stdout=subprocess.DEVNULL)
    root.run("apt-get", "install", "-yq", "--no-install-recommends", "python3-venv", stdout=subprocess.DEVNULL)
    tag = root.run("python3", "-c", 'import sys; print("cp%d%d" % sys.version_info[:2])', stdout=subprocess.PIPE).stdout.strip()
    wheels = list(packages.glob(f"isovmaf-*-{tag}-{tag}-*_{root.arch}.whl"))
    if len(wheels) != 1:
        sys.exit(f"{root.suite}: {packages} has {len(wheels)} wheels for {tag}: make one with build.sh wheel")
    shutil.copy(wheels[0], work)
    root.run("rm", "-rf", "/root/env")
    root.run("python3", "-m", "venv", "/root/env")
    before = root.files()
    pip = ["/root/env/bin/pip", "--no-cache-dir", "--quiet"]
    root.run(*pip, "install", f"/mnt/{wheels[0].name}")
    fresh(work / "reports-isovmaf")
    score_all(root.run, "/root/env/bin/isovmaf", PROGRAMS["isovmaf"][2], "reports-isovmaf")
    compare(work, root.suite, "isovmaf", f"the wheel for {tag}", root.arch)
    for numpy in ("numpy<2", "numpy>=2"):
        run_examples(root, pip, numpy)
    root.run(*pip, "uninstall", "--yes", "isovmaf", "numpy")
    if left := root.files() - before:
        sys.exit(f"{root.suite}: pip leaves behind: {', '.join(map(str, sorted(left)))}")
    print(f"{root.suite}: pip has left nothing", flush=True)


def run_examples(root, pip, numpy):
    """The examples of the pages, and the test of arrays, if there is a wheel of that NumPy for the root's Python."""
    try:
        root.run(*pip, "install", "--only-binary=:all:", numpy, stderr=subprocess.PIPE)
    except subprocess.CalledProcessError as error:
        if "No matching distribution found" not in error.stderr:
            sys.exit(error.stderr)
        print(f"{root.suite}: there is no {numpy} for this Python", flush=True)
        return
    for test, *arguments in (("documents", "/srv", "/srv/testdata/clips"), ("arrays",)):
        root.run("/root/env/bin/python", f"/srv/bindings/python/tests/{test}_test.py", *arguments)
    print(f"{root.suite}: the examples of the pages, and the test of arrays, with {numpy}", flush=True)


def fresh(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--wheels", action="store_true", help="try the wheels too")
    parser.add_argument("--arch", choices=DEBIAN_NAMES, default=platform.machine(), help="of the packages (default: %(default)s)")
    parser.add_argument("--mirror", metavar="URL", help="where debootstrap fetches; by default where it always does")
    parser.add_argument("--components", metavar="LIST", default="main",
                        help="parts of the mirror (default: %(default)s; Ubuntu has Python's pip in main,universe)")
    for name in ("packages", "build", "work"):
        parser.add_argument(name, type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("suites", nargs="+")
    arguments = parser.parse_args()
    work = arguments.work
    make_clips(work)
    write_pip_settings(work)
    for name, (program, _, options) in PROGRAMS.items():
        fresh(work / f"expected-{name}")
        score_all(functools.partial(run, cwd=work), arguments.build / program, options, f"expected-{name}")
    archive, = arguments.packages.glob(f"isovmaf-*-linux-{arguments.arch}.tar.xz")
    for suite in arguments.suites:
        root = Root(suite, arguments.arch, work, arguments.mirror, arguments.components)
        try_archive(root, archive, work)
        if arguments.wheels:
            try_wheel(root, arguments.packages, work)


def write_pip_settings(work):
    """A root fetches from where this system does."""
    settings = dict(line.split("=", 1) for line in run("pip", "config", "list", stdout=subprocess.PIPE).stdout.splitlines())
    lines = ["[global]"]
    if index := settings.get("global.index-url"):
        lines.append("index-url = " + index.strip("'"))
    if certificate := settings.get("global.cert"):
        shutil.copy(certificate.strip("'"), work / "pip.crt")
        lines.append("cert = /mnt/pip.crt")
    (work / "pip.conf").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
