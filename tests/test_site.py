"""The documentation site: every page can be reached, loads nothing from elsewhere, and is found by the search."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.needs import needs, needs_library

ROOT = Path(__file__).parent.parent
SHOWN = ("index", "start", "guides", "thresholds", "_generated/measures/f1", "_generated/commands", "intervals")


class Links(HTMLParser):
    """What a page links to, what it loads, and its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.anchors |= {given[x] for x in ("id", "name") if given.get(x)}
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        if tag in ("script", "img", "iframe") and given.get("src"):
            self.loaded.append(given["src"])
        if tag == "link" and given.get("rel") in ("stylesheet", "icon", "preload") and given.get("href"):
            self.loaded.append(given["href"])


def is_page(path: Path) -> bool:
    return path.parts[0] not in ("explore", "_static", "_downloads")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    needs_library("sphinx")
    folder = tmp_path_factory.mktemp("site") / "site"
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-W", "--keep-going", "-q", "docs", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    subprocess.run(
        [sys.executable, "-m", "goodmeasure", "explore", "--export", folder / "explore"],
        check=True,
        capture_output=True,
    )
    return folder


def test_every_page_of_the_documentation_has_its_place_in_a_chapter():
    pages = {x.stem: x.read_text(encoding="utf-8") for x in (ROOT / "docs").glob("*.md")}
    trees = [x for text in pages.values() for x in re.findall(r"```\{toctree\}\n(.*?)```", text, re.DOTALL)]
    listed = [
        line for tree in trees for line in tree.split("\n") if line and not line.startswith((":", "_", "tutorials/"))
    ]
    assert sorted([*listed, "index"]) == sorted(pages)


@pytest.mark.deep
def test_links_anchors_and_images_lead_somewhere_and_nothing_is_loaded_from_elsewhere(site):
    pages = {x: Links(x.read_text(encoding="utf-8")) for x in site.rglob("*.html") if is_page(x.relative_to(site))}
    assert len(pages) > 150
    wrong = []
    for path, found in pages.items():
        wrong += [(path.name, x) for x in found.loaded if urlsplit(x).scheme or x.startswith("//")]
        for link in [*found.links, *found.loaded]:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or link.startswith("#"):
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchors = pages[target].anchors if target in pages else {unquote(parts.fragment)}
            if not target.exists() or (parts.fragment and unquote(parts.fragment) not in anchors):
                wrong.append((path.name, link))
    assert wrong == []


@pytest.mark.deep
def test_every_page_is_reached_from_the_first_one(site):
    seen, waiting = set(), [site / "index.html"]
    while waiting:
        path = waiting.pop()
        if path in seen or not path.is_file() or path.suffix != ".html":
            continue
        seen.add(path)
        links = [urlsplit(x) for x in Links(path.read_text(encoding="utf-8")).links]
        waiting += [(path.parent / unquote(x.path)).resolve() for x in links if not x.scheme and x.path]
    all_pages = {x for x in site.rglob("*.html") if is_page(x.relative_to(site))}
    assert {x.name for x in all_pages - seen} <= {"genindex.html", "search.html"}


@pytest.mark.deep
def test_the_search_works_from_the_file_system_and_pages_are_accessible(site):
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=needs("chromium"), args=["--no-sandbox"])
        for width in (1280, 390):
            page = browser.new_page(viewport={"width": width, "height": 900})
            requests: list[str] = []
            page.on("request", lambda x, said=requests: said.append(x.url))
            for name in SHOWN:
                page.goto((site / f"{name}.html").as_uri())
                found = Axe().run(page).response["violations"]
                assert [(x["id"], x["nodes"][0]["html"]) for x in found if x["impact"] in ("serious", "critical")] == []
                assert page.evaluate("document.documentElement.scrollWidth") <= width
            page.goto((site / "search.html").as_uri() + "?q=threshold")
            page.wait_for_selector("#search-results li a")
            assert "thresholds" in " ".join(
                x.get_attribute("href") for x in page.query_selector_all("#search-results a")
            )
            assert {re.match(r"\w+", x)[0] for x in requests} <= {"file", "data"}
        browser.close()
