"""Every view for everybody: screen readers, keyboards, narrow screens, light and dark."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.page.explorer import Explorer

VIEWS = {
    "numbers": "#scorecard table",
    "what-if": "#baselines table",
    "measures/kappa?property=strongly_monotone": ".verdict",
    "measures/own%20formula": "#own-value",
    "compare-measures?search=kappa": "table.atlas",
    "compare-measures/two": "#disagreement .pair",
    "compare-measures/possible": "table.map",
    "recommend?costs=0,1;5,0": "#recommendation h2.best-name",
    "compare-systems": ".drop",
}
SCREENS = {
    "wide and light": (1280, False),
    "wide and dark": (1280, True),
    "narrow and light": (360, False),
    "narrow and dark": (360, True),
}


@pytest.fixture(scope="module", params=SCREENS.values(), ids=SCREENS)
def screen(request, browser, explore_address):
    width, dark = request.param
    found = Explorer(browser, explore_address, width=width, dark=dark)
    yield found
    found.close()


@pytest.mark.parametrize("view", VIEWS)
def test_view_is_accessible_silent_and_fits_the_screen(screen, view):
    screen.said.clear()
    screen.open(view)
    expect(screen.find(VIEWS[view]).first).to_be_visible()
    screen.is_accessible()
    screen.is_quiet()


def test_everything_is_reached_by_keyboard(explorer):
    explorer.open("numbers?counts=50,3;4,20&class=ham&class=spam")
    keyboard = explorer.page.keyboard
    keyboard.press("Tab")
    expect(explorer.find("#skip")).to_be_focused()
    keyboard.press("Enter")
    expect(explorer.find("#main")).to_be_focused()
    keyboard.press("Tab")
    expect(explorer.find("#example")).to_be_focused()
    for _ in range(3):
        keyboard.press("Tab")
    expect(explorer.page.get_by_label("Name of class 1", exact=True)).to_be_focused()


def test_section_is_chosen_by_keyboard_and_announced(explorer):
    explorer.open("numbers")
    link = explorer.page.get_by_role("link", name="Recommend", exact=True)
    link.focus()
    explorer.page.keyboard.press("Enter")
    explorer.shown("recommend")
    expect(explorer.find("main h1")).to_be_focused()
    expect(explorer.find("#spoken")).to_have_text("Recommend · goodmeasure explore")
    expect(explorer.find("#sections [aria-current=page]")).to_have_text("Recommend")


def test_server_that_has_gone_is_said_beside_the_matrix(browser, explore_address):
    found = Explorer(browser, explore_address)
    found.open("numbers?counts=50,3;4,20&class=ham&class=spam")
    expect(found.find("#scorecard table")).to_be_visible()
    found.context.set_offline(True)
    found.page.get_by_label("True ham, predicted ham").fill("51")
    expect(found.find(".problem:visible")).to_contain_text("The server does not answer.")
    found.context.set_offline(False)
    found.page.get_by_label("True ham, predicted ham").fill("52")
    expect(found.find(".problem:visible")).to_have_count(0)
    found.close()


def test_stray_address_shows_the_first_section(explorer):
    explorer.open("numbers")
    explorer.open("nowhere/%E0%A4%A?counts=x;y")
    expect(explorer.find("#scorecard table")).to_be_visible()
