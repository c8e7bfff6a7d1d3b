# SPDX-License-Identifier: BSD-2-Clause-Patent
# Fetches the sources of sources.tsv with apt, by a list of its own, and unpacks them in $work/sources.
# shellcheck shell=bash
debian=bookworm

# debian_apt COMMAND...: apt-get or apt-cache with nothing of the system's configuration but its mirror.
debian_apt() {
    local folder=$work/apt
    "$1" -q -o "Dir::Etc::SourceList=$folder/sources.list" -o Dir::Etc::SourceParts=/dev/null \
        -o "Dir::State::Lists=$folder/lists" -o "Dir::Cache=$folder/cache" -o APT::Sandbox::User=root \
        -o APT::Architecture=amd64 -o APT::Architectures::=amd64 "${@:2}"
}

# The mirrors that the system uses for this release of Debian; DEBIAN_MIRROR names another. Security updates come into
# the release too, with its next revision.
mirrors() {
    if [[ ${DEBIAN_MIRROR-} ]]; then
        echo "$DEBIAN_MIRROR $debian"
    else
        # shellcheck disable=SC2016 # apt-get expands these
        apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 'Created-By: Packages' | grep " $debian\$" | sort -u
    fi
}

list_packages() {
    local uri suite
    mkdir -p "$work/apt/lists/partial" "$work/apt/cache/archives/partial"
    mirrors | while read -r uri suite; do
        printf 'deb%s [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s %s main\n' \
            '' "$uri" "$suite" -src "$uri" "$suite"
    done > "$work/apt/sources.list"
    [[ -s $work/apt/sources.list ]] ||
        fail "apt knows no mirror of Debian $debian: run apt-get update, or set DEBIAN_MIRROR to the mirror's address"
    debian_apt apt-get update
}

# fetch NAME: leaves a source tree, or the files of a binary package, in $work/sources/NAME.
fetch() {
    local name=$1 kind package wanted file
    kind=$(column "$name" 2) package=$(column "$name" 3)
    rm -rf "${work:?}/sources/$name" "$work/downloads/$name"
    mkdir -p "$work/downloads/$name" "$work/sources"
    cd "$work/downloads/$name"
    wanted="$package=$(column "$name" 4)"
    if [[ $kind == source ]]; then
        debian_apt apt-get source --download-only "$wanted"
        file=$(echo *.dsc)
    else
        debian_apt apt-get download "${wanted/=/:amd64=}" || debian_apt apt-get download "$wanted"
        file=$(echo *.deb)
    fi || fail "the mirror has no $wanted: put the version that it has into tools/package/sources.tsv"
    echo "$(column "$name" 5)  $file" | sha256sum --check --quiet ||
        fail "$file is not the file that tools/package/sources.tsv names"
    if [[ $kind == source ]]; then
        dpkg-source --extract "$file" "$work/sources/$name"
    else
        dpkg-deb --extract "$file" "$work/sources/$name"
    fi
}

sources() {
    local name
    list_packages
    for name in $(names_of source) $(names_of binary); do
        (fetch "$name")
    done
}
