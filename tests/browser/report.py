"""report.py FILE: the report of `study`, from disk and alone."""
import os
import sys

from browser import Browser

with Browser() as browser:
    browser.open("file://" + os.path.abspath(sys.argv[1]))
    browser.wait_for("document.querySelectorAll('svg').length >= 2")
    for label in ("run time", "communication matrix"):
        browser.wait_for(
            "document.querySelector('[aria-label^=\"%s\"]') != null" % label)
    if browser.errors:
        sys.exit("the report failed: %s" % browser.errors)
    if [a for a in browser.asked if not a.startswith(("file:", "about:"))]:
        sys.exit("the report asks others: %s" % browser.asked)
