"""A report in a real browser: lines light up both ways, and no request leaves the page."""

from __future__ import annotations

import shutil

import pytest

from s2sad.api.display.page import report
from tests.display.models import misfit, misfit_example

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def browser():
    webdriver = pytest.importorskip("selenium.webdriver")
    found = shutil.which("chromium"), shutil.which("chromedriver")
    if None in found:
        pytest.skip("Chromium and its driver are not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = found[0]
    for option in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1300,600"):
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(executable_path=found[1])
    driver = webdriver.Chrome(options=options, service=service)
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def page(browser, tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    report(misfit, path, ("W", "m"), like=misfit_example())
    browser.get(path.as_uri())
    return browser


def line(page, pane, text):
    """Return the line of a pane, 0 or 1, that holds a text."""
    lines = page.find_elements(
        "css selector", f".s2sad-panes > section:nth-child({pane + 1}) .line"
    )
    return next(each for each in lines if text in each.text)


def hover(page, element):
    from selenium.webdriver import ActionChains

    page.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
    ActionChains(page).move_to_element_with_offset(element, 0, 0).perform()


def lit(page):
    """Return the texts of all lines that are lit."""
    lines = page.find_elements("css selector", ".s2sad-panes .line")
    colour = "rgba(255, 196, 0, 0.32)"
    return [e.text.lstrip("0123456789") for e in lines if _background(e) == colour]


def _background(element):
    return element.value_of_css_property("background-color")


def test_a_line_of_the_primal_lights_up_its_adjoint(page):
    hover(page, line(page, 0, "u = np.tanh(W @ m)"))
    found = lit(page)
    assert sum("u = np.tanh(W @ m)" in each for each in found) == 3  # both sweeps' and the remark
    assert any("u_term_bar = " in each for each in found)
    assert any("return np.outer(u_term_bar, m)" in each for each in found)  # what the return reads
    assert not any("np.sin" in each for each in found)


def test_a_line_of_the_adjoint_lights_up_that_of_the_primal(page):
    hover(page, line(page, 1, "w_bar += "))
    assert any(each.strip() == "u = u + np.sin(w) * 0.5" for each in lit(page))


def test_rows_and_boxes_of_a_line_light_it_up(page):
    marks = line(page, 0, "r = u - d").get_attribute("class").split()
    mark = next(each for each in marks if each[1:].isdigit())
    hover(page, page.find_element("css selector", f"#costs tr.{mark}"))
    assert any("r = u - d" in each for each in lit(page))
    hover(page, page.find_element("css selector", f"#dataflow g.{mark} rect"))
    assert any("r = u - d" in each for each in lit(page))


def test_the_other_pane_scrolls_to_what_lights_up(page):
    pane = page.find_element("css selector", ".s2sad-panes > section:nth-child(2)")
    page.execute_script("arguments[0].scrollTop = 0", pane)
    hover(page, line(page, 0, "u = np.tanh(W @ m)"))
    hover(page, line(page, 0, "def misfit"))
    target = line(page, 1, "def misfit_grad")
    inside = page.execute_script(
        "const a = arguments[0].getBoundingClientRect(), b = arguments[1].getBoundingClientRect();"
        "return a.top >= b.top && a.bottom <= b.bottom",
        target,
        pane,
    )
    assert inside


def test_nothing_is_asked_of_the_network_and_nothing_fails(page):
    asked = page.execute_script("return performance.getEntriesByType('resource').map(e => e.name)")
    assert asked == []
    assert [entry for entry in page.get_log("browser") if entry["level"] == "SEVERE"] == []
