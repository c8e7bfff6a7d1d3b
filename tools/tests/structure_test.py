#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Checks which folder includes files of which, which files give frames to a session or an extraction, that no code
outside the table of releases asks which release of libvmaf it reproduces, and that tests pass on slow machines.

    structure_test.py SOURCE_ROOT
    structure_test.py --print SOURCE_ROOT     prints how many lines and files the product has, and how long functions are
"""
import os
import pathlib
import re
import statistics
import sys
import tempfile
import unittest

from source_files import source_files

SOURCE_SUFFIXES = ('.c', '.comp', '.cpp', '.cu', '.glsl', '.h', '.hpp')
TESTS = r'(^|/)(planted|testing|tests)/|_(bench|fuzz|test)\.cpp$|/fuzz_input\.hpp$'
PRODUCT_CHECKS = 'core/device/self_test.cpp'  # named like a test, but the product runs it on each device
PRODUCT_FOLDERS = ('core/', 'backends/', 'capi/', 'engines/', 'bindings/', 'tools/isovmaf/', 'tools/vmaf/')
PRODUCT_SUFFIXES = ('.comp', '.cpp', '.cu', '.h', '.hpp')

# Files that may call `push`, by a part of the variable's name: the text of a call does not show the variable's type.
# `extraction` is an Extraction or a SegmentExtraction. Tests may call `push` anywhere.
MAY_PUSH = {
    'extraction': ['capi/video_scorer.cpp', 'core/engine/session.cpp', 'core/run/pair_worker.cpp'],
    'session': ['core/engine/feed.cpp'],
}

# Files with the table of releases (core/features/semantics.hpp), and what may name a release elsewhere: the default of a
# variable, and values that a release gave, for golden files.
RELEASE_TABLE = ('core/features/semantics.cpp', 'core/include/isovmaf/request.hpp')
MAY_NAME_RELEASE = r'\bsemantics = &?Semantics::libvmaf_3_2[;,)]|^ *\{"[^"]*", "[^"]*", &Semantics::\w+\},$'

# What fails a test on a slow machine: a limit, or a time that may not be longer. That something took no less than a time
# holds on any machine.
TIME_LIMITS = {
    '.build': r'\btimeout: ',
    '.py': r'\btimeout=|\.(wait|join)\(\d|assertLess(Equal)?\(.*\b(monotonic|perf_counter|time)\(\)',
    '.cpp': r'_L[TE]\(.*(\bnow\(\)|elapsed)|\.wait_(for|until)\(',
}
MAY_LIMIT_TIME = {
    'backends/tests/contract_test.cpp': 'what a device measures lies within what the host measures',
    'core/batch/store/settings_lock_test.cpp': 'a lock that is not free is waited for, however long',
    'tools/tests/slurm_cluster.py': 'it stops daemons, which are not in the group of processes that Meson ends',
    'tools/tests/slurm_test.py': 'the same',
    'tools/tests/structure_test.py': 'it plants limits',
}


def is_test(path):
    return path != PRODUCT_CHECKS and bool(re.search(TESTS, path))


def lines(root, path):
    return (pathlib.Path(root) / path).read_text(encoding='utf-8').splitlines()


def includes(root):
    """All includes: path of the file, number of the line, name as written, path of what is included."""
    for path in source_files(root, SOURCE_SUFFIXES):
        for number, line in enumerate(lines(root, path), 1):
            if include := re.match(r'\s*#\s*include\s*"([^"]+)"', line):
                for folder in (os.path.dirname(path), '', 'core/include', 'core'):
                    included = os.path.normpath(os.path.join(folder, include[1]))
                    if os.path.exists(os.path.join(root, included)):
                        break
                yield path, number, include[1], included  # in core/ if nothing is there: the build generates some


def includes_of_tools(root):
    """Rule 1: only tools/ includes files of tools/."""
    return [f'{path}:{number} includes {name}, a file of tools/: move what is needed to core/'
            for path, number, name, included in includes(root)
            if included.startswith('tools/') and not path.startswith('tools/')]


def build_order(root):
    """Folders of core/ in the order of the build. The public headers come before all libraries."""
    return ['include', *re.findall(r"^ *subdir\('(\w+)'\)", '\n'.join(lines(root, 'core/meson.build')), re.M)]


def includes_of_later_folders(root, order):
    """Rule 2: no folder of core/ includes files of a folder that is built later. This holds for tests too."""
    faults = []
    for path, number, name, included in includes(root):
        (top, own, *_), (included_top, other, *_) = path.split('/'), f'{included}/'.split('/')
        if top == included_top == 'core' and {own, other} <= set(order) and order.index(other) > order.index(own):
            faults.append(f'{path}:{number} includes {name}, which is built later: move the code that needs it to '
                          f'core/{other}, or what it needs to core/{own}')
    return faults


def calls_of_push(root, allowed):
    """Rule 3: only the listed files give frames to a session or an extraction."""
    found = [(path, number, name) for path in source_files(root, SOURCE_SUFFIXES) if not is_test(path)
             for number, line in enumerate(lines(root, path), 1) if 'push(' in line
             for name in allowed if re.search(rf'\w*{name}\w*\S*(\.|->)push\(', line.partition('//')[0])]
    return [f'{path}:{number} calls push of a variable `{name}`: call a function of {", ".join(allowed[name])}, or '
            'list the file in MAY_PUSH' for path, number, name in found if path not in allowed[name]] + [
            f'{path} does not call push of a variable `{name}`: remove it from MAY_PUSH'
            for name in allowed for path in allowed[name] if (path, name) not in {(p, n) for p, _, n in found}]


def names_of_releases(root):
    """Rule 4: only the table names a release of libvmaf. Other code reads the choices of its row."""
    return [f'{path}:{number} names a release of libvmaf: read a choice of SemanticsChoices, or add one'
            for path in source_files(root, SOURCE_SUFFIXES) if not is_test(path) and path not in RELEASE_TABLE
            for number, line in enumerate(lines(root, path), 1)
            if re.search(r'\blibvmaf[_-]\d', line.partition('//')[0]) and not re.search(MAY_NAME_RELEASE, line)]


def limits_of_time(root, allowed):
    """Rule 5: tests have no limits of their own, as Meson has one for all of them, and compare no times."""
    found = [(path, number) for path in source_files(root, tuple(TIME_LIMITS))
             if path.endswith('.build') or is_test(path) or path.endswith('_test.py')
             for number, line in enumerate(lines(root, path), 1)
             if re.search(TIME_LIMITS[os.path.splitext(path)[1]], re.split('//|#', line)[0])]
    return [f'{path}:{number} limits or compares a time: wait for an event, or count something' for path, number in found
            if path not in allowed] + [f'{path} limits no time: remove it from MAY_LIMIT_TIME'
                                       for path in allowed if path not in {path for path, _ in found}]


def code_lines(file):
    """Number of lines that are neither blank nor only comment."""
    text = re.sub(r'^[ \t]*/\*.*?\*/', '', '\n'.join(file), flags=re.M | re.S)
    return sum(not re.match(r'\s*(//|$)', line) for line in text.splitlines())


def without_comments_and_texts(text):
    """`text` without comments and preprocessor directives, and with "" for each string and character. Lines are kept."""
    token = (r'//[^\n]*|/\*.*?\*/|^[ \t]*#(?:\\\n|[^\n])*|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"'
             r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'")
    return re.sub(token, lambda found: ('' if found[0].lstrip()[0] in '/#' else '""') + '\n' * found[0].count('\n'), text,
                  flags=re.M | re.S)


def opens_function(declaration):
    """Whether a brace behind this text opens the body of a function, not a type, a namespace or an initialiser."""
    declaration = re.sub(r'\boperator\s*[^\s\w(]+|\b(alignas|__attribute__)\b', '', declaration)
    while (shorter := re.sub(r'\([^()]+\)', '()', declaration)) != declaration:
        declaration = shorter
    declaration = re.sub(r'^template\s*<.*>\s', '', declaration, flags=re.S)
    returns_type = r'\s+\w+\s+[\w:]+\('  # struct stat status_of()
    other = rf'(class|enum|inline namespace|namespace|struct|union)\b(?!{returns_type})|.*\s=\s'
    return '()' in declaration and not re.match(other, declaration, re.S)


def functions(text):
    """The functions that C++ code defines: number of the first line, number of lines.

    A heuristic that counts braces, for code that clang-format has laid out. What stands between a brace and the `;`, `{`
    or `}` before it is a declaration: see opens_function. A brace right behind a name, without a space, initialises a
    member. Lambdas, and classes in functions, are part of the function around them.
    """
    text = without_comments_and_texts(text)
    found, open_braces, start, function = [], [], 0, None
    for mark in re.finditer(r'[;{}]', text):
        of_member = mark[0] == '{' and re.match(r'[\w>]', text[mark.start() - 1])
        if mark[0] == '}':
            of_member = open_braces.pop()
        if mark[0] == '{':
            declaration = re.compile(r'\s*((public|private|protected):\s*)*').match(text, start).end()
            if not function and not of_member and opens_function(text[declaration:mark.start()]):
                function = len(open_braces), text.count('\n', 0, declaration) + 1
            open_braces.append(of_member)
        elif function and len(open_braces) == function[0]:
            found.append((function[1], text.count('\n', 0, mark.start()) + 2 - function[1]))
            function = None
        if not of_member:
            start = mark.end()
    return found


def print_figures(root):
    paths = [path for path in source_files(root, SOURCE_SUFFIXES)
             if path.startswith(PRODUCT_FOLDERS) and path.endswith(PRODUCT_SUFFIXES) and not is_test(path)]
    files = [lines(root, path) for path in paths]
    sizes = [len(file) for file in files]
    print(f'{sum(map(code_lines, files))} lines neither blank nor only comment, in {len(files)} files')
    print(f'{statistics.median(sizes):g} lines has the median file, with blank lines and comments')
    print(f'{sum(size < 40 for size in sizes)} files have fewer than 40 lines')
    lengths = sorted((length, f'{path}:{first_line}') for path, file in zip(paths, files)
                     for first_line, length in functions('\n'.join(file)))
    print(f'{lengths[len(lengths) // 2][0]} lines has the median function, {lengths[len(lengths) * 99 // 100][0]} the one '
          f'at the 99th percentile, {lengths[-1][0]} the longest ({lengths[-1][1]}), of {len(lengths)}')


class Sources(unittest.TestCase):
    def test_only_tools_includes_tools(self):
        self.assertEqual(includes_of_tools(source_root), [])

    def test_no_folder_of_core_includes_a_later_one(self):
        order = build_order(source_root)
        self.assertEqual(includes_of_later_folders(source_root, order), [])
        self.assertGreater(len(includes_of_later_folders(source_root, order[::-1])), 100, 'the test finds no includes')

    def test_frames_are_pushed_by_the_listed_files(self):
        self.assertEqual(calls_of_push(source_root, MAY_PUSH), [])

    def test_only_the_table_names_releases(self):
        self.assertEqual(names_of_releases(source_root), [])

    def test_no_test_fails_on_a_slow_machine(self):
        self.assertEqual(limits_of_time(source_root, MAY_LIMIT_TIME), [])


class PlantedFaults(unittest.TestCase):
    def plant(self, files):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        for path, text in files.items():
            file = pathlib.Path(temporary.name) / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding='utf-8')
        return temporary.name

    def assert_starts(self, faults, *starts):
        self.assertEqual(len(faults), len(starts), faults)
        self.assertEqual([fault[:len(start)] for fault, start in zip(faults, starts)], list(starts))

    def test_includes_of_tools(self):
        root = self.plant({'tools/isovmaf/a.hpp': '', 'tools/isovmaf/a.cpp': '#include "tools/isovmaf/a.hpp"\n',
                           'capi/b.cpp': '\n#include "tools/isovmaf/a.hpp"\n',
                           'core/base/c_test.cpp': '#include "../../tools/isovmaf/a.hpp"\n'})
        self.assert_starts(includes_of_tools(root), 'capi/b.cpp:2 includes ', 'core/base/c_test.cpp:1 includes ')

    def test_includes_of_later_folders(self):
        root = self.plant({'core/meson.build': "subdir('base')\nif x\n  subdir('batch')\nendif\nsubdir('diff')\n",
                           'core/base/a.hpp': '#include "isovmaf/e.hpp"\n#include "batch/work/generated.hpp"\n',
                           'core/batch/work/b.cpp': '#include "c.hpp"\n#include "base/a.hpp"\n#include "diff/d.hpp"\n',
                           'core/batch/work/c.hpp': '#include "../../diff/d.hpp"\n', 'core/diff/d.hpp': '',
                           'core/include/isovmaf/e.hpp': '#include "base/a.hpp"\n',
                           'core/base/a_test.cpp': '#include "diff/d.hpp"\n'})
        self.assert_starts(includes_of_later_folders(root, build_order(root)),
                           'core/base/a.hpp:2 includes batch/work/generated.hpp, which is built later',
                           'core/base/a_test.cpp:1 ', 'core/batch/work/b.cpp:3 ', 'core/batch/work/c.hpp:1 ',
                           'core/include/isovmaf/e.hpp:1 ')

    def test_calls_of_push(self):
        root = self.plant({'core/run/a.cpp': 'TRY(impl_->extraction.push(pair));\n// session.push(a)\nqueue.push(a);\n',
                           'core/run/b.cpp': '\nsessions_[n]->push(a, b); names_of_session.push_back(c);\n',
                           'capi/c.cpp': 'extraction_.push(pair);\n', 'core/run/a_test.cpp': 'session.push(a);\n',
                           'core/device/self_test.cpp': 'session.push(a);\n'})
        self.assert_starts(calls_of_push(root, {'extraction': ['capi/c.cpp'], 'session': ['capi/c.cpp']}),
                           'core/device/self_test.cpp:1 calls push', 'core/run/a.cpp:1 calls push',
                           'core/run/b.cpp:2 calls push', 'capi/c.cpp does not call push')

    def test_names_of_releases(self):
        root = self.plant({'core/features/semantics.cpp': 'Semantics Semantics::libvmaf_3_0(row);\n',
                           'core/features/motion/a.cpp': '    {"name", "", &Semantics::libvmaf_3_0},\n'
                                                         'const bool old = semantics == Semantics::libvmaf_3_0;\n',
                           'core/features/motion/a_test.cpp': 'run(Semantics::libvmaf_3_0);\n',
                           'core/diff/b.hpp': 'Semantics semantics = Semantics::libvmaf_3_2;\n'
                                              'if (semantics != Semantics::libvmaf_3_2)\n',
                           'tools/isovmaf/c.cpp': 'if (name == "libvmaf-3.0")\n// libvmaf-3.0\n'
                                                  'case libvmaf_3_2:\n'})
        self.assert_starts(names_of_releases(root), 'core/diff/b.hpp:2 names', 'core/features/motion/a.cpp:2 names',
                           'tools/isovmaf/c.cpp:1 names', 'tools/isovmaf/c.cpp:3 names')

    def test_limits_of_time(self):
        root = self.plant({'core/run/meson.build': "test('a', a, timeout: 90)\ntest('b', b) # timeout: 30\n",
                           'core/run/a_test.cpp': 'EXPECT_LT(Clock::now() - start, 5s);\nEXPECT_GE(Clock::now() - start, 5s);\n'
                                                  'EXPECT_EQ(future.wait_for(5s), ready);\n',
                           'core/run/a.cpp': 'changed.wait_for(lock, 5s);\n',
                           'tools/tests/b_test.py': 'process.wait(60)\nprocess.wait()\nrun(command, timeout=60)\n'
                                                    'self.assertLess(time.monotonic() - start, 5)\n',
                           'tools/tests/c.py': 'run(command, timeout=60)\n'})
        self.assert_starts(limits_of_time(root, {'core/run/b_test.cpp': '', 'tools/tests/c.py': ''}),
                           'core/run/a_test.cpp:1 limits', 'core/run/a_test.cpp:3 ', 'core/run/meson.build:1 ',
                           'tools/tests/b_test.py:1 ', 'tools/tests/b_test.py:3 ', 'tools/tests/b_test.py:4 ',
                           'core/run/b_test.cpp limits no time')

    def test_functions(self):
        self.assertEqual(functions("""\
/* int a() { */ // int b() {
#define C(x) int x() {
namespace n { struct D : E<f(1)> {
  public:
    explicit D(int x = 0)
        : x_(x), y_{x} {}

    template <class T = G>
    bool operator==(const T &t) const noexcept {
        const auto lambda = [&]() {
            return R"({ int h() {)" + '}' + "{";
        };
        if (x_ == 1'000) { return lambda(); }
        return false;
    }
    [[nodiscard]] bool operator()(int) { return true; }
    int y_{g()}; std::function<void()> z = [] {};
};
constexpr int i[] = {j({1}),
                     k()};
enum class L { m }; class M;
struct stat o(int) { return {}; }
}
struct alignas(8) P {
    int q() const &
    { return 1; }
};
"""), [(5, 2), (8, 8), (16, 1), (22, 1), (25, 2)])

    def test_code_lines(self):
        self.assertEqual(code_lines(['// a', '', '/* b', ' c */', 'int d; // e', '#if f /* g */', ' /* h */ i']), 3)


if __name__ == '__main__':
    if sys.argv[1] == '--print':
        print_figures(sys.argv[2])
    else:
        source_root = sys.argv.pop(1)
        unittest.main()
