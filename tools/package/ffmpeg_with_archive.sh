#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause-Patent
# Builds an FFmpeg from Debian's source with libvmaf.a inside (docs/packaging.md), and scores a bundled pair of clips with
# it: on the CPU, and with the plugin vulkan where that can be built and finds a device. The scores have to be those that
# libvmaf's own program has recorded.
#
#   tools/package/ffmpeg_with_archive.sh FOLDER [FFMPEG.dsc]
#
# FOLDER gets all that is built; FOLDER/prefix/bin/ffmpeg is the program. Without the description of a source package
# `apt-get source` fetches FFmpeg's, which needs a line `deb-src` in apt's lists.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
if (($# < 1 || $# > 2)); then
    echo "usage: tools/package/ffmpeg_with_archive.sh FOLDER [FFMPEG.dsc]" >&2
    exit 2
fi
[[ $# == 1 ]] || description=$(realpath "$2")
mkdir -p "$1"
folder=$(cd "$1" && pwd)
prefix=$folder/prefix

if [[ ! -f $folder/library/build.ninja ]]; then
    meson setup "$folder/library" "$root" --prefix="$prefix" --libdir=lib --buildtype=release --unity=on \
        -Ddefault_library=static -Dinstall_libvmaf=true -Dprogram=false -Dtests=disabled -Dpython=disabled -Dmpi=disabled \
        -Denable_hip=disabled -Denable_cuda=disabled -Denable_host=disabled
fi
meson install -C "$folder/library" --quiet

if [[ ! -d $folder/ffmpeg ]]; then
    if [[ ! ${description-} ]]; then
        (cd "$folder" && apt-get source --download-only ffmpeg)
        description=$(echo "$folder"/ffmpeg_*.dsc) # a pattern with one match
    fi
    dpkg-source --no-check -x "$description" "$folder/ffmpeg"
fi
cd "$folder/ffmpeg"
# Only what the clips need: it compiles in minutes. A build to hand out differs in this list alone.
# shellcheck disable=SC2054 # commas stand inside of the options
narrow=(--disable-everything --disable-autodetect --disable-doc --disable-x86asm --disable-ffplay --disable-ffprobe
    --enable-filter=libvmaf,trim,scale,format,null --enable-demuxer=matroska --enable-decoder=h264 --enable-parser=h264
    --enable-encoder=wrapped_avframe --enable-muxer=null --enable-protocol=file)
PKG_CONFIG_PATH=$prefix/lib/pkgconfig ./configure --prefix="$prefix" --pkg-config-flags=--static --enable-libvmaf \
    "${narrow[@]}" > "$folder/configure.log"
make -j"$(nproc)" ffmpeg > "$folder/make.log" 2>&1 || {
    tail -20 "$folder/make.log" >&2
    exit 1
}
install -D ffmpeg "$prefix/bin/ffmpeg"
if readelf -d "$prefix/bin/ffmpeg" | grep -q 'NEEDED.*vmaf'; then
    echo "$prefix/bin/ffmpeg needs libvmaf.so: the archive was not taken" >&2
    exit 1
fi

# scored BACKEND: the elements of frames and pooled scores, which do not say how long it took.
scored() {
    local clips=$root/testdata/clips/landscape_640x360_8b start='trim=end_frame=2'
    ISOVMAF_BACKEND=$1 "$prefix/bin/ffmpeg" -v info -nostdin -i "${clips}_dis.mkv" -i "${clips}_ref.mkv" \
        -lavfi "[0:v]${start}[d];[1:v]${start}[r];[d][r]libvmaf=log_path=$folder/$1.xml" -f null - > "$folder/$1.log" 2>&1 || {
        grep -i vmaf "$folder/$1.log" >&2
        return 1
    }
    grep 'computes with backend' "$folder/$1.log" >&2
    grep -E '<(frame|metric) ' "$folder/$1.xml"
}

python3 - "$root/testdata/vmaf/recorded.json" > "$folder/expected" << 'END'
import json, re, sys
arguments = "-r ref.mkv -d dis.mkv --frame_cnt 2 -o o".split()
report = next(one["report"] for one in json.load(open(sys.argv[1]))["commands"] if one["args"] == arguments)
print(*(line for line in report.splitlines() if re.search("<(frame|metric) ", line)), sep="\n")
END
backends=(cpu)
[[ ! -e $prefix/lib/isovmaf/backends/libvmaf_vulkan.so ]] || backends+=(vulkan)
for backend in "${backends[@]}"; do
    scored "$backend" > "$folder/found"
    diff "$folder/expected" "$folder/found"
    echo "ffmpeg with $backend: $(wc -l < "$folder/expected") lines of scores are those of libvmaf's program"
done
