#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""No score depends on the machine's mathematical library: what may differ between two of them is not called.

    libm_test.py SOURCE_ROOT BUILD_ROOT COMPILER...

Reads the symbols that the built libraries take from elsewhere, and the sources, as a compiler computes a function of a
constant itself and leaves no symbol. COMPILER, a command, knows the tools and the mathematical library.
"""

import functools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from source_files import source_files
from structure_test import PRODUCT_FOLDERS, SOURCE_SUFFIXES, is_test, without_comments_and_texts

SOURCE_ROOT, BUILD_ROOT, COMPILER = None, None, []

# Folders that call what they like, and why that changes no score.
EXCEPTIONS = {'core/html': 'charts: ticks of an axis and heights of bars'}
# What has such a folder linked into it, and so takes the functions that the folder calls.
WITH_EXCEPTIONS = 'bindings/python/'
# It defines functions with these names. Only those of the machine are looked for there, by their qualified names.
OWN_FUNCTIONS = 'core/math'

# Functions of float and double whose result IEEE 754 fixes, in the default rounding mode. Not here: fmin and fmax, which may
# return either zero of +0 and -0; all functions of long double, which is another type on another machine.
EXACT = re.compile(r'(ceil|copysign|fabs|floor|fma|fmod|frexp|ilogb|l?l?r(ound|int)|ldexp|logb|modf|nan|nearbyint|nextafter|'
                   r'remainder|roundeven|scalbl?n|sqrt|trunc)f?'
                   r'|(__)?(finite|fpclassify|isinf|isnan|iscanonical|issignaling|signbit)f?')

# All others that libraries have, whatever the machine of this test has: names without what marks a type.
INEXACT = (r'a?(cos|sin|tan)(h|pi)?|atan2(pi)?|c(abs|arg|a?(cos|sin|tan)h?|exp|log(10)?|pow|sqrt)|cbrt|compoundn|drem|'
           r'erfc?|exp(2|10)?(m1)?|fmax|fmin|l?gamma|tgamma|hypot|[jy][01n]|log(2|10)?(p1)?|pow(10|n|r)?|rootn|rsqrt|scalb|'
           r'sincos')
FORBIDDEN = re.compile(rf'(__)?({INEXACT})([fl]|f\d+x?)?(_r)?(_finite)?'  # f32x: one of the marks
                       rf'|_ZGV\w+_({INEXACT})f?'                         # several at once, as libmvec has them
                       r'|__pow\w+f2')                                    # powers by products, in the compiler's library

# The same in sources. `log` has to be qualified there: functions that write messages have that name.
QUALIFIED = re.compile(rf'(?:\bstd::|(?<![\w>])::|\b__builtin_)(?:{INEXACT})[fl]?\b')
CALLED = re.compile(rf'(?<![\w.>:])(?!log\()(?:{INEXACT})[fl]?\(')


def output(*command, cwd=None):
    return subprocess.run(command, cwd=cwd, check=True, text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE).stdout


@functools.cache
def tool(name):
    """binutils' `name` for the compiler's target."""
    return output(*COMPILER, f'-print-prog-name={name}').strip()


@functools.cache
def functions_of_this_machine():
    """What the shared libm of the compiler's target defines; empty if there is none, as where it is part of libc."""
    library = output(*COMPILER, '-print-file-name=libm.so.6').strip()
    if not os.path.exists(library):
        return frozenset()
    return frozenset(re.findall(r'^[0-9a-f]+ [TWiV] ([^@\n]+)', output(tool('nm'), '-D', '--defined-only', library), re.M))


def is_forbidden(symbol):
    return not EXACT.fullmatch(symbol) and bool(FORBIDDEN.fullmatch(symbol) or symbol in functions_of_this_machine())


def undefined_symbols(libraries):
    """By library: the names of what it takes from elsewhere."""
    found = {library: set() for library in libraries}
    for suffix, options in (('.a', []), ('', ['-D'])):
        files = [library for library in libraries if library.endswith('.a') == bool(suffix)]
        text = output(tool('nm'), '-A', '-u', *options, *files, cwd=BUILD_ROOT)
        for library, symbol in re.findall(rf'^([^:\n]+{re.escape(suffix)}):.* [Uw] ([^@\s]+)', text, re.M):
            found[library].add(symbol)
    return found


def built_libraries():
    """Path below the build's root of each library of the product that `ninja` builds."""
    targets = json.loads((pathlib.Path(BUILD_ROOT) / 'meson-info' / 'intro-targets.json').read_text())
    return [os.path.relpath(name, BUILD_ROOT) for target in targets
            if target['build_by_default'] and target['type'] in ('shared library', 'shared module', 'static library')
            for name in target['filename'] if not os.path.basename(name).startswith('fake_')]  # plugins of tests


