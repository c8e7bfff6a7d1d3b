#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Makes every allocation, copy and kernel launch of a run on the host stand-in fail, one in each run.

    device_fault_test.py ISOVMAF PLUGIN

Each run ends with one sentence and exit code 1, or, where memory was short, a warning and the right scores.
"""

import pathlib
import sys
import unittest

from fault_runs import FRAMES, FaultRuns

MOST_OPERATIONS = 2000  # far more than such a run has
QUIET_RUNS = 3          # after so many runs without an effect the run has no operation of that number


class DeviceFaultTest(FaultRuns):
    BACKEND = "host"

    def check_every(self, operation, message):
        """Returns how many failures of the operation ended a run, and how many runs survived."""
        failed, survived, quiet = 0, 0, 0
        for number in range(1, MOST_OPERATIONS):
            fault = f"{operation}:{number}"
            outcome = self.outcome(self.score(ISOVMAF_HOST_FAIL=fault), fault, message)
            failed += outcome == "failed"
            survived += outcome == "survived"
            quiet = quiet + 1 if outcome == "quiet" else 0
            if quiet == QUIET_RUNS:
                return failed, survived
        self.fail(f"{operation} {MOST_OPERATIONS} still has an effect")

    def test_allocations(self):
        failed, survived = self.check_every("allocation", "^isovmaf: error: .*(allocating|memory)")
        print(f"allocations: {failed} ended the run, {survived} gave a warning")
        self.assertGreater(failed + survived, 4)
        self.assertGreater(survived, 0, "a smaller ring was never tried")

    def test_copies(self):
        failed, _ = self.check_every("copy", "^isovmaf: error: ")
        print(f"copies: {failed} ended the run")
        self.assertGreaterEqual(failed, 2 * FRAMES)

    def test_launches(self):
        failed, _ = self.check_every("launch", "^isovmaf: error: ")
        print(f"launches: {failed} ended the run")
        self.assertGreaterEqual(failed, 4 * FRAMES - 1)

    def test_a_lost_device_ends_the_run(self):
        failed, _ = self.check_every("lost", "^isovmaf: error: .*(lost|stopped answering)")
        self.assertGreater(failed, 0)


if __name__ == "__main__":
    FaultRuns.ISOVMAF, FaultRuns.PLUGIN = sys.argv[1], pathlib.Path(sys.argv[2])
    unittest.main(argv=sys.argv[:1])
