#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Checks of the project's texts, given the source folder: Markdown files are wrapped, their relative links lead to files
and to headings in them, the pages by reader are all pages, sections of the specification that the code cites exist, libraries are listed in the order in which they are built, and
every ADR has the agreed form and stands in the index."""
import os
import re
import sys
import unittest

from source_files import source_files

source = sys.argv.pop(1)

LONGEST_LINE = 120
ADR_FOLDER = 'docs/adr'
ADR_PARTS = ['Status', 'Decision', 'Why', 'Rejected', 'Would change our mind']  # in this order; others may stand between
ADR_LINES = 60
SPECIFICATIONS = ['features.md', 'scores.md', 'cambi.md', 'speed.md', 'xpsnr.md']  # in docs/spec
SOURCE_SUFFIXES = ('.build', '.comp', '.cpp', '.cu', '.glsl', '.h', '.hpp', '.md', '.py')


def read(path):
    with open(os.path.join(source, path), encoding='utf-8') as file:
        return file.read()


def prose(text):
    """Numbered lines of Markdown outside code blocks."""
    in_code = False
    for number, line in enumerate(text.split('\n'), 1):
        if line.lstrip().startswith('```'):
            in_code = not in_code
        elif not in_code:
            yield number, line


def is_too_long(line):
    return len(line) > LONGEST_LINE and not line.startswith(('|', '!['))  # tables and images have to be one line


def links(path):
    """Pairs of a file, or of None where the target is not there, and the target of a relative link to it."""
    plain = '\n'.join(re.sub(r'`[^`]*`', '', line) for _, line in prose(read(path)))
    for target in re.findall(r'\]\(([^)\s]+)\)', plain):
        if not re.match(r'[a-z]+:', target):
            name = os.path.normpath(os.path.join(os.path.dirname(path), target.split('#')[0])) if target[0] != '#' else path
            yield name if os.path.exists(os.path.join(source, name)) else None, target


def anchors(path):
    """What links to the headings of a Markdown file have behind their #."""
    for _, line in prose(read(path)):
        if heading := re.match(r'#+ (.*)', line):
            yield re.sub(r'[^\w -]', '', heading[1].lower()).replace(' ', '-')


def sections(path):
    """Numbers of a specification's headings: 4, 4.1, ..."""
    return set(re.findall(r'^#+ (\d+(?:\.\d+)?)\b', read(path), re.MULTILINE))


def citations(path):
    """Pairs of a specification's name and a section that a file cites. A § without a name before it means the
    specification that the file named last, and in features else the first one. In a specification it means that file
    itself, and in other files it is a section of another document."""
    own = os.path.basename(path) if os.path.dirname(path) == 'docs/spec' else None
    named = own or (SPECIFICATIONS[0] if path.startswith('core/features/') else None)
    names = '|'.join(map(re.escape, SPECIFICATIONS))
    for name, section in re.findall(rf'(?:({names})\)?[\s/#*]*)?§\s*(\d+(?:\.\d+)?)', read(path)):
        named = name or named
        if named:
            yield named, section
        named = own or named


class Markdown(unittest.TestCase):
    def test_lines_are_wrapped(self):
        for path in source_files(source, '.md'):
            with self.subTest(path):
                long = [n for n, line in prose(read(path)) if is_too_long(line)]
                self.assertFalse(long, f'{path} has lines of more than {LONGEST_LINE} characters; wrap these lines')

    def test_relative_links_lead_to_files(self):
        for path in source_files(source, '.md'):
            with self.subTest(path):
                missing = [target for file, target in links(path) if file is None]
                self.assertFalse(missing, f'{path} links to files that are not there')

    def test_links_lead_to_headings(self):
        followed = 0
        for path in source_files(source, '.md'):
            with self.subTest(path):
                sections = [(file, target) for file, target in links(path) if '#' in target and file]
                missing = [target for file, target in sections if target.split('#')[1] not in anchors(file)]
                self.assertFalse(missing, f'{path} links to headings that are not there')
                followed += len(sections)
        self.assertGreater(followed, 10, 'the test no longer finds links to headings')

    def test_all_pages_stand_among_the_pages_by_reader(self):
        pages = {path for path in source_files(source, '.md') if os.path.dirname(path) in ('docs', 'docs/backends')}
        listed = {file for file, _ in links('docs/README.md')}
        self.assertEqual(pages - listed, {'docs/README.md'})


class Specification(unittest.TestCase):
    def test_cited_sections_exist(self):
        known = {name: sections(f'docs/spec/{name}') for name in SPECIFICATIONS}
        cited = 0
        for path in source_files(source, SOURCE_SUFFIXES):
            with self.subTest(path):
                missing = [f'{name} §{section}' for name, section in citations(path) if section not in known[name]]
                self.assertFalse(missing, f'{path} cites sections that docs/spec does not have')
                cited += len(list(citations(path)))
        self.assertGreater(cited, 100, 'the test no longer finds the citations in the code')


class Libraries(unittest.TestCase):
    def test_are_listed_in_the_order_of_the_build(self):
        listed = re.findall(r'^core/(\w+)/ ', read('docs/architecture.md'), re.MULTILINE)
        built = re.findall(r"^ *subdir\('(\w+)'\)", read('core/meson.build'), re.MULTILINE)
        self.assertEqual([name for name in listed if name != 'include'], built,
                         'docs/architecture.md lists the folders of core/ in the order of core/meson.build')


class DecisionRecords(unittest.TestCase):
    def records(self):
        return [name for name in sorted(os.listdir(os.path.join(source, ADR_FOLDER))) if name[0].isdigit()]

    def test_have_the_agreed_form(self):
        for name in self.records():
            with self.subTest(name):
                text = read(f'{ADR_FOLDER}/{name}')
                self.assertRegex(text, rf'^# {int(name[:4])}\. \S', f'{name} begins with "# NUMBER. Title"')
                parts = re.findall(r'^\*\*([^*]+)\.\*\*', text, re.MULTILINE)
                self.assertEqual([part for part in parts if part in ADR_PARTS], ADR_PARTS)
                self.assertRegex(text, r'\n\*\*Status\.\*\* (Accepted|Superseded by \[ADR \d+\]\(\d{4}-\S+\.md\))(?!\w)')
                self.assertLessEqual(text.count('\n'), ADR_LINES)

    def test_are_in_the_index_with_title_and_status(self):
        index = [line for line in read(f'{ADR_FOLDER}/README.md').split('\n') if line.startswith('| [')]
        expected = []
        for name in self.records():
            text = read(f'{ADR_FOLDER}/{name}')
            title = re.match(r'# \d+\. (.*)', text).group(1)
            status = re.search(r'\*\*Status\.\*\* ((?:[^.]|\.md)*)', text).group(1).replace('\n', ' ')
            expected.append(f'| [{int(name[:4])}]({name}) | {title} | {status} |')
        self.assertEqual(index, expected, f'{ADR_FOLDER}/README.md lists all records in the order of their numbers')

    def test_numbers_have_no_new_gaps(self):
        numbers = [int(name[:4]) for name in self.records()]
        gaps = sorted(set(range(1, numbers[-1])) - set(numbers))
        self.assertEqual(gaps, [8, 9, 16, 17, 18, 19], 'take the next free number for a new record')
        self.assertEqual(len(numbers), len(set(numbers)), 'two records have the same number')


if __name__ == '__main__':
    unittest.main()
