"""`python -m benchmarks.explore_typing`: how soon a key that is typed into a matrix changes the scorecard.

A real browser types digits into the cells of a matrix. Prints the time from each key to the frame that shows the new
values, which the page computes, and to the one that shows the new scorecard with its intervals, which the server
computes; the part of it in which the page waits for the server; and the processor time that the server needs.
"""

from __future__ import annotations

import argparse
import random
import time
from statistics import median, quantiles

from benchmarks.explore_load import processor_seconds, started

WATCH = """() => {
  window.typed = { values: [], scorecard: [] };
  const scores = document.querySelector(".numbers-columns > .tall");
  let key = 0;
  const shown = { values: 0, scorecard: 0 };
  const note = (what) => {
    if (shown[what] === key) return;
    shown[what] = key;
    const began = key;
    requestAnimationFrame(() => setTimeout(() => window.typed[what].push(performance.now() - began)));
  };
  document.addEventListener("input", (event) => { key = event.timeStamp; }, true);
  new MutationObserver((changes) => {
    if (key === 0) return;
    note("values");
    if (changes.some((change) => change.target === scores)) note("scorecard");
  }).observe(scores, { childList: true, subtree: true });
}"""
ASKED = """() => performance.getEntriesByType("resource").filter((x) => x.name.endsWith("api/evaluate"))
  .map((x) => x.responseEnd - x.startTime)"""


def address(port: int, classes: int) -> str:
    """Return the address of the matrix of a classifier that is mostly right."""
    draw, every = random.Random(0), range(classes)
    rows = (",".join(str(draw.randint(100, 999) if i == j else draw.randint(0, 30)) for j in every) for i in every)
    return f"http://127.0.0.1:{port}/#/numbers?counts={';'.join(rows)}"


def type_keys(page, keys: int) -> None:
    """Type digits into cells of the matrix, and wait after each until the scores have followed."""
    draw = random.Random(1)
    fields = page.locator("input.cell").all()
    for k in range(keys):
        if k % 5 == 0:
            draw.choice(fields).focus()
        page.keyboard.press(str(draw.randint(1, 9)))
        page.wait_for_function("many => window.typed.scorecard.length >= many", arg=k + 1)


def told(what: str, seconds: list[float]) -> None:
    """Print the quantiles of some times in milliseconds."""
    cuts = quantiles(seconds, n=20)
    print(f"{what}: median {median(seconds):.0f} ms, 95% {cuts[-1]:.0f} ms, longest {max(seconds):.0f} ms", flush=True)


def main() -> None:
    """Type into matrices of some sizes, and print what came out."""
    from tests.report.browser import chromium

    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--classes", type=int, nargs="*", default=[2, 20])
    options.add_argument("--keys", type=int, default=60)
    given = options.parse_args()
    server, port = started()
    try:
        with chromium() as browser:
            for classes in given.classes:
                page = browser.new_page()
                page.goto(address(port, classes))
                page.locator("#scorecard tbody tr").first.wait_for()
                time.sleep(2)  # until the process for long work, which starts with the page, has come to rest
                page.evaluate(WATCH)
                before = processor_seconds(server.pid)
                type_keys(page, given.keys)
                each = (processor_seconds(server.pid) - before) / given.keys
                print(f"{classes} classes, {given.keys} keys")
                typed = page.evaluate("window.typed")
                told("  from a key to the new values on the screen", typed["values"])
                told("  from a key to the new scorecard with its intervals", typed["scorecard"])
                told("  of which the page waits for the server", page.evaluate(ASKED)[-given.keys :])
                print(f"  processor time of the server: {1000 * each:.1f} ms for each key", flush=True)
                page.close()
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
