"""report.py FILE: the report of `study`, from disk and alone."""
import os
import sys

from browser import Browser

with Browser() as browser:
    browser.open("file://" + os.path.abspath(sys.argv[1]))
    browser.wait_for("document.getElementById('verdict') != null")
    labels = ("run time", "communication matrix")
    for label in labels if browser.value("hasCharts()") else ():
        browser.wait_for(
            "document.querySelector('[aria-label^=\"%s\"]') != null" % label)
    if os.path.getsize(sys.argv[1]) > 1_000_000:
        sys.exit("the report has %d bytes" % os.path.getsize(sys.argv[1]))
    if browser.errors:
        sys.exit("the report failed: %s" % browser.errors)
    if [a for a in browser.asked if not a.startswith(("file:", "about:"))]:
        sys.exit("the report asks others: %s" % browser.asked)
