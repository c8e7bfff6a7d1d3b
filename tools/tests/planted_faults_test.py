#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""`isovmaf diff` locates each planted fault, and finds nothing in the sound stand-in.

    planted_faults_test.py ISOVMAF SOUND_PLUGIN FOLDER_OF_FAULTS_PY FAULT=PLUGIN...
"""

import dataclasses
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import unittest

ISOVMAF, SOUND, PLUGINS = "", pathlib.Path(), {}
EQUAL, DIFFER = 0, 1


class PlantedFaultsTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.path = pathlib.Path(temporary.name)
        self.commands = set()  # of reports, that were run

    def install(self, plugin):
        """Makes the plugin the only one that is found, under the stand-in's name."""
        file = self.path / "backends" / "libvmaf_host.so"
        file.parent.mkdir(exist_ok=True)
        file.unlink(missing_ok=True)
        file.symlink_to(plugin.resolve())

    def isovmaf(self, arguments, fault):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("ISOVMAF_")}
        environment["ISOVMAF_HOST_THREADS"] = "2" # so that the content of shared memory at the start of a block is the same on every machine
        return subprocess.run(
            [ISOVMAF, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
            env={**environment, **fault.environment})

    def input_of(self, fault):
        if not fault.drawn:
            return ["--generate", fault.fill, "--size", fault.size, "--chroma", "420", "--depth", str(fault.depth),
                    "--seed", "1", "--frames", str(fault.frames)]
        width, height = map(int, fault.size.split("x"))
        chroma = bytes([128]) * (2 * ((width + 1) // 2) * ((height + 1) // 2))
        files = []
        for name, luma in zip(("reference", "distorted"), fault.drawn()):
            files.append(self.path / f"{name}.y4m")
            files[-1].write_bytes(f"YUV4MPEG2 W{width} H{height} F25:1 C420jpeg\nFRAME\n".encode() + luma + chroma)
        return ["--reference", files[0], "--distorted", files[1]]

    def compare(self, fault, plugin):
        self.install(plugin)
        features = [":".join(filter(None, (fault.feature, request))) for request in fault.requests]
        report = self.path / "report.json"
        result = self.isovmaf(
            ["diff", "--backends", "cpu-ref,cpu,host", "--backend-dir", self.path / "backends", *self.input_of(fault),
             "--no_prediction", "--json", report, *(word for name in features for word in ("--feature", name))], fault)
        self.assertTrue(report.exists(), result.stdout + result.stderr)
        return result, json.loads(report.read_text())

    def check_sound(self, fault):
        """Returns the plugin's build id."""
        result, report = self.compare(fault, SOUND)
        self.assertEqual(result.returncode, EQUAL, result.stdout + result.stderr)
        self.assertEqual((report["verdict"], report["different"], report["findings"]), ("equal", 0, []))
        self.assertGreater(report["words"], 0)
        return build_id(report)

    def check_fault(self, fault):
        sound_build_id = self.check_sound(fault)
        result, report = self.compare(fault, PLUGINS[fault.name])
        said = result.stdout + result.stderr
        self.assertEqual(result.returncode, DIFFER, said)
        self.assertEqual((report["verdict"], report["exit_code"]), ("differ", DIFFER))
        self.assertNotEqual(build_id(report), sound_build_id)
        for tally in report["tallies"]:
            different = tally["different"] + tally["words_different"]
            self.assertEqual(different > 0, tally["side"] == "host", f"{tally}\n{said}")
        self.assertTrue(report["findings"], said)
        for finding in report["findings"]:
            self.assertEqual((finding["side"], finding["feature"]), ("host", fault.feature), said)
            self.assertIsNotNone(finding["fault"], said)
            self.assertEqual(finding["fault"]["stage"], fault.stage, said)
            if fault.place:
                self.assertEqual((finding["fault"]["x"], finding["fault"]["y"]), fault.place, said)
            if finding["command"] not in self.commands:  # mostly the one of the other wave
                self.commands.add(finding["command"])
                self.check_command(finding["command"], fault)

    def check_waves(self, fault):
        for wave in fault.waves:
            with self.subTest(wave=wave):
                self.check_fault(dataclasses.replace(fault, environment={"ISOVMAF_HOST_WAVE": wave}))
        if not fault.waves:
            self.check_fault(fault)

    def check_command(self, command, fault):
        """The command in the report shows the fault again with the faulty plugin, and no fault with the sound one."""
        program, *arguments = shlex.split(command)
        self.assertEqual(program, "isovmaf")
        again = self.isovmaf(arguments, fault)
        self.assertEqual(again.returncode, DIFFER, f"{command}\n{again.stdout}{again.stderr}")
        self.install(SOUND)
        sound = self.isovmaf(arguments, fault)
        self.assertEqual(sound.returncode, EQUAL, f"{command}\n{sound.stdout}{sound.stderr}")
        self.install(PLUGINS[fault.name])


def build_id(report):
    return next(proof["execution"]["build_id"] for proof in report["proofs"] if proof["side"] == "host")


def add_tests(faults):
    for fault in faults:
        setattr(PlantedFaultsTest, f"test_{fault.name.replace('-', '_')}",
                lambda self, fault=fault: self.check_waves(fault))


if __name__ == "__main__":
    sys.dont_write_bytecode = True # in the source folder
    sys.path.insert(0, sys.argv[3])
    from faults import FAULTS

    ISOVMAF, SOUND = sys.argv[1], pathlib.Path(sys.argv[2])
    PLUGINS = {name: pathlib.Path(file) for name, file in (word.split("=", 1) for word in sys.argv[4:])}
    if set(PLUGINS) != {fault.name for fault in FAULTS}:
        sys.exit("there is not a plugin for each fault")
    add_tests(FAULTS)
    unittest.main(argv=sys.argv[:1], verbosity=2)
