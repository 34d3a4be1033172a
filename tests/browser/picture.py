"""picture.py ADDRESS WIDTH HEIGHT FILE.png [OF FILE.png]...: what a window shows of
the address once nothing more comes. OF: an element that is looked at alone, of the
first program where several are listed; the window has room for it."""
import sys
import time

from browser import Browser

address, width, height, file, *parts = sys.argv[1:]
SHOWN = "document.body.innerText"
with Browser(int(width), int(height)) as browser:
    browser.open(address)

    def settle():
        # An answer may lead to the next request.
        before = None
        while browser.unanswered or browser.value(SHOWN) != before:
            before = browser.value(SHOWN)
            time.sleep(0.5)

    settle()
    browser.picture(file)
    if parts:
        browser.value("document.querySelector('#programs a')?.click()")
        settle()
    for of, file in zip(parts[::2], parts[1::2]):
        browser.picture(file, clip=of)
