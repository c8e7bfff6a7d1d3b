#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""The HTML report in a browser: headless Chromium opens it, uses it, and must write nothing to its console.

    score_page_test.py ISOVMAF
"""

import html
import os
import re
import shutil
import subprocess
import sys
import unittest

from score_runs import FRAMES, ScoreTest

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SKIPPED = 77  # as Meson understands it
NASTY = "<script>alert(1)<"  # and a slash would end the element, but no file's name has one

# Uses the page as a reader does, and writes what it shows into attributes of <html>.
READER = """<script>
Element.prototype.setPointerCapture = () => {};  // there is no real pointer
const shows = document.documentElement.dataset, byId = (id) => document.getElementById(id);
const panels = () => [...document.querySelectorAll("#panels svg")];
const width = panels()[0].getBoundingClientRect().width;
function pointer(type, part) {
  const {left, top} = panels()[0].getBoundingClientRect();
  panels()[0].dispatchEvent(new PointerEvent(type, {clientX: left + part * width, clientY: top + 50, button: 0, pointerId: 1}));
}
shows.panels = panels().length;
shows.line = document.querySelector("#panels .line").getAttribute("d").split("M").length;
for (const box of document.querySelectorAll("#choice input:not(:checked)")) box.click();
shows.allPanels = panels().length;
shows.histograms = document.querySelectorAll("[data-column]:not([hidden])").length;
pointer("pointermove", 0.999);
shows.last = byId("readout").textContent;
pointer("pointerdown", 0.3); pointer("pointermove", 0.7); pointer("pointerup", 0.7);
shows.zoomed = !byId("reset").hidden;
panels()[0].dispatchEvent(new MouseEvent("dblclick"));
shows.whole = byId("reset").hidden;
pointer("pointermove", 0.999);
byId("panels").dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowLeft"}));
shows.before = byId("readout").textContent;
document.querySelector("a[data-frame]").click();
shows.worst = byId("readout").textContent;
document.querySelector(".pictures img").click();
shows.viewer = byId("viewer").open + " " + byId("viewer-picture").alt;
byId("viewer-picture").click();
shows.next = byId("viewer-picture").alt;
shows.broken = [...document.images].filter((image) => image.complete && !image.naturalWidth && image.id === "").length;
shows.used = "yes";
</script>"""


class InABrowser(ScoreTest):
    def opened(self, page, width=1000):
        """The page after its scripts have run, and what the browser logged about them."""
        path = self.write("used.html", page.encode())
        result = subprocess.run(
            [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={self.folder}/profile",
             "--enable-logging=stderr", f"--window-size={width},1000", "--dump-dom", path.as_uri()],
            stdin=subprocess.DEVNULL, capture_output=True, check=False, text=True,
            env=os.environ | {"HOME": str(self.folder)})
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout, [line for line in result.stderr.splitlines() if "CONSOLE" in line]

    def test_a_reader_can_use_it(self):
        distorted = self.distorted.rename(self.folder / (NASTY + ".y4m"))
        page = self.folder / "page.html"
        result = self.score("--html", page, "-q", "--feature", "psnr", distorted=distorted)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        text, console = self.opened(page.read_text() + READER)
        self.assertEqual(console, [])
        shown = dict(re.findall(r' data-([a-z-]+)="([^"]*)"', text[:text.index("<head>")]))
        self.assertEqual(shown["script"], "done")
        self.assertEqual(shown["used"], "yes")
        self.assertIn(html.escape(NASTY), text)

        scores = 1 + 14 + 3  # VMAF, its features, PSNR
        self.assertEqual((shown["panels"], shown["line"]), ("1", "2"))
        self.assertEqual((shown["all-panels"], shown["histograms"]), (str(scores), str(scores)))
        last = FRAMES - 1
        self.assertTrue(shown["last"].startswith(f"frame {last} · 0:00:00.{40 * last:03}vmaf "), shown["last"])
        self.assertTrue(shown["before"].startswith(f"frame {last - 1} · "), shown["before"])
        self.assertEqual((shown["zoomed"], shown["whole"]), ("true", "true"))
        worst = re.search(r"data-frame=\"([0-9]+)\"", text)[1]
        self.assertTrue(shown["worst"].startswith(f"frame {worst} · "), shown["worst"])
        self.assertEqual(shown["viewer"], f"true reference of frame {worst}")
        self.assertEqual(shown["next"], f"distorted of frame {worst}")
        self.assertEqual(shown["broken"], "0")

    def test_a_narrow_window_shows_pairs_of_a_batch_without_scrolling(self):
        manifest = self.write("pairs.csv", f"reference,distorted,label,bit_rate\n{self.reference},{self.distorted},"
                                           "one of the slower presets,1000\n".encode())
        subprocess.run([self.ISOVMAF, "batch", manifest, "--run", self.folder / "run", "--backend", "cpu", "-q"], check=True)
        page = (self.folder / "run" / "report.html").read_text()
        text, _ = self.opened(page + """<script>
const shows = document.documentElement.dataset, table = document.querySelector(".scores"), cells = [...table.querySelectorAll("tbody td")];
shows.over = table.scrollWidth - table.clientWidth;
shows.page = document.documentElement.scrollWidth - document.documentElement.clientWidth;
shows.name = cells[0].getBoundingClientRect().width > 300;
</script>""", width=500)
        shown = dict(re.findall(r' data-([a-z-]+)="([^"]*)"', text[:text.index("<head>")]))
        self.assertEqual(shown, {"over": "0", "page": "0", "name": "true"})


if __name__ == "__main__":
    ScoreTest.ISOVMAF = os.path.abspath(sys.argv.pop(1))
    BROWSER = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not BROWSER:
        print(f"skipped: none of {', '.join(BROWSERS)} is installed")
        sys.exit(SKIPPED)
    unittest.main()
