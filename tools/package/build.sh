#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause-Patent
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)

usage() {
    cat << 'END'
tools/package/build.sh [--arch x86_64|aarch64] [--work FOLDER] tarball|wheel|deb

Makes packages that may be handed on (docs/packages.md), in FOLDER (build-package/) and below it: what was made before is
not made again. Needs Debian 12, and the packages that it names when one is missing.

  tarball   one folder with programs, plugins and FFmpeg, for glibc 2.28 and newer
  wheel     the same for pip, for each Python 3.9 to 3.14 with headers that is on the path
  deb       packages for this Debian

PYTHONS           names interpreters, with a blank between two, where they are not on the path
DEBIAN_MIRROR     the address where sources are fetched from; by default the mirrors that apt knows
SOURCE_DATE_EPOCH the time that packages state, in seconds since 1970; by default that of the commit
END
}

arch=$(uname -m) work=$root/build-package verb=''
while (($#)); do
    case $1 in
        --arch) arch=$2 && shift ;;
        --work) mkdir -p "$2" && work=$(cd "$2" && pwd) && shift ;;
        --help)
            usage
            exit
            ;;
        tarball | wheel | deb) verb=$1 ;;
        *)
            echo "build.sh: what is \"$1\"?" >&2
            usage >&2
            exit 2
            ;;
    esac
    shift
done

target=$arch-linux-gnu
# shellcheck source-path=SCRIPTDIR
{
    . "$root/tools/package/common.sh"
    . "$root/tools/package/toolchain.sh"
    . "$root/tools/package/sources.sh"
    . "$root/tools/package/libraries.sh"
    . "$root/tools/package/ffmpeg.sh"
    . "$root/tools/package/program.sh"
    . "$root/tools/package/tarball.sh"
    . "$root/tools/package/wheel.sh"
}
[[ $verb ]] || fail "what is to be made: tarball, wheel or deb?"
export ZIG_GLOBAL_CACHE_DIR=$work/zig-cache ZIG_LOCAL_CACHE_DIR=$work/zig-cache

# need: fails when a command is missing, and names the Debian packages that have them.
need() {
    local tool missing=()
    for tool in apt-get:apt dpkg-source:dpkg-dev pip:python3-pip make:make nasm:nasm ninja:ninja-build \
        pkg-config:pkg-config patchelf:patchelf readelf:binutils xz:xz-utils git:git glslc:glslc; do
        command -v "${tool%:*}" > /dev/null || missing+=("${tool#*:}")
    done
    command -v clang++-22 > /dev/null || command -v clang++-19 > /dev/null || missing+=(clang-19 lld-19)
    if [[ $arch != "$(uname -m)" ]]; then
        command -v "qemu-$arch" > /dev/null || missing+=(qemu-user)
        [[ -d /usr/$target/lib ]] || missing+=("libc6-${arch/aarch64/arm64}-cross")
    fi
    ((${#missing[@]} == 0)) || fail "packages are missing: apt-get install -y --no-install-recommends ${missing[*]}"
}

# The time that packages state: that of the commit. So the same sources give the same bytes.
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH-$(git -C "$root" log -1 --format=%ct)}

# everything_inside: compiles what packages are put together from.
everything_inside() {
    need
    # shellcheck disable=SC2046 # one word for each source
    {
        once toolchain zig meson
        compilers
        once sources $(names_of source) $(names_of binary)
        once small_libraries zig $(names_of binary) fmt highway json cli11 xxhash pugixml
        once hwloc_library zig hwloc
        once zlib_library zig zlib
        once dav1d_library zig dav1d
        once ffmpeg_libraries zig ffmpeg dav1d zlib nvcodec
    }
    logged program
}

case $verb in
    deb) exec "$root/tools/package/deb.sh" "$work/deb" ;;
    tarball)
        everything_inside
        logged tarball
        ;;
    wheel)
        everything_inside
        logged wheels
        ;;
esac
