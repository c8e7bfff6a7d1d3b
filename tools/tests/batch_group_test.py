#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Runs `isovmaf batch` with ladders: encodes that share a reference give the same bytes together and alone.

    batch_group_test.py ISOVMAF [PLUGIN]

With PLUGIN, the host stand-in is the device in one of the tests.
"""

import pathlib
import sys
import unittest

from batch_runs import BatchRuns
from score_runs import picture, y4m

WIDTH, HEIGHT, FRAMES = 97, 65, 9
PLUGIN = None


class Ladders(BatchRuns):
    """A reference `ref.y4m`, and encodes of it in the manifest."""

    def setUp(self):
        super().setUp()
        self.clip("ref.y4m")
        self.encodes = [self.clip(f"dis{i}.y4m", shift=i + 1) for i in range(5)]

    def clip(self, name, shift=0, frames=FRAMES, width=WIDTH, height=HEIGHT):
        (self.folder / name).write_bytes(y4m([picture(7 * n + shift, width, height) for n in range(frames)], width, height))
        return name

    def expect_same_bytes(self, rows, *options, columns="", expect=0):
        """Runs with groups of several sizes; returns the run folder of the largest."""
        self.manifest = self.write("m.csv", f"reference,distorted{columns}\n" + "".join(f"{row}\n" for row in rows))
        alone = self.run_folder("alone", "--group", 1, *options, expect=expect)
        for group in (3, 8):
            together = self.run_folder(f"group{group}", "--group", group, *options, expect=expect)
            self.assertEqual(self.results(together), self.results(alone))
            self.assert_clean(together)
        return together

    def test_a_ladder(self):
        rows = [f"ref.y4m,{name}" for name in self.encodes]
        together = self.expect_same_bytes(rows)
        self.assertEqual(len(self.rows(together)), 5)
        shares = {record["stages"]["kernels"] for record in self.records(together)}
        self.assertEqual(len(shares), 1, "units that are extracted side by side have equal shares of the time")
        self.assertEqual(self.results(self.run_folder("segments", "--segment-frames", 4)), self.results(together))
        self.assertEqual(self.results(self.run_folder("workers", "--workers", 2)), self.results(together))

    def test_rows_with_other_options_references_and_lengths(self):
        self.clip("other.y4m", shift=50)
        self.clip("short.y4m", shift=2, frames=4)
        self.clip("one.y4m", shift=3, frames=1)
        rows = ["ref.y4m,dis0.y4m,", "other.y4m,dis0.y4m,", "ref.y4m,short.y4m,", "ref.y4m,dis1.y4m,psnr",
                "ref.y4m,dis2.y4m,psnr", "ref.y4m,one.y4m,", "other.y4m,dis1.y4m,", "ref.y4m,dis3.y4m,"]
        together = self.expect_same_bytes(rows, columns=",feature")
        self.assertEqual([row["frames"] for row in self.rows(together)], ["9", "9", "4", "9", "9", "1", "9", "9"])

    def test_encodes_of_other_sizes_are_scaled(self):
        rows = [f"ref.y4m,{self.clip(f'scaled{i}.y4m', shift=i, width=48 + 16 * i, height=40)}" for i in range(3)]
        self.expect_same_bytes([*rows, "ref.y4m,dis0.y4m"], "--resize", "dis")

    def test_a_failure_is_that_of_a_row_alone(self):
        whole = (self.folder / "dis1.y4m").read_bytes()
        (self.folder / "corrupt.y4m").write_bytes(whole[:len(whole) // 2] + b"?" * 400 + whole[len(whole) // 2 + 400:])
        (self.folder / "cut.y4m").write_bytes(whole[:len(whole) // 3])
        (self.folder / "text.y4m").write_text("no video")
        self.clip("size.y4m", width=64)
        names = ["dis0.y4m", "corrupt.y4m", "size.y4m", "text.y4m", "cut.y4m", "dis2.y4m"]
        together = self.expect_same_bytes([f"ref.y4m,{name}" for name in names], expect=65)
        failed = [row["distorted"] for row in self.rows(together, "failures.csv")]
        self.assertIn("size.y4m", failed)
        self.assertIn("text.y4m", failed)
        self.assertNotIn("dis2.y4m", failed)

    def test_a_reference_that_fails_fails_every_row(self):
        whole = (self.folder / "ref.y4m").read_bytes()
        (self.folder / "ref.y4m").write_bytes(whole[:len(whole) // 2].replace(b"FRAME", b"FRAMX") + whole[len(whole) // 2:])
        together = self.expect_same_bytes([f"ref.y4m,{name}" for name in self.encodes], expect=65)
        self.assertEqual(len(self.rows(together, "failures.csv")), 5)

    def test_on_a_device(self):
        if not PLUGIN:
            self.skipTest("no plugin of a device was given")
        self.manifest = self.write("m.csv", "reference,distorted\n" + "".join(f"ref.y4m,{name}\n" for name in self.encodes))
        device = ("--backend", "host", "--backend-dir", str(pathlib.Path(PLUGIN).parent))
        expected = self.results(self.run_folder("cpu", "--group", 1))
        for group in (1, 3, 8):
            self.assertEqual(self.results(self.run_folder(f"host{group}", "--group", group, backend=device)), expected)


if __name__ == "__main__":
    BatchRuns.ISOVMAF = sys.argv.pop(1)
    PLUGIN = sys.argv.pop(1) if len(sys.argv) > 1 and sys.argv[1].endswith(".so") else None
    unittest.main()
