// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/manual.hpp"

namespace isovmaf::tool {

std::vector<reference::ManualSection> manual_sections() {
    return {
        {"EXIT STATUS",
         {{"0", "Done: every score, report and table that was asked for is written. diff: everything is equal."},
          {"1", "The command failed, and one sentence says why. diff: something differs."},
          {"2", "The command line is wrong. diff: also when the comparison could not run."},
          {"3", "diff: a side of the comparison ran no kernel on its device."},
          {"4", "score: done, but a score is below a limit, such as that of --min-mean."},
          {"65", "batch, rescore: done, but some rows have no scores and would fail again."},
          {"69", "batch: a device, its driver or its plugin cannot be used on this machine."},
          {"75", "batch, rescore: run the command again: rows failed that may succeed then, or are not done yet."},
          {"130", "Stopped by a signal."}}},
        {"ENVIRONMENT",
         {{"ISOVMAF_BACKEND_DIR",
           "Folders that are searched for backend plugins, with colons between them, in place of "
           "the installed one; --backend-dir goes before it."},
          {"ISOVMAF_HOST", "The name of this host in the stores of a batch, in place of its own."},
          {"COLUMNS", "The width of the lines of --help, in place of that of the terminal."},
          {"TERM, NO_COLOR",
           "Without TERM, with TERM=dumb, and with NO_COLOR that is not empty, terminals get no escape "
           "sequences."}}},
        {"FILES",
         {{"NAME.partial", "The report of a run that was interrupted, beside the report NAME, which stays as it was."},
          {"share/isovmaf/report.schema.json", "The schema of JSON reports, below the prefix."},
          {"libvmaf_*.so", "Backend plugins, in the folder that isovmaf backends names."},
          {"/tmp/isovmaf-UID", "Locks of the units that batches of this host have in work."}}},
        {"EXAMPLES",
         {{"isovmaf score ref.mkv dis.mkv", "Prints VMAF and its features."},
          {"isovmaf score ref.mkv a.mkv b.mkv -o '{stem}.json'",
           "Compares two encodes in one table, and writes a.json and b.json."},
          {"isovmaf score -r ref.yuv -d dis.yuv -w 1920 -h 1080 -p 420 -b 8 -q", "Prints one number, of raw video."},
          {"isovmaf score ref.mkv dis.mkv -m version=vmaf_4k_v0.6.1 --html report.html",
           "Scores with the model for 4K screens, and writes a page with charts and the worst frames."},
          {"isovmaf score ref.mkv dis.mkv --min-mean 93 --strict",
           "For CI: ends with 4 when the mean of VMAF is below 93, and with 1 on a warning about the videos."},
          {"isovmaf batch pairs.csv --run results", "Scores the pairs of a manifest; the same command continues."},
          {"isovmaf diff --backends cpu-ref,hip --devices all",
           "Compares GPUs with the definitions, to the last bit."}}},
    };
}

} // namespace isovmaf::tool
