# SPDX-License-Identifier: BSD-2-Clause-Patent
# The libraries and headers that are compiled in, in a prefix of their own. Those of a few files are compiled without their
# build systems.
# shellcheck shell=bash

# describe PC NAME [LIBRARY...]: what pkg-config says of a library.
describe() {
    cat > "$prefix/lib/pkgconfig/$1.pc" << END
Name: $1
Description: $2
Version: $(upstream "$2")
Cflags: -I$prefix/include
Libs: -L$prefix/lib ${*:3}
END
}

# archive LIBRARY FILE.cc...: compiles files that include headers of the prefix into a static library.
archive() {
    local library=$1 file objects=()
    shift
    mkdir -p "$build/objects/$library"
    for file; do
        objects+=("$build/objects/$library/$(basename "$file").o")
        "$build/bin/c++" -std=c++20 "${compile_flags[@]}" -DNDEBUG "-I$prefix/include" -c "$file" -o "${objects[-1]}"
    done
    "$build/bin/ar" rcsD "$prefix/lib/lib$library.a" "${objects[@]}"
}

# The headers of all sources, and the libraries that consist of a few files.
small_libraries() {
    local from=$work/sources
    mkdir -p "$prefix/include" "$prefix/lib/pkgconfig"
    cp -r "$from/fmt/include/fmt" "$from/highway/hwy" "$from/json/single_include/nlohmann" "$from/cli11/include/CLI" \
        "$from/expected/usr/include/tl" "$from/volk/usr/include/volk.h" "$from/volk/usr/include/volk.c" \
        "$from/vulkan/usr/include/vulkan" "$from/vulkan/usr/include/vk_video" "$from/nvcodec/usr/include/ffnvcodec" \
        "$from/xxhash/xxhash.h" "$from/pugixml/src/pugixml.hpp" "$from/pugixml/src/pugiconfig.hpp" \
        "$prefix/include"
    describe CLI11 cli11
    describe nlohmann_json json
    describe libhwy highway
    describe ffnvcodec nvcodec
    archive fmt "$from"/fmt/src/{format,os}.cc
    describe fmt fmt -lfmt
    archive pugixml "$from/pugixml/src/pugixml.cpp"
    describe pugixml pugixml -lpugixml
    if [[ $arch == x86_64 ]]; then # zig's runtime lacks the variables that __builtin_cpu_supports reads
        (cd "$prefix/lib" && "$build/bin/ar" x "$from"/clangrt/usr/lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.builtins-x86_64.a x86.c.o)
        mv "$prefix/lib/x86.c.o" "$cpu_model"
    fi
}

hwloc_library() {
    rm -rf "$build/objects/hwloc"
    mkdir -p "$build/objects/hwloc"
    cd "$build/objects/hwloc"
    CC=$build/bin/cc CXX=$build/bin/c++ AR=$build/bin/ar RANLIB=$build/bin/ranlib CFLAGS="${compile_flags[*]}" \
        PKG_CONFIG=$build/bin/pkg-config \
        "$work/sources/hwloc/configure" --prefix="$prefix" --host="${target/-/-unknown-}" --enable-static --disable-shared \
        --disable-libxml2 --disable-pci --disable-opencl --disable-cuda --disable-nvml --disable-rsmi \
        --disable-levelzero --disable-gl --disable-cairo --disable-libudev --disable-plugins --disable-doxygen \
        --disable-netloc --runstatedir=/run
    make -C include install
    make -C hwloc -j"$jobs" install
    describe hwloc hwloc -lhwloc
}

zlib_library() {
    rm -rf "$build/objects/zlib"
    cp -r "$work/sources/zlib" "$build/objects/zlib"
    cd "$build/objects/zlib"
    CC=$build/bin/cc AR=$build/bin/ar RANLIB=$build/bin/ranlib CFLAGS="${compile_flags[*]}" \
        ./configure --static --prefix="$prefix"
    make -j"$jobs" libz.a
    cp libz.a "$prefix/lib"
    cp zlib.h zconf.h "$prefix/include"
    describe zlib zlib -lz
}

dav1d_library() {
    local options
    read -ra options < <(machine_options)
    rm -rf "$build/objects/dav1d"
    meson setup "$build/objects/dav1d" "$work/sources/dav1d" "${options[@]}" --prefix="$prefix" --libdir=lib \
        --buildtype=release --default-library=static -Denable_tools=false -Denable_tests=false \
        "-Dc_args=${compile_flags[*]}"
    meson install -C "$build/objects/dav1d"
}
