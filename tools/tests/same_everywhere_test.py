#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Checks that the product uses nothing that depends on the machine, the locale or the C++ library (docs/adr/0072).

    same_everywhere_test.py SOURCE_ROOT
"""
import functools
import os
import re
import sys
import tempfile
import unittest
from pathlib import Path

from source_files import SKIPPED_FOLDERS, source_files
from structure_test import SOURCE_SUFFIXES, is_test, lines, without_comments_and_texts

PRODUCT = ('core/', 'backends/', 'capi/', 'engines/', 'bindings/', 'tools/isovmaf/', 'tools/vmaf/')
INTEGERS = 'integers are read and written alike in all locales'

# What code may not use: why, what matches it, and the files that may, each with the reason.
RULES = {
    'locale': {
        'why': 'depends on the locale of the program: use parse_double, parse_integer or fmt::format of base/text.hpp',
        'match': r'\b(strto\w+|ato(f|i|l|ll)|sto(d|f|i|l|ld|ll|ul|ull)|v?s?n?f?scanf|v?(s|sn|f|as)?printf'
                 r'|(is(alpha|digit|space|alnum|print|upper|lower|punct|blank)|to(upper|lower))(?=\()|strcoll|strxfrm'
                 r'|strftime|put_time|get_time|localtime\w*|setlocale|std::locale|[io]?stringstream|regex)\b',
        'allowed': {
            'backends/vulkan/device/features.cpp': 'names between commas',
            'backends/vulkan/instance/validation.cpp': 'a message, without numbers',
            'capi/own_fmt.cpp': 'names functions of fmt, so that the library has them',
            'core/batch/manifest/pattern_manifest.cpp': 'a pattern that the user gives; the program sets no locale',
            'core/diff/diff_job.cpp': INTEGERS,
            'core/golden/golden_file.cpp': INTEGERS,
            'core/input/libav/libav_log.cpp': 'messages of FFmpeg',
            'core/stored/stored_json.cpp': INTEGERS,
            'engines/mpi/mpi_plugin.cpp': 'texts and integers',
            'tools/isovmaf/option_names.cpp': 'digits are the same in all locales',
            'tools/vmaf/main.cpp': 'names of choices, between spaces',
            'tools/vmaf/options.cpp': INTEGERS,
        }},
    'streamed number': {
        'why': 'numbers in streams depend on the locale: read and write text, and convert numbers with base/text.hpp',
        'match': r'\b(std::)?(cout|cerr|\w*stream)\b[^;]*(<<|>>)',
        'allowed': {}},
    'locale of fmt': {
        'why': 'writes numbers as the locale has it: leave the L out',
        'raw': True,
        'match': r'\{[^{}]*:[^{}]*L\}',
        'allowed': {'capi/own_fmt.cpp': 'names functions of fmt, and is never run'}},
    'extended precision': {
        'why': 'has 64, 80 or 128 bits, by the processor: use double or integers',
        'match': r'\blong\s+double\b|\b(__float128|_Float\w+|__float80|__fp16)\b|\b\d+\.\d*[lL]\b',
        'allowed': {}},
    'unstable sort': {
        'why': 'leaves the order of equal elements to the C++ library: use std::ranges::stable_sort, or list the file '
               'with the reason why equal elements cannot be told apart',
        'match': r'\b(std::|ranges::)(sort|nth_element|partial_sort|(sort|make|push)_heap)\b|\bpriority_queue\b',
        'allowed': {
            'core/batch/manifest/pattern_manifest.cpp': 'names of files, each once',
            'core/batch/results/batch_page.cpp': 'by score, then by the number of the frame, which occurs once',
            'core/batch/work/tasks.cpp': 'by the number of the first unit, which is in one task',
            'core/device/backend_folders.cpp': 'paths; equal ones are one path',
            'core/features/option.cpp': 'by the name of an option, which occurs once',
            'core/input/libav/frame_index.cpp': 'integers',
            'core/input/libav/frame_times.cpp': 'integers',
            'core/input/libav/libav_demuxer.cpp': 'integers',
            'core/input/libav/numbered_pictures.cpp': 'integers',
            'core/model/bootstrap_model.cpp': 'std::strong_order tells -0 and 0 apart',
            'core/score_page/distribution.cpp': 'scores by value, of which shares are counted',
            'core/score_page/small_picture.cpp': 'integers, of which one is taken by its rank',
            'tools/isovmaf/describe_command.cpp': 'names, each once',
        }},
    'unordered container': {
        'why': 'is iterated in an order that the C++ library chooses: use std::map, or list the file with the reason '
               'why the order reaches no result',
        'match': r'\bunordered_(map|set|multimap|multiset)\b|\bstd::hash\b',
        'allowed': {
            'core/batch/store/store_index.hpp': 'looked up by key; lists of all elements are merged by key',
            'core/batch/work/tasks.cpp': 'looked up by key only',
            'core/batch/work/unit_ends.hpp': 'looked up by key only',
        }},
    'order of a folder': {
        'why': 'lists a folder in the order of the file system: sort what is found, and list the file',
        'match': r'\b(recursive_)?directory_iterator\b|\breaddir\b',
        'allowed': {
            'backends/hip/rocm_library.cpp': 'sorted',
            'core/batch/inputs/staging.cpp': 'removes each entry that is left over',
            'core/batch/store/files.cpp': 'removes each entry that is left over',
            'core/batch/store/run_folder.cpp': 'copies each entry',
            'core/batch/store/store_index.cpp': 'puts the entries into a std::map',
            'core/batch/work/lock_file.cpp': 'removes each entry that is unused',
            'core/device/backend_folders.cpp': 'sorted',
            'core/device/backends.cpp': 'sorted',
            'core/input/libav/numbered_pictures.cpp': 'sorted',
        }},
    'distribution': {
        'why': 'gives other numbers with each C++ library: take the words of std::mt19937 themselves',
        'match': r'\bstd::(\w+_distribution|shuffle|ranges::shuffle|sample|generate_canonical|default_random_engine)\b',
        'allowed': {}},
    'order of a sum': {
        'why': 'sums in an order that the C++ library chooses: write a loop',
        'match': r'\bstd::(reduce|transform_reduce|inclusive_scan|execution::\w+)\b',
        'allowed': {}},
    'rounding of its own': {
        'why': 'changes how the thread computes: only FloatEnvironment does',
        'match': r'\b(fesetround|fesetenv|feholdexcept|feenableexcept|_mm_setcsr|_MM_SET_\w+|ldmxcsr|fldcw)\b'
                 r'|float_control|fp_contract|FP_CONTRACT|optimize\s*\(',
        'raw': True,
        'allowed': {'core/base/float_environment.hpp': 'is that class'}},
}


@functools.cache
def product(root):
    """Path, text, and text without comments and strings, of each file of the product."""
    texts = [(path, '\n'.join(lines(root, path))) for path in source_files(root, SOURCE_SUFFIXES)
             if path.startswith(PRODUCT) and not is_test(path)]
    return [(path, text, without_comments_and_texts(text)) for path, text in texts]


def uses(root, rule):
    """Path and number of each line of the product that `rule` matches."""
    match = re.compile(rule['match'])
    return [(path, number) for path, text, code in product(root)
            for number, line in enumerate((text if rule.get('raw') else code).splitlines(), 1)
            if match.search(line.partition('//')[0])]


def faults(root, rule):
    found = uses(root, rule)
    return [f'{path}:{number} {rule["why"]}' for path, number in found if path not in rule['allowed']] + [
            f'{path} is allowed what it does not use: remove it from the list' for path in rule['allowed']
            if path not in {of for of, _ in found}]


# Flags that change results, and those of them that keep results as they are.
FLAG = re.compile(r'-(Ofast|ffast-math|f(no-)?(unsafe-math-optimizations|associative-math|reciprocal-math'
                  r'|finite-math-only|signed-zeros|single-precision-constant)|f(fp|p)-(contract|model)=\w+'
                  r'|mfpmath=\w+|mdaz-ftz|-?fmad=\w+|-?use_fast_math|-?ftz=\w+)(?![\w-])')
EXACT = {'-ffp-contract=off', '--fmad=false'}
REFUSAL = re.compile(r'^foreach flag : get_option.*?^endforeach$', re.M | re.S)  # of flags of packagers


def flags(text):
    """Flags in a file of the build that change results."""
    return [found[0] for found in FLAG.finditer(REFUSAL.sub('', text)) if found[0] not in EXACT]


class Product(unittest.TestCase):
    def test_depends_on_no_machine(self):
        for name, rule in RULES.items():
            with self.subTest(name):
                self.assertEqual(faults(root, rule), [])


    def test_is_built_with_exact_flags(self):
        for folder, folders, names in os.walk(root):
            folders[:] = [name for name in folders if not name.startswith(SKIPPED_FOLDERS)]
            if 'meson.build' in names:
                path = Path(folder) / 'meson.build'
                self.assertEqual(flags(path.read_text(encoding='utf-8')), [], path)
        self.assertIn("project_args = ['-ffp-contract=off']", (Path(root) / 'meson.build').read_text(encoding='utf-8'))


class Rules(unittest.TestCase):
    """Each rule finds what it is about, and leaves alone what looks like it."""
    FOUND = {
        'locale': ['double d = std::strtod(p, &end);', 'std::stod(text)', 'std::snprintf(p, n, f, d);',
                   'sscanf(p, f, &d);', 'c = std::tolower(c);', 'setlocale(LC_ALL, name);',
                   'std::ostringstream text;', 'std::regex r(t);'],
        'streamed number': ['std::cout << score;', 'stream << 0.5;', 'in_stream >> number;'],
        'locale of fmt': ['fmt::format("{:L}", d)', 'fmt::format("{:.3Lf}{:.2L}", d)'],
        'extended precision': ['long double sum = 0;', '__float128 x;', '_Float128 x;', 'x = 1.0L;'],
        'unstable sort': ['std::sort(a.begin(), a.end());', 'std::ranges::sort(a);', 'std::nth_element(a, b, c);'],
        'unordered container': ['std::unordered_map<int, int> m;', 'std::hash<int>()(1)'],
        'order of a folder': ['for (auto &e : fs::directory_iterator(folder))', 'readdir(folder)'],
        'distribution': ['std::uniform_int_distribution<int> d(0, 1);', 'std::shuffle(a, b, random);'],
        'order of a sum': ['std::reduce(a.begin(), a.end())', 'std::execution::par'],
        'rounding of its own': ['std::fesetround(FE_UPWARD);', '#pragma STDC FP_CONTRACT ON',
                                '__attribute__((optimize("fast-math")))', 'asm volatile("ldmxcsr %0");'],
    }
    LEFT = {
        'locale': ['// as printf does', 'print("%f");', 'text = "strtod";', 'this->print_error();', 'sort(a);'],
        'streamed number': ['x << 3;', 'std::ifstream file(path);'],
        'locale of fmt': ['fmt::format("{:.3f} L", d)'],
        'extended precision': ['double sum = 0;', 'int64_t a = 10L;'],
        'unstable sort': ['std::ranges::stable_sort(a);', 'resort(a);'],
        'unordered container': ['std::vector<Access> unordered_;'],
        'order of a folder': ['current_directory();'],
        'distribution': ['std::mt19937 random(seed);', 'shuffle_down(v, 1)'],
        'order of a sum': ['reduce(MPI_SUM, v);', 'std::accumulate(a, b, 0u);'],
        'rounding of its own': ['std::fegetround();'],
    }

    def lines_found(self, name, code):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / 'core').mkdir()
            (Path(folder) / 'core/file.cpp').write_text('\n'.join(code) + '\n')
            return [code[number - 1] for _, number in uses(folder, RULES[name])]

    def test_find_what_they_are_about(self):
        self.assertEqual(set(self.FOUND), set(RULES))
        for name, code in self.FOUND.items():
            self.assertEqual(self.lines_found(name, code), code)

    def test_leave_the_rest_alone(self):
        for name, code in self.LEFT.items():
            self.assertEqual(self.lines_found(name, code), [])

    def test_find_flags(self):
        self.assertEqual(flags("args: ['-O3', '-ffp-contract=off', '--fmad=false', '-fno-math-errno']"), [])
        found = ['-ffast-math', '-Ofast', '-ffp-contract=fast', '-mfpmath=387', '--fmad=true', '-fno-signed-zeros']
        self.assertEqual(flags(f'args: {found}'), found)

    def test_names_files_that_are_listed_in_vain(self):
        rule = {**RULES['distribution'], 'allowed': {'core/nothing.cpp': 'a reason'}}
        self.assertEqual(faults(root, rule),
                         ['core/nothing.cpp is allowed what it does not use: remove it from the list'])


if __name__ == '__main__':
    root = sys.argv.pop(1)
    unittest.TestCase.maxDiff = None
    unittest.main()
