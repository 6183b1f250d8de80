"""How large a report page is, and how soon a browser has opened it.

`python -m benchmarks.report_page` measures the page of the demo, and `python -m benchmarks.report_page PAGE …` other
pages (needs Chromium). Each page is opened three times in a new browser, so that nothing is cached. CPU time does not
depend on what else the machine does; time by the clock does.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

TIMES = 3
DRAWN = """new Promise(done => {
  const look = () => {
    const left = document.querySelectorAll("figure.chart").length - document.querySelectorAll("figure.drawn").length;
    return left ? setTimeout(look, 5) : done(performance.now() / 1000);
  };
  look();
})"""
PAINTED = "performance.getEntriesByType('paint')[0].startTime / 1000"


def opened(path: Path, browser_path: str) -> tuple[float, float, float]:
    """Return the seconds until something is seen and until all charts are drawn, and the CPU seconds of the latter."""
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        page.goto(path.as_uri())
        drawn = float(page.evaluate(DRAWN))
        metrics = {x["name"]: x["value"] for x in session.send("Performance.getMetrics")["metrics"]}
        painted = float(page.evaluate(PAINTED))
        browser.close()
    return painted, drawn, float(metrics["TaskDuration"])


def screens(path: Path, browser_path: str) -> float:
    """Return how many screens of 1400 × 900 the page has before its appendix."""
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        page: Page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.goto(path.as_uri())
        top = float(page.evaluate("document.querySelector('#appendix').getBoundingClientRect().top + scrollY"))
        browser.close()
    return top / 900


def main(paths: list[str]) -> None:
    """Print what was measured, a line for each page."""
    browser_path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser_path is None:
        sys.exit("Chromium is needed to open pages: make test installs it where it can")
    with tempfile.TemporaryDirectory() as folder:
        if not paths:
            subprocess.run(
                [sys.executable, "-m", "goodmeasure.cli", "demo"], cwd=folder, check=True, capture_output=True
            )
            paths = [str(Path(folder, "goodmeasure-demo.html"))]
        for path in map(Path, paths):
            found = [opened(path.resolve(), browser_path) for _ in range(TIMES)]
            painted, drawn, worked = (min(x) for x in zip(*found, strict=True))
            size, length = path.stat().st_size / 1e6, screens(path.resolve(), browser_path)
            print(
                f"{path.name}: {size:.2f} MB, {length:.1f} screens; "
                f"first paint {painted:.2f} s, all charts drawn {drawn:.2f} s, CPU {worked:.2f} s (best of {TIMES})"
            )


if __name__ == "__main__":
    main(sys.argv[1:])
