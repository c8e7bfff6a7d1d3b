#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause-Patent
# Asks EasyBuild, of the Python Package Index, whether it can read contrib/easybuild and finds all that isovmaf needs among
# its own easyconfigs. Nothing is built. Needs Debian's lmod.
#
#   tools/package/easyconfig.sh FOLDER     FOLDER gets EasyBuild
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
if (($# != 1)); then
    echo "usage: tools/package/easyconfig.sh FOLDER" >&2
    exit 2
fi
mkdir -p "$1"
folder=$(cd "$1" && pwd)
if [[ ! -x $folder/easybuild/bin/eb ]]; then
    python3 -m venv "$folder/easybuild"
    "$folder/easybuild/bin/pip" install --quiet easybuild
fi
file=$(echo "$root"/contrib/easybuild/*.eb) # a pattern with one match
as_root=()
((EUID)) || as_root=(--allow-use-as-root-and-accept-consequences)
PATH=$folder/easybuild/bin:$PATH EB_PYTHON=$folder/easybuild/bin/python LMOD_CMD=/usr/share/lmod/lmod/libexec/lmod \
    "$folder/easybuild/bin/eb" "$file" --dry-run --robot --prefix "$folder/prefix" "${as_root[@]}" > "$folder/easybuild.log"
grep -F "$file" "$folder/easybuild.log"
echo "EasyBuild would build $(grep -c '^ \* \[' "$folder/easybuild.log") modules"
