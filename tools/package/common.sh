# SPDX-License-Identifier: BSD-2-Clause-Patent
# What the scripts of this folder share: the table of sources, and stages that are done once. Read by build.sh, which sets
# root, work, arch and target.
# shellcheck shell=bash
here=$root/tools/package
build=$work/$arch      # of one architecture
prefix=$build/prefix   # libraries and headers that are compiled in
ffmpeg=$build/ffmpeg   # FFmpeg's shared libraries and headers
cpu_model=$prefix/lib/cpu_model.o # libraries.sh: on x86-64, part of the compiler's runtime
version=$(sed -n "s/^ *version: '\(.*\)',/\1/p" "$root/meson.build")
jobs=$(($(nproc) + 2)) # as many as ninja takes

fail() {
    echo "build.sh: $1" >&2
    exit 1
}

# column NAME NUMBER: a cell of the table of sources.
column() { awk -F '\t' -v name="$1" -v column="$2" '$1 == name { print $column; exit }' "$here/sources.tsv"; }

# names_of KIND: the rows of that kind.
names_of() { awk -F '\t' -v kind="$1" '!/^#/ && $2 == kind { print $1 }' "$here/sources.tsv"; }

# upstream NAME: the version without what Debian adds to it.
upstream() { column "$1" 4 | sed 's/^[0-9]*://; s/-[^-]*$//; s/[+.~]d\(fs\|s\).*//'; }

# logged NAME: runs the function NAME in a shell of its own. A failure shows the end of its log.
logged() {
    local log=$build/logs/$1.log start=$SECONDS code
    mkdir -p "$build/logs"
    set +e # in the condition of an `if` the shell would go on after a command that failed
    (
        set -e
        "$1"
    ) > "$log" 2>&1 < /dev/null
    code=$?
    set -e
    if ((code != 0)); then
        tail -n 30 "$log" >&2
        fail "$1 failed: $log has all that it printed"
    fi
    echo "$1: $((SECONDS - start)) s"
}

# once NAME SOURCE...: the same, unless what the function says, the flags, and the versions of these sources are what they
# were when it last ran well. Tools and sources are there for all architectures.
once() {
    local key source stamps=$build/stamps stamp
    [[ $1 != toolchain && $1 != sources ]] || stamps=$work/stamps
    stamp=$stamps/$1
    key=$({
        declare -f "$1"
        echo "$glibc ${compile_flags[*]} ${link_flags[*]}"
        for source in "${@:2}"; do
            echo "$source $(column "$source" 4) $(column "$source" 5)"
        done
    } | sha256sum)
    if [[ ! -f $stamp || $(< "$stamp") != "$key" ]]; then
        logged "$1"
        mkdir -p "$stamps"
        echo "$key" > "$stamp"
    fi
}
