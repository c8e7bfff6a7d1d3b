# SPDX-License-Identifier: BSD-2-Clause-Patent
# Puts a portable folder together, checks it, and packs it so that the same sources give the same bytes.
# shellcheck shell=bash
name=isovmaf-$version-linux-$arch
packed=$work/packages # what is handed on

# What of the installed files a user of the folder needs. Static libraries and the C++ library are for the compiler that made
# them; docs/packages.md says so.
installed=(bin/isovmaf bin/vmaf include/libvmaf lib/pkgconfig/libvmaf.pc lib/isovmaf/backends share/man
    share/bash-completion share/zsh share/fish share/doc/isovmaf share/isovmaf)

# licence_texts FOLDER: a text for each source that is inside.
licence_texts() {
    local source file
    mkdir -p "$1"
    python3 "$here/package_files.py" "$arch" | while read -r source file; do
        if [[ $source == zig ]]; then
            cp "$work/tools/ziglang/$file" "$1/libcxx.txt"
        else
            cp "$work/sources/$source/$file" "$1/$source.txt"
        fi
    done
}

portable_folder() {
    local folder=$build/$name file
    rm -rf "$folder"
    mkdir -p "$folder/lib/isovmaf/ffmpeg"
    cd "$build/installed"
    cp -r --parents "${installed[@]}" lib/libvmaf.so* "$folder"
    for file in "$ffmpeg"/lib/lib*.so; do
        cp "$(realpath "$file")" "$folder/lib/isovmaf/ffmpeg/$(readelf -d "$file" | sed -n 's/.*soname: \[\(.*\)\]/\1/p')"
    done
    # DT_RPATH comes before LD_LIBRARY_PATH, in which another build of FFmpeg may lie; DT_RUNPATH comes behind it.
    patchelf --force-rpath --set-rpath "\$ORIGIN/../lib/isovmaf/ffmpeg" "$folder"/bin/*
    patchelf --force-rpath --set-rpath "\$ORIGIN" "$folder"/lib/isovmaf/ffmpeg/*
    licence_texts "$folder/share/doc/isovmaf/licences"
    python3 "$here/check_package.py" --no-path "$root" --no-path "$work" --arch "$arch" "$folder"
    python3 "$here/sbom.py" "$folder" "$version" "$arch" "$SOURCE_DATE_EPOCH" > "$build/sbom.spdx.json"
    mv "$build/sbom.spdx.json" "$folder/share/doc/isovmaf/"
}

# pack FOLDER ARCHIVE: everything in FOLDER's parent by that name, with nothing of this machine.
pack() {
    tar -C "$(dirname "$1")" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" \
        --mode=u=rwX,go=rX --format=gnu -cf - "$(basename "$1")" > "$2"
}

# The sources of what is under the LGPL, with what is linked into it and the scripts that build it.
ffmpeg_sources() {
    local folder=$build/isovmaf-$version-ffmpeg-sources
    rm -rf "$folder"
    mkdir -p "$folder/tools"
    cp -r "$work"/downloads/{ffmpeg,dav1d,zlib,nvcodec} "$folder"
    cp -r "$here" "$folder/tools"
    rm -rf "$folder/tools/package/__pycache__"
    cp "$root/meson.build" "$root/LICENSE" "$folder"
    pack "$folder" "$packed/$(basename "$folder").tar"
}

tarball() {
    mkdir -p "$packed"
    portable_folder
    pack "$build/$name" "$build/$name.tar"
    xz -T1 -6 --force "$build/$name.tar"
    mv "$build/$name.tar.xz" "$packed"
    ffmpeg_sources
    python3 "$here/release_page.py" "$packed" "$version" "$root/CHANGELOG.md"
}
