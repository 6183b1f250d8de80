"""Takes the pictures of `goodmeasure explore` that the documentation shows: `make picture` (needs Chromium)."""

from __future__ import annotations

import shutil
import subprocess
import sys
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

FOLDER = Path(__file__).parent
LARGEST = 150_000  # bytes
WITNESS = ".verdict[data-property=strongly_monotone] .exhibits"
PICTURES = {
    "explore-numbers.png": ("numbers", "#scorecard tbody tr", 1280, "light"),
    "explore-measure.png": ("measures/kappa?property=strongly_monotone", WITNESS, 1280, "dark"),
    "explore-what-if.png": ("what-if?change=move&at=60", ".reaction:nth-child(4)", 360, "light"),
    "explore-possible.png": ("compare-measures/possible", "table.map tr:last-child", 360, "dark"),
}
"""Where each picture is taken, what must be there, the width of the screen, and its colours."""


def main() -> None:
    """Start the page, and take every picture."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        sys.exit("Chromium is needed to take the pictures: make test installs it where it can")
    command = [sys.executable, "-m", "goodmeasure.cli", "explore", "--no-browser"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        address = _address(server)
        with sync_playwright() as play:
            browser = play.chromium.launch(executable_path=path, args=["--no-sandbox"])
            for name, (place, awaited, width, colours) in PICTURES.items():
                page = browser.new_page(viewport={"width": width, "height": 820}, color_scheme=colours)  # type: ignore[arg-type]
                page.goto(f"{address}#/{place}")
                page.locator(awaited).first.wait_for()
                page.wait_for_timeout(1500)  # until what is asked for while the page is drawn has come
                page.locator(awaited).first.scroll_into_view_if_needed()
                _keep(page.screenshot(), FOLDER / name)
                page.close()
            browser.close()
    finally:
        server.terminate()


def _keep(picture: bytes, path: Path) -> None:
    """Write a picture with few colours, which is all that a page of text needs."""
    Image.open(BytesIO(picture)).convert("RGB").quantize(96).save(path, optimize=True)
    size = path.stat().st_size
    assert size <= LARGEST, f"{path.name} has {size} bytes"
    print(f"wrote {path.name}: {size / 1000:.0f} kB")


def _address(server: subprocess.Popen[str]) -> str:
    """Return the address that the server prints."""
    assert server.stdout is not None
    for line in server.stdout:
        found = next((word for word in line.split() if word.startswith("http://")), None)
        if found:
            return found
    sys.exit("goodmeasure explore printed no address")


if __name__ == "__main__":
    main()
