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

program() {
    local folder=$build/isovmaf machine options
    read -ra machine < <(machine_options)
    mapfile -t options < <(program_options "$folder")
    if [[ ! -f $folder/build.ninja ]]; then
        meson setup "$folder" "$root" "${machine[@]}" --buildtype=release --prefix=/ --libdir=lib -Dpython=disabled \
            -Dinstall_vmaf=true -Dinstall_libvmaf=true -Dpkgconfig.relocatable=true "${options[@]}"
    fi
    # Programs are run for their manual pages.
    LD_LIBRARY_PATH=$ffmpeg/lib PYTHONPATH=$work/tools ninja -C "$folder" all core/golden/golden_test # it calls Meson again when a file of it changes
    rm -rf "$build/installed"
    DESTDIR=$build/installed meson install -C "$folder" --no-rebuild --quiet
}