def is_exempt(path):
    return path.startswith(tuple(f'{folder}/' for folder in EXCEPTIONS))


def calls_in(root, path):
    """The lines of a source that name a forbidden function of the machine."""
    text = without_comments_and_texts((pathlib.Path(root) / path).read_text(encoding='utf-8'))
    own = path.startswith(f'{OWN_FUNCTIONS}/')
    return [f'{path}:{number}: {line.strip()}' for number, line in enumerate(text.splitlines(), 1)
            if QUALIFIED.search(line) or not own and CALLED.search(line)]


class Libm(unittest.TestCase):
    def test_libraries_call_exact_functions_alone(self):
        called = undefined_symbols(built_libraries())
        self.assertGreater(len(called), 20)
        self.assertIn('ldexp', called['core/features/libisovmaf_features.a'], 'the test reads no symbols')
        found = {library: set(filter(is_forbidden, symbols)) for library, symbols in called.items()}
        exempt = {folder: set().union(*(names for library, names in found.items() if library.startswith(f'{folder}/')))
                  for folder in EXCEPTIONS}
        self.assertEqual([folder for folder, names in exempt.items() if not names], [], 'exceptions that are not needed')
        for library, names in found.items():
            if not is_exempt(library):
                allowed = set().union(*exempt.values()) if library.startswith(WITH_EXCEPTIONS) else set()
                self.assertEqual(sorted(names - allowed), [], library)

    def test_sources_name_exact_functions_alone(self):
        paths = [path for path in source_files(SOURCE_ROOT, SOURCE_SUFFIXES) if path.startswith(PRODUCT_FOLDERS) and not is_test(path)]
        self.assertGreater(len(paths), 300)
        self.assertEqual([call for path in paths if not is_exempt(path) for call in calls_in(SOURCE_ROOT, path)], [])


class Rules(unittest.TestCase):
    def test_symbols(self):
        for name in ('exp', 'powf', 'log10l', 'exp2f', 'exp10', 'sincos', 'cbrt', 'hypotf', 'lgamma_r', 'expf64x',
                     '__exp_finite', '__powf_finite', '__lgammaf_r_finite', '_ZGVbN2v_exp', '_ZGVdN8vv_powf', '__powidf2',
                     'cabs', 'cexp', 'log1p', 'expm1', 'atan2', 'asinh', 'cospi', 'j0', 'yn', 'sqrtl', 'fmaxf'):
            if name != 'sqrtl' or functions_of_this_machine():
                self.assertTrue(is_forbidden(name), name)
        for name in ('fma', 'fmaf', 'sqrt', 'sqrtf', 'ldexp', 'ldexpf', 'frexp', 'floor', 'ceilf', 'round', 'llround', 'lrint',
                     'fmod', 'nextafter', '__signbit', 'malloc', 'strtod', '_ZN7isovmaf4math3expEd', 'expat', 'power'):
            self.assertFalse(is_forbidden(name), name)

    def test_sources(self):
        with tempfile.TemporaryDirectory() as root:
            def calls(path, *lines):
                (pathlib.Path(root) / path).parent.mkdir(parents=True, exist_ok=True)
                (pathlib.Path(root) / path).write_text('\n'.join(lines), encoding='utf-8')
                return [int(call.split(':')[1]) for call in calls_in(root, path)]

            named = ('std::exp(1)', '::pow(10.0, 2)', 'a = std::log2(3.0);', '__builtin_expf(x)', 'std::log(2.0)',
                     'auto f = &std::log10;', 'namespace::x = std::fmax(a, b)')
            self.assertEqual(calls('core/a.cpp', *named), list(range(1, len(named) + 1)))
            self.assertEqual(calls('core/math/a.cpp', *named), list(range(1, len(named) + 1)))
            declared = ('double exp(double x);', '    return powf(x, y);', 'x = -cbrt(y);')
            self.assertEqual(calls('core/a.cpp', *declared), [1, 2, 3])
            self.assertEqual(calls('core/math/a.cpp', *declared), [])
            self.assertEqual(calls('core/a.cpp', 'math::exp(x)', 'isovmaf::math::log2(x)', 'x.log(a)', 'p->log(a)',
                                   'log(Severity::info, a)', '// std::exp(x)', '"std::exp(x)"', 'std::sqrt(x)', 'vif_log(x)',
                                   'std::ldexp(x, 3)', 'std::experimental::x', 'exponential(x)', 'VideoRun::log(a)'), [])


if __name__ == '__main__':
    SOURCE_ROOT, BUILD_ROOT, *COMPILER = sys.argv[1:]
    unittest.main(argv=sys.argv[:1], verbosity=2)
