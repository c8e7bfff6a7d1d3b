#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Says in a wheel which licences hold for the libraries that auditwheel put into it.

    wheel_licences.py FOLDER

FOLDER is the unpacked wheel (`wheel unpack`), made on a machine with Debian's packages. For each library of
isovmaf.libs/ the copyright file of its package is added to the wheel's licence files, and the licences that such a file
only refers to. The expression of licences gets that of FFmpeg, as the library itself states it, and a reference to the
added files. It ends with 1 when a library has no package."""
import ctypes
import pathlib
import re
import subprocess
import sys

# What avcodec_license() may return.
FFMPEG = {'LGPL version 2.1 or later': 'LGPL-2.1-or-later', 'LGPL version 3 or later': 'LGPL-3.0-or-later',
          'GPL version 2 or later': 'GPL-2.0-or-later', 'GPL version 3 or later': 'GPL-3.0-or-later'}
OTHERS = 'LicenseRef-bundled-libraries'
COMMON = pathlib.Path('/usr/share/common-licenses')


def system_libraries():
    """The files of the libraries that the loader finds, by their names without links."""
    listed = subprocess.run(['/sbin/ldconfig', '-p'], check=True, text=True, stdout=subprocess.PIPE).stdout
    files = [pathlib.Path(path).resolve() for path in re.findall(r'\([^)]*x86-64[^)]*\) => (\S+)$', listed, re.MULTILINE)]
    return {file.name: file for file in files}


def original_name(bundled):
    """auditwheel puts a hash into names: libavcodec-d0c7de94.so.59.37.100."""
    return re.sub(r'-[0-9a-f]{8}(?=\.)', '', bundled, count=1)


def packages_of(files):
    """The Debian package of each file that belongs to one. dpkg knows a file by its name below /usr or above."""
    names = {str(name): file for file in files for name in (file, pathlib.Path('/', *file.parts[2:]))}
    found = subprocess.run(['dpkg-query', '-S', *names], text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    lines = (line.split(': ') for line in found.stdout.splitlines() if not line.startswith('diversion'))
    return {names[name]: package.split(':')[0] for package, name in lines}


def ffmpeg_licence(libraries):
    codec = next(path for name, path in libraries.items() if name.startswith('libavcodec'))
    function = ctypes.CDLL(str(codec)).avcodec_license
    function.restype = ctypes.c_char_p
    return FFMPEG[function().decode()]


def changed_metadata(metadata, change, files):
    """A wheel's METADATA with another expression of licences, `change` of the one that it states, and with more files. Both
    are in the header, which ends at the first empty line."""
    header, gap, body = metadata.partition('\n\n')
    stated = re.search(r'^License-Expression: (.*)$', header, re.MULTILINE)
    if not stated:
        sys.exit('the wheel states no License-Expression')
    header = header[:stated.start(1)] + change(stated[1]) + header[stated.end(1):]
    return header + ''.join(f'\nLicense-File: {name}' for name in files) + gap + body


def main(folder):
    known = system_libraries()
    libraries = {file.name: known.get(original_name(file.name)) for file in (folder / 'isovmaf.libs').iterdir()}
    package_of = packages_of(file for file in libraries.values() if file)
    packages = {name: package_of.get(file) for name, file in libraries.items()}
    if lost := sorted(name for name, package in packages.items() if not package):
        sys.exit(f'no package of Debian is known for {", ".join(lost)}: their licences cannot be stated')
    info, = folder.glob('isovmaf-*.dist-info')
    texts = {}
    for package in sorted(set(packages.values())):
        of_it = sorted(name for name in packages if packages[name] == package)
        text = pathlib.Path('/usr/share/doc', package, 'copyright').read_text(encoding='utf-8')
        texts[package] = f'{package}: {", ".join(of_it)}\n\n{text}'
    for name in sorted(set(re.findall(r'/usr/share/common-licenses/(\w[\w.-]*\w)', ''.join(texts.values())))):
        if (common := COMMON / name).exists():  # some copyright files misspell a name
            texts[name] = common.read_text(encoding='utf-8')
    added = info / 'licenses' / 'bundled'
    added.mkdir(parents=True)
    for name, text in texts.items():
        (added / f'{name}.txt').write_text(text, encoding='utf-8')
    files = [f'bundled/{name}.txt' for name in texts]
    metadata = info / 'METADATA'
    expression = f'{ffmpeg_licence(libraries)} AND {OTHERS}'
    text = changed_metadata(metadata.read_text(encoding='utf-8'), lambda stated: f'{stated} AND {expression}', files)
    metadata.write_text(text, encoding='utf-8')
    print(f'licences: {len(libraries)} bundled libraries of {len(set(packages.values()))} packages, {expression}')


if __name__ == '__main__':
    main(pathlib.Path(sys.argv[1]))
