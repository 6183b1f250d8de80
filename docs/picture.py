"""Takes the picture of the demo's report that the README shows: `make picture` (needs Chromium)."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

PICTURE = Path(__file__).parent / "report.png"
WIDTH, ROWS = 1400, 4  # of the picture in pixels, and of the scorecard that it shows


def main() -> None:
    """Run the demo, open its report, and keep the first screen with the beginning of the scorecard."""
    browser_path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser_path is None:
        sys.exit("Chromium is needed to take the picture: make test installs it where it can")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        subprocess.run([sys.executable, "-m", "goodmeasure.cli", "demo"], cwd=folder, check=True, capture_output=True)
        browser = play.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": 900}, color_scheme="light")
        page.goto(Path(folder, "goodmeasure-demo.html").as_uri())
        last = page.locator("#scorecard tbody tr").nth(ROWS - 1).bounding_box()
        assert last is not None
        height = last["y"] + last["height"]
        page.screenshot(path=PICTURE, full_page=True, clip={"x": 0, "y": 0, "width": WIDTH, "height": height})
        browser.close()
    print(f"wrote {PICTURE.name}: {PICTURE.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
