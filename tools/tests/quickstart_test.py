#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Which plugins and packages `./quickstart` chooses for the devices of a machine, given its path. Nothing is installed or
built: folders with the files of devices stand in for machines."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

quickstart = sys.argv.pop(1)

AMD_DISPLAY, AMD_AUDIO, INTEL_DISPLAY = ('0x1002', '0x030000'), ('0x1002', '0x040300'), ('0x8086', '0x030000')


class QuickstartTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.machine = pathlib.Path(temporary.name)

    def add(self, *paths):
        for path in paths:
            file = self.machine / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch(0o755)

    def add_kfd(self, *versions):
        self.add('dev/kfd')
        for number, version in enumerate(versions):
            folder = self.machine / 'sys/class/kfd/kfd/topology/nodes' / str(number)
            folder.mkdir(parents=True)
            (folder / 'properties').write_text(f'cpu_cores_count 0\ngfx_target_version {version}\nvendor_id 4098\n')

    def archs(self, *arguments):
        """The architectures of AMD GPUs that a dry run names."""
        return self.dry_run(*arguments).rpartition('architectures of AMD GPUs: ')[2].strip()

    def add_pci(self, vendor, class_code):
        folder = self.machine / 'sys/bus/pci/devices' / f'{vendor}.{class_code}'
        folder.mkdir(parents=True)
        (folder / 'vendor').write_text(vendor + '\n')
        (folder / 'class').write_text(class_code + '\n')

    def run_quickstart(self, *arguments):
        return subprocess.run([quickstart, *arguments], capture_output=True, text=True, check=False,
                              env={**os.environ, 'QUICKSTART_ROOT': str(self.machine)})

    def dry_run(self, *arguments):
        result = self.run_quickstart('--dry-run', *arguments)
        self.assertEqual((result.returncode, result.stderr), (0, ''))
        return result.stdout

    def chosen(self, *arguments):
        """The plugins and the packages that a dry run names."""
        lines = dict(line.split(':', 1) for line in self.dry_run(*arguments).splitlines())
        return lines['plugins'].split(), lines['packages'].split()

    def test_without_a_gpu_nothing_is_added(self):
        self.add_pci(*AMD_AUDIO)
        plugins, packages = self.chosen()
        self.assertEqual(plugins, [])
        self.assertIn('g++', packages)
        self.assertFalse({'clang-19', 'lld-19', 'glslc', 'libvulkan-dev'} & set(packages))

    def test_an_amd_gpu_is_found_by_its_driver_or_on_the_bus(self):
        self.add_pci(*INTEL_DISPLAY)
        self.assertEqual(self.chosen()[0], [])
        self.add_pci(*AMD_DISPLAY)
        plugins, packages = self.chosen()
        self.assertEqual(plugins, ['hip', 'vulkan'])
        self.assertLessEqual({'clang-19', 'lld-19', 'glslc'}, set(packages))

    def test_kfd_is_an_amd_gpu(self):
        self.add('dev/kfd')
        self.assertEqual(self.chosen()[0], ['hip', 'vulkan'])

    def test_an_nvidia_gpu_takes_no_package_of_amd(self):
        self.add('dev/nvidia0')
        plugins, packages = self.chosen()
        self.assertEqual(plugins, ['cuda', 'vulkan'])
        self.assertNotIn('clang-19', packages)

    def test_nvcc_alone_builds_nothing(self):
        self.add('usr/local/cuda/bin/nvcc')
        self.assertEqual(self.chosen()[0], [])

    def test_kernels_are_compiled_for_the_gpus_that_are_there(self):
        self.add_kfd(0, 90402, 90010, 90402)
        self.assertEqual(self.archs(), 'gfx90a,gfx942')
        self.assertIn('clang-19', self.chosen()[1])

    def test_kernels_for_a_newer_gpu_need_a_newer_compiler(self):
        self.add_kfd(110501, 90500)
        self.assertEqual(self.archs(), 'gfx1151,gfx950')
        packages = self.chosen()[1]
        self.assertLessEqual({'clang-22', 'lld-22'}, set(packages))
        self.assertNotIn('clang-19', packages)

    def test_kernels_are_compiled_for_every_gpu_when_asked_for(self):
        self.add_kfd(90402)
        self.assertEqual((self.archs('--gpu', 'hip'), self.archs('--gpu=all')), ('every one', 'every one'))

    def test_any_other_gpu_has_vulkan(self):
        self.add('dev/dri/renderD128')
        self.assertEqual(self.chosen()[0], ['vulkan'])

    def test_a_list_decides_by_hand(self):
        self.add('dev/kfd')
        self.assertEqual(self.chosen('--gpu', 'none')[0], [])
        self.assertEqual(self.chosen('--gpu=all')[0], ['hip', 'cuda', 'vulkan'])
        self.assertEqual(self.chosen('--gpu', 'vulkan,cuda')[0], ['vulkan', 'cuda'])

    def test_wrong_arguments_are_named(self):
        for arguments, text in {('--gpu', 'metal'): 'no plugin "metal"', ('--gpu',): 'wants a list',
                                ('--gpu', ''): 'wants a list', ('build',): 'what is "build"?'}.items():
            result = self.run_quickstart(*arguments)
            self.assertEqual((result.returncode, text in result.stderr.splitlines()[0]), (2, True), result.stderr)


if __name__ == '__main__':
    unittest.main()
