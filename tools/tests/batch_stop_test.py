#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Stops `isovmaf batch` while it waits for something that does not come.

    batch_stop_test.py ISOVMAF
"""

import os
import signal
import sys
import time
import unittest

from batch_runs import BatchTest


class Stuck(BatchTest):
    def test_work_that_does_not_stop_is_ended(self):
        """Opening a video waits for as long as the test holds it."""
        self.longer_manifest(held=True)
        with self.halfway(self.folder / "run") as process:
            start = time.monotonic()
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(), 130)
        self.assertGreater(time.monotonic() - start, 7)
        self.assertIn("the work did not stop within 8 s", process.stderr.read().decode())


if __name__ == "__main__":
    BatchTest.ISOVMAF = os.path.abspath(sys.argv.pop(1))
    unittest.main()
