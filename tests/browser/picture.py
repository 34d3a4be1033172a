"""picture.py ADDRESS WIDTH HEIGHT FILE.png: what a window shows of the address
once nothing more comes."""
import sys
import time

from browser import Browser

address, width, height, file = sys.argv[1:5]
SHOWN = "document.body.innerText"
with Browser(int(width), int(height)) as browser:
    browser.open(address)
    before = None
    while browser.value(SHOWN) != before:
        before = browser.value(SHOWN)
        time.sleep(3)
    browser.picture(file)
