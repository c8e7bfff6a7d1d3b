#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""The licences of what a wheel has compiled in: pyproject.toml names each, and there is a text for each library whose
headers the product includes. Arguments: the source folder, then those of unittest."""
import pathlib
import re
import sys
import unittest

try:
    import tomllib
except ImportError:
    print('this Python has no tomllib (3.11)')
    sys.exit(77)

root = pathlib.Path(sys.argv.pop(1))
PROJECT = tomllib.loads((root / 'pyproject.toml').read_text(encoding='utf-8'))['project']
# Headers by the first part of their names: those that are compiled in, with the name of the licence text.
COMPILED_IN = {'CLI': 'CLI11', 'fmt': 'fmt', 'hwy': 'highway', 'nlohmann': 'json', 'pybind11': 'pybind11',
               'tl': 'expected', 'volk.h': 'volk', 'xxhash.h': 'xxHash'}
# Interfaces of shared libraries, which a wheel has not compiled in.
INTERFACES = {'cuda.h', 'hip', 'hwloc.h', 'libavcodec', 'libavformat', 'libavutil', 'libswscale', 'mpi-ext.h', 'mpi.h',
              'pugixml.hpp', 'vulkan'}
# Of the C and C++ libraries and of Linux.
SYSTEM = (r'[a-z_]+$|(arpa|asm|linux|net|netinet|sanitizer|sys)/|(\w+intrin|cpuid|cxxabi|dirent|dlfcn|errno|fcntl|float|'
          r'glob|limits|link|math|poll|pthread|sched|signal|spawn|stddef|stdint|stdio|stdlib|string|strings|termios|time|'
          r'ucontext|unistd|wordexp)\.h$')
FOLDERS = ('backends', 'bindings', 'core', 'engines', 'tools/isovmaf', 'tools/reference')
TESTS = r'_(bench|fuzz|test)\.cpp$|/(fuzz|planted|precompiled|testing|tests)/|fuzz_input'


def included():
    """The first parts of the names of all headers that are not the project's."""
    for folder in FOLDERS:
        for path in (root / folder).rglob('*'):
            name = path.relative_to(root).as_posix()
            if path.suffix not in ('.c', '.cpp', '.cu', '.h', '.hpp') or re.search(TESTS, name):
                continue
            for header in re.findall(r'^\s*#\s*include <([^>]+)>', path.read_text(encoding='utf-8'), re.MULTILINE):
                if not re.match(SYSTEM, header):
                    yield header.split('/')[0], name


class Licences(unittest.TestCase):
    def test_every_library_that_is_compiled_in_has_a_text(self):
        texts = {path.stem for path in (root / 'bindings/python/licences').glob('*.txt')}
        self.assertEqual(texts, set(COMPILED_IN.values()))
        found = set()
        for library, path in included():
            self.assertIn(library, {*COMPILED_IN, *INTERFACES}, f'{path} includes a library that is new here: is it '
                                                                'compiled into wheels, and under which licence?')
            found.add(library)
        self.assertEqual(set(COMPILED_IN) - found, set(), 'licences of libraries that nothing includes')

    def test_the_expression_names_all(self):
        texts = [file for pattern in PROJECT['license-files'] for file in root.glob(pattern)]
        self.assertEqual(len(texts), 2 + len(COMPILED_IN))
        stated = {'BSD-2-Clause-Patent'}
        for file in texts[2:]:
            stated.add(re.search(r'^SPDX-License-Identifier: (.*)$', file.read_text(encoding='utf-8'), re.MULTILINE)[1])
        self.assertEqual(set(PROJECT['license'].split(' AND ')), stated)


if __name__ == '__main__':
    unittest.main()
