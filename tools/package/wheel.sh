# SPDX-License-Identifier: BSD-2-Clause-Patent
# Wheels for pip: the Python package with the plugins of the portable folder and its FFmpeg, one for each Python.
# shellcheck shell=bash

# pythons: the interpreters that there are of 3.9 to 3.14, one a line. PYTHONS names them where they are not on PATH.
pythons() {
    local minor python
    if [[ ${PYTHONS-} ]]; then
        tr ' ' '\n' <<< "$PYTHONS"
        return
    fi
    for minor in {9..14}; do
        python=$(command -v "python3.$minor") && "$python" -c '' 2> /dev/null && echo "$python"
    done
    return 0
}

# python_tools PYTHON FOLDER NAME...: packages of sources.tsv, for that interpreter, in a folder of their own.
python_tools() {
    local name packages=()
    for name in "${@:3}"; do packages+=("$(column "$name" 3)==$(column "$name" 4)"); done
    [[ -d $2 && $(cat "$2/packages" 2> /dev/null) == "${packages[*]}" ]] && return
    rm -rf "$2"
    "$1" -m pip install --quiet --disable-pip-version-check --target "$2" "${packages[@]}"
    echo "${packages[*]}" > "$2/packages"
}

# foreign_python PYTHON TOOLS: a Python of another architecture is not run. Its settings, by which modules and wheels get their
# names, are those of PYTHON with the other architecture's name. Writes them, and a description for Meson, into TOOLS.
foreign_python() {
    local settings
    settings=$("$1" -c 'import sysconfig; print(__import__(sysconfig._get_sysconfigdata_name()).__file__)')
    sed "s/$(uname -m)/$arch/g" "$settings" > "$2/settings_of_$arch.py"
    printf "[binaries]\npython = '%s'\npybind11-config = '%s'\n" "$1" "$2/bin/pybind11-config" > "$2/$arch.ini"
}

# module_wheel PYTHON TAG FOLDER: the package without plugins and FFmpeg, into FOLDER. Meson writes the build folder's path
# into the files of unity builds: one folder for all, so that a ccache that is there has what does not depend on Python.
module_wheel() {
    local tools=$work/tools-$2 option options machine settings=() foreign=()
    python_tools "$1" "$tools" pip meson meson-python pybind11
    read -ra machine < <(machine_options)
    mapfile -t options < <(program_options "$build/wheel")
    rm -rf "$build/wheel"
    # Each setting is one word, so --native-file FILE becomes --native-file=FILE.
    for option in "${machine[0]}=${machine[1]}" "${options[@]}" -Denable_{hip,cuda,vulkan}=disabled; do
        settings+=("--config-settings=setup-args=$option")
    done
    if [[ $arch != "$(uname -m)" ]]; then
        foreign_python "$1" "$tools"
        settings+=("--config-settings=setup-args=--cross-file=$tools/$arch.ini")
        foreign=("_PYTHON_HOST_PLATFORM=linux-$arch" "_PYTHON_SYSCONFIGDATA_NAME=settings_of_$arch")
    fi
    env LD_LIBRARY_PATH="$ffmpeg/lib" PATH="$tools/bin:$PATH" PYTHONPATH="$tools" "${foreign[@]}" \
        "$1" -m pip wheel --quiet --no-build-isolation --no-deps --wheel-dir "$3" \
        "--config-settings=build-dir=$build/wheel" "${settings[@]}" "$root"
}

# wheel_of PYTHON: into the packages.
wheel_of() {
    local tag tools=$work/tools-wheel folder raw tree
    tag=$("$1" -c 'import sys; print("cp%d%d" % sys.version_info[:2])')
    folder=$build/wheels/$tag
    rm -rf "$folder"
    mkdir -p "$folder"
    module_wheel "$1" "$tag" "$folder/module"
    raw=$(echo "$folder"/module/*.whl) # a pattern with one match
    PYTHONPATH=$tools python3 -m wheel unpack --dest "$folder" "$raw"
    tree=$folder/isovmaf-$version
    mkdir "$tree/isovmaf/backends"
    cp "$build"/installed/lib/isovmaf/backends/* "$tree/isovmaf/backends"
    licence_texts "$tree/isovmaf-$version.dist-info/licenses/bundled"
    PYTHONPATH=$tools python3 -m wheel pack --dest-dir "$folder" "$tree"
    rm -r "$tree"
    # auditwheel gives FFmpeg's libraries names that no other package in a process has.
    # It takes wheels of the architecture alone that Python says the machine has.
    LD_LIBRARY_PATH=$ffmpeg/lib PYTHONPATH=$tools python3 -c "import platform; platform.machine = lambda: '$arch'
from auditwheel.main import main; main()" repair --plat "manylinux_${glibc/./_}_$arch" --only-plat \
        --wheel-dir "$folder/repaired" "$folder"/*.whl
    PYTHONPATH=$tools python3 -m wheel unpack --dest "$folder" "$folder"/repaired/*.whl
    python3 "$here/wheel_metadata.py" "$tree"
    python3 "$here/check_package.py" --texts "isovmaf-$version.dist-info/licenses/bundled" --no-path "$root" \
        --no-path "$work" --arch "$arch" --no-path "$("$1" -c 'import sys; print(sys.base_prefix)')" "$tree"
    PYTHONPATH=$tools python3 -m wheel pack --dest-dir "$packed" "$tree"
}

wheels() {
    local python list
    mapfile -t list < <(pythons)
    ((${#list[@]})) || fail "no Python of 3.9 to 3.14 was found: PYTHONS=\"PATH...\" names interpreters, which need headers"
    python_tools python3 "$work/tools-wheel" auditwheel wheel
    mkdir -p "$packed"
    rm -f "$packed"/*_"$arch".whl
    for python in "${list[@]}"; do wheel_of "$python"; done
    python3 "$here/release_page.py" "$packed" "$version" "$root/CHANGELOG.md"
}
