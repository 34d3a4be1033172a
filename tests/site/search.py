#!/usr/bin/env python3
"""Searches a site from disk, in a headless Chromium.   search.py SITE"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "browser"))
from browser import Browser  # noqa: E402  pylint: disable=wrong-import-position

FOUND = ("[...document.querySelectorAll('#search-results li a')]"
         ".map(a => a.getAttribute('href'))")


def results_of(browser, site, word):
    browser.open(f"{site}/search.html?q={word}")
    browser.wait_for("document.querySelector('#search-results h2')"
                     "?.textContent == 'Search Results'")
    return browser.value(FOUND)


def main():
    site = pathlib.Path(sys.argv[1]).resolve().as_uri()
    with Browser() as browser:
        browser.open(f"{site}/index.html")
        browser.wait_for("location.href.endsWith('/README.html')")
        found = results_of(browser, site, "deadlock")
        assert any("docs/" in link for link in found), found
        assert not results_of(browser, site, "zyzzyva")
        for language in ("c", "cpp", "fortran", "python"):
            browser.open(f"{site}/api/{language}/index.html")
            # Doxygen's search: its results are a table of scripts.
            assert browser.value("typeof searchBox == 'object' &&"
                                 " Object.keys(indexSectionsWithContent).length")
        assert not browser.errors, browser.errors
        elsewhere = [a for a in browser.asked
                     if not a.startswith(("file:", "about:", "data:"))]
        assert not elsewhere, elsewhere


if __name__ == "__main__":
    main()
