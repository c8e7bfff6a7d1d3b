#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause-Patent
# Makes Debian packages of the files that git knows here.
#
#   tools/package/deb.sh [--cuda] [FOLDER] builds with the packages of this Debian system, into FOLDER, or
#                                          build-package/deb; --cuda: the source package of the plugin for NVIDIA GPUs
#   tools/package/deb.sh FOLDER SUITE...   builds in a root of each suite (bookworm, trixie), into FOLDER/SUITE: looks at
#                                          the packages with lintian, installs them in a second, minimal root, runs
#                                          debian/tests there, and purges them. As root; needs debootstrap
#
# FOLDER/SUITE/build-root is kept for the next time. DEB_BUILD_OPTIONS are those of Debian; MIRROR is where Debian is
# fetched from; CCACHE names a folder in which ccache keeps what was compiled in build roots. DEBEMAIL and DEBFULLNAME
# say who makes the packages, as for Debian's own tools. Arguments after -- are for dpkg-buildpackage, such as -d where
# nvcc is not from a package.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
if [[ ${1-} == --help ]]; then
    sed -n '/^set /q; s/^# \?//p' "$0" | tail -n +2
    exit
fi
source=isovmaf
if [[ ${1-} == --cuda ]]; then
    source=isovmaf-plugin-cuda
    shift
fi
folder=${1-$root/build-package/deb}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
shift $(($# > 0))
version=$(dpkg-parsechangelog -l "$root/debian/changelog" -S Version)
name=$source-$version
build=(dpkg-buildpackage -us -uc)
[[ ! ${DEBEMAIL-} ]] || build+=("-m${DEBFULLNAME-$DEBEMAIL} <$DEBEMAIL>")
suites=()
while (($#)) && [[ $1 != -- ]]; do
    suites+=("$1")
    shift
done
build+=("${@:2}")

# sources FOLDER: puts them there.
sources() {
    rm -rf "$1"
    mkdir -p "$1"
    (cd "$root" && git ls-files -z | tar --null -cf - -T -) | tar -xf - -C "$1"
    [[ $source != isovmaf ]] || return 0
    rm -r "$1"/debian/*.{install,links} "$1"/debian/{not-installed,tests}
    cp "$1"/contrib/debian-cuda/* "$1/debian"
    sed -i "s/^isovmaf (/$source (/" "$1/debian/changelog"
}

# in_root FOLDER COMMAND...: what is mounted for it is gone afterwards.
in_root() {
    # shellcheck disable=SC2016 # for the inner shell
    unshare --mount bash -c '
        root=$1
        shift
        for tree in proc sys dev; do mount --rbind "/$tree" "$root/$tree" || exit; done
        if [[ ${CCACHE-} ]]; then mkdir -p "$CCACHE" "$root/ccache" && mount --bind "$CCACHE" "$root/ccache"; fi || exit
        exec chroot "$root" env -i HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive CCACHE_DIR=/ccache \
            PATH=${CCACHE:+/usr/lib/ccache:}/usr/sbin:/usr/bin:/sbin:/bin DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS-}" "$@"
    ' in_root "$@"
}

make_root() { # SUITE FOLDER
    debootstrap --variant=minbase "$1" "$2" ${MIRROR:+"$MIRROR"} > "$2.log" || {
        tail "$2.log" >&2
        exit 1
    }
}

build_in_root() { # SUITE
    local place=$folder/$1/build-root
    [[ -d $place ]] || make_root "$1" "$place"
    in_root "$place" apt-get install -yq --no-install-recommends dpkg-dev lintian ${CCACHE:+ccache}
    rm -rf "$place/build"
    sources "$place/build/$name"
    in_root "$place" sh -c "cd /build/$name && apt-get build-dep -yq --no-install-recommends ./"
    in_root "$place" sh -c "cd /build/$name && exec \"\$@\"" build "${build[@]}"
    in_root "$place" sh -c 'cd /build && lintian --allow-root --fail-on error ./*.changes' | tee "$folder/$1/lintian.txt"
    rm -f "$folder/$1"/*.{deb,dsc,tar.xz,changes,buildinfo}
    find "$place/build" -maxdepth 1 -type f -exec mv -t "$folder/$1" {} +
}

# All files of a root but those that apt and dpkg keep for themselves.
files_of() {
    (cd "$1" && find . -xdev \( -path ./proc -o -path ./sys -o -path ./dev -o -path ./tmp -o -path ./packages \
        -o -path ./var/cache -o -path ./var/log -o -path ./var/lib/apt -o -name '*-old' \) -prune -o -print | sort)
}

# The packages are installed twice: the first time brings what they depend on, so that the second changes nothing else.
try_in_root() { # SUITE
    local place=$folder/$1/test-root test ours=()
    rm -rf "${place:?}"
    make_root "$1" "$place"
    mkdir "$place/packages"
    find "$folder/$1" -maxdepth 1 -name '*.deb' ! -name '*-dbgsym_*' -exec cp -t "$place/packages" {} +
    sources "$place/packages/$name"
    mapfile -t ours < <(cd "$place/packages" && for package in *.deb; do echo "${package%%_*}"; done)
    in_root "$place" sh -c 'apt-get install -yq --no-install-recommends mesa-vulkan-drivers g++ pkg-config python3 /packages/*.deb'
    in_root "$place" apt-get purge -yq "${ours[@]}"
    files_of "$place" > "$folder/$1/before.txt"

    in_root "$place" sh -c 'apt-get install -yq --no-install-recommends /packages/*.deb'
    for test in "$root"/debian/tests/*; do
        [[ -x $test ]] || continue
        echo "== $1: $(basename "$test")"
        in_root "$place" sh -c "export AUTOPKGTEST_TMP=\$(mktemp -d) && cd /packages/$name && debian/tests/$(basename "$test")"
    done
    in_root "$place" apt-get purge -yq "${ours[@]}"
    files_of "$place" > "$folder/$1/after.txt"
    diff "$folder/$1/before.txt" "$folder/$1/after.txt"
    if grep -i vmaf "$folder/$1/after.txt"; then
        echo "the packages leave these files behind" >&2
        exit 1
    fi
    echo "== $1: nothing is left"
}

if ((${#suites[@]} == 0)); then
    sources "$folder/$name"
    (cd "$folder/$name" && "${build[@]}")
    rm -rf "${folder:?}/$name"
fi
for suite in "${suites[@]}"; do
    mkdir -p "$folder/$suite"
    build_in_root "$suite"
    try_in_root "$suite"
done
