# SPDX-License-Identifier: BSD-2-Clause-Patent
# Compiles isovmaf: programs, plugins and libvmaf.so.3, and the test of golden values with the same flags.
# shellcheck shell=bash

# program_options FOLDER: Meson's options for that build folder, one a line. Meson names source files by the path from
# there.
program_options() {
    local link="${link_flags[*]}" flags="${compile_flags[*]} -ffile-prefix-map=$(realpath --relative-to="$1" -m "$root")=/package/isovmaf"
    flags+=" -isystem $prefix/include"
    [[ $arch != x86_64 ]] || link+=" $cpu_model"
    printf '%s\n' --unity=on -Dprecompiled=false -Dtests=disabled -Dmpi=disabled -Dhwloc=enabled -Denable_host=disabled \
        -Denable_hip=enabled -Denable_vulkan=enabled -Denable_cuda=auto "-Dcpp_args=$flags" \
        "-Dcpp_link_args=$link"
}

# take_device_code FOLDER: code for GPUs is the same whatever the processor is. What another architecture's build folder has
# of it, FOLDER gets, with ninja's record of how and when it was made.
take_device_code() {
    local other
    for other in "$work"/*/isovmaf; do
        [[ $other != "$1" && -f $other/.ninja_log ]] || continue
        (
            cd "$other"
            find backends -name '*.hsaco' -o -name '*.fatbin' -o -name '*.usage' -o -name '*.ptx' -o -name '*.cpp.spv' -o \
                -path 'backends/vulkan/*.cpp' | xargs -r cp -r --preserve=timestamps --parents -t "$1"
            cp .ninja_log .ninja_deps "$1"
        )
        return
    done
}

program() {
    local folder=$build/isovmaf machine options
    read -ra machine < <(machine_options)
    mapfile -t options < <(program_options "$folder")
    if [[ ! -f $folder/build.ninja ]]; then
        meson setup "$folder" "$root" "${machine[@]}" --buildtype=release --prefix=/ --libdir=lib -Dpython=disabled \
            -Dinstall_vmaf=true -Dinstall_libvmaf=true -Dpkgconfig.relocatable=true "${options[@]}"
        take_device_code "$folder"
    fi
    # Programs are run for their manual pages.
    LD_LIBRARY_PATH=$ffmpeg/lib PYTHONPATH=$work/tools ninja -C "$folder" all core/golden/golden_test # it calls Meson again when a file of it changes
    rm -rf "$build/installed"
    DESTDIR=$build/installed meson install -C "$folder" --no-rebuild --quiet
}
